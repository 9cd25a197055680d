"""A list of messages as the Converse interface of Bedrock takes them, one per line."""

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
from callproof.protocols.parts import objects_of, text_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

_USE: Final = "toolUse"
_RESULT: Final = "toolResult"
# A tool use that the provider carries out, and answers in the same reply.
_SERVED: Final = "server_tool_use"


def _in(entry: Entry, name: str) -> Iterator[Mapping[str, Json] | None]:
    """For each block of a message, its member of this name if that is an object; None for another block."""
    for each in objects_of(entry.value.get("content")):
        found = each.get(name)
        yield found if is_object(found) else None


def _is_of_the_model(entry: Entry) -> bool:
    return entry.value.get("role") == "assistant"


def _is_known_by(entry: Entry) -> bool:
    name = _USE if _is_of_the_model(entry) else _RESULT
    return any(each is not None and text_of(each, "toolUseId") is not None for each in _in(entry, name))


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    yield in_turns(entries, _is_of_the_model, _blocks, _results)


def _blocks(entry: Entry) -> Iterator[Block | str]:
    for use in _in(entry, _USE):
        if use is None:
            yield None
        elif use.get("type") == _SERVED:
            yield text_of(use, "toolUseId")
        else:
            part = Part(use, "agent-loop-converse-use", entry.source, _USE, "/input")
            yield call_block(use.get("toolUseId"), use.get("name"), use.get("input")), part


def _results(entry: Entry) -> Iterator[Result]:
    for result in _in(entry, _RESULT):
        if result is not None:
            members: dict[str, Json] = {"toolCallId": result.get("toolUseId")}
            if (status := text_of(result, "status")) is not None:
                members["isError"] = status == "error"
            content = [each.get("json", each.get("text")) for each in objects_of(result.get("content"))]
            message = result_message(members, as_texts(content))
            yield Result(message, Part(result, "agent-loop-converse-result", entry.source, _RESULT))


FORM: Final = Form("messages of Converse", _is_known_by, _read)
