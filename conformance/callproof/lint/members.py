"""The members that an object schema declares, and the edits that take one away."""

from __future__ import annotations

from callproof.lint.definition import Schema
from callproof.lint.document import Pointer
from callproof.lint.rule import Drop, Edit, Rename, Replace
from callproof.values.jsonvalue import is_array

_PARTS = ("allOf", "anyOf", "oneOf")
_DEEP = 8


def declared_names(schema: Schema) -> frozenset[str] | None:
    """
    The names that an object schema declares; None where they cannot be told.

    A closed object declares what stands in its own properties; an open one also what its parts declare.
    """
    if schema.has("patternProperties"):
        return None
    if schema.get("additionalProperties") is False:
        return frozenset(schema.properties)
    return _with_parts(schema, 0)


def _with_parts(schema: Schema, depth: int) -> frozenset[str] | None:
    if schema.has("patternProperties") or depth > _DEEP:
        return None
    names: set[str] = {*schema.properties}
    listed = [
        schema.below((keyword, place), each)
        for keyword in _PARTS
        if is_array(told := schema.get(keyword))
        for place, each in enumerate(told)
    ]
    if schema.has("$ref"):
        if schema.resolved is schema:
            return None
        listed.append(schema.resolved)
    for part in listed:
        inner = _with_parts(part.resolved, depth + 1)
        if inner is None:
            return None
        names |= inner
    return frozenset(names)


def without_required(schema: Schema, name: str, base: Pointer = ()) -> tuple[Edit, ...]:
    """The edits that take a name out of ``required``, for a subject at which ``base`` ends."""
    told = schema.get("required")
    at = (*base, *schema.within, "required")
    return tuple(Drop((*at, place)) for place, each in enumerate(told) if each == name) if is_array(told) else ()


def without_property(schema: Schema, name: str, base: Pointer = ()) -> tuple[Edit, ...]:
    """The edits that take a property away."""
    return (Drop((*base, *schema.within, "properties", name)), *without_required(schema, name, base))


def renamed_property(schema: Schema, name: str, better: str) -> tuple[Edit, ...]:
    """The edits that give a property of a subschema another name, for the subschema as the subject."""
    told = schema.get("required")
    places = [place for place, each in enumerate(told) if each == name] if is_array(told) else []
    return (Rename(("properties", name), better), *(Replace(("required", place), better) for place in places))
