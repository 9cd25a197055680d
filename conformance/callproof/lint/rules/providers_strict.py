"""PORT: the strict modes of two providers, which turn a schema into a grammar and permit little of JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from callproof.lint.definition import Definition, Registry, Schema
from callproof.lint.document import Pointer
from callproof.lint.keywords import CONDITIONS, keywords_on_the_way
from callproof.lint.profiles.loading import Limit, covers, limits_of
from callproof.lint.references import target
from callproof.lint.rule import Fault, inputs, registries, rule
from callproof.lint.rules.providers import enum_types, named, rests_on
from callproof.lint.schemas.patterns.components import Graph, components
from callproof.lint.wording import listed, nearest, shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The strict mode for the name of each form in which a definition can ask for one; the plain mode has the same name.
_STRICT: Mapping[str, str] = {"openai": "openai-strict", "anthropic": "anthropic-strict"}
# An escape, a whole class of characters, or a single character.
_TOKENS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
# Keywords that may be beside a reference, since they say nothing about the value.
_BESIDE_REFERENCES = frozenset({"$defs", "$id", "$ref", "$schema", "definitions"})
# Below these, a schema does not describe a value of its own.
_UNTYPED = CONDITIONS | {"additionalProperties", "propertyNames", "unevaluatedProperties"}
_SAY_IT = "leave it out, and say it in the description"
_INSTEAD = {"oneOf": "write anyOf instead", "allOf": "write its parts as one schema"}
_AROUND = re.compile(r"\(\?<?[=!]")


@rule("PORT005", each=inputs)
def openai_accepts_the_input_schema_in_strict_mode(schema: Schema) -> Iterator[Fault]:
    """An input schema is one that OpenAI takes with `strict`."""
    yield from _not_strict(schema, "openai-strict")


@rule("PORT007", each=inputs)
def anthropic_accepts_the_input_schema_in_strict_mode(schema: Schema) -> Iterator[Fault]:
    """An input schema is one that Anthropic takes with `strict`."""
    yield from _not_strict(schema, "anthropic-strict")


@rule("PORT008", each=registries)
def all_strict_tools_fit_into_one_request(held: Registry) -> Iterator[Fault]:
    """Strict tools that are offered together do not pass any limit of one request."""
    limits = dict.fromkeys(limit for each in held.definitions for limit in strict_limits(each, "request-total"))
    for limit in limits:
        most = _numbers(limit.value)
        for what, count in _COUNTS.items():
            total = 0
            for tool in (each for each in held.definitions if limit in strict_limits(each, limit.kind)):
                before, total = total, total + count(tool)
                if before <= most[what] < total:
                    yield Fault(
                        at=(),
                        on=tool,
                        observed=f"with this tool there are {total} {what}",
                        permitted=f"at most {most[what]} in one request ({limit.provider})",
                        help=f"send fewer tools as strict; {rests_on(limit)}",
                    )


def strict_limits(tool: Definition, kind: str) -> tuple[Limit, ...]:
    """The limits of one kind for a tool: of the chosen profiles, and of the strict mode that it asks for."""
    chosen, provider = tool.catalogue.profiles, tool.found.form.name
    asked = tool.get("strict") is True and provider in _STRICT and covers(chosen, provider)
    return limits_of(kind, (*chosen, _STRICT[provider]) if asked else chosen)


def _not_strict(schema: Schema, provider: str) -> Iterator[Fault]:
    for kind, check in _CHECKS.items():
        for limit in strict_limits(schema.tool, kind):
            if limit.provider == provider:
                yield from check(schema, limit)


def _open(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        if _is_object(each) and each.get("additionalProperties") is not False:
            yield Fault(
                at=(*each.within, "additionalProperties") if each.has("additionalProperties") else each.within,
                observed=f"additionalProperties is {shown(each.get('additionalProperties'))}"
                if each.has("additionalProperties")
                else "the object has no additionalProperties",
                permitted=f'"additionalProperties": false in every object ({limit.provider})',
                help=f"{_closing(each)}; {rests_on(limit)}",
            )


def _closing(schema: Schema) -> str:
    first = "" if schema.properties else "name the members in properties, and "
    return f'{first}write "additionalProperties": false'


def _untyped(schema: Schema, limit: Limit) -> Iterator[Fault]:
    known = frozenset(named(limit.value))
    for each in schema.inside():
        # PORT004 judges the root; a closed object has no other members; a condition need not repeat the type.
        apart = each.is_root or not _UNTYPED.isdisjoint(keywords_on_the_way(each.within))
        # A schema of true takes any value; a schema of false takes none, so a type would change nothing.
        says = is_object(each.value) or each.value is True
        if says and not apart and known.isdisjoint(each.members):
            yield Fault(
                at=each.within,
                observed="the schema does not say which type the value has",
                permitted=f"one of {listed(named(limit.value))} ({limit.provider})",
                help=f"write the type, or anyOf with each possible type; {rests_on(limit)}",
            )


def _optional(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        optional = [name for name in each.properties if name not in each.required]
        if optional:
            yield Fault(
                at=(*each.within, "properties", optional[0]),
                observed=f"{listed(optional)} {'is' if len(optional) == 1 else 'are'} not required",
                permitted=f"every property in required ({limit.provider})",
                help=f"require {'it' if len(optional) == 1 else 'them'} and permit null; {rests_on(limit)}",
            )


def _keywords(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        for keyword in named(limit.value):
            if each.has(keyword):
                yield Fault(
                    at=(*each.within, keyword),
                    observed=f"the schema has {keyword}",
                    permitted=f"a schema without it ({limit.provider})",
                    help=f"{_INSTEAD.get(keyword, _SAY_IT)}; {rests_on(limit)}",
                )


def _size(schema: Schema, limit: Limit) -> Iterator[Fault]:
    sizes = _sizes(schema)
    for what, most in _numbers(limit.value).items():
        if sizes[what] > most:
            yield Fault(
                at=(),
                observed=f"the schema has {sizes[what]} {what}",
                permitted=f"at most {most} ({limit.provider})",
                help=f"leave parts out, or make several tools; {rests_on(limit)}",
            )


def _min_items(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        least = each.get("minItems")
        if isinstance(least, int) and least > int(str(limit.value)):
            yield Fault(
                at=(*each.within, "minItems"),
                observed=f"minItems is {least}",
                permitted=f"0 or 1 ({limit.provider})",
                help=f"{_SAY_IT}; {rests_on(limit)}",
            )


def _formats(schema: Schema, limit: Limit) -> Iterator[Fault]:
    permitted = named(limit.value)
    for each in schema.inside():
        name = each.get("format")
        if isinstance(name, str) and name not in permitted:
            yield Fault(
                at=(*each.within, "format"),
                observed=f"format is {shown(name)}",
                permitted=f"{listed(permitted, most=20)} ({limit.provider})",
                help=f"{_instead(name, permitted)}; {rests_on(limit)}",
            )


def _instead(name: str, permitted: tuple[str, ...]) -> str:
    near = nearest(name, permitted)
    return f"did you mean {near}?" if near else _SAY_IT


def _recursion(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each, reference in _in_circles(schema):
        yield Fault(
            at=(*each.within, "$ref"),
            observed=f"{shown(reference)} leads back to its own place",
            permitted=f"no recursion ({limit.provider})",
            help=f"write out as many levels as are used; {rests_on(limit)}",
        )


def _in_circles(schema: Schema) -> Iterator[tuple[Schema, str]]:
    """The references that lead back to their own place, also through other definitions."""
    every = {each.within: each for each in schema.inside()}
    found = {place: target(schema.references, place, _reference(each)) for place, each in every.items()}
    leads = {place: there[0] for place, there in found.items() if there is not None and there[0] in every}
    graph: Graph[Pointer] = {
        place: {below: 0 for child in each.children.values() if (below := child.within) in every}
        for place, each in every.items()
    }
    for place, there in leads.items():
        graph[place][there] = 0
    circle = {place: number for number, each in enumerate(components(graph)) for place in each}
    for place, there in leads.items():
        if place in circle and circle[place] == circle.get(there):
            yield every[place], _reference(every[place])


def _beside_references(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        beside = [keyword for keyword in each.members if keyword not in _BESIDE_REFERENCES]
        if _reference(each) and beside:
            yield Fault(
                at=(*each.within, beside[0]),
                observed=f"beside $ref there {'is' if len(beside) == 1 else 'are'} {listed(beside)}",
                permitted=f"$ref alone ({limit.provider})",
                help=f"move it into the schema that $ref leads to, or write that schema out here; {rests_on(limit)}",
            )


def _references_elsewhere(schema: Schema, limit: Limit) -> Iterator[Fault]:
    holders = named(limit.value)
    for each in schema.inside():
        found = target(schema.references, each.within, _reference(each))
        if found is not None and found[0] and (len(found[0]) != 2 or found[0][0] not in holders):
            yield Fault(
                at=(*each.within, "$ref"),
                observed=f"$ref leads to {shown(_reference(each))}",
                permitted=f"# or a definition of the root, in {listed(holders)} ({limit.provider})",
                help=f"move the schema that it leads to into {holders[0]}; {rests_on(limit)}",
            )


def _patterns(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        pattern = each.get("pattern")
        for feature in _features(pattern) & {*named(limit.value)} if isinstance(pattern, str) else ():
            yield Fault(
                at=(*each.within, "pattern"),
                observed=f"the pattern {shown(pattern)} has a {feature}",
                permitted=f"patterns without it ({limit.provider})",
                help=f"leave the check to the server, and say it in the description; {rests_on(limit)}",
            )


def _features(pattern: str) -> frozenset[str]:
    """The features of a pattern that need more than one pass; characters in a class or after a backslash are plain."""
    tokens = _TOKENS.findall(pattern)
    escapes = {each[1:] for each in tokens if each.startswith("\\")}
    around = _AROUND.search("".join(each if len(each) == 1 else "x" for each in tokens))
    has = {
        "back reference": bool(escapes & {*"123456789k"}),
        "lookahead or lookbehind": bool(around),
        "word boundary": bool(escapes & {*"bB"}),
    }
    return frozenset(name for name, there in has.items() if there)


def _references_in_all_of(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        for place, part in enumerate(_values(each.get("allOf"))):
            if is_object(part) and "$ref" in part:
                yield Fault(
                    at=(*each.within, "allOf", place, "$ref"),
                    observed="allOf contains a reference",
                    permitted=f"allOf of schemas that are written out ({limit.provider})",
                    help=f"write out here the schema that it leads to; {rests_on(limit)}",
                )


_CHECKS: Mapping[str, Callable[[Schema, Limit], Iterator[Fault]]] = {
    "closed-objects": _open,
    "all-required": _optional,
    "typed-schemas": _untyped,
    "strict-keywords": _keywords,
    "schema-size": _size,
    "most-items-required": _min_items,
    "enum-types": enum_types,
    "formats": _formats,
    "no-recursion": _recursion,
    "pattern-features": _patterns,
    "plain-all-of": _references_in_all_of,
    "bare-references": _beside_references,
    "references-to-definitions": _references_elsewhere,
}


def _sizes(schema: Schema) -> Mapping[str, int]:
    every = [*schema.inside()]
    names = [name for each in every for name in each.properties]
    definitions = [name for each in every for held in ("$defs", "definitions") for name in _members(each.get(held))]
    values = [value for each in every for value in _values(each.get("enum"))]
    constants = [each.get("const") for each in every if each.has("const")]
    told = [*names, *definitions, *(str(each) for each in (*values, *constants))]
    return {
        "properties": len(names),
        "levels": max((each.path_depth for each in every), default=0),
        "characters": sum(map(len, told)),
        "enum values": len(values),
        "characters in an enum of more than 250 values": max(map(_long_enum, every), default=0),
    }


def _long_enum(schema: Schema) -> int:
    texts = [each for each in _values(schema.get("enum")) if isinstance(each, str)]
    return sum(map(len, texts)) if len(texts) > 250 else 0


def _is_object(schema: Schema) -> bool:
    return "object" in schema.types or bool(schema.properties)


def _reference(schema: Schema) -> str:
    """The value of ``$ref``; empty if there is none."""
    told = schema.get("$ref")
    return told if isinstance(told, str) else ""


def _members(value: Json) -> Mapping[str, Json]:
    return value if is_object(value) else {}


def _values(value: Json) -> tuple[Json, ...]:
    return tuple(value) if is_array(value) else ()


def _numbers(value: Json) -> Mapping[str, int]:
    return {name: int(str(each)) for name, each in _members(value).items()}


def _parameters(tool: Definition) -> Iterator[tuple[str, Schema, Schema]]:
    """Every property of every object of the input, with that object."""
    for each in tool.input.inside() if tool.input is not None else ():
        for name, schema in each.properties.items():
            yield name, schema, each


_COUNTS: Mapping[str, Callable[[Definition], int]] = {
    "strict tools": lambda tool: 1,
    "optional parameters": lambda tool: sum(name not in held.required for name, _, held in _parameters(tool)),
    "parameters with union types": lambda tool: sum(
        each.has("anyOf") or is_array(each.type) for _, each, _ in _parameters(tool)
    ),
}
