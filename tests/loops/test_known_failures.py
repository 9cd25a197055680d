"""A baseline of a loop: a finding that it lists does not fail the run, and any other finding does."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from callproof.commands.driven import Wanted, judge_system
from callproof.commands.progress import Watching
from callproof.commands.usage import WrongUsage
from callproof.judge.judgement import Judgement, Outcome
from callproof.loops.suite import SUITE
from callproof.report.baselines import BadBaseline
from plugin.test_plugin import run_pytest

REFERENCE = "stdio:callproof-reference loop"
SERVE = Path(__file__).parents[1] / "live_loops" / "serve.py"
HOOKS = ("AL-05",)


def broken(name: str) -> str:
    """The address of a broken loop."""
    return f"stdio:{sys.executable} {SERVE} {name}"


def judged(address: str, file: Path, **wanted: Any) -> Judgement:
    """The judgement of the written cases of a loop with a baseline."""
    return judge_system(SUITE, Wanted(address, baseline=file, **wanted), Watching(None))


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A baseline of a loop that ignores its hooks, with a reason for each entry."""
    file = tmp_path_factory.mktemp("known") / "known.json"
    written = judged(broken("unheeded"), file, update_baseline=True)
    assert written.outcome is Outcome.KNOWN_FAILURES, written.stale
    document = json.loads(file.read_text(encoding="utf-8"))
    assert {each["requirement"] for each in document["known"]} == {"HOST-03"}
    assert {each["runs"] for each in document["known"]} == {"*"}
    for each in document["known"]:
        each["reason"] = "is being mended"
    file.write_text(json.dumps(document), encoding="utf-8")
    return file


def test_what_a_baseline_lists_fails_nothing(known: Path) -> None:
    """The same loop passes, but is not called conforming."""
    assert judged(broken("unheeded"), known).outcome is Outcome.KNOWN_FAILURES
    assert judged(broken("unheeded"), known, cases=HOOKS).outcome is Outcome.KNOWN_FAILURES


@pytest.mark.many
def test_what_a_baseline_lists_does_not_end_the_generated_cases(known: Path) -> None:
    """Any number of cases may show a listed failure: the next case may show a new one."""
    whole = judged(broken("unheeded"), known, generated=60)
    assert whole.outcome is Outcome.KNOWN_FAILURES
    assert len(whole.runs) == len(SUITE.cases) + 60


def test_what_is_new_fails(known: Path) -> None:
    """The entries for one fault do not excuse another fault."""
    assert judged(broken("without-ends"), known, cases=("AL-01",)).exit_code == 1


def test_what_is_mended_is_to_be_struck_out(known: Path) -> None:
    """An entry without a finding fails a run of all cases; if cases are left out, it may belong to one of them."""
    mended = judged(REFERENCE, known)
    assert mended.outcome is Outcome.STALE_BASELINE
    assert "it does not fail any more; remove the entry" in mended.stale[0]
    assert judged(REFERENCE, known, cases=("AL-01",)).exit_code == 0


def test_an_update_is_of_all_cases(tmp_path: Path) -> None:
    """A part of the cases does not make a baseline; a missing file or an entry without a reason is refused."""
    with pytest.raises(WrongUsage, match="drop --case"):
        judged(REFERENCE, tmp_path / "known.json", cases=HOOKS, update_baseline=True)
    with pytest.raises(BadBaseline, match="--update-baseline writes one"):
        judged(REFERENCE, tmp_path / "known.json")
    entry = {"requirement": "HOST-03", "runs": "*", "class": "x", "reason": ""}
    (tmp_path / "bare.json").write_text(json.dumps({"baselineVersion": "1.0", "known": [entry]}), encoding="utf-8")
    with pytest.raises(BadBaseline, match="has no reason"):
        judged(REFERENCE, tmp_path / "bare.json")


def test_known_failures_are_expected_by_pytest(known: Path, tmp_path: Path) -> None:
    """Items whose failures are listed are expected failures; other failures fail the session."""
    told = ("--callproof-baseline", str(known), "-rx")
    ran = run_pytest(tmp_path, "--callproof-loop", broken("unheeded"), "-k", "AL-05", *told)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "known: the baseline lists HOST-03" in ran.stdout
    ran = run_pytest(tmp_path, "--callproof-loop", broken("without-ends"), "-k", "AL-01/one", *told)
    assert ran.returncode == 1, ran.stdout + ran.stderr


def test_a_report_is_not_written_over_the_baseline(known: Path, tmp_path: Path) -> None:
    """The baseline must not be the report's file too."""
    told = ("--callproof-baseline", str(known), "--callproof-report", str(known))
    ran = run_pytest(tmp_path, "--callproof-loop", REFERENCE, *told)
    assert ran.returncode == 4
    assert "name another" in ran.stderr
