"""Runs driven from ``run/start`` to their end and a little beyond, one alone or several at once on one wire.

The driver asks, answers and hands every message to the run that it belongs to.  It
judges nothing: a run that never ends is a trace without an end, and what follows from
that is for the checks.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from callproof.adapters.errors import AdapterError
from callproof.adapters.messages import Message, Notification, Request
from callproof.live.agenda import Agenda
from callproof.live.case import Case
from callproof.live.clock import Clock, RealClock, VirtualClock
from callproof.live.folders import Folders
from callproof.live.hosting import TOOL_BROKE
from callproof.live.ledger import Tally
from callproof.live.performance import Performance, ReadAudit, Staging
from callproof.live.wire import Wire
from callproof.trace.run import Run
from callproof.values.jsontext import Json

# For how long of the run's clock the suite goes on watching after run/finished (CANC-10).
LINGER_MS = 500
# The same on real time, where every case of every system has to pay for it: enough for what was sent in one go with
# run/finished to come through a pipe, and too little to be felt.
REAL_LINGER_MS = 20
# For how long of real time one case may take before the suite gives up waiting for its end: as long as an answer may,
# and never less than this.
CASE_SECONDS = 10.0
# After so much of the run's clock without a message, and with nothing left to do, no more is to come:
# the longest wait that any case asks for is far shorter.
IDLE_MS = 5_000
# So many records end the wait for the end of a case: no lawful system makes a tenth of them in any, and who calls again
# and again without a pause makes as many within a minute as nobody can judge within an hour.
MOST_RECORDS = 10_000
# On real time, calls that come together are so far apart at most.
_TOGETHER_MS = 100
# For how long the suite waits for the end of a system that it has killed.
_DEATH_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """
    How long one case may take, and whose messages are not its own.

    ``seconds`` are of real time, whatever the clock of the run says; ``idle_ms`` are of the run's clock, without
    a message and with nothing left to do; ``records`` are those of all the runs of a case.  ``earlier`` are the ids
    of runs that were had before on the same conversation: what still comes from them is none of these runs'.
    """

    seconds: float = CASE_SECONDS
    idle_ms: int = IDLE_MS
    records: int = MOST_RECORDS
    earlier: frozenset[str] = frozenset()


_BOUNDS = Bounds()


def drive(
    case: Case,
    wire: Wire,
    folders: Folders | None,
    *,
    read_audit: ReadAudit | None = None,
    bounds: Bounds = _BOUNDS,
) -> Run:
    """
    Have the case's own run, alone, and give its trace.

    Without ``folders`` the run works on none and leaves no audit log.  Raises AdapterError for what the
    adapter gets wrong; what was seen until then is lost, unless one keeps the ``Stage``.
    """
    stage = Stage(((case, folders),), wire, bounds)
    stage.play()
    return stage.performances[-1].trace(read_audit)


class Stage:
    """Runs that go on at once, each with its case and its folders; the last one is the case's own."""

    def __init__(self, cast: Iterable[tuple[Case, Folders | None]], wire: Wire, bounds: Bounds = _BOUNDS) -> None:
        self._wire = wire
        self._until = time.monotonic() + bounds.seconds
        self._idle_ms = bounds.idle_ms
        self._most_records = bounds.records
        self._earlier = bounds.earlier
        self._tally = Tally()
        self._agenda = Agenda()
        self._clock = self._make_clock()
        self._last_ms = 0.0
        self._records = 0
        self._killed = False
        staging = Staging(wire, self._tally, self._agenda, self._clock)
        self.performances = tuple(Performance(case, folders, staging) for case, folders in cast)
        self._own = self.performances[-1]
        self._horizon_ms = max(each.case.horizon_ms for each in self.performances)
        if not self._clock.virtual:
            # Here the suite has no other patience than that of its bounds: a slow system is no endless one.
            self._horizon_ms = max(self._horizon_ms, round(bounds.seconds * 1000))
        # Whose id is not known yet: that of the run which is being started.
        self._starting = self.performances[0]

    def play(self) -> None:
        """
        Start every run, play the cases to their ends, and watch a little longer.

        Raises AdapterError for what the adapter gets wrong; a death that the case orders is none of that.
        """
        try:
            for each in self.performances:
                self._starting = each
                each.start(self._on_message)
            while not self._over and not self._hopeless():
                self._step()
            self._linger()
        except AdapterError:
            # Half a message may have been on the wire when the suite killed its writer.
            if not self._killed:
                raise

    def _make_clock(self) -> Clock:
        if "virtualClock" in self._wire.claims:
            return VirtualClock(self._wire, self._tally, self._on_message)
        return RealClock(self._wire, self._on_message)

    @property
    def _over(self) -> bool:
        return all(each.over for each in self.performances)

    def _hopeless(self) -> bool:
        """Whether the runs cannot be expected to end any more."""
        quiet = self._agenda.next_ms is None and self._clock.now_ms - self._last_ms >= self._idle_ms
        return quiet or self._clock.now_ms >= self._horizon_ms or self._used_up

    @property
    def _used_up(self) -> bool:
        return time.monotonic() > self._until or self._records > self._most_records

    def _step(self) -> None:
        self._clock.settle()
        now = self._clock.now_ms
        if self._agenda.do_due(now):
            self._last_ms = now
            return
        # Nobody has to run calls side by side (B-21): where no more come, the gate opens.
        together = 0 if self._clock.virtual else _TOGETHER_MS
        if self._agenda.next_ms is None and now - self._last_ms >= together and self._open_gates(now):
            return
        self._clock.pass_towards(self._agenda.next_ms)

    def _open_gates(self, now: float) -> bool:
        return any(each.open_gates(now) for each in self.performances)

    def _linger(self) -> None:
        """Go on watching: answers that come late, moves after the end, work that goes on (CANC-10)."""
        end = self._clock.now_ms + (LINGER_MS if self._clock.virtual else REAL_LINGER_MS)
        self._clock.settle()
        while not self._used_up:
            self._clock.settle()
            now, due = self._clock.now_ms, self._agenda.next_ms
            if self._agenda.do_due(now):
                continue
            last = end if due is None else min(max(end, due), self._horizon_ms)
            if now >= last:
                return
            if due is None:
                self._clock.leap(last)
            else:
                self._clock.pass_towards(due)

    def _on_message(self, message: Message) -> None:
        arrival, now = self._tally.next_arrival(), self._clock.now_ms
        self._last_ms = now
        if not isinstance(message, Request | Notification):
            return
        owner = self._owner(message.params)
        if owner is not None:
            owner.take(message, arrival, now)
        elif isinstance(message, Request):
            self._wire.refuse(message.id, TOOL_BROKE, "The run of this invocation is over")
        if isinstance(message, Notification) and message.method == "record":
            self._kill_after_this(now)

    def _owner(self, params: Mapping[str, Json]) -> Performance | None:
        """The run that a message belongs to; None for one that was had before."""
        run_id = params.get("runId")
        # A system that gives one id to two runs gets its new run judged, and not a silence.
        own = [each for each in self.performances if each.run_id == run_id]
        if own:
            return own[-1]
        return None if run_id in self._earlier else self._starting

    def _kill_after_this(self, now: float) -> None:
        self._records += 1
        if self._records == self._own.case.hardship.kill_after:
            self._own.killed(now)
            self._killed = True
            self._wire.kill()
            self._hear_out()

    def _hear_out(self) -> None:
        """Take in what had been sent before the death, and do nothing about it; the wire's end is raised."""
        until = time.monotonic() + _DEATH_SECONDS
        while time.monotonic() < until:
            message = self._wire.receive(_DEATH_SECONDS)
            if message is not None:
                self._on_message(message)
