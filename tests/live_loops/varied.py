"""Loops that differ from the reference in what the protocol leaves open: none of them breaks anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from callproof_reference.loops.calls import Calls, Refused
from callproof_reference.loops.loop import Loop
from callproof_reference.values import Json, Object, as_object

from live_loops.kinds import Kind, Message, Tells, carrying_out, event_of, kept


def _every(change: Any) -> Any:
    def tells() -> Tells:
        return change

    return tells


class Pretty(Calls):
    """Envelopes are laid out for people."""

    @staticmethod
    def _in_words(envelope: Object) -> Object:
        return {"content": [{"type": "text", "text": json.dumps(envelope, indent=2)}], "details": envelope}


class WithoutDetails(Calls):
    """Envelopes stand in the text alone."""

    @staticmethod
    def _in_words(envelope: Object) -> Object:
        return {"content": [{"type": "text", "text": json.dumps(envelope)}]}


class Filling(Calls):
    """A tool is given what its schema leaves open: the number of lines."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        given = super()._permitted(named, tool, arguments)
        return {"lines": 200, **given} if named["toolName"] == "read" else given


class Replacing(Calls):
    """What a hook returns takes the place of all arguments."""

    def _permitted(self, named: Object, tool: Object, arguments: Json) -> Object:
        self._tools[named["toolName"]] = tool
        return super()._permitted(named, tool, arguments)


class Cautious(Loop):
    """Calls of a reply that was cut are refused, each with its result."""

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        if reply["stopReason"] == "length":
            halves |= {block["id"] for block in reply["content"] if block.get("type") == "toolCall"}
        return reply, halves


class OnceAnId(Loop):
    """Calls of a reply that share an id are refused, each with its result."""

    def _reply(self) -> tuple[Object, set[object]]:
        reply, halves = super()._reply()
        ids = [block["id"] for block in reply["content"] if block.get("type") == "toolCall"]
        return reply, halves | {each for each in ids if ids.count(each) > 1}


class Skipping(Calls):
    """After the user wrote something or aborted, calls that have not begun are skipped."""

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


class NoProgress(Calls):
    """Nothing is told of progress."""

    def progress(self, call: str, partial: Object) -> None:
        return None


def results_as_they_come() -> Tells:
    """The results of a reply stand in the opposite order."""
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
    """Events of the loop's own stand between the others."""
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
    """Turns are not told."""
    if event_of(message).get("type") not in ("turn_start", "turn_end"):
        yield message


VARIED: Final = (
    Kind("pretty", "Envelopes are laid out for people.", loop=carrying_out(Pretty)),
    Kind("without-details", "Envelopes stand in the text alone.", loop=carrying_out(WithoutDetails)),
    Kind("filling", "What is not there is filled in.", loop=carrying_out(Filling)),
    Kind("cautious", "Replies that were cut are refused.", loop=Cautious),
    Kind("once-an-id", "Calls that share an id are refused.", loop=OnceAnId),
    Kind("steerable", "What has not begun is skipped when the user writes something.", loop=Steerable),
    Kind("results-as-they-come", "Results stand in another order.", tells=results_as_they_come),
    Kind("other-events", "Other events and messages stand in between.", tells=_every(other_events)),
    Kind("own-members", "Events have members of the loop's own.", tells=_every(own_members)),
    Kind("turns-untold", "Turns are not told.", tells=_every(turns_untold)),
)
