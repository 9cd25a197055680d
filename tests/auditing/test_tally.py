"""Many runs brought together: what is kept of them, and what is only counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from callproof import limits
from callproof.auditing.one_run import audit_run
from callproof.auditing.tally import Tally
from callproof.auditlog.folder import captured_in
from callproof.judge.baseline import Baseline, Entry, failure_of
from callproof.judge.judgement import Judgement, Outcome, Subject
from callproof.report.document import document
from callproof.spec.registry import specification
from log_edits import Edit, apply, copy_of


def tally_of(folder: Path, runs: int) -> Tally:
    """The same log this many times, each under a name of its own."""
    tally = Tally(specification())
    for number in range(runs):
        tally.add(audit_run(captured_in(folder, name=f"run-{number}")))
    return tally


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A log with one finding."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("results 2", {"ok": False}), folder)
    return folder


def test_findings_beyond_the_limit_are_counted_and_not_kept(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report lists the first findings, and states exactly how many there are."""
    monkeypatch.setattr(limits, "FINDINGS_SHOWN_PER_REQUIREMENT", 3)
    tally = tally_of(broken, 5)
    result = tally.results()["RES-05"]
    assert ([each.run for each in result.findings], result.more) == (["run-0", "run-1", "run-2"], 2)
    told: dict[str, Any] = document(Judgement(Subject("log", "logs"), tally.results(), tuple(tally.runs)))
    assert {each["id"]: each["findings"] for each in told["requirements"]}["RES-05"] == 5
    assert len(told["findings"]) == 3


def test_what_was_only_counted_is_never_known(broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A baseline excuses what it lists, but no finding that cannot be looked up in it."""
    results = tally_of(broken, 5).results()
    failures = [failure_of("RES-05", each, in_log=True) for each in results["RES-05"].findings]
    baseline = Baseline(tuple(Entry(each, "known") for each in failures), of_logs=True)
    known = Judgement(Subject("log", "logs"), results, (), baseline=baseline)
    assert known.outcome is Outcome.KNOWN_FAILURES
    monkeypatch.setattr(limits, "FINDINGS_SHOWN_PER_REQUIREMENT", 3)
    capped = Judgement(Subject("log", "logs"), tally_of(broken, 5).results(), (), baseline=baseline)
    assert capped.outcome is Outcome.VIOLATIONS
