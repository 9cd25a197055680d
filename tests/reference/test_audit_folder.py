"""The audit log on disk: what it holds, when it is written, and what happens if it cannot be written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from reference_suite import Suite, plan, policy, step, tool


@pytest.fixture
def suite() -> Iterator[Suite]:
    """The suite's side of a conversation with the executor."""
    suite = Suite()
    yield suite
    suite.close()


def lines(file: Path) -> list[dict[str, Any]]:
    """The records of a JSON Lines file; the file must end with a line feed."""
    text = file.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text[:-1].split("\n")]


def test_the_files_hold_what_was_told_in_the_same_order(suite: Suite, tmp_path: Path) -> None:
    """LOG-01, LOG-02, LOG-04, EVT-20: this includes line separators in strings."""
    args = {"text": "a\nb\u2028c\u0000 \U0001f600", "big": 12345678901234567890}
    suite.start(
        plan(step("a", args=args), step("b", dependsOn=["a"])), policy=policy(confirm=True), auditDir=str(tmp_path)
    )
    identity = suite.records("event")[1]["payload"]["confirmationId"]
    suite.ask("run/confirm", runId=suite.run_id, confirmationId=identity, decision="approved")
    suite.barrier()
    suite.echo_all()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "calls.jsonl",
        "events.jsonl",
        "results.jsonl",
        "run.json",
    ]
    assert lines(tmp_path / "run.json") == suite.records("run")[-1:]
    for kind in ("call", "result", "event"):
        assert lines(tmp_path / f"{kind}s.jsonl") == suite.records(kind)
    assert lines(tmp_path / "calls.jsonl")[0]["args"] == args


def test_the_call_is_on_disk_before_its_tool_is_entered(suite: Suite, tmp_path: Path) -> None:
    """CALL-21."""
    suite.start(plan(step("a")), auditDir=str(tmp_path))
    assert lines(tmp_path / "calls.jsonl")[0]["callId"] == suite.invocation()["params"]["callId"]
    kinds = [m["params"]["kind"] if m["method"] == "record" else m["method"] for m in suite.heard]
    assert kinds.index("call") < kinds.index("tool/invoke")


@pytest.mark.parametrize("name", ["run.json", "calls.jsonl"])
def test_a_folder_that_holds_a_log_refuses_the_run(suite: Suite, tmp_path: Path, name: str) -> None:
    """A68, LOG-22."""
    (tmp_path / name).write_text("{}")
    data = suite.refusal(plan(step("a")), auditDir=str(tmp_path))
    assert data["details"]["reason"] == "audit_folder"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_folder_that_cannot_be_made_refuses_the_run(suite: Suite, tmp_path: Path) -> None:
    """A68."""
    (tmp_path / "file").write_text("")
    data = suite.refusal(plan(step("a")), auditDir=str(tmp_path / "file/log"))
    assert data["details"]["reason"] == "audit_folder"


def test_a_log_inside_the_root_refuses_the_run(suite: Suite, tmp_path: Path) -> None:
    """LOG-13: a tool could change the log there, and not even the folder is created."""
    data = suite.refusal(plan(step("a")), root=str(tmp_path), auditDir=str(tmp_path / "log"))
    assert data["details"]["reason"] == "audit_folder"
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_breaks_stops_the_run(suite: Suite, tmp_path: Path) -> None:
    """LOG-15: a call that could not be recorded is not dispatched, and the run says so."""
    suite.start(plan(step("a", dependsOn=["b"]), step("b")), policy=policy(confirm=True), auditDir=str(tmp_path))
    (tmp_path / "calls.jsonl").mkdir()
    identity = suite.records("event")[1]["payload"]["confirmationId"]
    suite.ask("run/confirm", runId=suite.run_id, confirmationId=identity, decision="approved")
    suite.barrier()
    assert suite.sent("tool/invoke") == []
    assert suite.records("result")[0]["error"]["details"]["reason"] == "audit_log_failed"
    assert suite.records("event")[-1]["payload"]["status"] == "error"


def test_each_run_has_its_own_files(suite: Suite, tmp_path: Path) -> None:
    """LOG-22, CALL-04: this holds for two runs at once in one process."""
    runs = [suite.start(plan(step("a")), tool(), auditDir=str(tmp_path / name)) for name in "xy"]
    suite.echo_all()
    found = [{record["runId"] for record in lines(tmp_path / name / "events.jsonl")} for name in "xy"]
    assert found == [{run} for run in runs]
