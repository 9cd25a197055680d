"""Baselines in real runs: what is listed passes, what is not fails, and an entry for a law that passes fails too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
REFERENCE = "stdio:callproof-reference stdio"
BROKEN = "python:lying_system:serve"
BASELINE = ("--callproof-baseline", "known.json")
TWO_WORKERS = ("-n", "2")


def run(folder: Path, adapter: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of the small suite in a pytest process of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["PYTHONPATH"] = str(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "small_suite"]
    return subprocess.run(
        [*command, "--callproof", adapter, "--callproof-report", "r.json", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def told(folder: Path) -> dict[str, Any]:
    """The report that a run wrote."""
    found: dict[str, Any] = json.loads((folder / "r.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a baseline that was just written, with empty reasons."""
    folder = tmp_path_factory.mktemp("updated")
    ran = run(folder, BROKEN, *BASELINE, "--callproof-update-baseline")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return folder


@pytest.fixture
def listed(updated: Path, tmp_path: Path) -> Path:
    """A folder with that baseline and a reason at every entry."""
    baseline = json.loads((updated / "known.json").read_text(encoding="utf-8"))
    for each in baseline["known"]:
        each["reason"] = "issue 12"
    (tmp_path / "known.json").write_text(json.dumps(baseline), encoding="utf-8")
    return tmp_path


def test_an_update_lists_every_failure_and_no_reason(updated: Path) -> None:
    """The entries are sorted by requirement, scenario and class; a person has to write the reasons."""
    known = json.loads((updated / "known.json").read_text(encoding="utf-8"))["known"]
    named = [(each["requirement"], each["scenario"], each["class"]) for each in known]
    assert named == sorted(named)
    assert ("RES-05", "SC-18", "the result of … had ok true") in named
    assert {each["reason"] for each in known} == {""}
    assert told(updated)["outcome"] == "known failures"


def test_an_update_over_the_same_failures_is_the_same_bytes(updated: Path, tmp_path: Path) -> None:
    """Ids and times differ from run to run, but the file does not."""
    assert run(tmp_path, BROKEN, *BASELINE, "--callproof-update-baseline", *TWO_WORKERS).returncode == 0
    assert (tmp_path / "known.json").read_bytes() == (updated / "known.json").read_bytes()


def test_an_entry_without_a_reason_stops_the_run(updated: Path) -> None:
    """The run stops before any case is played, and the message names the entry."""
    ran = run(updated, BROKEN, *BASELINE)
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "in SC-18, has no reason" in ran.stderr


@pytest.mark.parametrize("workers", [(), TWO_WORKERS], ids=["alone", "two workers"])
def test_what_is_listed_is_shown_as_known_and_fails_nothing(listed: Path, workers: tuple[str, ...]) -> None:
    """The items are expected failures, the report says known failures, and the exit code is 0."""
    ran = run(listed, BROKEN, *BASELINE, *workers)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "xfailed" in ran.stdout
    assert told(listed)["outcome"] == "known failures"
    assert {each["known"] for each in told(listed)["findings"]} == {"issue 12"}


def test_a_known_failure_is_never_told_as_passed(listed: Path) -> None:
    """``--runxfail`` makes pytest report expected failures as real ones, and so those of the baseline too."""
    ran = run(listed, BROKEN, *BASELINE, "--runxfail", "-k", "SC-18 and RES-05")
    assert ran.returncode == 1
    assert "1 failed" in ran.stdout
    assert "known: the baseline lists RES-05" in ran.stdout


def test_what_is_not_listed_fails_as_ever(listed: Path) -> None:
    """With the entries of one requirement removed from the file, its findings are new."""
    baseline = json.loads((listed / "known.json").read_text(encoding="utf-8"))
    baseline["known"] = [each for each in baseline["known"] if each["requirement"] != "RES-05"]
    (listed / "known.json").write_text(json.dumps(baseline), encoding="utf-8")
    ran = run(listed, BROKEN, *BASELINE)
    assert ran.returncode == 1
    assert told(listed)["outcome"] == "violations"


def test_an_entry_that_passes_fails_the_run(listed: Path) -> None:
    """The failure was mended, so the entry must be removed; the report names it."""
    ran = run(listed, REFERENCE, *BASELINE)
    assert ran.returncode == 1
    assert told(listed)["outcome"] == "stale baseline"
    assert all("remove the entry" in each for each in told(listed)["stale"])
    assert "RES-05 in SC-18" in ran.stdout


