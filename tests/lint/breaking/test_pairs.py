"""Pairs of versions with the changes between them, written from the meaning of JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from callproof.lint.breaking.catalogues import changes
from callproof.lint.breaking.changes import PURPOSES, RULES, Effect, effect
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.schemas.resolving import pointed
from callproof.lint.sources.files import gathered

FOLDER = Path(__file__).parent / "pairs"
PAIRS = [
    (path.stem, each) for path in sorted(FOLDER.glob("*.yaml")) for each in yaml.safe_load(path.read_text("utf-8"))
]


def _catalogue(name: str, kind: str, side: Any, pair: Mapping[str, Any]) -> Catalogue:
    if isinstance(side, list):
        tools = [{"inputSchema": {"type": "object"}, **each} for each in side]
    elif kind == "tools":
        tools = [{"name": "a.b", "inputSchema": {"type": "object"}, **side}]
    else:
        rest = {} if pair.get("open") else {"additionalProperties": False}
        schema = {"type": "object", **rest, **side}
        other = {"type": "object", "additionalProperties": False}
        tools = [
            {
                "name": "a.b",
                "inputSchema": schema if kind == "inputs" else other,
                "outputSchema": schema if kind == "outputs" else other,
            }
        ]
    read = gathered([document_of(name, {"tools": tools})])
    return Catalogue(read.documents, read.found)


def changes_of(kind: str, pair: Mapping[str, Any]) -> list[str]:
    """The rule and the place of each change."""
    found = changes(_catalogue("old", kind, pair["old"], pair), _catalogue("new", kind, pair["new"], pair))
    return sorted(f"{change.rule} {change.at}" for change in found)


def test_there_are_enough_pairs() -> None:
    """There are sixty at least, and every rule occurs in one of them."""
    assert len(PAIRS) >= 60
    assert {each.split()[0] for _, pair in PAIRS for each in pair["expect"]} == set(RULES)


@pytest.mark.parametrize(("kind", "pair"), PAIRS, ids=[f"{kind}: {pair['says']}" for kind, pair in PAIRS])
def test_a_pair_holds_the_changes_that_its_meaning_says(kind: str, pair: Mapping[str, Any]) -> None:
    """Each change is found, and no other."""
    assert changes_of(kind, pair) == sorted(pair["expect"])


@pytest.mark.parametrize(("kind", "pair"), PAIRS, ids=[f"{kind}: {pair['says']}" for kind, pair in PAIRS])
def test_a_change_stands_at_a_place_that_is_there(kind: str, pair: Mapping[str, Any]) -> None:
    """The place is in the new version, or in the old one if a tool or an output is gone."""
    old, new = (_catalogue(name, kind, pair[name], pair) for name in ("old", "new"))
    for change in changes(old, new):
        assert pointed(change.document.value, change.pointer) is not None
        gone = change.rule == "BRK001" or change.says == "the output is no longer described"
        assert change.document is (old if gone else new).documents[0]


def test_inputs_and_outputs_are_opposite_in_direction() -> None:
    """A type that permits more is fine for callers and breaks readers, an agent as well; a replay ignores it."""
    assert effect("BRK005", "plan") is Effect.OK
    assert effect("BRK007", "plan") is Effect.BREAK
    assert effect("BRK007", "replay") is Effect.OK


def test_what_was_not_decided_is_for_review_whoever_asks() -> None:
    """Such a change is never called right or wrong."""
    assert {effect("BRK012", purpose) for purpose in PURPOSES} == {Effect.REVIEW}


@pytest.mark.parametrize("required", [[], ["b"]])
def test_a_member_of_a_closed_output_that_is_gone_is_told_as_gone(required: list[str]) -> None:
    """BRK006: required or not, it is gone; it is reported as not required only if it may still come."""
    both: dict[str, Any] = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    old, fewer = {**both, "required": required}, {"properties": {"a": {"type": "string"}}}
    one_of = {"anyOf": [{"additionalProperties": False, **each} for each in (fewer, old)]}
    told = [
        [
            change.says
            for change in changes(_catalogue("old", "outputs", side, {}), _catalogue("new", "outputs", new, {}))
        ]
        for side, new in ((old, fewer), (old, both), ({"properties": {"x": old}}, {"properties": {"x": one_of}}))
    ]
    assert told == [
        ["it is gone"],
        ["it is no longer required"] * len(required),
        ["it is no longer required"] * len(required),
    ]


@pytest.mark.parametrize("required", [[], ["b"]])
def test_a_member_of_an_open_output_that_is_gone_is_told_once(required: list[str]) -> None:
    """BRK006: it is no longer described, so it is not also reported as no longer required."""
    old: dict[str, Any] = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": required}
    new: dict[str, Any] = {"properties": {"a": {"type": "string"}}}
    of_items = [{"properties": {"x": {"type": "array", "items": {"type": "object", **each}}}} for each in (old, new)]
    told = [
        [
            f"{change.at}: {change.says}"
            for change in changes(
                _catalogue("old", "outputs", before, {"open": True}),
                _catalogue("new", "outputs", after, {"open": True}),
            )
        ]
        for before, after in ((old, new), of_items)
    ]
    assert told == [["output.b: it is no longer described"], ["output.x[].b: it is no longer described"]]
