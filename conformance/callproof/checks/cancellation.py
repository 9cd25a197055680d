"""Checks for the requirements in ``spec/cancellation.md`` that records alone decide.

What hosted tools saw of a cancellation is in ``cancellation_deeds``.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.changes import listed_effects
from callproof.checks.check import ANYTHING, Finding, check, excerpt, witness
from callproof.checks.confirmation_record import required
from callproof.checks.dispatching import beginning, end_of, place_of_end, was_dispatched, was_held_back, writes
from callproof.checks.failures import final_failures, untold_cancellation
from callproof.checks.matters import Matter
from callproof.checks.members import owner, told, under_any
from callproof.checks.references_of_steps import needs_failed
from callproof.checks.scenario_facts import fact
from callproof.checks.stopped_siblings import SIBLING_FAILED, blames_a_sibling, may_have_been_stopped
from callproof.trace.plangraph import may_need_more
from callproof.trace.records import Kind, Record, order, order_of_instants
from callproof.trace.run import Attempt, Run
from callproof.values.jsonvalue import is_object

_CLOSING = ("step.finished", "step.failed")


def cancellation_of(run: Run) -> Record | None:
    """The first run.cancelled."""
    return next(iter(run.events_of("run.cancelled")), None)


def _cancelled(run: Run) -> Iterator[Record]:
    cancelled = cancellation_of(run)
    if cancelled is not None:
        yield cancelled


@check("CANC-01", each=_cancelled, needs=("events",))
def nothing_begins_after_a_cancellation(run: Run, cancelled: Record) -> Iterator[Finding]:
    """No step.started follows run.cancelled."""
    for began in run.events_of("step.started"):
        if order(cancelled, began) == -1:
            yield Finding(
                f"{owner(began)} came after run.cancelled",
                "no dispatch after run.cancelled",
                (witness("X", cancelled), witness("B", began)),
            )


def _open_at_cancellation(run: Run) -> Iterator[tuple[Record, Attempt, Record]]:
    """Calls that had begun and were not closed when the run was cancelled, with the cancellation and their result."""
    cancelled = cancellation_of(run)
    for attempt in run.attempts if cancelled is not None else ():
        began = beginning(attempt)
        closed = next(iter(attempt.events_of(*_CLOSING)), None)
        if cancelled is None or began is None or attempt.result is None or order(began, cancelled) != -1:
            continue
        if closed is None or order(cancelled, closed) == -1:
            yield cancelled, attempt, attempt.result


@check("CANC-02", each=_open_at_cancellation, needs=("events",))
def an_open_call_is_cancelled(_run: Run, subject: tuple[Record, Attempt, Record]) -> Iterator[Finding]:
    """A cancellable call that was open ends cancelled, unless it ended within a second."""
    cancelled, attempt, result = subject
    if attempt.call.flag("cancellable") is not True or attempt.status == "cancelled":
        return
    if order_of_instants(cancelled.moment, end_of(attempt)) == -1:
        yield Finding(
            f"{owner(attempt.call)} was open and cancellable, and ended {attempt.status} at {result.text('endedAt')}",
            f"status cancelled, since run.cancelled came at {cancelled.text('timestamp')}",
            (witness("C", attempt.call), witness("X", cancelled), witness("R", result)),
        )


@check("CANC-03", each=_open_at_cancellation, needs=("events",))
def what_cannot_be_cancelled_runs_on(_run: Run, subject: tuple[Record, Attempt, Record]) -> Iterator[Finding]:
    """A call that is not cancellable and was open does not end cancelled."""
    cancelled, attempt, result = subject
    if attempt.call.flag("cancellable") is False and attempt.status == "cancelled":
        yield Finding(
            f"{owner(attempt.call)} was open and not cancellable, and ended cancelled",
            "its true result",
            (witness("C", attempt.call), witness("X", cancelled), witness("R", result)),
        )


def _ended_by_a_stop(run: Run) -> Iterator[Attempt]:
    """Calls that had begun and ended cancelled but were not open at a cancellation: none came, or it came later."""
    cancelled = {id(attempt) for _, attempt, _ in _open_at_cancellation(run)}
    for attempt in run.attempts:
        stopped = attempt.dispatched and attempt.status == "cancelled" and id(attempt) not in cancelled
        if stopped and (run.events is not None or _took_time(attempt)):
            yield attempt


def _took_time(attempt: Attempt) -> bool:
    """Whether the result says that the call took time, which a call that only waited does not do (CANC-11)."""
    took = attempt.result.number("durationMs") if attempt.result is not None else None
    return took is not None and took > 0


@check("CANC-03", each=_ended_by_a_stop)
def what_cannot_be_cancelled_outlasts_a_stop(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call that is not cancellable does not end cancelled because another one failed."""
    if attempt.call.flag("cancellable") is False and attempt.result is not None:
        yield Finding(
            f"{owner(attempt.call)} was open and not cancellable, and ended cancelled",
            "its true result",
            (witness("C", attempt.call), witness("R", attempt.result)),
        )


