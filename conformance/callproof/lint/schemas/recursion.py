"""References that lead back to where they stand before any part of a value is consumed: no validator gets past them."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint.schemas.resolving import References
from callproof.lint.schemas.walk import Place, physical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# Keywords whose schemas speak of the same value.
_ONE_ON_THE_SAME = ("not", "if", "then", "else")
_MANY_ON_THE_SAME = ("allOf", "anyOf", "oneOf")
_STEPS = 20_000


def unguarded(schema: Json, references: References) -> Iterator[Place]:
    """The places of the references that lead round in a circle over the same value."""
    for place, node in physical(schema):
        if is_object(node) and isinstance(node.get("$ref"), str) and _comes_back(place, node, references):
            yield place


def _comes_back(start: Place, schema: Json, references: References) -> bool:
    met: set[Place] = set()
    waiting = [*_same_value(start, schema, references)]
    while waiting and len(met) < _STEPS:
        place, node = waiting.pop()
        if place == start:
            return True
        if place not in met:
            met.add(place)
            waiting.extend(_same_value(place, node, references))
    return False


def _same_value(place: Place, node: Json, references: References) -> Iterator[tuple[Place, Json]]:
    if not is_object(node):
        return
    for target in references.targets(place, node):
        if target.found:
            yield target.place, target.schema
    for keyword in _ONE_ON_THE_SAME:
        if keyword in node:
            yield (*place, keyword), node[keyword]
    for keyword in _MANY_ON_THE_SAME:
        listed = node.get(keyword)
        if is_array(listed):
            yield from (((*place, keyword, number), each) for number, each in enumerate(listed))
