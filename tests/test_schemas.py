"""The generated schemas: they say what the chapters say, need no other file, and are readable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from callproof.schema.bounds import DIALECT
from callproof.schema.generate import drift, everything
from callproof.schema.validator import protocol_shape_names, shape_names, shape_schema
from jsonschema import Draft202012Validator

SCHEMAS = Path(__file__).parents[1] / "schemas"
NAMES = (*shape_names(), *protocol_shape_names())
# Keywords whose value is a schema, an array of schemas, or schemas by name.
ONE = (
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedProperties",
)
MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
NAMED = ("$defs", "dependentSchemas", "patternProperties", "properties")
OTHERS = (
    *(
        "$id",
        "$ref",
        "$schema",
        "const",
        "default",
        "dependentRequired",
        "description",
        "enum",
        "format",
        "title",
        "type",
    ),
    *("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf", "pattern", "required", "uniqueItems"),
    *("maxItems", "maxLength", "maxProperties", "minItems", "minLength", "minProperties", "maxContains", "minContains"),
)


def subschemas(schema: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema inside a schema, itself first, with its place."""
    if not isinstance(schema, dict):
        return
    yield pointer, schema
    for word in ONE:
        yield from subschemas(schema.get(word), f"{pointer}/{word}")
    for word in MANY:
        for index, inner in enumerate(schema.get(word, ())):
            yield from subschemas(inner, f"{pointer}/{word}/{index}")
    for word in NAMED:
        for name, inner in schema.get(word, {}).items():
            yield from subschemas(inner, f"{pointer}/{word}/{name}")


def test_the_schemas_on_disk_are_what_the_chapters_say() -> None:
    """Schemas are not edited by hand; `nox -s generate` writes them."""
    assert drift(everything(), SCHEMAS) == ()


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_valid_against_its_metaschema(name: str) -> None:
    """Every generated file is a JSON Schema of draft 2020-12, and says so."""
    schema = shape_schema(name)
    assert schema["$schema"] == DIALECT
    Draft202012Validator.check_schema(schema)


def test_no_two_schemas_share_an_id() -> None:
    """Each schema has an `$id` that no other schema has."""
    ids = [shape_schema(name)["$id"] for name in NAMES]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", NAMES)
def test_every_reference_of_a_schema_leads_into_itself(name: str) -> None:
    """One file is enough: a validator never has to fetch another, neither from a network nor from a disk."""
    schema = shape_schema(name)
    targets = [inner["$ref"] for _, inner in subschemas(schema) if "$ref" in inner]
    assert [target for target in targets if not target.startswith("#/$defs/")] == []
    assert {target.removeprefix("#/$defs/").partition("/")[0] for target in targets} == set(schema.get("$defs", {}))
    for target in targets:
        reached: Any = schema
        for step in target.split("/")[1:]:
            reached = reached[int(step) if isinstance(reached, list) else step]
        assert reached.get("description"), target


@pytest.mark.parametrize("name", NAMES)
def test_every_member_of_a_schema_is_described(name: str) -> None:
    """This holds at every depth and in every branch of a union: a reader cannot guess what a member means."""
    schema = shape_schema(name)
    silent = [
        f"{pointer}/{member}"
        for pointer, inner in subschemas(schema)
        for member, form in inner.get("properties", {}).items()
        if not form.get("description")
    ]
    assert schema.get("description")
    assert silent == []


@pytest.mark.parametrize("name", NAMES)
def test_every_keyword_of_a_schema_is_one(name: str) -> None:
    """In a chapter's YAML, a comma in a description without quotes can turn the text after it into a keyword."""
    known = {*ONE, *MANY, *NAMED, *OTHERS}
    assert {word for _, inner in subschemas(shape_schema(name)) for word in inner if word not in known} == set()
