"""What laws are about: the kinds of subject that a run holds, for ``each``."""

from __future__ import annotations

from collections.abc import Callable

from callproof.trace.plan import Step
from callproof.trace.records import Record
from callproof.trace.run import Attempt, LogicalCall, Run
from callproof.trace.witnesses import Deed


def whole_run(run: Run) -> tuple[Run, ...]:
    """The run itself, once."""
    return (run,)


def calls(run: Run) -> tuple[Record, ...]:
    """Every call record."""
    return run.calls


def results(run: Run) -> tuple[Record, ...]:
    """Every result record."""
    return run.results


def events(run: Run) -> tuple[Record, ...]:
    """Every event record; none if no events were captured."""
    return run.events or ()


def records(run: Run) -> tuple[Record, ...]:
    """Every call, result and event record."""
    return run.records


def attempts(run: Run) -> tuple[Attempt, ...]:
    """Every call with its results, events and deeds."""
    return run.attempts


def answered(run: Run) -> tuple[tuple[Attempt, Record], ...]:
    """Every call that has a result, with the result that counts."""
    return tuple((attempt, attempt.result) for attempt in run.attempts if attempt.result is not None)


def dispatched(run: Run) -> tuple[Attempt, ...]:
    """Every call of which the records claim that the system handed it to its tool."""
    return tuple(attempt for attempt in run.attempts if attempt.dispatched)


def logical_calls(run: Run) -> tuple[LogicalCall, ...]:
    """Every step or iteration with all its attempts."""
    return run.logical_calls


def deeds(run: Run) -> tuple[Deed, ...]:
    """Every invocation that reached a hosted tool; none in a captured log."""
    return run.deeds or ()


def steps(run: Run) -> tuple[Step, ...]:
    """Every step of the plan."""
    return run.plan.steps if run.plan is not None else ()


def with_status(*statuses: str) -> Callable[[Run], tuple[Record, ...]]:
    """Results with one of these statuses."""

    def chosen(run: Run) -> tuple[Record, ...]:
        return tuple(result for result in run.results if result.text("status") in statuses)

    return chosen
