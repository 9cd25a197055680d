"""The reference behind a wire that spoils its messages: ``python bad.py HOW``, with a name that ``HOW`` lists."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from callproof_reference.invocations.service import serve
from callproof_reference.wire import Wire

Message = dict[str, Any]
RECORD = {"jsonrpc": "2.0", "method": "record", "params": {"record": {}}}


class Spoilt:
    """A wire that sends other messages than it was given."""

    def __init__(self, spoil: Callable[[Message], Iterator[Message]]) -> None:
        self._wire, self._spoil = Wire(), spoil

    def receive(self) -> Message | None:
        return self._wire.receive()

    def send(self, message: Message) -> None:
        for each in self._spoil(message):
            self._wire.send(each)


def finishes_twice(message: Message) -> Iterator[Message]:
    yield message
    if message.get("method") == "invocation/finished":
        yield message


def tells_after_the_end(message: Message) -> Iterator[Message]:
    yield message
    if message.get("method") == "invocation/finished":
        yield RECORD


def asks_after_the_end(message: Message) -> Iterator[Message]:
    yield message
    if message.get("method") == "invocation/finished":
        yield {"jsonrpc": "2.0", "id": "late", "method": "planner/plan", "params": {"question": ""}}


def begins_too_early(message: Message) -> Iterator[Message]:
    if message.get("result") == {}:
        yield RECORD
    yield message


def garbage(message: Message) -> Iterator[Message]:
    if message.get("method") == "planner/plan":
        print("listening on port 8080", file=sys.__stdout__, flush=True)
    yield message


def misshapen(message: Message) -> Iterator[Message]:
    if message.get("method") == "provider/generate":
        message = {**message, "params": {"profile": "large"}}
    yield message


def record_of_no_object(message: Message) -> Iterator[Message]:
    if message.get("method") == "record":
        message = {**message, "params": {"record": [1]}}
    yield message


def silent(message: Message) -> Iterator[Message]:
    if "result" in message:
        yield message


def without_end(message: Message) -> Iterator[Message]:
    if message.get("method") != "invocation/finished":
        yield message


def flood(message: Message) -> Iterator[Message]:
    yield message
    while message.get("method") == "planner/plan":
        yield RECORD


def again_and_again() -> Callable[[Message], Iterator[Message]]:
    asked = count()

    def spoil(message: Message) -> Iterator[Message]:
        yield message
        while message.get("method") == "planner/plan":
            yield {**message, "id": f"again {next(asked)}"}
            time.sleep(0.005)

    return spoil


def finishes_at_once(message: Message) -> Iterator[Message]:
    if message.get("method") == "planner/plan":
        yield {"jsonrpc": "2.0", "method": "invocation/finished", "params": {}}
    elif "result" in message:
        yield message


def strange_records(message: Message) -> Iterator[Message]:
    yield message
    if message.get("method") == "planner/plan":
        yield from (
            {**RECORD, "params": {"record": each}} for each in ({}, {"kind": "meta", "driven": True}, {"intent": 1})
        )


HOW: dict[str, Callable[[Message], Iterator[Message]]] = {
    "finishes-twice": finishes_twice,
    "tells-after-the-end": tells_after_the_end,
    "asks-after-the-end": asks_after_the_end,
    "begins-too-early": begins_too_early,
    "garbage": garbage,
    "misshapen": misshapen,
    "record-of-no-object": record_of_no_object,
    "silent": silent,
    "without-end": without_end,
    "flood": flood,
    "again-and-again": again_and_again(),
    "finishes-at-once": finishes_at_once,
    "strange-records": strange_records,
}

if __name__ == "__main__":
    serve(Spoilt(HOW[sys.argv[1]]))
