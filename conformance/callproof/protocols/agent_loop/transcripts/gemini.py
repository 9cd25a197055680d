"""A list of contents as Gemini's interface takes them, one per line; its calls may have no ids."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from callproof.protocols.agent_loop.forms import Part
from callproof.protocols.agent_loop.transcripts.blocks import Block
from callproof.protocols.agent_loop.transcripts.telling import (
    Conversation,
    Form,
    Result,
    call_block,
    result_message,
)
from callproof.protocols.agent_loop.transcripts.texts import as_texts
from callproof.protocols.agent_loop.transcripts.turns import in_turns
from callproof.protocols.entries import Entry
from callproof.protocols.parts import objects_of, text_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

# The spellings of the interface, and of its library for Python.
_CALL: Final = ("functionCall", "function_call")
_RESPONSE: Final = ("functionResponse", "function_response")
# Whether more responses of the same call follow.
_CONTINUES: Final = ("willContinue", "will_continue")


def _content(entry: Entry) -> Mapping[str, Json]:
    """The content that a line is, or that it contains as an event of an agent kit."""
    inner = entry.value.get("content")
    return inner if is_object(inner) and "parts" not in entry.value else entry.value


def _in(entry: Entry, names: tuple[str, ...]) -> Iterator[Mapping[str, Json] | None]:
    """For each part of a content, its member of one of the names; None for another part."""
    for each in objects_of(_content(entry).get("parts")):
        yield next((found for name in names if is_object(found := each.get(name))), None)


def _is_of_the_model(entry: Entry) -> bool:
    return _content(entry).get("role") == "model"


def _is_known_by(entry: Entry) -> bool:
    told = _in(entry, _CALL if _is_of_the_model(entry) else _RESPONSE)
    return any(each is not None and text_of(each, "name") is not None for each in told)


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    pairing = _Pairing(_continuing(entries))
    # Other events of a kit are its own notes, and may also come between the pieces of a reply.
    contents = [each for each in entries if not _content(each).keys().isdisjoint(("role", "parts"))]
    yield in_turns(contents, _is_of_the_model, pairing.blocks, pairing.results)


def _continuing(entries: Sequence[Entry]) -> frozenset[str]:
    """The ids of calls that answer several times, whenever they like, or their names where they have no ids."""
    responses = chain.from_iterable(_in(each, _RESPONSE) for each in entries)
    return frozenset(
        called
        for each in responses
        if each is not None and any(each.get(name) is True for name in _CONTINUES)
        if (called := _called(each)) is not None
    )


def _called(told: Mapping[str, Json]) -> str | None:
    return text_of(told, "name") if told.get("id") is None else text_of(told, "id")


@dataclass(eq=False, slots=True)
class _Pairing:
    """Which result belongs to which call if neither has an id: the first result of a name to the first call of it."""

    # The calls that nobody judges, by their ids, or by their names where they have no ids.
    continuing: frozenset[str]
    # How many calls of a name had no id, and the calls of the last reply that wait for a result.
    count: Counter[str] = field(default_factory=Counter[str])
    waiting: dict[str, deque[str]] = field(default_factory=dict[str, deque[str]])
    is_answered: bool = False

    def blocks(self, entry: Entry) -> Iterator[Block]:
        """Every part of a reply: a call with its part, and None for a part that is no call."""
        if self.is_answered:
            self.waiting, self.is_answered = {}, False
        for call in _in(entry, _CALL):
            if call is None or _called(call) in self.continuing:
                yield None
                continue
            name, arguments = call.get("name"), call.get("args")
            part = Part(call, "agent-loop-gemini-call", entry.source, _CALL[0], "/args")
            yield call_block(self._id_of(call), name, {} if arguments is None else arguments), part

    def results(self, entry: Entry) -> Iterator[Result]:
        """Every result in a content that is not the model's."""
        self.is_answered = True
        for response in _in(entry, _RESPONSE):
            if response is not None and _called(response) not in self.continuing:
                message = result_message(
                    {"toolCallId": self._answered_by(response), **_told(response)}, _said(response)
                )
                yield Result(message, Part(response, "agent-loop-gemini-response", entry.source, _RESPONSE[0]))

    def _id_of(self, call: Mapping[str, Json]) -> Json:
        name = text_of(call, "name")
        if call.get("id") is not None or name is None:
            return call.get("id")
        self.count[name] += 1
        made = f"{name} #{self.count[name]}"
        self.waiting.setdefault(name, deque()).append(made)
        return made

    def _answered_by(self, response: Mapping[str, Json]) -> Json:
        name = text_of(response, "name")
        if response.get("id") is not None or name is None:
            return response.get("id")
        waiting = self.waiting.get(name)
        return waiting.popleft() if waiting else f"{name} without an id"


def _told(response: Mapping[str, Json]) -> dict[str, Json]:
    """The name of the tool, and whether the call failed, if the response says so."""
    told: dict[str, Json] = {}
    if "name" in response:
        told["toolName"] = response["name"]
    content = response.get("response")
    if is_object(content) and any(content.get(each) is not None for each in ("error", "output")):
        told["isError"] = content.get("error") is not None
    return told


def _said(response: Mapping[str, Json]) -> Json:
    """What the model is given: the output or the error, or the whole response if it has neither."""
    content = response.get("response")
    found = [content.get(each) for each in ("error", "output")] if is_object(content) else []
    return as_texts([each for each in found if each is not None] or [content])


FORM: Final = Form("contents of Gemini's interface", _is_known_by, _read)
