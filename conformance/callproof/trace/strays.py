"""Records among those of a run that evidently belong to another run: kept beside it, not as part of it (LOG-22)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from callproof.trace.plan import Plan
from callproof.trace.records import Kind, Record
from callproof.trace.run import Run

_ENDS = frozenset({"run.started", "run.finished"})


def parted(run: Run) -> Run:
    """
    The run with the records of other runs in ``strays``.

    A different ``runId`` alone shows only that it is wrong.  Its records are another run's if they share no call
    with this one and one of them shows it: a call of a step that the plan does not have, a call that this run also
    made, or a second beginning or end.
    """
    own_id = run.run_record.text("runId") if run.run_record is not None else None
    others: dict[str, list[Record]] = {}
    for record in run.records if own_id else ():
        told = record.text("runId")
        if told and told != own_id:
            others.setdefault(told, []).append(record)
    if not others:
        return run
    own = [each for each in run.records if each.text("runId") not in others]
    calls = frozenset(each.call_id for each in own if each.call_id is not None)
    made = frozenset(map(_once, own)) - {None}
    away = {name for name, records in others.items() if _are_of_another_run(records, run.plan, calls, made)}
    return _without(run, away) if away else run


def _without(run: Run, away: Collection[str]) -> Run:
    def kept(records: tuple[Record, ...]) -> tuple[Record, ...]:
        return tuple(each for each in records if each.text("runId") not in away)

    return replace(
        run,
        calls=kept(run.calls),
        results=kept(run.results),
        events=None if run.events is None else kept(run.events),
        strays=tuple(each for each in run.records if each.text("runId") in away),
    )


def _are_of_another_run(
    records: list[Record], plan: Plan | None, calls: Collection[str], made: Collection[object]
) -> bool:
    """Whether records with one foreign id evidently do not belong to the run of this plan that made these calls."""
    if any(each.call_id in calls for each in records):
        return False
    return any(
        _once(each) in made
        or (each.kind is Kind.CALL and plan is not None and plan.by_id.get(each.step_id or "") is None)
        for each in records
    )


def _once(record: Record) -> tuple[object, ...] | None:
    """What happens once in a run: an attempt at a step or an iteration, its beginning or its end; None for the rest."""
    if record.kind is Kind.CALL:
        return record.step_id, record.iteration_index, record.integer("attempt")
    named = record.text("type") if record.kind is Kind.EVENT else None
    return (named,) if named in _ENDS else None
