"""Numbers inside longer text, which each language spells in its own way (B-48, B-49).

``1`` and ``1.0``, ``1e-05`` and ``0.00001`` are one number.  What stands around the numbers is compared sign by sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_array, is_number, is_object

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")


def spells(held: str, pieces: Iterable[str | tuple[Json]]) -> bool:
    """Whether a text is made of these pieces: each is literal text, or a value of which the text form stands there."""
    at = 0
    for piece in pieces:
        for chunk in (piece,) if isinstance(piece, str) else _chunks(piece[0]):
            end = _end_of(held, at, chunk)
            if end is None:
                return False
            at = end
    return at == len(held)


def _end_of(held: str, at: int, chunk: str | int | float) -> int | None:
    """Where a chunk ends that begins at a place of the text; None where something else stands there."""
    if isinstance(chunk, str):
        return at + len(chunk) if held.startswith(chunk, at) else None
    found = _NUMBER.match(held, at)
    if found is None:
        return None
    same = Decimal(found.group()) == chunk if isinstance(chunk, int) else float(found.group()) == chunk
    return found.end() if same else None


def _chunks(value: Json, *, inside: bool = False) -> Iterator[str | int | float]:
    """The text form of a value, with its numbers as numbers (A62)."""
    if is_object(value):
        yield "{"
        for number, (name, inner) in enumerate(value.items()):
            yield f"{',' if number else ''}{write_json(name)}:"
            yield from _chunks(inner, inside=True)
        yield "}"
    elif is_array(value):
        yield "["
        for number, inner in enumerate(value):
            yield "," if number else ""
            yield from _chunks(inner, inside=True)
        yield "]"
    elif is_number(value):
        yield value
    else:
        yield value if isinstance(value, str) and not inside else write_json(value)
