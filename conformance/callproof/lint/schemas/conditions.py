"""What the conditions of a node say by themselves, read off without an engine."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.lint.schemas.alike import Alike
from callproof.lint.schemas.sides import COMPOSED, Node
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The conditions on members, and on items, which say together what holds for one.
MEMBERS = frozenset({"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"})
ITEMS = frozenset({"items", "prefixItems", "unevaluatedItems"})
# What says of members or items, beside those, that they were evaluated.
EVALUATING = frozenset({
    "$ref", "allOf", "anyOf", "contains", "dependentSchemas", "else", "if", "maxContains", "minContains", "oneOf",
    "then",
})  # fmt: skip
# Without one of these a keyword is about more members or items, or wants one that need not have been there.
_LETS_PASS: Mapping[str, frozenset[str]] = {
    "additionalProperties": frozenset({"properties", "patternProperties"}),
    "contains": frozenset({"minContains"}),
    "items": frozenset({"prefixItems"}),
    "unevaluatedItems": ITEMS | EVALUATING,
    "unevaluatedProperties": MEMBERS | EVALUATING,
}


def names_in(value: Json) -> list[str]:
    """The texts of a list; none where it is no list."""
    return [each for each in value if isinstance(each, str)] if is_array(value) else []


def members_of(value: Json) -> dict[str, Json]:
    """The members of an object; none where it is no object."""
    return {**value} if is_object(value) else {}


def same_patterns(alike: Alike, one: Node, other: Node) -> bool:
    """Whether both nodes name members by the same patterns, and the other one asks no more of all further ones."""
    patterns = [members_of(node.get("patternProperties")).keys() for node in (one, other)]
    names = [members_of(node.get("properties")).keys() for node in (one, other)]
    if not patterns[0] or patterns[0] != patterns[1] or other.has("unevaluatedProperties"):
        return False
    rest = [node.get("additionalProperties") for node in (one, other)]
    # A member that only the other one names is held to its own schema there, and no longer to that of further ones.
    return rest[1] in (None, True, {}) or (names[0] <= names[1] and alike.are(*rest))


def closed(node: Node) -> bool:
    """Whether a node takes no member that it does not name."""
    # Beside a schema for all others there is no member left that was not evaluated.
    rest = "additionalProperties" if node.has("additionalProperties") else "unevaluatedProperties"
    refuses = node.get(rest) is False and (rest == "additionalProperties" or alone(node))
    return refuses and not node.has("patternProperties")


def alone(node: Node) -> bool:
    """Whether no schema beside the members says anything of them."""
    others = COMPOSED | {"allOf", "$ref"}
    return not (others - {"unevaluatedProperties", "unevaluatedItems"}) & node.conditions.keys()


def has_same(alike: Alike, node: Node, fragment: Mapping[str, Json]) -> bool:
    """Whether a left node has the conditions of a right one, and nothing beside them that lets more pass."""
    beside = {name for keyword in fragment for name in _LETS_PASS.get(keyword, ())} - fragment.keys()
    if any(node.has(name) for name in beside):
        return False
    return all(node.has(name) and alike.are(node.get(name), value) for name, value in fragment.items())


def mentions_format(value: Json) -> bool:
    """Whether a format stands somewhere in it, or may."""
    # The engine does not look at formats, so that its yes says nothing of them; behind a reference there may be some.
    if is_object(value):
        return bool({"format", "$ref"} & value.keys()) or any(mentions_format(each) for each in value.values())
    return is_array(value) and any(mentions_format(each) for each in value)


def is_nested(node: Node) -> bool:
    """Whether it says something by schemas inside it."""
    return bool((MEMBERS | ITEMS | {"allOf", "$ref", "anyOf", "oneOf"}) & node.conditions.keys())
