"""One case, driven from ``run/start`` to its end and a little beyond: what was seen becomes a trace.

The driver asks, answers and writes down.  It judges nothing: a run that never ends
is a trace without an end, and what follows from that is for the checks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from callproof.adapters.messages import Message, Notification, Refusal, Request
from callproof.live.agenda import Agenda, Turn
from callproof.live.canaries import CANARIES
from callproof.live.case import Case, Cue, HookAction, Move
from callproof.live.clock import Clock, RealClock, VirtualClock
from callproof.live.folders import Folders, world
from callproof.live.hosting import TOOL_BROKE, Host
from callproof.live.ledger import Ledger
from callproof.live.wire import Wire
from callproof.trace.records import Kind
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, Given, Snapshot, Witnessed
from callproof.values.jsontext import Json

# For how long of the run's clock the suite goes on watching after run/finished (CANC-10).
LINGER_MS = 500
# For how long of real time one case may take before the suite gives up waiting for its end.
CASE_SECONDS = 10.0
# After so much of the run's clock without a message, and with nothing left to do, no more is to come:
# the longest wait that any case asks for is far shorter.
IDLE_MS = 5_000
# On real time, calls that come together are so far apart at most.
_TOGETHER_MS = 100

HOOK_FAILED = -32000

ReadAudit = Callable[[Path], Run]


@dataclass(frozen=True, slots=True)
class Bounds:
    """
    How long one case may take, and whose messages are not its own.

    ``seconds`` are of real time, whatever the clock of the run says; ``idle_ms`` are of the run's clock, without
    a message and with nothing left to do.  ``earlier`` are the ids of runs that were had before on the same
    conversation: what still comes from them is none of this run's.
    """

    seconds: float = CASE_SECONDS
    idle_ms: int = IDLE_MS
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
    Have one run and give its trace.

    Without ``folders`` the run works on none and leaves no audit log.  Raises AdapterError for what the
    adapter gets wrong; what was seen until then is lost, unless one keeps the ``Performance``.
    """
    return Performance(case, wire, folders, bounds).run(read_audit)


