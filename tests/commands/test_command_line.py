"""The command line, for the most part as real processes: what it prints, and the exit codes that it promises."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from callproof import __version__
from callproof.cli import cli
from callproof.schema.validator import shape_validator
from callproof.settings import WrongSetting, adapter_from, from_options, system_from_options
from click.testing import CliRunner
from log_edits import BASES, Edit, apply, copy_of


def callproof(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """The installed command."""
    command = [str(Path(sys.executable).parent / "callproof"), *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)


def test_the_version_is_told() -> None:
    """Name and version, on standard output."""
    assert callproof("--version").stdout == f"callproof {__version__}\n"


@pytest.mark.parametrize("command", [(), ("test",), ("audit",), ("explain",), ("coverage",)])
def test_help_teaches(command: tuple[str, ...]) -> None:
    """Every command says what it is for and what its arguments are."""
    shown = callproof(*command, "--help")
    assert shown.returncode == 0
    assert len(shown.stdout.splitlines()) > 5


def test_a_conforming_log_is_consistent_and_exits_0() -> None:
    """This is the best outcome of an audit."""
    shown = callproof("audit", str(BASES / "linear"))
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "consistent with the specification" in shown.stdout
    assert "not decidable from these logs" in shown.stdout


def test_a_log_without_its_end_is_incomplete_and_no_violation() -> None:
    """A crashed run has its own verdict (A35)."""
    shown = callproof("audit", str(BASES / "incomplete"))
    assert shown.returncode == 0
    assert "incomplete" in shown.stdout


def test_a_finding_names_requirement_file_and_line_and_exits_1(tmp_path: Path) -> None:
    """The audit finds one changed member at its place."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("results 2", {"ok": False}), folder)
    shown = callproof("audit", str(folder))
    assert shown.returncode == 1
    assert "RES-05  fail" in shown.stdout
    assert "results.jsonl:2" in shown.stdout
    assert "callproof explain RES-05" in shown.stdout


