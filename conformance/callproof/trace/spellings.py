"""Values inside longer text: numbers, which each language spells in its own way (B-48, B-49), and members in any order.

``1`` and ``1.0``, ``1e-05`` and ``0.00001`` are one number.  What stands around the numbers is compared sign by sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_array, is_number, is_object

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")
_NAME = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*":')


def spells(held: str, pieces: Iterable[str | tuple[Json]], *, any_order: bool = False) -> bool:
    """
    Whether a text is made of these pieces: each is literal text, or a value of which the text form stands there.

    With ``any_order`` members may stand in another order than the value has them in.
    """
    at: int | None = 0
    for piece in pieces:
        at = _literal(held, at, piece) if isinstance(piece, str) else _value(held, at, piece[0], any_order=any_order)
        if at is None:
            return False
    return at == len(held)


def _literal(held: str, at: int | None, text: str) -> int | None:
    """Where a text ends that begins at a place of another one; None where something else stands there."""
    return at + len(text) if at is not None and held.startswith(text, at) else None


def _value(held: str, at: int | None, value: Json, *, any_order: bool, inside: bool = False) -> int | None:
    """Where the text form of a value ends, with its numbers as numbers (A62)."""
    if is_object(value):
        return _members(held, _literal(held, at, "{"), value, any_order=any_order)
    if is_array(value):
        at = _literal(held, at, "[")
        for number, inner in enumerate(value):
            at = _value(held, _literal(held, at, "," if number else ""), inner, any_order=any_order, inside=True)
        return _literal(held, at, "]")
    if is_number(value):
        return _number(held, at, value)
    return _literal(held, at, value if isinstance(value, str) and not inside else write_json(value))


def _members(held: str, at: int | None, members: Mapping[str, Json], *, any_order: bool) -> int | None:
    left = {f"{write_json(name)}:": inner for name, inner in members.items()}
    for number, own in enumerate(tuple(left)):
        at = _literal(held, at, "," if number else "")
        found = _NAME.match(held, at) if at is not None else None
        name = found.group() if found is not None else ""
        if at is None or name not in left or not (any_order or name == own):
            return None
        at = _value(held, at + len(name), left.pop(name), any_order=any_order, inside=True)
    return _literal(held, at, "}")


def _number(held: str, at: int | None, value: float) -> int | None:
    found = _NUMBER.match(held, at) if at is not None else None
    if found is None:
        return None
    same = Decimal(found.group()) == value if isinstance(value, int) else float(found.group()) == value
    return found.end() if same else None
