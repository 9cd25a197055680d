"""The members that an object schema declares, and the edits that take one away."""

from __future__ import annotations

from callproof.lint.definition import Schema
from callproof.lint.document import Pointer
from callproof.lint.rule import Drop, Edit, Rename, Replace
from callproof.values.jsontext import Json
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
    if not is_array(told) or name not in told:
        return ()
    kept: list[Json] = [each for each in told if each != name]
    return (Replace((*base, *schema.within, "required"), kept),)


def without_property(schema: Schema, name: str, base: Pointer = ()) -> tuple[Edit, ...]:
    """The edits that take a property away."""
    return (Drop((*base, *schema.within, "properties", name)), *without_required(schema, name, base))


def renamed_property(schema: Schema, name: str, better: str) -> tuple[Edit, ...]:
    """The edits that give a property of a subschema another name, for the subschema as the subject."""
    told = schema.get("required")
    edits: tuple[Edit, ...] = (Rename(("properties", name), better),)
    if is_array(told) and name in told:
        named: list[Json] = [better if each == name else each for each in told]
        edits = (*edits, Replace(("required",), named))
    return edits
