"""When calls ran, as far as their times tell, and which of them may have changed any path without reporting it."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from callproof.checks.dispatching import beginning, place_of_end, was_dispatched, writes
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run

NEVER: Final = -math.inf
FOREVER: Final = math.inf
# The span of a call whose times are unknown: it may have run at any time.
ALWAYS: Final = (NEVER, FOREVER)

# Beginning and end of a call, each in nanoseconds and with the line of its event, and which call it is.
Moment: TypeAlias = "tuple[int, float]"
Span: TypeAlias = "tuple[Moment, Moment, int]"


@once_a_run
def finest_stamp(run: Run) -> int:
    """The smallest resolution among the times of results; a coarser time is uncertain by the difference (B-06)."""
    stamps = (stamp for each in run.results for stamp in (each.began, each.ended))
    return min((each.resolution for each in stamps if each is not None), default=0)


def span_of(result: Record | None, finest: int) -> tuple[int, int] | None:
    """The longest span of time, as start and end, in which a call may have run, as far as its times tell."""
    start, end = (result.began, result.ended) if result is not None else (None, None)
    if start is None or end is None:
        return None
    return start.nanoseconds - start.resolution + finest, end.nanoseconds + end.resolution - finest


def told_span(attempt: Attempt, finest: int) -> tuple[Moment, Moment] | None:
    """The span of a call; without its events, it lies after all that ended, and before all that began, at its ends."""
    span = span_of(attempt.result, finest)
    if span is None:
        return None
    begun, closed = beginning(attempt), place_of_end(attempt)
    began = begun.source.line if begun is not None and closed is not None else math.inf
    return (span[0], began), (span[1], closed.line if closed is not None else -math.inf)


def overlap(spans: list[Span]) -> bool:
    """Whether any two of these sorted spans overlap."""
    last: Moment | None = None
    for start, end, _ in spans:
        if last is not None and start < last:
            return True
        last = end if last is None else max(last, end)
    return False


def meet(spans: list[Span], others: list[Span]) -> bool:
    """Whether any of these spans overlaps another call's span among the others, which do not overlap each other."""
    for span in spans:
        place = bisect_left(others, span)
        after = others[place] if place < len(others) else None
        if after != span and ((place and span[0] < others[place - 1][1]) or (after and after[0] < span[1])):
            return True
    return False


@once_a_run
def silent_writes(run: Run) -> Mapping[int, Attempt]:
    """Calls that may have changed any path, by identity: nobody observed their effects, or these are redacted."""
    writers = (each for each in run.attempts if was_dispatched(each) and writes(run, each))
    results = ((each, each.result) for each in writers)
    return {
        id(each): each
        for each, result in results
        if result is None or result.object("effects") is None or result.is_redacted_in("effects")
    }


@once_a_run
def silence(run: Run) -> Mapping[int, tuple[float, float]]:
    """
    The span in which each silent write may have run, in nanoseconds; one without a result runs on from its event.

    A call that ended but has no result did report its changes, and the report was lost: that is not silence.
    """
    silent = silent_writes(run).items()
    return {name: _span(each, finest_stamp(run)) for name, each in silent if not _was_lost(each)}


def silent_since(run: Run, attempts: Sequence[Attempt]) -> list[float]:
    """For each of these calls, the earliest beginning of a silent call that comes after it or is not among them."""
    silent = dict(silence(run))
    its = [silent.pop(id(attempt), None) for attempt in attempts]
    since = min((begin for begin, _ in silent.values()), default=FOREVER)
    found: list[float] = []
    for each in reversed(its):
        found.append(since)
        since = since if each is None else min(since, each[0])
    return found[::-1]


def _was_lost(attempt: Attempt) -> bool:
    return attempt.result is None and bool(attempt.events_of("step.finished", "step.failed"))


def _span(attempt: Attempt, finest: int) -> tuple[float, float]:
    if attempt.result is not None:
        return span_of(attempt.result, finest) or ALWAYS
    event = beginning(attempt)
    begun = event.instant("timestamp") if event is not None else None
    return (begun.nanoseconds - begun.resolution, FOREVER) if begun is not None else ALWAYS
