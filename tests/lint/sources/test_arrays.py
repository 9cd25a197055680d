"""Arrays of tools in the forms that three providers accept."""

from __future__ import annotations

import copy

import pytest
from callproof.lint.definition import Catalogue, Definition
from callproof.lint.document import document_of
from callproof.lint.sources.arrays import is_hosted, plain_types
from callproof.lint.sources.files import gathered
from hypothesis import given
from hypothesis import strategies as st

SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}}


def definitions(value: object) -> tuple[Definition, ...]:
    read = gathered([document_of("tools.json", value)])
    return Catalogue(read.documents, read.found, read.plans).definitions


@pytest.mark.parametrize(
    ("entry", "at"),
    [
        ({"type": "function", "function": {"name": "count", "parameters": SCHEMA}}, ("function", "parameters")),
        ({"type": "function", "name": "count", "parameters": SCHEMA}, ("parameters",)),
        ({"name": "count", "input_schema": SCHEMA}, ("input_schema",)),
        ({"name": "count", "inputSchema": SCHEMA}, ("inputSchema",)),
    ],
)
@pytest.mark.parametrize("wrapped", ["array", "request", "answer"])
def test_a_definition_is_found_where_its_provider_puts_it(entry: dict, at: tuple, wrapped: str) -> None:
    """The tools may be an array, in a request or in an answer of JSON-RPC; places are those of the document."""
    whole = {"array": [entry], "request": {"model": "m", "tools": [entry]}, "answer": {"result": {"tools": [entry]}}}
    (found,) = definitions(whole[wrapped])
    assert found.name == "count"
    assert found.input is not None
    assert found.input.pointer == at
    assert [*found.input.properties] == ["text"]


@pytest.mark.parametrize("schema", ["parameters", "parametersJsonSchema", "parameters_json_schema"])
@pytest.mark.parametrize("declarations", ["functionDeclarations", "function_declarations"])
def test_declarations_of_gemini_are_found(schema: str, declarations: str) -> None:
    """In either spelling, and with each of the fields for the schema."""
    declared = {"name": "count", schema: SCHEMA, "response": {"type": "OBJECT"}}
    (found,) = definitions({"tools": [{declarations: [declared]}]})
    assert found.pointer == ("tools", 0, declarations, 0)
    assert found.input is not None
    assert found.input.pointer == (schema,)
    assert found.output is not None
    assert found.output.type == "object"


def test_types_in_capitals_are_types() -> None:
    """They are changed at every depth, and nothing else is."""
    declared = {
        "name": "OBJECT",
        "parameters": {
            "type": "OBJECT",
            "properties": {
                "type": {"type": "STRING", "enum": ["STRING"]},
                "a": {"type": "ARRAY", "items": {"type": "INTEGER"}},
            },
            "anyOf": [{"type": "NULL"}, {"type": "odd"}],
        },
    }
    before = copy.deepcopy(declared)
    assert plain_types(declared) == {
        "name": "OBJECT",
        "parameters": {
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": ["STRING"]},
                "a": {"type": "array", "items": {"type": "integer"}},
            },
            "anyOf": [{"type": "null"}, {"type": "odd"}],
        },
    }
    assert declared == before


JSON = st.recursive(
    st.none() | st.booleans() | st.sampled_from(["STRING", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "properties", "items", "anyOf", "parameters"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(JSON)
def test_garbage_is_survived(value: object) -> None:
    """Nothing is raised for it."""
    plain_types(value)
    is_hosted(value)
    definitions({"tools": [value, {"functionDeclarations": [value]}]})


@pytest.mark.parametrize(
    "entry",
    [
        {"type": "web_search"},
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
        {"type": "mcp", "server_label": "x", "server_url": "https://host"},
        {"googleSearch": {}},
    ],
)
def test_a_tool_of_the_provider_itself_is_passed_over(entry: dict) -> None:
    """It has no definition that the user could mend."""
    assert [each.name for each in definitions({"tools": [entry, {"name": "count", "input_schema": SCHEMA}]})] == [
        "count"
    ]
    assert definitions({"tools": [entry]}) == ()


@pytest.mark.parametrize("entry", [7, None, "count", [], {}, {"name": "count"}, {"type": "object"}])
def test_an_odd_entry_is_kept(entry: object) -> None:
    """It was meant as a tool, and the rules say what it lacks."""
    assert len(definitions({"tools": [entry]})) == 1
