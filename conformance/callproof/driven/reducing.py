"""Making a case smaller for as long as it still shows what it showed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

T = TypeVar("T")

# At most this many cases are played to make one smaller.
_TRIALS: Final = 80


def smallest(case: T, smaller: Callable[[T], Iterator[T]], shows: Callable[[T], bool]) -> T:
    """
    The smallest case that was found by leaving out one thing after the other.

    ``smaller`` gives the cases that have one thing less than another; ``shows`` plays a case and says if it shows it.
    """
    trials = iter(range(_TRIALS))
    while (found := next((each for each, _ in zip(smaller(case), trials) if shows(each)), None)) is not None:
        case = found
    return case
