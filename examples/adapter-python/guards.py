"""What stands between an agent and its tools: a small JSON Schema, and the sandbox of paths."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Any, TypeGuard


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def _is_array(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": _is_array,
    "object": is_object,
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: _TYPES["number"](value) and value == int(value),
}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NOTES = {"title", "description", "$comment", "examples", "default", "$schema", "format", "deprecated"}
# Keywords that are read together with the keyword that they belong to, or that a reference reaches.
_COMPANIONS = {"$defs", "then", "else"}
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else")
_NAMED = ("properties", "patternProperties", "$defs")
# An escape, a class, an end (`$`) or a point in a pattern.
_PARTS = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|[$.]", re.DOTALL)
_BLANKS = r"\t-\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
# What ECMA-262 reads in another way than Python.
_OURS = {"$": r"\Z", ".": r"[^\n\r\u2028\u2029]", r"\s": f"[{_BLANKS}]", r"\S": f"[^{_BLANKS}]"}


class Unusable(Exception):
    """This module cannot judge by a schema, so its tool cannot be called."""


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema, and the document that its references point into."""

    body: Any
    root: Any

    def breach(self, value: Any) -> str | None:
        """The keyword that a value breaks; None if the value fits."""
        if isinstance(self.body, bool):
            return None if self.body else "false"
        return next((word for word in self.body if word in _RULES and not self._holds(word, value)), None)

    def fits(self, value: Any) -> bool:
        """Whether a value breaks no keyword."""
        return self.breach(value) is None

    def part(self, body: Any) -> Schema:
        """A schema inside this one."""
        return Schema(body, self.root)

    def parts(self, keyword: str) -> list[Schema]:
        """The schemas in the list under a keyword."""
        return [self.part(each) for each in self.body[keyword]]

    def target(self, reference: str) -> Schema:
        """The schema that a reference inside the document names.  Raises Unusable."""
        node = self.root
        for step in reference.removeprefix("#").split("/")[1:]:
            node = node.get(step.replace("~1", "/").replace("~0", "~")) if is_object(node) else None
        if node is None or not reference.startswith("#"):
            raise Unusable(f"the reference {reference} leads to nothing")
        return self.part(node)

    def _holds(self, keyword: str, value: Any) -> bool:
        speaks_of, rule = _RULES[keyword]
        return (speaks_of is not None and not _TYPES[speaks_of](value)) or rule(self.body[keyword], value, self)


def demand_usable(body: Any, root: Any = None) -> None:
    """Raise ``Unusable`` for a keyword, a type or a dialect, at any depth, that this module does not know."""
    root = body if root is None else root
    if isinstance(body, bool):
        return
    if not is_object(body):
        raise Unusable("a schema is an object or a boolean")
    if body.get("$schema", _DIALECT) not in (_DIALECT, f"{_DIALECT}#"):
        raise Unusable(f"the schema is of the dialect {body['$schema']}")
    if unknown := sorted(set(body) - set(_RULES) - _NOTES - _COMPANIONS):
        raise Unusable(f"the keyword {unknown[0]} is not supported")
    if wrong := [word for word in body if word in _OPERANDS and not _OPERANDS[word](body[word])]:
        raise Unusable(f"{wrong[0]} cannot be {body[wrong[0]]!r}")
    if "$ref" in body:
        Schema(body, root).target(body["$ref"])
    for each in _inner(body):
        demand_usable(each, root)


def mismatch(schema: Any, value: Any) -> str | None:
    """The keyword that a value breaks; None if the value fits."""
    return Schema(schema, schema).breach(value)


def denial(policy: Mapping[str, Any], tool: str, schema: Any, args: Any) -> str | None:
    """Why the policy forbids a call; None if it allows the call."""
    if tool in policy.get("deniedTools", []):
        return "the policy denies this tool"
    sandbox = policy["sandbox"]
    if sandbox.get("enabled") is False:
        return None
    return next((why for path in _paths(Schema(schema, schema), args) if (why := _offence(sandbox, path))), None)


def _is_size(operand: Any) -> bool:
    return _TYPES["integer"](operand) and operand >= 0


def _is_names(operand: Any) -> bool:
    return _is_array(operand) and all(isinstance(each, str) for each in operand)


def _is_pattern(operand: Any) -> bool:
    try:
        re.compile(operand)
    except (re.error, TypeError):
        return False
    return isinstance(operand, str)


