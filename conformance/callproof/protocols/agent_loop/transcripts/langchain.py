"""A list of LangChain's messages, one per line, bare or as its own functions put them into dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby, zip_longest
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
from callproof.protocols.entries import Entry
from callproof.protocols.parts import objects_of, text_of
from callproof.trace.records import Source
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

_CHUNK: Final = "AIMessageChunk"
_REPLY: Final = ("ai", _CHUNK)
_RESULT: Final = ("tool", "ToolMessageChunk")


def _message(entry: Entry) -> Entry:
    """The message in a line, with its type, taken out of its dictionary."""
    data = entry.value.get("data")
    return Entry({"type": entry.value.get("type"), **data}, entry.source) if is_object(data) else entry


def _is_known_by(entry: Entry) -> bool:
    message = _message(entry)
    if message.value.get("type") in _RESULT:
        return message.text("tool_call_id") is not None
    calls = objects_of(message.value.get("tool_calls")) if _is_reply(message) else ()
    return any("name" in each and text_of(each, "id") is not None for each in calls)


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    yield conversation(_told(entries))


def _told(entries: Sequence[Entry]) -> Iterator[Reply | Result]:
    stretches = [list(group) for _, group in groupby(map(_message, entries), _stretch)]
    for group, after in zip_longest(stretches, stretches[1:]):
        if not _is_reply(group[0]):
            yield from map(_result, (each for each in group if each.value.get("type") in _RESULT))
        elif _is_chunk(group[0]) and (len(group) > 1 or (after and _is_whole_of(group[0], after[0]))):
            yield Reply(group[0].source, others={*chain.from_iterable(map(_ids, group))})
        else:
            yield from map(_reply, group)


def _is_reply(message: Entry) -> bool:
    return message.value.get("type") in _REPLY


def _is_chunk(message: Entry) -> bool:
    return message.value.get("type") == _CHUNK


def _stretch(message: Entry) -> tuple[bool, bool, str | None]:
    """What the messages of one stretch have in common: pieces of a stream are of one id, or have none."""
    is_reply = _is_reply(message)
    return is_reply, _is_chunk(message), message.text("id") if is_reply else None


def _is_whole_of(piece: Entry, message: Entry) -> bool:
    """Whether the message after a single chunk is what the chunk became: it has its id, or its calls."""
    if not _is_reply(message) or _is_chunk(message):
        return False
    calls = {*_ids(piece)}
    return message.text("id") == piece.text("id") is not None or (bool(calls) and calls <= {*_ids(message)})


def _ids(message: Entry) -> Iterator[str]:
    for name in ("tool_calls", "invalid_tool_calls", "tool_call_chunks"):
        yield from filter(None, (text_of(call, "id") for call in objects_of(message.value.get(name))))


def _reply(message: Entry) -> Reply:
    calls = objects_of(message.value.get("tool_calls"))
    # A model may give its calls no ids; then it is unknown which results belong to them.
    blocks = [None if call.get("id") is None else _call(call, message.source) for call in calls]
    invalid = (text_of(call, "id") for call in objects_of(message.value.get("invalid_tool_calls")))
    return Reply(message.source, blocks, others={*filter(None, invalid)})


def _call(call: Mapping[str, Json], source: Source) -> tuple[Mapping[str, Json], Part]:
    part = Part(call, "agent-loop-chain-call", source, "tool_calls of a message of the type ai", "/args")
    return call_block(call.get("id"), call.get("name"), call.get("args")), part


def _result(message: Entry) -> Result:
    members: dict[str, Json] = {"toolCallId": message.value.get("tool_call_id")}
    if (name := message.text("name")) is not None:
        members["toolName"] = name
    if (status := message.text("status")) is not None:
        members["isError"] = status == "error"
    told = result_message(members, message.value.get("content"))
    return Result(told, Part(message.value, "agent-loop-chain-result", message.source, "message of the type tool"))


FORM: Final = Form("messages of LangChain", _is_known_by, _read)
