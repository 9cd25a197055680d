"""What belongs together in a run's files, and what checks cannot say about it.

A record with another ``runId`` still belongs to the run if something ties it to the
run: a ``callId`` that records with the right id have too.  Without any tie it is a
stray (CALL-03, LOG-22).  If two calls share a ``callId``, a record with it belongs to
neither for certain (CALL-02).  The content of a line that could not be read is unknown.
This way one mistake is reported under one requirement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from callproof.trace.once import once_a_run
from callproof.trace.records import Kind, Record
from callproof.trace.run import UNREAD, Attempt, FlawKind, Run


@once_a_run
def strays(run: Run) -> tuple[Record, ...]:
    """Records of other runs: their ``runId`` differs and no record of this run shares their call."""
    foreign = tuple(each for each in run.records if each.text("runId") not in (None, "", run.run_id))
    if not foreign:
        return ()
    own = tuple(each for each in run.records if each.text("runId") == run.run_id)
    ties = {each.call_id for each in own}
    return tuple(each for each in foreign if own and not _tied(each, ties))


def own_records(run: Run) -> tuple[Record, ...]:
    """The run record and every call, result and event that is not a stray."""
    away = set(map(id, strays(run)))
    head = (run.run_record,) if run.run_record is not None else ()
    return (*head, *(each for each in run.records if id(each) not in away))


@once_a_run
def shared_names(run: Run) -> frozenset[str]:
    """The ``callId``s that more than one call record has."""
    uses = Counter(call.call_id for call in run.calls)
    return frozenset(name for name, count in uses.items() if name is not None and count > 1)


@once_a_run
def named_attempts(run: Run) -> tuple[Attempt, ...]:
    """The calls whose ``callId`` no other call has."""
    shared = shared_names(run)
    return tuple(attempt for attempt in run.attempts if attempt.call.call_id not in shared)


def unread_lines(run: Run, kind: Kind) -> int:
    """How many of the lines that gave no record may have held a record of this kind."""
    return _unread_lines(run)[kind]


@once_a_run
def _unread_lines(run: Run) -> Mapping[Kind, int]:
    return {kind: sum(flaw.lines for flaw in run.flaws if flaw.may_hold(kind)) for kind in Kind}


# Flaws of lines that were written and gave no record.
_WRITTEN = frozenset(FlawKind) - {FlawKind.BLANK, FlawKind.MISSING, *UNREAD}


def in_their_places(run: Run, kind: Kind, records: Sequence[Record]) -> tuple[Record | None, ...] | None:
    """
    The records of one kind in the order of their file, with None for each line that gave no record (LOG-21).

    None if the positions of such lines among the others are unknown.
    """
    flaws = [each for each in run.flaws if each.kind in _WRITTEN and each.may_hold(kind)]
    if any(each.lines > 1 or each.of is None for each in flaws):
        return None
    lines: dict[int, Record | None] = {each.source.line: None for each in flaws}
    lines |= {each.source.line: each for each in records}
    if not flaws:
        return tuple(records)
    return tuple(lines[each] for each in sorted(lines)) if len(lines) == len(flaws) + len(records) else None


def torn_lines(run: Run, kind: Kind) -> tuple[str, ...]:
    """What is to be said of the last line of the file of a kind, if it was never ended and holds no record."""
    torn = (each for each in run.flaws if each.kind is FlawKind.TORN and each.may_hold(kind))
    return tuple(f"{each.source.file}: {each.says}" for each in torn)


def lines_of(run: Run, kind: Kind) -> int:
    """How many whole lines that were written and gave no record may have held a record of this kind."""
    whole = _WRITTEN - {FlawKind.TORN}
    return sum(flaw.lines for flaw in run.flaws if flaw.kind in whole and flaw.may_hold(kind))


def missing_of(run: Run, kind: Kind, number: int) -> tuple[Kind, ...]:
    """The ``misses`` of a finding that this many records of a kind are absent: none if unread lines are too few."""
    return (kind,) if number <= unread_lines(run, kind) else ()


@once_a_run
def unanswered(run: Run) -> frozenset[str | None]:
    """The ``callId``s of calls that have no result, as far as the log could be read."""
    return frozenset(attempt.call.call_id for attempt in named_attempts(run) if not attempt.results)


@once_a_run
def uncalled(run: Run) -> frozenset[str | None]:
    """The ``callId``s of results and events that have no call, as far as the log could be read.

    Calls that were never built need none; if lines could not be read, results that may be of such calls do not count.
    """
    known = run.attempt_by_call_id
    named = {each.call_id for each in (*run.results, *(run.events or ())) if each.call_id is not None}
    lacking = named - known.keys()
    if unread_lines(run, Kind.CALL) == 0:
        return frozenset(lacking)
    return frozenset(lacking - {result.call_id for result in run.results if _may_be_unbuilt(result)})


@once_a_run
def missing_calls(run: Run) -> tuple[Kind, ...]:
    """
    The ``misses`` of a finding that rests on ``uncalled``: none if unread lines cannot have held all these calls.

    A call that only events name may never have been built, and its result may be on such a line.
    """
    lost, calls = uncalled(run), unread_lines(run, Kind.CALL)
    by_results = sum(name in lost for name in {each.call_id for each in run.results})
    certain = by_results > calls or len(lost) > calls + unread_lines(run, Kind.RESULT)
    return () if certain else (Kind.CALL,)


def _may_be_unbuilt(result: Record) -> bool:
    error = result.object("error") or {}
    return result.text("status") == "skipped" or error.get("code") == "VALIDATION_ERROR"


def _tied(record: Record, ties: set[str | None]) -> bool:
    return record.call_id is not None and record.call_id in ties if record.kind is not Kind.RUN else True
