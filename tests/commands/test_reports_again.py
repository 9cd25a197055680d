"""Commands that read what a run left: a report rendered again, and how often each law was exercised."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from callproof.cli import cli
from callproof.commands.coverage import live_rows, write_live
from callproof.report.files import rendered
from callproof.report.targets import Form
from callproof.spec.registry import specification
from click.testing import CliRunner
from reports import report, requirement
from rich.console import Console


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """A report in a file."""
    file = tmp_path / "report.json"
    file.write_text(rendered(report(), Form.JSON), encoding="utf-8")
    return file


def test_a_stored_report_is_written_in_other_forms(stored: Path, tmp_path: Path) -> None:
    """The files are to the byte what the run itself would have written; the exit code is the report's."""
    forms = {"--html": Form.HTML, "--markdown": Form.MARKDOWN, "--badge": Form.BADGE}
    options = [each for name in forms for each in (name, str(tmp_path / name.strip("-")))]
    ran = CliRunner().invoke(cli, ["report", str(stored), *options])
    assert (ran.exit_code, ran.output) == (1, "")
    for name, form in forms.items():
        assert (tmp_path / name.strip("-")).read_bytes() == rendered(report(), form).encode("utf-8")


@pytest.mark.parametrize("options", [("--html", "{}"), ("--report", "html={}"), ("--report", "{}")])
def test_a_stored_report_is_never_written_over(stored: Path, options: tuple[str, ...], tmp_path: Path) -> None:
    """The report would be lost; a link to it counts as the same file."""
    (tmp_path / "link.json").symlink_to(stored)
    before = stored.read_bytes()
    for name in (stored, tmp_path / "link.json"):
        ran = CliRunner().invoke(cli, ["report", str(stored), *(each.format(name) for each in options)])
        assert ran.exit_code == 2
        assert f"the report {name} is the file that is read; give it another path" in ran.output
    assert stored.read_bytes() == before


def test_a_stored_report_is_printed_without_an_option(stored: Path) -> None:
    """The command prints the text form, with what the claim leaves out."""
    ran = CliRunner().invoke(cli, ["report", str(stored)])
    assert ran.exit_code == 1
    assert "not claimed, and so not judged: foreach (13 requirements)" in ran.output
    assert "callproof explain RETRY-03" in ran.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("report", "no-such.json"), "cannot be read"),
        (("report", "{stored}", "--html", "nowhere/page.html"), "does not exist"),
        (("verify", "nowhere"), "does not exist"),
        (("verify", "{stored}"), "is not a valid zip file"),
        (("coverage", "stdio:x"), "only with --live"),
        (("test", "stdio:x", "--report", "report.pdf"), "permitted: json, jsonl, html"),
        (("test", "stdio:x", "--baseline", "no-such.json"), "--update-baseline writes one"),
        (("test", "stdio:x", "--update-baseline"), "--update-baseline names no file; add --baseline FILE"),
        (
            ("test", "stdio:x", "--baseline", "b.json", "--update-baseline", "--cases", "7"),
            "--update-baseline needs a whole run, but --cases is 7; permitted: 100 or more",
        ),
        (
            ("test", "stdio:x", "--baseline", "b.json", "--report", "./b.json"),
            "b.json is the baseline; name another file for the report",
        ),
        (("test", "stdio:x", "--baseline", "b.json", "--update-baseline", "-k", "SC-01"), "needs a whole run"),
    ],
)
def test_wrong_usage_is_told_at_once(
    stored: Path, tmp_path: Path, arguments: tuple[str, ...], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error comes before anything runs, with exit code 2."""
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(cli, [each.format(stored=stored) for each in arguments])
    assert ran.exit_code == 2
    assert says in ran.output


def test_the_live_table_has_every_requirement_by_chapter() -> None:
    """It has excluded requirements too, with their reason; one that was not judged was exercised by no case."""
    rows = live_rows(report(), specification())
    assert [row["id"] for row in rows] == list(specification().requirements)
    by_id = {row["id"]: row for row in rows}
    assert (by_id["RETRY-03"]["cases"], by_id["RETRY-03"]["subjects"]) == (2, 3)
    assert by_id["LOOP-01"]["cases"] == 0


def test_what_was_never_exercised_is_named_at_the_end() -> None:
    """An author of scenarios first looks for a law that no case tested."""
    told = io.StringIO()
    *exercised, never = [each.id for each in specification().requirements.values() if each.excluded is None]
    some = report(requirements=[requirement(name, "pass") for name in exercised])
    write_live(live_rows(some, specification()), Console(file=told, width=200))
    assert "1 never" in told.getvalue()
    assert told.getvalue().rstrip().splitlines()[-1].split()[:3] == [never, "never", "exercised"]


def test_the_live_table_is_json_too() -> None:
    """Its values are plain, with one object for each requirement."""
    (first, *_) = json.loads(json.dumps(live_rows(report(), specification())))
    assert set(first) == {"id", "chapter", "title", "cases", "subjects", "verdict", "excluded"}
