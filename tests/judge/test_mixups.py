"""A record with the name of another step or call is one fault, however many laws need that step or call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from callproof.auditlog.reader import read_run
from callproof.judge.folding import folded
from callproof.judge.judging import Located, judge
from log_edits import BASES, Edit, apply, copy_of

pytestmark = pytest.mark.many

FILES = {"calls": "calls.jsonl", "results": "results.jsonl", "events": "events.jsonl"}
LOGS = [base for base in sorted(BASES.iterdir()) if (base / "calls.jsonl").exists()]
# Calls that no other record mentions, because the log ends with them.
ALONE = {("interrupted", 2), ("interrupted", 3)}


def records(base: Path, kind: str) -> list[dict[str, Any]]:
    """The records of a kind in a base log."""
    path = base / FILES[kind]
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def found(base: str, edits: tuple[Edit, ...], folder: Path) -> list[tuple[str, Located]]:
    """The findings of a base log after some edits, each with its law."""
    copy_of(base, folder)
    for edit in edits:
        apply(edit, folder)
    run = read_run(folder)
    return [(name, each) for name, its in folded(run, judge(run)).items() for each in its.findings]


def roots(base: str, edits: tuple[Edit, ...], folder: Path) -> list[str]:
    """The laws of the findings that follow from no other finding."""
    return sorted(name for name, each in found(base, edits, folder) if each.root is None)


def of_another_step() -> Iterator[Any]:
    """Every call of a base log with each other step of its plan."""
    for base in LOGS:
        steps = [step["id"] for step in json.loads((base / "run.json").read_text(encoding="utf-8"))["plan"]["steps"]]
        for number, call in enumerate(records(base, "calls"), 1):
            for step in steps:
                if step != call["stepId"] and (base.name, number) not in ALONE:
                    yield pytest.param(base.name, number, step, id=f"{base.name}-{number}-{step}")


@pytest.mark.parametrize(("base", "number", "step"), list(of_another_step()))
def test_a_call_that_names_another_step_is_one_fault(base: str, number: int, step: str, tmp_path: Path) -> None:
    """
    RES-03, EVT-13: the call's result and events name its right step, and that step has no other call.

    All findings about either step follow from that: tool, arguments, attempts, order, iterations.
    """
    assert set(roots(base, (Edit(f"calls {number}", {"stepId": step}),), tmp_path / "log")) in ({"RES-03"}, {"EVT-13"})


def of_another_call() -> Iterator[Any]:
    """Every result of a call in a base log with the name of each other call that has a result."""
    for base in LOGS:
        answered = {result["callId"] for result in records(base, "results")}
        names = [call["callId"] for call in records(base, "calls") if call["callId"] in answered]
        for number, result in enumerate(records(base, "results"), 1):
            for name in names:
                if result["callId"] in names and name != result["callId"]:
                    yield pytest.param(base.name, number, name, id=f"{base.name}-{number}-{name}")


@pytest.mark.parametrize(("base", "number", "name"), list(of_another_call()))
def test_a_result_that_names_another_call_is_one_fault(base: str, number: int, name: str, tmp_path: Path) -> None:
    """RES-01, LOG-07, RES-20: one call has two results and another call has none, both because of the same result."""
    told = roots(base, (Edit(f"results {number}", {"callId": name}),), tmp_path / "log")
    assert len(told) == 1
    assert set(told) <= {"RES-01", "RES-20", "LOG-07"}


def of_no_call() -> Iterator[Any]:
    """Every result in a base log that belongs to no call, with the name of each call."""
    for base in LOGS:
        names = [call["callId"] for call in records(base, "calls")]
        for number, result in enumerate(records(base, "results"), 1):
            if result["callId"] not in names:
                yield from (pytest.param(base.name, number, each, id=f"{base.name}-{number}-{each}") for each in names)


@pytest.mark.parametrize(("base", "number", "name"), list(of_no_call()))
def test_a_result_of_no_call_that_names_one_is_one_fault(base: str, number: int, name: str, tmp_path: Path) -> None:
    """RES-01, LOG-07, RES-20: the step that the result names has no call, so the result is of no other call."""
    told = roots(base, (Edit(f"results {number}", {"callId": name}),), tmp_path / "log")
    assert len(told) == 1
    assert set(told) <= {"RES-01", "RES-20", "LOG-07"}


def events_of_another_call() -> Iterator[Any]:
    """Every start and end of a call in a base log with the name of each call of another step."""
    for base in LOGS:
        calls = {call["callId"]: call["stepId"] for call in records(base, "calls")}
        for number, event in enumerate(records(base, "events"), 1):
            if event["type"] in {"step.started", "step.finished", "step.failed"} and event["callId"] in calls:
                for name, step in calls.items():
                    if step != calls[event["callId"]]:
                        yield pytest.param(base.name, number, name, id=f"{base.name}-{number}-{name}")


@pytest.mark.parametrize(("base", "number", "name"), list(events_of_another_call()))
def test_an_event_that_names_a_call_of_another_step_is_one_fault(
    base: str, number: int, name: str, tmp_path: Path
) -> None:
    """EVT-13: the step and the tool of the event are not those of the named call, so the event is not of that call."""
    assert roots(base, (Edit(f"events {number}", {"callId": name}),), tmp_path / "log") == ["EVT-13"]


def ends_of_another_attempt() -> Iterator[Any]:
    """Every end of a call in a base log with the name of each other call of its step."""
    for base in LOGS:
        calls = {call["callId"]: call["stepId"] for call in records(base, "calls")}
        for number, event in enumerate(records(base, "events"), 1):
            if event["type"] in {"step.finished", "step.failed"} and event["callId"] in calls:
                for name, step in calls.items():
                    if name != event["callId"] and step == calls[event["callId"]]:
                        yield pytest.param(base.name, number, name, id=f"{base.name}-{number}-{name}")


@pytest.mark.parametrize(("base", "number", "name"), list(ends_of_another_attempt()))
def test_an_end_that_names_another_call_of_its_step_is_one_fault(
    base: str, number: int, name: str, tmp_path: Path
) -> None:
    """EVT-08: one call has two ends and another call has none, both because of the same end."""
    told = roots(base, (Edit(f"events {number}", {"callId": name}),), tmp_path / "log")
    assert len(told) == 1
    assert set(told) <= {"EVT-08", "EVT-16"}


@pytest.mark.parametrize(
    ("base", "edits", "both"),
    [
        # Only the result is wrong; its call and its events agree.
        ("linear", (Edit("results 2", {"stepId": "s1"}), Edit("calls 1", {"args": {"path": "x.md"}})), "RES-03 VAL-04"),
        (
            "linear",
            (Edit("results 2", {"stepId": "s1"}), Edit("events 13", {"payload": {"status": "error"}})),
            "RES-03 EVT-18",
        ),
        # The step that the call names has a fault of its own in another call.
        ("diamond", (Edit("calls 2", {"stepId": "c"}), Edit("results 1", {"ok": False})), "RES-03 RES-05"),
        ("linear", (Edit("results 1", {"callId": "c2"}), Edit("calls 3", {"riskLevel": "commands"})), "CALL-13 RES-01"),
        ("linear", (Edit("results 1", {"callId": "c2"}), Edit("results 3", {"ok": False})), "RES-01 RES-05"),
        (
            "linear",
            (Edit("events 5", {"callId": "c2"}), Edit("events 13", {"payload": {"status": 7}})),
            "EVT-13 EVT-18",
        ),
    ],
    ids=[
        "the-result-errs",
        "the-result-errs-and-the-end",
        "another-call-of-the-step",
        "another-call",
        "another-result",
        "the-end",
    ],
)
def test_a_record_under_another_name_explains_nothing_else(
    base: str, edits: tuple[Edit, ...], both: str, tmp_path: Path
) -> None:
    """A second fault that has nothing to do with the name stays a root."""
    told = set(roots(base, edits, tmp_path / "log"))
    assert set(both.split()) <= told


def test_an_event_of_another_step_explains_no_other_event_of_its_call(tmp_path: Path) -> None:
    """EVT-13: the other event names its step rightly and its tool wrongly."""
    edits = (Edit("events 8", {"tool": "another"}), Edit("events 9", {"stepId": "s1"}))
    assert roots("linear", edits, tmp_path / "log").count("EVT-13") == 2


@pytest.mark.parametrize(("line", "law"), [("results 2", "RES-03"), ("events 9", "EVT-13")])
def test_a_record_of_another_step_that_names_the_tool_of_it_is_one_fault(line: str, law: str, tmp_path: Path) -> None:
    """RES-03, EVT-13: the other records of the call show that this one is about another call."""
    edits = (Edit(line, {"stepId": "s1", "tool": "vault.readFile"}),)
    told = [(name, each.root) for name, each in found("linear", edits, tmp_path / "log") if name == law]
    assert len(told) == 2
    assert [name for name, root in told if root is None] == [law]


def test_two_calls_of_one_step_in_its_place_are_not_one_call_under_another_name(tmp_path: Path) -> None:
    """DEP-07: if the step that the result names has a call of its own, it is unknown which of the two is wrong."""
    text = (BASES / "linear" / "calls.jsonl").read_text(encoding="utf-8").splitlines()[0]
    again = text.replace('"c1"', '"c9"')
    edits = (Edit("results 2", {"stepId": "s1"}), Edit("calls 1", {"text": f"{text}\n{again}"}))
    assert {"RES-03", "DEP-07"} <= set(roots("linear", edits, tmp_path / "log"))


@pytest.mark.parametrize(("step", "line"), [("s2", "calls 2"), ("nowhere", "calls 1")], ids=["called", "unknown"])
@pytest.mark.parametrize(("error", "law"), [({"args": {"more": 1}}, "REF-27"), ({"tool": "nothing"}, "CALL-06")])
def test_a_call_is_not_taken_for_one_of_a_step_that_is_called_or_that_there_is_not(
    step: str, line: str, error: dict[str, Any], law: str, tmp_path: Path
) -> None:
    """RES-03, EVT-13: all records of one call name a wrong step, and a fault in a call of either step is told."""
    told = [f"results {n}" for n, each in enumerate(records(BASES / "linear", "results"), 1) if each["callId"] == "c1"]
    told += [
        f"events {n}" for n, each in enumerate(records(BASES / "linear", "events"), 1) if each.get("callId") == "c1"
    ]
    edits = (*(Edit(each, {"stepId": step}) for each in told), Edit(line, error))
    assert roots("linear", edits, tmp_path / "log") == sorted([law, "RES-03", *["EVT-13"] * 3])
