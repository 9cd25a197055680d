"""What carries the lines of a conversation.  Knows nothing of what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from callproof.adapters.errors import AdapterError


@dataclass(frozen=True, slots=True)
class Closed:
    """No line comes any more: the pipe is closed."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """No line comes any more: this one passed the limit.  ``start`` is how it began."""

    start: bytes


class Channel(Protocol):
    """What carries the lines: a child process, or a stand-in for one."""

    @property
    def status(self) -> int | None:
        """The exit status, once known."""
        ...

    @property
    def unread(self) -> int:
        """How many sent bytes the other side has not read."""
        ...

    @property
    def begun(self) -> int:
        """How many bytes have come of a line that has not ended."""
        ...

    def send(self, frame: bytes) -> None:
        """Send one line; never blocks."""
        ...

    def take(self, seconds: float) -> bytes | Closed | TooLong | None:
        """The next line, how the lines ended, or None when the time is up."""
        ...

    def turn_away(self, seconds: float) -> None:
        """Take nothing off the other side's hands for so long, so that it has to wait once the pipe is full."""
        ...

    def kill(self) -> None:
        """End the other side at once, without a word."""
        ...

    def settle(self, seconds: float) -> None:
        """After the end of the lines: wait for the exit status and last words."""
        ...

    def stderr(self) -> tuple[str, ...]:
        """What the other side said beside the wire."""
        ...

    def failure(self) -> AdapterError | None:
        """After the end of the lines: why they ended, where that was the way to the system and not the system."""
        ...