@check("CANC-05", each=_cancelled, needs=("events",))
def a_run_is_cancelled_once(run: Run, cancelled: Record) -> Iterator[Finding]:
    """run.cancelled is recorded at most once."""
    for again in run.events_of("run.cancelled")[1:]:
        yield Finding(
            "the run was recorded as cancelled more than once",
            "one run.cancelled",
            (witness("X1", cancelled), witness("X2", again)),
        )


def _cancelled_unconfirmed(run: Run) -> Iterator[Record]:
    """The cancellation of a run that requires confirmation and was not confirmed by then."""
    cancelled, confirmed = cancellation_of(run), next(iter(run.events_of("run.confirmed")), None)
    if cancelled is not None and required(run) and (confirmed is None or order(cancelled, confirmed) == -1):
        yield cancelled


@check("CANC-06", each=_cancelled_unconfirmed, needs=("policy", "events"))
def nothing_runs_in_an_unconfirmed_run(run: Run, cancelled: Record) -> Iterator[Finding]:
    """A run that was cancelled before it was confirmed dispatches no call."""
    for attempt in filter(was_dispatched, run.attempts):
        began = beginning(attempt)
        if not writes(run, attempt) and began is not None and order(began, cancelled) == -1:
            continue  # CONF-02 checks what was read before that
        yield Finding(
            f"{owner(attempt.call)} was dispatched in a run that was cancelled before it was confirmed",
            "no dispatch at all",
            (witness("C", attempt.call), witness("X", cancelled)),
            misses=() if run.events_of("run.confirmed") else (Kind.EVENT,),
            before=began.source if began is not None else None,
        )


def _cancelled_and_finished(run: Run) -> Iterator[tuple[Record, Record]]:
    cancelled, finished = cancellation_of(run), next(iter(run.events_of("run.finished")), None)
    if cancelled is not None and finished is not None:
        yield cancelled, finished


@check("CANC-07", each=_cancelled_and_finished, needs=("events",))
def cancelling_what_is_over_changes_nothing(_run: Run, subject: tuple[Record, Record]) -> Iterator[Finding]:
    """run.cancelled is not recorded after run.finished."""
    cancelled, finished = subject
    if order(finished, cancelled) == -1:
        yield Finding(
            "run.cancelled was recorded after run.finished",
            "nothing after the end of the run",
            (witness("F", finished), witness("X", cancelled)),
        )


def _cancelled_results(run: Run) -> Iterator[tuple[Attempt, Record]]:
    return ((each, each.result) for each in run.attempts if each.result is not None and each.status == "cancelled")


