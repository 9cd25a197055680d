"""What a schema declares: parts are combined, references followed, circles cut, and garbage does no harm."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.values.jsonvalue import equal
from hypothesis import given
from hypothesis import strategies as st
from tool_catalogues import catalogue, ids, plan, step


def schema(value: Any) -> Schema:
    """This schema, as the input schema of a tool."""
    (tool,) = catalogue({"name": "notes.look", "inputSchema": value}).definitions
    assert tool.input is not None
    return tool.input


TEXT, COUNT = {"type": "string"}, {"type": "integer"}


@pytest.mark.parametrize(
    ("value", "types"),
    [
        (TEXT, {"string"}),
        ({"type": ["string", "null"]}, {"string", "null"}),
        ({"const": 1.0}, {"integer"}),
        ({"enum": ["a", 1.5, None, True, [], {}]}, {"string", "number", "null", "boolean", "array", "object"}),
        ({"properties": {}}, {"object"}),
        ({"anyOf": [TEXT, {"oneOf": [COUNT, {"type": "null"}]}]}, {"string", "integer", "null"}),
        ({"anyOf": [TEXT, {}]}, None),
        ({"allOf": [{"type": ["string", "number"]}, {"type": ["integer", "null"]}]}, {"integer"}),
        ({"type": ["string", "null"], "enum": ["a"]}, {"string"}),
        ({"$ref": "#/$defs/Note", "$defs": {"Note": TEXT}}, {"string"}),
        ({"$ref": "#/$defs/Note", "type": "string", "$defs": {"Note": {"type": ["string", "null"]}}}, {"string"}),
        ({"$ref": "#/nowhere"}, None),
        ({"$ref": "https://example.org/note"}, None),
        ({"$ref": "#"}, None),
        ({"items": {}}, {"array"}),
        ({"type": "string", "items": {}, "properties": {}}, {"string"}),
        ({"$ref": f"#/allOf/{'1' * 5_000}", "allOf": []}, None),
        ({"anyOf": [{"$ref": "#"}, TEXT]}, None),
        ({"allOf": [{"$ref": "#"}, TEXT]}, {"string"}),
        (True, None),
        (7, None),
        ({}, None),
    ],
)
def test_the_types_of_a_schema(value: Any, types: set[str] | None) -> None:
    """None if anything is left open; types are never guessed."""
    assert declared.types(schema(value)) == types
    assert declared.named_types(schema(value)) == (types or set())


@pytest.mark.parametrize(
    ("value", "is_text"),
    [
        (TEXT, True),
        ({"anyOf": [TEXT, {"type": "null"}]}, True),
        ({"enum": ["a", None]}, True),
        ({"type": "null"}, False),
        ({"anyOf": [TEXT, COUNT]}, False),
        ({"anyOf": [TEXT, {}]}, False),
    ],
)
def test_a_text_is_a_text_or_null(value: Any, is_text: bool) -> None:
    """A schema that may be anything else is not a text."""
    assert declared.is_text(schema(value)) == is_text


OF_A, OF_B = {"properties": {"a": TEXT}}, {"properties": {"b": TEXT}}


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (OF_A, {"a"}),
        ({}, set()),
        ({**OF_A, "additionalProperties": False, "anyOf": [OF_B]}, {"a"}),
        ({**OF_A, "allOf": [OF_B]}, {"a", "b"}),
        ({"anyOf": [OF_A], "oneOf": [{"allOf": [OF_B]}]}, {"a", "b"}),
        ({**OF_A, "$ref": "#/$defs/B", "$defs": {"B": OF_B}}, {"a", "b"}),
        ({**OF_A, "anyOf": [{"$ref": "#"}]}, {"a"}),
        ({**OF_A, "patternProperties": {}}, None),
        ({**OF_A, "patternProperties": {}, "additionalProperties": False}, None),
        ({**OF_A, "oneOf": [{"patternProperties": {}}]}, None),
        ({**OF_A, "allOf": [{"$ref": "#/none"}]}, None),
        ({"$ref": "https://example.org/note"}, None),
        ({"$ref": 7}, None),
    ],
)
def test_the_names_of_a_schema(value: Any, names: set[str] | None) -> None:
    """An open schema has the names of all parts and alternatives, a closed one its own; None if that is undecidable."""
    assert declared.names(schema(value)) == names


@pytest.mark.parametrize(
    ("value", "values"),
    [
        ({"enum": ["a", "b"]}, ("a", "b")),
        ({"const": None}, (None,)),
        ({"oneOf": [{"const": "a"}, {"enum": ["b"]}]}, ("a", "b")),
        ({"oneOf": [{"const": "a"}, TEXT]}, None),
        ({"anyOf": [{"$ref": "#"}]}, None),
        ({"allOf": [{"enum": ["a"]}]}, ("a",)),
        (TEXT, None),
    ],
)
def test_the_values_of_a_schema(value: Any, values: tuple[Any, ...] | None) -> None:
    """Values are listed in one of three ways, or not at all."""
    assert declared.values(schema(value)) == values


def test_members_come_from_all_parts() -> None:
    """All parts together say what is required; the whole is closed if one part is."""
    whole = schema(
        {
            "$ref": "#/$defs/Base",
            "properties": {"a": TEXT},
            "required": ["a"],
            "allOf": [{"properties": {"b": COUNT, "a": COUNT}, "required": ["b"]}],
            "$defs": {"Base": {"properties": {"c": TEXT}, "additionalProperties": False}},
        }
    )
    assert declared.members(whole).keys() == {"a", "b", "c"}
    assert declared.types(declared.members(whole)["a"]) == {"string"}
    assert declared.required(whole) == {"a", "b"}
    assert declared.is_closed(whole)
    assert (declared.members(None), declared.required(None), declared.elements(None)) == ({}, frozenset(), None)


def test_the_elements_and_the_default_of_a_schema() -> None:
    """They may stand in any part; null counts as a default."""
    listed = schema({"allOf": [{"items": TEXT}], "$ref": "#/$defs/D", "$defs": {"D": {"default": None}}})
    assert declared.elements(listed) is not None
    assert declared.default(listed) == (None,)
    assert declared.default(schema({})) is None


KEYWORDS = ["type", "properties", "required", "items", "allOf", "anyOf", "oneOf", "enum", "const", "$ref", "default"]
NAMES = ["path", "content", "patch", "expectedEtag", "ifNotExists", "limit", "kind", "line", "ch", "mode", "range"]
GARBAGE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from(["object", "array", "string", "#", "#/properties"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYWORDS), inner, max_size=4)
        | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=20,
)


@pytest.mark.many
@given(GARBAGE, GARBAGE, GARBAGE, st.sampled_from(["vault.patchFile", "editor.wrap", "notes.create"]))
def test_any_garbage_in_a_definition_is_survived(takes: Any, gives: Any, errors: Any, name: str) -> None:
    """No rule of these groups fails on a value that is not a schema, or loops for ever."""
    tool = {"name": name, "inputSchema": takes, "outputSchema": gives, "errors": errors, "availability": errors}
    steps = [
        step("s1", name, {}, foreach={"from": "$steps.s1.path", "itemName": "item"}),
        step("s2", name, {"path": "$steps.s1[0].path", "content": ["{item.kind}"]}, "Read a.md"),
    ]
    ids(catalogue(tool, plan=plan(*steps)), "CAN", "REF", "IDEM", "ERR", "PRE")


@given(st.lists(GARBAGE, max_size=6), st.lists(GARBAGE, max_size=6))
def test_values_are_told_apart_as_json_tells_them(given_values: list[Any], permitted: list[Any]) -> None:
    """At every depth 1 equals 1.0 and not true, and the order of members does not matter."""
    left = declared.beyond(given_values, permitted)
    assert list(left) == [each for each in given_values if not any(equal(each, one) for one in permitted)]
