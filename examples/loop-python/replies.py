"""A reply of the model: its message, its calls, and how to put a reply together that comes in pieces."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NoReturn, cast

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A block that asks for a tool; ``fault`` says what is wrong with its arguments."""

    id: str
    name: str
    arguments: Any
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """The message that the loop keeps, and its calls in their order."""

    message: Json
    calls: list[Call]


def whole(message: Json) -> Reply:
    """A reply that came as one message."""
    blocks = [each for each in message["content"] if each.get("type") == "toolCall"]
    return Reply(
        message, [_call(each["id"], each["name"], each.get("arguments"), message["stopReason"]) for each in blocks]
    )


@dataclass(slots=True)
class Stream:
    """A reply that is still coming.  Arguments are the sum of their pieces: missing ones are never made up."""

    _blocks: dict[int, Json] = field(default_factory=dict[int, Json])
    _texts: dict[int, str] = field(default_factory=dict[int, str])

    def take(self, piece: Json) -> Json:
        """Add a piece, and return the event that reports it."""
        index = piece["contentIndex"]
        if piece["type"] == "text":
            self._blocks[index] = {"type": "text", "text": piece["text"]}
        elif piece["type"] == "toolcall_start":
            self._blocks[index] = {"type": "toolCall", "id": piece["id"], "name": piece["name"], "arguments": {}}
            self._texts[index] = ""
        elif piece["type"] == "toolcall_delta":
            self._texts[index] += piece["delta"]
        elif piece["type"] == "toolcall_end":
            self._blocks[index]["arguments"] = _arguments(self._texts[index]) or {}
            return {**piece, "toolCall": self._blocks[index]}
        return piece

    def end(self, stop_reason: str) -> Reply:
        """The reply that the pieces add up to."""
        calls: list[Call] = []
        for index, block in sorted(self._blocks.items()):
            if block["type"] == "toolCall":
                arguments = _arguments(self._texts[index])
                block["arguments"] = arguments or {}
                calls.append(_call(block["id"], block["name"], arguments, stop_reason))
        blocks = [block for _, block in sorted(self._blocks.items())]
        return Reply({"role": "assistant", "content": blocks, "stopReason": stop_reason}, calls)


def _call(number: str, name: str, arguments: Any, stop_reason: str) -> Call:
    fault = (
        None
        if isinstance(arguments, dict)
        else "the arguments are not a whole JSON object; call again with all of them"
    )
    if stop_reason == "length":  # the model was stopped in the middle of something
        fault = "the reply was cut off; call again"
    return Call(number, name, arguments if isinstance(arguments, dict) else {}, fault)


def _arguments(text: str) -> Json | None:
    """The arguments in a text, none for an empty text; None if the text is not a whole object."""
    try:
        read: Any = json.loads(text or "{}", parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return cast("Json", read) if isinstance(read, dict) else None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")
