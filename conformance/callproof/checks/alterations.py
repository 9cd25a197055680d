"""How a value differs from the intended value: rounded, respelt, or something else.

LOG-11 and LOG-12 report numbers and texts that changed a little on their way into
the log.  Code that compares two values asks this module which differences belong to these two.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import chain

from callproof.checks.check import excerpt, parting
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, escape_token, is_array, is_number, is_object, value_at

_REPLACEMENT = "\ufffd"
# How many places of a difference a finding shows with their values.
_SHOWN = 3


class Alteration(Enum):
    """What happened to one part of a value."""

    ROUNDED = "a number lost digits"
    RESPELT = "a text lost code points"
    OTHER = "another value"


def alterations(meant: Json, found: Json, pointer: str = "") -> Iterator[tuple[str, Alteration]]:
    """The smallest parts in which the found value differs from the intended one, each with the kind of change."""
    if is_object(meant) and is_object(found):
        for name in (*meant, *(name for name in found if name not in meant)):
            inner = f"{pointer}/{escape_token(name)}"
            if name in meant and name in found:
                yield from alterations(meant[name], found[name], inner)
            else:
                yield inner, Alteration.OTHER
    elif is_array(meant) and is_array(found) and len(meant) == len(found):
        for index, (one, other) in enumerate(zip(meant, found)):
            yield from alterations(one, other, f"{pointer}/{index}")
    elif not equal(meant, found):
        yield pointer, kind_of(meant, found)


def what_differs(pointers: Sequence[str], meant: Json, found: Json) -> tuple[str, ...]:
    """What stood at the first few of these places and what stands there now, one clause for each place."""
    return tuple(chain.from_iterable(_at(each, meant, found) for each in pointers[:_SHOWN]))


def _at(pointer: str, meant: Json, found: Json) -> Iterator[str]:
    one, other = value_at(pointer, meant), value_at(pointer, found)
    was, held = (excerpt(each[0]) if each is not None else "nothing" for each in (one, other))
    yield f"at {pointer or 'the top'} it has {held}, and not {was}"
    if one is not None and other is not None:
        yield from parting(other[0], one[0])


def kind_of(meant: Json, found: Json) -> Alteration:
    """Which kind of change leads from one unequal value to the other."""
    if is_number(meant) and is_number(found):
        return Alteration.ROUNDED if _is_rounded(meant, found) else Alteration.OTHER
    if isinstance(meant, str) and isinstance(found, str):
        return Alteration.RESPELT if _is_respelt(meant, found) else Alteration.OTHER
    return Alteration.OTHER


def _is_rounded(meant: float, found: float) -> bool:
    """Whether the found number is the nearest double, the whole number next to it, or has a few digits fewer."""
    try:
        return float(meant) == float(found) or abs(meant - found) <= 1e-6 * abs(meant) or int(meant) == found
    except (OverflowError, ValueError):  # neither an infinity nor NaN can become a whole number
        return False


def _is_respelt(meant: str, found: str) -> bool:
    """Whether the found text is in another normal form, trimmed, cut off, or has replaced characters."""
    if any(unicodedata.normalize(form, meant) == unicodedata.normalize(form, found) for form in ("NFC", "NFKC")):
        return True
    if found and found.strip() == meant.strip():
        return True
    if _REPLACEMENT in found and _REPLACEMENT not in meant:
        return True
    return len(found) >= 16 and meant.startswith(found.rstrip(".…"))  # a cut text, perhaps with a mark at its end
