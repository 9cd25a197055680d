"""The outcome of a call: its output, whether it is a failure, and the envelopes for what no tool has reported."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Self, TypeGuard

Json = dict[str, Any]
# The members, all texts, that each envelope has beside its status.
_ENVELOPES = {"error": ("tool", "error"), "blocked": ("reason",), "pending": ("tool", "message")}
_BLOCKS = {"text": ("text",), "image": ("data", "mimeType")}
_FAILURES = {"error", "blocked"}
_NOTHING: Json = {"type": "text", "text": "(the tool has said nothing)"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The output of a call, with ``content`` and perhaps ``details``, and how the call ended."""

    output: Json
    is_error: bool = False
    is_pending: bool = False

    @classmethod
    def of(cls, tool: str, output: Json) -> Self:
        """The outcome of a tool that returned: a failure if the tool itself says so in an envelope."""
        plain = {**output, "content": content(output["content"])}
        status = _status(tool, plain)
        return cls(plain, status in _FAILURES, status == "pending")

    @classmethod
    def failed(cls, tool: str, error: str) -> Self:
        """The outcome of a call that failed; ``error`` is the reason."""
        return cls(_told({"status": "error", "tool": tool, "error": error}), is_error=True)

    @classmethod
    def blocked(cls, tool: str, reason: str) -> Self:
        """The outcome of a call that the operator's hook forbade."""
        return cls(_told({"status": "blocked", "tool": tool, "reason": reason}), is_error=True)

    @classmethod
    def pending(cls, tool: str) -> Self:
        """The outcome of a call that a client carries out."""
        note = "the client carries this call out; its result is still to come"
        return cls(_told({"status": "pending", "tool": tool, "message": note}), is_pending=True)


def content(blocks: list[Json]) -> list[Json]:
    """At least one block, in a form for any model: a block that is neither a text nor an image becomes JSON text."""
    return [each if _is_plain(each) else {"type": "text", "text": json.dumps(each)} for each in blocks] or [_NOTHING]


def _told(envelope: Json) -> Json:
    return {"content": [{"type": "text", "text": json.dumps(envelope)}], "details": envelope}


def _is_plain(block: Json) -> bool:
    return any(block.get("type") == kind and _has_texts(block, names) for kind, names in _BLOCKS.items())


def _status(tool: str, output: Json) -> str | None:
    """The status in a tool's own envelope, which is in its details, or is its only text and names the tool."""
    if status := _status_in(output.get("details")):
        return status
    blocks = output["content"]
    if len(blocks) != 1 or blocks[0].get("type") != "text":
        return None
    try:
        told = json.loads(blocks[0]["text"])
    except (ValueError, RecursionError):
        return None
    return _status_in(told) if _is_object(told) and told.get("tool") == tool else None


def _status_in(envelope: Any) -> str | None:
    if not _is_object(envelope):
        return None
    named = (status for status in _ENVELOPES if status == envelope.get("status"))
    return next((each for each in named if _has_texts(envelope, _ENVELOPES[each])), None)


def _has_texts(value: Json, names: tuple[str, ...]) -> bool:
    return all(isinstance(value.get(name), str) for name in names)


def _is_object(value: Any) -> TypeGuard[Json]:
    return isinstance(value, dict)
