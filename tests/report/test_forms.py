"""A report as a page, a summary and a badge: each is made from the document, and each is safe to open."""

from __future__ import annotations

import html
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
from callproof.report.lines import json_lines
from callproof.report.picture import picture
from callproof.report.targets import Form
from callproof.report.text import lines
from callproof.schema.validator import shape_validator
from callproof.spec.registry import specification, whole_specification
from markdown_it import MarkdownIt
from reports import HOSTILE, finding, hostile_log_report, hostile_report, log_report, report, requirement, told_of


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
    """The reports that these tests render have the shape of the specification."""
    assert shape_validator("report").errors(made) == ()


@pytest.mark.parametrize("form", [each for each in Form if each is not Form.STATEMENT])
def test_a_stored_report_is_rendered_to_the_same_bytes(form: Form, tmp_path: Path) -> None:
    """A form is made of nothing but the document."""
    stored = tmp_path / "report.json"
    stored.write_text(rendered(report(), Form.JSON), encoding="utf-8")
    assert rendered(read_report(stored), form) == rendered(report(), form)


def test_a_report_that_was_kept_as_lines_is_read_like_one_of_json(tmp_path: Path) -> None:
    """The name of its file does not matter."""
    stored = tmp_path / "report"
    stored.write_text(rendered(report(), Form.JSON_LINES), encoding="utf-8")
    assert read_report(stored) == report()


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
    """With a log no adapter could have failed, and there is no system, so the text must not mention them."""
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
    """It has no script, no link to another document and no source; the policy of the page also forbids them."""
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
    """Brackets of Markdown are escaped, and so is a line break."""
    text = rendered(hostile_report(), Form.MARKDOWN)
    assert not re.search(r"(?<!\\)\]\(", text)
    assert not any(line.startswith("::") for line in text.splitlines())


@pytest.mark.parametrize("made", [report(), log_report()], ids=["live", "log"])
def test_every_table_has_a_caption_and_every_id_is_used_once(made: dict[str, Any]) -> None:
    """A user with a screen reader needs that to find their way."""
    elements = _Elements(rendered(made, Form.HTML)).found
    names = [tag for tag, _ in elements]
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert names.count("table") == names.count("caption") > 3
    assert len(ids) == len(set(ids))
    targets = {str(attributes["href"])[1:] for tag, attributes in elements if tag == "a"}
    assert targets <= set(ids)


def test_the_page_shows_the_law_the_gap_and_what_was_missing() -> None:
    """The page has everything that the document has, and the text of the law that was broken."""
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
    """A reader sees six hundred findings of one kind as one entry, with a count."""
    many = report(findings=[finding(run=f"SC-07/{number}") for number in range(600)])
    assert rendered(many, Form.HTML).count("<article") == 1
    assert rendered(many, Form.MARKDOWN).count("<details>") == 1
    assert "599 more" in rendered(many, Form.HTML)


def test_a_name_in_the_heading_of_a_finding_is_shown_without_the_escapes_of_markdown() -> None:
    """Inside an HTML element Markdown is not read, so a backslash would be visible."""
    shown = MarkdownIt("commonmark").render(rendered(report(), Form.MARKDOWN))
    heading = html.unescape(shown.partition("<summary>")[2].partition("</summary>")[0])
    assert heading == f"<b>RETRY-03</b> fail · {specification().requirements['RETRY-03'].title} · SC-07/once"


