"""The instants of a run: read, brought to one spelling, and judged by the laws that need nothing else."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import chain
from operator import gt
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from callproof.auditing.prover.reading import Reading
from callproof.auditing.prover.stamps import Stamps, instants, stamp
from callproof.auditing.prover.unproved import Unproved, demand

# What TIME-07 permits, less the part of a millisecond that is lost to rounding here.
_SLACK_MS: Final = 49
_MS: Final = timedelta(milliseconds=1)


class _Columns(NamedTuple):
    """Every instant of a run, in the spelling of its records."""

    starts: list[str]
    ends: list[str]
    created: list[str]
    told: list[str]
    other: list[str]


def prove_times(reading: Reading) -> Stamps:
    """
    Records stand in their order, and durations agree with their stamps.

    If the instants of a run are spelt in several ways, its records have them in one spelling afterwards.  The original
    two stamps of each result are returned, in the order of the lines; none if all are spelt alike.
    """
    # In a run without events only its results show that it came to its end.
    demand(reading.results if reading.events is None else reading.events, "no events, or no results without them")
    stamps: Stamps = ()
    columns = _columns(reading)
    try:
        known = instants(list(chain(*columns)))
    except Unproved:
        stamps = _respell(reading)
        columns = _columns(reading)
        known = instants(list(chain(*columns)))
    _prove_order(columns, [each.duration_ms for each in reading.results], known)
    return stamps


def _columns(reading: Reading) -> _Columns:
    results, calls, record = reading.results, reading.calls, reading.record
    other = [each.deadline_at for each in calls if each.deadline_at is not UNSET]
    if record.confirmation is not UNSET:
        other.append(record.confirmation.decided_at)
        if record.confirmation.expires_at is not UNSET:
            other.append(record.confirmation.expires_at)
    if record.created_at is not UNSET:
        other.append(record.created_at)
    starts, ends = [each.started_at for each in results], [each.ended_at for each in results]
    created, told = [each.created_at for each in calls], [each.timestamp for each in reading.events or ()]
    return _Columns(starts, ends, created, told, other)


def _prove_order(columns: _Columns, took: list[Any], known: list[datetime]) -> None:
    """``known`` are the instants of the columns, first those of all starts, then those of all ends."""
    starts, ends, created, told, _ = columns
    if created != sorted(created) or told != sorted(told):
        raise Unproved("calls or events out of order")
    if created and told:
        demand(told[0] <= created[0], "a call from before the run")
    if starts:
        demand(not any(map(gt, starts, ends)), "an end before its start")
        for told_ms, start, end in zip(took, known, known[len(starts) :]):
            if abs(told_ms - (end - start) // _MS) >= _SLACK_MS:
                raise Unproved("a duration")
        demand(not told or (told[0] <= min(starts) and max(ends) <= told[-1]), "a result outside of the run")


def _respell(reading: Reading) -> Stamps:
    """Rewrite every instant of the records in one spelling; return the original stamps of the results."""
    stamps = [(stamp(each.started_at), stamp(each.ended_at)) for each in reading.results]
    for result in reading.results:
        _respell_members(result, "started_at", "ended_at")
    for call in reading.calls:
        _respell_members(call, "created_at", "deadline_at")
    for event in reading.events or ():
        _respell_members(event, "timestamp")
    _respell_members(reading.record, "created_at")
    if reading.record.confirmation is not UNSET:
        _respell_members(reading.record.confirmation, "decided_at", "expires_at")
    return stamps


def _respell_members(record: Any, *names: str) -> None:
    for name in names:
        text = getattr(record, name)
        if text is not UNSET:
            setattr(record, name, stamp(text).text)
