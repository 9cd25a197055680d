"""Two faults of one run in different matters of one law: a consequence is folded, an independent fault is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from callproof.auditlog.reader import read_run
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from log_edits import Edit, apply, copy_of

ANOTHER_PLAN = Edit("run", {"confirmation": {"planHash": "sha256:" + "0" * 64}})
TWICE = {"text": '{"callId": "c4", "runId": "run-effects", "runId": "run-effects", "stepId": "s4"}'}
CHAINED = {
    "modified": [{"path": "Notes/log.md", "kind": "file", "beforeEtag": "etag-log-3", "afterEtag": "etag-log-4"}]
}
ELSEWHERE: dict[str, Any] = {"args": {"path": "Notes/elsewhere.md"}}


def roots(base: str, edits: tuple[Edit, ...], folder: Path) -> list[str]:
    """The laws of the findings that follow from no other finding, in a base log after some edits."""
    copy_of(base, folder)
    for edit in edits:
        apply(edit, folder)
    run = read_run(folder)
    results = folded(run, judge(run))
    return sorted(name for name, its in results.items() for each in its.findings if each.root is None)


@pytest.mark.parametrize(
    ("base", "edits", "both"),
    [
        ("diamond", (Edit("events 14", {"payload": {"status": "ok"}}), Edit("results 1", "twice")), "EVT-18 RES-01"),
        (
            "diamond",
            (Edit("events 14", {"payload": {"status": "ok"}}), Edit("results 1", {"ok": False})),
            "EVT-18 RES-05",
        ),
        (
            "linear",
            (Edit("events 13", {"payload": {"status": "cancelled"}}), Edit("results 2", {"ok": False})),
            "EVT-18 RES-05",
        ),
        (
            "linear",
            (Edit("events 13", {"payload": {"status": 7}}), Edit("results 2", {"status": "done"})),
            "EVT-18 RES-04",
        ),
        (
            "linear",
            (Edit("events 13", {"payload": {"results": None}}), Edit("results 2", {"ok": False})),
            "EVT-18 RES-05",
        ),
        (
            "linear",
            (Edit("events 13", {"payload": {"results": {"ok": 9}}}), Edit("calls 2", {"stepId": "s9"})),
            "DEP-14 EVT-18",
        ),
    ],
    ids=["a-second-result", "another-failure", "cancelled", "no-status", "no-count", "a-count-and-an-unknown-step"],
)
def test_an_end_that_is_told_wrongly_follows_from_what_changed_it_and_from_nothing_else(
    base: str, edits: tuple[Edit, ...], both: str, tmp_path: Path
) -> None:
    """EVT-18: a record of one step does not explain why an end tells another's failure, a cancellation or no status."""
    assert roots(base, edits, tmp_path / "log") == both.split()


@pytest.mark.parametrize(
    ("base", "edits", "both"),
    [
        ("foreach", (ANOTHER_PLAN, Edit("calls 3", ELSEWHERE)), "CONF-10 REF-16"),
        ("foreach", (ANOTHER_PLAN, Edit("calls 3", ELSEWHERE), Edit("calls 4", ELSEWHERE)), "CONF-10 REF-16"),
        ("retried", (ANOTHER_PLAN, Edit("calls 2", ELSEWHERE)), "CONF-10 VAL-04"),
        ("retried", (ANOTHER_PLAN, Edit("calls 2", {"tool": "vault.writeFile"})), "CALL-06 CONF-10"),
        ("linear", (Edit("run", {"confirmation": {"planHash": 7}}), Edit("calls 1", ELSEWHERE)), "CONF-10 VAL-04"),
    ],
    ids=["one-iteration", "two-iterations", "one-attempt", "the-tool-of-one-attempt", "a-hash-that-is-no-text"],
)
def test_another_plan_explains_no_call_whose_neighbour_is_as_planned(
    base: str, edits: tuple[Edit, ...], both: str, tmp_path: Path
) -> None:
    """CONF-10: no plan explains two different calls of one step; a value that is no hash proves no other plan."""
    assert roots(base, edits, tmp_path / "log") == both.split()