class Performance:
    """One run while it lasts."""

    def __init__(self, case: Case, wire: Wire, folders: Folders | None, bounds: Bounds = _BOUNDS) -> None:
        self._case = case
        self._wire = wire
        self._folders = folders
        self._until = time.monotonic() + bounds.seconds
        self._idle_ms = bounds.idle_ms
        self._earlier = bounds.earlier
        self._ledger = Ledger()
        self._agenda = Agenda()
        root = folders.root if folders is not None else None
        self._host = Host(case.tools, wire, self._ledger, self._agenda, root)
        self._host.on_answer = partial(self._cue, Cue.ANSWER)
        self._clock = self._make_clock()
        self._last_ms = 0.0
        self._before = self._look()
        self.run_id = ""
        self._confirmation_id = ""

    def run(self, read_audit: ReadAudit | None = None) -> Run:
        """Start the run, play the case to its end, and tell what was seen."""
        if self._start():
            self._play()
        self._linger()
        return self.trace(read_audit)

    def trace(self, read_audit: ReadAudit | None = None) -> Run:
        """What was seen so far, as a trace."""
        runs = self._ledger.of_kind(Kind.RUN)
        events = self._ledger.of_kind(Kind.EVENT)
        return Run(
            name=self._case.id,
            # The last one counts: it may be sent again when it grows (A89).
            run_record=runs[-1] if runs else None,
            calls=self._ledger.of_kind(Kind.CALL),
            results=self._ledger.of_kind(Kind.RESULT),
            events=events if events or "events" in self._wire.claims else None,
            registry=registry_of(self._case.descriptors),
            witnessed=self._witnessed(),
            audit=read_audit(self._folders.audit) if read_audit and self._folders and self._keeps_audit else None,
        )

    @property
    def _keeps_audit(self) -> bool:
        # A run that was refused leaves no log that anybody promised.
        return "auditLog" in self._wire.claims and self._ledger.refusal is None

    def _witnessed(self) -> Witnessed:
        look = self._look()
        return Witnessed(
            given=Given(self._case.plan, self._case.policy, self._case.descriptors),
            deeds=tuple(opened.deed for opened in self._ledger.deeds),
            acts=tuple(self._ledger.acts),
            refusal=self._ledger.refusal,
            finished_arrival=self._ledger.finished_arrival,
            virtual_clock=self._clock.virtual,
            world=world(self._before, look) if self._before is not None and look is not None else None,
            canaries=(*self._case.canaries, *CANARIES.values()),
            expectations={**self._case.expectations, "refused": self._case.expects_refusal},
        )

    def _make_clock(self) -> Clock:
        if "virtualClock" in self._wire.claims:
            return VirtualClock(self._wire, self._ledger, self._on_message)
        return RealClock(self._wire, self._on_message)

    def _look(self) -> tuple[Snapshot, Snapshot] | None:
        return self._folders.look() if self._folders is not None else None

    def _start(self) -> bool:
        """Whether the run was accepted."""
        self._ledger.enter_act(ActKind.START, self._clock.now_ms, self._ledger.next_sent())
        handle = self._wire.request("run/start", self._start_params())
        answer = self._wire.wait(handle, on_message=self._on_message)
        arrival = self._ledger.next_arrival()
        if isinstance(answer, Refusal):
            self._ledger.enter_refusal(answer, arrival)
            return False
        self.run_id = str(answer.value.get("runId"))
        self._cue(Cue.START, "", 1, self._clock.now_ms)
        return True

    def _start_params(self) -> Mapping[str, Json]:
        case, folders = self._case, self._folders
        params: dict[str, Json] = {"plan": case.plan, "policy": case.policy, "tools": list(case.descriptors)}
        if folders is not None and "files" in self._wire.claims:
            params["root"] = str(folders.root)
        if folders is not None and "auditLog" in self._wire.claims:
            params["auditDir"] = str(folders.audit)
        if case.hook is not None:
            params["hooks"] = True
        if case.confirmation_timeout_ms is not None:
            params["confirmationTimeoutMs"] = case.confirmation_timeout_ms
        return params

    def _play(self) -> None:
        while self._ledger.finished_arrival is None and not self._hopeless():
            self._step()

    def _hopeless(self) -> bool:
        """Whether the run cannot be expected to end any more."""
        quiet = self._agenda.next_ms is None and self._clock.now_ms - self._last_ms >= self._idle_ms
        return quiet or self._clock.now_ms >= self._case.horizon_ms or time.monotonic() > self._until

    def _step(self) -> None:
        self._clock.settle()
        now = self._clock.now_ms
        if self._agenda.do_due(now):
            self._last_ms = now
            return
        # Nobody has to run calls side by side (B-21): where no more come, the gate opens.
        together = 0 if self._clock.virtual else _TOGETHER_MS
        if self._agenda.next_ms is None and now - self._last_ms >= together and self._host.open_gates(now):
            return
        self._clock.pass_towards(self._agenda.next_ms)

    def _linger(self) -> None:
        """Go on watching: answers that come late, moves after the end, work that goes on (CANC-10)."""
        end = self._clock.now_ms + (LINGER_MS if self._clock.virtual else 0)
        self._clock.settle()
        while time.monotonic() <= self._until:
            self._clock.settle()
            now, due = self._clock.now_ms, self._agenda.next_ms
            if self._agenda.do_due(now):
                continue
            last = end if due is None else min(max(end, due), self._case.horizon_ms)
            if now >= last:
                return
            if due is None:
                self._clock.leap(last)
            else:
                self._clock.pass_towards(due)

    def _on_message(self, message: Message) -> None:
        arrival, now = self._ledger.next_arrival(), self._clock.now_ms
        self._last_ms = now
        if isinstance(message, Request | Notification) and self._is_of_another_run(message.params):
            if isinstance(message, Request):
                self._wire.refuse(message.id, TOOL_BROKE, "The run of this invocation is over")
        elif isinstance(message, Request) and message.method == "tool/invoke":
            tool, count = self._host.invoke(message.id, message.params, arrival, now)
            self._cue(Cue.INVOCATION, tool, count, now)
        elif isinstance(message, Request):
            self._answer_hook(message)
        elif isinstance(message, Notification):
            self._on_notification(message, arrival, now)

    def _is_of_another_run(self, params: Mapping[str, Json]) -> bool:
        # A system that gives one id to two runs gets its new run judged, and not a silence.
        return params.get("runId") in self._earlier - {self.run_id}

    def _answer_hook(self, message: Request) -> None:
        hook = self._case.hook
        self._ledger.next_sent()
        if hook is None or message.params.get("tool") != hook.tool or hook.action is HookAction.CONTINUE:
            self._wire.answer(message.id, {"action": "continue"})
        elif hook.action is HookAction.FAIL:
            self._wire.refuse(message.id, HOOK_FAILED, "The hook broke")
        else:
            args = {} if hook.args is None else {"args": hook.args}
            self._wire.answer(message.id, {"action": hook.action.value, **args, "reason": "the scenario says so"})

    def _on_notification(self, message: Notification, arrival: int, now: float) -> None:
        if message.method == "record":
            record = self._ledger.enter_record(message.params, arrival)
            if record is not None and record.text("type") == "run.confirmationRequested":
                payload = record.object("payload") or {}
                self._confirmation_id = str(payload.get("confirmationId"))
                self._cue(Cue.CONFIRMATION, "", 1, now)
        elif message.method == "tool/abort":
            self._host.abort(message.params, arrival, now)
        elif message.method == "run/finished" and self._ledger.finished_arrival is None:
            self._ledger.finished_arrival = arrival
            self._cue(Cue.FINISH, "", 1, now)

    def _cue(self, cue: Cue, tool: str, count: int, now: float) -> None:
        for move in self._case.timeline:
            if move.cue is cue and (move.tool, move.count) == (tool, count):
                turn = Turn.BEFORE_TOOLS if move.first else Turn.AFTER_TOOLS
                self._agenda.note(now + move.after_ms, turn, partial(self._act, move))

    def _act(self, move: Move, now: float) -> None:
        arrival = self._ledger.next_sent()
        if move.act is ActKind.CANCEL:
            self._wire.request("run/cancel", {"runId": self.run_id, "reason": "the scenario says so"})
            self._ledger.enter_act(move.act, now, arrival)
            return
        confirmation_id = move.confirmation_id or self._confirmation_id
        decision = "approved" if move.act is ActKind.APPROVE else "rejected"
        params = {"runId": self.run_id, "confirmationId": confirmation_id, "decision": decision}
        self._wire.request("run/confirm", params)
        self._ledger.enter_act(move.act, now, arrival, confirmation_id)
