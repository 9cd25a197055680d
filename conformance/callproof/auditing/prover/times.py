"""The instants of a run: read, brought to one spelling, and held against the laws that ask for nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from operator import gt
from typing import Any, Final

from msgspec import UNSET

from callproof.auditing.prover.reading import Reading
from callproof.auditing.prover.stamps import Stamp, instants, stamp, text_of
from callproof.auditing.prover.unproved import Unproved, demand

# What TIME-07 permits, less the part of a millisecond that is rounded away here.
_SLACK_MS: Final = 49
_MS: Final = timedelta(milliseconds=1)

# Of a result, in the one spelling: its earliest beginning, its latest end, and when it had begun for certain.
Span = tuple[str, str, str]


def prove_times(reading: Reading) -> Sequence[Span]:
    """
    Records stand in their order, and durations agree with their stamps.

    Where instants of one run are spelt in several ways, its records have them in one spelling afterwards.  What the
    coarser of them leave open is given then, for each result in the order of the lines; else nothing is.
    """
    demand(reading.events, "no events")
    spans: Sequence[Span] = ()
    try:
        known = instants(_texts(reading))
    except Unproved:
        spans = _respell(reading)
        known = instants(_texts(reading))
    _prove_order(reading, known)
    return spans


def _texts(reading: Reading) -> list[str]:
    """Every instant of a run: those of results first, all beginnings and then all ends."""
    results, calls, record = reading.results, reading.calls, reading.record
    found = [each.started_at for each in results] + [each.ended_at for each in results]
    found += [each.created_at for each in calls]
    found += [each.timestamp for each in reading.events]
    found += [each.deadline_at for each in calls if each.deadline_at is not UNSET]
    if record.confirmation is not UNSET:
        found.append(record.confirmation.decided_at)
        if record.confirmation.expires_at is not UNSET:
            found.append(record.confirmation.expires_at)
    if record.created_at is not UNSET:
        found.append(record.created_at)
    return found


def _prove_order(reading: Reading, known: list[datetime]) -> None:
    results = reading.results
    created = [each.created_at for each in reading.calls]
    told = [each.timestamp for each in reading.events]
    if created != sorted(created) or told != sorted(told):
        raise Unproved("calls or events out of order")
    if created:
        demand(told[0] <= created[0], "a call from before the run")
    if results:
        starts, ends = [each.started_at for each in results], [each.ended_at for each in results]
        took = [each.duration_ms for each in results]
        demand(not any(map(gt, starts, ends)), "an end before its start")
        for told_ms, start, end in zip(took, known, known[len(starts) :]):
            if abs(told_ms - (end - start) // _MS) >= _SLACK_MS:
                raise Unproved("a duration")
        demand(told[0] <= min(starts) and max(ends) <= told[-1], "a result outside of the run")


def _respell(reading: Reading) -> Sequence[Span]:
    """Write every instant of the records in one spelling; gives what it hides of the results' own resolutions."""
    spans = _spans(reading.results)
    for result in reading.results:
        _respell_members(result, "started_at", "ended_at")
    for call in reading.calls:
        _respell_members(call, "created_at", "deadline_at")
    for event in reading.events:
        _respell_members(event, "timestamp")
    _respell_members(reading.record, "created_at")
    if reading.record.confirmation is not UNSET:
        _respell_members(reading.record.confirmation, "decided_at", "expires_at")
    return spans


def _respell_members(record: Any, *names: str) -> None:
    for name in names:
        text = getattr(record, name)
        if text is not UNSET:
            setattr(record, name, stamp(text).text)


def _spans(results: list[Any]) -> Sequence[Span]:
    """What lies open where stamps are coarser than the finest one, as the laws of effects have it (B-06)."""
    told = [(stamp(each.started_at), stamp(each.ended_at)) for each in results]
    finest = min([min(start.resolution, end.resolution) for start, end in told], default=0)
    return [_span(start, end, finest) for start, end in told]


def _span(start: Stamp, end: Stamp, finest: int) -> Span:
    before, after = start.resolution - finest, end.resolution - finest
    if not before and not after:
        return start.text, end.text, start.text
    began, ended = start.nanoseconds, end.nanoseconds
    return text_of(began - before), text_of(ended + after), text_of(began + before)
