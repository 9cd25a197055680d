"""One run from its start to its end: what its tasks share, confirmation, cancellation, and that it ends (DEP-12)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast
from uuid import uuid4

from callproof_reference.jsontext import Json, Object, digest
from callproof_reference.plan import Plan
from callproof_reference.records import Records, Subject, claim
from callproof_reference.references import Missing, Reference
from callproof_reference.turns import Clock, Promise, Slots, Turns, first, rfc3339


class Host(Protocol):
    """Whoever started the run, in the words of the adapter protocol: requests with their answers, notifications."""

    def ask(self, method: str, params: Object) -> Promise[Object]: ...
    def tell(self, method: str, params: Object) -> None: ...


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and how a run runs, beside its plan."""

    root: Path | None = None
    audit: Path | None = None
    hooks: bool = False
    confirmation_ms: int | None = None
    interrupted: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step ended for those that depend on it; an empty foreach counts as ok with [] (A32, A81)."""

    ok: bool
    data: Json = None


class Run:
    """One execution of one plan, under an id that is never used again (CALL-04)."""

    def __init__(self, plan: Plan, setting: Setting, host: Host, clock: Clock, turns: Turns) -> None:
        """Make the audit folder, and do nothing else yet. Raises Refused where that cannot be."""
        if setting.audit:
            claim(setting.audit, setting.root)
        self.id = str(uuid4())
        self.plan, self.setting, self.host, self.clock, self.turns = plan, setting, host, clock, turns
        self.slots = Slots(plan.slots)
        # `halted` says why nothing new is dispatched; `cancelled` also ends what is open (CANC-01, CANC-02).
        self.halted, self.cancelled = Promise[str](), Promise[None]()
        self.status, self.confirmed = "running", False
        self.confirmation_id: str | None = None
        self.outcomes = {step.id: Promise[Outcome]() for step in plan.steps}
        self.open: dict[str, Subject] = {}
        self.records = Records(self.id, plan, clock, setting.audit, self._told)
        self._decision = Promise[str]()

    @property
    def asking(self) -> str | None:
        """The id of the confirmation that is being waited for."""
        return None if self._decision.kept or self.halted.kept else self.confirmation_id

    def confirm(self, confirmation_id: str, decision: str) -> None:
        """The decision of a person. Only the first one counts, and only while it is asked for (CONF-11, CONF-12)."""
        if confirmation_id == self.asking:
            self._decision.keep(decision)

    def cancel(self, comment: str | None = None) -> None:
        """Wind down. A run that is over, or cancelled before, does not change (CANC-05, CANC-07)."""
        if self.status == "running" and not self.cancelled.kept:
            self._cancel("requested", {"comment": comment} if comment else {})

    def progress(self, call_id: str, message: str, payload: Object) -> None:
        """Word from a tool, which counts only while its call is open (EVT-12)."""
        if subject := self.open.get(call_id):
            self.records.event("step.progress", message, subject, payload)

    def about(self, subject: Subject, **more: Json) -> Object:
        """The members of a message about a call."""
        return {"runId": self.id, "callId": subject.call_id, **more}

    def root_value(self, reference: Reference, iteration: Object | None) -> Json:
        """The value that a reference starts from (REF-01, REF-05, REF-07, REF-08)."""
        if reference.root in ("item", "index") and iteration is not None:
            return cast("Json", iteration["itemValue" if reference.root == "item" else "index"])
        outcome = self.outcomes.get(str(self.plan.links.source(reference)))
        if outcome is None or not outcome.kept or not outcome.value.ok:
            raise Missing(reference, "its step has no output")  # REF-02
        return outcome.value.data

    async def begin(self) -> None:
        """Record the run, and wait for a decision where the policy wants one."""
        self.records.run()
        self.records.event("run.started", f"{len(self.plan.steps)} steps to do", payload=self.plan.notes)
        if self.plan.policy["confirmationsRequired"] is True:
            await self._ask()

    def finish(self, ok: bool) -> None:
        """Say how the run ended, to the log and to whoever started it (A82)."""
        ended = "ok" if ok and not self.records.broken else "error"
        self.status = "cancelled" if self.cancelled.kept else ended
        payload: Object = {"status": self.status, "results": {**self.records.counts}}  # EVT-18, A74
        level = {"ok": "info", "cancelled": "warn", "error": "error"}[self.status]
        self.records.event("run.finished", f"the run ended: {self.status}", None, payload, level)
        self.host.tell("run/finished", {"runId": self.id})

    async def _ask(self) -> None:
        """One decision on the whole run: this plan, under this policy (CONF-01 to CONF-14, A50)."""
        self.confirmation_id = str(uuid4())
        asked: Object = {"confirmationId": self.confirmation_id}
        shown: Object = {"planHash": digest(self.plan.source), "policyHash": digest(self.plan.policy)}
        expiry = Promise[None]()
        if limit := self.setting.confirmation_ms:
            expiry = self.clock.after(limit)
            shown["expiresAt"] = rfc3339(self.clock.now() + limit)
        self.records.event("run.confirmationRequested", "the plan waits for approval", payload={**asked, **shown})
        await first(self._decision, expiry, self.halted)
        if self.halted.kept:
            return  # cancelled before anybody decided (CANC-06, A83)
        decision = self._decision.value if self._decision.kept else "rejected"  # CONF-07, A72
        self.records.run({**asked, "decision": decision, "decidedAt": rfc3339(self.clock.now()), **shown})
        if decision == "approved":
            self.confirmed = True
            self.records.event("run.confirmed", "the plan was approved", payload=asked)
        else:
            self._cancel("confirmation_rejected" if self._decision.kept else "confirmation_expired", asked)  # A11

    def _cancel(self, reason: str, more: Object) -> None:
        self.records.event("run.cancelled", "the run is cancelled", None, {"reason": reason, **more}, "warn")
        self.cancelled.keep(None)
        self.halted.keep(reason)

    def _told(self, kind: str, record: Object) -> None:
        if self.records.broken:
            self.halted.keep("audit_log_failed")  # LOG-15
        self.host.tell("record", {"runId": self.id, "kind": kind, "record": record})
