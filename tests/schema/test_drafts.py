"""Schemas that others wrote, judged by their own draft: what is decided, and what is left undecided."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.schemas.sampling import samples
from callproof.schema.bounds import UnusableSchema
from callproof.schema.drafts import Containing, DraftSchema
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from lint.schemas.made_schemas import SCHEMAS

SEVEN = "http://json-schema.org/draft-07/schema"


@pytest.mark.parametrize(
    ("schema", "pointers"),
    [
        ({"type": "object", "properties": {"a": {"type": "str"}}}, {"/properties/a/type"}),
        ({"required": True, "properties": {"a": {"minLength": -1}}}, {"/required", "/properties/a/minLength"}),
        ({"type": "object"}, set[str]()),
    ],
)
@pytest.mark.parametrize("draft", [SEVEN, "https://json-schema.org/draft/2020-12/schema"])
def test_the_metaschema_of_the_draft_names_each_place_once(draft: str, schema: Any, pointers: set[str]) -> None:
    """It names a place once even if it refuses it in several ways."""
    found = [fault.pointer for fault in DraftSchema(schema, draft).faults()]
    assert sorted(found) == sorted(pointers)


def test_a_part_is_judged_in_its_own_draft_and_document() -> None:
    """References inside the part are followed, and keywords beside one are ignored if the draft ignores them."""
    schema: dict[str, Any] = {
        "$id": "https://example.com/s",
        "properties": {"a b/c": {"$ref": "#/definitions/n", "maximum": 1}},
        "definitions": {"n": {"type": "integer"}},
    }
    pointer = "/properties/a b~1c"
    assert DraftSchema(schema, SEVEN).accepts(pointer, 5) is True
    assert DraftSchema(schema).accepts(pointer, 5) is False
    assert [fault.keyword for fault in DraftSchema(schema).errors(pointer, "x") or ()] == ["type"]


def test_a_reference_to_nothing_leaves_everything_undecided() -> None:
    """A value is neither accepted nor refused."""
    schema = DraftSchema({"$ref": "#/$defs/none"})
    assert schema.accepts("", 1) is None
    assert schema.errors("", 1) is None
    assert schema.unsatisfiable() is None


@pytest.mark.parametrize("keyword", ["$ref", "$dynamicRef"])
@pytest.mark.parametrize("form", ["#/$defs/n{}", "#/$defs/%6e{}", "#/%24defs/n{}", "#n{}"])
def test_references_that_a_stack_cannot_hold_are_refused(form: str, keyword: str) -> None:
    """A chain of thousands of references ends the process of several validators, whatever the spelling of each."""
    named = {f"n{link}": {"$anchor": f"n{link}", keyword: form.format(link + 1)} for link in range(1_000)}
    with pytest.raises(UnusableSchema, match="more than 128 deep") as raised:
        DraftSchema({keyword: form.format(0), "$defs": {**named, "n1000": {"$anchor": "n1000"}}})
    assert raised.value.limit == "depth of references"


def test_many_names_beside_each_other_are_no_depth() -> None:
    """Depth counts along the references that are followed, not over the whole document."""
    named = {f"n{place}": {"$anchor": f"n{place}", "type": "integer"} for place in range(200)}
    schema = DraftSchema({"allOf": [{"$ref": f"#n{place}"} for place in range(200)], "$defs": named})
    assert schema.accepts("", 1) is True


def test_a_value_over_a_catastrophic_pattern_is_judged_or_left() -> None:
    """An engine that backtracks gives up after a number of steps."""
    schema = DraftSchema({"pattern": "^(?=a)(a|a)+$", "type": "string"})
    assert schema.accepts("", "aa") is True
    assert not schema.errors("", "aaa")


@settings(max_examples=80, deadline=None)
@given(schema=SCHEMAS)
def test_nothing_satisfies_what_is_called_unsatisfiable(schema: Any) -> None:
    """Another validator confirms it, with values close to the schema."""
    if any(found.pointer == "" for found in DraftSchema(schema).unsatisfiable() or ()):
        judge = Draft202012Validator(schema)
        tried = [value for value, _ in zip(samples([schema], lambda node: node), range(200), strict=False)]
        assert [value for value in tried if judge.is_valid(value)] == []


def test_one_schema_within_another_is_yes_no_or_unknown() -> None:
    """Each schema may contain references, which lead to its own document."""
    documents = {"urn:one": {"$defs": {"n": {"type": "integer"}}}, "urn:other": {"type": "number"}}
    containing = Containing(documents)
    assert containing.within({"$ref": "urn:one#/$defs/n"}, {"$ref": "urn:other"}) is True
    assert containing.within({"type": "string"}, {"maxLength": 3}) is False
    assert containing.within({"$ref": "urn:none"}, {"type": "string"}) is None
    values = ["a", 1, 1.5, 10**400]
    assert [*containing.refused({"$ref": "urn:other"}, {"$ref": "urn:one#/$defs/n"}, values)] == [1.5]
    assert [*containing.refused({"$ref": "urn:other"}, {"$ref": "urn:none"}, values)] == []