def test_the_json_report_is_of_its_schema_and_the_same_each_time(tmp_path: Path) -> None:
    """The report is machine-readable, and its bytes are stable (LOG-20)."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("results 2", {"ok": False}), folder)
    first = callproof("audit", "--format", "json", str(folder))
    assert shape_validator("report").errors(json.loads(first.stdout)) == ()
    assert callproof("audit", "--format", "json", str(folder)).stdout == first.stdout


def test_several_logs_are_told_apart(tmp_path: Path) -> None:
    """A folder of logs is judged run by run, and the finding says in which."""
    copy_of("linear", tmp_path / "a")
    apply(Edit("results 2", {"ok": False}), copy_of("linear", tmp_path / "b"))
    report = json.loads(callproof("audit", "--format", "json", str(tmp_path)).stdout)
    assert [(run["name"], run["outcome"]) for run in report["runs"]] == [("a", "consistent"), ("b", "violations")]
    assert {finding["run"] for finding in report["findings"]} == {"b"}


def test_what_was_asked_for_and_cannot_be_shown_makes_the_audit_not_proven() -> None:
    """``--require`` takes ids and groups of laws that the logs have to show."""
    shown = callproof("audit", "--require", "CALL-20", str(BASES / "linear"))
    assert shown.returncode == 1
    assert "CALL-20  not proven" in shown.stdout
    assert callproof("audit", "--require", "RES-05", str(BASES / "linear")).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("audit", "nowhere"), "does not exist"),
        (("audit", "."), "holds no audit log"),
        (("audit", "--require", "RES-055", "log"), "did you mean RES-05"),
        (("audit", "--tools", "missing.json", "log"), "--tools missing.json"),
        (("explain", "RETRI-03"), "Did you mean RETRY-03"),
        (("explain", "retry3"), "Did you mean RETRY-03?"),
        (("explain", "nothing"), "no scenario is called 'nothing'. `callproof coverage` lists"),
        (("explain", "nothing"), "the scenarios are SC-01 to SC-"),
        (("explain", "GEN/7-9-small"), "`callproof test ADAPTER -k GEN --seed 7 --save-cases FOLDER` saves"),
        (("explain", "FOO3"), "`callproof rules` the rules; "),
        (("audit", "x" * 300), "cannot be read: File name too long"),
        (("verify", "x" * 300), "cannot be read: File name too long; expected a statement's folder or zip file"),
        (("verify", "/dev/null"), "is a character device, not a regular file"),
        (("verify", __file__), "is not a valid zip file (File is not a zip file); expected a statement's folder"),
        (("report", "/dev/null"), "/dev/null is not a report: it is empty; expected"),
        (("test", "--junit", "nowhere/a.xml", "stdio:x"), "callproof: --junit: the folder "),
        (("audit", "--report", "x" * 300 + ".json", "log"), "cannot be written: File name too long"),
        (("replay", "missing.json", "stdio:x"), "missing.json: cannot be read: No such file"),
        (("test",), "no adapter"),
        (("test", "studio:x"), "stdio"),
        (("test", "no-prefix"), "\n  "),
        (("test", "-k", "RETRY-03 and", "stdio:x"), "not an expression"),
        (("test", "-k", "RETRY-3", "stdio:x"), "did you mean RETRY-"),
        (
            ("test", "-k", "SC-12/empty-items", "stdio:x"),
            "is a case; -k SC-12 runs its scenario, and --save-cases keeps",
        ),
        (
            ("test", "--report", "statement=proof", "-k", "POL-02", "stdio:x"),
            "but -k 'POL-02' selects a part; drop one",
        ),
        (("test", "--report", "statement=proof", "--level", "must", "stdio:x"), "but the level is must; drop one"),
        (("test", "--level", "most", "stdio:x"), "permitted: must, should, may"),
        (("test", "--timeout", "soon", "stdio:x"), "number of seconds"),
        (("test", "--timeout", "1e308", "stdio:x"), "a number of seconds above 0, and at most 3600"),
        (("test", "--timeout", "nan", "stdio:x"), "a number of seconds above 0, and at most 3600"),
        (("test", "--format", "githb", "stdio:x"), "'junit'; did you mean 'github'?"),
        (("audit", "--fail-on", "nver", "log"), "'never'; did you mean 'never'?"),
        (("audit", "--engine", "spark", "log"), "'processes', 'dask'"),
        (("breaking", "old.json", "new.json", "--for", "plann"), "did you mean 'plan'?"),
        (("coverage", "--json", "--format", "text"), "--json is the same as --format json; drop it or --format text"),
        (("coverage", "--live"), 'as in `callproof coverage --live "stdio:my-executor serve"`'),
        (("audit", "lgo", "log"), "results.jsonl; did you mean log?"),
        (("adit", "x"), "adit"),
    ],
)
def test_wrong_usage_says_what_is_permitted_and_exits_2(
    arguments: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clear sentence on standard error, nothing on standard output, never a traceback; without a process for each."""
    work = tmp_path / "work"
    work.mkdir()
    if arguments[-1] == "log":
        copy_of("linear", work / "log")
    monkeypatch.chdir(work)
    shown = CliRunner().invoke(cli, arguments)
    assert shown.exit_code == 2, shown.output
    assert says in shown.stderr
    assert "Traceback" not in shown.stderr
    assert shown.stdout == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"[tool]\ncallproof = 7", "tool.callproof is 7; permitted: a table"),
        (b"tool = 7", "tool.callproof is 7; permitted: a table"),
        (b"[tool.callproof]\nreport = 7", "report is 7; permitted: a path, or a list of paths"),
        (b"[tool.callproof]\nseed = " + b"9" * 5_000, "pyproject.toml is not TOML: "),
        (b"\xff", "pyproject.toml is not TOML: it is not UTF-8 at byte 0"),
        (b"\xef\xbb\xbf", "pyproject.toml is not TOML: it starts with a byte order mark; save it as UTF-8 without one"),
        (
            b"[tool.callproof]\ntimeout = [3]",
            "pyproject.toml: [tool.callproof]: timeout is [3]; permitted: a number of",
        ),
        (b"[tool.callproof]\ntimeout = '3'", "[tool.callproof]: timeout is '3'; permitted: a number of seconds"),
        (b"[tool.callproof]\nseed = true", "[tool.callproof]: seed is true; permitted: a whole number"),
        (b"[tool.callproof]\nprofile = 'x'", "[tool.callproof]: profile is 'x'; permitted: envelope"),
        (b"[tool.callproof]\nbaseline = 3", "[tool.callproof]: baseline is 3; permitted: a text"),
        (b"[tool.callproof]\nsave_cases = 3", "[tool.callproof]: save_cases is 3; permitted: a text"),
        (b"[tool.callproof]\nreport = 'a'", "pyproject.toml: [tool.callproof]: report 'a' names no form; permitted: "),
        (b"[tool.callproof.loops]\nseed = 7", "[tool.callproof] has no setting 'loops'; did you mean 'loop'?"),
    ],
)
def test_settings_that_mean_nothing_are_told(text: bytes, says: str, tmp_path: Path) -> None:
    """The error names the file or the setting, and what is permitted; nothing was judged."""
    (tmp_path / "pyproject.toml").write_bytes(text)
    with pytest.raises(WrongSetting, match=re.escape(says)):
        from_options("stdio:x", {}, tmp_path)


