"""What some rules of lint must find in real definitions, decided by a few lines that do not use lint.

Only rules whose truth is mechanical are here: whether a member is there, whether a name matches an expression.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from jsonschema import Draft7Validator, Draft202012Validator

Tool = Mapping[str, Any]
Truth = Callable[[Tool], bool]
_OPENAI = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_COMBINED = {"oneOf", "anyOf", "allOf", "enum", "not"}
# JSON Schema 2020-12, validation, section 7.3.
_FORMATS = {
    "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6", "iri",
    "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time", "uri", "uri-reference", "uri-template",
    "uuid",
}  # fmt: skip
# Keywords that strict modes refuse, as far as the corpora use them.
_NOT_OPENAI = {
    "allOf", "contains", "dependencies", "dependentRequired", "dependentSchemas", "else", "if", "maxProperties",
    "minProperties", "not", "oneOf", "patternProperties", "prefixItems", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties", "uniqueItems",
}  # fmt: skip
_NOT_ANTHROPIC = {
    "exclusiveMaximum", "exclusiveMinimum", "maximum", "maxItems", "maxLength", "minimum", "minLength", "multipleOf",
    "oneOf", "uniqueItems",
}  # fmt: skip
_FEW = {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"}
_DEFINITION = re.compile(r"#(/(\$defs|definitions)/[^/]+)?")
_PLANNED = {"dryRun", "note", "requestId"}


def root(tool: Tool, name: str) -> Any:
    """The input or output schema of a tool; an empty one if it has none."""
    return tool.get(name) or {}


def has(tool: Tool, name: str) -> bool:
    """Whether a tool has a schema; null counts as no schema."""
    return tool.get(name) is not None


def inside(schema: Any) -> Iterator[Mapping[str, Any]]:
    """A schema and every schema inside it, as far as the corpora use the keywords for that."""
    if isinstance(schema, list):
        for each in schema:
            yield from inside(each)
    elif isinstance(schema, dict):
        yield schema
        for keyword in ("properties", "$defs", "definitions", "patternProperties", "dependentSchemas"):
            yield from inside([*schema.get(keyword, {}).values()])
        for keyword in (
            "items",
            "additionalProperties",
            "propertyNames",
            "not",
            "anyOf",
            "oneOf",
            "allOf",
            "prefixItems",
        ):
            yield from inside(schema.get(keyword))


def of_the_root(tool: Tool, name: str) -> list[Any]:
    """The input or output schema of a tool, and the schemas in its combinators."""
    whole = root(tool, name)
    return [whole, *(each for word in ("allOf", "anyOf", "oneOf") for each in whole.get(word, ()))]


def both(tool: Tool) -> list[Mapping[str, Any]]:
    """Every schema of a tool's input and output."""
    return [*inside(tool.get("inputSchema")), *inside(tool.get("outputSchema"))]


def is_open(schema: Mapping[str, Any]) -> bool:
    """Whether a schema describes an object that permits members of any name."""
    is_object = schema.get("type") in ("object", ["object", "null"]) or bool(schema.get("properties"))
    return is_object and schema.get("additionalProperties") is not False


def is_optional(schema: Mapping[str, Any]) -> bool:
    """Whether a schema has an optional property."""
    return not {*schema.get("properties", ())} <= {*schema.get("required", ())}


