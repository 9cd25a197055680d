"""``callproof records`` as a real process: what it takes, what it says, and the exit codes that it promises."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from callproof.schema.validator import shape_validator

LOG = Path(__file__).parents[2] / "spec" / "protocols" / "examples" / "searched" / "log.jsonl"
LINES = LOG.read_text(encoding="utf-8").splitlines()


def records(*arguments: object, given: str | None = None) -> subprocess.CompletedProcess[str]:
    """The installed command."""
    command = [str(Path(sys.executable).parent / "callproof"), "records", *map(str, arguments)]
    return subprocess.run(command, input=given, capture_output=True, text=True, timeout=120)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A log whose third line says that a tool was not available and that no response was generated."""
    lines = [
        *LINES[:2],
        LINES[2].replace('"kind":"generation","status":"executed"', '"kind":"generation","status":"skipped"'),
    ]
    path = tmp_path / "night.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_log_that_keeps_its_contract_is_consistent() -> None:
    """The output names the contract, and gives the best outcome that a log can have."""
    shown = records(LOG)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "judged as records of the invocation contract" in shown.stdout
    assert "consistent  21 requirements: 9 pass, 12 inconclusive" in shown.stdout


def test_a_finding_names_its_line_and_its_law(broken: Path) -> None:
    """It also says what is permitted, and in which chapter the law is."""
    shown = records(broken)
    assert shown.returncode == 1
    assert "night.jsonl:3" in shown.stdout
    assert "permitted  the response goes on without an optional tool" in shown.stdout
    assert "spec/protocols/invocation.md" in shown.stdout
    assert "callproof explain INT-04" in shown.stdout


def test_a_folder_and_standard_input_are_logs_too(tmp_path: Path) -> None:
    """The command judges every file of JSON lines in a folder, and what comes from a pipe."""
    (tmp_path / "a.jsonl").write_text(LINES[0] + "\n", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(LINES[1] + "\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no log", encoding="utf-8")
    assert "(2 runs judged)" in records(tmp_path).stdout
    piped = records("-", given=LINES[0] + "\n")
    assert (piped.returncode, piped.stderr) == (0, "")


def test_every_form_of_a_report_can_be_written(broken: Path, tmp_path: Path) -> None:
    """The forms are those of every report, and the JSON document has its shape."""
    names = ("r.json", "r.jsonl", "r.html", "r.md", "r.svg", "r.sarif", "r.xml")
    options = [f"--report={tmp_path / name}" for name in names]
    assert records(broken, *options).returncode == 1
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert shape_validator("report").errors(report) == ()
    assert [each["requirement"] for each in report["findings"]] == ["INT-04"]
    assert '"INT-04"' in (tmp_path / "r.sarif").read_text(encoding="utf-8")
    assert "night.jsonl" in (tmp_path / "r.sarif").read_text(encoding="utf-8")
    assert "INT-04" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_what_fails_and_what_is_judged_may_be_chosen(broken: Path) -> None:
    """The options are those of an audit."""
    assert records(broken, "--fail-on", "never").returncode == 0
    assert records(broken, "--ignore", "INT-04").returncode == 0
    assert records(broken, "--select", "int").returncode == 1
    assert records(LOG, "--require", "INT-05").returncode == 0
    undecided = records(broken, "--ignore", "INT-04", "--require", "INT-08")
    assert undecided.returncode == 1
    assert "not proven" in undecided.stdout


def test_a_log_that_breaks_off_is_incomplete_and_one_with_rubbish_is_not_proven(tmp_path: Path) -> None:
    """A torn last line is not a violation; a line that is not a record may have said anything."""
    torn = tmp_path / "torn.jsonl"
    torn.write_text(LINES[0] + "\n" + LINES[1][:40], encoding="utf-8")
    assert (records(torn).returncode, "incomplete" in records(torn).stdout) == (0, True)
    rubbish = tmp_path / "rubbish.jsonl"
    rubbish.write_text(LINES[0] + "\n{nothing}\n" + LINES[1] + "\n", encoding="utf-8")
    shown = records(rubbish)
    assert shown.returncode == 1
    assert "rubbish.jsonl:2: the line is not a record" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nowhere.jsonl",), "nowhere.jsonl does not exist"),
        ((LOG.with_name("log.jsnol"),), "did you mean"),
        ((LOG, "--protocol", "invocations"), "did you mean 'invocation'?"),
        ((LOG, "--select", "IMT-01"), "did you mean INT-01?"),
        ((LOG, "--require", "INT-01", "--ignore", "INT-01"), "INT-01 is required by --require, but left out"),
        ((LOG, "--require", "INT-01", "--fail-on", "never"), "--fail-on never"),
        (
            (LOG, "--strict", "--fail-on", "never"),
            "--strict is the same as --fail-on should; drop it or --fail-on never",
        ),
        ((LOG, "--report", LOG), "one of the judged files"),
    ],
)
def test_wrong_usage_says_what_is_permitted(arguments: tuple[object, ...], says: str) -> None:
    """Exit code 2, one sentence, and no traceback."""
    shown = records(*arguments)
    assert shown.returncode == 2
    assert says in shown.stderr
    assert "Traceback" not in shown.stderr


def test_what_holds_no_records_of_a_protocol_is_said_to(tmp_path: Path) -> None:
    """`callproof audit` judges logs of runs; this command must not judge them as something else."""
    other = tmp_path / "calls.jsonl"
    other.write_text('{"callId": "c-1"}\n', encoding="utf-8")
    shown = records(other)
    assert shown.returncode == 2
    assert "holds no records of a protocol; expected" in shown.stderr
    assert "callproof audit" in shown.stderr


@pytest.mark.parametrize("path", [LOG, LOG.parent])
def test_an_audit_of_such_records_points_to_the_command_for_them(path: Path) -> None:
    """A user who takes the wrong command of the two is told the other, for a file and for a folder."""
    command = [str(Path(sys.executable).parent / "callproof"), "audit", str(path)]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (shown.returncode, "`callproof records`" in shown.stderr) == (2, True)
