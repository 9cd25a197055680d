"""How a generator chooses: by weight, from tuples, and always with the dice that the caller passes.

Of the methods of Python's ``Random`` only ``random()`` is guaranteed to give the same numbers in every version,
so every choice uses only that.  Does not know about plans and systems.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def dice_of(seed: int, place: int) -> Random:
    """The dice of the case at this place of a seed: the same in every process and on every machine."""
    return Random(f"{seed}:{place}")  # noqa: S311  cases, and no secret


def chance(dice: Random, percent: int) -> bool:
    """Whether something with this probability happens."""
    return dice.random() * 100 < percent


def between(dice: Random, least: int, most: int) -> int:
    """A whole number, both ends included."""
    return least + int(dice.random() * (most - least + 1))


def one_of(dice: Random, choices: Sequence[T]) -> T:
    """One of several things, all equally likely."""
    return choices[between(dice, 0, len(choices) - 1)]


def some_of(dice: Random, choices: Sequence[T], percent: int) -> tuple[T, ...]:
    """Each of several things with this probability, in their order."""
    return tuple(each for each in choices if chance(dice, percent))


def in_any_order(dice: Random, things: Sequence[T]) -> list[T]:
    """The same things in a random order."""
    return sorted(things, key=lambda _: dice.random())
