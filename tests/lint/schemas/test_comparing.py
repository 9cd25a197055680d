"""One schema compared with another, checked by a validator that compares no schemas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from callproof.lint.schemas.gaps import Sample
from callproof.lint.schemas.sampling import samples
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from lint.schemas.compared import gaps_between
from lint.schemas.made_schemas import CONDITIONS, PARTS, SCHEMAS, VALUES


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Any, Any]:
    """A schema and another one that differs from it slightly or entirely."""
    old = draw(SCHEMAS)
    new = draw(st.one_of(SCHEMAS, st.one_of(*CONDITIONS).map(lambda part: {**old, **part}), st.just(old)))
    dropped = draw(st.sets(st.sampled_from([*new]), max_size=1)) - {"$defs"}
    return old, {keyword: value for keyword, value in new.items() if keyword not in dropped}


def _valid(schema: Any, value: Any) -> bool:
    try:
        return bool(Draft202012Validator(schema).is_valid(value))
    except RecursionError:
        return False


@settings(max_examples=80, deadline=None)
@given(pair=pairs(), data=st.data())
def test_where_no_gap_is_reported_every_value_of_the_old_schema_is_one_of_the_new(
    pair: Any, data: st.DataObject
) -> None:
    """A new schema that is not called narrower accepts every value of the old one; and each sample shows its gap."""
    old, new = pair
    found = gaps_between(old, new)
    event("gaps" if found else "none")
    proposed = [*samples([old], lambda node: node, [new])][:200]
    values = [*proposed, *data.draw(st.lists(VALUES, max_size=5))]
    if not found:
        refused = [value for value in values if _valid(old, value) and not _valid(new, value)]
        assert refused == []
    for gap in found:
        if isinstance(gap.sample, Sample) and gap.within == ():
            assert _valid(old, gap.sample.value)
            assert not _valid(new, gap.sample.value)


def _rewritten(*ways: tuple[str, Callable[[Any, Any], Any], Callable[[Any, Any], Any]]) -> Any:
    return pytest.mark.parametrize(("old", "new"), [way[1:] for way in ways], ids=[way[0] for way in ways])


@_rewritten(
    (
        "a member of two parts",
        lambda one, other: {"properties": {"a": one}, "allOf": [{"properties": {"a": other}}]},
        lambda one, other: {"properties": {"a": {"allOf": [one, other]}}},
    ),
    (
        "a member with a name and a pattern",
        lambda one, other: {"properties": {"a": one}, "patternProperties": {"^a": other}},
        lambda one, other: {"properties": {"a": {"allOf": [one, other]}}, "patternProperties": {"^a": other}},
    ),
    (
        "a member with a name of a map",
        lambda one, other: {"properties": {"a": one}, "allOf": [{"additionalProperties": other}]},
        lambda one, other: {"properties": {"a": {"allOf": [one, other]}}, "additionalProperties": other},
    ),
    (
        "the members of two maps",
        lambda one, other: {"additionalProperties": one, "allOf": [{"additionalProperties": other}]},
        lambda one, other: {"additionalProperties": {"allOf": [one, other]}},
    ),
    (
        "the items of two parts",
        lambda one, other: {"items": one, "allOf": [{"items": other}]},
        lambda one, other: {"items": {"allOf": [one, other]}},
    ),
    (
        "references that stay",
        lambda one, other: {"$defs": {"one": one}, "contains": {"$ref": "#/$defs/one"}, "propertyNames": other},
        lambda one, other: {"$defs": {"one": one}, "contains": {"$ref": "#/$defs/one"}, "propertyNames": other},
    ),
)
@settings(max_examples=20, deadline=None)
@given(one=PARTS, other=PARTS)
def test_what_says_the_same_in_another_way_is_no_gap_beside_one(old: Any, new: Any, one: Any, other: Any) -> None:
    """The only change is one more required member, however the rest is rewritten."""
    parts = [str(each) for each in (one, other)]
    assume(not any("$ref" in each for each in parts))  # through a reference to the root the change has further effects
    left, right = old(one, other), {**new(one, other), "required": ["z"]}
    assert [gap for gap in gaps_between(left, right) if (gap.kind, gap.within) != ("required", ("z",))] == []


@pytest.mark.parametrize(
    "naming",
    [
        {"allOf": [{"properties": {"b": True}}]},
        {"oneOf": [{"properties": {"b": True}}]},
        {"if": {"properties": {"b": True}}},
        {"if": True, "then": {"properties": {"b": True}}},
        {"if": False, "else": {"properties": {"b": True}}},
        {"dependentSchemas": {"a": {"properties": {"b": True}}}},
        {"$ref": "#/$defs/naming"},
    ],
    ids=lambda naming: [*naming][-1],
)
def test_a_member_that_was_named_beside_is_one_more_that_a_closed_object_refuses(naming: Any) -> None:
    """If only one side evaluates the member, only that side lets it pass, whatever else both sides have."""
    closed = {"properties": {"a": True}, "anyOf": [{"required": ["a"]}], "unevaluatedProperties": False}
    old = {**closed, **naming, "$defs": {"naming": {"properties": {"b": True}}}}
    assert _valid(old, {"a": 1, "b": 1})
    assert not _valid(closed, {"a": 1, "b": 1})
    assert gaps_between(old, closed) != ()
