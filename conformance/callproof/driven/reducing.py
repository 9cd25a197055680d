"""A case made smaller, for as long as it goes on showing what it showed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

# So many cases are had at most to make one smaller.
_TRIALS: Final = 80


def smallest(case: T, smaller: Callable[[T], Iterator[T]], shows: Callable[[T], bool]) -> T:
    """
    The smallest case that was found by leaving out one thing after the other.

    ``smaller`` gives the cases that have one thing less than another, and ``shows`` has a case and says.
    """
    trials = iter(range(_TRIALS))
    while (found := next((each for each, _ in zip(smaller(case), trials) if shows(each)), None)) is not None:
        case = found
    return case