# The operands that a keyword may have; operands that are schemas are checked elsewhere.
_OPERANDS: Mapping[str, Callable[[Any], bool]] = {
    "type": lambda told: all(isinstance(each, str) and each in _TYPES for each in _types(told)),
    "enum": _is_array,
    "$ref": lambda told: isinstance(told, str),
    "uniqueItems": _TYPES["boolean"],
    "multipleOf": lambda told: _TYPES["number"](told) and told > 0,
    "pattern": _is_pattern,
    "required": _is_names,
    "dependentRequired": lambda told: is_object(told) and all(map(_is_names, told.values())),
    "patternProperties": lambda told: is_object(told) and all(map(_is_pattern, told)),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _TYPES["number"]),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minContains", "maxContains"), _is_size),
    **dict.fromkeys(("minProperties", "maxProperties"), _is_size),
    **dict.fromkeys(_LISTS, lambda told: _is_array(told) and bool(told)),
    **dict.fromkeys(("properties", "$defs"), is_object),
}


def _types(operand: Any) -> list[Any]:
    return operand if _is_array(operand) else [operand]


def _inner(body: Mapping[str, Any]) -> list[Any]:
    lists = [each for word in _LISTS for each in body.get(word, [])]
    named = [each for word in _NAMED for each in body.get(word, {}).values()]
    return [*lists, *named, *(body[word] for word in _SINGLE if word in body)]