@check("CANC-08", each=_cancelled_results)
def a_race_has_one_winner(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A cancelled call has no data and no closing event that says ok."""
    attempt, result = subject
    if result.get("data") is not None:
        yield Finding(
            f"{owner(result)} was cancelled and {told(result, 'data')}",
            "data only with status ok",
            (witness("R", result),),
        )
    for event in attempt.events_of(*_CLOSING):
        if (event.object("payload") or {}).get("status") == "ok":
            yield Finding(
                f"{owner(event)} reported the status ok of a call that was cancelled",
                "one outcome, cancelled",
                (witness("E", event), witness("R", result)),
            )


def _cancelled_by_nobody(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """Cancelled results that no run.cancelled explains, since it came later or never: a failure stopped them."""
    cancelled = cancellation_of(run)
    if cancelled is None and not run.finished:
        return  # a log that ends too early may have lost its run.cancelled
    for attempt, result in _cancelled_results(run):
        if cancelled is None or order_of_instants(result.ended, cancelled.moment) == -1:
            yield attempt, result


@check("CANC-09", each=_cancelled_by_nobody, needs=("events",))
def siblings_are_told_why(run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A call that a failure elsewhere cancelled says so: CANCELLED, with details.reason."""
    attempt, result = subject
    details = attempt.error.get("details")
    reason = details.get("reason") if is_object(details) else None
    given = (isinstance(reason, str) and reason.strip()) or under_any("/error/details/reason", result.redacted)
    if attempt.code != "CANCELLED" or not given:
        yield Finding(
            f"{owner(result)} was cancelled with the code {excerpt(attempt.code)} "
            f"and {'no reason' if reason is None else f'the reason {excerpt(reason)}'}",
            "the code CANCELLED and a details.reason",
            (witness("R", result),),
            ("no run.cancelled that came in time gives the reason instead",),
            misses=() if run.events_of("run.cancelled") else (Kind.EVENT,),
        )


def _blamed_on_a_sibling(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """Calls cancelled because another one failed, as they say, in finished runs in which no hook was at work."""
    hooked = fact(run, "hooks") is True or any(call.hooked != () for call in run.calls)
    if not run.finished or run.cut_short or hooked or untold_cancellation(run):
        return
    for attempt, result in _cancelled_by_nobody(run):
        step = run.step(attempt.call.step_id)
        # DEP-02 checks a call whose needs failed: its reason is true, whatever the onError of the failure.
        in_vain = step is None or needs_failed(run, step) or may_need_more(run, step)
        if attempt.code == "CANCELLED" and blames_a_sibling(result) and not in_vain:
            yield attempt, result


@check("CANC-09", each=_blamed_on_a_sibling, needs=("plan", "events"))
def no_sibling_is_blamed_that_did_not_fail(run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A call says that another one failed and stopped it only if one whose onError stops others failed by then."""
    attempt, result = subject
    if not may_have_been_stopped(run, attempt):
        failures = [each for _, each in final_failures(run)]
        yield Finding(
            f"{owner(result)} was cancelled at {result.text('endedAt')} with the reason {excerpt(SIBLING_FAILED)}, "
            "and no failure had stopped the run",
            "a reason that says what stopped it",
            (witness("R", result), *(witness(f"W{n}", each) for n, each in enumerate(failures[:2], 1))),
            ("a final failure stops other calls, once it has ended and unless onError of its step is skip",),
            matter=Matter.REASON,
            misses=ANYTHING,
        )


def _waiting_at_cancellation(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """Calls that were recorded, neither dispatched nor refused, and closed once the run was cancelled."""
    cancelled = cancellation_of(run)
    for attempt in run.attempts if cancelled is not None else ():
        if attempt.result is None or attempt.was_called_refused or not was_held_back(attempt):
            continue
        closed = next(iter(attempt.events_of(*_CLOSING)), None)
        if cancelled is None or closed is None or order(closed, cancelled) == -1:
            continue  # the events do not go so far, or the call was over before
        if order(attempt.result, cancelled) != -1:
            yield attempt, attempt.result


@check("CANC-11", each=_waiting_at_cancellation, needs=("events",))
def what_was_waiting_ends_at_once(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A call that never began ends cancelled or skipped, takes no time and has no effects."""
    attempt, result = subject
    effects = listed_effects(result)
    said = (
        told(result, "status") if result.text("status") not in ("cancelled", "skipped") else None,
        told(result, "durationMs") if result.number("durationMs") else None,
        f"had effects: {', '.join(effects)}" if effects else None,
    )
    for each in filter(None, said):
        yield Finding(
            f"{owner(result)} {each}",
            "status cancelled or skipped, durationMs 0, no effects: it was never dispatched",
            (witness("R", result),),
            misses=(Kind.EVENT,),
            before=place_of_end(attempt),
        )


def _built_afterwards(run: Run) -> Iterator[tuple[Record, Attempt]]:
    """Calls that were recorded certainly after the run had been cancelled, by the clock, and never dispatched."""
    cancelled = cancellation_of(run)
    for attempt in run.attempts if cancelled is not None else ():
        late = cancelled is not None and order_of_instants(cancelled.moment, attempt.call.moment) == -1
        if cancelled is not None and late and was_held_back(attempt):
            yield cancelled, attempt


@check("CANC-11", each=_built_afterwards, needs=("events",))
def nothing_is_built_after_a_cancellation(_run: Run, subject: tuple[Record, Attempt]) -> Iterator[Finding]:
    """No call is built more than a second after run.cancelled."""
    yield built_too_late(*subject)


def built_too_late(cancelled: Record, attempt: Attempt) -> Finding:
    """The finding that a call was built after the cancellation and never dispatched."""
    return Finding(
        f"{owner(attempt.call)} was built after run.cancelled, at {attempt.call.text('createdAt')}",
        "no call record: a call that is not yet built gets a skipped result with its own callId",
        (witness("X", cancelled), witness("C", attempt.call)),
        misses=(Kind.EVENT,),  # CANC-01 reports a call that began
    )
