"""Loops that differ from the reference in what the protocol leaves open: none of them breaks anything."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import wait
from contextlib import suppress
from typing import Any, Final

from altered_wire import Message, Tells, doubled, every
from callproof_reference.loops.calls import Calls, Refused
from callproof_reference.loops.loop import Loop
from callproof_reference.peers.peer import Failed
from callproof_reference.values import Json, Object, as_object, objects

from live_loops.failing import Told
from live_loops.hurried import GIVING_UP
from live_loops.kinds import Kind, carrying_out, event_of, kept


class Pretty(Calls):
    """Envelopes are laid out for people."""

    @staticmethod
    def _in_words(envelope: Object) -> Object:
        return {"content": [{"type": "text", "text": json.dumps(envelope, indent=2)}], "details": envelope}


class WithoutDetails(Calls):
    """Envelopes are only in the text, not in the details."""

    @staticmethod
    def _in_words(envelope: Object) -> Object:
        return {"content": [{"type": "text", "text": json.dumps(envelope)}]}


class Filling(Calls):
    """The loop fills in an optional argument for a tool: the number of lines."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        given = super()._permitted(named, tool, arguments)
        return {"lines": 200, **given} if named["toolName"] == "read" else given


class Replacing(Calls):
    """What a hook returns replaces all arguments."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        self._tools[named["toolName"]] = tool
        return super()._permitted(named, tool, arguments)


class Cautious(Loop):
    """Calls of a reply that was cut off are refused, each with a result."""

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        if reply["stopReason"] == "length":
            halves |= {block["id"] for block in reply["content"] if block.get("type") == "toolCall"}
        return reply, halves


class OnceAnId(Loop):
    """Calls of a reply that share an id are refused, each with a result."""

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        ids = [block["id"] for block in reply["content"] if block.get("type") == "toolCall"]
        return reply, halves | {each for each in ids if ids.count(each) > 1}


class Refusing(Loop):
    """A reply whose calls share an id is refused: none of its calls begins, and the run ends."""

    def _turn(self) -> bool:
        with suppress(Refused):
            return super()._turn()
        return False

    def _keep(self, message: Object) -> None:
        super()._keep(message)
        ids = [block["id"] for block in message["content"] if block.get("type") == "toolCall"]
        if len(set(ids)) < len(ids):
            raise Refused("error", error="two calls have one id")


class Skipping(Calls):
    """After the user writes something or aborts, calls that have not begun are skipped."""

    def _returned(self, named: Object, given: Object) -> Object:
        if self.__dict__.get("interrupted", lambda: False)():
            raise Refused("error", error="skipped, since the user wrote something")
        return super()._returned(named, given)


class Steerable(Loop):
    """A loop whose calls know what the user wrote."""

    how = Skipping

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        self.calls.__dict__["interrupted"] = lambda: bool(self.steered)


def other_names(message: Message) -> Iterator[Message]:
    """The model gets another name for a tool that there is not, because providers refuse some names."""
    if message.get("method") == "model/call":
        told = json.loads(json.dumps(message["params"]["messages"]))
        for block in (block for each in told if each["role"] == "assistant" for block in each["content"]):
            if "name" in block and block["name"].strip() != block["name"]:
                block["name"] = "INVALID_TOOL_NAME"
        message = {**message, "params": {"messages": told}}
    yield message


class OneAtATime(Loop):
    """If the user writes several messages, the model gets one of them with each call."""

    def __init__(self, peer: Any, start: Object) -> None:
        super().__init__(peer, start)
        self.__dict__["_queue"] = []

    def _turn(self) -> bool:
        queue = self.__dict__["_queue"]
        asked = super()._turn()
        queue += self.steered
        self.steered[:] = [queue.pop(0)] if queue else []
        return asked


class AskingAgain(Loop):
    """A model that fails is asked twice more, and no event reports that."""

    def _reply(self) -> tuple[Object, set[object]]:
        for _ in range(2):
            with suppress(Failed):
                return super()._reply()
        return super()._reply()


class Aborting(Loop):
    """A reply that comes after an abort is reported as aborted, with a text and without calls."""

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        if not self.calls.aborted:
            return reply, halves
        return {**reply, "content": [{"type": "text", "text": "(aborted)"}], "stopReason": "aborted"}, set()


class Prompt(Loop):
    """When the user aborts the run, the loop does not wait for the model."""

    def _reply(self) -> tuple[Object, set[object]]:
        ask = self._peer.ask
        self._peer.ask = self._hasty  # type: ignore[method-assign]
        try:
            return super()._reply()
        finally:
            self._peer.ask = ask  # type: ignore[method-assign]

    def _hasty(self, method: str, params: Object) -> Object:
        begun = self._peer.begin(method, params)
        while not begun.done():
            if self.calls.aborted:
                raise Failed("the run was aborted", {})
            time.sleep(0.002)
        return self._peer.answer_to(begun)


class Abandoning(Calls):
    """The loop does not wait for a tool that it asked to stop: the call is over at once, and no hook is asked."""

    def abort(self) -> None:
        with self._lock:
            self.__dict__["_let_go"] = set(filter(self._is_at_work, self._entered))
            super().abort()
            self._entered.clear()

    def _returned(self, named: Object, given: Object) -> Object:
        with self._lock:
            if self.aborted:
                raise Refused("error", error="the run was aborted before the call began")
            begun = self._peer.begin("tool/call", {**named, "params": given})
            self._entered[named["toolCallId"]] = begun
        while not (begun.done() or self.aborted):
            wait([begun], timeout=0.002)
        with self._lock:
            if named["toolCallId"] in self.__dict__.get("_let_go", ()):
                raise Refused("error", error="the run was aborted, and the tool asked to stop")
        return self._peer.answer_to(begun)


class Cumulative(Calls):
    """Each update repeats all earlier progress."""

    def progress(self, call: str, partial: Object) -> None:
        said = self.__dict__.setdefault("_said", {}).setdefault(call, [])
        said += partial["content"]
        super().progress(call, {"content": list(said)})


class Generating(Calls):
    """What a tool returned is also reported as its last progress, as if the tool were a generator."""

    def _returned(self, named: Object, given: Object) -> Object:
        result = super()._returned(named, given)
        self._emit("update", {**named, "partialResult": {"content": result["content"]}})
        return result


class Joining(Calls):
    """The texts of a result are joined into one text, which mentions images in words."""

    def _returned(self, named: Object, given: Object) -> Object:
        result = super()._returned(named, given)
        texts = [str(each.get("text", "(an image)")) for each in objects(result["content"])]
        return {**result, "content": [{"type": "text", "text": "\n".join(texts)}] if texts else []}


def runs_untold(message: Message) -> Iterator[Message]:
    """No event reports the beginning or the end of a run, or that its model failed."""
    told = event_of(message)
    if told.get("type") not in ("agent_start", "agent_end") and "errorMessage" not in told.get("message", {}):
        yield message


def results_as_they_come() -> Tells:
    """The results of a reply are in the opposite order."""
    held: list[Message] = []

    def tells(message: Message) -> Iterator[Message]:
        if kept(message):
            held.insert(0, message)
            return
        yield from held
        held.clear()
        yield message

    return tells


def other_events(message: Message) -> Iterator[Message]:
    """There are events of the loop's own between the others."""
    yield message
    if event_of(message).get("type") == "turn_start":
        yield {"jsonrpc": "2.0", "method": "event", "params": {"event": {"type": "usage", "tokens": 7}}}
        yield {"jsonrpc": "2.0", "method": "spend", "params": {}}


