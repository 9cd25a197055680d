"""A broken loop: the reference with one fault, in what it reports or in how it carries out calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from altered_wire import Message, Tells
from callproof_reference.loops.calls import Calls
from callproof_reference.loops.loop import Loop


@dataclass(frozen=True, slots=True)
class Kind:
    """
    A loop that differs from the reference in one way.

    ``breaks`` is the requirement that must catch it, and ``also`` those that the same fault breaks inevitably.
    ``tells`` makes, for one conversation, the function that changes each message that the loop sends.
    """

    name: str
    says: str
    breaks: str = ""
    also: tuple[str, ...] = ()
    tells: Callable[[], Tells] | None = None
    loop: type[Loop] = Loop


def carrying_out(how: type[Calls]) -> type[Loop]:
    """The loop that carries out its calls in this way."""
    return type("Altered", (Loop,), {"how": how})


def event_of(message: Message) -> Message:
    """The event in a message; an empty one if it has none."""
    return message["params"]["event"] if message.get("method") == "event" else {}


def kept(message: Message) -> Message:
    """The result message that an event reports as kept; an empty one if the event reports something else."""
    told = event_of(message)
    found = told["message"] if told.get("type") == "message_end" else {}
    return found if found.get("role") == "toolResult" else {}


def with_event(message: Message, /, **members: Any) -> Message:
    """The same message with other members in its event."""
    return {**message, "params": {"event": {**event_of(message), **members}}}


def with_kept(message: Message, /, **members: Any) -> Message:
    """The same message with other members in the result message."""
    return with_event(message, message={**kept(message), **members})
