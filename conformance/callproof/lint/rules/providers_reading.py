"""PORT: what a provider misses in an input schema, or cannot read there, in any of its modes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from callproof import limits
from callproof.lint.definition import Schema
from callproof.lint.keywords import CONDITIONS, keywords_on_the_way
from callproof.lint.profiles.loading import Limit
from callproof.lint.rule import Fault, inputs, rule
from callproof.lint.rules.providers import enum_types, limits_for, of_parameters, rests_on
from callproof.lint.schema_facts import facts, place_in
from callproof.lint.wording import listed, nearest, shown
from callproof.values.jsonvalue import is_array, is_object


@rule("PORT016", each=inputs)
def the_provider_can_read_the_schema(schema: Schema) -> Iterator[Fault]:
    """An input schema has what the chosen providers ask for, written as they read it."""
    for kind, check in _OF_ANY.items():
        for limit in limits_for(schema.catalogue, kind):
            yield from check(schema, limit)
    for kind, check in _OF_PARAMETERS.items():
        for limit in of_parameters(schema, kind):
            yield from check(schema, limit)


def _items(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        # Gemini writes its types in capitals.
        if "array" in map(str.lower, each.types) and not each.has("items"):
            yield Fault(
                at=(*each.within, "type"),
                observed="the array has no items",
                permitted=f"items in every array ({limit.provider})",
                help=f"add items, with the schema of an element; {rests_on(limit)}",
            )


def _described_root(schema: Schema, limit: Limit) -> Iterator[Fault]:
    # PORT004 judges a root that is not an object.
    if schema.type == "object" and not schema.has("properties"):
        yield Fault(
            at=("type",),
            observed="the input schema has no properties",
            permitted=f"properties at the root, even if it is an empty object ({limit.provider})",
            help=f'write "properties": {{}}; {rests_on(limit)}',
        )


def _typed_objects(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        # PORT004 judges the root, and PORT009 the keyword of a condition.
        apart = each.is_root or not CONDITIONS.isdisjoint(keywords_on_the_way(each.within))
        if each.has("properties") and not apart and "object" not in each.types:
            yield Fault(
                at=(*each.within, "properties"),
                observed=f"properties has {_type_beside(each)} beside it",
                permitted=f'properties only beside "type": "object" ({limit.provider})',
                help=f'write "type": "object"; {rests_on(limit)}',
            )


def _empty_texts(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        values = each.get("enum")
        empty = [place for place, value in enumerate(values if is_array(values) else ()) if value == ""]
        if empty:
            yield Fault(
                at=(*each.within, "enum", empty[0]),
                observed="a value of the enum is the empty string",
                permitted=f"strings that are not empty ({limit.provider})",
                help=f"make the parameter optional, or give the value a name; {rests_on(limit)}",
            )


def _type_beside(schema: Schema) -> str:
    return f"the type {shown(schema.type)}" if schema.has("type") else "no type"


def _required(schema: Schema, limit: Limit) -> Iterator[Fault]:
    for each in schema.inside():
        # A condition may name members that the schema around it describes; PORT009 judges the condition's keyword.
        alone = CONDITIONS.isdisjoint(keywords_on_the_way(each.within))
        unknown = [name for name in each.required if name not in each.properties]
        if unknown and alone:
            yield Fault(
                at=(*each.within, "required"),
                observed=f"required names {listed(map(shown, unknown))}, but properties does not",
                permitted=f"names that are in the properties beside it ({limit.provider})",
                help=f"{_instead(unknown, each)}; {rests_on(limit)}",
            )


def _instead(unknown: Sequence[str], schema: Schema) -> str:
    near = nearest(unknown[0], schema.properties) if len(unknown) == 1 else ""
    return f"did you mean {near}?" if near else "add each to the properties, or take it out of required"


def _dialect(schema: Schema, limit: Limit) -> Iterator[Fault]:
    known = facts(schema)
    # SCH001 judges a schema that its own metaschema refuses.
    if not is_object(schema.value) or known.usable is None or known.faults or known.assumed.address == limit.value:
        return
    from callproof.schema.drafts import DraftSchema  # noqa: PLC0415  an engine that other rules spare

    for each in DraftSchema(schema.value, str(limit.value)).faults()[: limits.FINDINGS_SHOWN_PER_REQUIREMENT]:
        place = place_in(schema.value, each.pointer)
        yield Fault(
            at=place,
            observed=f"{place[-1] if place else 'the schema'} is written as in {known.assumed.name}",
            permitted=f"what {limit.value} permits ({limit.provider})",
            help=f"write it as this draft permits it; {rests_on(limit)}",
        )


_Check = Callable[[Schema, Limit], Iterator[Fault]]
_OF_ANY: Mapping[str, _Check] = {"described-items": _items, "described-root": _described_root, "dialect": _dialect}
_OF_PARAMETERS: Mapping[str, _Check] = {
    "described-items-of-parameters": _items,
    "described-required": _required,
    "enum-types-of-parameters": enum_types,
    "texts-of-an-enum-of-parameters": _empty_texts,
    "typed-objects-of-parameters": _typed_objects,
}
