"""Small schemas made at random, and values that lie close to them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

VALUES = st.sampled_from(
    [0, 1, 2, 1.5, "", "a", "ab", "b", None, True, False, [], ["a"], [1, 1], {}, {"a": 1}, {"b": "a"}]
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
SMALL = st.integers(0, 3)
CONDITIONS: list[st.SearchStrategy[dict[str, Any]]] = [
    TYPES.map(lambda name: {"type": name}),
    st.lists(TYPES, min_size=1, max_size=3, unique=True).map(lambda names: {"type": names}),
    st.lists(VALUES, min_size=1, max_size=3).map(lambda values: {"enum": values}),
    VALUES.map(lambda value: {"const": value}),
    *(
        SMALL.map(lambda number, keyword=keyword: {keyword: number})
        for keyword in (
            "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "minItems",
            "maxItems", "minProperties", "maxProperties",
        )
    ),
    st.sampled_from([1, 2, 0.5]).map(lambda number: {"multipleOf": number}),
    st.sampled_from(["a", "^a", "^a*$", "b$"]).map(lambda pattern: {"pattern": pattern}),
    st.just({"uniqueItems": True}),
    st.lists(st.sampled_from("abc"), max_size=2, unique=True).map(lambda names: {"required": names}),
]  # fmt: skip


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.dictionaries(st.sampled_from(["a", "b", "c", "ü %/~^"]), inner, max_size=3)
    several = st.lists(inner, min_size=1, max_size=3)
    nesting = [
        members.map(lambda named: {"properties": named}),
        members.map(lambda named: {"properties": named, "additionalProperties": False}),
        inner.map(lambda one: {"additionalProperties": one}),
        inner.map(lambda one: {"items": one}),
        several.map(lambda many: {"prefixItems": many}),
        several.map(lambda many: {"anyOf": many}),
        several.map(lambda many: {"oneOf": many}),
        several.map(lambda many: {"allOf": many}),
        inner.map(lambda one: {"not": one}),
        st.tuples(inner, inner).map(lambda two: {"if": two[0], "then": two[1]}),
        st.tuples(inner, inner).map(lambda two: {"if": two[0], "else": two[1]}),
        inner.map(lambda one: {"contains": one}),
        st.tuples(inner, SMALL).map(lambda two: {"contains": two[0], "minContains": two[1]}),
        st.tuples(several, inner).map(lambda two: {"prefixItems": two[0], "items": two[1]}),
        inner.map(lambda one: {"propertyNames": one}),
        inner.map(lambda one: {"patternProperties": {"^a": one}}),
        st.just({"unevaluatedProperties": False}),
        st.just({"unevaluatedItems": False}),
        inner.map(lambda one: {"dependentSchemas": {"a": one}}),
        st.just({"dependentRequired": {"a": ["b"]}}),
        st.just({"$ref": "#/$defs/one"}),
        st.just({"properties": {"a": {"$ref": "#"}}}),
    ]
    return st.lists(st.one_of(*nesting, *CONDITIONS), min_size=1, max_size=3).map(_joined)


def _joined(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {keyword: value for part in parts for keyword, value in part.items()}


PARTS = st.recursive(
    st.one_of(st.booleans(), st.lists(st.one_of(*CONDITIONS), max_size=3).map(_joined)), _nested, max_leaves=6
)
SCHEMAS = st.tuples(PARTS.filter(lambda part: isinstance(part, dict)), st.one_of(*CONDITIONS)).map(
    lambda two: {**two[0], "$defs": {"one": two[1]}}
)
