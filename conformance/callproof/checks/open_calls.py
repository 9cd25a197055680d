"""Which calls were open when another began: by their events, on the wire, or by their stamps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from callproof.checks.dispatching import end_of, start_of, was_dispatched
from callproof.checks.precedence import ended_by
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Deed

# What two stamps of one file may lie apart and be one moment (A6).
_SLACK_NS = 50_000_000
_MS = 1_000_000


@once_a_run
def spans(run: Run) -> tuple[tuple[Attempt, tuple[Attempt, ...]], ...]:
    """Each call with events that began, and the calls that were open at that moment."""
    return tuple(_spans(run))


def _spans(run: Run) -> Iterator[tuple[Attempt, tuple[Attempt, ...]]]:
    begun = {each.call.call_id: each for each in run.attempts if each.events_of("step.started")}
    open_calls: dict[str | None, Attempt] = {}
    for event in run.events or ():
        attempt = begun.get(event.call_id)
        if attempt is None:
            continue
        if event.text("type") == "step.started":
            open_calls.pop(event.call_id, None)
            others = (each for each in open_calls.values() if not _is_over(each, event, attempt))
            yield attempt, tuple(each for each in others if not (run.finished and _lost_its_end(each)))
            open_calls[event.call_id] = attempt
        elif event.text("type") in {"step.finished", "step.failed"}:
            open_calls.pop(event.call_id, None)


def _lost_its_end(attempt: Attempt) -> bool:
    """Whether no record tells when a call ended; in a run that finished it did, and nobody knows when (LOG-07)."""
    return attempt.result is None and not attempt.events_of("step.finished", "step.failed")


def _is_over(other: Attempt, started: Record, attempt: Attempt) -> bool:
    return other.result is not None and ended_by(other.result, started, attempt.result)


@once_a_run
def deeds_at_once(run: Run) -> tuple[tuple[Deed, tuple[Deed, ...]], ...]:
    """Each invocation, and the invocations that were open when it came."""
    return tuple(_deeds_at_once(run))


def _deeds_at_once(run: Run) -> Iterator[tuple[Deed, tuple[Deed, ...]]]:
    ended: dict[str, int] = {}
    for result in run.results:
        if result.call_id is not None and result.arrival is not None:
            ended.setdefault(result.call_id, result.arrival)
    before: list[Deed] = []
    for deed in sorted(run.deeds or (), key=lambda each: each.arrival):
        # What is over by now is over for all that come: an endless system has many thousands of them.
        before = [each for each in before if _open_until(each, ended) > deed.arrival]
        yield deed, tuple(each for each in before if each.arrival < deed.arrival)
        before.append(deed)


def _open_until(deed: Deed, ended: dict[str, int]) -> float:
    answered = float(deed.answer.arrival) if deed.answer is not None else float("inf")
    return min(answered, float(ended.get(deed.call_id, answered)))


def overlapping(calls: Iterable[tuple[int, int, Attempt]], limit: int) -> Iterator[tuple[Attempt, tuple[Attempt, ...]]]:
    """Of calls from ``stamped``, those that began while so many others were open, with the others."""
    open_calls: list[tuple[int, int, Attempt]] = []
    for start, end, attempt in sorted(calls, key=lambda each: each[:2]):
        open_calls = [each for each in open_calls if each[1] > start]
        # A call whose end may lie before its latest beginning may have been over when another one began.
        others = tuple(each for began, _, each in open_calls if began < end)
        if len(others) >= limit:
            yield attempt, others
        open_calls.append((start, end, attempt))


def stamped(run: Run) -> Iterator[tuple[int, int, Attempt]]:
    """Without events: dispatched calls, with the latest moment of their beginning and the earliest of their end, ns."""
    for attempt in run.attempts if run.events is None and run.witnessed is None else ():
        start, end = start_of(attempt), end_of(attempt)
        if was_dispatched(attempt) and start is not None and end is not None:
            doubt = (start.resolution, end.resolution) if max(start.resolution, end.resolution) > _MS else (0, 0)
            yield start.nanoseconds + doubt[0] + _SLACK_NS, end.nanoseconds - doubt[1], attempt
