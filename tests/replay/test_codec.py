"""Cases as JSON and back: nothing is lost, nothing is converted, and an error names the place of the fault."""

from __future__ import annotations

import pytest
from callproof.live.behaviours import Behaviour, Ending, OnAbort, Reply, Write
from callproof.live.case import Case, HostedTool, Item, ItemKind, Move, Scenario
from callproof.live.scenarios import SCENARIOS
from callproof.replay.codec import Misfit, from_json, to_json
from callproof.values.jsontext import Json, read_json, write_json
from hypothesis import HealthCheck, example, given, settings
from made_cases import any_of, full


def there_and_back(case: Case) -> Case:
    """A case after it was written as text and read back."""
    return from_json(Case, read_json(write_json(to_json(case)).encode()))


@pytest.mark.many
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_every_case_of_every_scenario_comes_back_equal(scenario: Scenario) -> None:
    """A replay must run the same case as the original run."""
    assert [case.id for case in scenario.cases if there_and_back(case) != case] == []


@pytest.mark.many
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(any_of(Case))
@example(Case("big", "", {"n": 10**300, "half": 0.5, "whole": 1.0, "sign": -0.0}, {}))
@example(Case("odd", "\x00\u202e\ufeff", {"__proto__": [[]], "": None}, {"\U0001f600": {}}))
def test_every_case_that_can_be_made_comes_back_equal(case: Case) -> None:
    """Odd strings, big integers and decimals stay what they are, at every depth."""
    back = there_and_back(case)
    assert back == case
    assert repr(back) == repr(case)


def test_a_case_with_every_member_comes_back_equal() -> None:
    """A member that a case gains later is written and read without a change to this code."""
    case: Case = full(Case)
    assert there_and_back(case) == case


def test_a_member_at_its_default_is_left_out() -> None:
    """Files stay small, and show only the members that matter."""
    tool = HostedTool({"name": "a"}, Behaviour((Reply(Ending.ECHO),)))
    case = Case("a", "b", {}, {}, tools=(tool,), folder=(Item("x"),))
    assert to_json(case) == {
        "id": "a",
        "says": "b",
        "plan": {},
        "policy": {},
        "tools": [{"descriptor": {"name": "a"}, "behaviour": {"replies": [{"ending": "echo"}]}}],
        "folder": [{"path": "x"}],
    }


def test_enums_stand_by_value_and_names_in_camel_case() -> None:
    """A file must be readable to people who have never seen the code."""
    reply = Reply(Ending.OUTPUT, after_ms=50, on_abort=OnAbort.VANISH, writes=(Write("a", "b"),))
    assert to_json(reply) == {
        "ending": "output",
        "afterMs": 50,
        "writes": [{"path": "a", "content": "b"}],
        "onAbort": "vanish",
    }


@pytest.mark.parametrize(
    ("kind", "value", "pointer", "told"),
    [
        (Case, [], "", "the value is []; permitted: an object"),
        (Item, {}, "", "the member 'path' is missing; permitted: an object with 'path'"),
        (Item, {"path": 1}, "/path", "the value is 1; permitted: a string"),
        (
            Item,
            {"path": "a", "kind": "foldr"},
            "/kind",
            "the value is \"foldr\"; permitted: file, folder, link; did you mean 'folder'?",
        ),
        (Item, {"path": "a", "kind": None}, "/kind", "the value is null; permitted: file, folder, link"),
        (
            Item,
            {"path": "a", "kinds": 1},
            "/kinds",
            "'kinds' is not a member; permitted: path, kind, text; did you mean 'kind'?",
        ),
        (
            Move,
            {"act": "cancel", "cue": "start", "afterMs": True},
            "/afterMs",
            "the value is true; permitted: a whole number",
        ),
        (
            Move,
            {"act": "cancel", "cue": "start", "afterMs": 0.5},
            "/afterMs",
            "the value is 0.5; permitted: a whole number",
        ),
        (Move, {"act": "cancel", "cue": "start", "first": 1}, "/first", "the value is 1; permitted: true or false"),
        (Behaviour, {"replies": {}}, "/replies", "the value is {}; permitted: an array"),
        (
            Behaviour,
            {"replies": [{"ending": "echo", "error": 1}]},
            "/replies/0/error",
            "the value is 1; permitted: an object",
        ),
    ],
)
def test_a_fault_names_place_value_and_what_is_permitted(kind: type, value: Json, pointer: str, told: str) -> None:
    """The message says what is wrong with the file, where, and what is permitted."""
    with pytest.raises(Misfit) as caught:
        from_json(kind, value)
    assert caught.value.pointer == pointer
    assert str(caught.value) == f"at {pointer or 'the top'}: {told}"


def test_a_decimal_that_is_whole_is_a_whole_number() -> None:
    """JSON has only one kind of number (B-10)."""
    assert from_json(Item, {"path": "a", "kind": "link"}).kind is ItemKind.LINK
    move = from_json(Move, {"act": "cancel", "cue": "start", "count": 2.0})
    assert repr(move.count) == "2"