@pytest.mark.parametrize(
    ("edits", "both"),
    [
        ((Edit("calls 2", {"stepId": "s9"}), Edit("results 2", {"attempt": 2})), "DEP-14 RES-03"),
        ((Edit("calls 2", {"stepId": "s9"}), Edit("results 2", {"tool": "vault.writeFile"})), "DEP-14 RES-03"),
        ((Edit("calls 2", {"stepId": "s9"}), Edit("events 9", {"tool": "vault.writeFile"})), "DEP-14 EVT-13"),
        ((Edit("calls 2", {"attempt": 0}), Edit("results 2", {"stepId": "s1"})), "CALL-08 RES-03"),
        ((Edit("calls 2", {"runId": "run-other"}), Edit("results 2", {"attempt": 3})), "CALL-03 RES-03"),
        ((Edit("calls 2", {"attempt": 0}), Edit("results 2", {"tool": "vault attempt"})), "CALL-08 RES-03"),
        ((Edit("calls 2", {"stepId": "s9"}), Edit("events 9", {"tool": "vault stepId"})), "DEP-14 EVT-13"),
    ],
)
def test_a_member_that_differs_follows_from_that_member_of_the_call_alone(
    edits: tuple[Edit, ...], both: str, tmp_path: Path
) -> None:
    """RES-03, EVT-13: a wrong step in a call does not explain a wrong attempt in its result."""
    assert roots("linear", edits, tmp_path / "log") == both.split()


def test_what_was_skipped_with_effects_is_no_reason_why_its_stamps_tell_of_a_duration(tmp_path: Path) -> None:
    """RES-19: a duration of a skipped call explains stamps that do not fit it; effects of a skipped call do not."""
    later = Edit("results 3", {"endedAt": "2026-01-05T09:00:31.040Z"})
    assert roots("cancelled", (later, Edit("results 3", {"durationMs": 9})), tmp_path / "duration") == ["RES-19"]
    had_effects = Edit("results 3", {"effects": {"sideEffectsObserved": ["run-command"]}})
    assert roots("cancelled", (later, had_effects), tmp_path / "effects") == ["RES-19", "TIME-07"]


_EARLY = "2026-01-05T09:00:24.500Z"


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ((Edit("events 6", {"timestamp": "2026-01-05T09:00:20.500Z"}),), "EVT-15"),
        ((Edit("events 6", {"timestamp": _EARLY}),), "EVT-10"),
        ((Edit("events 5", {"seq": 9}), Edit("events 6", {"timestamp": _EARLY, "seq": 3})), "EVT-10 EVT-15"),
        (
            (Edit("events 6", {"timestamp": _EARLY}), Edit("events 7", {"timestamp": "2026-01-05T09:00:22.000Z"})),
            "EVT-10 EVT-15",
        ),
    ],
    ids=["one-stamp", "early-and-in-order", "a-number-beside-it", "the-stamp-of-the-next"],
)
def test_an_end_that_was_told_too_early_follows_from_its_own_stamp_alone(
    edits: tuple[Edit, ...], told: str, tmp_path: Path
) -> None:
    """EVT-10: neither a number out of order nor the stamp of the next event explains an end before its result."""
    assert roots("linear", edits, tmp_path / "log") == told.split()


def test_a_line_that_cannot_be_read_explains_the_history_of_the_files_of_its_call(tmp_path: Path) -> None:
    """LOG-03: the unread write may have left the etag that the next write found."""
    edits = (
        Edit("results 5", {"effects": CHAINED, "dataHash": None, "data": {"etag": "etag-log-4"}}),
        Edit("results 4", TWICE),
    )
    assert roots("effects", edits, tmp_path / "log") == ["LOG-03"]


@pytest.mark.parametrize("unread", [1, 8], ids=["of-a-folder", "of-a-note"])
def test_a_line_that_cannot_be_read_explains_no_history_of_other_files(unread: int, tmp_path: Path) -> None:
    """LOG-03: an unread result may have changed only the path that its call names."""
    entry = {"path": "Notes/log.md", "kind": "file", "beforeEtag": "etag-log-9", "afterEtag": "etag-log-3"}
    edits = (Edit("results 4", {"effects": {"modified": [entry]}}), Edit(f"results {unread}", TWICE))
    assert roots("effects", edits, tmp_path / "log") == ["EFF-04", "LOG-03"]


def test_arguments_that_were_changed_are_not_those_that_were_shown(tmp_path: Path) -> None:
    """MSG-04: the preview names the planned file and not the one that was read, which follows from VAL-04."""
    assert roots("linear", (Edit("calls 1", ELSEWHERE),), tmp_path / "log") == ["VAL-04"]


