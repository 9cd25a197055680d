"""PORT: what a client of MCP refuses before anybody reads it: misshapen definitions, and bad headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from callproof.lint.definition import Definition, Schema
from callproof.lint.document import Pointer
from callproof.lint.keywords import keywords_on_the_way
from callproof.lint.rule import Fault, definitions, inputs, rule
from callproof.lint.rules.providers import limits_for, rests_on, type_of
from callproof.lint.wording import shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_HEADER = "x-mcp-header"
_PLAIN = frozenset({"boolean", "integer", "string"})
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


@rule("PORT012", each=definitions)
def a_client_can_read_the_definition(tool: Definition) -> Iterator[Fault]:
    """A definition has the shape that the protocol gives it: if one does not, clients refuse the whole list."""
    for limit in limits_for(tool.catalogue, "wire-shape")[:1]:
        for at, observed, permitted in _misshapen(tool):
            yield Fault(
                at=tool.at(*at),
                observed=observed,
                permitted=permitted,
                help=f"correct it: a client that checks the list refuses all tools in it; {rests_on(limit)}",
            )


@rule("PORT014", each=inputs)
def each_x_mcp_header_can_be_sent_as_an_http_header(schema: Schema) -> Iterator[Fault]:
    """Each `x-mcp-header` is a unique token on a plain parameter that is reached through properties alone."""
    for limit in limits_for(schema.catalogue, "header-parameters")[:1]:
        seen: set[str] = set()
        for each in schema.inside():
            if each.has(_HEADER):
                for observed, permitted in _bad_header(each, seen):
                    yield Fault(
                        at=(*each.within, _HEADER),
                        observed=observed,
                        permitted=permitted,
                        help=f"correct it, or take {_HEADER} out; {rests_on(limit)}",
                    )


def _misshapen(tool: Definition) -> Iterator[tuple[Pointer, str, str]]:
    """What deviates from the protocol's shape: where, what is there, and what may be there."""
    if not isinstance(tool.get("name"), str):
        told = shown(tool.get("name")) if tool.has("name") else "missing"
        yield ("name",) if tool.has("name") else (), f"the name is {told}", "a string"
    for name in ("title", "description"):
        if tool.has(name) and not isinstance(tool.get(name), str):
            yield (name,), f"{name} is {type_of(tool.get(name))}", "a string"
    if tool.has(tool.input_name):
        yield from _bad_schema(tool.input_name, tool.get(tool.input_name), rooted=True)
    else:
        yield (), f"{tool.input_name} is missing", "an object"
    if tool.has(tool.output_name):
        yield from _bad_schema(tool.output_name, tool.get(tool.output_name), rooted=False)
    yield from _bad_beside_schemas(tool)


def _bad_beside_schemas(tool: Definition) -> Iterator[tuple[Pointer, str, str]]:
    """What deviates from that shape in the members that describe the tool."""
    for name in ("annotations", "_meta"):
        if tool.has(name) and not is_object(tool.get(name)):
            yield (name,), f"{name} is {type_of(tool.get(name))}", "an object"
    for name, value in _object(tool.get("annotations")).items():
        if name in _HINTS and not isinstance(value, bool):
            yield ("annotations", name), f"{name} is {shown(value)}", "true or false"
        if name == "title" and not isinstance(value, str):
            yield ("annotations", name), f"{name} is {type_of(value)}", "a string"
    icons = tool.get("icons")
    if tool.has("icons") and not is_array(icons):
        yield ("icons",), f"icons is {type_of(icons)}", "an array"
    for place, icon in enumerate(icons if is_array(icons) else ()):
        if not isinstance(_object(icon).get("src"), str):
            yield ("icons", place), "the icon has no string in src", "an object with the icon's address in src"


def _object(value: Json) -> Mapping[str, Json]:
    return value if is_object(value) else {}


def _bad_schema(name: str, schema: Json, *, rooted: bool) -> Iterator[tuple[Pointer, str, str]]:
    if not is_object(schema):
        yield (name,), f"{name} is {type_of(schema)}", "an object"
        return
    if rooted and schema.get("type") != "object":
        at, told = ((name, "type"), shown(schema["type"])) if "type" in schema else ((name,), "missing")
        yield at, f"the type of {name} is {told}", '"object"'
    properties, required = schema.get("properties"), schema.get("required")
    if "properties" in schema and not is_object(properties):
        yield (name, "properties"), f"properties is {type_of(properties)}", "an object"
    elif is_object(properties) and not all(map(is_object, properties.values())):
        yield (name, "properties"), "a property has a schema that is not an object", "an object for each"
    if "required" in schema and not (is_array(required) and all(isinstance(each, str) for each in required)):
        others = [each for each in required if not isinstance(each, str)] if is_array(required) else []
        told = f"required has {shown(others[0])}" if others else f"required is {type_of(required)}"
        yield (name, "required"), told, "an array of names"


def _bad_header(schema: Schema, seen: set[str]) -> Iterator[tuple[str, str]]:
    name = schema.get(_HEADER)
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        yield f"{_HEADER} is {shown(name)}", "a token of HTTP: letters, digits and !#$%&'*+-.^_`|~"
        return
    if name.lower() in seen:
        yield f"{_HEADER} {shown(name)} occurs twice", "each name once, whatever its case"
    seen.add(name.lower())
    if not schema.types or not _PLAIN.issuperset(schema.types):
        told = f"of the type {shown(schema.type)}" if schema.has("type") else "without a type"
        yield f"{_HEADER} is on a parameter {told}", "integer, string or boolean"
    other = next((each for each in keywords_on_the_way(schema.within) if each != "properties"), "")
    if other or not schema.within:
        where = f"below {shown(other)}" if other else "at the root"
        yield f"{_HEADER} is {where}", "a parameter that is reached through properties alone"
