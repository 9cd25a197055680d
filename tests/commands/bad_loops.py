"""The reference loop behind a wire that spoils what it says: ``python bad_loops.py HOW``; ``HOW`` lists the names."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from callproof_reference.loops.loop import serve

Message = dict[str, Any]
Spoiling = Callable[[Message], Iterator[Message]]
EVENT = {"jsonrpc": "2.0", "method": "event", "params": {"event": {"type": "turn_start"}}}
ENDED = {"jsonrpc": "2.0", "method": "event", "params": {"event": {"type": "agent_end"}}}
FINISHED = {"jsonrpc": "2.0", "method": "loop/finished", "params": {}}
LONG = "i" * 1_000_000


class Pipes:
    """The wire over standard input and output; it spoils what goes out."""

    def __init__(self, spoils: Spoiling) -> None:
        self._spoils = spoils

    def receive(self) -> Message | None:
        line = sys.stdin.readline()
        message = json.loads(line) if line else None
        if message is not None and isinstance(message.get("id"), str):
            message["id"] = message["id"].removeprefix(LONG)
        return message

    def send(self, message: Message) -> None:
        for each in self._spoils(message):
            say(json.dumps(each))


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def introduces(**members: object) -> Spoiling:
    """Say something else in the answer to initialize."""

    def spoil(message: Message) -> Iterator[Message]:
        if "implementation" in message.get("result", {}):
            message = {**message, "result": {**message["result"], **members}}
        yield message

    return spoil


def on(method: str, *said: Message | Callable[[Message], Message]) -> Spoiling:
    """Say these instead of what the loop says by a method."""

    def spoil(message: Message) -> Iterator[Message]:
        if message.get("method") != method:
            yield message
            return
        for each in said:
            yield each(message) if callable(each) else each

    return spoil


def itself(message: Message) -> Message:
    return message


def altered(**params: object) -> Callable[[Message], Message]:
    return lambda message: {**message, "params": {**message["params"], **params}}


def of_another_id(message: Message) -> Message:
    """The same request again, about a call that the model never made."""
    return {**altered(toolCallId="call_nobody_made")(message), "id": f"{message['id']} again"}


def garbage(message: Message) -> Iterator[Message]:
    if message.get("method") == "model/call":
        say("listening on port 8080")
    yield message


def without_end(message: Message) -> Iterator[Message]:
    yield message
    while message.get("method") == "event":
        yield EVENT


def deep(message: Message) -> Iterator[Message]:
    """Add a message that a strict reader refuses."""
    if message.get("method") == "model/call":
        say('{"jsonrpc": "2.0", "method": "event", "params": {"event": {"type": "x", "at": ' + "9" * 5_000 + "}}}")
    yield message


def half(message: Message) -> Iterator[Message]:
    """Add half a character, as a runtime with strings of UTF-16 may send it."""
    if message.get("method") == "model/call":
        say('{"jsonrpc": "2.0", "method": "event", "params": {"event": {"type": "\\ud800"}}}')
    yield message


def begins_too_early(message: Message) -> Iterator[Message]:
    if message.get("result") == {}:
        yield EVENT
    yield message


def never_acknowledges(message: Message) -> Iterator[Message]:
    if message.get("result") != {}:
        yield message


def late(message: Message) -> Iterator[Message]:
    if message.get("method") == "loop/finished" or "result" in message:
        time.sleep(0.2)
    yield message


def again_and_again() -> Spoiling:
    """Call the model for ever: instead of the end of a run, one call follows the other."""
    asked = count()

    def spoil(message: Message) -> Iterator[Message]:
        if message.get("method") != "loop/finished":
            yield message
            return
        while True:
            params = {"messages": []}
            yield {"jsonrpc": "2.0", "id": f"again {next(asked)}", "method": "model/call", "params": params}
            time.sleep(0.01)

    return spoil


def dying() -> Spoiling:
    """Exit in the middle of the second case."""
    called = count()

    def spoil(message: Message) -> Iterator[Message]:
        if message.get("method") == "loop/finished" and next(called) == 1:
            sys.stderr.write("out of memory\n")
            sys.stderr.flush()
            os._exit(7)
        yield message

    return spoil


def slowly_for_ever(message: Message) -> Iterator[Message]:
    """Send an event every now and then, and never the end."""
    while message.get("method") == "loop/finished":
        yield EVENT
        time.sleep(0.05)
    yield message


def under_long_ids(message: Message) -> Iterator[Message]:
    yield {**message, "id": LONG + message["id"]} if message.get("method") == "model/call" else message


def standing_still(message: Message) -> Iterator[Message]:
    """Create a file when the second case has begun, and send nothing more."""
    if message.get("method") == "model/call" and message["params"]["messages"][1:]:
        Path(sys.argv[2]).touch()
        time.sleep(600)
    yield message


def breaking_down(message: Message) -> Iterator[Message]:
    """The loop throws inside, writes that only to standard error, and its process lives on."""
    if message.get("method") != "tool/call":
        yield message
    else:
        sys.stderr.write("Traceback (most recent call last):\nKeyError: 'shr\x1b[31med'\n")
        sys.stderr.flush()


CLEAN = {"version": "1", "language": "python"}
HOW: Mapping[str, Spoiling] = {
    "plain": on("nothing"),
    "another-version": introduces(protocolVersion="2.0"),
    "garbage": garbage,
    "silent": on("model/call"),
    "flood": without_end,
    "late": late,
    "begins-too-early": begins_too_early,
    "never-acknowledges": never_acknowledges,
    "finishes-at-once": on("model/call", ENDED, FINISHED),
    "finishes-twice": on("loop/finished", itself, itself),
    "tells-after-the-end": on("loop/finished", itself, EVENT),
    "claims-nothing": introduces(claims={"features": []}),
    "claims-wrongly": introduces(claims={"features": ["sequential", "beforHook", "\x1b[31mred"]}),
    "enters-what-nobody-called": on("tool/call", of_another_id, itself),
    "enters-another-tool": on("tool/call", altered(toolName="shred")),
    "huge-number": deep,
    "half-a-character": half,
    "enters-under-long-ids": on("tool/call", altered(toolCallId=LONG)),
    "escapes": introduces(implementation={"name": "my \x1b[31mloop\x07\u202e", **CLEAN}),
    "escapes-in-ids": on("tool/call", altered(toolCallId="\x1b[31mcall\x07\u202e")),
    "dies-in-a-case": dying(),
    "calls-the-model-for-ever": again_and_again(),
    "dribbles": slowly_for_ever,
    "breaks-down": breaking_down,
    "asks-under-long-ids": under_long_ids,
    "stands-still": standing_still,
}


if __name__ == "__main__":
    if sys.argv[1] == "dies-at-start":
        sys.exit("no licence found")
    serve(Pipes(HOW[sys.argv[1]]))
