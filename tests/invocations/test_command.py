"""What `callproof invocation` does with its arguments, and the pages of its cases."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from callproof.commands.case_page import case_page
from callproof.commands.driven import Wanted, judge_system
from callproof.commands.progress import Watching
from callproof.invocations.cases import CASES, SUBJECTS
from callproof.invocations.suite import SUITE
from callproof.judge.judgement import Outcome
from callproof.protocols.entries import read_entries
from callproof.protocols.judging import results_of
from callproof.protocols.known import protocol_of
from plugin.test_plugin import run_pytest

REFERENCE = "stdio:callproof-reference invocation"
SERVE = Path(__file__).parents[1] / "live_invocations" / "serve.py"
UNWATCHED = Watching(None)


def told(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command in a separate process."""
    command = [sys.executable, "-m", "callproof", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_chosen_cases_are_judged_and_their_logs_say_the_same(tmp_path: Path) -> None:
    """Each case leaves its log, and judging that log gives the same findings."""
    address = f"stdio:{sys.executable} {SERVE} swallows"
    judged = judge_system(SUITE, Wanted(address, cases=("IV-04/runtime-v1",), generated=0, keep=tmp_path), UNWATCHED)
    assert judged.outcome is Outcome.VIOLATIONS
    logs = {each.name: read_entries(each) for each in tmp_path.iterdir()}
    assert set(logs) == {
        f"{each.id.replace('/', '-')}.jsonl" for each in CASES if each.id.startswith("IV-04/runtime-v1")
    }
    for log in logs.values():
        found = results_of(protocol_of(log), protocol_of(log).trace(log))
        assert {name for name, each in found.items() if each.findings} == {"INT-15"}


def test_the_command_judges_and_pytest_does(tmp_path: Path) -> None:
    """The reference conforms in every case."""
    shown = told("invocation", REFERENCE, "--case", "IV-08", "--format", "json")
    report = json.loads(shown.stdout)
    assert (shown.returncode, report["outcome"], report["findings"]) == (0, "conforms", [])
    assert len(report["runs"]) == sum(each.id.startswith("IV-08") for each in CASES)
    ran = run_pytest(tmp_path, "--callproof-invocation", REFERENCE, "-q", "-k", "IV-08")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"{len(report['runs'])} passed" in ran.stdout


def test_who_takes_the_wrong_command_hears_of_the_right_one() -> None:
    """A program that speaks another protocol is an error of the adapter, and the message names its command."""
    assert (
        "`callproof invocation`, which judges systems under the invocation contract" in told("loop", REFERENCE).stdout
    )
    assert "`callproof loop`, which judges agent loops" in told("invocation", "stdio:callproof-reference loop").stdout


def test_a_system_that_claims_no_user_of_tools_is_given_nothing() -> None:
    """A run that judged nothing must not count as conforming."""
    command = f"stdio:{sys.executable} {Path(__file__).parent / 'bare.py'}"
    judged = judge_system(SUITE, Wanted(command, generated=3), UNWATCHED)
    assert judged.outcome is Outcome.NOTHING_JUDGED
    assert any("because it does not claim byRuntime or byProvider" in each for each in judged.subject.notes)


def test_every_case_is_of_a_subject_and_every_subject_has_cases() -> None:
    """The subjects are those of the cases, in their order, and no id is used twice."""
    assert list(dict.fromkeys(each.id.partition("/")[0] for each in CASES)) == list(SUBJECTS)
    assert len({each.id for each in CASES}) == len(CASES)


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_lists_its_cases(subject: str) -> None:
    """The page has a row for each case of the subject, with what it is and what it needs."""
    page = case_page(subject)
    for case in CASES:
        assert (f"`{case.id}`" in page) is case.id.startswith(f"{subject}/")


def test_a_case_tells_all_that_is_played() -> None:
    """It shows what is wanted, what is there, and what is given; a requirement names the subjects that aim at it."""
    page = case_page("iv-6/runtime-fails")
    assert page.startswith("### IV-06/runtime-fails")
    assert "Runs only if the system claims rerouting, 2026-05, byRuntime." in page
    assert "fails: timeout" in page
    assert "may_reroute: true" in page
    assert "IV-06" in told("explain", "INT-18").stdout
