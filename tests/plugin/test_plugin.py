"""The pytest plugin, in real pytest processes, in the way its users run it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from callproof.schema.validator import shape_validator
from commands.test_command_line import BREAKS_DOWN

REFERENCE = "stdio:callproof-reference stdio"
HOSTILE = Path(__file__).parents[1] / "adapters" / "hostile"


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A run of a pytest process of its own, in a folder that is no project."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def test_items_carry_ids_that_a_person_can_select_by(tmp_path: Path) -> None:
    """There is one item for each requirement and scenario; ``-k`` takes ids of both."""
    listed = run_pytest(tmp_path, "--callproof", REFERENCE, "--collect-only", "-q", "-k", "CALL-20 and SC-01")
    assert "callproof::SC-01::CALL-20" in listed.stdout
    assert "SC-02" not in listed.stdout
    assert listed.returncode == 0


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_what_is_collected_is_counted_before_a_selection(tmp_path: Path, workers: tuple[str, ...]) -> None:
    """The collected items are the deselected and the selected ones; a user's own tests count among them."""
    (tmp_path / "test_of_a_user.py").write_text("def test_one(): ...\ndef test_two(): ...\n", encoding="utf-8")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "SC-02 or test_one", *workers)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " -" not in "".join(line for line in ran.stdout.splitlines() if "collected" in line or "selected" in line)
    if not workers:
        counts = re.search(r"collected (\d+) items / (\d+) deselected / (\d+) selected", ran.stdout)
        assert counts is not None, ran.stdout
        collected, deselected, selected = map(int, counts.groups())
        assert collected == deselected + selected
        assert f", {deselected} deselected in " in ran.stdout


def test_an_id_in_the_place_of_a_path_is_told_as_a_selection(tmp_path: Path) -> None:
    """Pytest prints ids and takes paths; the message gives an option that selects that item alone."""
    asked = run_pytest(tmp_path, "--callproof", REFERENCE, "callproof::SC-07::RES-01")
    assert asked.returncode == 4
    assert "callproof::SC-07::RES-01 is not in a file; select it with -k 'RES-01 and SC-07'" in asked.stderr
    listed = run_pytest(tmp_path, "--callproof", REFERENCE, "--collect-only", "-q", "-k", "RES-01 and SC-07")
    assert [line for line in listed.stdout.splitlines() if "::" in line] == ["callproof::SC-07::RES-01"]


