"""Two clocks with one face: real time, and time that stands still until it is moved (A77).

Instants are whole milliseconds since 1970. Knows no runs; whoever owns the clock says when to let time act.
"""

from __future__ import annotations

import heapq
import time
from datetime import UTC, datetime

from callproof_reference.turns import Promise, Turns

VIRTUAL_START = 1_767_225_600_000  # 2026-01-01T00:00:00Z


def rfc3339(instant: int) -> str:
    """An instant as records spell it (CALL-10, TIME-09)."""
    whole = datetime.fromtimestamp(instant // 1000, UTC)
    return f"{whole:%Y-%m-%dT%H:%M:%S}.{instant % 1000:03d}Z"


class Clock:
    """Alarms by instant, and in the order they were set where instants are equal."""

    def __init__(self) -> None:
        self._alarms: list[tuple[int, int, Promise[None]]] = []
        self._set = 0

    def now(self) -> int:
        """The present instant."""
        raise NotImplementedError

    def after(self, ms: int) -> Promise[None]:
        """A promise that is kept once that much time has passed."""
        alarm: Promise[None] = Promise()
        self._set += 1
        heapq.heappush(self._alarms, (self.now() + ms, self._set, alarm))
        return alarm

    def next_alarm(self) -> int | None:
        """The instant of the earliest alarm."""
        return self._alarms[0][0] if self._alarms else None

    def ring(self) -> None:
        """Keep the earliest alarm, whatever the time."""
        heapq.heappop(self._alarms)[2].keep(None)


class VirtualClock(Clock):
    """Time that stands still until `advance`."""

    def __init__(self) -> None:
        super().__init__()
        self._now = VIRTUAL_START

    def now(self) -> int:
        return self._now

    def advance(self, ms: int, turns: Turns) -> None:
        """
        Let time pass: all that falls due by then happens at its own instant, and in order.

        What an alarm sets off may set further alarms; those that are due by then ring too.
        """
        until = self._now + ms
        turns.settle()
        while (due := self.next_alarm()) is not None and due <= until:
            self._now = due
            self.ring()
            turns.settle()
        self._now = until


class RealClock(Clock):
    """The time of day at the start, carried on by a clock that nobody sets (TIME-08)."""

    def __init__(self) -> None:
        super().__init__()
        self._start = time.time() * 1000 - time.monotonic() * 1000

    def now(self) -> int:
        return int(self._start + time.monotonic() * 1000)

    def wait(self, longest: float) -> None:
        """Sleep to the next alarm, at most `longest` seconds, and ring what is due by then."""
        due = self.next_alarm()
        pause = longest if due is None else min(longest, (due - self.now()) / 1000)
        time.sleep(max(0.0, pause))
        while (due := self.next_alarm()) is not None and due <= self.now():
            self.ring()