@pytest.mark.parametrize("word", ["loop", "pipeline", "invocation"])
def test_a_system_has_a_table_of_its_own(word: str, tmp_path: Path) -> None:
    """An option wins over the table; settings of the executor do not apply to the system, nor the other way round."""
    table = "adapter = 'stdio:it'\nseed = 7\ncases = 3\nstrict = true\ntimeout = 2.5\n"
    table += "baseline = 'known.json'\nsave_cases = 'kept'"
    text = f"[tool.callproof]\nadapter = 'stdio:executor'\nseed = 1\n[tool.callproof.{word}]\n{table}\n"
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert (adapter_from(tmp_path), adapter_from(tmp_path, word)) == ("stdio:executor", "stdio:it")
    told = system_from_options(word, "stdio:it", {"cases": "9"}, tmp_path)
    assert (told.seed, told.cases, told.strict, told.timeout) == (7, 9, True, 2.5)
    assert (told.baseline, told.save_cases) == (tmp_path / "known.json", tmp_path / "kept")
    assert from_options("stdio:x", {}, tmp_path).seed == 1
    (tmp_path / "pyproject.toml").write_text("[tool.callproof]\nseed = 1\nstrict = true\n", encoding="utf-8")
    told = system_from_options(word, "stdio:it", {}, tmp_path)
    assert (told.seed, told.cases, told.strict, told.baseline) == (0, 60, False, None)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("loop = 7", "tool.callproof.loop is 7; permitted: a table, as [tool.callproof.loop]"),
        ("loop.sed = 7", "[tool.callproof.loop] has no setting 'sed'; did you mean 'seed'?"),
        ("loop.seed = -1", "[tool.callproof.loop]: seed is -1; permitted: 0 to 9223372036854775807"),
        (
            "loop.timeout = 3601",
            "[tool.callproof.loop]: timeout is 3601; permitted: a number of seconds above 0, and at",
        ),
        ("loop.report = 'statement=pyproject.toml'", "is a file; permitted: a new or empty folder, or a .zip file"),
        ("loop.update_baseline = true", "update_baseline names no file; add --baseline FILE, or baseline in [tool."),
    ],
)
def test_settings_of_a_system_that_mean_nothing_are_told(text: str, says: str, tmp_path: Path) -> None:
    """The error names the file and the setting, and what is permitted."""
    (tmp_path / "pyproject.toml").write_text(f"[tool.callproof]\n{text}\n", encoding="utf-8")
    with pytest.raises(WrongSetting, match=re.escape(says)):
        system_from_options("loop", "stdio:x", {}, tmp_path)


@pytest.mark.parametrize("adapter", ["3", "''"])
def test_an_adapter_that_is_no_text_is_none(adapter: str, tmp_path: Path) -> None:
    """It is refused at once, not first turned into a text; an error about an option does not name the file."""
    (tmp_path / "pyproject.toml").write_text(f"[tool.callproof]\nadapter = {adapter}\ntimeout = 5", encoding="utf-8")
    with pytest.raises(WrongSetting, match=re.escape(f"adapter is {adapter}; permitted: a text that is not empty")):
        adapter_from(tmp_path)
    with pytest.raises(WrongSetting, match=r"^--timeout is '-1'; permitted: a number of seconds"):
        from_options("stdio:x", {"timeout": "-1"}, tmp_path)


def test_an_error_of_several_lines_is_told_in_lines() -> None:
    """The table of this command goes to standard output, and the error to standard error."""
    shown = callproof("coverage", "--live", "stdio:no-such-executor")
    assert shown.returncode == 3
    assert "cannot be run: no such program\n  searched: PATH=" in shown.stderr


