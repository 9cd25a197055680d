"""A list of messages as the AI SDK gives them to a model, one per line."""

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
from callproof.protocols.agent_loop.transcripts.texts import as_texts
from callproof.protocols.agent_loop.transcripts.turns import in_turns
from callproof.protocols.entries import Entry
from callproof.protocols.parts import object_of, objects_of, text_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

_CALL: Final = "tool-call"
_RESULT: Final = "tool-result"
# The kinds of an output that say that its call failed, or was not carried out.
_FAILURES: Final = ("error-text", "error-json", "execution-denied")


def _is_of_the_model(entry: Entry) -> bool:
    return entry.value.get("role") == "assistant"


def _is_known_by(entry: Entry) -> bool:
    # Earlier releases had `args` and `result` instead, with other members beside them.
    kind, holds = {"assistant": (_CALL, "input"), "tool": (_RESULT, "output")}.get(entry.text("role") or "", ("", ""))
    parts = (each for each in objects_of(entry.value.get("content")) if each.get("type") == kind and holds in each)
    return any(text_of(each, "toolCallId") is not None for each in parts)


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    yield in_turns(entries, _is_of_the_model, _blocks, _results)


def _blocks(entry: Entry) -> Iterator[Block | str]:
    for each in objects_of(entry.value.get("content")):
        if each.get("type") != _CALL:
            yield None
        elif each.get("providerExecuted") is True:
            yield text_of(each, "toolCallId")
        else:
            part = Part(each, "agent-loop-sdk-call", entry.source, f"part {_CALL}", "/input")
            yield call_block(each.get("toolCallId"), each.get("toolName"), each.get("input")), part


def _results(entry: Entry) -> Iterator[Result]:
    if entry.value.get("role") == "tool":
        for each in objects_of(entry.value.get("content")):
            if each.get("type") == _RESULT:
                yield Result(_message(each), Part(each, "agent-loop-sdk-result", entry.source, f"part {_RESULT}"))


def _message(result: Mapping[str, Json]) -> Mapping[str, Json]:
    members: dict[str, Json] = {"toolCallId": result.get("toolCallId")}
    if "toolName" in result:
        members["toolName"] = result["toolName"]
    output = object_of(result.get("output"))
    if (kind := text_of(output, "type")) is not None:
        members["isError"] = kind in _FAILURES
    value = output.get("value")
    # An output of the kind `content` has a list of parts, as in every interface.
    return result_message(members, value if kind == "content" and is_array(value) else as_texts([value]))


FORM: Final = Form("messages of the AI SDK", _is_known_by, _read)
