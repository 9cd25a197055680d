"""Checks for ``spec/scheduling.md`` and ``spec/foreach.md`` that compare several accounts of one step.

Each looks for records that cannot both be true.  It has a subject only if there are such records, so a run without
them does not count as judged by it: ``scheduling`` counts what is lawful in the same place.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import ANYTHING, Finding, check, witness
from callproof.checks.dispatching import end_of, has_a_reason_of_its_own, start_of, was_dispatched, was_held_back
from callproof.checks.failures import (
    ended_early,
    final_failures,
    may_be_cancelled,
    stopping_failures,
    untold_cancellation,
)
from callproof.checks.matters import Matter
from callproof.checks.open_calls import others_told, overlapping, stamped
from callproof.checks.precedence import first_after
from callproof.checks.references_of_steps import dispatched_needs, needs_failed
from callproof.checks.unbuilt import unlike_never_built
from callproof.trace.expansions import Expansion, expansion_of
from callproof.trace.outputs import (
    Fate,
    Output,
    finished_without_a_call,
    recorded_outputs,
    skipped_because_empty,
)
from callproof.trace.plan import Step
from callproof.trace.plangraph import Need
from callproof.trace.records import Kind, Record, order_of_instants
from callproof.trace.references import references_in
from callproof.trace.run import Attempt, Run
from callproof.values.counts import counted, was


def _still_open(run: Run, *roots: str | None) -> Iterator[tuple[Attempt, Need, Attempt]]:
    """In runs that broke off: dispatched calls whose needs had begun and never ended."""
    if run.finished:
        return
    last = {each.step_id: each.last for each in run.logical_calls if each.index is None}
    for attempt, need, _ in dispatched_needs(run, *roots):
        other = last.get(need.step_id)
        if other is None or other.results or not other.events_of("step.started"):
            continue
        if not other.events_of("step.finished", "step.failed"):
            yield attempt, need, other


def _began_beside(attempt: Attempt, need: Need, other: Attempt) -> Finding:
    return Finding(
        f"call {attempt.call.call_id} of step {attempt.call.step_id} began, and step {need.step_id} never ended",
        f"step {attempt.call.step_id} waits for step {need.step_id}",
        (witness("C", attempt.call), witness("N", other.call)),
        misses=(Kind.RESULT, Kind.EVENT),
    )


@check("DEP-01", each=lambda run: _still_open(run, None), needs=("plan", "events"))
def a_step_waits_for_what_is_still_open(_run: Run, subject: tuple[Attempt, Need, Attempt]) -> Iterator[Finding]:
    """A step does not start beside a step of its dependsOn that was open when the log broke off."""
    yield _began_beside(*subject)


@check("REF-22", each=lambda run: _still_open(run, "steps"), needs=("plan", "events"))
def a_reference_waits_for_what_is_still_open(_run: Run, subject: tuple[Attempt, Need, Attempt]) -> Iterator[Finding]:
    """A step does not start beside a source of its args that was open when the log broke off."""
    yield _began_beside(*subject)


def _recorded_otherwise(run: Run) -> Iterator[tuple[Step, Record, Output]]:
    """Steps without references whose dependency failed and that have a record, in a run that nothing stopped."""
    refused = not any(map(was_dispatched, run.attempts))  # then every step may be recorded so
    if refused or may_be_cancelled(run) or any(True for _ in stopping_failures(run)):
        return
    lost = {each.step_id for each in run.unbuilt if each.text("status") == "error"}
    for step in run.plan.steps if run.plan is not None else ():
        failed = None if lost - {step.id} else _failed_dependency(run, step)
        if failed is not None:
            yield from ((step, each, failed) for each in _given_up_otherwise(run, step))


def _failed_dependency(run: Run, step: Step) -> Output | None:
    """What failed of a single step's dependsOn, if its args hold no reference that may have failed as well."""
    if step.foreach is not None or any(True for _ in references_in(step.args)):
        return None
    outputs = (recorded_outputs(run).of(name) for name in step.depends_on)
    return next((each for each in outputs if each.fate is Fate.FAILED), None)


