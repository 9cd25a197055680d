"""What an audit counts: calls and findings by tool, runs and findings by version."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from callproof import limits
from callproof.auditing.audited import AuditedRun
from callproof.auditing.census import NOBODY, Census, census_of
from callproof.auditing.counting import Counting
from callproof.auditing.one_run import audit_run
from callproof.auditlog.folder import captured_in
from callproof.commands.audit import Audit, audit
from callproof.judge.judgement import JudgedRun, RunOutcome
from callproof.report.document import document
from callproof.resources import SPEC
from callproof.schema.validator import shape_validator

EXAMPLES = Path(str(SPEC)) / "examples"


def logs(folder: Path, *names: str, broken: tuple[str, ...] = ()) -> Path:
    """A tree of logs; in those that are broken an attempt has another number."""
    for name in names:
        run = shutil.copytree(EXAMPLES / "retried", folder / name)
        if name in broken:
            calls = (run / "calls.jsonl").read_text(encoding="utf-8")
            (run / "calls.jsonl").write_text(calls.replace('"attempt": 2', '"attempt": 7'), encoding="utf-8")
    return folder


def held(calls: dict[str | None, int], executor: str | None = None) -> AuditedRun:
    """A run in which nothing was found, with these calls by tool."""
    return AuditedRun(JudgedRun("r", RunOutcome.CONSISTENT), frozenset(), {}, {}, Census(calls, executor))


def test_the_census_counts_calls_and_takes_versions_from_the_first() -> None:
    """Versions are the same on every call of a run."""
    calls: list[dict[str, Any]] = [{"tool": "a", "executorVersion": "1"}, {"tool": "a"}, {"tool": 5}, {"tool": "b c"}]
    assert census_of(calls) == Census({"a": 2, None: 2}, "1", None)
    assert census_of(()) == NOBODY


def test_an_audit_tells_where_the_findings_are(tmp_path: Path) -> None:
    """The report counts findings by tool and by version, in the shape of the specification."""
    told: Any = document(audit(Audit((logs(tmp_path, "one", "two", "three", broken=("two",)),))))
    assert shape_validator("report").errors(told) == ()
    found = len(told["findings"])
    assert found >= 2
    tools = {each["name"]: (each["calls"], each["findings"]) for each in told["tools"]}
    assert tools == {"vault.createFile": (3, 0), "vault.readFile": (12, found)}
    assert told["versions"] == [{"executor": "1.0.0", "registry": "1.0", "runs": 3, "broken": 1, "findings": found}]
    assert {each["tool"] for each in told["findings"]} == {"vault.readFile"}


def test_a_run_with_findings_tells_its_folder_and_is_drawn(tmp_path: Path) -> None:
    """A run without findings needs neither, since nobody has to open its files."""
    told: Any = document(audit(Audit((logs(tmp_path, "one", "two", broken=("two",)),))))
    assert [each.get("folder") for each in told["runs"]] == [None, str(tmp_path / "two")]
    assert [each["run"] for each in told["timelines"]] == ["two"]


def test_a_stream_has_the_folder_in_which_it_lies(tmp_path: Path) -> None:
    """With the folder a reader finds the file of a finding."""
    run = logs(tmp_path / "tree", "one", broken=("one",)) / "one"
    kinds = (("call", "calls.jsonl"), ("result", "results.jsonl"), ("event", "events.jsonl"))
    lines = [(kind, json.loads(line)) for kind, name in kinds for line in (run / name).read_text("utf-8").splitlines()]
    lines.insert(0, ("run", json.loads((run / "run.json").read_text("utf-8"))))
    stream = tmp_path / "night.jsonl"
    stream.write_text("".join(json.dumps({"kind": kind, "record": each}) + "\n" for kind, each in lines), "utf-8")
    told: Any = document(audit(Audit((stream,))))
    assert [each["folder"] for each in told["runs"]] == [str(tmp_path)]
    assert {each["witness"][0]["file"] for each in told["findings"]} == {"night.jsonl"}


def test_names_beyond_a_stated_number_are_counted_together() -> None:
    """A log may name a new tool in every call, and the report must stay small."""
    counting = Counting()
    for number in range(limits.NAMES_COUNTED + 20):
        counting.add(held({f"t{number:04}": 1, None: 1}, executor=f"v{number:04}"))
    counts = counting.counts()
    assert len(counts.tools) <= limits.NAMES_COUNTED + 1
    assert sum(each.calls for each in counts.tools) == 2 * (limits.NAMES_COUNTED + 20)
    assert counts.tools[-1].name is None
    assert len(counts.versions) == limits.NAMES_COUNTED + 1
    assert counts.versions[-1].runs == 20


@pytest.mark.parametrize(("new", "kept"), [(False, limits.TIMELINES_AT_FIRST), (True, limits.TIMELINES)])
def test_the_first_runs_and_those_that_show_something_new_are_drawn(tmp_path: Path, new: bool, kept: int) -> None:
    """Ten thousand broken runs must not make ten thousand pictures."""
    run = audit_run(captured_in(logs(tmp_path, "one", broken=("one",)) / "one"))
    counting = Counting()
    (result, *_) = run.broken.values()
    for number in range(300):
        broken = {f"NEW-{number:03}": result} if new else run.broken
        counting.add(AuditedRun(run.run, run.kept, run.missing, broken, run.census, run.timeline))
    assert len(counting.timelines) == kept
