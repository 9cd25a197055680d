"""Values inside longer text: numbers, which each language spells in its own way (B-48, B-49), and members in any order.

``1`` and ``1.0``, ``1e-05`` and ``0.00001`` are one number.  What stands around the numbers is compared sign by sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_array, is_number, is_object

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")
_SPELLING = 400
_NAME = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*":')


# Places in a text where what was looked for may end.  There is more than one where a number stands beside digits
# that are no part of it: ``10`` and another ``10`` are written as ``1010``.
_Places = frozenset[int]


def spells(held: str, pieces: Iterable[str | tuple[Json]], *, any_order: bool = False) -> bool:
    """
    Whether a text is made of these pieces: each is literal text, or a value of which the text form stands there.

    With ``any_order`` members may stand in another order than the value has them in.
    """
    at = frozenset({0})
    for piece in pieces:
        at = _piece(held, at, piece, any_order=any_order)
    return len(held) in at


def standing(held: str, pieces: Sequence[str | tuple[Json]], *, any_order: bool = False) -> int:
    """How many of these pieces a text begins with, in their order."""
    at = frozenset({0})
    for number, piece in enumerate(pieces):
        at = _piece(held, at, piece, any_order=any_order)
        if not at:
            return number
    return len(pieces)


def _piece(held: str, at: _Places, piece: str | tuple[Json], *, any_order: bool) -> _Places:
    """Where a piece ends that begins at one of these places."""
    return _literal(held, at, piece) if isinstance(piece, str) else _value(held, at, piece[0], any_order=any_order)


def _literal(held: str, at: _Places, text: str) -> _Places:
    """Where a text ends that begins at one of these places of another one."""
    return frozenset({each + len(text) for each in at if held.startswith(text, each)})


def _value(held: str, at: _Places, value: Json, *, any_order: bool, inside: bool = False) -> _Places:
    """Where the text form of a value ends, with its numbers as numbers (A62)."""
    if is_object(value):
        opened = _literal(held, at, "{")
        ends = (_members(held, each, value, any_order=any_order) for each in opened)
        return frozenset[int]().union(*ends)
    if is_array(value):
        at = _literal(held, at, "[")
        for number, inner in enumerate(value):
            at = _value(held, _literal(held, at, "," if number else ""), inner, any_order=any_order, inside=True)
        return _literal(held, at, "]")
    if is_number(value):
        return frozenset({end for each in at for end in _number(held, each, value)})
    return _literal(held, at, value if isinstance(value, str) and not inside else write_json(value))


def _members(held: str, start: int, members: Mapping[str, Json], *, any_order: bool) -> _Places:
    """Where an object ends whose first member begins at a place; inside it, no number stands beside other digits."""
    left = {f"{write_json(name)}:": inner for name, inner in members.items()}
    at = frozenset({start})
    for number, own in enumerate(tuple(left)):
        at = _literal(held, at, "," if number else "")
        found = _NAME.match(held, min(at)) if at else None
        name = found.group() if found is not None else ""
        if name not in left or not (any_order or name == own):
            return frozenset()
        at = _value(held, _literal(held, at, name), left.pop(name), any_order=any_order, inside=True)
    return _literal(held, at, "}")


def _number(held: str, at: int, value: float) -> Iterator[int]:
    """Where a number of this value may end: a number goes on for as long as it is one, or gives digits to the next."""
    found = _NUMBER.match(held, at)
    if found is None:
        return
    longest = found.end()
    # The longest spelling of a double has some 330 digits; an integer that has more has one spelling.
    short = longest - at <= _SPELLING
    for end in range(longest, at, -1) if short else {longest, min(longest, at + len(write_json(value)))}:
        if _NUMBER.fullmatch(held, at, end) and _is_spelling(held[at:end], value):
            yield end


def _is_spelling(text: str, value: float) -> bool:
    return Decimal(text) == value if isinstance(value, int) else float(text) == value
