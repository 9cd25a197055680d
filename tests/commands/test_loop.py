"""``callproof loop`` as a real process: with adapters that do anything, and with users who break off."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from callproof.schema.validator import shape_validator

CALLPROOF = str(Path(sys.executable).parent / "callproof")
REFERENCE = "stdio:callproof-reference loop"
BAD = str(Path(__file__).parent / "bad_loops.py")
EXECUTOR = str(Path(__file__).parents[1] / "adapters" / "minimal.py")
# A few cases are enough: these tests are not about the cases.
SOME = ("--case", "AL-01/o")
FORMATS = ("text", "json", "jsonl", "github", "sarif", "junit")
FORMS = ("json", "jsonl", "html", "md", "svg", "sarif", "xml")


def bad(how: str, *arguments: str) -> str:
    """The address of a loop that is bad in one way."""
    return "stdio:" + shlex.join((sys.executable, BAD, how, *arguments))


def ran(command: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The result of a command of the suite."""
    return subprocess.run([CALLPROOF, command, *map(str, arguments)], capture_output=True, text=True, timeout=300)


def judged(address: str, *arguments: object) -> dict[str, Any]:
    """The report on a loop; it must have its shape and state the exit code."""
    shown = ran("loop", address, *arguments, "--format", "json")
    assert shown.stderr == ""
    report = json.loads(shown.stdout)
    assert shape_validator("report").errors(report) == ()
    assert report["exitCode"] == shown.returncode
    return report


def broken(report: dict[str, Any]) -> set[str]:
    """The requirements that a report says were broken."""
    return {each["requirement"] for each in report["findings"]}


def test_the_reference_conforms() -> None:
    """Every requirement of the chapter is tested and kept, and a second run gives exactly the same report."""
    report = judged(REFERENCE)
    assert (report["outcome"], report["findings"], report["errors"]) == ("conforms", [], [])
    assert {each["verdict"] for each in report["requirements"]} == {"pass"}
    assert judged(REFERENCE) == report


@pytest.mark.parametrize(
    ("address", "says"),
    [
        (f"stdio:{sys.executable} {EXECUTOR}", "`callproof test`, which judges executors"),
        (bad("another-version"), "protocolVersion '2.0'; this suite speaks '1.0'"),
        (bad("dies-at-start"), "no licence found"),
        ("stdio:no-such-program-anywhere", "cannot be run: no such program"),
    ],
    ids=["an executor", "another version", "dies at start", "no program"],
)
def test_with_whom_no_word_can_be_had_is_not_judged(address: str, says: str) -> None:
    """The adapter has to be fixed first; the suite knows nothing about the loop."""
    report = judged(address)
    assert (report["outcome"], report["exitCode"], report["requirements"]) == ("error", 3, [])
    assert len(report["errors"]) == 1
    assert says in report["errors"][0]


def test_an_agent_loop_is_not_judged_as_an_executor() -> None:
    """A user who takes the wrong command is told the right one."""
    shown = ran("test", REFERENCE)
    assert shown.returncode == 3
    assert "`callproof loop`, which judges agent loops" in shown.stdout


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("garbage", "standard output carries JSON-RPC messages only"),
        ("huge-number", "a number of more than"),
        ("half-a-character", "a lone surrogate"),
        ("finishes-twice", "loop/finished out of turn: the run was already over"),
        ("tells-after-the-end", "the event turn_start out of turn"),
        ("begins-too-early", "it had not answered loop/start yet"),
        ("never-acknowledges", "it had not answered loop/start yet"),
    ],
)
def test_what_is_wrong_on_the_wire_is_an_error_and_three_in_a_row_are_enough(how: str, says: str) -> None:
    """No user should wait for the same mistake eighty times; the report says that the rest was not played."""
    report = judged(bad(how), "--timeout", "1")
    assert report["exitCode"] == 3
    assert [each["outcome"] for each in report["runs"]] == ["error"] * 3
    assert all(says in each for each in report["errors"])
    assert_given_up(report, "in which the adapter failed")