def _same(left: Any, right: Any) -> bool:
    """Whether two JSON values are equal; true is not equal to 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if _is_array(left) and _is_array(right):
        return len(left) == len(right) and all(map(_same, left, right))
    if is_object(left) and is_object(right):
        return left.keys() == right.keys() and all(_same(left[name], right[name]) for name in left)
    return bool(left == right)


def _distinct(values: list[Any]) -> bool:
    return not any(_same(one, other) for index, one in enumerate(values) for other in values[:index])


def _multiple(operand: Any, value: Any) -> bool:
    return Decimal(str(value)) % Decimal(str(operand)) == 0


def _found(pattern: str, text: str) -> bool:
    """Whether a pattern is in a text by ECMA-262, which reads `$`, `.`, `\\d` and `\\s` in another way than Python."""
    ours = _PARTS.sub(lambda part: _OURS.get(part[0], part[0].replace(r"\s", _BLANKS)), pattern)
    return re.search(ours, text, re.ASCII) is not None


def _additional(schema: Schema, value: Mapping[str, Any]) -> list[Any]:
    listed, patterns = schema.body.get("properties", {}), schema.body.get("patternProperties", {})
    matched = {name for name in value if any(_found(pattern, name) for pattern in patterns)}
    return [member for name, member in value.items() if name not in listed and name not in matched]


def _choice(schema: Schema, value: Any) -> Schema:
    return schema.part(schema.body.get("then" if schema.part(schema.body["if"]).fits(value) else "else", True))


def _contains(schema: Schema, value: list[Any]) -> bool:
    found = sum(schema.part(schema.body["contains"]).fits(each) for each in value)
    return bool(schema.body.get("minContains", 1) <= found <= schema.body.get("maxContains", found))


def _patterned(operand: Any, value: Mapping[str, Any], schema: Schema) -> bool:
    pairs = (
        (inner, member) for pattern, inner in operand.items() for name, member in value.items() if _found(pattern, name)
    )
    return all(schema.part(inner).fits(member) for inner, member in pairs)


def _from(schema: Schema, value: list[Any]) -> list[Any]:
    return value[len(schema.body.get("prefixItems", [])) :]


_Rule = Callable[[Any, Any, Schema], bool]
# For each keyword: the type that it applies to, and whether a value of that type keeps it.
_RULES: Mapping[str, tuple[str | None, _Rule]] = {
    "type": (None, lambda types, value, _: any(_TYPES[name](value) for name in _types(types))),
    "enum": (None, lambda choices, value, _: any(_same(each, value) for each in choices)),
    "const": (None, lambda constant, value, _: _same(constant, value)),
    "minimum": ("number", lambda limit, value, _: value >= limit),
    "maximum": ("number", lambda limit, value, _: value <= limit),
    "exclusiveMinimum": ("number", lambda limit, value, _: value > limit),
    "exclusiveMaximum": ("number", lambda limit, value, _: value < limit),
    "multipleOf": ("number", lambda divisor, value, _: _multiple(divisor, value)),
    "minLength": ("string", lambda limit, value, _: len(value) >= limit),
    "maxLength": ("string", lambda limit, value, _: len(value) <= limit),
    "pattern": ("string", lambda pattern, value, _: _found(pattern, value)),
    "minItems": ("array", lambda limit, value, _: len(value) >= limit),
    "maxItems": ("array", lambda limit, value, _: len(value) <= limit),
    "uniqueItems": ("array", lambda wanted, value, _: not wanted or _distinct(value)),
    "prefixItems": ("array", lambda _, value, at: all(map(Schema.fits, at.parts("prefixItems"), value))),
    "items": ("array", lambda inner, value, at: all(map(at.part(inner).fits, _from(at, value)))),
    "contains": ("array", lambda _, value, at: _contains(at, value)),
    "minContains": (None, lambda _, value, at: True),
    "maxContains": (None, lambda _, value, at: True),
    "minProperties": ("object", lambda limit, value, _: len(value) >= limit),
    "maxProperties": ("object", lambda limit, value, _: len(value) <= limit),
    "required": ("object", lambda names, value, _: all(name in value for name in names)),
    "dependentRequired": (
        "object",
        lambda of, value, _: all(set(of[name]) <= set(value) for name in of if name in value),
    ),
    "properties": (
        "object",
        lambda of, value, at: all(at.part(of[name]).fits(value[name]) for name in of if name in value),
    ),
    "patternProperties": ("object", _patterned),
    "additionalProperties": ("object", lambda inner, value, at: all(map(at.part(inner).fits, _additional(at, value)))),
    "propertyNames": ("object", lambda inner, value, at: all(map(at.part(inner).fits, value))),
    "allOf": (None, lambda _, value, at: all(each.fits(value) for each in at.parts("allOf"))),
    "anyOf": (None, lambda _, value, at: any(each.fits(value) for each in at.parts("anyOf"))),
    "oneOf": (None, lambda _, value, at: sum(each.fits(value) for each in at.parts("oneOf")) == 1),
    "not": (None, lambda inner, value, at: not at.part(inner).fits(value)),
    "if": (None, lambda _, value, at: _choice(at, value).fits(value)),
    "$ref": (None, lambda reference, value, at: at.target(reference).fits(value)),
}


def _paths(at: Schema, value: Any) -> Iterator[str]:
    """The arguments, at any depth, that the schema declares under names that stand for paths."""
    body = at.body
    if not is_object(body):
        return
    if "$ref" in body:
        yield from _paths(at.target(body["$ref"]), value)
    for each in [each for word in ("allOf", "anyOf", "oneOf") if word in body for each in at.parts(word)]:
        yield from _paths(each, value)
    for item in value if _is_array(value) else []:
        yield from _paths(at.part(body.get("items")), item)
    members: Mapping[str, Any] = value if is_object(value) else {}
    for name in [name for name in body.get("properties", {}) if name in members]:
        yield from _paths(at.part(body["properties"][name]), members[name])
        if name in {"path", "fromPath", "toPath", "paths"}:
            yield from (path for path in _types(members[name]) if isinstance(path, str))


def _offence(sandbox: Mapping[str, Any], path: str) -> str | None:
    if re.match(r"[/\\]|[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*:[/\\]", path):
        return "a path is absolute or a URI"
    if any(".." in re.split(r"[/\\]", text) for text in (path, unicodedata.normalize("NFKC", path))):
        return "a path has a parent segment"
    parts = _parts(path)
    roots = [_parts(root) for root in sandbox.get("allowedRoots", ["/"])]
    if not any(parts[: len(root)] == root for root in roots):
        return "a path lies outside the allowed roots"
    patterns = (unicodedata.normalize("NFC", pattern) for pattern in sandbox.get("denyPatterns", []))
    return "a path matches a deny pattern" if any(_matches(each, path, parts) for each in patterns) else None


def _parts(path: str) -> list[str]:
    return [part for part in unicodedata.normalize("NFC", path).split("/") if part not in {"", "."}]


def _matches(pattern: str, path: str, parts: list[str]) -> bool:
    if "*" in pattern or "?" in pattern:
        return any(fnmatchcase(part, pattern.replace("[", "[[]")) for part in parts)
    if re.fullmatch(r"[\w. -]+", pattern):
        return pattern in parts
    return pattern in ("/".join(parts) if re.fullmatch(r"[\w. /-]+", pattern) else path)
