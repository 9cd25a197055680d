"""Which calls were open when another began: by their events, on the wire, or by their stamps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import islice, takewhile

from callproof.checks.dispatching import end_of, start_of, was_dispatched
from callproof.checks.precedence import ended_by
from callproof.trace.once import once_a_run
from callproof.trace.records import Kind, Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Deed
from callproof.values.counts import counted

# Two stamps of one file that lie this far apart may still be one moment (A6).
_SLACK_NS = 50_000_000
_MS = 1_000_000
# How many open calls are counted beyond those that are permitted.
_COUNTED_BEYOND = 20


def begun(
    run: Run, permitted: Callable[[Attempt], int], *, of_its_loop: bool = False
) -> Iterator[tuple[Attempt, tuple[Attempt, ...]]]:
    """
    Each call with events that began, and the calls that were open at that moment, if they may be too many.

    ``permitted`` is how many may be open with it; ``of_its_loop`` counts other iterations of its own step only.  If
    very many are open, the rest is not counted, so that thousands that ran at once can be judged like others.
    """
    known = {each.call.call_id: each for each in run.attempts if each.dispatched}
    open_calls: dict[str | None, dict[str | None, Attempt]] = {}
    iterations: Counter[tuple[str | None, int | None]] = Counter()
    for event in run.events_of("step.started", "step.finished", "step.failed"):
        attempt = known.get(event.call_id)
        if attempt is None:
            continue
        call = attempt.call
        here, iteration = open_calls.setdefault(call.step_id if of_its_loop else None, {}), _iteration(call)
        iterations[iteration] -= here.pop(event.call_id, None) is not None
        if event.text("type") == "step.started":
            limit = permitted(attempt)
            alike = iterations[iteration] if of_its_loop else 0
            others = (each for each in here.values() if not alike or is_beside(call, each.call))
            too_many = len(here) - alike >= limit
            yield attempt, _told(_still_open(run, others, event, attempt), limit) if too_many else ()
            here[event.call_id] = attempt
            iterations[iteration] += 1


def _most_told(limit: int) -> int:
    return max(limit, 0) + _COUNTED_BEYOND


def _told(others: Iterable[Attempt], limit: int) -> tuple[Attempt, ...]:
    """The first of some calls, of which there are about ``limit`` or more: so ``islice`` can count up to it."""
    return tuple(islice(others, _most_told(limit)))


def others_told(number: int, limit: int) -> str:
    """How many others were open beside a call, in words; of very many the rest was not counted."""
    return f"{'at least ' if number >= _most_told(limit) else ''}{counted(number, 'other')}"


def untold_ends(others: Sequence[Attempt], limit: int) -> tuple[Kind, ...]:
    """The ``misses`` of a finding on open calls: none if the ends of at least ``limit`` of these are on record."""
    known = sum(each.result is not None and bool(each.events_of("step.finished", "step.failed")) for each in others)
    return () if known >= limit else (Kind.RESULT, Kind.EVENT)


def is_beside(one: Record, other: Record) -> bool:
    """Whether two calls are of one loop and of two iterations."""
    return one.step_id == other.step_id and one.iteration_index != other.iteration_index


def _iteration(call: Record) -> tuple[str | None, int | None]:
    return call.step_id, call.iteration_index


def _still_open(run: Run, others: Iterable[Attempt], started: Record, attempt: Attempt) -> Iterator[Attempt]:
    for each in others:
        if not _is_over(each, started, attempt) and not (run.finished and _lost_its_end(each)):
            yield each


def _lost_its_end(attempt: Attempt) -> bool:
    """Whether no record tells when a call ended; in a finished run it did end, at an unknown time (LOG-07)."""
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
        # A call that is over now is over for all later ones: an endless system has many thousands of calls.
        before = [each for each in before if _open_until(each, ended) > deed.arrival]
        yield deed, tuple(each for each in before if each.arrival < deed.arrival)
        before.append(deed)


def _open_until(deed: Deed, ended: dict[str, int]) -> float:
    answered = float(deed.answer.arrival) if deed.answer is not None else float("inf")
    return min(answered, float(ended.get(deed.call_id, answered)))


def overlapping(
    calls: Iterable[tuple[int, int, Attempt]], limit: int, *, of_its_loop: bool = False
) -> Iterator[tuple[Attempt, tuple[Attempt, ...]]]:
    """Calls from ``stamped`` that began while ``limit`` or more others were open, with these, as in ``begun``."""
    # The open calls by number, in the order of their beginnings; and these numbers by the ends.
    open_calls: dict[int, tuple[int, Attempt]] = {}
    ends: list[tuple[int, int]] = []
    for number, (start, end, attempt) in enumerate(sorted(calls, key=lambda each: each[:2])):
        while ends and ends[0][0] <= start:
            del open_calls[heappop(ends)[1]]
        if len(open_calls) >= limit:
            # A call whose end may lie before its latest beginning may have been over when another one began.
            others = (each for _, each in takewhile(partial(_began_before, end), open_calls.values()))
            beside = (each for each in others if not of_its_loop or is_beside(attempt.call, each.call))
            found = _told(beside, limit)
            if len(found) >= limit:
                yield attempt, found
        open_calls[number] = start, attempt
        heappush(ends, (end, number))


def _began_before(end: int, other: tuple[int, Attempt]) -> bool:
    return other[0] < end


def stamped(run: Run) -> Iterator[tuple[int, int, Attempt]]:
    """Without events: dispatched calls, with the latest moment of their beginning and the earliest of their end, ns."""
    for attempt in run.attempts if run.events is None and run.witnessed is None else ():
        start, end = start_of(attempt), end_of(attempt)
        if was_dispatched(attempt) and start is not None and end is not None:
            doubt = (start.resolution, end.resolution) if max(start.resolution, end.resolution) > _MS else (0, 0)
            yield start.nanoseconds + doubt[0] + _SLACK_NS, end.nanoseconds - doubt[1], attempt
