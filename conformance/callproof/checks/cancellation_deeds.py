"""Checks for the requirements in ``spec/cancellation.md`` that the order of messages with hosted tools decides."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.cancellation import built_too_late, cancellation_of
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.confirmation import acts_of, requested_id, was_read_before
from callproof.checks.confirmation_record import REASONS, required
from callproof.checks.dispatching import was_held_back
from callproof.checks.members import owner
from callproof.checks.scenario_facts import fact
from callproof.checks.subjects import deeds
from callproof.checks.timeouts_deeds import last_words, not_reported, waited_for
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Act, ActKind, Answer, AnswerKind, Deed
from callproof.values.jsonvalue import equal, is_object


def _told_cancelled(run: Run) -> int | None:
    """The place on the wire where the system said that the run was cancelled."""
    cancelled = cancellation_of(run)
    return cancelled.arrival if cancelled is not None else None


@check("CANC-01", each=deeds, needs=("deeds", "events"))
def no_tool_is_entered_after_a_cancellation(run: Run, deed: Deed) -> Iterator[Finding]:
    """No invocation arrives after run.cancelled."""
    told, cancelled = _told_cancelled(run), cancellation_of(run)
    if told is not None and cancelled is not None and deed.arrival > told:
        yield Finding(
            f"{deed.tool} was entered for call {deed.call_id} after run.cancelled",
            "no dispatch after run.cancelled",
            (witness("X", cancelled), witness("D", deed)),
        )


def _told_of_a_cancellation(run: Run) -> Iterator[Record]:
    cancelled = cancellation_of(run)
    if cancelled is not None and cancelled.arrival is not None:
        yield cancelled


@check("CANC-05", each=_told_of_a_cancellation, needs=("deeds", "events"))
def nothing_is_cancelled_unasked(run: Run, cancelled: Record) -> Iterator[Finding]:
    """Before run.cancelled somebody cancelled the run, was asked to confirm it, or something in it had failed."""
    told = _told_cancelled(run) or 0
    asked = any(act.arrival < told for act in acts_of(run, ActKind.CANCEL, ActKind.REJECT)) or _may_expire(
        run, cancelled
    )
    failed = any(result.text("status") in ("error", "timeout") for result in run.results if _came(result) < told)
    if not asked and not failed and not run.cut_short:  # a system that cannot write its log may end the run (LOG-15)
        yield Finding(
            "the run was recorded as cancelled, and nobody had cancelled it",
            "run.cancelled only if the run itself was cancelled",
            (witness("X", cancelled),),
        )


def _may_expire(run: Run, cancelled: Record) -> bool:
    """Whether an open question may have ended the run, or the system says that it did, which CONF-04 checks."""
    told, asked = _told_cancelled(run) or 0, requested_id(run)
    approvals = (act for act in acts_of(run, ActKind.APPROVE) if asked is None or act.confirmation_id in (None, asked))
    approved = any(act.arrival < told for act in approvals)
    return required(run) and (not approved or (cancelled.object("payload") or {}).get("reason") in REASONS)


def _came(record: Record) -> int:
    return record.arrival if record.arrival is not None else -1


def _open_deeds(run: Run, *, cancellable: bool) -> Iterator[tuple[Deed, Record, Attempt]]:
    """Invocations that were open when the system reported the cancellation, by what their tool permits."""
    told, cancelled = _told_cancelled(run), cancellation_of(run)
    if told is None or cancelled is None or run.registry is None:
        return
    for attempt in run.attempts:
        tool = run.registry.resolve(attempt.call.text("tool") or "")
        if tool is not None and tool.cancellable is cancellable:
            yield from ((deed, cancelled, attempt) for deed in attempt.deeds or () if _was_open(deed, told))


def _was_open(deed: Deed, arrival: int) -> bool:
    """Whether a tool was at work when something arrived, and was not given up at its limit."""
    answered = deed.answer is not None and deed.answer.arrival < arrival
    dead = any(abort.reason == "timeout" for abort in deed.aborts)
    return deed.arrival <= arrival and not answered and not dead


@check("CANC-02", each=lambda run: _open_deeds(run, cancellable=True), needs=("deeds", "events", "registry"))
def an_open_tool_is_aborted(_run: Run, subject: tuple[Deed, Record, Attempt]) -> Iterator[Finding]:
    """A cancellable tool that is open receives tool/abort, and its call ends cancelled."""
    deed, cancelled, attempt = subject
    seen = (witness("X", cancelled), witness("D", deed))
    if not any(abort.reason == "cancelled" for abort in deed.aborts):
        yield Finding(f"{deed.tool} was open when the run was cancelled, and was not aborted", "tool/abort", seen)
    elif attempt.result is not None and attempt.status != "cancelled":
        yield Finding(
            f"{deed.tool} was aborted, and {owner(attempt.result)} had status {attempt.status}",
            "status cancelled with the code CANCELLED",
            (*seen, witness("R", attempt.result)),
        )


@check("CANC-03", each=lambda run: _open_deeds(run, cancellable=False), needs=("deeds", "events", "registry"))
def an_uncancellable_tool_is_let_be(_run: Run, subject: tuple[Deed, Record, Attempt]) -> Iterator[Finding]:
    """A tool that is not cancellable is not aborted, and what it returned is recorded."""
    deed, cancelled, attempt = subject
    if any(abort.reason == "cancelled" for abort in deed.aborts):
        yield Finding(
            f"{deed.tool} is not cancellable, and was aborted",
            "no tool/abort",
            (witness("X", cancelled), witness("D", deed)),
        )
    answer, result = deed.answer, attempt.result
    if answer is None or result is None or answer.kind is not AnswerKind.OUTPUT or attempt.status == "timeout":
        return
    other = not equal(result.get("data"), answer.data) and not result.is_redacted_in("data")
    if result.arrival is not None and (answer.arrival > result.arrival or other):
        code = (result.object("error") or {}).get("code")
        if code != "INTERNAL_ERROR":  # RES-07 checks output that breaks its schema
            yield Finding(
                f"{deed.tool} returned {excerpt(answer.output)}, and {owner(result)} had status {attempt.status}",
                "its true result",
                (witness("D", deed), witness("R", result)),
            )


@check("CANC-04", each=lambda run: last_words(run, "cancelled"), needs=("deeds",), wants=waited_for("cancelled"))
def half_a_deed_is_told(_run: Run, subject: tuple[Record, Deed, Answer]) -> Iterator[Finding]:
    """The changes that a cancelled tool reported in time are the result's effects."""
    yield from not_reported(*subject)


