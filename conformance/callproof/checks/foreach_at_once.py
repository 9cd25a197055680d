"""Checks for ``spec/foreach.md`` on how many iterations of one loop are open at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from callproof.checks.check import Finding, check, witness
from callproof.checks.open_calls import (
    begun,
    deeds_at_once,
    is_beside,
    others_told,
    overlapping,
    stamped,
    untold_ends,
)
from callproof.trace.plan import Step
from callproof.trace.records import Kind, Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Deed
from callproof.values.counts import was

# A step, its iteration that began, and its other open iterations, without attempts of the same one (RETRY-08).
_Begun = tuple[Step, Attempt, tuple[Attempt, ...]]


def _limit(step: Step) -> int:
    return step.foreach.concurrency if step.foreach is not None else 1


def _found(step: Step, began: Record | Deed, others: Sequence[Record | Deed], misses: tuple[Kind, ...] = ()) -> Finding:
    limit = _limit(step)
    told = f"{others_told(len(others), limit)} of its loop {was(len(others))} open"
    return Finding(
        f"an iteration of step {step.id} began while {told}",
        f"foreach.concurrency of step {step.id} is {limit}",
        tuple(witness(f"C{n}", each) for n, each in enumerate((*others[:limit], began), 1)),
        misses=misses,
    )


def _iterations(run: Run) -> Iterator[_Begun]:
    """Each call of a loop that began, and the calls of the same loop that were open at that moment."""

    def permitted(attempt: Attempt) -> int:
        step = run.step(attempt.call.step_id)
        return 1 if step is None else _limit(step)

    for attempt, others in begun(run, permitted, of_its_loop=True):
        step = run.step(attempt.call.step_id)
        if step is not None and step.foreach is not None:
            yield step, attempt, others


@check("LOOP-14", each=_iterations, needs=("plan", "events"))
def no_more_iterations_are_open_than_asked_for(_run: Run, subject: _Begun) -> Iterator[Finding]:
    """At no moment are more iterations of a loop open than its concurrency."""
    step, attempt, others = subject
    if len(others) >= _limit(step):
        yield _found(step, attempt.call, [each.call for each in others], untold_ends(others, _limit(step)))


def _iterations_on_the_wire(run: Run) -> Iterator[tuple[Step, Deed, tuple[Deed, ...]]]:
    """Each invocation for an iteration, and the invocations for the same loop that were open when it came."""
    calls = {attempt.call.call_id: attempt.call for attempt in run.attempts}
    for deed, others in deeds_at_once(run):
        call = calls.get(deed.call_id)
        step = run.step(call.step_id) if call is not None else None
        if call is not None and step is not None and step.foreach is not None:
            known = ((each, calls.get(each.call_id)) for each in others)
            yield step, deed, tuple(each for each, made in known if made is not None and is_beside(call, made))


@check("LOOP-14", each=_iterations_on_the_wire, needs=("plan", "deeds"))
def no_more_iterations_are_at_work_than_asked_for(
    _run: Run, subject: tuple[Step, Deed, tuple[Deed, ...]]
) -> Iterator[Finding]:
    """At no moment are more invocations for one loop open than its concurrency."""
    step, deed, others = subject
    if len(others) >= _limit(step):
        yield _found(step, deed, others)


def _overlapping_iterations(run: Run) -> Iterator[_Begun]:
    """Without events: iterations that began while as many others of their loop as permitted were open."""
    calls = sorted(stamped(run), key=lambda each: each[2].call.step_id or "")
    for step_id, of_step in groupby(calls, key=lambda each: each[2].call.step_id):
        step = run.step(step_id)
        if step is not None and step.foreach is not None:
            found = overlapping(of_step, _limit(step), of_its_loop=True)
            yield from ((step, attempt, others) for attempt, others in found)


@check("LOOP-14", each=_overlapping_iterations, needs=("plan",))
def no_more_iterations_overlap_than_asked_for(_run: Run, subject: _Begun) -> Iterator[Finding]:
    """Where no events tell which iterations were open, their stamps do."""
    step, attempt, others = subject
    yield _found(step, attempt.result or attempt.call, [each.result or each.call for each in others])
