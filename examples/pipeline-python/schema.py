"""As much of JSON Schema (draft 2020-12) as most tools use: whether a value fits a schema, and if not, where.

A schema with any other keyword is refused.  A library with all keywords, such as jsonschema, can replace this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeGuard

_NOTES = {"$schema", "$comment", "$defs", "title", "description", "default", "examples", "format", "deprecated"}
# An escape, a class or an end in a pattern.
_ENDS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$", re.DOTALL)
_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: _TYPES["number"](value) and value % 1 == 0,
}


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_array(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


class Unusable(Exception):
    """A schema has a keyword or a reference that this module cannot judge by."""


def breach(schema: Any, value: Any) -> str | None:
    """Where a value breaks a schema, and which keyword; None if the value fits.  Raises Unusable."""
    return next(_Part(schema, schema).breaches(value), None)


@dataclass(frozen=True, slots=True)
class _Part:
    """A schema, and the document that its references point into."""

    body: Any
    root: Any

    def breaches(self, value: Any, where: str = "") -> Iterator[str]:
        """The keywords that a value breaks; for members of the value, with the path to them."""
        if isinstance(self.body, bool):
            yield from () if self.body else (f"{where or '/'} is not permitted",)
            return
        for keyword in self.body.keys() - _NOTES:
            if keyword not in _RULES and keyword not in _MEMBERS:
                raise Unusable(f"the keyword {keyword} is not known here")
        for keyword, (kind, members) in _MEMBERS.items():
            if keyword in self.body and _TYPES[kind](value):
                for name, inner in members(self, value):
                    yield from self.part(inner).breaches(value[name], f"{where}/{name}")
        for keyword, (speaks_of, holds) in _RULES.items():
            spoken_of = keyword in self.body and (speaks_of is None or _TYPES[speaks_of](value))
            if spoken_of and not holds(self.body[keyword], value, self):
                yield f"{where or '/'} breaks {keyword} {self.body[keyword]!r}"

    def fits(self, value: Any) -> bool:
        """Whether a value breaks nothing."""
        return next(self.breaches(value), None) is None

    def part(self, body: Any) -> _Part:
        """A schema inside this one."""
        return _Part(body, self.root)

    def count(self, keyword: str, value: Any) -> int:
        """The number of schemas in the list under a keyword that a value fits."""
        return sum(self.part(each).fits(value) for each in self.body[keyword])

    def target(self, reference: str) -> _Part:
        """The schema that a reference inside the document names."""
        node = self.root
        for step in reference.removeprefix("#").split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            node = node.get(name) if _is_object(node) else None
        if node is None or not reference.startswith("#"):
            raise Unusable(f"the reference {reference} leads to nothing")
        return self.part(node)


_Named = Iterator[tuple[Any, Any]]


def _properties(at: _Part, value: Mapping[str, Any]) -> _Named:
    return ((name, inner) for name, inner in at.body["properties"].items() if name in value)


def _additional(at: _Part, value: Mapping[str, Any]) -> _Named:
    listed = at.body.get("properties", {})
    return ((name, at.body["additionalProperties"]) for name in value if name not in listed)


def _first_items(at: _Part, value: list[Any]) -> _Named:
    return zip(range(len(value)), at.body["prefixItems"])


def _items(at: _Part, value: list[Any]) -> _Named:
    return ((index, at.body["items"]) for index in range(len(at.body.get("prefixItems", [])), len(value)))


# For each keyword about members: the type that it applies to, and the members with the schemas that they must fit.
_MEMBERS: Mapping[str, tuple[str, Callable[[_Part, Any], _Named]]] = {
    "properties": ("object", _properties),
    "additionalProperties": ("object", _additional),
    "prefixItems": ("array", _first_items),
    "items": ("array", _items),
}


def same(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal; true is not equal to 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if _is_array(left) and _is_array(right):
        return len(left) == len(right) and all(map(same, left, right))
    if _is_object(left) and _is_object(right):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    return bool(left == right)


def _found(pattern: str, text: str) -> bool:
    """Whether a pattern is in a text by ECMA-262: `$` matches only the very end, and `\\d` only the digits 0 to 9."""
    ours = _ENDS.sub(lambda end: r"\Z" if end[0] == "$" else end[0], pattern)
    return re.search(ours, text, re.ASCII) is not None


def _listed(types: Any) -> list[str]:
    return [types] if isinstance(types, str) else types


def _distinct(values: list[Any]) -> bool:
    return not any(same(one, other) for index, one in enumerate(values) for other in values[:index])


_Rule = Callable[[Any, Any, _Part], bool]
# For each other keyword: the type that it applies to, and whether a value of that type keeps it.
_RULES: Mapping[str, tuple[str | None, _Rule]] = {
    "type": (None, lambda types, value, _: any(_TYPES[each](value) for each in _listed(types))),
    "enum": (None, lambda choices, value, _: any(same(each, value) for each in choices)),
    "const": (None, lambda constant, value, _: same(constant, value)),
    "minimum": ("number", lambda limit, value, _: value >= limit),
    "maximum": ("number", lambda limit, value, _: value <= limit),
    "exclusiveMinimum": ("number", lambda limit, value, _: value > limit),
    "exclusiveMaximum": ("number", lambda limit, value, _: value < limit),
    "multipleOf": ("number", lambda divisor, value, _: Decimal(str(value)) % Decimal(str(divisor)) == 0),
    "minLength": ("string", lambda limit, value, _: len(value) >= limit),
    "maxLength": ("string", lambda limit, value, _: len(value) <= limit),
    "pattern": ("string", lambda pattern, value, _: _found(pattern, value)),
    "minItems": ("array", lambda limit, value, _: len(value) >= limit),
    "maxItems": ("array", lambda limit, value, _: len(value) <= limit),
    "uniqueItems": ("array", lambda wanted, value, _: not wanted or _distinct(value)),
    "required": ("object", lambda names, value, _: all(name in value for name in names)),
    "minProperties": ("object", lambda limit, value, _: len(value) >= limit),
    "maxProperties": ("object", lambda limit, value, _: len(value) <= limit),
    "allOf": (None, lambda parts, value, at: at.count("allOf", value) == len(parts)),
    "anyOf": (None, lambda _, value, at: at.count("anyOf", value) > 0),
    "oneOf": (None, lambda _, value, at: at.count("oneOf", value) == 1),
    "not": (None, lambda inner, value, at: not at.part(inner).fits(value)),
    "$ref": (None, lambda reference, value, at: at.target(reference).fits(value)),
}
