"""SCH: schemas that say nothing, that no value satisfies, or whose keywords have no effect at their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.document import value_at
from callproof.lint.found import strings
from callproof.lint.keywords import keywords_on_the_way
from callproof.lint.rule import Fault, inputs, rule, schemas, subschemas
from callproof.lint.schema_facts import SchemaFacts, facts, place_in, text_of
from callproof.lint.schemas.drafts import REFERENCES, SPEAKS_OF
from callproof.lint.schemas.walk import Place, physical
from callproof.lint.settings import DEFAULT_PROFILE
from callproof.lint.wording import listed, shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_number, is_object

if TYPE_CHECKING:
    from callproof.schema.drafts import Unsatisfiable

_SAYS_NOTHING = frozenset({
    "$comment", "$schema", "$id", "default", "deprecated", "description", "example", "examples", "readOnly", "title",
    "writeOnly",
})  # fmt: skip
# A text that mentions arguments: a list of them, or one by name.
_ARGUMENTS = re.compile(r"\b(?:arg(?:ument)?s?|param(?:eter)?s?)\b(?:\s*:|\s+`)|@param\b|:param\b", re.IGNORECASE)
_ITEMS = ("items", "prefixItems", "unevaluatedItems", "contains")
_MEMBERS = (
    "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames", "required",
    "allOf", "anyOf", "oneOf", "not", "if", *REFERENCES, "enum", "const", "dependencies", "dependentRequired",
    "dependentSchemas", "maxProperties",
)  # fmt: skip
_EMPTY: tuple[Json, ...] = ({}, [])
_TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})
_BOUNDS = (
    ("minimum", "maximum", "number"),
    ("exclusiveMinimum", "maximum", "number"),
    ("minimum", "exclusiveMaximum", "number"),
    ("exclusiveMinimum", "exclusiveMaximum", "number"),
    ("minLength", "maxLength", "text"),
    ("minItems", "maxItems", "array"),
    ("minProperties", "maxProperties", "object"),
)
# If a schema has one of these, the arguments are named elsewhere than in the properties.
_COMPOSED = (*REFERENCES, "allOf", "anyOf", "oneOf", "patternProperties")


@rule("SCH005", each=subschemas)
def a_property_has_a_type_or_another_condition(schema: Schema) -> Iterator[Fault]:
    """A property or an item has a type, or another condition."""
    for down, inner in schema.children.items():
        if down[0] in ("properties", "items", "prefixItems") and is_object(inner.value) and _says_nothing(inner):
            # An object that is closed over its parts names their members, and leaves it to the parts what they take.
            beside = (part.children.get(down) for part in declared.everywhere(schema))
            if any(each is not None and not _says_nothing(each) for each in beside):
                continue
            yield Fault(
                down,
                "the schema has no type and no other condition, so that any value is valid",
                "a type, or any other condition",
                "name the type; if any value is meant, list the types",
            )


def _says_nothing(schema: Schema) -> bool:
    return schema.value is True or (is_object(schema.value) and all(_silent(name) for name in schema.members))


def _silent(name: str) -> bool:
    return name in _SAYS_NOTHING or name.startswith("x-")


@rule("SCH006", each=subschemas)
def an_array_describes_its_items(schema: Schema) -> Iterator[Fault]:
    """A schema of an array says something about its items."""
    if "array" in schema.types and not any(schema.has(keyword) for keyword in _ITEMS) and not _by_others(schema):
        yield Fault(
            ("type",),
            "the schema says nothing about the items of the array, so it may hold anything",
            "items, with the schema of one item",
            "add items: several providers refuse an array without it",
        )


def _by_others(schema: Schema) -> bool:
    beside = (*REFERENCES, "allOf", "anyOf", "oneOf", "enum", "const")
    return any(schema.has(keyword) for keyword in beside) or schema.get("maxItems") == 0


@rule("SCH011", each=schemas)
def a_schema_permits_at_least_one_value(schema: Schema) -> Iterator[Fault]:
    """Some value is valid for a schema, and for each part of it that is not written `false`."""
    known = facts(schema)
    for pointer, found in known.unsatisfiable.items():
        place = place_in(schema.value, pointer)
        if _is_cause(known, pointer, found) and not _inside_not(place):
            if _requires_the_unnamed(schema, place):
                continue
            at = (*place, found.causes[0][1][0]) if _own(pointer, found) else place
            by_itself = any(cause == pointer and "required" in keywords for cause, keywords in found.causes)
            refused = _refused(value_at(schema.value, place)) if by_itself else None
            if refused is not None:
                at = (*place, "required", refused[0])
            yield Fault(
                at,
                f"no value is valid here: {_excluding(pointer, found) if refused is None else refused[1]}",
                "a schema that some value satisfies",
                _dead(schema, "here" if pointer else ""),
            )
    yield from _crossed(schema)
    for place, keyword in known.endless:
        yield Fault(
            (*place, keyword),
            f"no value is valid here: {keyword} requires each value to hold another value of the same schema",
            "a schema that some value satisfies",
            "let the recursion end, with an optional member, an empty list, or null",
        )


def _crossed(schema: Schema) -> Iterator[Fault]:
    """Bounds that exclude each other without a type beside them: values of other types are still valid."""
    known = facts(schema)
    bounds = [each for each in _BOUNDS if each[0] in known.names and each[1] in known.names]
    for place, node in physical(schema.value) if bounds else ():
        for lower, upper, what in bounds:
            low, high = _member(node, lower), _member(node, upper)
            if not (is_number(low) and is_number(high)) or text_of(place) in known.unsatisfiable or _inside_not(place):
                continue
            if low > high or (low == high and "xclusive" in lower + upper):
                told = f"no {what} is valid here: {lower} is {shown(low)} and {upper} is {shown(high)}"
                yield Fault((*place, lower), told, "bounds that some value satisfies", "change one of the two")


def _member(node: Json, name: str) -> Json:
    return node.get(name) if is_object(node) else None


def _is_cause(known: SchemaFacts, pointer: str, found: Unsatisfiable) -> bool:
    """Whether a part is empty for its own reason: not written false, and not through a part of it."""
    if not found.causes:
        return False
    others = [cause for cause, _ in found.causes if cause != pointer and cause in known.unsatisfiable]
    return not others


def _inside_not(place: Place) -> bool:
    """Whether a part stands inside a `not`: what no value satisfies there excludes nothing."""
    return "not" in keywords_on_the_way(place)


def _requires_the_unnamed(schema: Schema, place: Place) -> bool:
    """Whether IN005 reports it: an argument is required but is no property, and the conventions' rules apply."""
    if DEFAULT_PROFILE not in schema.tool.catalogue.profiles:
        return False
    root = schema.resolved
    named = declared.names(root) if schema.role == "input" and place == root.within else None
    return named is not None and any(name not in named for name in root.required)


