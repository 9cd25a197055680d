"""Tools' schemas as types: what decodes as the type is valid against the schema."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from callproof.auditing.prover.schema_types import strings_at, value_type
from callproof.schema.validator import SchemaValidator
from callproof.values.canonical import canonical
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "path", "from", "zz", "$x"])
LENGTHS = st.integers(0, 3)
LEAVES = st.one_of(
    st.just({"type": "string"}),
    st.just({"type": "boolean"}),
    st.builds(lambda least, most: {"type": "string", "minLength": least, "maxLength": most}, LENGTHS, LENGTHS),
    st.sampled_from([{"type": "string", "pattern": each} for each in ("^[^/].*$", r"^\d+$", "a|b", "^$", r"\.md$")]),
    st.lists(st.sampled_from(["x", "y", "é"]), min_size=1).map(lambda words: {"type": "string", "enum": words}),
    st.builds(lambda low, high: {"type": "integer", "minimum": low, "maximum": high}, LENGTHS, LENGTHS),
    st.just({"type": "integer", "description": "any whole number"}),
    st.just({"type": "object"}),
)


def closed(properties: dict[str, Any], *, some: bool) -> dict[str, Any]:
    """A closed object, with its first property required or none."""
    required = list(properties)[:1] if some else []
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def objects_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Closed objects with such properties."""
    return st.builds(
        lambda found, some: closed(found, some=some), st.dictionaries(NAMES, inner, max_size=4), st.booleans()
    )


NODES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        inner.map(lambda items: {"type": "array", "items": items}),
        st.builds(
            lambda found, some: closed(found, some=some), st.dictionaries(NAMES, inner, max_size=3), st.booleans()
        ),
    ),
    max_leaves=6,
)
SCHEMAS = st.builds(
    lambda found, some: closed(found, some=some), st.dictionaries(NAMES, NODES, max_size=4), st.booleans()
)
SCALARS = st.sampled_from(
    ["", "x", "é", "a/b", "/a", "7", "7\n", "a.md", "a\u2028b", "bbbb", 0, 1, 2, 7, -1, True, None, 1.5]
)


def near(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that fit a schema more often than not."""
    match schema.get("type"):
        case "object":
            inner = {name: near(each) for name, each in schema.get("properties", {}).items()}
            return st.one_of(st.fixed_dictionaries({}, optional=inner), st.fixed_dictionaries(inner), st.just({"q": 1}))
        case "array":
            return st.lists(near(schema["items"]), max_size=2)
        case _:
            return SCALARS


@given(st.data())
def test_what_decodes_as_the_type_is_valid(data: st.DataObject) -> None:
    """A type and the strings that it names accept nothing that the schema refuses, and write it canonically."""
    schema = data.draw(SCHEMAS)
    kind = value_type(schema, "Args")
    if kind is None:
        return
    value = data.draw(near(schema))
    try:
        made = msgspec.json.decode(json.dumps(value).encode(), type=kind.type)
    except msgspec.ValidationError:
        return
    if all(place.accepts(text) for place in kind.texts for text in strings_at(made, place.chain)):
        assert SchemaValidator(schema).accepts(value)
        assert kind.free or msgspec.json.encode(made) == canonical(value)


@pytest.mark.parametrize(
    "node",
    [
        {"type": "number"},
        {"type": ["string", "null"]},
        {"type": "string", "format": "email", "contentEncoding": "base64"},
        {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        {"type": "object", "properties": {}, "required": []},
        {"type": "object", "minProperties": 1},
        {"type": "integer", "multipleOf": 2},
        {"type": "integer", "minimum": 0.5},
        {"type": "string", "enum": ["a", 1]},
        {"anyOf": [{"type": "string"}]},
        {"$ref": "#/$defs/x"},
        True,
    ],
)
def test_a_schema_that_no_type_says_has_no_type(node: Any) -> None:
    """Whatever a type could not say in full is left to the validator."""
    assert value_type(closed({"a": node}, some=True), "Args") is None


def test_a_name_that_is_not_ascii_has_no_type() -> None:
    """The plain order of such names is not that of the canonical form."""
    assert value_type(closed({"é": {"type": "string"}}, some=True), "Args") is None