def test_each_form_for_people_says_how_many_findings_are_not_listed() -> None:
    """A report lists a limited number of each law; its number of all is exact, and no form shows a smaller one."""
    rows = [requirement("CALL-01", "pass"), requirement("RETRY-03", "fail", findings=1_203)]
    many = report(requirements=rows, findings=[finding(run=f"SC-07/{number}") for number in range(1_000)])
    assert "### 1203 findings, of 1 kind" in rendered(many, Form.MARKDOWN)
    assert "203 findings of them were only counted; no report lists them." in rendered(many, Form.MARKDOWN)
    assert "203 that the report does not list" in rendered(many, Form.HTML)
    assert "; 203 more findings that the report does not list" in rendered(many, Form.ANNOTATIONS).splitlines()[-1]
    assert "and 1183 more; the JSON report lists all but 203 of them" in rendered(many, Form.JUNIT)
    (noted,) = json.loads(rendered(many, Form.SARIF))["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert noted["message"]["text"] == "203 more findings of RETRY-03, which the report does not list"
    text = "\n".join(each.plain for each in lines(many, specification()))
    assert re.search(r"and 1\d\d\d more findings of RETRY-03; the JSON report lists all but 203 of them", text)


@pytest.mark.parametrize("form", [Form.MARKDOWN, Form.HTML, Form.SARIF, Form.ANNOTATIONS])
def test_nothing_is_said_to_be_unlisted_where_all_is_listed(form: Form) -> None:
    """A report whose numbers agree with its lists does not mention the limit."""
    assert not re.search(r"not list|no report lists", rendered(report(), form))


def test_what_is_stale_is_an_error_only_where_it_fails() -> None:
    """If nothing that was found fails the run, an annotation of an error would contradict that."""
    for code, level in (1, "error"), (0, "warning"):
        made = report(stale=["CALL-01 in x"], exitCode=code, outcome="stale baseline", findings=[])
        first = rendered(made, Form.ANNOTATIONS).splitlines()[0]
        assert first == f"::{level} title=callproof::CALL-01 in x"
        invocation = json.loads(rendered(made, Form.SARIF))["runs"][0]["invocations"][0]
        assert [each["level"] for each in invocation["toolConfigurationNotifications"]] == [level]


def test_errors_and_notes_beyond_a_number_are_told_by_their_number() -> None:
    """No error or note is left out without a mention."""
    made = report(errors=[f"error {number}" for number in range(53)], exitCode=3, outcome="error", findings=[])
    told = rendered(made, Form.ANNOTATIONS).splitlines()
    assert sum("::error title=callproof::error " in line for line in told) == 50
    assert told[-1].endswith("; 3 more errors in the JSON report")
    runs = [{"name": f"SC-07/{number}", "outcome": "conforms", "notes": ["odd"]} for number in range(1_002)]
    notes = json.loads(rendered(report(runs=runs), Form.SARIF))["runs"][0]["invocations"][0]
    assert len(notes["toolExecutionNotifications"]) == 1_001
    assert notes["toolExecutionNotifications"][-1]["message"]["text"] == "2 more notes, which the JSON report lists"


@pytest.mark.parametrize("member", ["suite", "requirements"])
def test_a_stored_report_can_do_nothing_to_a_terminal_or_a_table(member: str) -> None:
    """The author of a stored report may have given the suite and its requirements any name."""
    rows = [requirement(f"{HOSTILE}|-01", "inconclusive", required=False, missing=[HOSTILE])]
    made = report(**{member: HOSTILE if member == "suite" else rows})
    assert shape_validator("report").errors(made) == ()
    for outcome in "violations", "not proven":
        text = "\n".join(each.plain for each in lines({**made, "outcome": outcome}, specification()))
        assert not set(text) & {"\x1b", "\u202e", "\x00"}
    summary = rendered(made, Form.MARKDOWN)
    assert "<script" not in summary
    assert not any(line.startswith("::") for line in summary.splitlines())


def test_a_long_name_of_a_witness_does_not_push_the_others_away() -> None:
    """The name is cut to a readable length, and so is its column."""
    long = finding(witness=[{"name": name, "says": "x", "file": "wire", "line": 1} for name in ("n" * 1_000_000, "B")])
    assert max(len(each.plain) for each in lines(report(findings=[long]), specification())) < 5_000


def test_the_summary_says_what_the_claim_leaves_out() -> None:
    """The summary names a gap in the claim with its number of requirements."""
    assert "foreach (13 requirements)" in rendered(report(), Form.MARKDOWN)


def test_the_badge_counts_what_was_kept_of_what_was_claimed() -> None:
    """What the claim leaves out does not count; the title has the whole text."""
    root = ET.fromstring(rendered(report(), Form.BADGE))
    assert root.attrib["aria-label"] == "callproof: violations 1/3"
    assert root[0].text == "callproof: violations 1/3"


def test_the_picture_has_a_lane_for_each_call_and_a_mark_for_each_row() -> None:
    """Marks go from left to right; there is a tick where time has passed."""
    drawn = picture(told_of())
    assert [lane.name for lane in drawn.lanes] == ["the run", "s1 attempt 1", "the folder"]
    assert [mark.x for mark in drawn.marks] == sorted(mark.x for mark in drawn.marks)
    assert [tick.says for tick in drawn.ticks] == ["0 ms", "50 ms"]
    assert "s1 attempt 1" in drawn.says


def test_a_picture_of_nothing_is_no_fault() -> None:
    """A log has only one testimony, and no row."""
    assert picture({"run": "x", "clock": "real", "rows": [], "left": 0}).marks == ()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "is not a report"),
        ("[]", "is not a report"),
        ('{"runId": "r", "tools": [{"name": "vault.readFile"}]}', "is not a report: it has no reportVersion; expected"),
        (json.dumps({**report(), "outcome": "splendid"}), "is not a report"),
        (json_lines(report()).rpartition('{"kind"')[0], "is not a report: it was cut off after line [0-9]+: the"),
        (json_lines(report()).replace("violations", "splendid"), "is not a report: at /outcome, 'splendid'"),
    ],
)
def test_what_is_no_report_is_refused(content: str, says: str, tmp_path: Path) -> None:
    """A file may come from anywhere, so it is read strictly and checked by the shape."""
    file = tmp_path / "report.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(BadReport, match=says):
        read_report(file)


