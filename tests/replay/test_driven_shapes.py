"""The case files of the live suites: any validator of JSON Schema accepts the same documents as the reader."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from callproof.replay.codec import Misfit, json_name
from callproof.replay.drivenfile import DrivenFile, document, shaped
from callproof.schema.validator import shape_schema, shape_validator
from callproof.suites import SUITES
from callproof.values.jsontext import Json
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from replay.test_shape import SUSPECTS, places

WORDS = pytest.mark.parametrize("word", list(SUITES))
# Values that are wrong in most places: too large, too small, or without a name.
MORE: tuple[Json, ...] = (*SUSPECTS, "", -1, 86_400_001, [None], [{}], ["x"] * 1_001, {"x": {}})


def kept(word: str, case: Any) -> Any:
    """The document of a file of a case."""
    return document(DrivenFile(word, "HOST-01", case, suite_version="0"))


def filled(schema: Any, root: Any) -> Any:
    """A document that has every member that a schema describes."""
    told = {**schema, **_target(schema["$ref"], root)} if "$ref" in schema else schema
    if "enum" in told:
        return told["enum"][-1]
    if "$ref" in told and told["$ref"] != schema.get("$ref"):
        return filled(told, root)
    if told.get("type") == "object":
        members = {**told.get("properties", {}), **schema.get("properties", {})}
        value = {name: filled(inner, root) for name, inner in members.items()}
        entry = told.get("additionalProperties")
        return {"x": filled(entry, root)} if isinstance(entry, dict) else value
    if told.get("type") == "array":
        return [filled(told["items"], root)]
    return {"boolean": True, "integer": 7}.get(told.get("type"), "x")


def _target(reference: str, root: Any) -> Any:
    node = root
    for token in reference.removeprefix("#/").split("/"):
        node = node[int(token)] if isinstance(node, list) else node[token]
    return node


@cache
def _whole(word: str) -> Any:
    root = shape_schema(f"{word}-case")
    found = {"observed": "a", "permitted": "b"}
    return {**kept(word, SUITES[word].cases[0]), "case": filled(root, root), "found": found}


def whole(word: str) -> Any:
    """A case file that has every member."""
    return copy.deepcopy(_whole(word))


def taken(value: Json) -> bool:
    """Whether the reader accepts a document, whatever requirements the document names."""
    try:
        shaped(value, SUITES)
    except Misfit:
        return False
    return True


def mismatches(told: Any, made: Any) -> Iterator[object]:
    """The parts of a case whose members are not those of its document."""
    if dataclasses.is_dataclass(made):
        fields = {json_name(each.name): getattr(made, each.name) for each in dataclasses.fields(made)}
        if set(fields) != set(told):
            yield type(made), set(fields) ^ set(told)
        for name in set(fields) & set(told):
            yield from mismatches(told[name], fields[name])
    elif isinstance(made, Mapping):
        for name, inner in made.items():
            yield from mismatches(told[name], inner)
    elif isinstance(made, tuple):
        for before, after in zip(told, made, strict=True):
            yield from mismatches(before, after)


@WORDS
def test_every_member_of_a_case_is_described_in_the_chapter_and_no_other(word: str) -> None:
    """If a case gains a member, the shape of its suite in spec/replay.md needs it too."""
    assert shape_validator("driven-replay").errors(whole(word)) == ()
    file = shaped(whole(word), SUITES)
    assert [*mismatches(whole(word)["case"], file.case)] == []


@WORDS
def test_the_features_that_a_case_may_need_are_those_of_the_suite(word: str) -> None:
    """If a suite gains a feature, the shape needs it too."""
    root: Any = shape_schema(f"{word}-case")
    assert tuple(root["properties"]["needs"]["items"]["enum"]) == SUITES[word].features


@pytest.mark.many
@WORDS
def test_the_two_agree_about_every_single_change(word: str) -> None:
    """Each member in turn is replaced, removed, and joined by an unknown member."""
    judge, value = shape_validator("driven-replay"), whole(word)
    for holder, key in places(value):
        before = holder[key]
        for suspect in MORE:
            holder[key] = copy.deepcopy(suspect)
            assert taken(value) is judge.accepts(value), (key, suspect, judge.errors(value))
        holder[key] = before
        if isinstance(holder, dict):
            del holder[key]
            assert taken(value) is judge.accepts(value), (key, judge.errors(value))
            holder[key] = before
            holder["unknown"] = 1
            assert taken(value) is judge.accepts(value), (key, judge.errors(value))
            del holder["unknown"]


@pytest.mark.many
@settings(deadline=None, max_examples=300)
@given(st.data())
def test_the_two_agree_about_changes_of_cases_that_are_played(data: st.DataObject) -> None:
    """Written and generated cases are changed in up to three places, whatever the places are."""
    suite = SUITES[data.draw(st.sampled_from(list(SUITES)))]
    made = st.integers(1, 500).map(lambda number: suite.generated(3, number, suite.features))
    value = copy.deepcopy(kept(suite.word, data.draw(st.sampled_from(suite.cases) | made)))
    judge = shape_validator("driven-replay")
    assert judge.accepts(value)
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from([*places(value)]))
        holder[key] = copy.deepcopy(data.draw(st.sampled_from(MORE)))
    assert taken(value) is judge.accepts(value), judge.errors(value)


@WORDS
def test_any_validator_takes_what_the_suite_writes(word: str) -> None:
    """The shapes are plain JSON Schema: they use nothing that only the suite's own validator knows."""
    judge = Draft202012Validator(dict(shape_schema("driven-replay")))
    assert [each.id for each in SUITES[word].cases if not judge.is_valid(kept(word, each))] == []
    strange = {**kept(word, SUITES[word].cases[0])}
    strange["case"] = {**strange["case"], "command": "sh"}
    assert not judge.is_valid(strange)
