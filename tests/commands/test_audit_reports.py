"""The reports of ``callproof audit``: written as asked, the same bytes each time, or an error if they cannot be."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from callproof.cli import cli
from callproof.cli.said import PRINTED
from callproof.report.files import read_report
from callproof.resources import SPEC
from callproof.schema.validator import shape_validator
from click.testing import CliRunner, Result

EXAMPLES = Path(str(SPEC)) / "examples"
FILES = ("r.json", "r.jsonl", "r.html", "r.md", "r.svg", "r.sarif", "r.xml")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of the commands, with the logs of two runs, one of them broken."""
    for name in ("good", "bad"):
        shutil.copytree(EXAMPLES / "retried", tmp_path / "logs" / name)
    calls = tmp_path / "logs" / "bad" / "calls.jsonl"
    calls.write_text(calls.read_text(encoding="utf-8").replace('"attempt": 2', '"attempt": 7'), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def given(*arguments: str) -> Result:
    """The result of a command."""
    return CliRunner().invoke(cli, [*arguments])


def test_every_form_is_written_and_the_same_each_time(desk: Path) -> None:
    """One audit writes as many reports as asked for; a stored report gives the same bytes again."""
    options = [option for file in FILES for option in ("--report", file)]
    assert given("audit", "logs", *options).exit_code == 1
    first = {file: (desk / file).read_bytes() for file in FILES}
    assert given("audit", "logs", *options).exit_code == 1
    assert {file: (desk / file).read_bytes() for file in FILES} == first
    again = [option for file in FILES for option in ("--report", f"again-{file}")]
    assert given("report", "r.json", *again).exit_code == 1
    assert {file: (desk / f"again-{file}").read_bytes() for file in FILES} == first


def test_what_is_printed_is_what_is_written(desk: Path) -> None:
    """``--format`` and ``--report`` give the same bytes, for an audit and for a stored report."""
    given("audit", "logs", "--report", "r.json", "--report", "r.jsonl", "--report", "r.sarif", "--report", "r.xml")
    for shape, file in (("json", "r.json"), ("jsonl", "r.jsonl"), ("sarif", "r.sarif"), ("junit", "r.xml")):
        assert given("audit", "logs", "--format", shape).stdout.encode() == (desk / file).read_bytes()
        assert given("report", "r.json", "--format", shape).stdout.encode() == (desk / file).read_bytes()


def test_a_report_of_an_audit_has_its_shape_and_is_read_again(desk: Path) -> None:
    """Every member that an audit adds is in the schema."""
    given("audit", "logs", "--report", "r.json")
    told = json.loads((desk / "r.json").read_bytes())
    assert shape_validator("report").errors(told) == ()
    assert read_report(desk / "r.json") == told
    assert {"timelines", "tools", "versions"} <= told.keys()


def test_annotations_and_results_lead_to_the_files_from_where_the_command_was_given(desk: Path) -> None:
    """This also holds if the path was given as an absolute one."""
    for path in ("logs", str(desk / "logs")):
        assert "::error file=logs/bad/calls.jsonl,line=" in given("audit", path, "--format", "github").stdout
        results = json.loads(given("audit", path, "--format", "sarif").stdout)["runs"][0]["results"]
        places = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results}
        assert places <= {f"logs/bad/{file}.jsonl" for file in ("calls", "results", "events")}


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (("--report", "proof.zip"), "this command writes no statement"),
        (("--report", "nowhere/r.json"), "does not exist"),
        (("--report", "r.pdf"), "permitted: json, jsonl"),
        (("--follow", "--summary", "t.parquet"), "drop --follow or --summary"),
        (("--jobs", "9" * 20), "is not in the range 1<=x<=1000"),
    ],
)
def test_what_cannot_be_written_is_told_at_once(desk: Path, option: tuple[str, ...], says: str) -> None:
    """The error comes before the audit: the audit of a night's log takes long."""
    ran = given("audit", "logs", *option)
    assert ran.exit_code == 2
    assert says in ran.output


@pytest.mark.parametrize("option", ["--report=logs/bad/run.json", "--report=json=logs/bad/calls.jsonl"])
@pytest.mark.parametrize("path", ["logs", "logs/bad"])
def test_a_report_is_not_written_over_the_log_that_it_is_about(desk: Path, option: str, path: str) -> None:
    """The log would be lost."""
    before = {each: each.read_bytes() for each in (desk / "logs" / "bad").iterdir()}
    ran = given("audit", path, option)
    assert (ran.exit_code, {each: each.read_bytes() for each in before}) == (2, before)
    assert "is one of the judged files; give it another path" in ran.stderr
    assert given("audit", path, "--report", "logs/report.json").exit_code == 1


