"""Schemas of old drafts rewritten in the newest one, checked by a validator of either draft."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.schemas.drafts import DRAFTS, draft_of
from callproof.lint.schemas.modern import NotComparable, modernised
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

VALUES: list[Any] = [
    None,
    1,
    2,
    3,
    3.5,
    "a",
    "abcd",
    [],
    ["a"],
    ["a", 1],
    ["a", "b"],
    {},
    {"a": 1},
    {"a": "x"},
    {"a": "x", "b": 1},
]
FOUR = "http://json-schema.org/draft-04/schema#"
SEVEN = "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize(
    "schema",
    [
        {"$schema": SEVEN, "items": [{"type": "string"}], "additionalItems": False},
        {"$schema": SEVEN, "items": {"type": "string"}, "additionalItems": False},
        {"$schema": SEVEN, "items": [{"type": "string"}, {"type": "integer"}]},
        {"$schema": SEVEN, "dependencies": {"a": ["b"], "b": {"required": ["c"]}}},
        {
            "$schema": SEVEN,
            "properties": {"a": {"$ref": "#/definitions/s", "minLength": 9}},
            "definitions": {"s": {"type": "string"}},
        },
        {"$schema": SEVEN, "prefixItems": [False], "dependentRequired": {"a": ["z"]}},
        {
            "$schema": SEVEN,
            "allOf": [{"items": [{"$ref": "#/definitions/s"}]}],
            "definitions": {"s": {"type": "string"}},
        },
        {"$schema": SEVEN, "items": [{"type": "string"}, {"$ref": "#/items/0"}]},
        {"$schema": FOUR, "minimum": 1, "exclusiveMinimum": True, "maximum": 3, "exclusiveMaximum": False},
        {"$schema": FOUR, "const": 1, "type": ["integer", "string"]},
        {"$id": "https://example.com/s", "$ref": "#a", "$defs": {"a": {"$anchor": "a", "type": "string"}}},
    ],
)
def test_a_schema_written_anew_accepts_the_same_values(schema: dict[str, Any]) -> None:
    """What the old draft ignores is removed, and the rest means the same."""
    draft = draft_of(schema)
    assert draft is not None
    written = modernised(schema, draft, "urn:new")
    resource: Resource[Any] = Resource(contents=written, specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("urn:new", resource)
    new = Draft202012Validator({"$ref": "urn:new"}, registry=registry)
    old = validator_for(schema)(schema)
    assert [new.is_valid(value) for value in VALUES] == [old.is_valid(value) for value in VALUES]


@pytest.mark.parametrize("reference", ["#/$defs/none", "https://example.com/other"])
def test_a_schema_whose_references_lead_nowhere_is_not_comparable(reference: str) -> None:
    """The error says so, and nothing is guessed."""
    with pytest.raises(NotComparable, match="leads"):
        modernised({"$ref": reference}, DRAFTS[0], "urn:new")


def test_the_drafts_are_known_by_either_scheme_and_with_or_without_the_sign_at_the_end() -> None:
    """Schemas in use write them in all these ways."""
    for address, name in (
        ("https://json-schema.org/draft-07/schema#", "draft-07"),
        ("http://json-schema.org/draft-07/schema", "draft-07"),
        ("http://json-schema.org/draft/2020-12/schema#", "2020-12"),
    ):
        draft = draft_of({"$schema": address})
        assert draft is not None
        assert draft.name == name
    assert draft_of({"$schema": "https://example.com/own"}) is None
    assert draft_of({"$schema": 7}) is None
    assert draft_of(True) is not None
