"""Access to parts of a record without trusting it: a part of another type counts as absent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from callproof import limits
from callproof.auditing.public import words_of_every_run
from callproof.checks import check
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_NOTHING: Final[Mapping[str, Json]] = {}
_INDEX: Final = re.compile(r"[0-9]{1,4}")
# What may be the name of a parameter.
_PARAMETER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


def object_of(value: Json) -> Mapping[str, Json]:
    """An object as it is; an empty one for everything else."""
    return value if is_object(value) else _NOTHING


def objects_of(value: Json) -> tuple[Mapping[str, Json], ...]:
    """The elements of an array that are objects; none for everything else."""
    return tuple(each for each in value if is_object(each)) if is_array(value) else ()


def text_of(part: Mapping[str, Json], name: str) -> str | None:
    """A member if it is a text; None for everything else."""
    found = part.get(name)
    return found if isinstance(found, str) else None


def excerpt(value: Json) -> str:
    """A word, a number or a flag, cut to a readable length; of other values only the type: they may hold anything."""
    if is_object(value):
        return "an object"
    return "an array" if is_array(value) else check.excerpt(value)


def brief(name: str) -> str:
    """A name or a pointer, cut to a readable length: the writer of the record chose it, and findings repeat it."""
    return name if len(name) <= limits.EXCERPT_CHARACTERS else name[: limits.EXCERPT_CHARACTERS - 1] + "…"


def place(pointer: str) -> str:
    """
    A place in what a tool was given or gave, by its pointer.

    Indexes, words of the specification, and the first name (the name of a parameter) are shown. Every other name is a
    value, and only its length is shown.
    """
    _, *tokens = pointer.split("/")
    shown = [
        f"/{token}" if _is_shown(token, first=at == 0) else f"/[{len(token)} characters]"
        for at, token in enumerate(tokens)
    ]
    return brief("".join(shown)) or "the whole"


def first_listed(pointers: Iterable[str], most: int = 5) -> str:
    """Places for a finding, not counted because counting takes too long: hardly more are computed than are shown."""
    first = [*islice(pointers, most + 1)]
    return ", ".join(map(place, first[:most])) + (" and more" if len(first) > most else "")


def _is_shown(token: str, *, first: bool) -> bool:
    if _INDEX.fullmatch(token) or (first and _PARAMETER.fullmatch(token)):
        return True
    return token in words_of_every_run()


def some(parts: Sequence[str], between: str, most: int = 5) -> str:
    """The first parts of a sentence, and how many more there are."""
    more = len(parts) - most
    return between.join(parts[:most]) + (f"{between}{more} more" if more > 0 else "")