def _given_up_otherwise(run: Run, step: Step) -> Iterator[Record]:
    """Records that a step was given up with another status than skipped: never built, or withdrawn while it waited."""
    yield from (each for each in run.unbuilt_of(step.id) if each.text("status") == "error")
    for attempt in run.attempts_of(step.id):
        withdrawn = attempt.status == "cancelled" and was_held_back(attempt)
        if withdrawn and attempt.result is not None and not has_a_reason_of_its_own(run, attempt):
            yield attempt.result


@check("DEP-02", each=_recorded_otherwise, needs=("plan",))
def a_step_without_its_dependency_is_recorded_as_skipped(
    _run: Run, subject: tuple[Step, Record, Output]
) -> Iterator[Finding]:
    """The record of a step whose dependency failed says skipped."""
    step, result, output = subject
    yield Finding(
        f"step {step.id}, whose dependency had failed, was recorded with status {result.text('status')}",
        "a skipped result with a reason",
        (*(witness(f"R{n}", end) for n, end in enumerate(output.ends[-1:], 1)), witness("S", result)),
        misses=ANYTHING,
    )


def _overlapping(run: Run) -> Iterator[tuple[Attempt, tuple[Attempt, ...]]]:
    """Without events: dispatched calls that, by their stamps, began while as many others were open as may be."""
    return overlapping(stamped(run), run.policy.max_concurrency if run.policy is not None else 1)


@check("DEP-03", each=_overlapping, needs=("policy",))
def no_more_calls_overlap_than_permitted(run: Run, subject: tuple[Attempt, tuple[Attempt, ...]]) -> Iterator[Finding]:
    """Where no events tell which calls were open, their stamps do."""
    attempt, others = subject
    limit = run.policy.max_concurrency if run.policy is not None else 1
    yield Finding(
        f"call {attempt.call.call_id} began while {others_told(len(others), limit)} {was(len(others))} open",
        f"maxConcurrency is {limit}",
        tuple(witness(f"R{n}", each.result or each.call) for n, each in enumerate((*others[:limit], attempt), 1)),
    )


def _begun_after_a_step_that_could_not_be_built(run: Run) -> Iterator[tuple[Record, Attempt]]:
    for failure in run.unbuilt:
        step = run.step(failure.step_id)
        if step is None or step.on_error == "skip" or failure.text("status") != "error":
            continue
        if unlike_never_built(run, failure) is None:
            late = first_after(run, failure)
            if late is not None:
                yield failure, late


@check("DEP-04", each=_begun_after_a_step_that_could_not_be_built, needs=("plan",))
def nothing_starts_after_a_step_that_could_not_be_built(
    _run: Run, subject: tuple[Record, Attempt]
) -> Iterator[Finding]:
    """A step whose reference leads to nothing has failed, and stops the run like any other (REF-04)."""
    failure, attempt = subject
    yield Finding(
        f"call {attempt.call.call_id} of step {attempt.call.step_id} began after {failure.step_id} had failed",
        f"onError of step {failure.step_id} stops the run",
        (witness("R", failure), witness("C", attempt.call)),
    )


def _withdrawn_before(run: Run) -> Iterator[tuple[Record, Record]]:
    """Calls withdrawn while another call was to be attempted again, and before anything had failed for good."""
    if may_be_cancelled(run) or not run.finished:
        return
    again = [each.last for each in run.logical_calls if len(each.attempts) > 1]
    ends = [result for _, result in final_failures(run)]
    ends += [each for each in run.unbuilt if each.text("status") == "error"]
    for attempt in run.attempts:
        if attempt.status != "cancelled" or not was_held_back(attempt) or has_a_reason_of_its_own(run, attempt):
            continue
        decided = end_of(attempt)
        if all(order_of_instants(each.ended, decided, tolerance=0) == 1 for each in ends):
            later = (last for last in again if order_of_instants(decided, start_of(last), tolerance=0) == -1)
            ended = next((last.result for last in later if last.result is not None), None)
            if ended is not None:
                yield attempt.result or attempt.call, ended


