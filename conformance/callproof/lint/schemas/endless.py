"""Schemas whose every value would have to hold another value of the same schema, without end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.lint.schemas.patterns.components import Graph, components
from callproof.lint.schemas.resolving import References
from callproof.lint.schemas.walk import Place, physical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object

# What must have a value before a schema can have one: all of the first, and at least one of each group of the others.
_Needs = tuple[tuple[Place, ...], tuple[tuple[Place, ...], ...]]


def endless(schema: Json, references: References) -> Iterator[tuple[Place, str]]:
    """The places of such schemas, each with the keyword that demands the next value."""
    nodes = dict(physical(schema))
    needs = {place: _needs(place, node, references) for place, node in nodes.items()}
    barren = _barren(needs)
    graph: Graph[Place] = {
        place: {there: 0 for group in (needs[place][0], *needs[place][1]) for there in group if there in barren}
        for place in barren
    }
    for component in components(graph):
        for place in sorted(component, key=str):
            keyword = _demands(nodes[place])
            if keyword and any(there in component for there in needs[place][0]):
                yield place, keyword


def _barren(needs: Mapping[Place, _Needs]) -> set[Place]:
    """The places for which no finite value can be built up from below."""
    barren = {place for place, (every, groups) in needs.items() if every or groups}
    shrinking = True
    while shrinking:
        built = {
            place
            for place in barren
            if not any(there in barren for there in needs[place][0])
            and all(any(there not in barren for there in group) for group in needs[place][1])
        }
        barren -= built
        shrinking = bool(built)
    return barren


def _needs(place: Place, node: Json, references: References) -> _Needs:
    if not is_object(node) or "enum" in node or "const" in node:
        return (), ()
    every = [target.place for target in references.targets(place, node) if target.found]
    every += [(*place, "allOf", number) for number in range(_length(node.get("allOf")))]
    demanded = _demands(node)
    if demanded == "required":
        named, required = node.get("properties"), node.get("required")
        every += [
            (*place, "properties", name)
            for name in (required if is_array(required) else ())
            if isinstance(name, str) and is_object(named) and name in named
        ]
    elif demanded == "minItems":
        every.append((*place, "items"))
    groups = [
        tuple((*place, keyword, number) for number in range(_length(node.get(keyword))))
        for keyword in ("anyOf", "oneOf")
        if _length(node.get(keyword))
    ]
    return tuple(every), tuple(groups)


def _demands(node: Json) -> str:
    """The keyword by which every value of a schema holds another value; empty if there is none."""
    if not is_object(node):
        return ""
    if node.get("type") == "object" and is_array(node.get("required")):
        return "required"
    least = node.get("minItems")
    items = node.get("type") == "array" and "prefixItems" not in node and is_object(node.get("items"))
    return "minItems" if items and is_number(least) and least > 0 else ""


def _length(value: Json) -> int:
    return len(value) if is_array(value) else 0
