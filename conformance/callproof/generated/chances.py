"""How a generator chooses: by weight, from tuples, and always by the dice that it was handed.

The dice come from Hypothesis, so that a seed gives the same cases.  Knows no plan and no system.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def chance(dice: Random, percent: int) -> bool:
    """Whether something of this probability happens."""
    return dice.random() * 100 < percent


def one_of(dice: Random, choices: Sequence[T]) -> T:
    """One of several things, each as likely as the others."""
    return choices[dice.randrange(len(choices))]


def between(dice: Random, least: int, most: int) -> int:
    """A whole number, both ends included."""
    return dice.randint(least, most)


def some_of(dice: Random, choices: Sequence[T], percent: int) -> tuple[T, ...]:
    """Each of several things with this probability, in their order."""
    return tuple(each for each in choices if chance(dice, percent))
