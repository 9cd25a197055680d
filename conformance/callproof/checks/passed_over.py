"""Steps that were left out although nothing was the reason: DEP-05 says so, and the policy where it had to refuse."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.dispatching import ran_out_waiting, was_held_back
from callproof.checks.failures import ended_early, final_failures, is_unsettled
from callproof.checks.scenario_facts import fact
from callproof.trace.once import once_a_run
from callproof.trace.outputs import Fate, recorded_outputs, skipped_because_empty, skipped_without_its_tool
from callproof.trace.plan import Step
from callproof.trace.plangraph import may_need_more, needs_by_step
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run
from callproof.values.jsonvalue import is_array


def passed_over(run: Run) -> Iterator[tuple[Step, tuple[Record, ...]]]:
    """Steps that need nothing that failed, in runs that nothing stopped, with the results of calls that never began."""
    failed = any(True for _ in final_failures(run))
    if ended_early(run) or not run.finished or (is_unsettled(run) and not failed):
        return
    lost = _lost(run)
    for step in run.plan.steps if run.plan is not None else ():
        if step.id not in lost and not may_need_more(run, step) and _needs_are_met(run, step):
            waited = (each.result for each in run.attempts_of(step.id) if _was_passed_over(each))
            yield step, (*run.unbuilt_of(step.id), *(each for each in waited if each is not None))


def was_skipped_for_nothing(run: Run, result: Record) -> bool:
    """Whether a result of a step that was passed over says skipped, and tells of no reason for it."""
    excused = skipped_because_empty(result, run) or skipped_without_its_tool(result, run)
    return result.text("status") == "skipped" and not excused


@once_a_run
def skipped_for_nothing(run: Run) -> frozenset[int]:
    """The results, by identity, of the calls that were recorded and then skipped for nothing."""
    return frozenset(
        id(each) for _, left_out in passed_over(run) for each in left_out if was_skipped_for_nothing(run, each)
    )


def _lost(run: Run) -> set[str | None]:
    """The steps that failed or could not be built, and those that VAL-12 judges for the size of their args."""
    too_much = fact(run, "tooMuch")
    return {
        *(logical.step_id for logical, _ in final_failures(run)),
        *(each.step_id for each in run.unbuilt if each.text("status") == "error"),
        *(each for each in (too_much if is_array(too_much) else ()) if isinstance(each, str)),
    }


def _needs_are_met(run: Run, step: Step) -> bool:
    outputs = recorded_outputs(run)
    return all(outputs.of(each.step_id).fate is Fate.OK for each in needs_by_step(run).get(step.id, ()))


def _was_passed_over(attempt: Attempt) -> bool:
    """Whether the first call of a step waited and never began, though its deadline had not come."""
    first = attempt.call.integer("attempt") in (None, 1)
    return first and was_held_back(attempt) and not ran_out_waiting(attempt)
