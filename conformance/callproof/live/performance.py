"""One run while it lasts: what the suite says to it, what comes from it, and the trace of it.

A performance handles one run, on a wire that others may share.  Once the run is started, it
does not wait and does not read: the driver decides when it gets which message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from callproof.adapters.messages import Message, Notification, Refusal, Request
from callproof.live.agenda import Agenda, Turn
from callproof.live.canaries import canaries_of
from callproof.live.case import Case, Cue, Hook, HookAction, Move
from callproof.live.clock import Clock
from callproof.live.folders import Folders, Look, world
from callproof.live.hosting import Host
from callproof.live.ledger import Ledger, Tally
from callproof.live.wire import Wire
from callproof.trace.records import Kind
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, Given, Witnessed
from callproof.values.jsontext import Json

HOOK_FAILED = -32000

# How long the suite turns away from the wire, in seconds of real time.
TURNED_AWAY_SECONDS = 0.25

ReadAudit = Callable[[Path], Run]


@dataclass(frozen=True, slots=True)
class Staging:
    """What runs that go on at the same time share: the wire with its count, the clock, and the agenda."""

    wire: Wire
    tally: Tally
    agenda: Agenda
    clock: Clock


class Performance:
    """One run of a case, from ``run/start`` to its trace."""

    def __init__(self, case: Case, folders: Folders | None, staging: Staging) -> None:
        self.case = case
        self.run_id = ""
        self.confirmation_id = ""
        self._asked_ms: float | None = None
        # The other runs of the case, in the order in which the case names them.
        self.company: Sequence[Performance] = ()
        self._folders = folders
        self._wire, self._agenda, self._clock = staging.wire, staging.agenda, staging.clock
        self._tally = staging.tally
        self.ledger = Ledger(staging.tally)
        root = folders.root if folders is not None else None
        self._host = Host(case.tools, staging.wire, self.ledger, staging.agenda, root)
        self._host.on_answer = partial(self._cue, Cue.ANSWER)
        self._hooked = 0  # how often the hook was asked about its tool
        self._before = self._look()
        self._at_the_end: Look | None = None

    @property
    def over(self) -> bool:
        """Whether there is nothing more to wait for: the run ended, or was refused."""
        return self.ledger.finished_arrival is not None or self.ledger.refusal is not None

    def start(self, on_message: Callable[[Message], None]) -> None:
        """Ask for the run; every message that comes before the answer goes to ``on_message``."""
        self.ledger.enter_act(ActKind.START, self._clock.now_ms, self.ledger.next_sent())
        handle = self._wire.request("run/start", self._start_params())
        answer = self._wire.wait(handle, on_message=on_message)
        arrival = self._tally.next_arrival()
        if isinstance(answer, Refusal):
            self.ledger.enter_refusal(answer, arrival)
            return
        self.run_id = str(answer.value.get("runId"))
        self._cue(Cue.START, "", 1, self._clock.now_ms)

    def take(self, message: Request | Notification, arrival: int, now: float) -> None:
        """Take in a message of this run."""
        if isinstance(message, Notification):
            self._on_notification(message, arrival, now)
        elif message.method == "tool/invoke":
            tool, count = self._host.invoke(message.id, message.params, arrival, now)
            self._cue(Cue.INVOCATION, tool, count, now)
        else:
            self._ask_hook(message, now)

    def open_gates(self, now: float) -> bool:
        """Release every invocation that waits for others; return whether there was one."""
        return self._host.open_gates(now)

    def killed(self, now: float) -> None:
        """Write down that the suite ended the system in this run."""
        self.ledger.enter_act(ActKind.KILL, now, self.ledger.next_sent())

    def trace(self, read_audit: ReadAudit | None = None) -> Run:
        """What was seen so far, as a trace; reads the log folder now."""
        runs = self.ledger.of_kind(Kind.RUN)
        events = self.ledger.of_kind(Kind.EVENT)
        return Run(
            name=self.case.id,
            # The last one counts: it may be sent again when it grows (A89).
            run_record=runs[-1] if runs else None,
            calls=self.ledger.of_kind(Kind.CALL),
            results=self.ledger.of_kind(Kind.RESULT),
            events=events if events or "events" in self._wire.claims else None,
            registry=registry_of(self.case.descriptors),
            witnessed=self._witnessed(),
            audit=read_audit(self._folders.audit) if read_audit and self._folders and self._keeps_audit else None,
        )

    @property
    def _keeps_audit(self) -> bool:
        # A run that was refused need not leave a log.
        return "auditLog" in self._wire.claims and self.ledger.refusal is None

    def _witnessed(self) -> Witnessed:
        look, timeout = self._look(), self.case.confirmation_timeout_ms
        return Witnessed(
            given=Given(self.case.plan, self.case.policy, self.case.descriptors),
            deeds=tuple(opened.deed for opened in self.ledger.deeds),
            acts=tuple(self.ledger.acts),
            refusal=self.ledger.refusal,
            finished_arrival=self.ledger.finished_arrival,
            virtual_clock=self._clock.virtual,
            world=world(self._before, look, self._at_the_end) if self._before and look else None,
            canaries=canaries_of(self.case),
            expectations=self.case.facts,
            expires_ms=None if self._asked_ms is None or timeout is None else self._asked_ms + timeout,
            watched_ms=self._clock.now_ms,
        )

    def _look(self) -> Look | None:
        return self._folders.look() if self._folders is not None else None

    def _start_params(self) -> Mapping[str, Json]:
        case, folders = self.case, self._folders
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

    def _ask_hook(self, message: Request, now: float) -> None:
        hook = self.case.hook
        about = hook is not None and message.params.get("tool") == hook.tool
        self._hooked += about
        speaks = hook if hook is not None and about and hook.speaks(self._hooked) else None
        if hook is not None and about and hook.after_ms:
            self._agenda.note(now + hook.after_ms, Turn.TOOLS, partial(self._answer_hook, message, speaks))
        else:
            self._answer_hook(message, speaks)

    def _answer_hook(self, message: Request, hook: Hook | None, _now: float = 0.0) -> None:
        self.ledger.next_sent()
        if hook is None or hook.action is HookAction.CONTINUE:
            self._wire.answer(message.id, {"action": "continue"})
        elif hook.action is HookAction.FAIL:
            self._wire.refuse(message.id, HOOK_FAILED, "The hook broke")
        else:
            args = {} if hook.args is None else {"args": hook.args}
            self._wire.answer(message.id, {"action": hook.action.value, **args, "reason": "the scenario says so"})

    def _on_notification(self, message: Notification, arrival: int, now: float) -> None:
        if message.method == "record":
            record = self.ledger.enter_record(message.params, arrival)
            if record is not None and record.text("type") == "run.confirmationRequested":
                asked_with = (record.object("payload") or {}).get("confirmationId")
                self.confirmation_id = asked_with if isinstance(asked_with, str) else ""
                self._asked_ms = now if self._asked_ms is None else self._asked_ms
                self._cue(Cue.CONFIRMATION, "", 1, now)
        elif message.method == "tool/abort":
            self._host.abort(message.params, arrival, now)
        elif message.method == "run/finished" and self.ledger.finished_arrival is None:
            self.ledger.finished_arrival = arrival
            self._at_the_end = self._look()
            self._cue(Cue.FINISH, "", 1, now)

    def _cue(self, cue: Cue, tool: str, count: int, now: float) -> None:
        for move in self.case.timeline:
            if move.cue is cue and (move.tool, move.count) == (tool, count):
                turn = Turn.BEFORE_TOOLS if move.first else Turn.AFTER_TOOLS
                self._agenda.note(now + move.after_ms, turn, partial(self._act, move))

    def _act(self, move: Move, now: float) -> None:
        if move.act in {ActKind.APPROVE, ActKind.REJECT} and not self._confirmation(move):
            return  # a run that asks without an id cannot be answered
        arrival = self.ledger.next_sent()
        if move.act is ActKind.TURN_AWAY:
            self._wire.turn_away(TURNED_AWAY_SECONDS)
            self.ledger.enter_act(move.act, now, arrival)
            return
        if move.act is ActKind.CANCEL:
            self._wire.request("run/cancel", {"runId": self.run_id, "reason": "the scenario says so"})
            self.ledger.enter_act(move.act, now, arrival)
            return
        confirmation_id = self._confirmation(move)
        decision = "approved" if move.act is ActKind.APPROVE else "rejected"
        params = {"runId": self.run_id, "confirmationId": confirmation_id, "decision": decision}
        self._wire.request("run/confirm", params)
        self.ledger.enter_act(move.act, now, arrival, confirmation_id)

    def _confirmation(self, move: Move) -> str:
        if move.confirmation_of is not None:
            return self.company[move.confirmation_of].confirmation_id
        return move.confirmation_id or self.confirmation_id
