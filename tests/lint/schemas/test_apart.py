"""Schemas with unions too large to be worked out as a whole: each alternative is judged by itself, nothing falsely."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.schema_facts import SchemaFacts
from callproof.lint.schemas.apart import parts
from hypothesis import given
from lint.schemas.made_schemas import SCHEMAS

BROKEN: dict[str, Any] = {"type": "string", "minLength": 3, "maxLength": 1}


def _union(alternatives: int, members: int, **more: Any) -> dict[str, Any]:
    """An object with a member that is one of many objects, each with many members."""
    made = [
        {
            "type": "object",
            "additionalProperties": False,
            "properties": {f"p{one}_{other}": {"type": "string"} for other in range(members)},
        }
        for one in range(alternatives)
    ]
    return {"type": "object", "properties": {"a": {"anyOf": made}}, **more}


def _causes(schema: Any) -> set[str]:
    """The parts that are empty for a reason of their own, not just because they are written as false."""
    return {pointer for pointer, found in SchemaFacts(schema).unsatisfiable.items() if found.causes}


@pytest.mark.parametrize("alternatives", [3, 60])
def test_an_alternative_that_nothing_satisfies_is_found_in_a_union_of_any_size(alternatives: int) -> None:
    """Its place is found, and its alternative if that needs it; the causes have places in the whole schema, too."""
    schema = _union(alternatives, 40)
    chosen = schema["properties"]["a"]["anyOf"][2]
    chosen["properties"]["p2_1"] = BROKEN
    assert _causes(schema) == {"/properties/a/anyOf/2/properties/p2_1"}
    chosen["required"] = ["p2_1"]
    assert _causes(schema) == {"/properties/a/anyOf/2", "/properties/a/anyOf/2/properties/p2_1"}
    found = SchemaFacts(schema).unsatisfiable["/properties/a/anyOf/2"]
    assert all(cause.startswith("/properties/a/anyOf/2") for cause, _ in found.causes)


@pytest.mark.parametrize("alternatives", [3, 60])
def test_a_definition_that_is_a_cause_has_its_place_in_the_whole_schema(alternatives: int) -> None:
    """An alternative is judged together with the definitions that it refers to, but they stand outside it."""
    schema = _union(alternatives, 40, **{"$defs": {"number": {"type": "number"}}})
    schema["properties"]["a"]["anyOf"][2]["properties"]["p2_1"] = {"type": "string", "$ref": "#/$defs/number"}
    place = "/properties/a/anyOf/2/properties/p2_1"
    assert _causes(schema) == {place}
    assert {cause for cause, _ in SchemaFacts(schema).unsatisfiable[place].causes} == {place, "/$defs/number"}


def test_alternatives_behind_references_are_counted_and_followed() -> None:
    """Their definitions stand elsewhere, and count with their size."""
    whole = _union(60, 40)
    named = {f"n{number}": each for number, each in enumerate(whole["properties"]["a"]["anyOf"])}
    named["n2"]["properties"]["p2_1"] = BROKEN
    alternatives = [{"$ref": f"#/$defs/{name}"} for name in named]
    schema = {"type": "object", "properties": {"a": {"anyOf": alternatives}}, "$defs": named}
    assert SchemaFacts(schema).cases <= 60
    assert not SchemaFacts(schema).undecided
    named["n2"]["required"] = ["p2_1"]
    assert "/properties/a/anyOf/2" in _causes(schema)


@pytest.mark.parametrize(
    "more",
    [
        {"not": {"required": ["b"]}},
        {"unevaluatedProperties": False},
        {"patternProperties": {"^b": {"$ref": "#"}}},
        {"patternProperties": {"^b": {"$ref": "#/properties/a"}}},
    ],
)
def test_where_less_said_may_mean_more_nothing_is_decided(more: dict[str, Any]) -> None:
    """The facts say that nothing was decided; a small union is worked out whole, whatever stands beside it."""
    large, small = SchemaFacts(_union(60, 40, **more)), SchemaFacts(_union(3, 2, **more))
    assert (large.undecided, small.undecided) == (True, False)
    assert large.unsatisfiable == {}


@given(SCHEMAS)
def test_what_nothing_satisfies_in_a_part_nothing_satisfies_in_the_whole(schema: dict[str, Any]) -> None:
    """Each part demands no more than the whole does."""
    whole = SchemaFacts(schema)
    taken = parts(schema, whole.names)
    if whole.valid is None or taken is None:
        return
    decided = whole.valid.unsatisfiable()
    if decided is not None:
        empty = {each.pointer for each in decided}
        found = {each.pointer for place, part in taken for each in whole._unsatisfiable_in(place, part) if each.causes}
        assert {pointer for pointer in found if not _inside_of_one(pointer, empty)} <= empty


def _inside_of_one(pointer: str, empty: set[str]) -> bool:
    """Whether it is inside a part of the whole that is empty itself: the whole reports nothing about what is inside."""
    return any(pointer.startswith(f"{each}/") for each in empty)
