"""Checks for the requirements in ``spec/confirmation.md`` that ask what happened before and after the decision.

``confirmation_record`` checks what the records say about the decision itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from callproof.checks.check import Finding, Witness, check, witness
from callproof.checks.confirmation_record import REASONS, confirmation_of, required
from callproof.checks.dispatching import beginning, start_of, was_dispatched, writes
from callproof.checks.failures import stopping_failures
from callproof.checks.members import owner, under_any
from callproof.checks.subjects import whole_run
from callproof.checks.timeouts import GRACE_MS
from callproof.checks.timeouts_deeds import clock_slack_ms
from callproof.trace.records import Kind, Record, order, order_of_instants
from callproof.trace.registry import WRITING_RISKS
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Act, ActKind, Deed
from callproof.values.instants import parse_instant


def _waiting(run: Run, *, writing: bool) -> Iterator[Attempt]:
    """The dispatched calls of a run that requires confirmation: those that write, or those that read."""
    if required(run):
        yield from (each for each in run.attempts if was_dispatched(each) and writes(run, each) is writing)


def _writing(run: Run) -> Iterator[Attempt]:
    return _waiting(run, writing=True)


def _reading(run: Run) -> Iterator[Attempt]:
    return _waiting(run, writing=False)


def _record(run: Run) -> tuple[Witness, ...]:
    return (witness("P", run.run_record),) if run.run_record is not None else ()


def _too_early(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """Why the approval certainly did not precede a dispatched call: there is none, or its line or instant is later."""
    permitted = "a dispatch after run.confirmed"
    confirmed = next(iter(run.events_of("run.confirmed")), None)
    began, decision = beginning(attempt), confirmation_of(run)
    if confirmed is None and (run.events is not None or decision is None):
        yield Finding(
            f"{owner(attempt.call)} was dispatched in a run that nobody confirmed",
            permitted,
            (witness("C", attempt.call),),
            misses=(Kind.EVENT,),
            before=began.source if began is not None else None,
        )
    elif confirmed is not None and began is not None and order(began, confirmed) == -1:
        yield Finding(
            f"{owner(attempt.call)} began before the run was confirmed",
            permitted,
            (witness("B", began), witness("C", confirmed)),
        )
    elif decision is not None and decision.get("decision") == "approved":
        decided = parse_instant(decision.get("decidedAt"))
        if order_of_instants(start_of(attempt), decided) == -1 and attempt.result is not None:
            yield Finding(
                f"{owner(attempt.call)} began at {attempt.result.text('startedAt')}, before the decision",
                permitted,
                (witness("R", attempt.result), *_record(run)),
                (f"run.json says decidedAt {decision.get('decidedAt')}",),
            )


@check("CONF-01", each=_writing, needs=("policy",))
def no_write_before_the_approval(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call that writes or runs commands begins after the approval."""
    yield from _too_early(run, attempt)


