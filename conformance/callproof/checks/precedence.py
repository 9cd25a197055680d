"""Whether a call began before another one had ended, as certainly as the evidence allows.

On one wire the order of messages says so.  In a log the order of events does, unless the
instants acquit: a closing event may be told late.  Without events only the instants are left,
with the tolerance of ruling A34.  Where nothing settles it, the answer is no.
"""

from __future__ import annotations

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
    began = started.moment if started is not None else result.instant("startedAt") if result is not None else None
    return order_of_instants(began, end.instant("endedAt")) == -1


def began_after_the_end(run: Run, attempt: Attempt, end: Record) -> bool:
    """Whether the call was certainly dispatched after the call of the result ``end`` had ended."""
    if attempt.deeds and end.arrival is not None:
        return min(deed.arrival for deed in attempt.deeds) > end.arrival
    started = next(iter(attempt.events_of("step.started")), None)
    closing = _closing(run, end)
    if started is not None and closing is not None:
        began, ended = started.moment, end.instant("endedAt")
        early = began is not None and ended is not None and began.nanoseconds < ended.nanoseconds
        return order(started, closing) == 1 and not early
    result = attempt.result
    began = started.moment if started is not None else result.instant("startedAt") if result is not None else None
    return order_of_instants(began, end.instant("endedAt")) == 1


def _closing(run: Run, end: Record) -> Record | None:
    other = run.attempt_by_call_id.get(end.call_id or "")
    return next(iter(other.events_of("step.finished", "step.failed")), None) if other is not None else None


def ended_by(end: Record, started: Record, result: Record | None) -> bool:
    """
    Whether instants show that a call with the result ``end`` was over when another one began, however late its closing.

    That one began with its dispatch, which its ``result`` tells and its ``step.started`` may precede (EVT-06).
    Stamps of one moment may be of different resolutions (B-06, B-67).
    """
    ended = end.instant("endedAt")
    told = (started.moment, result.instant("startedAt") if result is not None else None)
    begun = [each for each in told if each is not None]
    return ended is not None and any(
        ended.nanoseconds < each.nanoseconds + max(ended.resolution, each.resolution) for each in begun
    )
