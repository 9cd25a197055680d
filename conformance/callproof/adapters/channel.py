"""What carries the lines of a conversation.  Does not know about their meaning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from callproof.adapters.errors import AdapterError


@dataclass(frozen=True, slots=True)
class Closed:
    """No more lines come: the pipe is closed."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """No more lines come: this one passed the limit.  ``start`` is its beginning."""

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
        """How many bytes of an unfinished line have arrived."""
        ...

    def send(self, frame: bytes) -> None:
        """Send one line; never blocks."""
        ...

    def take(self, seconds: float) -> bytes | Closed | TooLong | None:
        """The next line, how the lines ended, or None when the time is up."""
        ...

    def turn_away(self, seconds: float) -> None:
        """Read nothing from the other side for that many seconds, so that it has to wait once the pipe is full."""
        ...

    def kill(self) -> None:
        """End the other side at once, without warning."""
        ...

    def settle(self, seconds: float) -> None:
        """After the end of the lines: wait for the exit status and last words."""
        ...

    def stderr(self) -> tuple[str, ...]:
        """What the other side wrote to standard error, beside the wire."""
        ...

    def failure(self) -> AdapterError | None:
        """After the end of the lines: why they ended, if the way to the system failed and not the system."""
        ...
