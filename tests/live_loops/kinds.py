"""What a broken loop is: the reference with one fault, in what it tells or in how it carries out calls."""

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

    ``breaks`` is the requirement that it is to be caught by, and ``also`` those that the same fault breaks inevitably.
    ``tells`` makes, for one conversation, what becomes of each message on its way out.
    """

    name: str
    says: str
    breaks: str = ""
    also: tuple[str, ...] = ()
    tells: Callable[[], Tells] | None = None
    loop: type[Loop] = Loop


def carrying_out(how: type[Calls]) -> type[Loop]:
    """The loop that carries out its calls so."""
    return type("Altered", (Loop,), {"how": how})


def event_of(message: Message) -> Message:
    """The event that a message tells; an empty one where it tells none."""
    return message["params"]["event"] if message.get("method") == "event" else {}


def kept(message: Message) -> Message:
    """The result message that an event says was kept; an empty one where it says something else."""
    told = event_of(message)
    found = told["message"] if told.get("type") == "message_end" else {}
    return found if found.get("role") == "toolResult" else {}


def with_event(message: Message, /, **members: Any) -> Message:
    """The same message with other members in its event."""
    return {**message, "params": {"event": {**event_of(message), **members}}}


def with_kept(message: Message, /, **members: Any) -> Message:
    """The same message with other members in the result message."""
    return with_event(message, message={**kept(message), **members})
