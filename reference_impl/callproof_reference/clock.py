"""Two clocks with one face: real time, and time that stands still until it is moved (A77).

Instants are whole milliseconds since 1970. A clock knows no runs; whoever owns it says when time may act.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from datetime import UTC, datetime

from callproof_reference.turns import Promise, Turns

VIRTUAL_START = 1_767_225_600_000  # 2026-01-01T00:00:00Z


def rfc3339(instant: int) -> str:
    """An instant as records spell it (CALL-10, TIME-09)."""
    return f"{datetime.fromtimestamp(instant // 1000, UTC):%Y-%m-%dT%H:%M:%S}.{instant % 1000:03d}Z"


class Clock:
    """Alarms by instant, in the order in which they were set where instants are equal."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.now, self._set = now, 0
        self._alarms: list[tuple[int, int, Promise[None]]] = []

    def after(self, ms: int) -> Promise[None]:
        """A promise that is kept once that much time has passed."""
        alarm: Promise[None] = Promise()
        self._set += 1
        heapq.heappush(self._alarms, (self.now() + ms, self._set, alarm))
        return alarm

    def due(self) -> int | None:
        """The instant of the earliest alarm."""
        return self._alarms[0][0] if self._alarms else None

    def ring(self) -> None:
        """Keep the earliest alarm, whatever the time."""
        heapq.heappop(self._alarms)[2].keep(None)


class VirtualClock:
    """Time that stands still until `advance`."""

    def __init__(self) -> None:
        self._now = VIRTUAL_START
        self.clock = Clock(lambda: self._now)

    def advance(self, ms: int, turns: Turns) -> None:
        """Let time pass: all that falls due by then happens at its own instant and in order, what that sets off too."""
        until = self._now + ms
        turns.settle()
        while (due := self.clock.due()) is not None and due <= until:
            self._now = due
            self.clock.ring()
            turns.settle()
        self._now = until


class RealClock:
    """The time of day at the start, carried on by a clock that nobody sets (TIME-08)."""

    def __init__(self) -> None:
        start = time.time() - time.monotonic()
        self.clock = Clock(lambda: int((start + time.monotonic()) * 1000))

    def wait(self, longest: float) -> None:
        """Sleep to the next alarm, at most `longest` seconds, and ring the alarms that are due."""
        time.sleep(self.left(longest))
        self.catch_up()

    def left(self, longest: float) -> float:
        """How many seconds there are to the next alarm, at most `longest`."""
        due, now = self.clock.due(), self.clock.now()
        return longest if due is None else min(longest, max(0, due - now) / 1000)

    def catch_up(self) -> None:
        """Ring the alarms that are due."""
        while (due := self.clock.due()) is not None and due <= self.clock.now():
            self.clock.ring()
