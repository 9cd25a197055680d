"""Parts of a record, asked for without trusting it: what is of another type is not there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_NOTHING: Final[Mapping[str, Json]] = {}


def object_of(value: Json) -> Mapping[str, Json]:
    """An object as it is; an empty one for everything else."""
    return value if is_object(value) else _NOTHING


def objects_of(value: Json) -> tuple[Mapping[str, Json], ...]:
    """The elements of an array that are objects; none for everything else."""
    return tuple(each for each in value if is_object(each)) if is_array(value) else ()


def text_of(part: Mapping[str, Json], name: str) -> str | None:
    """A member that is a text; None for everything else."""
    found = part.get(name)
    return found if isinstance(found, str) else None
