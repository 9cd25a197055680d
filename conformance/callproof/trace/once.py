"""What many checks ask of one run, or of its plan, is worked out once."""

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
    The function, which answers again from memory while it is asked about the same run.

    Runs are judged one after another, so the last one is the only one worth keeping.
    """
    return _remembering_the_last(work)


def once_a_plan(work: Callable[[Plan], T]) -> Callable[[Plan], T]:
    """The same for what is asked of a plan."""
    return _remembering_the_last(work)


def forget() -> None:
    """
    Let go of the last run and its plan, which nobody asks about any more.

    Else they live on until the next one is asked about, and every search for garbage until then goes through them.
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