def _stopped_by_nobody(run: Run) -> Iterator[Record]:
    """Cancelled results of a run in which the suite, the only user there is, cancelled nothing."""
    if not acts_of(run, ActKind.CANCEL, ActKind.REJECT):
        yield from (each for each in run.results if each.text("status") == "cancelled")


@check("CANC-09", each=_stopped_by_nobody, needs=("deeds",))
def nobody_is_blamed_for_a_stop(_run: Run, result: Record) -> Iterator[Finding]:
    """A call that nobody cancelled does not say that a user did."""
    details = (result.object("error") or {}).get("details")
    reason = details.get("reason") if is_object(details) else None
    if reason == "user":
        yield Finding(
            f"{owner(result)} was cancelled with the reason {excerpt(reason)}, and nobody had cancelled anything",
            "a reason that says what stopped it",
            (witness("R", result),),
        )


def _cancelled_before_approval(run: Run) -> Iterator[Act]:
    """The suite's cancellation of a run that it had not approved."""
    cancels, approvals = acts_of(run, ActKind.CANCEL), acts_of(run, ActKind.APPROVE)
    if required(run) and cancels and not any(act.arrival < cancels[0].arrival for act in approvals):
        yield cancels[0]


@check("CANC-06", each=_cancelled_before_approval, needs=("policy", "deeds"))
def no_tool_is_entered_in_an_unconfirmed_run(run: Run, act: Act) -> Iterator[Finding]:
    """No invocation reaches a tool in a run that was cancelled before its approval."""
    for deed in run.deeds or ():
        if was_read_before(run, deed, act):
            continue
        yield Finding(
            f"{deed.tool} was entered in a run that was cancelled before it was approved",
            "no invocation at all",
            (witness("D", deed),),
        )


