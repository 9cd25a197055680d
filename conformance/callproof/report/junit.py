"""A report as JUnit XML: a test case for each requirement, and one for each other thing that fails.

At least one test case in it fails if the exit code of the report is not 0, and none otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Any

from callproof.report.escape import safe
from callproof.report.unlisted import where_listed
from callproof.report.weight import binding, weight
from callproof.report.words import NOT_IN_FULL, meaning
from callproof.spec.registry import Specification
from callproof.values.counts import counted, was

_Report = Mapping[str, Any]
_FINDINGS_SHOWN = 20
_RUNS_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Case:
    """One test case; ``state`` is passed, skipped, failure or error."""

    group: str
    name: str
    state: str = "passed"
    says: str = ""
    lines: tuple[str, ...] = ()


def junit(report: _Report, spec: Specification) -> str:
    """The report as XML.  The same report gives the same bytes."""
    cases = [*_requirements(report, spec), *_whole(report)]
    broken = {each.state for each in cases} & {"failure", "error"}
    if report["exitCode"] and not broken:
        cases.append(Case("report", "outcome", "failure", meaning(report)))
    return xml(report["suite"], cases)


def xml(name: str, cases: Sequence[Case]) -> str:
    """Test cases as JUnit XML; consecutive cases of the same group form one suite."""
    suites = (
        line for group, members in groupby(cases, key=lambda case: case.group) for line in _suite(group, [*members])
    )
    head = f'<testsuites name="{_text(name)}" {_counts(cases)}>'
    return "\n".join(('<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>")) + "\n"


def _requirements(report: _Report, spec: Specification) -> Iterator[Case]:
    found: dict[str, list[_Report]] = {}
    for finding in report["findings"]:
        found.setdefault(finding["requirement"], []).append(finding)
    for row in report["requirements"]:
        law = spec.requirements.get(row["id"])
        name = f"{row['id']} {law.title}" if law is not None else row["id"]
        state, says = _state(row, found.get(row["id"], []), report)
        lines = tuple(_lines(row, found.get(row["id"], [])))
        yield Case(row["id"].rpartition("-")[0], name, state, says, lines)


def _state(row: _Report, findings: Sequence[_Report], report: _Report) -> tuple[str, str]:
    match row["verdict"]:
        case "error":
            return "error", "a check itself failed, which says nothing about what was judged"
        case "fail" if any(weight(each, report) == "fail" for each in findings):
            return "failure", counted(row["findings"], "finding")
        case "inconclusive" if row["required"] and binding(report):
            return "failure", f"not proven: lacks {', '.join(row['missing'])}"
        case "inconclusive" | "inapplicable" as verdict:
            return "skipped", f"{verdict}: {', '.join(row['missing'])}"
        case _:
            return "passed", ""


def _lines(row: _Report, findings: Sequence[_Report]) -> Iterator[str]:
    for each in findings[:_FINDINGS_SHOWN]:
        at = "".join(f" at {witness['file']}:{witness['line']}" for witness in each["witness"][:1])
        known = f" (known: {each['known']})" if "known" in each else ""
        yield f"{each['run']}{at}: {each['observed']}; permitted: {each['permitted']}{known}"
    if row["findings"] > _FINDINGS_SHOWN:
        more = row["findings"] - _FINDINGS_SHOWN
        yield f"… and {more} more; {where_listed(row['findings'] - len(findings))}"


def _whole(report: _Report) -> Iterator[Case]:
    """What makes a report fail besides its requirements."""
    for number, error in enumerate(report["errors"], start=1):
        yield Case("report", f"error {number}", "error", error)
    if not report["exitCode"]:
        return
    for number, entry in enumerate(report.get("stale", ()), start=1):
        yield Case("report", f"baseline {number}", "failure", entry)
    unread = [each for each in report["runs"] if each["outcome"] in NOT_IN_FULL]
    for run in unread[:_RUNS_SHOWN]:
        yield Case("report", run["name"], "failure", run["outcome"], tuple(run["notes"]))
    if unread[_RUNS_SHOWN:]:
        more = len(unread) - _RUNS_SHOWN
        yield Case("report", "other runs", "failure", f"{more} more {was(more)} unread or refused")


def _suite(name: str, cases: Sequence[Case]) -> Iterator[str]:
    yield f'  <testsuite name="{_text(name)}" {_counts(cases)}>'
    for each in cases:
        yield from _case(each)
    yield "  </testsuite>"


def _case(case: Case) -> Iterator[str]:
    head = f'    <testcase classname="callproof.{_text(case.group)}" name="{_text(case.name)}"'
    if case.state == "passed" and not case.lines:
        yield f"{head}/>"
        return
    yield f"{head}>"
    body = "\n".join(_text(line) for line in case.lines)
    if case.state == "passed":
        yield f"      <system-out>{body}</system-out>"
    else:
        said = f'message="{_text(case.says)}"'
        yield f"      <{case.state} {said}>{body}</{case.state}>" if body else f"      <{case.state} {said}/>"
    yield "    </testcase>"


def _counts(cases: Iterable[Case]) -> str:
    states = Counter(case.state for case in cases)
    told = {"tests": states.total(), "failures": states["failure"], "errors": states["error"]}
    return " ".join(f'{name}="{number}"' for name, number in {**told, "skipped": states["skipped"]}.items())


def _text(text: str) -> str:
    return escape(safe(text, most=2_000))
