"""What many checks ask of one run is worked out once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from callproof.trace.run import Run

T = TypeVar("T")


def once_a_run(work: Callable[[Run], T]) -> Callable[[Run], T]:
    """
    The function, which answers again from memory while it is asked about the same run.

    Runs are judged one after another, so the last one is the only one worth keeping.
    """
    last: tuple[Run, T] | None = None

    @wraps(work)
    def answer(run: Run) -> T:
        nonlocal last
        known = last
        if known is None or known[0] is not run:
            known = last = (run, work(run))
        return known[1]

    return answer
