"""References that lead back to themselves before any part of a value is consumed: no validator gets past them."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.lint.schemas.patterns.components import Graph, components
from callproof.lint.schemas.resolving import References
from callproof.lint.schemas.walk import Place, physical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# Keywords whose schemas apply to the same value.
_ONE_ON_THE_SAME = ("not", "if", "then", "else")
_MANY_ON_THE_SAME = ("allOf", "anyOf", "oneOf")


def unguarded(schema: Json, references: References) -> Iterator[Place]:
    """The places of the references that lead in a circle over the same value."""
    nodes = dict(physical(schema))
    graph: Graph[Place] = {
        place: {there: 0 for there in _same_value(place, node, references) if there in nodes}
        for place, node in nodes.items()
    }
    round_about = {place for component in components(graph) for place in component}
    for place, node in nodes.items():
        if place in round_about and is_object(node) and isinstance(node.get("$ref"), str):
            yield place


def _same_value(place: Place, node: Json, references: References) -> Iterator[Place]:
    if not is_object(node):
        return
    yield from (target.place for target in references.targets(place, node) if target.found)
    yield from ((*place, keyword) for keyword in _ONE_ON_THE_SAME if keyword in node)
    for keyword in _MANY_ON_THE_SAME:
        listed = node.get(keyword)
        if is_array(listed):
            yield from ((*place, keyword, number) for number in range(len(listed)))
