"""What some nodes say together about one member, about the members that none of them names, and about each item."""

from __future__ import annotations

from callproof.lint.schemas.conditions import members_of
from callproof.lint.schemas.patterns.naming import matches, misses
from callproof.lint.schemas.sides import Node, Sides
from callproof.values.jsonvalue import is_object


def of_member(sides: Sides, nodes: tuple[Node, ...], name: str) -> tuple[Node, ...]:
    """The schemas that apply to a member of some name; a value under it must satisfy each of them."""
    found: list[Node] = []
    for node in nodes:
        named = name in members_of(node.get("properties"))
        matching = [each for each in members_of(node.get("patternProperties")) if matches(each, name)]
        ways = [("properties", name)] if named else []
        ways += [("patternProperties", each) for each in matching]
        found += [sides.node(node.document, node.below(*way)) for way in ways]
        rest = node.get("additionalProperties")
        others = all(misses(each, name) for each in members_of(node.get("patternProperties")))
        if not named and others and (is_object(rest) or rest is False):
            found.append(sides.node(node.document, node.below("additionalProperties")))
    return tuple(found)


def of_others(sides: Sides, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The schemas for all members that a node does not name, from the nodes that have one and no patterns."""
    maps = (n for n in nodes if is_object(n.get("additionalProperties")) and not n.has("patternProperties"))
    return tuple(sides.node(node.document, node.below("additionalProperties")) for node in maps)


def of_items(sides: Sides, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """The schemas that apply to each item."""
    return tuple(sides.node(node.document, node.below("items")) for node in nodes if node.has("items"))
