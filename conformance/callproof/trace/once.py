"""Remember what many checks ask of one run, or of its plan, so that it is worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from callproof.trace.plan import Plan
from callproof.trace.run import Run

S = TypeVar("S")
T = TypeVar("T")

_FORGETTING: list[Callable[[], None]] = []


def once_a_run(work: Callable[[Run], T]) -> Callable[[Run], T]:
    """
    The function, with a memory of its answer for the last run that it was asked about.

    Runs are judged one after another, so only the last one is worth keeping.
    """
    return _remembering_the_last(work)


def once_a_plan(work: Callable[[Plan], T]) -> Callable[[Plan], T]:
    """The same for functions of a plan."""
    return _remembering_the_last(work)


def forget() -> None:
    """
    Drop the last run and its plan, which no check needs any more.

    Else they stay in memory until a check asks about the next run, and every garbage collection walks through them.
    """
    for each in _FORGETTING:
        each()


def _remembering_the_last(work: Callable[[S], T]) -> Callable[[S], T]:
    last: tuple[S, T] | None = None

    def let_go() -> None:
        nonlocal last
        last = None

    _FORGETTING.append(let_go)

    @wraps(work)
    def answer(subject: S) -> T:
        nonlocal last
        known = last
        if known is None or known[0] is not subject:
            known = last = (subject, work(subject))
        return known[1]

    return answer