@check("DEP-06", each=_withdrawn_before, needs=("plan", "events"))
def no_call_is_withdrawn_before_a_failure_is_final(run: Run, subject: tuple[Record, Record]) -> Iterator[Finding]:
    """A call that waits is not cancelled for a failure that is to be attempted again."""
    result, last = subject
    yield Finding(
        f"call {result.call_id} of step {result.step_id} was cancelled before its dispatch, and nothing had failed yet",
        "a failure counts for other steps once the attempts are used up",
        (witness("R1", result), witness("R2", last)),
        untold_cancellation(run),
        misses=ANYTHING,
    )


def _accounted_for_twice(run: Run) -> Iterator[tuple[Record, Record]]:
    """
    Results of calls that were never built, beside a first call or another such result of the same step or item.

    A call without a result may be the call of such a result (LOG-07).  A line that stands twice counts once.
    """
    known: dict[tuple[str | None, int | None], Record] = {}
    for logical in run.logical_calls:
        if all(each.results for each in logical.attempts):
            known.setdefault((logical.step_id, logical.index), logical.attempts[0].call)
    for result in run.unbuilt:
        step = run.step(result.step_id)
        if step is None or unlike_never_built(run, result) is not None or result.integer("attempt") != 1:
            continue
        place = (result.step_id, result.iteration_index)
        if step.foreach is not None and place[1] is None:
            continue  # it stands for one of several iterations that were never reached (A73)
        other = known.setdefault(place, result)
        if other is not result and other.call_id != result.call_id:
            yield other, result


@check("DEP-07", each=_accounted_for_twice, needs=("plan",))
def a_step_has_one_account(_run: Run, subject: tuple[Record, Record]) -> Iterator[Finding]:
    """A step that was never built has no call, and one result."""
    other, result = subject
    what = "was called" if other.kind is Kind.CALL else "already had a result without a call"
    yield Finding(
        f"step {result.step_id} {what}, and a result with status {result.text('status')} says that it was not built",
        "one logical call, or one result that stands for it",
        (witness("A1", other), witness("A2", result)),
    )


def _told_as_empty(run: Run) -> Iterator[tuple[Step, int, Record]]:
    """Loops over some elements that the records report as loops over none."""
    if not run.finished or run.events is None or ended_early(run):
        return
    for step in run.plan.steps if run.plan is not None else ():
        found = expansion_of(run, step, recorded_outputs(run)) if step.foreach is not None else None
        if found is not None and found.items and not found.calls and not needs_failed(run, step):
            record = _that_nothing_was_to_do(run, step, found)
            if record is not None:
                yield step, len(found.items), record


def _that_nothing_was_to_do(run: Run, step: Step, found: Expansion) -> Record | None:
    """The one record of a loop, if it says what the record of a loop over nothing says."""
    if found.unbuilt:
        only = found.unbuilt[0] if len(found.unbuilt) == 1 else None
        return only if only is not None and skipped_because_empty(only, run) else None
    return finished_without_a_call(run).get(step.id)


@check("LOOP-10", each=_told_as_empty, needs=("plan", "events"))
def no_loop_is_told_as_empty_that_was_not(_run: Run, subject: tuple[Step, int, Record]) -> Iterator[Finding]:
    """A loop over elements of which none was called is not recorded as a loop over nothing."""
    step, count, record = subject
    yield Finding(
        f"step {step.id} ran over {counted(count, 'element')} and was recorded as a loop over nothing",
        "every iteration that is left out has a record that says why",
        (witness("R", record),),
        matter=Matter.AS_EMPTY,
        misses=ANYTHING,
    )
