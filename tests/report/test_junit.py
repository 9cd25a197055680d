"""Reports as JUnit XML."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from callproof.report.junit import junit
from callproof.spec.registry import specification
from hypothesis import given
from hypothesis import strategies as st
from reports import finding, hostile_report, log_report, report, requirement

GOOD = [requirement("CALL-01", "pass")]
BROKEN = [requirement("RETRY-03", "fail", findings=1)]


def cases(made: dict[str, Any]) -> dict[str, str]:
    """The state of every test case by its name."""
    root = ET.fromstring(junit(made, specification()))
    found = {}
    for case in root.iter("testcase"):
        states = [child.tag for child in case if child.tag != "system-out"]
        found[case.attrib["name"]] = states[0] if states else "passed"
    counts = {"tests": len(found), "failures": 0, "errors": 0, "skipped": 0}
    for state in found.values():
        name = {"failure": "failures", "error": "errors", "skipped": "skipped"}.get(state)
        if name is not None:
            counts[name] += 1
    assert {name: int(root.attrib[name]) for name in counts} == counts
    return found


def test_every_requirement_is_a_case() -> None:
    """The case failed, was skipped or passed, depending on the verdict."""
    told = cases(report())
    assert [name.split()[0] for name in told] == ["CALL-01", "RETRY-03", "LOOP-01", "MSG-04"]
    assert [*told.values()] == ["passed", "failure", "skipped", "failure"]


def test_the_text_of_a_failure_tells_where_and_what() -> None:
    """The text has the run, the line, what was observed and what is permitted."""
    root = ET.fromstring(junit(log_report(), specification()))
    (told, *_) = [each.text for each in root.iter("failure")]
    assert told == "night/one at calls.jsonl:3: s1 was attempted 3 times; permitted: 2 attempts"


@pytest.mark.parametrize(
    ("more", "exit_code"),
    [
        ({"requirements": GOOD, "findings": [], "outcome": "consistent"}, 0),
        ({"requirements": BROKEN, "findings": [finding()]}, 1),
        ({"requirements": BROKEN, "findings": [finding(known="yes")], "outcome": "known failures"}, 0),
        ({"requirements": BROKEN, "findings": [finding(level="SHOULD")], "outcome": "consistent"}, 0),
        ({"requirements": BROKEN, "findings": [finding(level="SHOULD")], "failOn": "should"}, 1),
        ({"requirements": BROKEN, "findings": [finding()], "failOn": "never"}, 0),
        ({"requirements": BROKEN, "findings": [finding(known="yes")], "stale": ["x"], "outcome": "stale baseline"}, 1),
        # No baseline lists the finding that fails here, and the report does not list it either.
        ({"requirements": BROKEN, "findings": [finding(known="yes")]}, 1),
        ({"requirements": GOOD, "findings": [], "errors": ["broke"], "outcome": "error"}, 3),
        ({"requirements": GOOD, "findings": [], "outcome": "not proven"}, 1),
        ({"requirements": [requirement("MSG-04", "inconclusive")], "findings": [], "outcome": "not proven"}, 1),
        ({"requirements": [], "findings": [], "outcome": "nothing judged"}, 2),
        ({"requirements": GOOD, "findings": [], "errors": ["interrupted"], "outcome": "interrupted"}, 130),
    ],
)
def test_something_failed_exactly_where_the_exit_code_says_so(more: dict[str, Any], exit_code: int) -> None:
    """A build must get the same result from the test report and from the exit code."""
    runs = [{"name": "a", "outcome": "unread" if more.get("outcome") == "not proven" else "consistent", "notes": []}]
    told = cases(log_report(**{"runs": runs, **more, "exitCode": exit_code}))
    assert bool({"failure", "error"} & set(told.values())) is bool(exit_code)


def test_many_findings_are_counted() -> None:
    """A test report should not have a thousand lines for one failure."""
    many = [finding(run=f"r{number}") for number in range(50)]
    made = log_report(findings=many, requirements=[requirement("RETRY-03", "fail", findings=60)])
    assert "… and 40 more" in junit(made, specification())


def test_hostile_text_is_text() -> None:
    """It becomes neither an element nor a control character."""
    text = junit(hostile_report(), specification())
    assert "<script" not in text
    assert not set(text) & {"\x1b", "\u202e", "\x00"}
    assert cases(hostile_report())


@given(st.text(st.characters(), max_size=80))
def test_every_text_gives_well_formed_xml(text: str) -> None:
    """XML cannot hold every character, not even escaped."""
    told = finding(observed=text, run=text, permitted=text)
    made = log_report(findings=[told], errors=[text], runs=[{"name": text, "outcome": "unread", "notes": [text]}])
    assert ET.fromstring(junit(made, specification())).tag == "testsuites"