def test_a_command_that_does_not_exist_is_named_with_the_path_that_was_searched() -> None:
    """An adapter that cannot be started is an adapter error: exit code 3."""
    shown = callproof("test", "stdio:no-such-executor serve")
    assert shown.returncode == 3
    assert "no-such-executor" in shown.stdout
    assert "PATH=" in shown.stdout


# A system that accepts every run; then a thread breaks down, but the process does not die of that.
BREAKS_DOWN = """
import json, sys
CLAIMS = {"profiles": ["envelope"], "features": ["references", "virtualClock"]}
HELLO = {"protocolVersion": "1.0", "implementation": {"name": "x", "version": "1", "language": "x"}, "claims": CLAIMS}
for line in sys.stdin:
    asked = json.loads(line)
    answers = {"initialize": HELLO, "run/start": {"runId": f"run-{asked.get('id')}"}}
    answers["clock/advance"] = {"now": "2026-01-01T00:00:00Z"}
    if asked.get("method") == "run/start":
        print("thread panicked at byte 40", file=sys.stderr, flush=True)
    if "id" in asked:
        answer = {"jsonrpc": "2.0", "id": asked["id"], "result": answers.get(asked.get("method"), {})}
        print(json.dumps(answer), flush=True)
"""


def test_what_a_system_said_before_a_run_came_to_no_end_is_told_beside_the_report(tmp_path: Path) -> None:
    """Its author finds the cause there, three times at most; the report omits it, because it must not vary."""
    (tmp_path / "system.py").write_text(BREAKS_DOWN, encoding="utf-8")
    address = f"stdio:{sys.executable} {tmp_path / 'system.py'}"
    done = callproof("test", address, "-k", "SC-01 and DEP-12", "--cases", "0", "--format", "json")
    told = [line for line in done.stderr.splitlines() if "did not end" in line]
    assert len(told) == 3
    assert told[0].startswith("callproof: SC-01/")
    assert "    | thread panicked at byte 40" in done.stderr.splitlines()
    assert "panicked" not in done.stdout
    assert {each["id"] for each in json.loads(done.stdout)["requirements"] if each["verdict"] == "fail"} == {"DEP-12"}


def test_a_scenario_of_which_no_case_was_run_is_told_with_the_claim_that_it_needs() -> None:
    """A user who starts with one scenario and claims nothing yet learns why nothing was judged."""
    minimal = Path(__file__).parents[1] / "adapters" / "minimal.py"
    shown = callproof("test", f"stdio:{sys.executable} {minimal}", "-k", "SC-01 or SC-02")
    assert (
        "note  the system does not claim what every case of these scenarios needs: SC-01 (references)\n" in shown.stdout
    )
    nothing = callproof("test", f"stdio:{sys.executable} {minimal}", "-k", "SC-01")
    assert nothing.returncode == 2
    assert "SC-01 (references)\n" in nothing.stdout
    assert nothing.stdout.endswith("nothing judged  0 requirements  ·  exit code 2\n")


def test_explain_prints_the_block_of_the_specification() -> None:
    """In a pipe the command prints the block as it is written, with its place."""
    shown = callproof("explain", "retry-03")
    assert shown.returncode == 0
    assert shown.stdout.startswith("### RETRY-03 · ")
    assert "*Why.*" in shown.stdout
    assert "spec/retries.md:" in shown.stdout


def test_coverage_lists_every_requirement() -> None:
    """A row has id, level, how it is decided, its checks, and what proves them or why it is excluded."""
    rows = json.loads(callproof("coverage", "--format", "json").stdout)["requirements"]
    by_id = {row["id"]: row for row in rows}
    assert len(rows) > 250
    assert by_id["RES-05"]["decided"].startswith("log")
    assert by_id["RES-05"]["checks"]
    assert by_id["RES-05"]["miniatures"]
    assert all(row["checks"] or row["excluded"] for row in rows)


def test_hostile_text_in_a_log_does_nothing_to_a_terminal(tmp_path: Path) -> None:
    """Escape sequences, line breaks and overrides of a record come out as escapes (SEC-08)."""
    folder = copy_of("linear", tmp_path / "log")
    apply(Edit("results 2", {"status": "\x1b[31mok\n::error::forged\u202e"}), folder)
    shown = callproof("audit", str(folder)).stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert not any(line.startswith("::error") for line in shown.splitlines())
