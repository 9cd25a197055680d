"""The pytest plugin with an agent loop, in real pytest processes, in the way its users run it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from callproof.commands.verify import verified
from callproof.loops.cases import CASES
from callproof.schema.validator import shape_validator
from plugin.test_plugin import run_pytest

REFERENCE = "stdio:callproof-reference loop"
PARTS = ("GEN::1-25", "GEN::26-50", "GEN::51-60")
SERVE = Path(__file__).parents[1] / "live_loops" / "serve.py"
BAD = Path(__file__).parents[1] / "commands" / "bad_loops.py"


def broken(name: str) -> str:
    """The address of a broken loop."""
    return f"stdio:{sys.executable} {SERVE} {name}"


def played(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of pytest with a loop that keeps every law, unless the arguments name another one."""
    return run_pytest(folder, *(() if "--callproof-loop" in arguments else ("--callproof-loop", REFERENCE)), *arguments)


def test_each_case_is_an_item_that_a_person_can_select(tmp_path: Path) -> None:
    """One item for each written case, named by its id, and one for each part of the generated ones, which are 60."""
    listed = played(tmp_path, "--collect-only", "-q")
    assert [line for line in listed.stdout.splitlines() if "::" in line] == [
        f"callproof-loop::{each}" for each in (*(each.id for each in CASES), *PARTS)
    ]
    some = played(tmp_path, "-q", "-k", "AL-05 and blocked")
    assert some.returncode == 0, some.stdout + some.stderr
    assert "5 passed" in some.stdout
    assert "conforms" in some.stdout


def test_a_users_own_tests_run_beside_the_cases(tmp_path: Path) -> None:
    """The cases are added to what pytest collects, and the report has its schema."""
    (tmp_path / "test_of_a_user.py").write_text("def test_one(): ...\n", encoding="utf-8")
    ran = played(tmp_path, "-q", "-k", "AL-01 or test_one", "--callproof-report", "report.json")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert not shape_validator("report").errors(report)
    assert report["outcome"] == "conforms"
    assert f"{sum(each.id.startswith('AL-01') for each in CASES) + 1} passed" in ran.stdout


def test_a_case_that_breaks_a_law_fails_with_what_was_seen(tmp_path: Path) -> None:
    """The failing item tells the requirement, what was observed and what is permitted, without a traceback."""
    ran = played(tmp_path, "--callproof-loop", broken("unheeded"), "-k", "AL-05/blocked or AL-01/one")
    assert ran.returncode == 1
    assert "HOST-03 What a hook blocks is not carried out" in ran.stdout
    assert 'call "call_1" of "read" was blocked, but its tool was entered' in ran.stdout
    assert "permitted: no execution of what a hook blocked" in ran.stdout
    assert "Traceback" not in ran.stdout + ran.stderr


def test_what_a_loop_said_before_it_came_to_no_end_stands_below_its_failure(tmp_path: Path) -> None:
    """The last lines of its standard error are a section of the failure, with a worker too, but are in no report."""
    loop = f"stdio:{sys.executable} {BAD} breaks-down"
    chosen = ("--callproof-loop", loop, "-k", "AL-01/no-content", "--callproof-timeout", "0.1")
    for workers in ((), ("-n", "1")):
        ran = played(tmp_path, *chosen, *workers, "--callproof-report", "report.json")
        assert ran.returncode == 1, ran.stdout + ran.stderr
        shown = ran.stdout[ran.stdout.index("Captured stderr call") :].splitlines()
        assert shown[1:4] == [
            "AL-01/no-content did not end; last lines of standard error:",
            "  | Traceback (most recent call last):",
            "  | KeyError: 'shr\\x1b[31med'",
        ]
        assert "KeyError" not in (tmp_path / "report.json").read_text(encoding="utf-8")