def test_an_entry_that_was_not_selected_fails_nothing(listed: Path) -> None:
    """A run of one part of the suite says nothing about the other part."""
    assert run(listed, REFERENCE, *BASELINE, "-k", "SC-19").returncode == 0


def test_failures_of_generated_cases_are_left_alone_by_a_run_without_these_cases(tmp_path: Path) -> None:
    """The file names the cases; without them, or with those of another seed, no entry counts as mended."""
    drawn = ("--callproof-seed", "7", "--callproof-cases", "6")
    ran = run(tmp_path, BROKEN, *BASELINE, *drawn, "--callproof-update-baseline")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    text = (tmp_path / "known.json").read_text(encoding="utf-8")
    assert json.loads(text)["generated"] == {"seed": 7, "cases": 6}
    assert "GEN" in {each["scenario"] for each in json.loads(text)["known"]}
    (tmp_path / "known.json").write_text(text.replace('"reason": ""', '"reason": "issue 12"'), encoding="utf-8")
    for less in (("-k", "RES-05"), ("--callproof-seed", "7", "--callproof-cases", "5")):
        ran = run(tmp_path, BROKEN, *BASELINE, *less)
        assert (ran.returncode, told(tmp_path)["outcome"]) == (0, "known failures"), ran.stdout
    ran = run(tmp_path, REFERENCE, *BASELINE, *drawn, "-k", "GEN")
    assert told(tmp_path)["outcome"] == "stale baseline"


def test_an_update_refuses_a_part_of_the_suite(tmp_path: Path) -> None:
    """A partial run would remove the entries that it did not check."""
    ran = run(tmp_path, BROKEN, *BASELINE, "--callproof-update-baseline", "-k", "SC-18 and RES-05")
    assert ran.returncode == 3
    assert "the baseline was not updated" in ran.stdout
    assert not (tmp_path / "known.json").exists()


def test_an_update_refuses_a_run_with_an_error(tmp_path: Path) -> None:
    """A system that does not answer shows no failure, and proves nothing."""
    ran = run(tmp_path, "stdio:no-such-executor", *BASELINE, "--callproof-update-baseline")
    assert ran.returncode == 3
    assert not (tmp_path / "known.json").exists()


def test_an_update_without_a_file_is_refused(tmp_path: Path) -> None:
    """A baseline has no default place."""
    ran = run(tmp_path, BROKEN, "--callproof-update-baseline")
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "add --callproof-baseline FILE" in ran.stderr


def test_an_update_refuses_fewer_generated_cases(tmp_path: Path) -> None:
    """Failures of cases that were not generated would be removed."""
    command = [sys.executable, "-m", "pytest", "--callproof", REFERENCE, *BASELINE]
    told = [*command, "--callproof-update-baseline", "--callproof-cases", "0", "--rootdir", str(tmp_path)]
    ran = subprocess.run(told, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "needs a whole run, but --callproof-cases is 0" in ran.stderr


def test_a_statement_refuses_a_part_of_the_suite(tmp_path: Path) -> None:
    """A statement must tell of the whole suite."""
    ran = run(tmp_path, REFERENCE, "--callproof-report", "statement=proof", "-k", "SC-19")
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "a statement covers the whole suite at every level" in ran.stderr
    assert "passed" not in ran.stdout
    assert not (tmp_path / "proof").exists()


def test_two_workers_state_no_part_of_the_suite_either(tmp_path: Path) -> None:
    """What the workers selected is known only after their run: the report has an error, and no statement is written."""
    ran = run(tmp_path, REFERENCE, "--callproof-report", "statement=proof", "-k", "SC-19", *TWO_WORKERS)
    assert ran.returncode == 3
    assert "no statement was written" in ran.stdout
    assert not (tmp_path / "proof").exists()


def test_reports_are_written_in_every_form_at_once(tmp_path: Path) -> None:
    """The option may be repeated, and also write a statement."""
    forms = [each for name in ("page.html", "sum.md", "badge.svg") for each in ("--callproof-report", name)]
    ran = run(tmp_path, REFERENCE, "-k", "SC-19", *forms)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (tmp_path / "sum.md").read_text(encoding="utf-8").startswith("## ✅ callproof: conforms")
    assert (tmp_path / "badge.svg").read_text(encoding="utf-8").startswith("<svg")