def _ended(run: Run) -> int | None:
    return run.witnessed.finished_arrival if run.witnessed is not None else None


def _useless_cancellations(run: Run) -> Iterator[Act]:
    """Cancellations after the end of the run, and second ones."""
    end = _ended(run)
    for place, act in enumerate(acts_of(run, ActKind.CANCEL)):
        if end is not None and (place > 0 or act.arrival > end):
            yield act


@check("CANC-07", each=_useless_cancellations, needs=("deeds",))
def a_useless_cancellation_adds_no_record(run: Run, act: Act) -> Iterator[Finding]:
    """After run/finished no record arrives, even if the run is cancelled again."""
    end = _ended(run)
    for record in run.records:
        if end is not None and record.arrival is not None and record.arrival > max(end, act.arrival):
            yield Finding(
                f"{owner(record)} was written after the run had finished and was cancelled once more",
                "no change in the records",
                (witness("R", record),),
            )


@check("CANC-10", each=lambda run: () if _ended(run) is None else (run,), needs=("deeds",))
def after_the_end_nothing_works_on(run: Run, _subject: Run) -> Iterator[Finding]:
    """After run/finished no invocation, no abort and no record arrives."""
    end = _ended(run) or 0
    for deed in run.deeds or ():
        late = [abort.arrival for abort in deed.aborts if abort.arrival > end]
        if deed.arrival > end or late:
            yield Finding(
                f"{deed.tool} was {'entered' if deed.arrival > end else 'aborted'} after run/finished",
                "nothing after the end of the run",
                (witness("D", deed),),
            )
    until = _disturbed_after(run, end)
    for record in run.records:
        if record.arrival is not None and end < record.arrival and (until is None or record.arrival < until):
            yield Finding(
                f"{owner(record)} was written after run/finished",
                "nothing after the end of the run",
                (witness("R", record),),
            )


def _disturbed_after(run: Run, end: int) -> int | None:
    """When the suite first sent something after the end; a later record may be due to that (CANC-07, RES-20)."""
    answers = (deed.answer.arrival for deed in run.deeds or () if deed.answer is not None)
    said = (*answers, *(act.arrival for act in run.acts or ()))
    return min((arrival for arrival in said if arrival > end), default=None)


def _at_rest(run: Run, cancel: Act) -> bool:
    """Whether the system had nothing to do when it was cancelled: it waited for the suite or for more time (A77)."""
    if run.witnessed is None or not run.witnessed.virtual_clock or fact(run, "hooks") is True:
        return False
    answered = {deed.answer.at_ms for deed in run.deeds or () if deed.answer is not None}
    acted = {act.at_ms for act in run.acts or () if act is not cancel}
    return cancel.at_ms not in answered | acted


def _built_behind_a_cancellation(run: Run) -> Iterator[tuple[Record, Attempt]]:
    """Calls that were recorded after run.cancelled and never dispatched, in a run that was at rest until then."""
    cancelled, cancels = cancellation_of(run), acts_of(run, ActKind.CANCEL)
    told = _told_cancelled(run)
    if cancelled is None or told is None or not cancels or not _at_rest(run, cancels[0]):
        return
    for attempt in run.attempts:
        built = attempt.call.arrival
        if built is not None and cancels[0].arrival < told < built and was_held_back(attempt):
            yield cancelled, attempt


@check("CANC-11", each=_built_behind_a_cancellation, needs=("deeds", "events"))
def nothing_is_built_behind_a_cancellation(_run: Run, subject: tuple[Record, Attempt]) -> Iterator[Finding]:
    """No call record arrives after run.cancelled."""
    yield built_too_late(*subject)
