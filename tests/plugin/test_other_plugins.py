"""Items of callproof beside other plugins of a project: hooks around each phase, and fixtures of the user's tests."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from plugin.test_plugin import REFERENCE, run_pytest

ONE = ("-k", "(SC-18 and EFF-20) or test_one")


@pytest.mark.parametrize("workers", ["0", "1"])
def test_each_phase_of_an_item_is_had_within_the_hooks_around_it(tmp_path: Path, workers: str) -> None:
    """Like pytest-json-report: begin an account of a phase in its hook, and read it when its report is made."""
    (tmp_path / "conftest.py").write_text(
        "import pytest\n\n"
        "def around(when, item):\n"
        "    item.__dict__.setdefault('account', {})[when] = True\n"
        "    return (yield)\n\n"
        "@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_setup(item):\n"
        "    return (yield from around('setup', item))\n\n"
        "@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_call(item):\n"
        "    return (yield from around('call', item))\n\n"
        "@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_teardown(item, nextitem):\n"
        "    return (yield from around('teardown', item))\n\n"
        "@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    assert item.account[call.when]\n    return (yield)\n",
        encoding="utf-8",
    )
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, *ONE, "-n", workers)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_what_a_setup_of_somebody_else_breaks_is_not_said_of_the_suite(tmp_path: Path) -> None:
    """The item was not judged, which is an error; the failure shows who caused it."""
    (tmp_path / "conftest.py").write_text(
        "def pytest_runtest_setup(item):\n    raise RuntimeError('of a conftest')\n", encoding="utf-8"
    )
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, *ONE)
    assert ran.returncode == 3
    assert "1 of 1 item was never judged: SC-18::EFF-20" in ran.stdout
    assert "RuntimeError: of a conftest" in ran.stdout
    assert "the suite broke" not in ran.stdout


def test_a_fixture_of_a_user_that_fails_at_the_end_of_the_session_is_one_error(tmp_path: Path) -> None:
    """The fixture ends after the last item, where pytest reports its error, and both reports are printed."""
    (tmp_path / "test_of_a_user.py").write_text(
        "import pytest\n\n@pytest.fixture(scope='session', autouse=True)\ndef broken():\n"
        "    yield\n    raise RuntimeError('at the end')\n\ndef test_one(): ...\n",
        encoding="utf-8",
    )
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, *ONE)
    assert ran.returncode == 1
    assert re.search(r"= 2 passed, \d+ deselected, 1 error in ", ran.stdout), ran.stdout + ran.stderr
    assert "conforms" in ran.stdout
    assert "Traceback" not in ran.stderr


def test_a_system_does_not_see_in_which_test_it_runs(tmp_path: Path) -> None:
    """Libraries may behave differently if PYTEST_CURRENT_TEST is set, but the usual behaviour has to be judged."""
    spied = "stdio:sh -c 'echo \"test: $PYTEST_CURRENT_TEST.\" > seen; exec callproof-reference stdio'"
    ran = run_pytest(tmp_path, "--callproof", spied, *ONE)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert (tmp_path / "seen").read_text(encoding="utf-8") == "test: .\n"


def test_a_scenario_that_another_plugin_ended_is_not_begun_again(tmp_path: Path) -> None:
    """Each of its items would take as long; one failure tells of it, and the report counts the others as not judged."""
    (tmp_path / "conftest.py").write_text(
        "import pytest\nfrom callproof.live.session import LiveSession\n\n"
        "def run_case(*_given):\n    pytest.fail('Timeout (>1.0s) from a plugin')\n\n"
        "LiveSession.run_case = run_case\n",
        encoding="utf-8",
    )
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-rs", "-k", "SC-18 and (EFF-20 or CALL-01 or CALL-03)")
    assert ran.returncode == 3, ran.stdout + ran.stderr
    assert re.search(r"= 1 failed, 2 skipped, \d+ deselected in ", ran.stdout), ran.stdout
    assert "the runs of SC-18 were ended, as reported before" in ran.stdout
    assert "3 of 3 items were never judged" in ran.stdout


def test_a_worker_that_dies_is_an_error_and_no_finding(tmp_path: Path) -> None:
    """Pytest counts a failure, but exit code 1 is only for a broken law of a system."""
    (tmp_path / "conftest.py").write_text(
        "import os, pathlib, signal\n\n"
        "def pytest_runtest_setup(item):\n"
        "    died = pathlib.Path('died')\n"
        "    if item.name == 'EFF-20' and not died.exists():\n"
        "        died.touch()\n        os.kill(os.getpid(), signal.SIGKILL)\n",
        encoding="utf-8",
    )
    told = ("-n", "1", "-k", "SC-18 and (EFF-20 or CALL-01)", "--callproof-report", "r.json")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, *told)
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert (ran.returncode, report["outcome"], report["exitCode"]) == (3, "error", 3), ran.stdout
    assert "worker 'gw0' crashed while running 'callproof::SC-18::EFF-20'" in report["errors"]
    assert "fail" not in {each["verdict"] for each in report["requirements"]}
