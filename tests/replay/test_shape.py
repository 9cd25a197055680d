"""The two definitions of a case file, the chapter's shapes and the suite's dataclasses, accept the same documents."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from callproof.live.case import Case, Scenario
from callproof.live.scenarios import SCENARIOS
from callproof.replay.casefile import CaseFile, Found, document, kept, shaped
from callproof.replay.codec import Misfit
from callproof.schema.validator import shape_schema, shape_validator
from callproof.values.jsontext import Json
from hypothesis import HealthCheck, Phase, given, settings
from made_cases import any_of, full

SUSPECTS: tuple[Json, ...] = (None, True, 0, 1.0, 0.5, 10**30, "x", "cancel", [], ["x"], {}, {"x": 1})


def whole() -> dict[str, Any]:
    """A case file that has every member."""
    return document(CaseFile("RETRY-03", "says", full(Case), "SC-07", 7, Found("a", "b")))


def taken(value: Json) -> bool:
    """Whether the dataclasses accept a document."""
    try:
        shaped(value)
    except Misfit:
        return False
    return True


def names_in(schema: Any) -> Iterator[str]:
    """The members that a schema describes, at every depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for inner in schema.values():
            yield from names_in(inner)


def members_of(value: Any) -> Iterator[str]:
    """The members of a document, at every depth."""
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from members_of(inner)
    for inner in value if isinstance(value, list) else ():
        yield from members_of(inner)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and item, as the container and the key in it."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from places(value[key])


def test_every_member_of_a_case_is_described_in_the_chapter_and_no_other() -> None:
    """If a case gains a member, the shape `case` of spec/replay.md needs it too."""
    assert shape_validator("replay").errors(whole()) == ()
    described = set(names_in({**shape_schema("replay"), "$defs": {"case": shape_schema("case")}}))
    assert described - {"x"} == set(members_of(whole())) - {"x"}


def test_the_two_agree_about_every_single_change() -> None:
    """Each member in turn is replaced, removed, and joined by an unknown member."""
    judge, value = shape_validator("replay"), whole()
    for holder, key in places(value):
        kept_value = holder[key]
        for suspect in SUSPECTS:
            holder[key] = copy.deepcopy(suspect)
            assert taken(value) is judge.accepts(value), (key, suspect, judge.errors(value))
        holder[key] = kept_value
        if isinstance(holder, dict):
            del holder[key]
            assert taken(value) is judge.accepts(value), (key, judge.errors(value))
            holder[key] = kept_value
            holder["unknown"] = 1
            assert taken(value) is judge.accepts(value), (key, judge.errors(value))
            del holder["unknown"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_the_file_of_every_case_has_the_shape(scenario: Scenario) -> None:
    """The suite writes the shape that the chapter describes."""
    judge = shape_validator("replay")
    files = [document(kept("RETRY-03", case, scenario=scenario.id)) for case in scenario.cases]
    assert [file["case"] for file in files if not judge.accepts(file)] == []


# A failing case is small enough without shrinking.
@settings(deadline=None, max_examples=30, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(any_of(Case))
def test_the_file_of_any_case_has_the_shape(case: Case) -> None:
    """This holds also for cases that no author has thought of."""
    assert shape_validator("replay").errors(document(kept("RETRY-03", case))) == ()
