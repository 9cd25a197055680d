"""SCH: schemas that are invalid, or that no validator takes: dialects, keywords, formats, limits, repeated names."""

from __future__ import annotations

from collections.abc import Iterator

from callproof import limits
from callproof.lint.definition import Schema
from callproof.lint.document import Document, value_at
from callproof.lint.keywords import keywords_on_the_way, steps_on_the_way
from callproof.lint.rule import Fault, Fix, Rename, documents, rule, schemas, subschemas
from callproof.lint.rules.providers import names_of_parameters
from callproof.lint.schema_facts import facts, having, place_in
from callproof.lint.schemas.cases import MOST
from callproof.lint.schemas.drafts import DRAFTS, JUDGING_NOTHING
from callproof.lint.schemas.walk import Place
from callproof.lint.wording import listed, nearest, shown
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_KEYWORDS = frozenset[str]().union(*(draft.keywords for draft in DRAFTS))
_JUDGING = _KEYWORDS - JUDGING_NOTHING
_FORMATS = frozenset[str]().union(*(draft.formats for draft in DRAFTS))
# Keywords that other systems write into schemas, and which system; JSON Schema knows none of them.
_OF_OTHERS = {
    **dict.fromkeys(("nullable", "discriminator", "example", "externalDocs", "xml"), "OpenAPI"),
    "propertyOrdering": "Gemini",
}
# What to write in JSON Schema instead of them.
_INSTEAD = {
    "nullable": "add null to the types: JSON Schema has no keyword for it",
    "example": "write examples, which is a list",
    "discriminator": "take it out, and let a const in each alternative tell them apart",
}
_TAKE_OUT = "take it out, or begin its name with x-"
# Names of types in other languages that are near to no name here.
_MEANT = {"dict": "object", "float": "number", "double": "number", "list": "array", "tuple": "array"}


@rule("SCH001", each=schemas)
def a_schema_is_valid_against_its_metaschema(schema: Schema) -> Iterator[Fault]:
    """A schema is valid against the metaschema of its draft."""
    if not (is_object(schema.value) or isinstance(schema.value, bool)):
        yield Fault((), f"the schema is {shown(schema.value)}", "an object, or a boolean", "write it as an object")
        return
    known = facts(schema)
    for each in known.faults[: limits.FINDINGS_SHOWN_PER_REQUIREMENT]:
        place = place_in(schema.value, each.pointer)
        value = value_at(schema.value, place)
        keyword = _keyword_at(place)
        if keyword == "type" and isinstance(value, str):
            meant = _MEANT.get(value) or nearest(value, _TYPES)
            help_ = f"write {shown(meant)}" if meant else "list the permitted types, or leave type out"
            yield Fault(place, f"type is {shown(value)}", f"a type: {', '.join(_TYPES)}", help_)
        else:
            said = each.message.removeprefix("the value ")
            yield Fault(
                place,
                f"{keyword} is {shown(value)}, which {said}",
                f"what the metaschema of {known.assumed.name} permits",
                _corrected(place, value),
            )


def _corrected(place: Place, value: Json) -> str:
    if place[-1:] == ("items",) and place[-2:-1] != ("properties",) and is_array(value):
        return "write prefixItems, which 2020-12 has for a list of schemas"
    return "correct it: validators refuse the whole schema"


@rule("SCH002", each=schemas)
def a_schema_names_a_known_dialect(schema: Schema) -> Iterator[Fault]:
    """`$schema` names a draft of JSON Schema."""
    if facts(schema).draft is None:
        yield Fault(
            ("$schema",),
            f"$schema is {shown(schema.get('$schema'))}",
            f"one of {', '.join(draft.address for draft in DRAFTS)}",
            "leave $schema out if 2020-12 is meant",
        )


@rule("SCH003", each=subschemas)
def every_keyword_is_defined_by_json_schema(schema: Schema) -> Iterator[Fault]:
    """Every keyword is one that some draft of JSON Schema defines, or begins with `x-`."""
    for name in schema.members:
        if name in _KEYWORDS or name.startswith("x-"):
            continue
        if name in names_of_parameters(schema, "parameters-keywords"):
            continue
        owner = _OF_OTHERS.get(name)
        meant = "" if owner else nearest(name, _KEYWORDS)
        free = bool(meant) and not schema.has(meant)
        source = f"a keyword of {owner}, not of JSON Schema" if owner else "not a keyword of JSON Schema"
        yield Fault(
            (name,),
            f"{name} is {source}, so validators ignore it",
            "a keyword of JSON Schema, or a name that begins with x-",
            f"did you mean {meant}?" if meant else _instead(name, schema.get(name)),
            Fix((Rename((name,), meant),), safe=False, says=f"rename {name} to {meant}") if free else None,
        )


