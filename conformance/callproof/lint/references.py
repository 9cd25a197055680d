"""References within one schema: what a local ``$ref`` means.  Nothing here ever reads another document."""

from __future__ import annotations

from callproof.lint.document import Pointer
from callproof.lint.schemas.resolving import References
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

_HOPS = 32
# Beside one of these, a reference is one condition of several, and does not stand for the whole.
_BESIDE = frozenset({"type", "properties", "additionalProperties", "allOf", "anyOf", "oneOf", "items", "enum", "const"})


def followed(known: References, pointer: Pointer, value: Json) -> tuple[Pointer, Json]:
    """
    The schema that a reference stands for, with its place below the root; a schema that is not a reference itself.

    References that lead nowhere, out of the document, or round in a circle are left as they are.
    """
    here, at = value, pointer
    for _ in range(_HOPS):
        reference = here.get("$ref") if is_object(here) and not _BESIDE & here.keys() else None
        if not isinstance(reference, str):
            return at, here
        found = target(known, at, reference)
        if found is None:
            return at, here
        at, here = found
    return pointer, value


def target(known: References, place: Pointer, reference: str) -> tuple[Pointer, Json] | None:
    """What a reference at a place leads to, by pointer, anchor or address, and where that is; None for nothing."""
    found = known.target(place, "$ref", reference) if reference else None
    return (found.place, found.schema) if found is not None and found.found else None
