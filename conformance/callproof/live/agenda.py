"""What the suite is going to do, and when: tool answers and moves, on the clock of the run."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable
from enum import IntEnum


class Turn(IntEnum):
    """The order of things that are due at the same instant."""

    BEFORE_TOOLS = 0
    TOOLS = 1
    AFTER_TOOLS = 2


class Agenda:
    """Things to do by instant (milliseconds of the run), then by turn, then in the order in which they were noted."""

    def __init__(self) -> None:
        self._noted: list[tuple[float, Turn, int, Callable[[float], None]]] = []
        self._numbers = itertools.count()

    def note(self, at_ms: float, turn: Turn, deed: Callable[[float], None]) -> None:
        """Schedule something for an instant; it is passed the instant at which it is done."""
        heapq.heappush(self._noted, (at_ms, turn, next(self._numbers), deed))

    @property
    def next_ms(self) -> float | None:
        """When the next thing is due; None if nothing is."""
        return self._noted[0][0] if self._noted else None

    def do_due(self, now_ms: float) -> bool:
        """Do everything that is due by now; return whether there was anything."""
        found = False
        while self._noted and self._noted[0][0] <= now_ms:
            heapq.heappop(self._noted)[3](now_ms)
            found = True
        return found
