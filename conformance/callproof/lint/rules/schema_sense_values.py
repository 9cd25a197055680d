"""SCH: values inside a schema, checked against that schema: enumerated ones, defaults and examples."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from callproof import limits
from callproof.lint import declared
from callproof.lint.common_members import is_common
from callproof.lint.definition import Schema
from callproof.lint.rule import Drop, Fault, Fix, Put, rule
from callproof.lint.schema_facts import facts, having, text_of
from callproof.lint.schemas.drafts import REFERENCES
from callproof.lint.wording import shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer, is_array, is_number, is_object

# Keywords that may refuse null beside a type that permits it.
_REFUSING = frozenset({*REFERENCES, "allOf", "anyOf", "const", "enum", "if", "not", "oneOf"})


@rule("SCH007", each=having("enum"))
def enum_values_are_distinct_and_match_the_type(schema: Schema) -> Iterator[Fault]:
    """`enum` lists each value once, and only values of the type beside it."""
    listed = schema.get("enum")
    if not is_array(listed) or len(listed) > limits.SCHEMA_NODES:
        return
    types = schema.types
    outside = [number for number, each in enumerate(listed) if not _is_of(each, types)]
    # None of them is of the type if no type is named, or no known one.
    if len(outside) < len(listed):
        for number in outside:
            yield Fault(
                ("enum", number),
                f"enum lists {shown(listed[number])}, which is not of type {' or '.join(types)}",
                f"values of type {' or '.join(types)}",
                "take it out, or add its type",
            )
    met: set[str] = set()
    for number, each in enumerate(listed):
        text = _written(each)
        if text in met:
            yield Fault(("enum", number), f"enum lists {shown(each)} a second time", "each value once", "take it out")
        met.add(text)


@rule("SCH008", each=having("default"))
def a_default_is_valid_for_its_own_schema(schema: Schema) -> Iterator[Fault]:
    """A default other than null is valid for the schema that contains it."""
    if schema.get("default") is not None:
        yield from _refused(schema, ("default",), schema.get("default"), "the default")


@rule("SCH008n", each=having("default"))
def a_default_of_null_is_permitted_by_its_schema(schema: Schema) -> Iterator[Fault]:
    """If the default is null, the schema permits null."""
    if schema.get("default") is not None:
        return
    valid = facts(schema).valid
    if valid is None or valid.accepts(text_of(schema.within), None) is not False:
        return
    fix = None
    if is_common(schema):
        fix = Fix((Drop(("default",)),), safe=False, says="leave the default out")
    elif isinstance(schema.type, str) and not _REFUSING & schema.members.keys():
        wider: list[Json] = [schema.type, "null"]
        fix = Fix((Put((), "type", wider),), safe=False, says="permit null")
    yield Fault(
        ("default",),
        "the default is null, which the schema does not permit",
        "a default that is valid for its schema",
        "leave the default out if an absent argument is meant, or permit null",
        fix,
    )


@rule("SCH009", each=having("examples", "example"))
def an_example_is_valid_for_its_own_schema(schema: Schema) -> Iterator[Fault]:
    """Every example is valid for the schema that contains it."""
    listed = schema.get("examples")
    if is_array(listed):
        for number, each in enumerate(listed):
            yield from _refused(schema, ("examples", number), each, "the example")
    if schema.has("example"):
        yield from _refused(schema, ("example",), schema.get("example"), "the example")


@rule("SCH010", each=having("required"))
def a_required_argument_has_no_default(schema: Schema) -> Iterator[Fault]:
    """A property with a default is not required."""
    if schema.role != "input":
        return
    for number, name in enumerate(schema.required):
        inner = schema.properties.get(name)
        told = declared.default(inner) if inner is not None else None
        if told is not None:
            yield Fault(
                ("required", number),
                f"{name} is required and has the default {shown(told[0])}, which can never apply",
                "an argument that is required or has a default",
                "take it out of required, or remove the default",
            )


def _refused(schema: Schema, at: tuple[str | int, ...], value: Json, what: str) -> Iterator[Fault]:
    valid = facts(schema).valid
    errors = None if valid is None else valid.errors(text_of(schema.within), value)
    if errors:
        where = f" at {errors[0].pointer}" if errors[0].pointer else ""
        yield Fault(
            at,
            f"{what} {shown(value)} is refused by its own schema{where}: {errors[0].message}",
            "a value that the schema around it accepts",
            f"change {what} or the {errors[0].keyword} that refuses it",
        )


def _is_of(value: Json, types: tuple[str, ...]) -> bool:
    return any(_TESTS[name](value) for name in types if name in _TESTS)


_TESTS: Mapping[str, Callable[[Json], bool]] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "number": is_number,
    "integer": lambda value: as_integer(value) is not None,
    "string": lambda value: isinstance(value, str),
    "array": is_array,
    "object": is_object,
}


def _written(value: Json) -> str:
    """A text that is the same for values that are equal in JSON."""
    whole = as_integer(value)
    return json.dumps(value if whole is None else whole, sort_keys=True)