def test_a_report_that_is_not_there_is_told() -> None:
    """The error says that the path cannot be read."""
    with pytest.raises(BadReport, match="cannot be read"):
        read_report(Path("no-such-report.json"))


def test_a_finding_of_a_scenario_says_how_to_see_what_was_sent() -> None:
    """The run of a case has the command; a run of a log does not have it, whatever its name is."""
    told = str([line.plain for line in lines(report(findings=[finding(run="SC-07/on-error-retry")]), specification())])
    assert "case  callproof explain SC-07/on-error-retry" in told
    logged = log_report(findings=[finding(run="SC-07/on-error-retry")])
    assert "callproof explain SC-" not in str([line.plain for line in lines(logged, specification())])


def test_a_finding_of_another_protocol_says_how_to_see_its_case() -> None:
    """A written case has a page, and a log of a generated one can be kept."""
    found = [finding(run=run, requirement="HOST-03") for run in ("AL-05/blocked", "GEN/7-9")]
    told = [line.plain for line in lines(report(findings=found), whole_specification())]
    assert "  case  callproof explain AL-05/blocked" in told
    assert "  case  generated by --seed 7; --save-cases FOLDER saves it for callproof replay" in told


@pytest.mark.parametrize("run", ["GEN/0-9", "GEN/0-9-small", "GEN/0-9.1", "GEN/0-9-small log"])
def test_a_finding_of_a_generated_case_says_how_to_keep_it(run: str) -> None:
    """Nothing else shows what was sent; if the case was kept, the command that replays it is enough."""
    told = [line.plain for line in lines(report(findings=[finding(run=run)]), specification())]
    assert "  case  generated by --seed 0; --save-cases FOLDER saves it for callproof replay" in told
    kept = [line.plain for line in lines(report(findings=[finding(run=run, replay="again")]), specification())]
    assert [line for line in kept if line.startswith(("  case", "  replay"))] == ["  replay  again"]
