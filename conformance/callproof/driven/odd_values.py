"""Random JSON values that no person would write."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from callproof.values.jsontext import Json

# Texts that a system may change without meaning to: by trimming them, by composing their signs, by making other line
# ends of theirs, by dropping signs that cannot be seen, and by taking texts for numbers or flags.
ODD_TEXTS: Final = (
    " \t\u00a0swifts leave in July\u3000 \r\n",
    "\n\nswifts",
    "cafe\u0301",
    "\u212bngstro\u0308m \ufb01",
    "one\u2028two\u2029three\u0085four",
    "one\r\ntwo\rthree",
    "swi\ufefffts",
    "swi\u200dfts\u202e",
    "007",
    "1e3",
    "-0.0",
    "true",
    "null",
)


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
