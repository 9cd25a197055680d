"""Loops as they were carried out: one iteration for each item, in order, with one loopId."""

from __future__ import annotations

from itertools import accumulate, pairwise

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.arguments import prove_item
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.eventless import prove_at_once
from callproof.auditing.prover.fates import FAILED, Outputs
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.plans import LoopFacts, StepFacts
from callproof.auditing.prover.unproved import demand
from callproof.trace.outputs import EMPTY, UNAVAILABLE


def prove_loops(case: Case, outputs: Outputs, *, ended_early: bool) -> None:
    """The loops of the plan; ``ended_early`` says whether anything stopped or cancelled the run."""
    names: dict[str, str] = {}
    for step in case.plan.looped:
        if step.loop is not None:
            _prove_loop(case, outputs, step, step.loop, ended_early=ended_early)
    for seen in case.calls:
        name = seen.call.loop_id
        if name is not UNSET and name:
            demand(names.setdefault(name, seen.step.id) == seen.step.id, "one loopId of two steps")
            if seen.step.loop is not None:
                case.met |= f.LOOP_ID


def _prove_loop(case: Case, outputs: Outputs, step: StepFacts, loop: LoopFacts, *, ended_early: bool) -> None:
    items, unbuilt = outputs.source(step, loop), outputs.unbuilt(step.id)
    iterated = [each for each in unbuilt if each.result.iteration is not UNSET]
    if iterated:
        case.met |= f.LOOP_RECORD
    if items is FAILED:
        demand(not iterated, "an iteration of what was never expanded")
        return
    outputs.fate(step.id)
    for each in iterated:
        prove_item(each.result.iteration, loop.item_name, items[each.index or 0])
        case.met |= f.PLACED_ITEM
    if not items:
        _prove_empty(case, outputs, step, unbuilt, ended_early=ended_early)
        return
    told = _is_told_at_once(case, step) or any(map(was_empty, unbuilt))
    demand(not told, "a loop over elements that was told as one over nothing")
    groups = [group for index in range(len(items)) if (group := case.logical.get((step.id, index))) is not None]
    if (groups or unbuilt) and len(iterated) == len(unbuilt):
        case.met |= f.WHOLE_LOOP
    _prove_names(groups)
    if len(groups) > 1:
        case.met |= f.NEIGHBOURS
        _prove_order(loop, groups)
    if any(each.dispatched for group in groups for each in group):
        case.met |= f.DISPATCHED_ITERATION
        if loop.concurrency < min(len(groups), case.policy.max_concurrency):
            _prove_at_once(case, loop, groups)
    if step.on_error == "skip" and any(each[-1].status in ("error", "timeout") for each in groups):
        _prove_beside_a_failure(case, outputs, step, groups, ended_early=ended_early)


def _prove_names(groups: list[list[Seen]]) -> None:
    """All calls of one expansion have one loopId, or none (LOOP-05)."""
    names = {each.call.loop_id for group in groups for each in group}
    demand(len(names) <= 1, "two loopIds of one expansion")


def _prove_order(loop: LoopFacts, groups: list[list[Seen]]) -> None:
    """LOOP-09."""
    for one, other in pairwise(groups):
        first, second = one[0], other[0]
        demand(first.call.created_at <= second.call.created_at, "iterations out of order")
        if loop.concurrency == 1 and second.dispatched:
            demand(0 <= first.closed < second.started, "iterations at once")


def _prove_at_once(case: Case, loop: LoopFacts, groups: list[list[Seen]]) -> None:
    """LOOP-14, by the lines of the events; the policy's own limit of open calls was proved before."""
    dispatched = [each for group in groups for each in group if each.dispatched]
    if not case.has_events:
        prove_at_once(case, dispatched, loop.concurrency)
        return
    demand(all(each.closed >= 0 for each in dispatched), "an iteration that was never closed")
    turns = [(each.started, 1) for each in dispatched] + [(each.closed, -1) for each in dispatched]
    open_calls = accumulate(change for _, change in sorted(turns))
    demand(max(open_calls) <= loop.concurrency, "more iterations at once than the loop asks for")


def _prove_empty(case: Case, outputs: Outputs, step: StepFacts, unbuilt: list[Seen], *, ended_early: bool) -> None:
    """A loop over nothing makes no call, and completes (LOOP-06)."""
    case.met |= f.EMPTY_LOOP
    demand(not any(step_id == step.id for step_id, _ in case.logical), "a call of a loop over nothing")
    demand(
        _is_told_at_once(case, step) or unbuilt or not case.has_events,
        "a loop over nothing of which nothing is on record",
    )
    for each in unbuilt:
        demand(each.status == "skipped", "a loop over nothing that failed")
        # A loop that lacked something it waits for did not end ok, and neither did the steps that wait for it.
        demand(was_empty(each) or (ended_early and not needs_failed(outputs, step)), "a loop over nothing, skipped")


def _is_told_at_once(case: Case, step: StepFacts) -> bool:
    """Whether an event without a call reports the loop's end, which stands for a loop over nothing (EVT-13)."""
    return any(each.type == "step.finished" and each.step_id == step.id for each in case.untied)


def was_empty(seen: Seen) -> bool:
    """Whether a skipped result stands for a loop without elements (A32, A81)."""
    return _gives_the_reason(EMPTY, seen)


def lacked_its_tool(seen: Seen) -> bool:
    """Whether a skipped result says that its tool was not available (A51)."""
    told = seen.error.kind == UNAVAILABLE or seen.error.code.lower() == UNAVAILABLE
    return told or _gives_the_reason(UNAVAILABLE, seen)


def _gives_the_reason(reason: str, seen: Seen) -> bool:
    payload = seen.closing.payload if seen.closing is not None else UNSET
    if is_dict(payload) and payload.get("reason") == reason:
        return True
    text = seen.result.user_message
    return isinstance(text, str) and reason in text


def needs_failed(outputs: Outputs, step: StepFacts) -> bool:
    """Whether something that the step waits for did not end ok."""
    return any(outputs.fate(each) is FAILED for each in step.needs)


def _prove_beside_a_failure(
    case: Case, outputs: Outputs, step: StepFacts, groups: list[list[Seen]], *, ended_early: bool
) -> None:
    """LOOP-08."""
    failed = [each for each in groups if each[-1].status in ("error", "timeout")]
    skipped = [each for each in outputs.unbuilt(step.id) if each.status == "skipped"]
    if len(failed) < len(groups) or skipped:
        case.met |= f.BESIDE_A_FAILURE
    demand(not skipped or ended_early or needs_failed(outputs, step), "skipped for another iteration")