def test_a_loop_that_dies_in_a_case_has_the_next_one_with_a_new_process(tmp_path: Path) -> None:
    """The case is an error, the others are judged, and the whole is an error; the logs keep all that was seen."""
    report = judged(bad("dies-in-a-case"), *SOME, "--keep", str(tmp_path))
    for each in report["runs"]:
        log = tmp_path / f"{each['name'].replace('/', '-')}.jsonl{'.part' if each['outcome'] == 'error' else ''}"
        assert log.read_text(encoding="utf-8").startswith('{"kind":"meta"')
    assert len(list(tmp_path.iterdir())) == len(report["runs"])
    outcomes = [each["outcome"] for each in report["runs"]]
    assert outcomes == ["consistent", "error"] * (len(outcomes) // 2) + ["consistent"] * (len(outcomes) % 2)
    assert len(outcomes) > 2
    assert report["exitCode"] == 3
    assert all("exited with status 7" in each and "out of memory" in each for each in report["errors"])


def assert_given_up(report: dict[str, Any], after: str) -> None:
    """Assert that the report says after what the suite gave up."""
    said = f"was given up after 3 cases in a row {after}, and was not shown "
    assert [each for each in report["subject"]["notes"] if each.startswith(said)] != []


@pytest.mark.parametrize("how", ["silent", "flood", "dribbles", "calls-the-model-for-ever"])
def test_a_run_without_an_end_is_a_finding_and_three_of_them_are_enough(how: str) -> None:
    """Whatever a loop says meanwhile, the suite gives it up; a law of cases that were not played is not called kept."""
    report = judged(bad(how), "--timeout", "0.1")
    assert (report["outcome"], report["exitCode"], broken(report)) == ("violations", 1, {"HOST-22"})
    assert len(report["runs"]) == 3
    assert_given_up(report, "that did not end")
    assert judged(bad(how), "--timeout", "0.1", "--ignore", "HOST-22")["outcome"] == "not proven"


def test_what_a_loop_said_before_it_came_to_no_end_is_told_beside_the_report() -> None:
    """Its author finds the line there; the report omits it, because a report must be the same on every day."""
    shown = ran("loop", bad("breaks-down"), "--case", "AL-01/no-content", "--timeout", "0.1", "--format", "json")
    says = "callproof: AL-01/no-content did not end; last lines of standard error:\n"
    assert shown.stderr.startswith(says)
    assert shown.stderr.removeprefix(says).splitlines() == [
        "    | Traceback (most recent call last):",
        "    | KeyError: 'shr\\x1b[31med'",
    ]
    assert broken(json.loads(shown.stdout)) == {"HOST-22"}
    assert "KeyError" not in shown.stdout


def test_a_run_that_is_over_at_once_shows_nothing() -> None:
    """A loop that never calls the model breaks no law of calls, but it has not shown that it keeps one."""
    report = judged(bad("finishes-at-once"), *SOME)
    assert (report["outcome"], report["exitCode"], report["findings"]) == ("not proven", 1, [])


def test_a_loop_that_answers_late_is_a_loop() -> None:
    """A loop may take its time; no law limits it."""
    assert judged(bad("late"), *SOME)["outcome"] == "conforms"


def test_a_loop_that_claims_no_mode_is_given_nothing() -> None:
    """A run that judged nothing must not count as conforming."""
    report = judged(bad("claims-nothing"))
    assert (report["outcome"], report["exitCode"], report["runs"]) == ("nothing judged", 2, [])
    said = "cases, because it does not claim parallel or sequential: AL-01/one, "
    assert any(said in each for each in report["subject"]["notes"])


def test_a_claim_that_nobody_knows_is_told_with_the_nearest_that_is_one() -> None:
    """A typo hides a claim, so cases that need the claim are not played."""
    notes = judged(bad("claims-wrongly"), "--case", "AL-05/blocked")["subject"]["notes"]
    assert "claims 'beforHook', which is not a feature; did you mean 'beforeHook'?" in notes
    assert any("cases, because it does not claim beforeHook: AL-05/blocked, " in each for each in notes)


@pytest.mark.parametrize(
    "how", ["enters-what-nobody-called", "enters-another-tool", "enters-under-long-ids", "escapes-in-ids"]
)
def test_a_tool_that_is_entered_for_no_call_is_found(how: str) -> None:
    """Whatever the id is, the law of ids is broken, and the report stays readable."""
    shown = ran("loop", bad(how), *SOME)
    assert (shown.returncode, shown.stderr) == (1, "")
    assert "HOST-07  fail" in shown.stdout
    assert "\x1b" not in shown.stdout
    assert len(shown.stdout) < 100_000


def test_requests_have_whatever_ids_they_have() -> None:
    """A loop may choose any id: an answer repeats even an id of a megabyte as it came."""
    assert judged(bad("asks-under-long-ids"), "--case", "AL-01/one")["outcome"] == "conforms"


@pytest.mark.parametrize("form", FORMATS)
def test_what_a_loop_calls_itself_does_nothing_to_a_terminal(form: str) -> None:
    """Control characters and overrides are escaped, so the terminal does not obey them."""
    shown = ran("loop", bad("escapes"), "--case", "AL-01/one", "--format", form)
    assert shown.returncode == 0
    assert not {"\x1b", "\x07", "\u202e"} & {*shown.stdout}


def test_the_kept_logs_give_the_findings_of_the_live_report(tmp_path: Path) -> None:
    """A log has all that the suite saw of a live loop, and the live report uses nothing else."""
    live = judged(bad("enters-what-nobody-called"), "--keep", tmp_path)
    kept = json.loads(ran("records", tmp_path, "--format", "json").stdout)

    def told(report: dict[str, Any]) -> list[str]:
        # Only a finding on a live system has a command that plays its case again.
        return sorted(json.dumps({**each, "run": "", "replay": ""}) for each in report["findings"])

    assert told(kept) == told(live)
    assert {each["folder"] for each in live["runs"]} == {str(tmp_path)}
    assert {each["name"] for each in live["runs"]} >= {each["run"] for each in live["findings"]}
    assert {each["witness"][0]["file"] for each in live["findings"]} <= {each.name for each in tmp_path.iterdir()}
    assert any(str(tmp_path) in each for each in live["subject"]["notes"])


def test_the_kept_logs_of_the_reference_are_without_a_finding(tmp_path: Path) -> None:
    """A log holds what the suite itself did; that must not count against the loop."""
    judged(REFERENCE, "--keep", tmp_path)
    assert json.loads(ran("records", tmp_path, "--format", "json").stdout)["findings"] == []


def test_a_report_without_logs_says_how_to_have_them() -> None:
    """Findings name lines of logs, and a user wants to read these."""
    notes = judged(bad("enters-another-tool"), "--case", "AL-01/one")["subject"]["notes"]
    assert any("--keep FOLDER" in each for each in notes)


def test_logs_of_an_earlier_run_are_not_taken_for_those_of_this_one(tmp_path: Path) -> None:
    """The folder has the logs of this run, and files that the suite did not write stay."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    judged(REFERENCE, "--case", "AL-01/o", "--keep", tmp_path)
    judged(REFERENCE, "--case", "AL-01/one", "--keep", tmp_path)
    names = {each.name for each in tmp_path.iterdir()}
    assert names == {"notes.txt", "AL-01-one.jsonl", "AL-01-one-id-twice.jsonl"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--case", "AL-05/blokked"], "did you mean AL-05/blocked?"),
        (["--select", "HOST-3"], "did you mean HOST-03?"),
        (["--ignore", "HSOT"], "did you mean HOST?"),
        (["--keep", "/dev/null/logs"], "no log can be kept there"),
        (["--report", "report.pdf"], "permitted"),
        (["--timeout", "0"], "--timeout is '0'; permitted: a number of seconds above 0, and at most 3600"),
        (["--cases", "-1"], "--cases is '-1'; permitted: 0 to 100000"),
        (["--seed", "x"], "--seed is 'x'; permitted: a whole number"),
        (["--update-baseline"], "add --baseline FILE, or baseline in [tool.callproof.loop]"),
    ],
)
def test_what_means_nothing_is_told_before_anything_is_played(tmp_path: Path, options: list[str], says: str) -> None:
    """The error guesses what was meant, as far as possible; the exit code is that of wrong usage."""
    sign = tmp_path / "played"
    shown = ran("loop", bad("stands-still", str(sign)), *options)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert says in shown.stderr
    assert not sign.exists()


def test_an_address_that_means_nothing_costs_nobody_the_logs_of_an_earlier_run(tmp_path: Path) -> None:
    """It is wrong usage; the error has the nearest address, and nothing else happens."""
    log = tmp_path / "AL-01-one.jsonl"
    log.touch()
    shown = ran("loop", "callproof-reference loop", "--keep", tmp_path)
    assert (shown.returncode, shown.stdout) == (2, "")
    assert f"did you mean '{REFERENCE}'?" in shown.stderr
    assert log.exists()


def test_a_report_has_every_form(tmp_path: Path) -> None:
    """All forms are written beside what is printed, and none of them is empty."""
    files = [tmp_path / f"report.{form}" for form in FORMS]
    options = [option for file in files for option in ("--report", str(file))]
    report = judged(bad("enters-another-tool"), *SOME, *options)
    assert json.loads(files[0].read_text(encoding="utf-8")) == report
    assert all("HOST-07" in file.read_text(encoding="utf-8") for file in files if file.suffix != ".svg")
    assert "<svg" in (tmp_path / "report.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_is_printed_in_every_form(form: str) -> None:
    """Each of them names the law that was broken."""
    shown = ran("loop", bad("enters-another-tool"), "--case", "AL-01/one", "--format", form)
    assert (shown.returncode, shown.stderr) == (1, "")
    assert "HOST-07" in shown.stdout


@pytest.mark.parametrize("asks", [signal.SIGINT, signal.SIGTERM])
def test_who_breaks_off_has_a_report_of_what_was_played(tmp_path: Path, asks: signal.Signals) -> None:
    """The report and the exit code say that it is only a part, and no process is left."""
    sign = tmp_path / "stands-still"
    command = [CALLPROOF, "loop", bad("stands-still", str(sign)), "--timeout", "600", "--format", "json"]
    piped: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*command, "--case", "AL-01/n", "--case", "AL-01/one"], **piped) as process:
        _wait_for(sign.exists)
        os.kill(process.pid, asks)
        out, error = process.communicate(timeout=180)
    report = json.loads(out)
    assert (process.returncode, error, report["outcome"]) == (130, "", "interrupted")
    assert report["errors"] == ["interrupted; 4 cases had not ended"]
    _wait_for(lambda: not _running_with(str(sign)))


def _running_with(argument: str) -> bool:
    """Whether a process has an argument in its command line."""
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if argument in entry.read_text(errors="replace").split("\0"):
                return True
        except OSError:
            continue
    return False


def _wait_for(holds: Callable[[], bool]) -> None:
    """Wait until it holds; fail after three minutes, which are enough on a busy machine too."""
    ends = time.monotonic() + 180
    while time.monotonic() < ends:
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it never came to hold")


def in_folder(folder: Path, table: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in the folder of a project with this table."""
    (folder / "pyproject.toml").write_text(f"[tool.callproof.loop]\n{table}\n", encoding="utf-8")
    command = [CALLPROOF, "loop", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_the_table_of_loops_serves_the_command(tmp_path: Path) -> None:
    """The adapter and all else that no option gives come from that table, and an option wins over it."""
    table = f"adapter = '{bad('enters-another-tool')}'\ncases = 2\nseed = 5\nreport = 'report.json'"
    shown = in_folder(tmp_path, table, "--cases", "1")
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert (shown.returncode, shown.stderr) == (1, "")
    assert [each["name"] for each in report["runs"] if each["name"].startswith("GEN")] == ["GEN/5-1"]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("strikt = true", "pyproject.toml: [tool.callproof.loop] has no setting 'strikt'; did you mean 'strict'?"),
        ("level = 'must'", "[tool.callproof.loop] has no setting 'level'; permitted: adapter, "),
        ("timeout = 'x'", "[tool.callproof.loop]: timeout is 'x'; permitted: a number of seconds above 0"),
        ("baseline = 'none.json'", "none.json cannot be read"),
        ("", 'no adapter: give one, as in `callproof loop "stdio:my-loop serve"`, or name it in [tool.callproof.loop]'),
    ],
)
def test_a_setting_that_means_nothing_is_told(tmp_path: Path, table: str, says: str) -> None:
    """As for an executor, the error names the file and what is permitted."""
    shown = in_folder(tmp_path, table, *([REFERENCE] if table else []))
    assert (shown.returncode, shown.stdout) == (2, "")
    assert says in shown.stderr


def test_a_run_leaves_a_statement_that_anybody_verifies(tmp_path: Path) -> None:
    """It comes with the report and has its exit code; a changed byte is found, and a run of some cases gives none."""
    proof = tmp_path / "proof"
    shown = ran("loop", REFERENCE, "--cases", "2", "--report", f"statement={proof}", "--report", tmp_path / "page.html")
    assert (shown.returncode, shown.stderr) == (0, "")
    told = ran("verify", proof)
    assert (told.returncode, told.stderr) == (0, "")
    assert "verified: conforms, callproof-reference loop" in told.stdout
    assert ran("records", proof / "records", "--format", "json").returncode == 0
    log = proof / "records" / "AL-01-one.jsonl"
    log.write_bytes(log.read_bytes().replace(b"call_1", b"call_2", 1))
    told = ran("verify", proof)
    assert (told.returncode, told.stderr) == (1, "")
    assert "AL-01-one.jsonl has other bytes than the statement says" in told.stdout
    again = ran("loop", REFERENCE, *SOME, "--report", f"statement={tmp_path / 'part'}")
    assert again.returncode == 2
    assert "covers all cases and every requirement, but --case AL-01/o chooses only a part; drop one" in again.stderr
