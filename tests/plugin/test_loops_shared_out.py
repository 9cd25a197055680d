"""The cases of an agent loop shared out among the workers of pytest-xdist give the same judgement as one process."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from callproof.commands.driven import Wanted, judge_system
from callproof.commands.progress import Watching
from callproof.loops.suite import SUITE
from plugin.test_loops import REFERENCE, broken, played

SOME = ("-k", "AL-05/b or AL-08 or GEN", "--callproof-cases", "26", "--callproof-report", "report.json")


def report_of(folder: Path) -> dict[str, Any]:
    """The report that a session wrote, without the lines of records in a log, which depend on timing."""
    report: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    for finding in report["findings"]:
        for each in finding["witness"]:
            del each["line"]
    return report


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The report of one process on a loop that ignores its hooks."""
    folder = tmp_path_factory.mktemp("alone")
    assert played(folder, "--callproof-loop", broken("unheeded"), *SOME).returncode == 1
    return report_of(folder)


@pytest.mark.parametrize("dist", ["load", "loadscope", "each"])
def test_the_report_is_that_of_one_process(tmp_path: Path, alone: dict[str, Any], dist: str) -> None:
    """Whichever worker plays a case, the report tells it at the same place, and the cases that failed are the same."""
    ran = played(tmp_path, "--callproof-loop", broken("unheeded"), "-v", *SOME, "-n", "2", "--dist", dist)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert report_of(tmp_path) == alone
    assert ran.stdout.count("= callproof =") == 1
    workers = re.findall(r"^\[(gw\d)\].* (?:PASSED|FAILED) callproof-loop::", ran.stdout, re.MULTILINE)
    assert {*workers} == {"gw0", "gw1"}
    failed = {*re.findall(r"FAILED callproof-loop::(\S+)", ran.stdout)}
    assert failed >= {"AL-05/blocked", "GEN::1-25"}
    assert "permitted: no execution of what a hook blocked" in ran.stdout


def files_in(folder: Path) -> dict[str, bytes]:
    """The files in a folder, with their content."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_cases_that_failed_are_kept_whoever_played_them(tmp_path: Path) -> None:
    """One process and two keep the same files, even if each has all cases; those of written cases equal the CLI's."""
    kept: dict[str, dict[str, bytes]] = {}
    for name, workers in {"one": (), "two": ("-n", "2"), "each": ("-n", "2", "--dist", "each")}.items():
        told = (*SOME, "--callproof-save-cases", name, *workers)
        ran = played(tmp_path, "--callproof-loop", broken("unheeded"), *told)
        assert ran.returncode == 1, ran.stdout + ran.stderr
        assert f"callproof replay {name}/HOST-03-AL-05-blocked.json " in ran.stdout
        kept[name] = files_in(tmp_path / name)
    assert kept["two"] == kept["each"] == kept["one"]
    assert any(name.startswith("HOST-03-GEN-0-") for name in kept["one"])
    folder = tmp_path / "command"
    cases = ("AL-05/b", "AL-08")
    judge_system(SUITE, Wanted(broken("unheeded"), cases=cases, save_cases=folder), Watching(None))
    assert files_in(folder) == {name: text for name, text in kept["one"].items() if "-GEN-" not in name}


def test_a_users_own_tests_are_shared_out_beside_the_cases(tmp_path: Path) -> None:
    """The loop keeps every law, and the user's tests have nothing to do with it."""
    (tmp_path / "test_of_a_user.py").write_text("def test_one(): ...\ndef test_two(): ...\n", encoding="utf-8")
    ran = played(tmp_path, "-q", "-n", "2", "-k", "AL-08 or user")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "4 passed" in ran.stdout
    assert "conforms" in ran.stdout


def test_each_worker_tells_of_an_adapter_that_is_none_and_the_report_once(tmp_path: Path) -> None:
    """It is one error, however many workers met it, and nothing about the loop is known."""
    told = ("-k", "AL-05 or AL-08", "--callproof-report", "report.json", "-n", "2")
    ran = played(tmp_path, "--callproof-loop", "stdio:no-such-program-here", *told)
    report = report_of(tmp_path)
    assert (ran.returncode, report["outcome"], report["runs"], report["requirements"]) == (3, "error", [], [])
    assert len(report["errors"]) == 1
    assert "no-such-program-here" in report["errors"][0]