@check("CONF-02", each=_reading, needs=("policy",))
def nothing_before_the_approval(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call that reads begins after the approval too."""
    yield from _too_early(run, attempt)


def acts_of(run: Run, *kinds: ActKind) -> tuple[Act, ...]:
    """The suite's acts of these kinds, in order; none in a captured log."""
    return tuple(act for act in run.acts or () if act.kind in kinds)


def _deeds(run: Run, *, writing: bool) -> Iterator[Deed]:
    """Invocations of tools that write, or of tools that read, in a run that requires confirmation."""
    for deed in (run.deeds or ()) if required(run) else ():
        tool = run.registry.resolve(deed.tool) if run.registry is not None else None
        if tool is not None and (tool.risk_level in WRITING_RISKS) is writing:
            yield deed


def _entered_early(run: Run, deed: Deed) -> Iterator[Finding]:
    """An invocation that came before the suite had approved the run under the id that the system asked with."""
    asked = requested_id(run)
    approvals = [act for act in acts_of(run, ActKind.APPROVE) if asked is None or act.confirmation_id in (None, asked)]
    if not any(act.arrival < deed.arrival for act in approvals):
        yield Finding(
            f"{deed.tool} was entered before the run was approved",
            "no invocation before the approval",
            (witness("D", deed),),
            ("the approval was sent later" if approvals else "the run was never approved",),
        )


def requested_id(run: Run) -> str | None:
    """The confirmationId that the system asked with."""
    for event in run.events_of("run.confirmationRequested"):
        name = (event.object("payload") or {}).get("confirmationId")
        if isinstance(name, str):
            return name
    return None


@check("CONF-01", each=lambda run: _deeds(run, writing=True), needs=("policy", "deeds", "registry"))
def no_tool_writes_before_the_approval(run: Run, deed: Deed) -> Iterator[Finding]:
    """No writing tool is entered before the approval was given."""
    yield from _entered_early(run, deed)


@check("CONF-02", each=lambda run: _deeds(run, writing=False), needs=("policy", "deeds", "registry"))
def no_tool_is_entered_before_the_approval(run: Run, deed: Deed) -> Iterator[Finding]:
    """No tool is entered before the approval was given."""
    yield from _entered_early(run, deed)


def _reads_only(run: Run, deed: Deed) -> bool:
    tool = run.registry.resolve(deed.tool) if run.registry is not None else None
    return tool is not None and tool.risk_level not in WRITING_RISKS


def was_read_before(run: Run, deed: Deed, end: Act) -> bool:
    """
    Whether a tool that only reads was entered before the suite ended the run, which CONF-02 advises against.

    If the invocation and the suite's message crossed, the tool was entered before the system had read the message.
    """
    cancelled = next(iter(run.events_of("run.cancelled")), None)
    told = cancelled.arrival if cancelled is not None and not run.events_of("run.confirmed") else None
    crossed = told is not None and deed.arrival < told and deed.at_ms <= end.at_ms + clock_slack_ms(run)
    return _reads_only(run, deed) and (deed.arrival < end.arrival or crossed)


def _is_foreign(run: Run, act: Act) -> bool:
    """Whether an act is an approval under an id that this run did not ask with, so that it answers nothing."""
    asked = requested_id(run)
    return act.kind is ActKind.APPROVE and asked is not None and act.confirmation_id not in (None, asked)


def _foreign_approvals(run: Run) -> Iterator[Act]:
    """The approvals that belong to another run."""
    if required(run):
        yield from (act for act in run.acts or () if _is_foreign(run, act))


def _time_was_up(run: Run, at_ms: float | None) -> bool:
    """Whether the time for an answer was over at an instant of the suite's clock; False if it is not known."""
    expires = run.witnessed.expires_ms if run.witnessed is not None else None
    return expires is not None and at_ms is not None and at_ms >= expires - clock_slack_ms(run)


@check("CONF-05", each=_foreign_approvals, needs=("policy", "deeds", "events"))
def a_foreign_approval_confirms_nothing(run: Run, act: Act) -> Iterator[Finding]:
    """An approval under another run's id starts nothing; CONF-07 reports what starts when the time is up."""
    asked = requested_id(run)
    own = [each.arrival for each in acts_of(run, ActKind.APPROVE) if each.confirmation_id == asked]
    later = [deed for deed in run.deeds or () if act.arrival < deed.arrival]
    for deed in later if later and not _time_was_up(run, later[0].at_ms) else ():
        if not any(arrival < deed.arrival for arrival in own):
            yield Finding(
                f"{deed.tool} was entered after an approval of {act.confirmation_id}",
                f"an approval of {asked}",
                (witness("D", deed),),
            )


def _rejections(run: Run) -> Iterator[str]:
    """One subject if the run was rejected, by the record's decision or by the reason of the cancellation."""
    decision = confirmation_of(run)
    cancelled = next(iter(run.events_of("run.cancelled")), None)
    reason = (cancelled.object("payload") or {}).get("reason") if cancelled is not None else None
    if (decision is not None and decision.get("decision") == "rejected") or reason in REASONS:
        yield "rejected"


@check("CONF-06", each=_rejections)
def a_rejected_run_dispatches_nothing(run: Run, _subject: str) -> Iterator[Finding]:
    """No call of a rejected run is dispatched."""
    confirmed = run.events_of("run.confirmed")  # CONF-04 reports records that contradict each other
    cancelled = run.events_of("run.cancelled")
    for attempt in () if confirmed else filter(was_dispatched, run.attempts):
        if _was_read_before_the_rejection(run, attempt):
            continue
        yield Finding(
            f"{owner(attempt.call)} was dispatched in a run that was rejected",
            "a rejected run dispatches nothing",
            (witness("C", attempt.call), *_record(run)),
            # A call that only reads may have begun before the event that reports the rejection.
            misses=() if cancelled or writes(run, attempt) else (Kind.EVENT,),
        )


def _was_read_before_the_rejection(run: Run, attempt: Attempt) -> bool:
    """Whether a call only reads and did not certainly begin after the decision."""
    if writes(run, attempt):
        return False
    cancelled, began, decision = (
        next(iter(run.events_of("run.cancelled")), None),
        beginning(attempt),
        confirmation_of(run),
    )
    if cancelled is not None and began is not None:
        return order(began, cancelled) == -1
    decided = parse_instant(decision.get("decidedAt")) if decision is not None else None
    return decided is not None and order_of_instants(start_of(attempt), decided) != 1


def _rejected_by_the_suite(run: Run) -> Iterator[Run]:
    if acts_of(run, ActKind.REJECT) and not acts_of(run, ActKind.APPROVE):
        yield run


@check("CONF-06", each=_rejected_by_the_suite, needs=("deeds",))
def no_tool_is_entered_in_a_rejected_run(run: Run, _subject: Run) -> Iterator[Finding]:
    """No invocation arrives in a run that the suite rejected."""
    end = acts_of(run, ActKind.REJECT)[0]
    for deed in run.deeds or ():
        if not was_read_before(run, deed, end):
            yield Finding(f"{deed.tool} was entered in a run that was rejected", "no invocation", (witness("D", deed),))


@check("CONF-06", each=_rejections, needs=("events",))
def a_rejected_run_is_cancelled(run: Run, _subject: str) -> Iterator[Finding]:
    """A rejected run ends with run.cancelled, which gives the rejection as its reason."""
    cancelled = next(iter(run.events_of("run.cancelled")), None)
    if run.events_of("run.confirmed") or (cancelled is None and not run.finished):
        return
    reason = (cancelled.object("payload") or {}).get("reason") if cancelled is not None else None
    hidden = cancelled is not None and under_any("/payload/reason", cancelled.redacted)  # it may be a right one (A42)
    if reason not in REASONS and not hidden:
        yield Finding(
            "the run was rejected and "
            + ("was not cancelled" if cancelled is None else f"cancelled with the reason {reason}"),
            f"run.cancelled with the reason {' or '.join(REASONS)}",
            (witness("E", cancelled),) if cancelled is not None else _record(run),
            misses=(Kind.EVENT,) if cancelled is None else (),
        )


def _silent_runs(run: Run) -> Iterator[Record]:
    """The question of a run that nobody answered or cancelled, and that came to an end or outlived its question."""
    asked = next(iter(run.events_of("run.confirmationRequested")), None) if required(run) else None
    said = acts_of(run, ActKind.APPROVE, ActKind.REJECT, ActKind.CANCEL)
    if asked is None or not all(_is_foreign(run, act) for act in said):
        return
    if said and not _waited_in_silence(run, said[0]):
        return  # CONF-05 reports what another run's approval started
    if run.finished or (_is_long_past_its_time(run) and not run.killed):
        yield asked


def _waited_in_silence(run: Run, foreign: Act) -> bool:
    """Whether nothing was entered between another run's approval and the end of the time for an answer."""
    later = (deed.at_ms for deed in run.deeds or () if foreign.arrival < deed.arrival)
    known = run.witnessed is not None and run.witnessed.expires_ms is not None
    return known and _time_was_up(run, next(later, inf))


def _is_long_past_its_time(run: Run) -> bool:
    """Whether the suite went on watching for so long that a system would have ended the run."""
    watched = run.witnessed.watched_ms if run.witnessed is not None else None
    return watched is not None and _time_was_up(run, watched - GRACE_MS - clock_slack_ms(run))


def open_question(run: Run) -> Record | None:
    """The question of a run that asked for confirmation, if nothing on record answers it or cancels the run."""
    asked = run.events_of("run.confirmationRequested") if required(run) else ()
    return asked[0] if asked and not run.events_of("run.confirmed", "run.cancelled") else None


@check("CONF-07", each=_silent_runs, needs=("policy", "deeds", "events"))
def silence_is_a_rejection(run: Run, asked: Record) -> Iterator[Finding]:
    """A run that nobody answered in time ends cancelled as expired, without any invocation."""
    cancelled = next(iter(run.events_of("run.cancelled")), None)
    reason = (cancelled.object("payload") or {}).get("reason") if cancelled is not None else None
    # A tool that read while the question was open may have failed and stopped the run before the time was up.
    stopped = cancelled is not None and any(stopping_failures(run))
    if (reason not in REASONS and not stopped) or run.events_of("run.confirmed"):
        yield Finding(
            "nobody answered, and the run "
            + ("was not cancelled" if cancelled is None else f"ended with the reason {reason}"),
            "run.cancelled with the reason confirmation_expired",
            (witness("E", cancelled if cancelled is not None else asked),),
        )
    end = cancelled.arrival if cancelled is not None else None
    for deed in run.deeds or ():
        if not (_reads_only(run, deed) and end is not None and deed.arrival < end):
            yield Finding(f"{deed.tool} was entered though nobody answered", "no invocation", (witness("D", deed),))


def _confirmed_too_late(run: Run) -> Iterator[tuple[Record, Record]]:
    """The first cancellation and the first confirmation of a run that has both."""
    cancelled = next(iter(run.events_of("run.cancelled")), None)
    confirmed = next(iter(run.events_of("run.confirmed")), None)
    if cancelled is not None and confirmed is not None:
        yield cancelled, confirmed


@check("CONF-12", each=_confirmed_too_late, needs=("events",))
def what_was_ended_is_not_revived(_run: Run, subject: tuple[Record, Record]) -> Iterator[Finding]:
    """No confirmation is recorded after the run was cancelled."""
    cancelled, confirmed = subject
    if order(cancelled, confirmed) == -1:
        yield Finding(
            "the run was recorded as confirmed after it had been cancelled",
            "a run that was cancelled or rejected stays so",
            (witness("X", cancelled), witness("C", confirmed)),
        )


def _answered_too_late(run: Run) -> Iterator[tuple[Act, Act]]:
    """The suite's rejection or cancellation before any approval, with the approval that it sent afterwards."""
    ends, approvals = acts_of(run, ActKind.REJECT, ActKind.CANCEL), acts_of(run, ActKind.APPROVE)
    if required(run) and ends and approvals and ends[0].arrival < approvals[0].arrival:
        yield ends[0], approvals[0]


@check("CONF-12", each=_answered_too_late, needs=("policy", "deeds"))
def a_late_approval_starts_nothing(run: Run, subject: tuple[Act, Act]) -> Iterator[Finding]:
    """After a rejection or cancellation, an approval causes no tool to be entered."""
    end, _ = subject
    for deed in run.deeds or ():
        if was_read_before(run, deed, end):
            continue
        yield Finding(
            f"{deed.tool} was entered in a run that the suite had ended ({end.kind.value}) before it approved",
            "a late approval starts nothing",
            (witness("D", deed),),
        )


def _double_clicks(run: Run) -> Iterator[Run]:
    if len(acts_of(run, ActKind.APPROVE)) > 1:
        yield run


@check("CONF-11", each=_double_clicks, needs=("deeds",))
def a_second_click_runs_nothing(run: Run, _subject: Run) -> Iterator[Finding]:
    """No call reaches its tool twice, and no attempt is made twice."""
    seen: dict[tuple[str | None, int | None, int | None], Attempt] = {}
    for attempt in filter(was_dispatched, run.attempts):
        key = (attempt.call.step_id, attempt.call.iteration_index, attempt.number)
        if key in seen or len(attempt.deeds or ()) > 1:
            yield Finding(
                f"{owner(attempt.call)} ran twice in a run that was approved twice",
                "a second approval runs nothing",
                (witness("C1", seen.get(key, attempt).call), witness("C2", attempt.call)),
            )
        seen.setdefault(key, attempt)


@check("CONF-11", each=lambda run: whole_run(run) if run.events_of("run.confirmed") else (), needs=("events",))
def one_confirmation_is_recorded(run: Run, _subject: Run) -> Iterator[Finding]:
    """A run is recorded as confirmed at most once."""
    first, *more = run.events_of("run.confirmed")
    for again in more:
        yield Finding(
            f"the run was recorded as confirmed {len(more) + 1} times",
            "one run.confirmed",
            (witness("C1", first), witness("C2", again)),
        )
