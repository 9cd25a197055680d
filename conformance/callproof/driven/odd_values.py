"""Random JSON values that no person would write."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from callproof.values.jsontext import Json


def odd_value(dice: Random, texts: Sequence[str], numbers: Sequence[Json], depth: int) -> Json:
    """A random value of these texts and numbers, in lists and objects nested up to a depth."""
    kind = dice.randrange(6 if depth else 4)
    if kind == 0:
        return dice.choice((None, True, False))
    if kind == 1:
        return dice.choice(numbers)
    if kind < 4:
        return dice.choice(texts)
    if kind == 4:
        return [odd_value(dice, texts, numbers, depth - 1) for _ in range(dice.randrange(3))]
    return {dice.choice(texts): odd_value(dice, texts, numbers, depth - 1) for _ in range(dice.randrange(3))}
