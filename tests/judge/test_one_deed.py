"""Faults as they occur in an operator's logs, one deed each: one finding explains it and names the wrong record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from callproof.auditlog.reader import read_run
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from log_edits import Edit, apply, copy_of


def roots(base: str, edits: tuple[Edit, ...], folder: Path) -> list[tuple[str, str]]:
    """The findings that follow from no other, each by its law and by the first record of its proof."""
    copy_of(base, folder)
    for edit in edits:
        apply(edit, folder)
    run = read_run(folder)
    results = folded(run, judge(run))
    every = ((name, each) for name, its in results.items() for each in its.findings)
    return [(name, str(each.finding.witness[0].source)) for name, each in every if each.root is None]


@pytest.mark.parametrize(
    ("line", "patch"),
    [
        ("calls 2", {"callId": None, "call_id": "c2"}),
        ("calls 2", {"stepId": None, "stepid": "s2"}),
        ("calls 2", {"attempt": None, "Attempt": 1}),
        ("results 2", {"callId": None, "call-id": "c2"}),
        ("results 2", {"durationMs": None, "duration_ms": 4000}),
        ("results 2", {"status": None, "Status": "ok"}),
        ("results 2", {"tool": None, "Tool": "vault.createFile"}),
        ("events 5", {"callId": None, "call_id": "c2"}),
        ("events 5", {"type": None, "Type": "step.started"}),
        ("events 5", {"timestamp": None, "timeStamp": "2026-01-05T09:00:23.000Z"}),
    ],
)
def test_what_lacks_a_member_under_its_name_follows_from_the_other_spelling(
    line: str, patch: dict[str, object], tmp_path: Path
) -> None:
    """CALL-22: the member exists, but a reader that asks for it by its name does not find it."""
    file, number = line.split()
    edits = (Edit(line, patch),)  # type: ignore[arg-type]  # a patch of texts, numbers and nulls
    assert roots("linear", edits, tmp_path / "log") == [("CALL-22", f"{file}.jsonl:{number}")]


def test_a_member_in_another_spelling_explains_no_other_member(tmp_path: Path) -> None:
    """CALL-22: two members of one record may each be wrong for a reason of their own."""
    edits = (Edit("results 2", {"durationMs": None, "duration_ms": 4000, "ok": "yes"}),)
    assert [law for law, _ in roots("linear", edits, tmp_path / "log")] == ["CALL-22", "RES-05"]


@pytest.mark.parametrize(
    ("base", "edits", "root"),
    [
        # The confirmation in the run record differs from that of all calls, so the run record is wrong.
        ("eventless", (Edit("run", {"confirmation": {"confirmationId": "another"}}),), ("CONF-03", "calls.jsonl:1")),
        # A start with a late stamp stands before an event with a right stamp.
        ("foreach", (Edit("events 10", {"timestamp": "2026-01-05T09:00:38.900Z"}),), ("EVT-06", "events.jsonl:10")),
        ("linear", (Edit("results 2", {"durationMs": -3}),), ("RES-17", "results.jsonl:2")),
        # A cancellation with a late stamp: the steps that it skipped seem to have been skipped before it.
        ("cancelled", (Edit("events 10", {"timestamp": "2026-01-05T09:00:45.000Z"}),), ("EVT-15", "events.jsonl:10")),
        # A result with another index than its call, but with the element of its call.
        (
            "foreach",
            (Edit("results 3", {"iteration": {"index": 0, "itemName": "bullet", "itemValue": {"text": "Beta"}}}),),
            ("LOOP-03", "results.jsonl:3"),
        ),
    ],
)
def test_one_deed_has_one_root(base: str, edits: tuple[Edit, ...], root: tuple[str, str], tmp_path: Path) -> None:
    """All other broken laws follow from the root."""
    assert roots(base, edits, tmp_path / "log") == [root]


def test_calls_below_one_that_stands_too_early_follow_from_the_first_of_them(tmp_path: Path) -> None:
    """LOG-14: a hundred calls below the early one are not a hundred faults."""
    path = copy_of("linear", tmp_path / "log") / "calls.jsonl"
    calls = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join([calls[-1], *calls[:-1]]), encoding="utf-8")
    run = read_run(tmp_path / "log")
    told = folded(run, judge(run))["LOG-14"].findings
    assert len(told) == len(calls) - 1 > 1
    assert [str(each.finding.witness[0].source) for each in told if each.root is None] == ["calls.jsonl:1"]


def test_what_an_attempt_dropped_was_given_nothing_else(tmp_path: Path) -> None:
    """REF-14: if an attempt does not have the argument at all, the reference did not give null to it."""
    folder = copy_of("retried", tmp_path / "log")
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    record["plan"]["steps"][0]["args"] = {"path": "$vars.inbox"}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    apply(Edit("calls 3", {"args": {"path": None}, "argsHash": None}), folder)
    run = read_run(folder)
    results = judge(run)
    assert results["RETRY-09"].findings
    assert not results["REF-14"].findings
