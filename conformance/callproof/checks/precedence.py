"""Whether a call began before another one had ended, as certainly as the evidence allows.

On one wire the order of messages shows it.  In a log the order of events shows it, unless
the instants contradict it: a closing event may come late.  Without events only the instants
are left, with the tolerance of ruling A34.  If nothing settles it, the answer is no.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, islice
from math import inf

from callproof.trace.once import once_a_run
from callproof.trace.records import Record, order, order_of_instants
from callproof.trace.run import Attempt, Run


def began_before_the_end(run: Run, attempt: Attempt, end: Record) -> bool:
    """Whether the call was certainly dispatched before the call of the result ``end`` had ended."""
    other = run.attempt_by_call_id.get(end.call_id or "")
    if attempt.deeds and other is not None and other.deeds:
        answers = [deed.answer.arrival for deed in other.deeds if deed.answer is not None]
        # An answer after the result is late, and the call had ended before it (RES-20).
        ended = min(max(answers), max(answers) if end.arrival is None else end.arrival) if answers else 0
        return min(deed.arrival for deed in attempt.deeds) < ended
    started = next(iter(attempt.events_of("step.started")), None)
    closing = _closing(run, end)
    if started is not None and closing is not None:
        return order(started, closing) == -1 and not ended_by(end, started, attempt.result)
    result = attempt.result
    began = started.moment if started is not None else result.began if result is not None else None
    return order_of_instants(began, end.ended) == -1


def began_after_the_end(run: Run, attempt: Attempt, end: Record) -> bool:
    """Whether the call was certainly dispatched after the call of the result ``end`` had ended."""
    if attempt.deeds and end.arrival is not None:
        return min(deed.arrival for deed in attempt.deeds) > end.arrival
    started = next(iter(attempt.events_of("step.started")), None)
    closing = _closing(run, end)
    if started is not None and closing is not None:
        began, ended = started.moment, end.ended
        early = began is not None and ended is not None and began.nanoseconds < ended.nanoseconds
        return order(started, closing) == 1 and not early
    result = attempt.result
    began = started.moment if started is not None else result.began if result is not None else None
    return order_of_instants(began, end.ended) == 1


def not_awaited(run: Run, attempt: Attempt, ends: tuple[Record, ...]) -> Record | None:
    """The last of some results whose calls had certainly not ended when the call was dispatched; None for none."""
    if run.witnessed is None and not _may_precede(attempt, _latest(run, ends)):
        return None
    return next((end for end in reversed(ends) if began_before_the_end(run, attempt, end)), None)


def first_after(run: Run, end: Record) -> Attempt | None:
    """A call that was certainly dispatched after the call of the result ``end`` had ended; the first in a log."""
    others = run.attempts if run.witnessed is not None else _begun_since(run, end)
    entered = (each for each in others if (each.dispatched or each.deeds) and each.call.call_id != end.call_id)
    return next((each for each in entered if began_after_the_end(run, each, end)), None)


@dataclass(frozen=True, slots=True)
class _Latest:
    """
    The latest ends of some calls in a log, in ns: ``ended`` among all, ``unclosed`` among those without a closing line.

    ``closing`` are the lines that close the others, in order.  ``since`` gives for each of these the latest end of the
    calls that it and the lines after it close; an end that no record tells counts as the latest of all.
    """

    ended: float
    unclosed: float
    closing: list[int]
    since: list[float]


def _latest(run: Run, ends: tuple[Record, ...]) -> _Latest:
    known = _known_latest(run)
    if id(ends) not in known:
        closed = [(end, _closing(run, end)) for end in ends]
        told = sorted((closing.source.line, _moment(end, inf)) for end, closing in closed if closing is not None)
        since = [*accumulate(reversed([moment for _, moment in told]), max)][::-1]
        unclosed = max((_moment(end) for end, closing in closed if closing is None), default=-inf)
        ended = max(map(_moment, ends), default=-inf)
        known[id(ends)] = ends, _Latest(ended, unclosed, [line for line, _ in told], since)
    return known[id(ends)][1]


@once_a_run
def _known_latest(_run: Run) -> dict[int, tuple[tuple[Record, ...], _Latest]]:
    """By the identity of the results, which are kept so that no others get it: thousands may wait for a loop."""
    return {}


def _moment(end: Record, untold: float = -inf) -> float:
    ended = end.ended
    return untold if ended is None else ended.nanoseconds


def _may_precede(attempt: Attempt, latest: _Latest) -> bool:
    """Whether a call in a log may have begun before the last of some had ended; if not, all had ended by then."""
    started = next(iter(attempt.events_of("step.started")), None)
    began = attempt.result.began if attempt.result is not None else None
    if started is None:
        return began is not None and began.nanoseconds < latest.ended
    moment = started.moment
    behind = bisect_right(latest.closing, started.source.line)
    # A call that ended before either moment was over by then, however late its closing event comes.
    begun = max((each.nanoseconds for each in (moment, began) if each is not None), default=-inf)
    by_line = behind < len(latest.closing) and latest.since[behind] >= begun
    return by_line or (moment is not None and moment.nanoseconds < latest.unclosed)


def _begun_since(run: Run, end: Record) -> Iterable[Attempt]:
    """The calls of a log that may have begun after a result, in the order of their beginnings if that is known."""
    closing, told = _closing(run, end), _by_beginning(run)
    if run.events is not None and closing is None:
        return run.attempts
    first = bisect_right(told.places, _moment(end) if closing is None else closing.source.line)
    none_is_late = first == len(told.latest) or told.latest[first] < _moment(end)
    return () if none_is_late else islice(told.begun, first, None)


@dataclass(frozen=True, slots=True)
class _Beginnings:
    """
    The calls that began, in the order of the events that say so, or without events in the order of their moments.

    ``places`` are the lines or the moments; ``latest`` is the last moment of a call and all after it, in ns.
    """

    begun: list[Attempt]
    places: list[float]
    latest: list[float]


@once_a_run
def _by_beginning(run: Run) -> _Beginnings:
    placed = ((_beginning(run, each), each) for each in run.attempts)
    begun = sorted(((*where, each) for where, each in placed if where is not None), key=lambda each: each[:2])
    moments = [moment for _, moment, _ in begun]
    latest = [*accumulate(reversed(moments), max)][::-1]
    return _Beginnings([each for _, _, each in begun], [place for place, _, _ in begun], latest)


def _beginning(run: Run, attempt: Attempt) -> tuple[float, float] | None:
    """Where a call of a log began, and when; a moment that no record tells counts as the latest of all."""
    if run.events is None:
        began = attempt.result.began if attempt.result is not None else None
        return None if began is None else (began.nanoseconds, began.nanoseconds)
    started = next(iter(attempt.events_of("step.started")), None)
    if started is None:
        return None
    return started.source.line, inf if started.moment is None else started.moment.nanoseconds


def _closing(run: Run, end: Record) -> Record | None:
    other = run.attempt_by_call_id.get(end.call_id or "")
    return next(iter(other.events_of("step.finished", "step.failed")), None) if other is not None else None


def ended_by(end: Record, started: Record, result: Record | None) -> bool:
    """
    Whether instants show that a call with the result ``end`` was over when another began, however late its closing.

    The other began with its dispatch, which its ``result`` tells and its ``step.started`` may precede (EVT-06).
    Stamps of one moment may be of different resolutions (B-06, B-67).
    """
    ended = end.ended
    told = (started.moment, result.began if result is not None else None)
    begun = [each for each in told if each is not None]
    return ended is not None and any(
        ended.nanoseconds < each.nanoseconds + max(ended.resolution, each.resolution) for each in begun
    )
