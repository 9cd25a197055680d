"""References within one schema: what a local ``$ref`` means.  Nothing here ever reads another document."""

from __future__ import annotations

from urllib.parse import unquote

from callproof.lint.document import Pointer
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_HOPS = 32
# Of an element of an array, more digits than any array has elements; of thousands Python makes no number.
_INDEX_DIGITS = 18
# Beside one of these a reference is one condition of several, and does not stand for the whole.
_BESIDE = frozenset({"type", "properties", "additionalProperties", "allOf", "anyOf", "oneOf", "items", "enum", "const"})


def followed(root: Json, pointer: Pointer, value: Json) -> tuple[Pointer, Json]:
    """
    The schema that a reference stands for, with its place below the root; itself where it is none.

    References that lead nowhere, out of the document, or round in a circle are left as they are.
    """
    here, at = value, pointer
    for _ in range(_HOPS):
        reference = here.get("$ref") if is_object(here) and not _BESIDE & here.keys() else None
        if not isinstance(reference, str):
            return at, here
        found = target(root, reference)
        if found is None:
            return at, here
        at, here = found
    return pointer, value


def target(root: Json, reference: str) -> tuple[Pointer, Json] | None:
    """What a reference such as ``#/$defs/Path`` leads to, with its place; None where that is nothing."""
    if reference == "#":
        return (), root
    if not reference.startswith("#/"):
        return None
    value: Json = root
    pointer: list[str | int] = []
    for token in unquote(reference[2:]).split("/"):
        name = token.replace("~1", "/").replace("~0", "~")
        if is_object(value) and name in value:
            value = value[name]
            pointer.append(name)
        elif is_array(value) and name.isdecimal() and len(name) <= _INDEX_DIGITS and int(name) < len(value):
            value = value[int(name)]
            pointer.append(int(name))
        else:
            return None
    return tuple(pointer), value
