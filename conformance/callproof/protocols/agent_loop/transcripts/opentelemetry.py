"""A list of messages as the conventions of OpenTelemetry write them down, one per line."""

from __future__ import annotations

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
from callproof.values.jsontext import Json

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
    yield in_turns(entries, _is_of_the_model, _blocks, _results)


def _is_ours(part: Mapping[str, Json], kind: str) -> bool:
    """Whether a part belongs to a call by the host that has an id: the results of other calls are unknown."""
    return part.get("type") == kind and part.get("id") is not None and part.get("builtin") is not True


def _blocks(entry: Entry) -> Iterator[Block | str]:
    for each in _parts(entry):
        if not _is_ours(each, _CALL):
            yield text_of(each, "id") if each.get("type") == _CALL else None
            continue
        given = each.get("arguments")
        text = given if isinstance(given, str) else None
        part = Part(each, "agent-loop-otel-call", entry.source, f"part {_CALL}", "/arguments", text)
        yield call_block(each.get("id"), each.get("name"), arguments_or_none(given)), part


def _results(entry: Entry) -> Iterator[Result]:
    told: list[Json] = []
    for each in _parts(entry):
        # A log with one block in each part has several parts for one call.
        if _is_ours(each, _RESPONSE) and each.get("id") not in told:
            told.append(each.get("id"))
            members: dict[str, Json] = {"toolCallId": each.get("id")}
            if (name := text_of(each, "name")) is not None:
                members["toolName"] = name
            said = next((each[name] for name in _SAID if name in each), None)
            part = Part(each, "agent-loop-otel-response", entry.source, f"part {_RESPONSE}")
            yield Result(result_message(members, as_texts([said])), part)


FORM: Final = Form("messages of OpenTelemetry", _is_known_by, _read)
