"""A list of messages as the Chat Completions interface takes them, one per line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from callproof.protocols.agent_loop.forms import Part
from callproof.protocols.agent_loop.transcripts.telling import (
    Conversation,
    Form,
    Reply,
    Result,
    call_block,
    conversation,
    result_message,
)
from callproof.protocols.agent_loop.transcripts.texts import arguments_in
from callproof.protocols.entries import Entry
from callproof.protocols.parts import object_of, objects_of, text_of
from callproof.trace.records import Source
from callproof.values.jsontext import Json


def _is_known_by(entry: Entry) -> bool:
    role = entry.value.get("role")
    if role == "tool":
        return entry.text("tool_call_id") is not None
    calls = objects_of(entry.value.get("tool_calls")) if role == "assistant" else ()
    return any(text_of(each, "id") is not None for each in calls)


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    yield conversation(_told(entries))


def _told(entries: Sequence[Entry]) -> Iterator[Reply | Result]:
    for each in entries:
        role = each.value.get("role")
        if role == "assistant":
            calls = objects_of(each.value.get("tool_calls"))
            blocks = [None if _is_other(call) else _call(call, each.source) for call in calls]
            # A call of another kind than a function has no arguments, and is skipped together with its result.
            others = (text_of(call, "id") for call in calls if _is_other(call))
            yield Reply(each.source, blocks, others={*filter(None, others)})
        elif role == "tool":
            yield _result(each)


def _is_other(call: Mapping[str, Json]) -> bool:
    return "function" not in call and call.get("type") not in (None, "function")


def _call(call: Mapping[str, Json], source: Source) -> tuple[Mapping[str, Json], Part]:
    function = object_of(call.get("function"))
    given = function.get("arguments")
    part = Part(
        call,
        "agent-loop-chat-call",
        source,
        "tool_calls of a message of the role assistant",
        "/function/arguments",
        given if isinstance(given, str) else None,
    )
    return call_block(call.get("id"), function.get("name"), arguments_in(given)), part


def _result(entry: Entry) -> Result:
    members: dict[str, Json] = {"toolCallId": entry.value.get("tool_call_id")}
    if (name := entry.text("name")) is not None:
        members["toolName"] = name
    message = result_message(members, entry.value.get("content"))
    return Result(message, Part(entry.value, "agent-loop-chat-result", entry.source, "message of the role tool"))


FORM: Final = Form("messages of Chat Completions", _is_known_by, _read)