def test_the_reference_passes_and_junit_has_the_requirement(tmp_path: Path) -> None:
    """A selected item passes; JUnit names the requirement; the report document fits its schema."""
    ran = run_pytest(
        tmp_path, "--callproof", REFERENCE, "-k", "SC-01", "--junitxml", "j.xml", "--callproof-report", "report.json"
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    cases = {case.get("name"): case for case in ET.parse(tmp_path / "j.xml").iter("testcase")}
    properties = {each.get("name"): each.get("value") for each in cases["CALL-20"].iter("property")}
    assert properties == {"scenario": "SC-01", "requirement": "CALL-20", "verdict": "pass"}
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert shape_validator("report").errors(report) == ()
    assert (report["outcome"], report["exitCode"]) == ("conforms", 0)


def test_a_failure_shows_the_finding_and_no_traceback(tmp_path: Path) -> None:
    """A user with a broken executor sees the observation, the witness and the law."""
    broken = Path(__file__).parents[1] / "miniatures"
    adapter = f"stdio:{sys.executable} {broken / 'run_miniature.py'} result-says-ok-on-failure"
    ran = run_pytest(tmp_path, "--callproof", adapter, "-k", "RES-05 and SC-07")
    assert ran.returncode == 1
    assert "permitted" in ran.stdout
    assert "callproof explain RES-05" in ran.stdout
    assert "Traceback" not in ran.stdout


def test_a_stop_at_the_first_failure_is_no_error(tmp_path: Path) -> None:
    """``-x`` on a broken law gives exit code 1, and the report says how much was not judged and why."""
    broken = Path(__file__).parents[1] / "miniatures"
    adapter = f"stdio:{sys.executable} {broken / 'run_miniature.py'} result-says-ok-on-failure"
    told = ("--callproof", adapter, "-k", "RES-05 and (SC-07 or SC-14)", "-x", "--callproof-report", "r.json")
    ran = run_pytest(tmp_path, *told)
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert (report["outcome"], report["errors"], ran.returncode) == ("violations", [], 1)
    assert "1 of 2 items was never judged, since pytest stopped at a failure (-x, --maxfail)" in str(report)


@pytest.mark.parametrize("option", [("-x", "-n", "1"), ("-p", "stops")], ids=["-x of a worker", "--stepwise"])
def test_a_stop_in_another_way_is_no_interruption(tmp_path: Path, option: tuple[str, ...]) -> None:
    """It was no Ctrl-C: a law is broken, as with ``-x`` in one process, and the report says why it is a part."""
    broken = Path(__file__).parents[1] / "miniatures"
    adapter = f"stdio:{sys.executable} {broken / 'run_miniature.py'} result-says-ok-on-failure"
    # This stops like --stepwise, which needs a cache.
    (tmp_path / "stops.py").write_text(
        "def pytest_sessionstart(session):\n    global SESSION\n    SESSION = session\n\n"
        "def pytest_runtest_logreport(report):\n    if report.failed:\n        SESSION.shouldstop = 'Test failed'\n",
        encoding="utf-8",
    )
    told = ("--callproof", adapter, "-k", "(RES-05 and SC-07) or SC-14", "--callproof-report", "r.json")
    ran = run_pytest(tmp_path, *told, *option)
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert (report["outcome"], report["errors"], ran.returncode) == ("violations", [], 1), ran.stdout
    assert "items were never judged, since pytest stopped (" in str(report)


@pytest.mark.parametrize("option", [("-x",), ("-x", "-n", "1")], ids=["alone", "a worker"])
def test_a_stop_that_shows_no_broken_law_is_never_green(tmp_path: Path, option: tuple[str, ...]) -> None:
    """A test of the user's own fails, ``-x`` leaves out every item, and nothing was judged, which is an error."""
    (tmp_path / "test_of_a_user.py").write_text("def test_one(): assert False\n", encoding="utf-8")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "user or (SC-01 and CALL-20) or SC-14", *option)
    assert ran.returncode == 3
    # Before 3.8 pytest-xdist stopped a worker in its last item only.
    assert re.search(r"\d of \d+ items (was|were) never judged: ", ran.stdout)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ('levle = "must"', "did you mean 'level'?"),
        ('level = "most"', "permitted: must, should, may"),
        ("timeout = 0", "above 0"),
        ("strict = 1", "true or false"),
    ],
)
def test_a_wrong_setting_is_told_with_what_is_permitted(tmp_path: Path, table: str, says: str) -> None:
    """A typo in [tool.callproof] stops pytest before anything runs."""
    (tmp_path / "pyproject.toml").write_text(f"[tool.callproof]\n{table}\n", encoding="utf-8")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "--rootdir", str(tmp_path))
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert says in ran.stderr


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--callproof-report", "x.pdf"), "callproof: --callproof-report 'x.pdf' names no form; permitted: "),
        (
            ("--callproof-baseline", "no.json"),
            "no.json cannot be read: No such file or directory; --callproof-update-baseline writes one",
        ),
        (("--callproof-update-baseline",), "add --callproof-baseline FILE"),
    ],
)
def test_an_option_is_told_by_the_name_that_pytest_knows(tmp_path: Path, options: tuple[str, ...], says: str) -> None:
    """The user can type the name exactly as the message has it."""
    asked = run_pytest(tmp_path, "--callproof", REFERENCE, *options)
    assert asked.returncode == 4
    assert says in asked.stderr


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_an_address_that_means_nothing_is_told_as_a_wrong_option(tmp_path: Path, workers: tuple[str, ...]) -> None:
    """It is told before the run and only once, as `callproof test` does; no item of the system failed."""
    asked = run_pytest(tmp_path, "--callproof", "nosuch", *workers)
    assert asked.returncode == 4
    assert (
        "callproof: 'nosuch' is not an adapter: it does not start with any of stdio:, python:, http:, https:"
        in asked.stderr
    )
    assert "help: did you mean 'stdio:nosuch'?" in asked.stderr
    assert "skipped" not in asked.stdout


def test_an_option_without_an_adapter_is_told(tmp_path: Path) -> None:
    """``--callproof-strict`` alone has no meaning."""
    ran = run_pytest(tmp_path, "--callproof-strict")
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "needs an adapter" in ran.stderr


def test_settings_in_pyproject_hold(tmp_path: Path) -> None:
    """The level must removes advice from the items."""
    (tmp_path / "pyproject.toml").write_text('[tool.callproof]\nlevel = "must"\n', encoding="utf-8")
    with_advice = run_pytest(tmp_path, "--callproof", REFERENCE, "--collect-only", "-q", "--callproof-level", "may")
    without = run_pytest(tmp_path, "--callproof", REFERENCE, "--collect-only", "-q", "--rootdir", str(tmp_path))
    assert without.stdout.count("callproof::") < with_advice.stdout.count("callproof::")


