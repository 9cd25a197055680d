"""The page of an audit: counts, runs with findings on a line of time, and a page that stays usable for 10 000 runs."""

from __future__ import annotations

import re
from typing import Any

import pytest
from callproof.report.files import rendered
from callproof.report.targets import Form
from callproof.report.timeline_picture import timeline_picture
from callproof.schema.validator import shape_validator
from hypothesis import given
from hypothesis import strategies as st
from reports import finding, hostile_log_report, log_report, timeline_of

INSTANTS = st.floats(0, 1e12) | st.integers(-(10**6), 10**15) | st.sampled_from([-1e308, 1e308])


@pytest.mark.parametrize("made", [log_report(), hostile_log_report()], ids=["plain", "hostile"])
def test_the_reports_of_these_tests_are_reports(made: dict[str, Any]) -> None:
    """The reports that these tests render have the shape of the specification."""
    assert shape_validator("report").errors(made) == ()


def test_the_page_counts_by_requirement_tool_and_version() -> None:
    """The page first shows where the findings are, then what they are."""
    page = rendered(log_report(), Form.HTML)
    for caption in ("Findings by requirement", "Calls and findings by tool", "Runs and findings by version"):
        assert f"<caption>{caption}</caption>" in page
    assert "all others" in page


def test_each_finding_stands_at_its_place_in_the_picture_of_its_run() -> None:
    """There its number links to it; the picture is drawn only once for each run."""
    other = finding(run="night/one", requirement="RES-03", witness=log_report()["findings"][0]["witness"])
    page = rendered(log_report(findings=[*log_report()["findings"], other]), Form.HTML)
    assert page.count('<svg class="timeline"') == 1
    assert re.findall(r'class="flag"[^>]*><a href="#finding-(\d)">\d</a> <a href="#finding-(\d)">', page) == [
        ("1", "2")
    ]
    assert page.count('class="ring"') == 2
    assert "is drawn with finding 1" in page


def test_a_run_whose_findings_are_shown_with_another_run_is_drawn_too() -> None:
    """Its picture is folded away, with the numbers of the kinds of findings that it has."""
    again = finding(run="night/two", witness=log_report()["findings"][0]["witness"])
    made = log_report(findings=[*log_report()["findings"], again], timelines=[timeline_of(), timeline_of("night/two")])
    page = rendered(made, Form.HTML)
    assert page.count("<article") == 1
    assert page.count('<svg class="timeline"') == 2
    assert "1 more run with findings" in page
    assert 'as in <a href="#finding-1">finding 1</a>' in page


def test_what_follows_from_another_finding_comes_after_it_and_says_so() -> None:
    """The root comes first, and the other finding has a link to it."""
    first = log_report()["findings"][0]
    cause = {"requirement": "RETRY-03", "file": "calls.jsonl", "line": 3, "because": "it is the same call"}
    second = finding(run="night/one", requirement="CALL-01", followsFrom=cause)
    page = rendered(log_report(findings=[second, first]), Form.HTML)
    assert page.index("<code>RETRY-03</code>") < page.index("<code>CALL-01</code>")
    assert '<a href="#finding-1">finding 1</a>, <code>RETRY-03</code> at calls.jsonl:3: it is the same call' in page


@pytest.mark.parametrize("form", [Form.MARKDOWN, Form.ANNOTATIONS])
def test_short_forms_show_roots_and_count_what_follows(form: Form) -> None:
    """A finding of the same kind that does not follow from another is still a root."""
    cause = {"requirement": "RES-01", "file": "calls.jsonl", "line": 1, "because": "it is the same call"}
    made = log_report(findings=[finding(followsFrom=cause), finding(run="night/one")])
    text = rendered(made, form)
    assert "RETRY-03 (1)" in text or form is not Form.MARKDOWN
    assert text.count("s1 was attempted 3 times") == 1


def test_ten_thousand_runs_stay_usable() -> None:
    """Good runs are only counted; the first broken ones are listed, with a picture if the report has one."""
    runs = [{"name": f"night/{number}", "outcome": "consistent", "notes": []} for number in range(10_000)]
    broken = [{**each, "outcome": "violations", "folder": "x"} for each in runs[:3_000]]
    findings = [finding(run=each["name"], **{"class": f"kind {place % 400}"}) for place, each in enumerate(broken)]
    made = log_report(
        runs=[*broken, *runs[3_000:]],
        findings=findings[:1_000],
        timelines=[timeline_of(each["name"]) for each in broken[:200]],
        tools=[{"name": f"t{number}", "calls": 1, "findings": 0} for number in range(1_000)],
    )
    page = rendered(made, Form.HTML)
    assert page.count("<article") == 200
    assert page.count('<svg class="timeline"') == 200
    assert page.count('<td class="place">night/') == 1_000
    assert "except 7000 that are consistent, and 2000 more that the JSON report lists" in page
    assert "only the first 200 kinds are shown" in page
    assert "900 more in the JSON report" in page
    assert len(page) < 4_000_000


def test_a_picture_has_a_bar_for_each_attempt_and_a_line_for_the_confirmation() -> None:
    """The attempts of one step are side by side, in the order of time."""
    drawn = timeline_picture(timeline_of())
    assert [lane.name for lane in drawn.lanes] == ["the run", "s1", "s2[1]"]
    first, second, third = drawn.bars
    assert first.y == second.y < third.y
    assert first.waited < first.x < first.x + first.width < second.x
    assert [bar.ended for bar in drawn.bars] == [True, False, False]
    (asked,), (answered,) = drawn.asked, drawn.answered
    assert asked.x < answered.x < first.x
    assert drawn.place_of("events.jsonl:2") is not None
    assert drawn.place_of("events.jsonl:99") is None


def test_a_timeline_of_nothing_is_no_fault() -> None:
    """A log may hold a run record and nothing else."""
    drawn = timeline_picture({"run": "x", "calls": [], "moments": [], "left": 0})
    assert [lane.name for lane in drawn.lanes] == ["the run"]


@given(
    st.lists(st.fixed_dictionaries({}, optional={"madeMs": INSTANTS, "fromMs": INSTANTS, "toMs": INSTANTS}), max_size=9)
)
def test_whatever_the_instants_everything_stays_in_the_picture(spans: list[dict[str, Any]]) -> None:
    """A log may have any instants, in any order; different ones are drawn apart, and later ones to the right."""
    calls = [
        {"name": f"s{place} attempt 1", "sources": [f"calls.jsonl:{place}"], **span} for place, span in enumerate(spans)
    ]
    drawn = timeline_picture({"run": "x", "calls": calls, "moments": [], "left": 0})
    for bar in drawn.bars:
        assert bar.waited >= 0
        assert 0 <= bar.x <= bar.x + bar.width <= drawn.width
    begun = [(call.get("fromMs", call.get("madeMs")), bar.x) for call, bar in zip(calls, drawn.bars)]
    known = sorted((at, x) for at, x in begun if at is not None)
    assert [x for _, x in known] == sorted(x for _, x in known)
    assert len({x for _, x in known}) == len({at for at, _ in known})