def has_untyped(schema: Mapping[str, Any]) -> bool:
    """Whether a property, an element or an alternative of a schema has no type."""
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ()), schema.get("items", {"type": "x"})]
    said = {"type", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"}
    return any(each is True or (isinstance(each, dict) and said.isdisjoint(each)) for each in parts)


def is_refused(schema: Any) -> bool:
    """Whether the metaschema of a schema's dialect refuses it."""
    validator = Draft7Validator if "draft-07" in str(schema.get("$schema")) else Draft202012Validator
    return any(validator(validator.META_SCHEMA).iter_errors(schema))


# For each rule, whether it must find something in a tool.
TRUTHS: Mapping[str, Truth] = {
    "TD001": lambda tool: not has(tool, "inputSchema"),
    "TD002": lambda tool: not has(tool, "outputSchema"),
    "TD003": lambda tool: "riskLevel" not in tool,
    "TD005": lambda tool: "sideEffects" not in tool,
    "TD006": lambda tool: "availability" not in tool,
    "TD012": lambda tool: not tool["name"].strip(),
    "IN001": lambda tool: has(tool, "inputSchema") and root(tool, "inputSchema").get("type") != "object",
    "IN002": lambda tool: (
        has(tool, "inputSchema") and root(tool, "inputSchema").get("additionalProperties") is not False
    ),
    "IN004": lambda tool: has(tool, "inputSchema") and "required" not in root(tool, "inputSchema"),
    "IN005": lambda tool: not set(root(tool, "inputSchema").get("required", ())) <= names(tool, "inputSchema"),
    "IN007": lambda tool: not _PLANNED.isdisjoint(root(tool, "inputSchema").get("required", ())),
    "OUT001": lambda tool: "outputSchema" in tool and root(tool, "outputSchema").get("type") != "object",
    "OUT002": lambda tool: (
        has(tool, "outputSchema") and root(tool, "outputSchema").get("additionalProperties") is not False
    ),
    "OUT004": lambda tool: any("ok" in each.get("properties", ()) for each in of_the_root(tool, "outputSchema")),
    "SCH001": lambda tool: is_refused(root(tool, "inputSchema")) or is_refused(root(tool, "outputSchema")),
    "SCH004": lambda tool: any("format" in each and each["format"] not in _FORMATS for each in both(tool)),
    "SCH006": lambda tool: any(
        each.get("type") == "array" and not {"items", "prefixItems"} & {*each} for each in both(tool)
    ),
    "SCH007": lambda tool: any(
        len({*map(repr, each.get("enum", ()))}) < len(each.get("enum", ())) for each in both(tool)
    ),
    "SCH013": lambda tool: any(not each.get("$ref", "#").startswith("#") for each in both(tool)),
    "SCH017": lambda tool: any(not re.search(r"^\^|\$$", each.get("pattern", "^")) for each in both(tool)),
    "PORT001": lambda tool: _OPENAI.fullmatch(tool["name"]) is None,
    "PORT004": lambda tool: (
        root(tool, "inputSchema").get("type") != "object" or not _COMBINED.isdisjoint(root(tool, "inputSchema"))
    ),
    "PORT005": lambda tool: any(
        is_open(each)
        or is_optional(each)
        or _NOT_OPENAI & {*each}
        or each.get("format", "date") not in _FEW - {"uri"}
        or re.search(r"\(\?<?[=!]", each.get("pattern", ""))
        or ("$ref" in each and {*each} - {"$ref", "$defs", "$schema", "definitions"})
        or _DEFINITION.fullmatch(each.get("$ref", "#")) is None
        or has_untyped(each)
        for each in inside(tool.get("inputSchema"))
    ),
    "PORT007": lambda tool: any(
        is_open(each)
        or _NOT_ANTHROPIC & {*each}
        or each.get("minItems", 0) > 1
        or each.get("format", "date") not in _FEW
        or has_untyped(each)
        for each in inside(tool.get("inputSchema"))
    ),
    "PORT012": lambda tool: root(tool, "inputSchema").get("type") != "object",
    "PORT013": lambda tool: "outputSchema" in tool and root(tool, "outputSchema").get("type") != "object",
    "PORT016": lambda tool: any(
        ("array" in str(each.get("type")) and "items" not in each)
        or isinstance(each.get("items"), list)
        or not {*each.get("required", ())} <= {*each.get("properties", ())}
        or not all(isinstance(value, str) and value for value in each.get("enum", ()))
        or ("properties" in each and "object" not in str(each.get("type")) and each is not tool["inputSchema"])
        or (each is tool["inputSchema"] and each.get("type") == "object" and "properties" not in each)
        for each in inside(tool.get("inputSchema"))
    ),
}


def names(tool: Tool, side: str) -> set[str]:
    """The members that a schema of a tool names at its root."""
    return set(root(tool, side).get("properties", ()))


def told_apart(tools: Sequence[Tool]) -> set[int]:
    """The places of tools with the name of an earlier one, apart from case and signs between words: TD010's truth."""
    seen = Counter[str]()
    again: set[int] = set()
    for place, tool in enumerate(tools):
        plain = re.sub(r"[^a-z0-9]", "", tool["name"].lower())
        if seen[plain]:
            again.add(place)
        seen[plain] += 1
    return again


def namesakes(tools: Sequence[Tool]) -> set[int]:
    """The places of tools with exactly the name of an earlier one: PORT017's truth."""
    named = [tool["name"] for tool in tools]
    return {place for place, name in enumerate(named) if name in named[:place]}


def places(rule: str, tools: Sequence[Tool]) -> set[int]:
    """The places of the tools of a source in which a rule must find something."""
    if rule in _OF_SEVERAL:
        return _OF_SEVERAL[rule](tools)
    return {place for place, tool in enumerate(tools) if TRUTHS[rule](tool)}


_OF_SEVERAL = {"TD010": told_apart, "PORT017": namesakes}
MECHANICAL = (*TRUTHS, *_OF_SEVERAL)
