"""What a story is made of: one line, its place in the log, and its moment."""

from __future__ import annotations

from dataclasses import dataclass

from callproof.trace.records import Source
from callproof.values.instants import Instant

_MILLISECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Line:
    """
    One line of a story: what it says, where that stands, and when it was.

    ``at`` is in milliseconds after the first instant of the run, None where the record tells none; ``depth`` says how
    far it is below the line above it.
    """

    says: str
    source: Source | None = None
    at: float | None = None
    depth: int = 0


def moment_ms(at: Instant | None, zero: int) -> float | None:
    """Milliseconds between ``zero`` (nanoseconds) and an instant."""
    return None if at is None else (at.nanoseconds - zero) / _MILLISECOND