BETA: dict[str, Any] = {"index": 1, "itemName": "bullet", "itemValue": {"text": "Beta", "raw": "- Beta", "depth": 0}}


@pytest.mark.parametrize(
    ("base", "edit", "told"),
    [
        ("foreach", Edit("calls 2", {"iteration": BETA}), "LOOP-12"),
        ("linear", Edit("calls 2", {"tool": "vault.createFile"}), "CALL-06"),
        ("linear", Edit("calls 1", {"executorVersion": "9"}), "CALL-11"),
        ("linear", Edit("events 7", {"type": "run.finished"}), "EVT-04"),
        ("linear", Edit("calls 2", {"callId": "c1"}), "CALL-02"),
        ("linear", Edit("events 5", {"callId": "c2"}), "EVT-13"),
        ("diamond", Edit("results 2", {"status": "ok"}), "RES-05"),
        ("cancelled", Edit("results 2", {"effects": {"created": [{"path": "x.md", "kind": "file"}]}}), "CANC-11"),
        ("recovered", Edit("calls 2", {"stepId": None}), "DEP-14"),
        ("rejected", Edit("events 3", "absent"), "CONF-08"),
        ("foreach", Edit("results 2", {"status": "skipped"}), "RES-05"),
        ("effects", Edit("calls 6", {"args": {"title": "A", "of": "B", "mode": "C"}}), "REF-27"),
        ("budget", Edit("results 1", {"tool": "vault.readFile"}), "RES-03"),
        ("budget", Edit("results 3", {"startedAt": "2026-01-05T09:00:06.000Z"}), "TIME-06"),
        ("refused", Edit("calls 1", {"tool": "commands.run"}), "CALL-06"),
        ("budget", Edit("events 2", {"type": "step.finished"}), "EVT-08"),
        ("eventless", Edit("results 2", {"endedAt": "2026-01-05T09:00:45.000Z", "durationMs": 12000}), "REF-22"),
    ],
)
def test_one_member_of_another_record_is_one_fault(base: str, edit: Edit, told: str, tmp_path: Path) -> None:
    """A value of another record breaks many laws at once: those of a loop, of a tool's schema, or of the run's end."""
    assert set(roots(base, (edit,), tmp_path / "log")) == {told}


def test_a_step_that_was_called_twice_with_other_arguments_is_two_faults(tmp_path: Path) -> None:
    """DEP-07: no iteration is missing, so the second call is not another iteration's call with a wrong index."""
    call = {"text": (copy_of("linear", tmp_path / "other") / "calls.jsonl").read_text(encoding="utf-8").split("\n")[0]}
    again = call["text"].replace('"c1"', '"c9"').replace("Inbox/ideas.md", "Inbox/other.md")
    found = roots("linear", (Edit("calls 1", {"text": f"{call['text']}\n{again}"}),), tmp_path / "log")
    assert {"DEP-07", "VAL-04"} <= set(found)


@pytest.mark.parametrize(
    ("base", "edits", "both"),
    [
        ("retried", (Edit("events 12", "absent"), Edit("events 6", {"tool": "vault.writeFile"})), "EVT-08 EVT-13"),
        ("retried", (Edit("events 12", "absent"), Edit("events 6", {"tool": "vault callId"})), "EVT-08 EVT-13"),
        (
            "retried",
            (Edit("events 4", {"payload": None}), Edit("events 14", {"type": "step.begun"})),
            "EVT-01 RETRY-17",
        ),
        (
            "linear",
            (Edit("events 2", {"payload": {"confirmationId": "other"}}), Edit("events 13", {"type": "run.over"})),
            "CONF-04 EVT-01",
        ),
    ],
    ids=["the-tool-of-an-event", "a-tool-called-like-a-member", "a-clamp-of-another-call", "an-event-that-is-there"],
)
def test_an_event_that_is_at_fault_is_not_every_event_that_is_missing(
    base: str, edits: tuple[Edit, ...], both: str, tmp_path: Path
) -> None:
    """EVT-13, EVT-01: an event of another call explains no missing one, and an event that is there is not missing."""
    assert roots(base, edits, tmp_path / "log") == both.split()
