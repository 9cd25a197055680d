"""A schema with alternatives, taken apart into what each of them takes."""

from __future__ import annotations

from callproof.lint.schemas.sides import LEFT, Node, Sides
from callproof.values.jsonvalue import is_array, is_object

_MOST = 64
_JOINED = 12


def branches(sides: Sides, left: tuple[Node, ...]) -> list[tuple[Node, ...]] | None:
    """The nodes with each branch of their first union; None if there is no union, or only too large a one."""
    for node in left:
        for keyword in ("anyOf", "oneOf"):
            listed = node.get(keyword)
            if is_array(listed) and 0 < len(listed) <= _MOST and len(left) < _JOINED:
                chosen = [sides.node(LEFT, node.below(keyword, number)) for number in range(len(listed))]
                if not any(each.place in {other.place for other in left} for each in chosen):
                    return [conditions(sides, (*left, each)) for each in chosen]
    return None


def conditions(sides: Sides, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The nodes, with those that each of them names in ``allOf`` or by a reference beside other conditions."""
    found = {node.place: node for node in nodes}
    waiting = [*nodes]
    while waiting and len(found) < _JOINED:
        node = waiting.pop()
        listed = node.get("allOf")
        count = len(listed) if is_array(listed) else 0
        inside = [sides.node(LEFT, node.below("allOf", number)) for number in range(count)]
        for inner in (*inside, sides.referred(node)) if node.has("$ref") else inside:
            if inner.place not in found and is_object(inner.schema):
                found[inner.place] = inner
                waiting.append(inner)
    return tuple(found.values())
