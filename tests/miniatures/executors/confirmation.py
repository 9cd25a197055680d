"""CONF: consent that was not given, or not kept to."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from miniatures.miniature import miniature
from miniatures.points import ASK, ASKING_CANCEL, CONFIRM, RECORD_EVENT, WRITE, Patch, Record


@miniature("runs-while-it-asks", breaks="CONF-01")
def _(patch: Patch) -> None:
    """The plan is put to the user and carried out at the same time."""

    async def ask(original: Any, run: Any) -> None:
        run.turns.spawn(original(run))

    patch.around(ASK, ask)


@miniature("call-without-its-confirmation", breaks="CONF-03")
def _(patch: Patch) -> None:
    """Calls do not carry the id of the confirmation that allows them."""
    patch.record("call", lambda record: record.pop("confirmationId", None))


@miniature("calls-name-another-confirmation", breaks="CONF-03")
def _(patch: Patch) -> None:
    """Calls carry an id that nobody was asked with."""

    def change(record: Record) -> None:
        if "confirmationId" in record:
            record["confirmationId"] = str(uuid4())

    patch.record("call", change)


@miniature("confirmation-kept-out-of-run-json", breaks="CONF-04")
def _(patch: Patch) -> None:
    """The decision is in the events and not in the run record."""
    patch.record("run", lambda record: record.pop("confirmation", None))


@miniature("rejection-is-no-obstacle", breaks="CONF-06")
def _(patch: Patch) -> None:
    """A rejected plan is carried out."""

    def cancel(original: Any, run: Any, reason: str, more: Record) -> None:
        if reason != "confirmation_rejected":
            original(run, reason, more)

    patch.around(ASKING_CANCEL, cancel)


@miniature("silence-is-consent", breaks="CONF-07")
def _(patch: Patch) -> None:
    """When nobody answers in time, the plan is taken as approved."""

    def cancel(original: Any, run: Any, reason: str, more: Record) -> None:
        if reason == "confirmation_expired":
            run.confirmed = True
            run.records.event("run.confirmed", "nobody objected", payload=more)
        else:
            original(run, reason, more)

    patch.around(ASKING_CANCEL, cancel)


@miniature("confirmed-twice", breaks="CONF-08")
def _(patch: Patch) -> None:
    """One decision is told as two confirmations."""

    def event(original: Any, records: Any, kind: str, *rest: Any, **more: Any) -> None:
        original(records, kind, *rest, **more)
        if kind == "run.confirmed":
            original(records, kind, *rest, **more)

    patch.around(RECORD_EVENT, event)


@miniature("confirmation-invented", breaks="CONF-09")
def _(patch: Patch) -> None:
    """A run that nobody has to confirm has a confirmation in its record."""

    def change(record: Record) -> None:
        if record["policy"].get("confirmationsRequired") is False:
            record["confirmation"] = {
                "confirmationId": "c-1",
                "decision": "approved",
                "decidedAt": record["createdAt"],
            }

    patch.record("run", change)


@miniature("confirmation-of-nothing-in-particular", breaks="CONF-10")
def _(patch: Patch) -> None:
    """The confirmation does not say which plan was approved."""

    def change(record: Record) -> None:
        for name in ("planHash", "policyHash"):
            record.get("confirmation", {}).pop(name, None)

    patch.record("run", change)


@miniature("each-click-runs-it", breaks="CONF-11")
def _(patch: Patch) -> None:
    """A second approval carries the plan out once more."""
    from callproof_reference.steps import perform

    def confirm(original: Any, run: Any, confirmation_id: str, decision: str) -> None:
        again = run.confirmed and run.status == "running" and decision == "approved"
        original(run, confirmation_id, decision)
        if again:
            for step in run.plan.steps:
                run.turns.spawn(perform(run, step))

    patch.around(CONFIRM, confirm)


@miniature("any-approval-will-do", breaks="CONF-04")
def _(patch: Patch) -> None:
    """An approval under another id counts as this run's."""

    def confirm(original: Any, run: Any, confirmation_id: str, decision: str) -> None:
        original(run, run.asking, decision)

    patch.around(CONFIRM, confirm)


@miniature("calls-say-that-nobody-was-to-be-asked", breaks="CONF-13", also=("CALL-17", "LOG-10"))
def _(patch: Patch) -> None:
    """The policy on calls says that no confirmation was required."""

    def change(record: Record) -> None:
        record["policy"]["confirmationsRequired"] = False

    patch.record("call", change)


@miniature("confirmed-event-comes-late", breaks="CONF-14")
def _(patch: Patch) -> None:
    """The confirmation is written into the events after the first call."""
    held: dict[str, Record] = {}

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind == "event" and record["type"] == "run.confirmed":
            held[record["runId"]] = record
            return
        original(journal, kind, record)
        if kind == "event" and record["type"] == "step.started" and record["runId"] in held:
            original(journal, kind, held.pop(record["runId"]))

    patch.around(WRITE, write)
