"""OUT: what an output schema promises."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from callproof.lint import declared
from callproof.lint.closing import open_inside, open_root
from callproof.lint.definition import Definition, Registry, Schema
from callproof.lint.property_edits import is_named_elsewhere, without_property
from callproof.lint.rule import Fault, Fix, Put, definitions, outputs, registries, rule, subschemas
from callproof.lint.rules.inputs import root_type
from callproof.lint.times import ends_in_ms, has_unit, is_counted, is_time, is_time_as_a_number, times
from callproof.values.jsonvalue import as_integer, is_array, is_number

_OUTCOMES = ("success", "status", "error", "errorCode")
# With one of these keywords, an object says which members it has, or leaves that to another schema.
_DECLARING = frozenset(
    {
        "$ref", "additionalProperties", "allOf", "anyOf", "const", "enum", "if", "not", "oneOf", "patternProperties",
        "properties", "propertyNames", "unevaluatedProperties",
    }
)  # fmt: skip
_NUMBERS = frozenset({"integer", "number"})


@rule("OUT001", each=outputs)
def the_output_is_an_object(schema: Schema) -> Iterator[Fault]:
    """The root of an output schema has the type object, as that one word."""
    yield from root_type(schema, "output")


@rule("OUT002", each=outputs)
def the_output_is_closed(schema: Schema) -> Iterator[Fault]:
    """The root of an output schema has `additionalProperties` false."""
    yield from open_root(schema, "output")


@rule("OUT003", each=subschemas)
def objects_within_the_output_are_closed(schema: Schema) -> Iterator[Fault]:
    """An object inside an output is closed, unless it is a map."""
    if schema.role == "output" and not schema.is_root:
        yield from open_inside(schema, "output")


@rule("OUT004", each=outputs)
def the_output_has_no_member_ok(schema: Schema) -> Iterator[Fault]:
    """An output has no member `ok`, since the result around it has one."""
    for part in declared.everywhere(schema):
        if "ok" in part.properties:
            fix = Fix(without_property(part, "ok"), safe=False, says="take ok out of the output")
            yield Fault(
                at=(*part.within, "properties", "ok"),
                observed="the output has a member ok",
                permitted="no member ok: the result around the output says whether the call succeeded",
                help="take ok out, wherever the schema names it, and return an error if the call failed",
                fix=None if is_named_elsewhere(part, "ok") else fix,
            )


@rule("OUT005", each=outputs)
def the_output_has_no_status_or_error_member(schema: Schema) -> Iterator[Fault]:
    """An output has no member that says how the call went."""
    for name in _OUTCOMES:
        part = next((each for each in declared.everywhere(schema) if name in each.properties), None)
        if part is not None:
            yield Fault(
                at=(*part.within, "properties", name),
                observed=f"the output has a member {name}",
                permitted="no success, status, error or errorCode: the result around the output has the outcome",
                help=f"return an error if the call failed; rename {name} if it is about something else",
            )


@rule("OUT006", each=subschemas)
def milliseconds_are_integers(schema: Schema) -> Iterator[Fault]:
    """A member whose name ends in `Ms` is an integer."""
    for name, told in _of_outputs(schema):
        if not ends_in_ms(name) or (taken := declared.named_types(told) - {"null"}) == frozenset({"integer"}):
            continue
        at = ("properties", name)
        whole = Fix((Put(at, "type", "integer"),), safe=True, says="make it an integer")
        yield Fault(
            at=at,
            observed=f"the type of {name} is {_told(taken)}",
            permitted="an integer number of milliseconds",
            help=f"declare {name} as an integer, or rename it if it is not in milliseconds",
            fix=whole if told.type == "number" and not _shows_fractions(told) else None,
        )


@rule("OUT007", each=subschemas)
def a_numeric_time_has_its_unit_in_its_name(schema: Schema) -> Iterator[Fault]:
    """A time that is a number is an integer and has its unit in its name."""
    for name, told in _of_outputs(schema):
        if not (is_time(name, told) or is_time_as_a_number(name, told)) or ends_in_ms(name):
            continue
        taken = declared.named_types(told)
        if not taken & _NUMBERS:
            continue
        if not has_unit(name):
            yield Fault(
                at=("properties", name),
                observed=f"the type of {name} is {_told(taken)}, but the name has no unit",
                permitted="an integer of milliseconds whose name ends in Ms, or a text in ISO 8601",
                help=f"rename it to {name}{'_ms' if '_' in name else 'Ms'} if it counts milliseconds",
            )
        elif "number" in taken:
            yield Fault(
                at=("properties", name),
                observed=f"the type of {name} is {_told(taken)}",
                permitted="an integer",
                help="round it, or count a smaller unit, such as milliseconds",
            )


@rule("OUT008", each=registries)
def all_times_of_a_registry_have_the_same_form(registry: Registry) -> Iterator[Fault]:
    """The outputs of a registry give their times all as numbers, or all as texts."""
    roots = [tool.output for tool in registry.definitions if tool.output is not None]
    found = [each for root in roots for each in times(root)]
    counted = [each for each in found if is_counted(each[1])]
    dated = [each for each in found if not is_counted(each[1])]
    if not counted or not dated:
        return
    (name, told), (other, elsewhere) = (counted[0], dated[0]) if len(counted) <= len(dated) else (dated[0], counted[0])
    whose = "" if elsewhere.tool is told.tool else f" of {elsewhere.tool.name}"
    kinds_told = ("a number", "a text") if is_counted(told) else ("a text", "a number")
    yield Fault(
        at=(),
        observed=f"{name} is {kinds_told[0]}, and {other}{whose} is {kinds_told[1]}",
        permitted="all times of a registry as numbers, or all as texts",
        help=f"use one form (numbers now: {len(counted)}, texts: {len(dated)}); milliseconds are recommended",
        on=told,
    )


@rule("OUT009", each=subschemas)
def a_time_given_as_text_declares_its_format(schema: Schema) -> Iterator[Fault]:
    """A time that is a text has the format date-time."""
    for name, told in _of_outputs(schema):
        if not is_time(name, told) or not declared.is_text(told):
            continue
        if not any(part.has(keyword) for part in declared.everywhere(told) for keyword in ("format", "const")):
            at = ("properties", name)
            dated = Fix((Put(at, "format", "date-time"),), safe=False, says='add "format": "date-time"')
            yield Fault(
                at=at,
                observed=f"{name} is a text without a format",
                permitted='"format": "date-time"',
                help='add "format": "date-time" if it is a time in ISO 8601, and rename it if it is no time',
                fix=dated if "string" in told.types and not told.has("enum") else None,
            )


@rule("OUT010", each=definitions)
def a_file_in_the_output_has_etag_or_mtime_ms(tool: Definition) -> Iterator[Fault]:
    """A tool that gives a file, or has written one, gives its `etag` or its `mtimeMs`."""
    if tool.output is None:
        return
    root = tool.output.resolved
    given = set(root.properties)
    written = (
        tool.get("riskLevel") == "writes" and tool.input is not None and "content" in tool.input.resolved.properties
    )
    if "path" not in given or not ("content" in given or written) or declared.may_have(root, "etag", "mtimeMs"):
        return
    yield Fault(
        at=(*tool.output.pointer, *root.within, "properties"),
        observed="the output has the path of a file, but neither etag nor mtimeMs",
        permitted="etag or mtimeMs, so that a later step can name the version",
        help="declare the one that the tool can determine cheaply",
    )


@rule("OUT011", each=subschemas)
def objects_in_the_output_declare_their_members(schema: Schema) -> Iterator[Fault]:
    """An object in an output declares the members that it has."""
    if schema.role != "output" or {*schema.types} - {"null"} != {"object"}:
        return
    opaque = schema.get("additionalProperties") in (None, True) or schema.get("additionalProperties") == {}
    if opaque and not (_DECLARING - {"additionalProperties"}) & schema.members.keys():
        yield Fault(
            at=(),
            observed="the schema says nothing about the members of this object",
            permitted="properties, or additionalProperties with a schema for the values of a map",
            help="describe what the tool returns, so that a later step can refer to it",
        )


def _of_outputs(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """The properties of an object in an output."""
    if schema.role == "output":
        yield from schema.properties.items()


def _shows_fractions(told: Schema) -> bool:
    """Whether a schema itself shows a value that is not an integer, and so would refuse it as a schema of integers."""
    lists = [listed for word in ("enum", "examples") if is_array(listed := told.get(word))]
    shown_values = [*(told.get(word) for word in ("const", "default", "example")), *chain.from_iterable(lists)]
    return any(is_number(each) and as_integer(each) is None for each in shown_values)


def _told(taken: frozenset[str]) -> str:
    return " or ".join(sorted(taken)) or "not stated"
