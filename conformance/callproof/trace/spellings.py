"""Values inside longer text: numbers, which each language spells in its own way (B-48, B-49), and members in any order.

``1`` and ``1.0``, ``1e-05`` and ``0.00001`` are one number.  Within a string, a character that cannot stand as itself
has one of several escapes, such as ``\\b`` and ``\\u0008`` (A62).  All other text is compared character by character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal

from callproof.values.jsontext import Json, read_json, write_json
from callproof.values.jsonvalue import is_array, is_number, is_object

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")
_SPELLING = 400
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|.)")
# The escapes of the characters that JSON allows in no string: quotation marks, backslashes and control characters.
_NEEDED = frozenset([r"\"", r"\\", r"\b", r"\f", r"\n", r"\r", r"\t"])
_NEEDED_CODES = frozenset({*range(0x20), ord('"'), ord("\\")})


# Places in a text where a piece may end.  There are several where a number stands beside digits
# that do not belong to it: ``10`` and another ``10`` are written as ``1010``.
_Places = frozenset[int]


def spells(held: str, pieces: Iterable[str | tuple[Json]], *, any_order: bool = False) -> bool:
    """
    Whether a text consists of these pieces: each is literal text, or a value whose text form stands there.

    With ``any_order`` the members of an object may stand in another order than in the value.
    """
    at = frozenset({0})
    for piece in pieces:
        at = _piece(held, at, piece, any_order=any_order)
    return len(held) in at


def standing(held: str, pieces: Sequence[str | tuple[Json]], *, any_order: bool = False) -> int:
    """The number of these pieces, in their order, with which a text begins."""
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
    """Where a literal text ends that begins at one of these places."""
    return frozenset({each + len(text) for each in at if held.startswith(text, each)})


def _value(held: str, at: _Places, value: Json, *, any_order: bool, inside: bool = False) -> _Places:
    """Where the text form of a value ends; its numbers are compared as numbers (A62)."""
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
    if isinstance(value, str) and inside:
        return frozenset({end for each in at for end in _string(held, each, value)})
    return _literal(held, at, value if isinstance(value, str) else write_json(value))


def _members(held: str, start: int, members: Mapping[str, Json], *, any_order: bool) -> _Places:
    """Where an object ends whose first member begins at a place; in an object no number stands beside other digits."""
    left = dict(members)
    at = frozenset({start})
    for number, own in enumerate(members):
        at = _literal(held, at, "," if number else "")
        found = _named(held, min(at), own) if at else None
        if found is None or found[0] not in left or not (any_order or found[0] == own):
            return frozenset()
        after = _literal(held, frozenset({found[1]}), ":")
        at = _value(held, after, left.pop(found[0]), any_order=any_order, inside=True)
    return _literal(held, at, "}")


def _named(held: str, at: int, own: str) -> tuple[str, int] | None:
    """The name that begins at a place, and where it ends; tries the expected name first."""
    return next(((own, end) for end in _string(held, at, own)), None) or _string_at(held, at)


def _string(held: str, at: int, text: str) -> Iterator[int]:
    """Where a JSON string ends that holds a text."""
    usual = write_json(text)
    if held.startswith(usual, at):
        yield at + len(usual)
        return
    found = _string_at(held, at) if "\\" in usual else None
    if found is not None and found[0] == text:
        yield found[1]


def _string_at(held: str, at: int) -> tuple[str, int] | None:
    """The text of the JSON string that begins at a place, and its end; None if it escapes more than it has to."""
    found = _STRING.match(held, at)
    if found is None or not all(map(_is_needed, _ESCAPE.finditer(found.group()))):
        return None
    try:
        text = read_json(found.group().encode())
    except ValueError:
        return None
    return (text, found.end()) if isinstance(text, str) else None


def _is_needed(escape: re.Match[str]) -> bool:
    """Whether an escape stands for a character that cannot stand as itself (A62)."""
    return escape.group() in _NEEDED if escape[1] is None else int(escape[1], 16) in _NEEDED_CODES


def _number(held: str, at: int, value: float) -> Iterator[int]:
    """Where a number of this value may end: its last digits may belong to what follows."""
    found = _NUMBER.match(held, at)
    if found is None:
        return
    longest = found.end()
    # The longest spelling of a double has some 330 digits; a longer integer has one spelling.
    short = longest - at <= _SPELLING
    for end in range(longest, at, -1) if short else {longest, min(longest, at + len(write_json(value)))}:
        if _NUMBER.fullmatch(held, at, end) and _is_spelling(held[at:end], value):
            yield end


def _is_spelling(text: str, value: float) -> bool:
    return Decimal(text) == value if isinstance(value, int) else float(text) == value