def test_advice_fails_where_it_is_to(tmp_path: Path) -> None:
    """A loop that carries out one call after the other breaks advice, which fails only a strict session."""
    chosen = ("--callproof-loop", broken("one-by-one"), "-k", "AL-04/at-once")
    assert played(tmp_path, *chosen).returncode == 0
    strict = played(tmp_path, *chosen, "--callproof-strict")
    assert strict.returncode == 1
    assert "HOST-20" in strict.stdout


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--callproof", REFERENCE), "--callproof and --callproof-loop need a session each"),
        (
            ("--callproof-level", "must"),
            "--callproof-level has no effect with --callproof-loop; permitted: --callproof-cases, --callproof-seed",
        ),
        (
            ("--callproof-timeout", "soon"),
            "--callproof-timeout is 'soon'; permitted: a number of seconds above 0, and at most 3600",
        ),
        (("--callproof-cases", "many"), "--callproof-cases is 'many'; permitted: a whole number"),
        (("--callproof-seed", "-1"), "--callproof-seed is '-1'; permitted: 0 to"),
        (("--callproof-update-baseline",), "add --callproof-baseline FILE"),
        (("callproof-loop::AL-05/blocked",), "select it with -k 'AL-05/blocked'"),
        (("--callproof-report", "statement=x", "-k", "AL-05"), "a statement covers all cases and every"),
        (("--callproof-loop", "my-loop"), "it does not start with any of stdio:, python:"),
    ],
)
def test_what_means_nothing_is_told_before_anything_runs(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    """A wrong option ends pytest with its exit code for wrong usage, and the message says what is permitted."""
    ran = played(tmp_path, *arguments)
    assert ran.returncode == 4, ran.stdout + ran.stderr
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("program", [f"{sys.executable} -c print(1)", "no-such-program-here"])
def test_an_adapter_that_is_none_is_one_failure(tmp_path: Path, program: str) -> None:
    """A program that does not speak the protocol fails the first case, and the others are skipped."""
    told = ("-k", "AL-08", "--callproof-report", "report.json")
    ran = played(tmp_path, "-q", "--callproof-loop", f"stdio:{program}", *told)
    assert ran.returncode == 3
    assert "1 failed, 1 skipped" in ran.stdout
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (report["outcome"], len(report["errors"]), report["runs"]) == ("error", 1, [])


def test_what_breaks_a_generated_case_is_made_small_and_told(tmp_path: Path) -> None:
    """The first case of a seed that breaks a law is told as the smallest such case, as the command tells it."""
    told = ("-k", "GEN::1-25", "--callproof-cases", "25", "--callproof-seed", "0", "--callproof-report", "report.json")
    ran = played(tmp_path, "--callproof-loop", broken("unheeded"), *told)
    assert ran.returncode == 1
    assert "GEN/0-21: HOST-03 What a hook blocks is not carried out" in ran.stdout
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert {each["requirement"] for each in report["findings"]} == {"HOST-03"}
    assert len(report["runs"]) == 25
    assert all(each["name"].startswith("GEN/0-") for each in report["runs"])


def test_the_table_of_loops_serves_pytest(tmp_path: Path) -> None:
    """Settings of the project apply; a typo among them is told before anything runs."""
    file = tmp_path / "pyproject.toml"
    file.write_text("[tool.callproof.loop]\ncases = 26\n", encoding="utf-8")
    listed = played(tmp_path, "--collect-only", "-q", "-k", "GEN")
    assert [line for line in listed.stdout.splitlines() if "::" in line] == [
        "callproof-loop::GEN::1-25",
        "callproof-loop::GEN::26-26",
    ]
    file.write_text("[tool.callproof.loop]\ncase = 26\n", encoding="utf-8")
    asked = played(tmp_path, "--rootdir", str(tmp_path))
    assert asked.returncode == pytest.ExitCode.USAGE_ERROR
    assert "[tool.callproof.loop] has no setting 'case'; did you mean 'cases'?" in asked.stderr


def test_there_may_be_no_generated_cases(tmp_path: Path) -> None:
    """``--callproof-cases 0`` turns them off."""
    listed = played(tmp_path, "--collect-only", "-q", "--callproof-cases", "0")
    assert "callproof-loop::AL-01/one" in listed.stdout
    assert "GEN" not in listed.stdout


def test_a_stop_at_the_first_failure_is_told(tmp_path: Path) -> None:
    """``-x`` on a broken law gives exit code 1, and the report says how much was not judged and why."""
    told = ("-x", "-k", "AL-05/blocked or AL-08", "--callproof-report", "report.json")
    ran = played(tmp_path, "--callproof-loop", broken("unheeded"), *told)
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (ran.returncode, report["outcome"], report["errors"]) == (1, "violations", [])
    assert "never judged, since pytest stopped at a failure (-x, --maxfail)" in str(report["subject"]["notes"])


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_session_of_all_cases_leaves_a_statement(tmp_path: Path, workers: tuple[str, ...]) -> None:
    """This holds also with workers that had a part of the cases each; anybody can verify the statement."""
    ran = played(tmp_path, "-q", *workers, "--callproof-cases", "25", "--callproof-report", "statement=proof")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    statement = json.loads((tmp_path / "proof" / "statement.json").read_text(encoding="utf-8"))
    assert (statement["protocol"], statement["outcome"]) == ("agent-loop", "conforms")
    assert len(statement["files"]) == len(CASES) + 1
    assert verified(tmp_path / "proof").faults == ()


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        (("-k", "AL-08"), "it covers all cases and every requirement; run it without a selection"),
        (("--dist", "each", "--callproof-cases", "0"), "two workers ran callproof-loop::AL-01"),
    ],
    ids=["a part", "each twice"],
)
def test_workers_state_nothing_but_the_whole_suite_had_once(tmp_path: Path, chosen: tuple[str, ...], why: str) -> None:
    """What the workers played is known only after their run: the report has an error, and no statement is written."""
    ran = played(tmp_path, "-q", "-n", "2", *chosen, "--callproof-report", "statement=proof")
    assert ran.returncode == 3
    assert f"no statement was written: {why}" in ran.stdout
    assert not (tmp_path / "proof").exists()
