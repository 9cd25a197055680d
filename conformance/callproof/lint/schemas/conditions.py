"""What the conditions of a node say by themselves, read off without an engine."""

from __future__ import annotations

from callproof.lint.schemas.sides import COMPOSED, Node
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_array, is_object

# The conditions on members, and on items, which say together what holds for one.
MEMBERS = frozenset({"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"})
ITEMS = frozenset({"items", "prefixItems", "unevaluatedItems"})


def names_in(value: Json) -> list[str]:
    """The texts of a list; none where it is no list."""
    return [each for each in value if isinstance(each, str)] if is_array(value) else []


def members_of(value: Json) -> dict[str, Json]:
    """The members of an object; none where it is no object."""
    return {**value} if is_object(value) else {}


def same_patterns(one: Node, other: Node) -> bool:
    """Whether both nodes name members by the same patterns, and treat all others alike."""
    patterns = [members_of(node.get("patternProperties")).keys() for node in (one, other)]
    names = [members_of(node.get("properties")).keys() for node in (one, other)]
    rest = [node.get("additionalProperties") for node in (one, other)]
    alike = patterns[0] == patterns[1] and names[0] == names[1] and equal(rest[0], rest[1]) and not refers(rest[0])
    return bool(patterns[0]) and alike and not other.has("unevaluatedProperties")


def map_node(nodes: tuple[Node, ...]) -> Node | None:
    """A node that has one schema for all members that it does not name, whatever they are called."""
    return next((n for n in nodes if is_object(n.get("additionalProperties")) and not n.has("patternProperties")), None)


def closed(node: Node) -> bool:
    """Whether a node takes no member that it does not name."""
    unevaluated = node.get("unevaluatedProperties") is False and alone(node)
    return (node.get("additionalProperties") is False or unevaluated) and not node.has("patternProperties")


def alone(node: Node) -> bool:
    """Whether no schema beside the members says anything of them."""
    others = COMPOSED | {"allOf", "$ref"}
    return not (others - {"unevaluatedProperties", "unevaluatedItems"}) & node.conditions.keys()


def has_same(node: Node, fragment: Json) -> bool:
    """Whether a node has the same conditions, none of which leads elsewhere by a reference."""
    if not is_object(fragment) or refers(fragment):
        return False
    return all(node.has(name) and equal(node.get(name), value) for name, value in fragment.items())


def refers(value: Json) -> bool:
    """Whether a reference stands somewhere in it."""
    if is_object(value):
        return "$ref" in value or any(refers(each) for each in value.values())
    return is_array(value) and any(refers(each) for each in value)


def mentions_format(value: Json) -> bool:
    """Whether a format stands somewhere in it, or may."""
    # The engine does not look at formats, so that its yes says nothing of them; behind a reference there may be some.
    if is_object(value):
        return bool({"format", "$ref"} & value.keys()) or any(mentions_format(each) for each in value.values())
    return is_array(value) and any(mentions_format(each) for each in value)


def is_nested(node: Node) -> bool:
    """Whether it says something by schemas inside it."""
    return bool((MEMBERS | ITEMS | {"allOf", "$ref", "anyOf", "oneOf"}) & node.conditions.keys())
