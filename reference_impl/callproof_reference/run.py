"""One run from its start to its end: confirmation, steps, cancellation, and that it always ends (DEP-12).

Holds what the run's tasks share. What a step does is told in `steps`, what an attempt does in `attempts`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from callproof_reference.clock import Clock, rfc3339
from callproof_reference.hashes import digest
from callproof_reference.hosts import Host
from callproof_reference.journal import AuditFolder, Journal
from callproof_reference.jsontext import Json, Object
from callproof_reference.plan import Plan
from callproof_reference.records import Records, Subject
from callproof_reference.references import Missing, Reference
from callproof_reference.steps import Outcome, perform
from callproof_reference.turns import Promise, Slots, Turns, first


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and how a run runs, beside its plan."""

    host: Host
    clock: Clock
    turns: Turns
    root: Path | None = None
    audit: Path | None = None
    hooks: bool = False
    confirmation_ms: int | None = None
    interrupted: Callable[[], bool] = lambda: False


class Run:
    """One execution of one plan, under an id that is never used again (CALL-04)."""

    def __init__(self, plan: Plan, setting: Setting) -> None:
        self.id = str(uuid4())
        self.plan = plan
        self.setting = setting
        self.clock = setting.clock
        self.turns = setting.turns
        self.slots = Slots(plan.slots)
        # `halted` says why nothing new is dispatched; `cancelled` also ends what is open (CANC-01, CANC-02).
        self.halted: Promise[str] = Promise()
        self.cancelled: Promise[None] = Promise()
        self.finished = False
        self.status = "running"
        self.confirmation_id: str | None = None
        self.confirmed = False
        self.outcomes: dict[str, Promise[Outcome]] = {}
        self.open: dict[str, Subject] = {}
        audit = AuditFolder(setting.audit) if setting.audit else None
        self._journal = Journal(audit, self._told)
        self.records = Records(self.id, plan, setting.clock, self._journal)
        self._decision: Promise[str] = Promise()

    @property
    def asking(self) -> str | None:
        """The id of the confirmation that is being waited for."""
        waiting = self.confirmation_id and not (self._decision.kept or self.halted.kept)
        return self.confirmation_id if waiting else None

    def summary(self) -> str:
        """How many results of each status there are."""
        return ", ".join(f"{count} {status}" for status, count in sorted(self.records.counts.items()))

    def start(self) -> None:
        """Begin. The first record is written when the turns go on, after the run's id was answered."""
        self.turns.spawn(self._live())

    def confirm(self, confirmation_id: str, decision: str) -> None:
        """The decision of a person. Only the first one counts, and only while it is asked for (CONF-11, CONF-12)."""
        if confirmation_id == self.confirmation_id and not self.halted.kept:
            self._decision.keep(decision)

    def cancel(self, comment: str | None = None) -> None:
        """Wind down. A run that is over, or cancelled before, does not change (CANC-05, CANC-07)."""
        if not (self.finished or self.cancelled.kept):
            self._cancel("requested", {"comment": comment} if comment else {})

    def progress(self, call_id: str, message: str | None, payload: Json) -> None:
        """Word from a tool, which counts only while its call is open (EVT-12)."""
        if subject := self.open.get(call_id):
            told = payload if isinstance(payload, dict) else None
            self.records.event("step.progress", message or f"{subject.step.tool.name} goes on", subject, told)

    def halt(self, reason: str) -> None:
        """Dispatch nothing new (DEP-04, LOG-15)."""
        self.halted.keep(reason)

    def root_value(self, reference: Reference, iteration: Object | None) -> Json:
        """The value that a reference starts from (REF-01, REF-05, REF-07, REF-08)."""
        if reference.root in ("item", "index") and iteration is not None:
            return iteration["itemValue" if reference.root == "item" else "index"]
        source = self.outcomes.get(str(self.plan.links.source(reference)))
        if source is None or not source.kept or not source.value.ok:
            raise Missing(reference, "its step has no output")  # REF-02
        return source.value.data

    async def _live(self) -> None:
        self.records.run()
        goal = f"the run of {len(self.plan.steps)} steps starts"
        self.records.event("run.started", goal, payload=self.plan.notes or None)
        await self._ask()
        # Steps are all there before the first one looks for those it waits for.
        self.outcomes = {step.id: Promise() for step in self.plan.steps}
        for step in self.plan.steps:
            self.turns.spawn(perform(self, step))
        outcomes = [await outcome for outcome in self.outcomes.values()]
        self._finish(all(outcome.ok for outcome in outcomes))

    async def _ask(self) -> None:
        """One decision on the whole run, where the policy wants one (CONF-01 to CONF-14)."""
        if self.plan.policy["confirmationsRequired"] is not True:
            return
        self.confirmation_id = str(uuid4())
        # What is confirmed is this plan under this policy (CONF-10, A50).
        shown: Object = {"planHash": digest(self.plan.source), "policyHash": digest(self.plan.policy)}
        never: Promise[None] = Promise()
        limit = self.setting.confirmation_ms
        expiry = never if limit is None else self.clock.after(limit)
        if limit is not None:
            shown["expiresAt"] = rfc3339(self.clock.now() + limit)
        asked: Object = {"confirmationId": self.confirmation_id}
        self.records.event("run.confirmationRequested", "the plan waits for approval", payload={**asked, **shown})
        await first(self._decision, expiry, self.halted)
        if self.halted.kept:
            return  # cancelled before anybody decided (CANC-06, A83)
        decision = self._decision.value if self._decision.kept else "rejected"  # CONF-07, A72
        told: Object = {"decision": decision, "decidedAt": rfc3339(self.clock.now())}
        self.records.run({**asked, **told, **shown})
        if decision == "approved":
            self.confirmed = True
            self.records.event("run.confirmed", "the plan was approved", payload=asked)
        else:
            self._cancel("confirmation_rejected" if self._decision.kept else "confirmation_expired", asked)  # A11

    def _cancel(self, reason: str, payload: Object) -> None:
        self.records.event("run.cancelled", "the run is cancelled", payload={"reason": reason, **payload}, level="warn")
        self.cancelled.keep(None)
        self.halt(reason)

    def _finish(self, ok: bool) -> None:
        status = "cancelled" if self.cancelled.kept else "ok" if ok and not self._journal.broken else "error"  # A82
        counts: Object = {name: self.records.counts[name] for name in sorted(self.records.counts)}
        level = {"ok": "info", "cancelled": "warn", "error": "error"}[status]
        payload: Object = {"status": status, "results": counts}
        self.records.event("run.finished", f"the run ended: {status}", payload=payload, level=level)
        self.finished, self.status = True, status
        self._journal.close()
        self.setting.host.finished()

    def _told(self, kind: str, record: Object) -> None:
        if self._journal.broken:
            self.halt("audit_log_failed")  # LOG-15
        self.setting.host.told(kind, record)
