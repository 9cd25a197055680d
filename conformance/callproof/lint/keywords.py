"""Where JSON Schema keeps schemas inside a schema, in both dialects that are in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.lint.document import Pointer
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# Keywords that hold one schema, a list of schemas, and schemas by name.
ONE = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not",
        "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
MANY = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
NAMED = frozenset({"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"})
_HOLDING = ONE | MANY | NAMED
# Keywords that lead from a value to a value inside it.
DEEPER = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "items", "patternProperties", "prefixItems",
        "properties", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip


def schemas_below(members: Mapping[str, Json]) -> Iterator[tuple[Pointer, Json]]:
    """The schemas that are directly inside a schema, in the order of the text, each with the pointer to it."""
    for keyword, value in members.items():
        if keyword not in _HOLDING:
            continue
        if keyword in ONE and (is_object(value) or isinstance(value, bool)):
            yield (keyword,), value
        elif keyword in MANY and is_array(value):
            for place, each in enumerate(value):
                yield (keyword, place), each
        elif keyword in NAMED and is_object(value):
            for name, each in value.items():
                if keyword != "dependencies" or not is_array(each):
                    yield (keyword, name), each


# Inside one of these keywords, a schema is one condition among several on the same value.
CONDITIONS = frozenset({"allOf", "dependencies", "dependentSchemas", "else", "if", "not", "then"})


def steps_on_the_way(within: Pointer) -> Iterator[Pointer]:
    """The keywords that lead from the root of a schema to one inside it, each with the name or number under it."""
    place = 0
    while place < len(within):
        keyword = str(within[place])
        below = within[place + 1 : place + 2]
        named = keyword in NAMED or (keyword in MANY and isinstance(next(iter(below), None), int))
        yield within[place : place + 1 + named]
        place += 1 + named


def keywords_on_the_way(within: Pointer) -> Iterator[str]:
    """The keywords that lead from the root of a schema to one inside it, without the names and numbers under them."""
    return (str(step[0]) for step in steps_on_the_way(within))
