"""A report as a page, a summary and a badge: each made from the document, and each safe to open."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from callproof.report.files import BadReport, read_report, rendered
from callproof.report.picture import picture
from callproof.report.targets import Form
from callproof.report.text import lines
from callproof.schema.validator import shape_validator
from callproof.spec.registry import specification
from reports import HOSTILE, finding, hostile_log_report, hostile_report, log_report, report, told_of


class _Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("made", [report(), hostile_report()], ids=["plain", "hostile"])
def test_the_reports_of_these_tests_are_reports(made: dict[str, Any]) -> None:
    """What is rendered here has the shape of the specification."""
    assert shape_validator("report").errors(made) == ()


@pytest.mark.parametrize("form", [each for each in Form if each is not Form.STATEMENT])
def test_a_stored_report_is_rendered_to_the_same_bytes(form: Form, tmp_path: Path) -> None:
    """The document is all that a form is made of."""
    stored = tmp_path / "report.json"
    stored.write_text(rendered(report(), Form.JSON), encoding="utf-8")
    assert rendered(read_report(stored), form) == rendered(report(), form)


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (partial(report, findings=[]), "the suite or the adapter failed, which says nothing about the system"),
        (report, "the suite or the adapter failed; what was found stands"),
        (log_report, "not everything could be judged"),
    ],
    ids=["live", "live and broken", "log"],
)
@pytest.mark.parametrize("form", ["text", Form.HTML, Form.MARKDOWN, Form.ANNOTATIONS, Form.SARIF])
def test_an_error_is_told_as_what_it_is(form: Form | str, made: Callable[..., dict[str, Any]], says: str) -> None:
    """With a log there is no adapter that could have failed, and no system that nothing is said about."""
    broken = made(outcome="error", exitCode=3, errors=["a grew"])
    shown = (
        rendered(broken, form)
        if isinstance(form, Form)
        else "\n".join(each.plain for each in lines(broken, specification()))
    )
    assert says in shown.replace("\n", " ")
    assert ("adapter failed" in shown) is (broken["subject"]["kind"] == "system")


@pytest.mark.parametrize("made", [hostile_report(), hostile_log_report()], ids=["live", "log"])
def test_the_page_has_nothing_that_could_be_fetched_or_run(made: dict[str, Any]) -> None:
    """No script, no link to another document, no source; the policy of the page forbids them besides."""
    for tag, attributes in _Elements(rendered(made, Form.HTML)).found:
        assert tag not in {"script", "img", "link", "iframe", "object", "embed", "form", "base"}
        assert not {name for name in attributes if name.startswith("on") or name in {"src", "srcset", "action"}}
        assert attributes.get("href", "#") is None or str(attributes.get("href", "#")).startswith("#")
    assert "default-src 'none'" in rendered(report(), Form.HTML)


@pytest.mark.parametrize("made", [hostile_report(), hostile_log_report()], ids=["live", "log"])
@pytest.mark.parametrize("form", [Form.HTML, Form.MARKDOWN, Form.BADGE, Form.JUNIT])
def test_hostile_text_is_shown_as_what_it_is(form: Form, made: dict[str, Any]) -> None:
    """Escapes of terminals, overrides of direction and NUL are spelled out; markup is text."""
    text = rendered(made, form)
    assert not set(text) & {"\x1b", "\u202e", "\x00"}
    assert "<script" not in text
    assert "<img" not in text
    assert HOSTILE not in text


def test_hostile_text_makes_no_link_and_no_line_of_its_own_in_a_summary() -> None:
    """Brackets of Markdown are escaped, and a line break is not one."""
    text = rendered(hostile_report(), Form.MARKDOWN)
    assert not re.search(r"(?<!\\)\]\(", text)
    assert not any(line.startswith("::") for line in text.splitlines())


@pytest.mark.parametrize("made", [report(), log_report()], ids=["live", "log"])
def test_every_table_has_a_caption_and_every_id_is_used_once(made: dict[str, Any]) -> None:
    """What a screen reader needs to find its way."""
    elements = _Elements(rendered(made, Form.HTML)).found
    names = [tag for tag, _ in elements]
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert names.count("table") == names.count("caption") > 3
    assert len(ids) == len(set(ids))
    targets = {str(attributes["href"])[1:] for tag, attributes in elements if tag == "a"}
    assert targets <= set(ids)


def test_the_page_shows_the_law_the_gap_and_what_was_missing() -> None:
    """Everything that the document tells, and the text of the law that was broken."""
    page = rendered(report(), Form.HTML)
    for told in (
        "effective limit",
        "callproof explain RETRY-03",
        "foreach",
        "13",
        "MSG-04",
        "events",
        "the plan permits 2",
    ):
        assert told in page


def test_findings_that_differ_in_values_only_are_shown_once() -> None:
    """Six hundred of one kind are one thing to read, with a count."""
    many = report(findings=[finding(run=f"SC-07/{number}") for number in range(600)])
    assert rendered(many, Form.HTML).count("<article") == 1
    assert rendered(many, Form.MARKDOWN).count("<details>") == 1
    assert "599 more" in rendered(many, Form.HTML)


def test_the_summary_says_what_the_claim_leaves_out() -> None:
    """A gap in the claim is told with its weight."""
    assert "foreach (13 requirements)" in rendered(report(), Form.MARKDOWN)


def test_the_badge_counts_what_was_kept_of_what_was_claimed() -> None:
    """What the claim leaves out is not counted; the title says it all."""
    root = ET.fromstring(rendered(report(), Form.BADGE))
    assert root.attrib["aria-label"] == "callproof: violations 1/3"
    assert root[0].text == "callproof: violations 1/3"


def test_the_picture_has_a_lane_for_each_call_and_a_mark_for_each_row() -> None:
    """Marks go from left to right; a tick stands where time has passed."""
    drawn = picture(told_of())
    assert [lane.name for lane in drawn.lanes] == ["the run", "s1 attempt 1", "the folder"]
    assert [mark.x for mark in drawn.marks] == sorted(mark.x for mark in drawn.marks)
    assert [tick.says for tick in drawn.ticks] == ["0 ms", "50 ms"]
    assert "s1 attempt 1" in drawn.says


def test_a_picture_of_nothing_is_no_fault() -> None:
    """A log has one testimony only, and no row."""
    assert picture({"run": "x", "clock": "real", "rows": [], "left": 0}).marks == ()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is no report"),
        ("[]", "is no report"),
        (json.dumps({**report(), "outcome": "splendid"}), "is no report"),
    ],
)
def test_what_is_no_report_is_refused(content: str, says: str, tmp_path: Path) -> None:
    """A file from anywhere is read strictly, and measured against the shape."""
    file = tmp_path / "report.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadReport, match=says):
        read_report(file)


def test_a_report_that_is_not_there_is_told() -> None:
    """Nothing at the path."""
    with pytest.raises(BadReport, match="cannot be read"):
        read_report(Path("no-such-report.json"))


def test_a_finding_of_a_scenario_says_how_to_see_what_was_sent() -> None:
    """The command is there for the run of a case, and for no run of a log, however it is called."""
    told = str([line.plain for line in lines(report(findings=[finding(run="SC-07/on-error-retry")]), specification())])
    assert "case  callproof explain SC-07/on-error-retry" in told
    logged = log_report(findings=[finding(run="SC-07/on-error-retry")])
    assert "callproof explain SC-" not in str([line.plain for line in lines(logged, specification())])


@pytest.mark.parametrize("run", ["GEN/0-9", "GEN/0-9-small", "GEN/0-9.1", "GEN/0-9-small log"])
def test_a_finding_of_a_generated_case_says_how_to_keep_it(run: str) -> None:
    """Nothing else shows what was sent; where the case was kept, the command that has it again is enough."""
    told = [line.plain for line in lines(report(findings=[finding(run=run)]), specification())]
    assert "  case  made by --seed 0; --save-cases FOLDER keeps it for callproof replay" in told
    kept = [line.plain for line in lines(report(findings=[finding(run=run, replay="again")]), specification())]
    assert [line for line in kept if line.startswith(("  case", "  replay"))] == ["  replay  again"]
