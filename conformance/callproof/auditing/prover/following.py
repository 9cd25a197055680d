"""Follows paths of references into typed results and plain JSON, and gives the text of the value found."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, Struct

from callproof.auditing.prover.plain import is_dict, is_list
from callproof.auditing.prover.schema_types import attribute
from callproof.auditing.prover.unproved import Unproved
from callproof.values.jsontext import Json, write_json

Segment: TypeAlias = "str | int"


class Absent(Exception):
    """A reference leads to nothing; ``no_container`` is true if it asks for a member of a value that has no members."""

    def __init__(self, *, no_container: bool) -> None:
        super().__init__("a reference leads to nothing")
        self.no_container = no_container


def followed(value: Any, path: tuple[Segment, ...]) -> Any:
    """The value at the end of a path.  Raises Absent if there is none."""
    for segment in path:
        if isinstance(segment, int):
            value = _element(value, segment)
            continue
        attr = attribute(value.__class__, segment)
        if attr is not None:
            value = getattr(value, attr)
            if value is UNSET:
                raise Absent(no_container=False)
        else:
            value = _member(value, segment)
    return value


def _element(value: Any, index: int) -> Any:
    if not is_list(value):
        raise Absent(no_container=True)
    if index >= len(value):
        raise Absent(no_container=False)
    return value[index]


def _member(value: Any, name: str) -> Any:
    """A member of plain JSON.  A structure never has a member of this name here."""
    if is_dict(value) and name in value:
        return value[name]
    raise Absent(no_container=not is_dict(value) and not isinstance(value, Struct))


def text_form(value: Any) -> str:
    """The text of a value inside a longer text.  Raises Unproved for objects of tools' types."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    try:
        return write_json(value)
    except TypeError:
        raise Unproved("an object of a tool's type inside a text, whose order is not kept") from None


def is_falsy(value: Json) -> bool:
    """Whether a value is false, 0, null, the empty string or the empty array; these count as values (REF-18)."""
    return not value and (value is None or isinstance(value, str | int | list))
