"""A list of messages as the conventions of OpenTelemetry write them down, one per line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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
from callproof.protocols.agent_loop.transcripts.texts import arguments_or_none, as_texts
from callproof.protocols.agent_loop.transcripts.turns import in_turns
from callproof.protocols.entries import Entry
from callproof.protocols.parts import objects_of, text_of
from callproof.values.jsontext import Json, write_json

_CALL: Final = "tool_call"
_RESPONSE: Final = "tool_call_response"
# The member with the content of a response: in the conventions, and in their first draft.
_SAID: Final = ("response", "result")


def _is_of_the_model(entry: Entry) -> bool:
    return entry.value.get("role") == "assistant"


def _is_known_by(entry: Entry) -> bool:
    kind = _CALL if _is_of_the_model(entry) else _RESPONSE
    return any(each.get("type") == kind and text_of(each, "id") is not None for each in _parts(entry))


def _parts(entry: Entry) -> Sequence[Mapping[str, Json]]:
    return tuple(objects_of(entry.value.get("parts")))


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    turns = _Turns()
    yield in_turns(entries, _is_of_the_model, turns.blocks, turns.results)


def _is_ours(part: Mapping[str, Json], kind: str) -> bool:
    """Whether a part belongs to a call by the host that has an id: the results of other calls are unknown."""
    return part.get("type") == kind and part.get("id") is not None and part.get("builtin") is not True


class _Turns:
    """The parts of messages in their order, with how many calls the last reply has of each id."""

    def __init__(self) -> None:
        self._calls = Counter[str]()
        self._is_answered = False

    def blocks(self, entry: Entry) -> Iterator[Block | str]:
        """Every part of a message of the model."""
        if self._is_answered:  # another reply begins
            self._calls.clear()
            self._is_answered = False
        for each in _parts(entry):
            if not _is_ours(each, _CALL):
                yield text_of(each, "id") if each.get("type") == _CALL else None
                continue
            self._calls[_key(each)] += 1
            given = each.get("arguments")
            text = given if isinstance(given, str) else None
            part = Part(each, "agent-loop-otel-call", entry.source, f"part {_CALL}", "/arguments", text)
            yield call_block(each.get("id"), each.get("name"), arguments_or_none(given)), part

    def results(self, entry: Entry) -> Iterator[Result]:
        """The results in another message: of each call the first part, since its content may be told in several."""
        self._is_answered = True
        told = Counter[str]()
        for each in _parts(entry):
            if not _is_ours(each, _RESPONSE):
                continue
            told[_key(each)] += 1
            if told[_key(each)] <= max(1, self._calls[_key(each)]):
                yield _result(each, entry)


def _key(part: Mapping[str, Json]) -> str:
    return write_json(part.get("id"))


def _result(part: Mapping[str, Json], entry: Entry) -> Result:
    members: dict[str, Json] = {"toolCallId": part.get("id")}
    if (name := text_of(part, "name")) is not None:
        members["toolName"] = name
    said = next((part[name] for name in _SAID if name in part), None)
    seen = Part(part, "agent-loop-otel-response", entry.source, f"part {_RESPONSE}")
    return Result(result_message(members, as_texts([said])), seen)


FORM: Final = Form("messages of OpenTelemetry", _is_known_by, _read)
