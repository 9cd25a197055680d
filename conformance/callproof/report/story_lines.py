"""The lines of a story, each with its place in the log and its moment."""

from __future__ import annotations

from dataclasses import dataclass

from callproof.trace.records import Source
from callproof.values.instants import Instant

_MILLISECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Line:
    """
    One line of a story: what it says, where that stands in the log, and when it happened.

    ``at`` is in milliseconds after the first instant of the run, None if the record has no instant; ``depth`` is the
    level of indentation.
    """

    says: str
    source: Source | None = None
    at: float | None = None
    depth: int = 0


def moment_ms(at: Instant | None, zero: int) -> float | None:
    """Milliseconds between ``zero`` (nanoseconds) and an instant."""
    return None if at is None else (at.nanoseconds - zero) / _MILLISECOND
