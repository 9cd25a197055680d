"""Members that are absent or of another type: each is found as its own requirement, and the rest survives it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from callproof.checks.alterations import Alteration, kind_of
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, findings, live, output, patched, run_record_patched, with_records

# One row a fault: requirement, kind of records, place, and the members as they are written instead.
FAULTS: list[tuple[str, str, int, dict[str, Json]]] = [
    ("CALL-01", "calls", 0, {"callId": 7}),
    ("CALL-03", "calls", 0, {"runId": ""}),
    ("CALL-03", "results", 0, {"runId": 3}),
    ("CALL-07", "calls", 0, {"args": []}),
    ("CALL-09", "calls", 0, {"cancellable": "yes"}),
    ("CALL-10", "calls", 0, {"createdAt": 1767600000000}),
    ("CALL-13", "calls", 0, {"riskLevel": "harmless"}),
    ("CALL-16", "calls", 0, {"policy": []}),
    ("CALL-16", "calls", 0, {"policy": {"confirmationsRequired": 1, "sandbox": {}, "limits": {}}}),
    ("CALL-18", "calls", 0, {"timeoutMs": 0.5}),
    ("CALL-19", "calls", 0, {"deadlineAt": "soon"}),
    ("CALL-24", "calls", 0, {"loopId": 3}),
    ("RES-04", "results", 0, {"status": ["ok"]}),
    ("RES-05", "results", 0, {"ok": 1}),
    ("RES-06", "results", 0, {"data": "text"}),
    ("RES-17", "results", 0, {"startedAt": ""}),
    ("RES-17", "results", 0, {"durationMs": "4000"}),
    ("RES-18", "results", 0, {"debugMessage": 1}),
    ("RES-25", "results", 0, {"data": None}),
    ("EVT-01", "events", 0, {"type": 1}),
    ("EVT-02", "events", 0, {"runId": None}),
    ("EVT-02", "events", 0, {"timestamp": 0}),
    ("EVT-02", "events", 0, {"message": None}),
    ("EVT-13", "events", 4, {"callId": 9}),
    ("EVT-17", "events", 4, {"payload": "50 %"}),
    ("MSG-01", "results", 0, {"userMessage": "a\tb"}),
]


def _written(run: Run, records: str, at: int, members: dict[str, Json]) -> Run:
    return with_records(
        run,
        records,
        lambda index, each: replace(each, value={**each.value, **members}) if index == at else each,
    )


@pytest.mark.parametrize(("requirement", "records", "at", "members"), FAULTS)
def test_a_member_of_the_wrong_type_is_found(requirement: str, records: str, at: int, members: dict[str, Json]) -> None:
    """Whatever replaces a member, its law finds it."""
    assert findings(_written(base("linear"), records, at, members), requirement) != []


@pytest.mark.parametrize(
    "name", ["timeoutMs", "deadlineAt", "preview", "category", "argsHash", "plannerVersion", "loopId"]
)
def test_null_stands_for_an_absent_optional_member(name: str) -> None:
    """Optional members may be null, which is noted and is not a violation (A30)."""
    run = _written(base("linear"), "calls", 0, {name: None})
    assert [
        found for each in ("CALL-14", "CALL-15", "CALL-18", "CALL-19", "CALL-24") for found in findings(run, each)
    ] == []


@pytest.mark.parametrize(
    ("error", "requirement"),
    [
        ({"code": "", "message": "x"}, "RES-09"),
        ({"code": "INTERNAL_ERROR"}, "RES-09"),
        ("broken", "RES-09"),
        ({"code": "INTERNAL_ERROR", "message": "x", "details": []}, "RES-15"),
        ({"code": "INTERNAL_ERROR", "message": "x", "retryable": 0}, "RES-16"),
        ({"code": "CANCELLED", "message": "x"}, "RES-13"),
    ],
)
def test_an_error_of_the_wrong_make_is_found(error: Json, requirement: str) -> None:
    """An error has a code and a message, and its other members have their types."""
    assert len(findings(_written(base("diamond"), "results", 1, {"error": error}), requirement)) == 1


def test_two_beginnings_and_a_late_beginning_are_found() -> None:
    """A run starts once, and nothing but a confirmation precedes it (EVT-03)."""
    run = base("unconfirmed")
    assert run.events is not None
    first, *rest = run.events
    assert findings(replace(run, events=(first, first, *rest)), "EVT-03") == ["run.started was recorded 2 times"]
    late = replace(run, events=(rest[0], first, *rest[1:]))
    assert findings(late, "EVT-03") == ["the event step.scheduled of c1 was recorded before run.started"]


def test_an_unbuilt_result_with_effects_is_no_unbuilt_result() -> None:
    """A call that was never built cannot have changed anything (A2)."""
    effects: Json = {"created": [{"path": "a.md", "kind": "file"}]}
    assert len(findings(patched(base("refused"), "results", 3, {"effects": effects}), "RES-02")) == 1


@pytest.mark.parametrize(
    ("meant", "found", "kind"),
    [
        (9007199254740993, 9007199254740992, Alteration.ROUNDED),
        (0.1 + 0.2, 0.3, Alteration.ROUNDED),
        (3.7, 3, Alteration.ROUNDED),
        (3, 4, Alteration.OTHER),
        (10**400, 10**400 + 1, Alteration.OTHER),
        (math.nan, 3, Alteration.OTHER),
        (3, math.inf, Alteration.OTHER),
        ("é", "e\u0301", Alteration.RESPELT),
        ("\uff21", "A", Alteration.RESPELT),
        (" a ", "a", Alteration.RESPELT),
        ("a", "b", Alteration.OTHER),
        ("1", 1, Alteration.OTHER),
        (None, "", Alteration.OTHER),
    ],
)
def test_small_changes_are_told_from_other_values(meant: Json, found: Json, kind: Alteration) -> None:
    """A number that lost digits and a text that lost code points have requirements of their own (LOG-11, LOG-12)."""
    assert kind_of(meant, found) is kind


@pytest.mark.parametrize(
    ("law", "patch"),
    [
        ("LOG-01", {"policy": {"deniedTools": "commands.run"}}),
        ("LOG-01", {"policy": {"sandbox": {"enabled": "no"}}}),
        ("LOG-01", {"policy": {"sandbox": {"allowedRoots": "Notes"}}}),
        ("LOG-01", {"policy": {"sandbox": {"denyPatterns": [".git", 7]}}}),
        ("POL-18", {"policy": {"limits": {"maxAttempts": 0}}}),
        ("POL-18", {"policy": {"limits": {"maxTimeoutMs": "30000"}}}),
        ("TIME-09", {"createdAt": 1767603600}),
        ("TIME-09", {"confirmation": {"decidedAt": 1767603600}}),
        ("TIME-09", {"confirmation": {"expiresAt": True}}),
    ],
)
def test_a_member_of_the_run_record_that_nobody_can_read_is_found(law: str, patch: Json) -> None:
    """A member that is there but cannot be read is not an absent member."""
    assert findings(base("linear"), law) == []
    assert len(findings(run_record_patched(base("linear"), patch), law)) == 1


@pytest.mark.parametrize(
    ("law", "records", "patch"),
    [
        ("CALL-24", "calls", {"argsModifiedBy": False}),
        ("CALL-24", "calls", {"argsModifiedBy": ""}),
        ("CALL-24", "calls", {"argsModifiedBy": {"by": "redirect"}}),
        ("CALL-24", "calls", {"argsModifiedBy": {"members": [0]}}),
        ("LOG-17", "calls", {"redacted": "/args/path"}),
        ("LOG-17", "results", {"redacted": [0]}),
        ("HASH-06", "results", {"dataHash": 7}),
    ],
)
def test_a_member_of_a_record_that_nobody_can_read_is_found(law: str, records: str, patch: Json) -> None:
    """The same for calls and results, and for a mark that marks nothing."""
    assert findings(base("linear"), law) == []
    assert len(findings(patched(base("linear"), records, 0, patch), law)) == 1


@pytest.mark.parametrize("name", ["password", "token", "secret", "apiKey"])
def test_a_secret_that_was_replaced_in_silence_is_found(name: str) -> None:
    """LOG-17: a secret that a tool received is on record unchanged, or marked; CALL-20 reports other members."""
    run = base("unconfirmed")
    args: dict[str, Json] = {**(run.calls[0].object("args") or {}), name: "hush"}
    sent = deed_of(run.calls[0], output({}), args=args)
    assert findings(live(patched(run, "calls", 0, {"args": args}), (sent,)), "LOG-17") == []
    starred = patched(run, "calls", 0, {"args": {**args, name: "***"}})
    assert len(findings(live(starred, (sent,)), "LOG-17")) == 1
    for mark in ("/args", f"/args/{name}"):
        assert findings(live(patched(starred, "calls", 0, {"redacted": [mark]}), (sent,)), "LOG-17") == []
    assert len(findings(live(patched(starred, "calls", 0, {"redacted": ["/preview"]}), (sent,)), "LOG-17")) == 1
    other = patched(run, "calls", 0, {"args": {**args, "path": "Notes/other.md"}})
    assert findings(live(other, (sent,)), "LOG-17") == []
    stray = deed_of(run.calls[0], output({}), call_id="c99", args=args)
    assert findings(live(run, (stray,)), "LOG-17") == []
