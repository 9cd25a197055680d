"""What the conditions of a node say by themselves, found without an engine."""

from __future__ import annotations

from collections.abc import Mapping

from callproof.lint.schemas.alike import Alike
from callproof.lint.schemas.sides import COMPOSED, Node
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The conditions on members, and those on items; only together do they say what applies to one.
MEMBERS = frozenset({"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"})
ITEMS = frozenset({"items", "prefixItems", "unevaluatedItems"})
# Further keywords by which members or items count as evaluated.
EVALUATING = frozenset({
    "$ref", "allOf", "anyOf", "contains", "dependentSchemas", "else", "if", "maxContains", "minContains", "oneOf",
    "then",
})  # fmt: skip
# Beside one of these, a keyword is about fewer members or items, or does not require one.
_LETS_PASS: Mapping[str, frozenset[str]] = {
    "additionalProperties": frozenset({"properties", "patternProperties"}),
    "contains": frozenset({"minContains"}),
    "items": frozenset({"prefixItems"}),
    "unevaluatedItems": ITEMS | EVALUATING,
    "unevaluatedProperties": MEMBERS | EVALUATING,
}


def names_in(value: Json) -> list[str]:
    """The texts of a list; empty if it is not a list."""
    return [each for each in value if isinstance(each, str)] if is_array(value) else []


def members_of(value: Json) -> dict[str, Json]:
    """The members of an object; empty if it is not an object."""
    return {**value} if is_object(value) else {}


def same_patterns(alike: Alike, one: Node, other: Node) -> bool:
    """Whether both nodes name members by the same patterns, and the other one asks no more of all further members."""
    patterns = [members_of(node.get("patternProperties")).keys() for node in (one, other)]
    names = [members_of(node.get("properties")).keys() for node in (one, other)]
    if not patterns[0] or patterns[0] != patterns[1] or other.has("unevaluatedProperties"):
        return False
    rest = [node.get("additionalProperties") for node in (one, other)]
    # A member that only the other one names must satisfy its own schema there, and not the schema for further ones.
    return rest[1] in (None, True, {}) or (names[0] <= names[1] and alike.are(*rest))


def closed(node: Node) -> bool:
    """Whether a node takes no member that it does not name."""
    # A schema for all other members leaves no member unevaluated.
    rest = "additionalProperties" if node.has("additionalProperties") else "unevaluatedProperties"
    refuses = node.get(rest) is False and (rest == "additionalProperties" or alone(node))
    return refuses and not node.has("patternProperties")


def alone(node: Node) -> bool:
    """Whether no schema beside the members says anything about them."""
    others = COMPOSED | {"allOf", "$ref"}
    return not (others - {"unevaluatedProperties", "unevaluatedItems"}) & node.conditions.keys()


def has_same(alike: Alike, node: Node, fragment: Mapping[str, Json]) -> bool:
    """Whether a left node has the conditions of a right one, and nothing beside them that accepts more."""
    beside = {name for keyword in fragment for name in _LETS_PASS.get(keyword, ())} - fragment.keys()
    if any(node.has(name) for name in beside):
        return False
    return all(node.has(name) and alike.are(node.get(name), value) for name, value in fragment.items())


def mentions_format(value: Json) -> bool:
    """Whether it contains a format, or may contain one."""
    # The engine ignores formats, so its yes does not cover them; a reference may lead to some.
    if is_object(value):
        return bool({"format", "$ref"} & value.keys()) or any(mentions_format(each) for each in value.values())
    return is_array(value) and any(mentions_format(each) for each in value)


def is_nested(node: Node) -> bool:
    """Whether it says something through schemas inside it."""
    return bool((MEMBERS | ITEMS | {"allOf", "$ref", "anyOf", "oneOf"}) & node.conditions.keys())
