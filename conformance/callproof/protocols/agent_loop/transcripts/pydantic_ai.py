"""A list of messages as pydantic-ai keeps them, one per line."""

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

_CALL: Final = "tool-call"
_RETURN: Final = "tool-return"
# How earlier releases told the model that a call failed; a part of this kind without a tool is about the whole answer.
_RETRY: Final = "retry-prompt"


def _is_of_the_model(entry: Entry) -> bool:
    return entry.value.get("kind") == "response"


def _is_known_by(entry: Entry) -> bool:
    if entry.value.get("kind") not in ("request", "response"):
        return False
    kind = _CALL if _is_of_the_model(entry) else _RETURN
    return any(
        each.get("part_kind") == kind and text_of(each, "tool_call_id") is not None
        for each in objects_of(entry.value.get("parts"))
    )


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    yield in_turns(entries, _is_of_the_model, _blocks, _results, _is_cut)


def _is_cut(entry: Entry) -> bool:
    return entry.value.get("state") in ("interrupted", "incomplete")


def _blocks(entry: Entry) -> Iterator[Block]:
    for each in objects_of(entry.value.get("parts")):
        if each.get("part_kind") != _CALL:
            yield None
            continue
        given = each.get("args")
        text = given if isinstance(given, str) else None
        part = Part(each, "agent-loop-pydantic-call", entry.source, f"part {_CALL}", "/args", text)
        yield call_block(each.get("tool_call_id"), each.get("tool_name"), arguments_or_none(given)), part


def _results(entry: Entry) -> Iterator[Result]:
    for each in objects_of(entry.value.get("parts")):
        kind = each.get("part_kind")
        if kind == _RETURN or (kind == _RETRY and each.get("tool_name") is not None):
            yield Result(_message(each), Part(each, "agent-loop-pydantic-return", entry.source, f"part {kind}"))


def _message(result: Mapping[str, Json]) -> Mapping[str, Json]:
    members: dict[str, Json] = {"toolCallId": result.get("tool_call_id")}
    if "tool_name" in result:
        members["toolName"] = result["tool_name"]
    outcome = "retried" if result.get("part_kind") == _RETRY else text_of(result, "outcome")
    if outcome is not None:
        members["isError"] = outcome != "success"
    return result_message(members, as_texts([result.get("content")]))


FORM: Final = Form("messages of pydantic-ai", _is_known_by, _read)