def test_known_failures_are_expected_in_each_worker(tmp_path: Path) -> None:
    """A baseline written with workers works with and without them; a mended entry is told if all cases are played."""
    written = ("--callproof-baseline", "known.json", "--callproof-update-baseline", "-n", "2", "--callproof-cases", "0")
    ran = played(tmp_path, "--callproof-loop", broken("unheeded"), *written)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    text = (tmp_path / "known.json").read_text(encoding="utf-8")
    assert {each["requirement"] for each in json.loads(text)["known"]} == {"HOST-03"}
    (tmp_path / "known.json").write_text(text.replace('"reason": ""', '"reason": "issue 12"'), encoding="utf-8")
    known = ("--callproof-baseline", "known.json", "-n", "2", "-rx", "--callproof-cases", "0")
    ran = played(tmp_path, "--callproof-loop", broken("unheeded"), *known, "-k", "AL-05 or AL-08")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "known: the baseline lists HOST-03" in ran.stdout
    assert "known failures" in ran.stdout
    ran = played(tmp_path, *known)
    assert ran.returncode == 1
    assert "remove the entry" in ran.stdout


@pytest.mark.parametrize("case", ["AL-01/one", "AL-05/blocked"], ids=["in the first item", "in the last one"])
def test_a_worker_that_dies_is_an_error_and_no_finding(tmp_path: Path, case: str) -> None:
    """Another worker replaces it and plays the rest, even a single item; the session is still an error."""
    (tmp_path / "conftest.py").write_text(
        "import os, pathlib, signal\n\n"
        "def pytest_runtest_setup(item):\n"
        "    died = pathlib.Path('died')\n"
        f"    if item.name == '{case}' and not died.exists():\n"
        "        died.touch()\n        os.kill(os.getpid(), signal.SIGKILL)\n\n"
        "def pytest_collection_modifyitems(items):\n"
        "    items[:] = [each for each in items if each.name in ('AL-01/one', 'AL-05/blocked')]\n",
        encoding="utf-8",
    )
    ran = played(tmp_path, "-n", "1", "--callproof-report", "report.json")
    report = report_of(tmp_path)
    assert (ran.returncode, report["outcome"], report["findings"]) == (3, "error", []), ran.stdout
    assert report["errors"] == [f"worker 'gw0' crashed while running 'callproof-loop::{case}'"]
    assert [each["name"] for each in report["runs"]] == ["AL-01/one", "AL-05/blocked"]


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "two workers"])
def test_who_breaks_off_has_a_report_of_what_was_played(tmp_path: Path, workers: tuple[str, ...]) -> None:
    """The exit code is 130, and there is one report, which says that it is a part."""
    (tmp_path / "conftest.py").write_text(
        "import os, pathlib, pytest\n\n@pytest.hookimpl(trylast=True)\ndef pytest_runtest_logreport(report):\n"
        "    if report.when == 'call' and 'PYTEST_XDIST_WORKER' not in os.environ:\n"
        "        pathlib.Path('begun').touch()\n",
        encoding="utf-8",
    )
    told = ("--callproof-loop", REFERENCE, "--callproof-report", "report.json", *workers)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *told]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        ends = time.monotonic() + 180
        while not (tmp_path / "begun").exists() and time.monotonic() < ends:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=180)
    report = report_of(tmp_path)
    assert (process.returncode, report["outcome"]) == (130, "interrupted"), out + err
    assert report["runs"] != []
    assert any("items were never judged" in each for each in report["errors"])


def test_a_signal_at_an_instruction_without_a_line_ends_a_session_like_any_other(tmp_path: Path) -> None:
    """The interpreter has no line for some instructions, and pytest cannot show an interruption at such a place."""
    (tmp_path / "conftest.py").write_text(
        "import sys, types\n\ndef closed():\n    word = 1\n    def inner():\n"
        "        return sys._getframe(), word\n    return inner()[0]\n\n"
        "def pytest_runtest_logfinish(nodeid):\n"
        "    nowhere = types.TracebackType(None, closed(), 0, -1)\n"
        "    assert nowhere.tb_lineno is None\n"
        "    raise KeyboardInterrupt().with_traceback(nowhere)\n",
        encoding="utf-8",
    )
    ran = played(tmp_path, "--callproof-report", "report.json")
    report = report_of(tmp_path)
    assert (ran.returncode, report["outcome"]) == (130, "interrupted"), ran.stdout + ran.stderr
    assert [each["name"] for each in report["runs"]] == ["AL-01/one"]
