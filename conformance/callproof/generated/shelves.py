"""What a step can refer to, and templates made of it: if nothing fails, every reference leads to a value.

The values are those that the tools answer if nothing fails.  In a run something else may
happen; the oracle then uses what the tools really answered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from callproof.generated import odd
from callproof.generated.chances import between, chance, one_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Known:
    """A reference without its braces, and the values that it may lead to: one for each item of a loop."""

    text: str
    values: tuple[Json, ...]
    # Whether it is a binding of a loop, which is a reference only in braces.
    braced: bool = False

    @property
    def plain(self) -> bool:
        """Whether all languages write its values in the same way."""
        return all(map(odd.is_plain, self.values))


Shelf = Sequence[Known]


def reference(dice: Random, shelf: Shelf) -> Known:
    """One of the known references, or a part of it."""
    here = one_of(dice, shelf)
    while chance(dice, 65):
        below = _below(here)
        if not below:
            break
        here = one_of(dice, below)
    return here


def lists(shelf: Shelf) -> tuple[Known, ...]:
    """Every array that at most two segments lead to, as sources for loops."""
    near = [*shelf, *(inner for each in shelf for inner in _below(each))]
    every = [*near, *(inner for each in near[len(shelf) :] for inner in _below(each))]
    return tuple(each for each in every if not each.braced and len(each.values) == 1 and is_array(each.values[0]))


def template(dice: Random, shelf: Shelf, percent: int, depth: int = 2) -> Json:
    """A value for arguments: literals and references, nested, alone or inside longer text."""
    if depth and chance(dice, 30):
        count = between(dice, 1, 3)
        if chance(dice, 50):
            return [template(dice, shelf, percent, depth - 1) for _ in range(count)]
        names = ("a", "b", "$vars.v") if chance(dice, 10) else ("a", "b", "c d")
        return {name: template(dice, shelf, percent, depth - 1) for name in names[:count]}
    if not shelf or not chance(dice, percent):
        return odd.scalar(dice)
    found = reference(dice, shelf)
    if not found.plain or chance(dice, 60):
        return _written(dice, found, alone=True)
    text = (
        f"{one_of(dice, ('', 'see ', '$5 {} '))}{_written(dice, found, alone=False)}{one_of(dice, (' .', '', '.md'))}"
    )
    if chance(dice, 15):
        text += one_of(dice, (" $$steps.s1", " {{$vars.v}"))  # escaped, so text and not a reference (A61)
    return text


def _written(dice: Random, found: Known, *, alone: bool) -> str:
    """The reference as text; inside longer text braces mark its end, since segments are read greedily (A57)."""
    return f"{{{found.text}}}" if found.braced or not alone or chance(dice, 30) else found.text


def _below(known: Known) -> tuple[Known, ...]:
    """The members or elements that all values of a reference have."""
    first = known.values[0] if known.values else None
    if is_object(first):
        names = [name for name in first if all(is_object(each) and name in each for each in known.values)]
        return tuple(_member(known, name) for name in names)
    if is_array(first):
        shortest = min(len(each) if is_array(each) else 0 for each in known.values)
        return tuple(_element(known, place) for place in range(min(shortest, 3)))
    return ()


def _member(known: Known, name: str) -> Known:
    segment = f".{name}" if _NAME.fullmatch(name) else f"[{json.dumps(name)}]"
    inner = tuple(each[name] for each in known.values if is_object(each))
    return Known(known.text + segment, inner, known.braced)


def _element(known: Known, place: int) -> Known:
    inner = tuple(each[place] for each in known.values if is_array(each))
    return Known(f"{known.text}[{place}]", inner, known.braced)