@pytest.mark.parametrize("option", ["--report=jsonl=logs/runs.jsonl", "--report=json=logs/new/run.json"])
def test_a_report_does_not_become_a_file_of_the_log_that_it_is_about(desk: Path, option: str) -> None:
    """The next audit would read it."""
    (desk / "logs" / "new").mkdir()
    ran = given("audit", "logs", option)
    assert ran.exit_code == 2
    assert "would be judged the next time, as a file of the log; name it otherwise" in ran.stderr


@pytest.mark.parametrize("command", [("audit", "logs"), ("lint", "tools.json"), ("report", "old.json")])
@pytest.mark.parametrize("second", ["one.json", "sarif=one.json", "sarif=same.sarif", "./one.json"])
def test_two_reports_do_not_go_to_one_file(desk: Path, command: tuple[str, ...], second: str) -> None:
    """The first one would be lost."""
    (desk / "tools.json").write_text("[]")
    given("audit", "logs", "--report", "old.json")
    (desk / "same.sarif").symlink_to("one.json")
    ran = given(*command, "--report", "one.json", "--report", second)
    assert (ran.exit_code, (desk / "one.json").exists()) == (2, False)
    assert "it is the same file as one.json; give each a file of its own" in ran.stderr
    assert given("audit", "logs", "--report", "json=/dev/null", "--report", "sarif=/dev/null").exit_code == 1


def test_a_report_is_not_written_over_a_stream(desk: Path) -> None:
    """An audit writes over no other file that it reads either."""
    for name in ("s.jsonl", "known.json"):
        (desk / name).write_text("as it was")
        ran = given("audit", "s.jsonl", "--baseline", "known.json", "--report", name)
        assert (ran.exit_code, (desk / name).read_text()) == (2, "as it was")
        assert f"the report {name} is one of the judged files; give it another path" in ran.stderr


def test_a_table_needs_its_extra(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says how to install the extra."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = given("audit", "logs", "--summary", "t.parquet")
    assert ran.exit_code == 2
    assert "pip install 'callproof[parquet]'" in ran.output
    assert sorted(each.name for each in desk.iterdir()) == ["logs"]


@pytest.mark.parametrize("shape", PRINTED)
def test_no_value_of_the_log_is_in_any_form(desk: Path, shape: str) -> None:
    """A report holds no arguments, data or messages of a broken run unless the user asks for them (SEC-11)."""
    for file in (desk / "logs" / "bad").iterdir():
        told = file.read_text(encoding="utf-8")
        told = told.replace("Inbox/ideas.md", "Inbox/canary-5717.md").replace("The disk did not", "canary-5717 did not")
        file.write_text(told.replace('"ok": true', '"ok": "canary-5717"'), encoding="utf-8")
    ran = given("audit", "logs", "--format", shape, "--report", "r.html", "--report", "r.md")
    assert ran.exit_code == 1
    for text in (ran.stdout, (desk / "r.html").read_text("utf-8"), (desk / "r.md").read_text("utf-8")):
        assert "RES-05" in text
        assert "canary" not in text


def test_hostile_names_in_a_log_do_nothing_in_any_form(desk: Path) -> None:
    """In every form an HTML element of a record is text, and an escape of a terminal is spelled out."""
    hostile = "<img src=x onerror=alert(1)>\\u001b[31m\\n::error::owned"
    for file in (desk / "logs" / "bad").iterdir():
        file.write_text(file.read_text("utf-8").replace('"vault.readFile"', f'"{hostile}"'), encoding="utf-8")
    shown = [given("audit", "logs", "--show-values", "--format", shape).stdout for shape in PRINTED]
    given("audit", "logs", "--show-values", "--report", "r.html", "--report", "r.md")
    for text in (*shown, (desk / "r.html").read_text("utf-8"), (desk / "r.md").read_text("utf-8")):
        assert not set(text) & {"\x1b", "\r"}
        assert not any(line.startswith("::error::owned") for line in text.splitlines())
    for text in (
        shown[PRINTED.index("junit")],
        (desk / "r.html").read_text("utf-8"),
        (desk / "r.md").read_text("utf-8"),
    ):
        assert "<img" not in text