def own_members(message: Message) -> Iterator[Message]:
    """Events and messages have members of the loop's own."""
    told = event_of(message)
    if told:
        event = {**told, "x-at": 1}
        if "message" in event:
            event["message"] = {**as_object(event["message"]), "x-cost": 0.1}
        message = {**message, "params": {"event": event}}
    yield message


def turns_untold(message: Message) -> Iterator[Message]:
    """Turns are not reported."""
    if event_of(message).get("type") not in ("turn_start", "turn_end"):
        yield message


VARIED: Final = (
    Kind("pretty", "Envelopes are laid out for people.", loop=carrying_out(Pretty)),
    Kind("without-details", "Envelopes stand in the text alone.", loop=carrying_out(WithoutDetails)),
    Kind("filling", "What is not there is filled in.", loop=carrying_out(Filling)),
    Kind("cautious", "Replies that were cut are refused.", loop=Cautious),
    Kind("once-an-id", "Calls that share an id are refused.", loop=OnceAnId),
    Kind("refusing", "A reply whose calls share an id is the last one.", loop=Refusing),
    Kind("steerable", "What has not begun is skipped when the user writes something.", loop=Steerable),
    Kind("other-names", "Names of tools that there are not are rewritten.", tells=every(other_names)),
    Kind("one-at-a-time", "Messages of the user are given one with each call.", loop=OneAtATime),
    Kind("results-as-they-come", "Results stand in another order.", tells=results_as_they_come),
    Kind("other-events", "Other events and messages stand in between.", tells=every(other_events)),
    Kind("own-members", "Events have members of the loop's own.", tells=every(own_members)),
    Kind("asking-again", "A model that fails is asked twice more.", loop=AskingAgain),
    Kind("aborting", "A reply after an abort is told as an aborted one.", loop=Aborting),
    Kind("prompt", "A run that is aborted does not wait for the model.", loop=Prompt),
    Kind("told-at-once", "What begins after an abort is told at once.", loop=carrying_out(Told)),
    Kind("abandoning", "Nobody waits for what was asked to stop.", loop=carrying_out(Abandoning)),
    Kind("cumulative", "Progress is told with all of it so far.", loop=carrying_out(Cumulative)),
    Kind("generating", "What a tool returned is its last progress.", loop=carrying_out(Generating)),
    Kind("joining", "Texts are one, and images are told of.", loop=carrying_out(Joining)),
    Kind("doubles", "Numbers are doubles.", tells=every(doubled)),
    Kind("runs-untold", "Begin and end of runs are not told.", tells=every(runs_untold)),
    Kind("turns-untold", "Turns are not told.", tells=every(turns_untold)),
    *GIVING_UP,
)