def test_one_fault_of_the_adapter_is_one_failure_and_the_session_an_error(tmp_path: Path) -> None:
    """An adapter that does not answer fails once, and no part of the session looks green."""
    ran = run_pytest(tmp_path, "--callproof", "stdio:no-such-executor serve", "-k", "SC-01")
    assert ran.returncode == 3
    assert "1 failed" in ran.stdout
    assert "passed" not in ran.stdout.splitlines()[-1]


@pytest.mark.parametrize("module", ["plugin.entry", "plugin.start"])
def test_the_plugin_imports_nothing_heavy(module: str) -> None:
    """
    Every pytest run of everyone who has callproof installed loads the plugin; and workers start before more is read
    than the settings.
    """
    look = (
        f"import sys; sys.modules.pop('pytest', None); import callproof.{module};"
        "print(sorted({'jsonschema', 'jsonschema_rs', 'hypothesis', 'pydantic', 'rich', 'yaml', 'markdown_it',"
        "'callproof.spec.registry', 'callproof.checks', 'jinja2'} & sys.modules.keys()))"
    )
    shown = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


@pytest.mark.parametrize("workers", ["0", "1"])
def test_each_item_is_named_where_a_list_of_all_is_wanted(tmp_path: Path, workers: str) -> None:
    """With ``-v`` an item appears in the list when it begins, whichever process plays it."""
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-v", "-k", "SC-18 and EFF-20", "-n", workers)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.search(r"^callproof::SC-18::EFF-20", ran.stdout, re.MULTILINE)


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_file_that_a_setting_names_is_read_before_anything_starts(tmp_path: Path, workers: str) -> None:
    """A baseline that is not one stops pytest at once, before its workers start."""
    (tmp_path / "known.json").write_text("[", encoding="utf-8")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "--callproof-baseline", "known.json", "-n", workers)
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert "known.json" in ran.stderr
    assert "test session starts" not in ran.stdout


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_breaks_in_the_suite_itself_is_told_by_the_report(tmp_path: Path, workers: str) -> None:
    """The report says what broke and where; a mere count of unjudged items would help no user."""
    broken = "def run_case(*_given):\n    raise ValueError('not foreseen')\n"
    patched = f"from callproof.live.session import LiveSession\n{broken}LiveSession.run_case = run_case\n"
    (tmp_path / "conftest.py").write_text(patched, encoding="utf-8")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "SC-18 and EFF-20", "-n", workers)
    assert ran.returncode == 3, ran.stdout + ran.stderr
    told = "SC-18: the suite itself failed, please report it: ValueError: not foreseen (run_case, conftest.py:3)"
    assert told in " ".join(ran.stdout.split())


def test_what_another_plugin_ends_is_no_fault_of_the_suite(tmp_path: Path) -> None:
    """A plugin for timeouts fails a slow item: the report tells this, and why a first item takes long."""
    ended = "import pytest\n\ndef run_case(*_given):\n    pytest.fail('Timeout (>1.0s) from a plugin')\n"
    patched = f"{ended}\nfrom callproof.live.session import LiveSession\nLiveSession.run_case = run_case\n"
    (tmp_path / "conftest.py").write_text(patched, encoding="utf-8")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "SC-18 and EFF-20")
    assert ran.returncode == 3, ran.stdout + ran.stderr
    told = " ".join(ran.stdout.split())
    assert "SC-18: a plugin of pytest ended it: Timeout (>1.0s) from a plugin" in told
    assert "the first item of a scenario does all of its runs" in told
    assert "please report it" not in told


def test_items_that_never_ran_make_the_session_an_error(tmp_path: Path) -> None:
    """A session that ends early is not green: the items that were expected and not judged are counted."""
    (tmp_path / "conftest.py").write_text(
        "import pytest\n\n@pytest.hookimpl(tryfirst=True)\ndef pytest_runtest_protocol(item):\n"
        "    return True if item.name == 'RES-01' else None\n",
        encoding="utf-8",
    )
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "SC-01")
    assert ran.returncode == 3
    assert "was never judged" in ran.stdout


