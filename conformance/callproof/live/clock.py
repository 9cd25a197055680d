"""The two ways in which time passes for a run: the system's virtual clock, and real time.

Both hand every message to the driver in wire order while they wait.  Neither knows
what a message means.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from callproof.adapters.messages import Message
from callproof.live.case import QUANTUM_MS
from callproof.live.ledger import Tally
from callproof.live.wire import Wire

# How long real time waits for a message when nothing is due, in seconds.
_REAL_PAUSE = 0.05


class Clock(Protocol):
    """The clock of one run, or of several at once, in milliseconds since the first was started."""

    virtual: bool

    @property
    def now_ms(self) -> float:
        """The present instant."""
        ...

    def settle(self) -> None:
        """Let the system process all that was sent, as far as the suite can know."""
        ...

    def pass_towards(self, ms: float | None) -> None:
        """Let some time pass, but not beyond the instant ``ms``."""
        ...

    def leap(self, ms: float) -> None:
        """Let the time up to ``ms`` pass, if the suite has nothing more to do before."""
        ...


class VirtualClock:
    """
    Time that the suite moves, in steps of a quantum or less (A77).

    Every time in a case is a multiple of the quantum.  So everything that falls due does so
    at the end of a step, and is answered at exactly that instant.
    """

    virtual = True

    def __init__(self, wire: Wire, tally: Tally, on_message: Callable[[Message], None]) -> None:
        self._wire = wire
        self._tally = tally
        self._on_message = on_message
        self._settled_at = -1
        self._now = 0

    @property
    def now_ms(self) -> float:
        return float(self._now)

    def settle(self) -> None:
        if self._tally.sent != self._settled_at:
            self._advance(0)

    def pass_towards(self, ms: float | None) -> None:
        step = QUANTUM_MS if ms is None else min(QUANTUM_MS, round(ms) - self._now)
        if step > 0:
            self._advance(step)

    def leap(self, ms: float) -> None:
        if ms > self._now:
            self._advance(round(ms) - self._now)

    def _advance(self, step: int) -> None:
        self._settled_at = self._tally.sent
        # What arrives during a step gets the time of its end: that is when the system takes up the answer.
        self._now += step
        self._tally.next_arrival()
        handle = self._wire.request("clock/advance", {"ms": step})
        self._wire.wait(handle, on_message=self._on_message)
        self._tally.next_arrival()


class RealClock:
    """Real time; the suite cannot know whether the system has settled."""

    virtual = False

    def __init__(self, wire: Wire, on_message: Callable[[Message], None]) -> None:
        self._wire = wire
        self._on_message = on_message
        self._start = time.monotonic()

    @property
    def now_ms(self) -> float:
        return (time.monotonic() - self._start) * 1000

    def settle(self) -> None:
        """Nothing: there is no barrier on real time."""

    def pass_towards(self, ms: float | None) -> None:
        until = _REAL_PAUSE if ms is None else max(0.0, (ms - self.now_ms) / 1000)
        message = self._wire.receive(min(until, _REAL_PAUSE))
        if message is not None:
            self._on_message(message)

    def leap(self, ms: float) -> None:
        self.pass_towards(ms)
