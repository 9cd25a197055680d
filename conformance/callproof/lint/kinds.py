"""Which kinds of values a schema takes, as far as it says so: by its type, its values, or its alternatives."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint.definition import Schema
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object

_ALTERNATIVES = ("anyOf", "oneOf")
_DEEP = 8


def branches(schema: Schema, depth: int = 0) -> Iterator[Schema]:
    """The schemas one of which a value has to match: its alternatives, or itself; references are followed."""
    here = schema.resolved
    listed = [
        here.below((keyword, place), each)
        for keyword in _ALTERNATIVES
        if is_array(told := here.get(keyword))
        for place, each in enumerate(told)
    ]
    if not listed or depth >= _DEEP:
        yield here
        return
    for each in listed:
        yield from branches(each, depth + 1)


def kinds(schema: Schema) -> frozenset[str]:
    """The JSON types that a schema says it takes; empty where it says nothing."""
    return frozenset(name for each in branches(schema) for name in _kinds(each))


def _kinds(schema: Schema) -> Iterator[str]:
    if schema.types:
        yield from schema.types
    elif is_array(values := schema.get("enum")):
        yield from map(_kind, values)
    elif schema.has("const"):
        yield _kind(schema.get("const"))
    elif schema.has("properties"):
        yield "object"
    elif schema.has("items"):
        yield "array"


def _kind(value: Json) -> str:
    if isinstance(value, bool):
        return "boolean"
    if is_number(value):
        return "integer" if isinstance(value, int) else "number"
    if isinstance(value, str):
        return "string"
    return "object" if is_object(value) else "array" if is_array(value) else "null"


def is_text(schema: Schema) -> bool:
    """Whether a schema takes texts, or texts and null."""
    return kinds(schema) - {"null"} == frozenset({"string"})
