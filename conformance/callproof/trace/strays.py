"""Records that lie among those of a run and are evidently another run's: kept beside it, and no part of it (LOG-22)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from callproof.trace.records import Kind, Record
from callproof.trace.run import Run


def parted(run: Run) -> Run:
    """
    The run with the records of other runs in ``strays``.

    Another ``runId`` alone says no more than that it is wrong.  Its records are another run's if they share no call
    with this one and one of them shows it: a call of a step that the plan does not have, a call that this run made
    itself, or a second beginning or end.
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
    away = {name for name, records in others.items() if _are_of_another_run(records, run, own)}
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


def _are_of_another_run(records: list[Record], run: Run, own: list[Record]) -> bool:
    calls = {each.call_id for each in own if each.call_id is not None}
    if any(each.call_id in calls for each in records):
        return False
    made = {_what_it_is(each) for each in own}
    plan = run.plan
    return any(
        _what_it_is(each) in made
        or (each.kind is Kind.CALL and plan is not None and plan.by_id.get(each.step_id or "") is None)
        for each in records
        if each.kind is Kind.CALL or (each.kind is Kind.EVENT and each.step_id is None and each.call_id is None)
    )


def _what_it_is(record: Record) -> tuple[object, ...]:
    """What there is once in a run: an attempt at a step or an iteration, or an event of the run itself."""
    if record.kind is Kind.CALL:
        return Kind.CALL, record.step_id, record.iteration_index, record.integer("attempt")
    return record.kind, record.text("type") if record.step_id is None and record.call_id is None else None