def _refused(part: Json) -> tuple[int, str] | None:
    """The first name that a closed object requires and does not have: its place in required, and what is said of it."""
    if not is_object(part) or part.get("additionalProperties") is not False or part.get("patternProperties"):
        return None
    named = part.get("properties")
    for place, name in enumerate(strings(part.get("required"))):
        if not (is_object(named) and name in named):
            return place, f"{shown(name)} is required, but additionalProperties refuses it"
    return None


def _own(pointer: str, found: Unsatisfiable) -> bool:
    """Whether one keyword of the part itself is the cause."""
    return len(found.causes) == 1 and found.causes[0][0] == pointer and len(found.causes[0][1]) == 1


def _excluding(pointer: str, found: Unsatisfiable) -> str:
    # The type is part of every cause; it is worth naming only together with one other keyword.
    others = tuple(each for each in found.causes if each != (pointer, ("type",)))
    told = others if len(others) > 1 or any(len(keywords) > 1 for _, keywords in others) else found.causes
    parts = [
        (_in_a_row(keywords) or "the schema") + (f" at {cause}" if cause != pointer else "") for cause, keywords in told
    ]
    several = len(parts) > 1 or any(len(keywords) > 1 for _, keywords in told)
    return f"{_in_a_row(parts)} exclude each other" if several else f"{listed(parts)} permits no value"


def _in_a_row(names: Sequence[str]) -> str:
    *others, last = names or ("",)
    return f"{listed(others)} and {last}" if others else last


def _dead(schema: Schema, where: str) -> str:
    """What to do about a schema, or a part of it, that no value satisfies."""
    what = "call" if schema.role == "input" else "result"
    return f"correct it: no {what} can have a valid value here" if where else f"correct it: no {what} can be valid"


@rule("SCH015", each=inputs)
def an_input_without_parameters_has_none_on_purpose(schema: Schema) -> Iterator[Fault]:
    """An input schema names parameters if the text mentions them, and is not left empty."""
    root = schema.resolved
    if not is_object(root.value) or root.get("properties") or any(root.has(keyword) for keyword in _COMPOSED):
        return
    text = schema.tool.get("description")
    if all(_silent(name) for name in root.members):
        yield Fault(
            root.within,
            f"the input schema is {shown(root.value)}: it names no argument and refuses none",
            "the schema of the arguments, or one that says there are none",
            "compare the server's own source: a library that generates schemas may have lost the arguments",
        )
    elif isinstance(text, str) and (found := _ARGUMENTS.search(text)):
        yield Fault(
            root.within,
            f"the input schema names no argument, but the description mentions some: {shown(found[0])}",
            "every argument in properties",
            "compare the server's own source: a library that generates schemas may have lost the arguments",
        )


@rule("SCH021", each=subschemas)
def a_keyword_has_an_effect_where_it_stands(schema: Schema) -> Iterator[Fault]:
    """A keyword says something about values of the types beside it."""
    types = schema.types
    # A word that is not a type is a fault for another rule, and says nothing about the keywords beside it.
    known = types if all(name in _TYPES for name in types) else ()
    for keyword in schema.members:
        speaks = SPEAKS_OF.get(keyword)
        if speaks and known and not any(name in speaks for name in known):
            yield Fault(
                (keyword,),
                f"{keyword} has no effect on a value of type {' or '.join(types)}",
                f"{keyword} beside type {' or '.join(speaks)}",
                "take it out, or change the type",
            )
    for keyword, partner in (("then", "if"), ("else", "if"), ("minContains", "contains"), ("maxContains", "contains")):
        if schema.has(keyword) and not schema.has(partner):
            yield Fault(
                (keyword,), f"{keyword} has no {partner} beside it", f"{keyword} beside {partner}", "take it out"
            )


@rule("SCH022", each=subschemas)
def an_object_argument_names_its_members(schema: Schema) -> Iterator[Fault]:
    """An argument that is an object has properties, or says what its members are."""
    if (
        schema.pointer == schema.root.resolved.pointer
        or schema.role != "input"
        or {*schema.types} - {"null"} != {"object"}
    ):
        return
    holds_none = schema.get("additionalProperties") is False
    said = (schema.get(keyword) for keyword in _MEMBERS if schema.has(keyword))
    # Compared by identity, since 1 is equal to true and 0 to false.
    if not any(value is not True and value is not False and value not in _EMPTY for value in said):
        holds = "nothing" if holds_none else "anything"
        yield Fault(
            ("type",),
            f"the object names no member, so it may hold {holds}",
            "properties, or additionalProperties with the schema of each member",
            "name the members; for a map, give the schema of its values",
        )
