"""Blocks of messages as Anthropic's interface has them: calls in a reply, and results in a message of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from callproof.protocols.agent_loop.forms import Part
from callproof.protocols.agent_loop.transcripts.telling import Result, call_block, result_message
from callproof.protocols.parts import objects_of
from callproof.trace.records import Source
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

_USE: Final = "tool_use"
_RESULT: Final = "tool_result"

Block = tuple[Mapping[str, Json], Part] | None


def was_refused(message: Mapping[str, Json]) -> bool:
    """Whether the provider stopped a reply, so that the client drops what there was of it."""
    return message.get("stop_reason") == "refusal"


def has_use(content: Json) -> bool:
    """Whether some content asks for a tool of the host; for its own tools the interface has another kind of block."""
    return any(each.get("type") == _USE for each in objects_of(content))


def has_result(content: Json) -> bool:
    """Whether some content has a result."""
    return any(each.get("type") == _RESULT for each in objects_of(content))


def uses_in(content: Json, source: Source) -> Iterator[Block]:
    """Every block of a reply: a call with its part, and None for a block that is no call."""
    for each in content if is_array(content) else ():
        yield from _use(each, source)


def results_in(content: Json, source: Source) -> Iterator[Result]:
    """Every result in a message of the user."""
    for each in objects_of(content):
        if each.get("type") == _RESULT:
            members: dict[str, Json] = {"toolCallId": each.get("tool_use_id")}
            # The interface itself reads a missing flag as false.
            flag = each.get("is_error")
            members["isError"] = False if flag is None else flag
            message = result_message(members, each.get("content"))
            yield Result(message, Part(each, "agent-loop-tool-result", source, _RESULT))


def _use(block: Json, source: Source) -> Iterator[Block]:
    uses = objects_of([block])
    if not uses or uses[0].get("type") != _USE:
        yield None
        return
    (use,) = uses
    part = Part(use, "agent-loop-tool-use", source, _USE, "/input")
    yield call_block(use.get("id"), use.get("name"), use.get("input")), part