def test_a_property_test_of_a_user_draws_the_same_without_a_warning(tmp_path: Path) -> None:
    """As on a CI system: older releases than the oldest permitted one lack what callproof keeps out of the search."""
    (tmp_path / "test_of_a_user.py").write_text(
        "from hypothesis import given, settings, strategies as st\n\n"
        "@settings(derandomize=True, database=None)\n@given(st.integers())\ndef test_one(x): ...\n",
        encoding="utf-8",
    )
    ran = run_pytest(tmp_path, "-W", "error", "--callproof", REFERENCE, "-k", "(SC-02 and CALL-01) or test_one")
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize("workers", ["0", "1"])
def test_the_search_for_garbage_is_the_users_again_when_the_tests_run(tmp_path: Path, workers: str) -> None:
    """Garbage collection pauses during the collection of items; if the user turned it off, it stays off."""
    (tmp_path / "test_of_a_user.py").write_text("import gc\ndef test_it(): assert gc.isenabled()\n", encoding="utf-8")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "SC-18 and EFF-20 or user", "-n", workers)
    assert (ran.returncode, "2 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr
    (tmp_path / "conftest.py").write_text("import gc\ngc.disable()\n", encoding="utf-8")
    (tmp_path / "test_of_a_user.py").write_text("import gc\ndef test_it(): assert not gc.isenabled()\n", "utf-8")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "user", "-n", workers)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_run_that_writes_no_page_loads_no_templates() -> None:
    """It does not load the generator either: what only some runs need is loaded when they need it."""
    look = (
        "import sys, callproof.plugin.collecting; print(sorted({'jinja2', 'hypothesis', 'pyarrow'} & {*sys.modules}))"
    )
    shown = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_within_one_process_a_report_comes_to_what_pytest_makes_of_it(tmp_path: Path) -> None:
    """A plugin that stores reports as JSON gets JSON."""
    (tmp_path / "conftest.py").write_text(
        "import json\n\ndef pytest_runtest_logreport(report):\n"
        "    stored = CONFIG.hook.pytest_report_to_serializable(config=CONFIG, report=report)\n"
        "    json.dumps(stored)\n    assert stored['$report_type'] == 'TestReport'\n\n"
        "def pytest_configure(config):\n    global CONFIG\n    CONFIG = config\n",
        encoding="utf-8",
    )
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "SC-18 and EFF-20")
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("workers", ["0", "1"])
def test_an_item_is_reported_in_the_phases_in_which_other_plugins_expect_it(tmp_path: Path, workers: str) -> None:
    """Like pytest-rerunfailures: begin an account of an item at its setup, and read it in every later phase."""
    (tmp_path / "conftest.py").write_text(
        "import pytest\n\n@pytest.hookimpl(wrapper=True)\ndef pytest_runtest_makereport(item, call):\n"
        "    report = yield\n    item.phases = [] if call.when == 'setup' else item.phases\n"
        "    item.phases.append(call.when)\n    return report\n\n"
        "def pytest_runtest_logreport(report):\n    print('phase', report.when, report.outcome)\n",
        encoding="utf-8",
    )
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-s", "-k", "SC-18 and EFF-20", "-n", workers)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    told = re.findall(r"phase (\w+) passed", ran.stdout)
    assert told[:3] == ["setup", "call", "teardown"]


def test_a_report_that_cannot_be_written_is_an_error_of_the_session(tmp_path: Path) -> None:
    """On a full disk pytest has no internal error, and every report that can be written is written."""
    told = ("--callproof-report", "json=/dev/full", "--callproof-report", "r.json")
    ran = run_pytest(tmp_path, "--callproof", REFERENCE, "-k", "SC-18 and EFF-20", *told)
    assert ran.returncode == 3, ran.stdout + ran.stderr
    assert "the report /dev/full cannot be written: No space left on device" in " ".join(ran.stdout.split())
    assert "INTERNALERROR" not in ran.stdout + ran.stderr
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["outcome"] == "conforms"


def test_what_a_system_said_before_runs_came_to_no_end_stands_below_the_failure(tmp_path: Path) -> None:
    """They are shown at most three times, only below failures by these runs, and in no report."""
    (tmp_path / "system.py").write_text(BREAKS_DOWN, encoding="utf-8")
    address = f"stdio:{sys.executable} {tmp_path / 'system.py'}"
    chosen = ("-k", "SC-01 and DEP-12", "--callproof-cases", "0", "--callproof-report", "report.json")
    for workers in ((), ("-n", "1")):
        ran = run_pytest(tmp_path, "--callproof", address, *chosen, *workers)
        assert ran.returncode == 3, ran.stdout + ran.stderr
        failed = [line for line in ran.stdout.splitlines() if line.startswith("FAILED callproof::SC-01::")]
        assert ran.stdout.count("Captured stderr call") == len(failed) > 0
        assert ran.stdout.count("did not end; last lines of standard error:") == 3 * len(failed)
        assert "\n  | thread panicked at byte 40\n" in ran.stdout
        assert "panicked" not in (tmp_path / "report.json").read_text(encoding="utf-8")
