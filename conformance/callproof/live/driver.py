"""Runs driven from ``run/start`` to their end and a little beyond, one alone or several at once on one wire.

The driver asks, answers and hands every message to the run that it belongs to.  It
judges nothing: a run that never ends is a trace without an end, and the checks decide
what follows from that.
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

# How long, on the run's clock, the suite watches on after run/finished (CANC-10).
LINGER_MS = 500
# The same on real time, where it makes every case of every system slower: long enough for what was sent together with
# run/finished to come through a pipe, and too short to be noticed.
REAL_LINGER_MS = 20
# How long, in real time, one case may take before the suite stops waiting for its end: as long as an answer may take,
# but never less than this.
CASE_SECONDS = 10.0
# After this much of the run's clock without a message, and with nothing left to do, the suite expects no more:
# the longest wait that any case asks for is far shorter.
IDLE_MS = 5_000
# This many records end the wait for the end of a case: no lawful system makes a tenth of them in any case, and a system
# that calls again and again without a pause makes more within a minute than the suite can judge within an hour.
MOST_RECORDS = 10_000
# On real time, calls that come together are at most this far apart.
_TOGETHER_MS = 100
# How long the suite waits for the end of a system that it has killed.
_DEATH_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """
    How long one case may take, and the runs whose messages do not belong to it.

    ``seconds`` are of real time, whatever the clock of the run says; ``idle_ms`` are of the run's clock, without
    a message and with nothing left to do; ``records`` are those of all the runs of a case.  ``earlier`` are the ids
    of earlier runs on the same conversation: what still comes from them belongs to none of these runs.
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
    Do the case's own run, alone, and return its trace.

    Without ``folders`` the run has no folder to work on and leaves no audit log.  Raises AdapterError for what the
    adapter gets wrong; to keep what was seen until then, the caller has to keep a ``Stage``.
    """
    stage = Stage(((case, folders),), wire, bounds)
    stage.play()
    return stage.performances[-1].trace(read_audit)


class Stage:
    """Runs that go on at the same time, each with its case and its folders; the last one is the case's own."""

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
            # On real time only the bounds end the wait of the suite: a slow system is not an endless one.
            self._horizon_ms = max(self._horizon_ms, round(bounds.seconds * 1000))
        # The run that is being started: its id is not known yet.
        self._starting = self.performances[0]

    def play(self) -> None:
        """
        Start every run, play the cases to their ends, and watch a little longer.

        Raises AdapterError for what the adapter gets wrong, but not for a death that the case orders.
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
        # No system has to run calls side by side (B-21): if no more come, the gate opens.
        together = 0 if self._clock.virtual else _TOGETHER_MS
        if self._agenda.next_ms is None and now - self._last_ms >= together and self._open_gates(now):
            return
        self._clock.pass_towards(self._agenda.next_ms)

    def _open_gates(self, now: float) -> bool:
        return any(each.open_gates(now) for each in self.performances)

    def _linger(self) -> None:
        """Watch on for answers that come late, moves after the end, and work that goes on (CANC-10)."""
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
        """The run that a message belongs to; None for a message of an earlier run."""
        run_id = params.get("runId")
        # If a system gives one id to two runs, the new run gets the message: so it is judged, and does not look silent.
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
        """Take in what was sent before the death, but do nothing about it; the wire's end raises AdapterError."""
        until = time.monotonic() + _DEATH_SECONDS
        while time.monotonic() < until:
            message = self._wire.receive(_DEATH_SECONDS)
            if message is not None:
                self._on_message(message)
