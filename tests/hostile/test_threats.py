"""Hostile logs through the command line: each threat to reading and reporting, and what the audit makes of it.

All logs lie in one tree that one process audits, with at most 2 GiB: a crash, a traceback or a hang at one log harms
the audit of all.  ``hostile_logs`` says how each log is made.
"""

from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from callproof import limits
from hostile.commands import REPORTS, Audited, audited, printed
from hostile.hostile_logs import ACTIVE, LOGS, edit_schemas, write
from log_edits import copy_of
from schema.test_validators import hits

pytestmark = pytest.mark.many

__all__ = ["hits"]

_ELEMENTS = {"script", "img", "iframe", "object", "embed", "form", "base", "link"}
# Logs with no fault, or which only meet a limit of callproof or of its engine for patterns.
_CONSISTENT = {"04-look-ahead", "05-laughs-in-itself", "10-line-separators", "10-long-line", "10-nanoseconds"}
_UNREAD = {name for name in LOGS if name.startswith(("02-", "06-", "14-"))}


@pytest.fixture(scope="module")
def all_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tree of all hostile logs."""
    folder = tmp_path_factory.mktemp("hostile")
    write(folder)
    return folder


@pytest.fixture(scope="module")
def found(all_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """The outcome of one audit of all hostile logs, with values shown, which is the more dangerous way."""
    return audited(all_logs, tmp_path_factory.mktemp("reports"), "--show-values")


def test_no_hostile_log_ends_the_audit(found: Audited) -> None:
    """Every log has its outcome, callproof has no error of its own, and standard error is empty (SEC-02)."""
    assert (found.exit_code, found.stderr, found.report["errors"]) == (1, "", [])
    assert {each["name"] for each in found.report["runs"]} == set(LOGS)
    assert set(found.said) == {"text", *REPORTS}


@pytest.mark.parametrize("name", sorted(_CONSISTENT))
def test_what_is_merely_unusual_is_consistent(found: Audited, name: str) -> None:
    """Long lines, and separators that split no lines, accuse no log (SEC-07, SEC-10)."""
    assert (found.outcome(name), found.broken(name)) == ("consistent", set())


@pytest.mark.parametrize("name", sorted(_UNREAD))
def test_what_was_not_read_is_never_called_consistent(found: Audited, name: str) -> None:
    """Pipes, devices, links, folders, endless lines, bombs and absurd numbers accuse no log (SEC-06, SEC-14)."""
    assert (found.outcome(name), found.broken(name)) == ("unread", set())


@pytest.mark.parametrize("name", sorted(set(LOGS) - _CONSISTENT - _UNREAD))
def test_no_other_hostile_log_is_consistent(found: Audited, name: str) -> None:
    """Whatever was forged, split, repeated or left out is found, or the log counts as incomplete."""
    assert found.outcome(name) in {"violations", "incomplete"}


@pytest.mark.parametrize(
    ("name", "requirement"),
    [
        ("07-raw-line-feed", "LOG-04"),
        ("07-mark", "LOG-02"),
        ("07-utf-16", "LOG-02"),
        ("07-twice", "LOG-03"),
        ("07-no-number", "LOG-03"),
        ("07-surrogate", "LOG-03"),
        ("07-nul", "LOG-02"),
        ("15-attributes", "REF-04"),
    ],
)
def test_a_forged_record_is_found_by_its_law(found: Audited, name: str, requirement: str) -> None:
    """The law that a forgery breaks is among the broken laws that the audit reports (SEC-07, SEC-15)."""
    assert requirement in found.broken(name), found.broken(name)


def test_schemas_that_cannot_be_bounded_decide_nothing(found: Audited) -> None:
    """Laughs and enormous lists are refused as schemas, and refuse no args (SEC-04, SEC-05); nobody had to confirm."""
    for name in ("05-laughs", "05-laughs-any", "05-nodes"):
        assert found.broken(name) == {"VAL-09", "VAL-15"}, name


def test_no_schema_of_a_log_is_fetched(tmp_path: Path, hits: list[object]) -> None:
    """No server named by a reference, id or dialect is asked, and no file is opened (SEC-03)."""
    (tmp_path / "logs").mkdir()
    secret = tmp_path / "secret.json"
    secret.write_text('{"title": "hunter2"}', encoding="utf-8")
    address = f"http://127.0.0.1:{hits[0]}/schema.json"
    for number, schema in enumerate(
        (
            {"$ref": address},
            {"$id": address, "properties": {"path": {"$ref": "other.json"}}},
            {"$schema": address},
            {"$dynamicRef": address},
            {"$defs": {"unused": {"$ref": address}}},
            {"$ref": secret.as_uri()},
        )
    ):
        edit_schemas(copy_of("linear", tmp_path / "logs" / str(number)), schema)
    told = audited(tmp_path / "logs", tmp_path)
    assert (hits[1:], told.stderr) == ([], "")
    assert all("hunter2" not in said for said in told.said.values())


def test_no_active_character_is_printed(found: Audited, all_logs: Path) -> None:
    """Escapes, overrides, separators and lone surrogates of a log appear in no form of the report (SEC-08)."""
    shown = {**found.said, "github": printed(all_logs / "08-active", "github")}
    for form, said in shown.items():
        active = {sign for sign in said if unicodedata.category(sign) in {"Cc", "Zl", "Zp", "Cs"}} - {"\n"}
        assert not active, form
        assert "\u202e" not in said, form


def test_no_line_of_a_log_is_taken_for_a_command_of_a_build(found: Audited) -> None:
    """No printed line begins with text of a log, so that a log can forge neither commands nor verdicts (SEC-08)."""
    for form in ("text", "report.md", "report.jsonl"):
        assert not re.search(r"^\s*(::|FAILED)", found.said[form], re.MULTILINE), form


def test_annotations_hold_no_command_but_their_own(all_logs: Path) -> None:
    """Each annotation is one line, however many line feeds its text had (SEC-08)."""
    lines = printed(all_logs / "08-active", "github").splitlines()
    assert lines
    assert all(
        re.match(r"::(error|warning|notice)[ :]", line) and "forged" not in line.split("::")[1] for line in lines
    )


class _Page(HTMLParser):
    """Collects the parts of a page that could act."""

    def __init__(self) -> None:
        super().__init__()
        self.acting: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _ELEMENTS:
            self.acting.append(tag)
        self.acting += [name for name, _ in attrs if name.startswith("on")]


def test_the_page_holds_nothing_that_acts(found: Audited) -> None:
    """No element and no attribute of the page comes from a log (SEC-08); ``tests/browser`` checks it in a browser."""
    page = _Page()
    page.feed(found.said["report.html"])
    assert page.acting == []
    assert "{{7*7}}" in found.said["report.html"]


def test_reports_for_programs_are_well_formed(found: Audited) -> None:
    """The XML parses, and every JSON document and every line of JSON is JSON (SEC-08)."""
    for name in ("report.xml", "badge.svg"):
        ElementTree.fromstring(found.said[name])
    json.loads(found.said["report.sarif"])
    for line in found.said["report.jsonl"].splitlines():
        json.loads(line)


def test_a_flood_of_findings_is_capped_and_counted(found: Audited) -> None:
    """With one finding more than a report shows, the count is exact (SEC-12)."""
    row = next(each for each in found.report["requirements"] if each["id"] == "RES-04")
    listed = [each for each in found.report["findings"] if each["requirement"] == "RES-04"]
    assert row["findings"] > limits.FINDINGS_SHOWN_PER_REQUIREMENT
    assert len(listed) <= limits.FINDINGS_SHOWN_PER_REQUIREMENT


def test_names_in_a_log_are_no_names_of_files(all_logs: Path, tmp_path: Path) -> None:
    """An audit writes only the reports that it was asked for, wherever a runId points (SEC-13)."""
    before = set(all_logs.rglob("*"))
    (tmp_path / "reports").mkdir()
    audited(all_logs / "13-run-id", tmp_path / "reports")
    assert set(all_logs.rglob("*")) == before
    assert {path.name for path in tmp_path.rglob("*")} == {"reports", *REPORTS}


def test_active_text_is_really_there(all_logs: Path) -> None:
    """The hostile log really holds the text that the tests look for in the reports."""
    assert json.dumps(ACTIVE)[1:-1] in (all_logs / "08-active" / "run.json").read_text(encoding="utf-8")