@rule("SCH023", each=subschemas)
def every_keyword_belongs_to_the_draft_of_the_schema(schema: Schema) -> Iterator[Fault]:
    """Every keyword that judges values is defined by the draft in which the schema is written."""
    draft = facts(schema).draft
    # Nothing has an effect beside a reference that stands alone; SCH014 reports that.
    if draft is None or (draft.reference_alone and isinstance(schema.get("$ref"), str)):
        return
    foreign = [name for name in schema.members if name in _JUDGING and name not in draft.keywords]
    if foreign and draft.keywords.union(JUDGING_NOTHING).issuperset(keywords_on_the_way(schema.within)):
        knowing = [each.name for each in DRAFTS if all(name in each.keywords for name in foreign)]
        be, them = ("is", "it") if len(foreign) == 1 else ("are", "them")
        yield Fault(
            (foreign[0],),
            f"{listed(foreign)} {be} not part of {draft.name}{_by_default(schema)}, so validators may ignore {them}",
            f"keywords of {draft.name}",
            f"use keywords of {draft.name}" + (f", or name {listed(knowing)} in $schema" if knowing else ""),
        )


def _by_default(schema: Schema) -> str:
    return "" if schema.root.has("$schema") else ", the draft that applies without $schema"


@rule("SCH004", each=having("format"))
def every_format_is_defined_by_json_schema(schema: Schema) -> Iterator[Fault]:
    """`format` is one that JSON Schema defines."""
    named = schema.get("format")
    if not isinstance(named, str) or named in _FORMATS:
        return
    if named in names_of_parameters(schema, "formats-of-parameters"):
        return
    near = nearest(named, _FORMATS)
    yield Fault(
        ("format",),
        f"format is {shown(named)}, which JSON Schema does not define, so nothing checks it",
        f"one of {listed(sorted(_FORMATS), 30)}",
        f"did you mean {near}?" if near else "use a pattern, or say it in the description",
    )


@rule("SCH019", each=schemas)
def a_validator_can_process_the_whole_schema(schema: Schema) -> Iterator[Fault]:
    """A schema stays within the limits of validators, and no reference leads back to itself over the same value."""
    known = facts(schema)
    if known.unusable is not None and known.unusable.limit is not None:
        yield Fault(
            (),
            f"the schema {known.unusable.reason}",
            "a schema that a validator can process",
            "make the schema smaller; the rules that need a validator decided nothing",
            unknown=known.unusable.limit,
        )
        return
    if known.cases > MOST:
        yield Fault(
            (),
            f"the alternatives of the schema multiply to more than {MOST} cases over one value",
            "a schema that a validator can process",
            "put fewer alternatives under one allOf; whether any value is valid was not decided",
            unknown="cases of a schema",
        )
    if known.undecided:
        yield Fault(
            (),
            "the alternatives of the schema are too many and too large to be compared with each other",
            "a schema that a validator can process",
            "put fewer parts into the alternatives; whether any value is valid was not decided",
            unknown="alternatives of a schema",
        )
    for place in known.circles:
        yield Fault(
            (*place, "$ref"),
            f"$ref leads back to itself through {shown(value_at(schema.value, (*place, '$ref')))}, over the same value",
            "recursion through a property or an item",
            "break the circle: a validator never ends, or refuses the schema",
        )


@rule("SCH020", each=documents)
def an_object_names_each_member_once(document: Document) -> Iterator[Fault]:
    """No object of the document names a member twice."""
    for each in document.duplicates:
        yield Fault(
            each.pointer,
            f"{shown(str(each.pointer[-1]))} occurs a second time in the object",
            "each name once in an object",
            "take one out: readers differ in which of the two they keep",
        )


def _instead(name: str, value: Json) -> str:
    """What to do about a keyword that no draft defines."""
    return _TAKE_OUT if value is False else _INSTEAD.get(name, _TAKE_OUT)


def _keyword_at(place: Place) -> str:
    """The keyword at a place, with the name or number under it; a property may be called type."""
    *_, last = ("the schema",), *steps_on_the_way(place)
    return "/".join(map(str, place[-2:] if isinstance(last[-1], int) else last))
