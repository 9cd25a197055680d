"""Runs without events (A36): when calls began and ended, known only from their results (A2)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.stamps import stamp
from callproof.auditing.prover.unproved import demand

# How far apart two stamps of one file may be and still count as one moment (A6), in nanoseconds.
_SLACK: Final = 50_000_000
_MS: Final = 1_000_000


def join_without_events(case: Case) -> None:
    """Decide for every call whether it began, and give beginnings and ends places in the order of the instants."""
    case.met |= f.WITHOUT_EVENTS
    case.has_events = False
    every = case.seen.values()
    ordered = sorted({each.started_at for each in every} | {each.ended_at for each in every})
    places = {text: 2 * place for place, text in enumerate(ordered)}
    for seen in every:
        seen.closed = places[seen.ended_at]
        if seen.call is not None and _began(seen):
            seen.started = places[seen.started_at] + 1


def _began(seen: Seen) -> bool:
    if seen.status == "skipped" or seen.error.calls_it_refused:
        return False
    return not (seen.status == "cancelled" and seen.took == 0)


def prove_open_calls(case: Case) -> None:
    """DEP-03, which without events is judged by the stamps."""
    prove_at_once(case, [each for each in case.calls if each.dispatched], case.policy.max_concurrency)


def prove_at_once(case: Case, dispatched: Iterable[Seen], limit: int) -> None:
    """No more calls are open at once than permitted, as far as their stamps show (DEP-03, LOOP-14)."""
    still_open: list[tuple[int, int]] = []
    for start, end in sorted(_open_for_certain(case, each) for each in dispatched):
        still_open = [each for each in still_open if each[1] > start]
        others = sum(began < end for began, _ in still_open)
        demand(others < limit, "more calls at once than permitted, by their stamps")
        still_open.append((start, end))


def _open_for_certain(case: Case, seen: Seen) -> tuple[int, int]:
    """The latest moment at which a call can have begun and the earliest at which it can have ended, in nanoseconds."""
    start, end = case.stamps[seen.line] if case.stamps else (stamp(seen.started_at), stamp(seen.ended_at))
    coarse = max(start.resolution, end.resolution) > _MS
    return start.nanoseconds + _SLACK + start.resolution * coarse, end.nanoseconds - end.resolution * coarse
