"""Reports as SARIF: they are valid by its schema, and each finding has its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from callproof.report.sarif import sarif
from callproof.spec.registry import specification
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from reports import HOSTILE, finding, hostile_report, log_report, report

# A copy of the published schema: the README beside it says where it comes from and under which terms.
SCHEMA = json.loads((Path(__file__).parent / "sarif" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))


def read(made: dict[str, Any], root: Path = Path("/here")) -> dict[str, Any]:
    """The one run of the SARIF of a report, which must be valid."""
    told = json.loads(sarif(made, specification(), root))
    assert [*Draft7Validator(SCHEMA).iter_errors(told)] == []
    (run,) = told["runs"]
    return run


@pytest.mark.parametrize(
    "made",
    [
        report(),
        log_report(),
        hostile_report(),
        log_report(findings=[], errors=["a", "b"], stale=["c"]),
        log_report(findings=[finding(requirement="NEW-01", known="for now", witness=[])]),
    ],
    ids=["live", "log", "hostile", "errors", "of another version"],
)
def test_every_report_is_valid_against_the_published_schema(made: dict[str, Any]) -> None:
    """This holds whatever the report contains."""
    assert len(read(made)["results"]) == len(made["findings"])


def test_a_finding_stands_at_the_first_record_of_its_witness() -> None:
    """Its location has file and line, as the paths were given; the other records are related locations."""
    (result,) = read(log_report())["results"]
    (place,) = result["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "logs/night/one/calls.jsonl"},
        "region": {"startLine": 3},
    }
    (other,) = result["relatedLocations"]
    assert other["physicalLocation"]["artifactLocation"]["uri"] == "logs/night/one/results.jsonl"
    assert result["level"] == "error"
    assert result["properties"]["tool"] == "echo"


@pytest.mark.parametrize(
    ("folder", "uri"),
    [
        ("/here/logs/a", "logs/a/calls.jsonl"),
        ("/elsewhere/a", "file:///elsewhere/a/calls.jsonl"),
        ("../a", "../a/calls.jsonl"),
        ("logs//x/../a", "logs/a/calls.jsonl"),
        ("a b/#1?%", "a%20b/%231%3F%25/calls.jsonl"),
        ("http:/x", "./http%3A/x/calls.jsonl"),
        ("\udce9", "%ED%B3%A9/calls.jsonl"),
        (".", "calls.jsonl"),
    ],
)
def test_paths_are_told_from_where_the_suite_runs(folder: str, uri: str) -> None:
    """A path is relative below that folder and absolute elsewhere, and can never be read as anything but a path."""
    made = log_report()
    made["runs"][0]["folder"] = folder
    (result,) = read(made)["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_a_message_of_a_live_run_is_a_place_with_a_name() -> None:
    """A message has no file, so it has a logical location."""
    (result,) = read(report())["results"]
    assert result["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "SC-07/once, message 2"}]


def test_what_a_baseline_lists_is_suppressed() -> None:
    """The suppression has the reason of the baseline."""
    (result,) = read(log_report(findings=[finding(known="is being mended")]))["results"]
    assert result["suppressions"] == [{"kind": "external", "justification": "is being mended"}]


def test_brackets_and_braces_of_a_record_make_no_link_and_no_placeholder() -> None:
    """They are escaped as SARIF says (3.11.5, 3.11.6)."""
    (result,) = read(log_report(findings=[finding(observed="[x](1) {0} \\", because=[])]))["results"]
    assert result["message"]["text"] == "\\[x\\](1) {{0}} \\\\"


def test_two_findings_have_two_fingerprints_and_one_has_the_same_in_every_report() -> None:
    """A system that reads SARIF tells new findings from old ones by the fingerprint."""
    other = finding(run="night/two")
    results = read(log_report(findings=[finding(), other, finding()]))["results"]
    one, two, again = (each["partialFingerprints"]["callproofFinding/v1"] for each in results)
    assert one == again != two


def test_what_failed_in_the_suite_is_a_notification() -> None:
    """A run that was not read in full also has a notification."""
    (invocation,) = read(log_report(errors=[HOSTILE], exitCode=3))["invocations"]
    assert not invocation["executionSuccessful"]
    levels = [each["level"] for each in invocation["toolExecutionNotifications"]]
    assert levels == ["error", "warning"]


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_breaks_the_form(text: str, other: str) -> None:
    """Neither a folder's name nor the text of a record breaks it."""
    made = log_report(findings=[finding(run="night/one", observed=text or "x", because=[other], tool=other)])
    made["runs"][0]["folder"] = other
    assert read(made)["results"]
