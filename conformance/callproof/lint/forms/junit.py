"""Findings as JUnit XML: a test case for each tool of each document; the findings that fail the run fail it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from callproof.lint.forms.report import Report
from callproof.lint.forms.words import sentence
from callproof.report.junit import Case, xml

_FINDINGS_SHOWN = 20


def rendered(told: Report, _root: Path) -> str:
    """The report as XML.  The same report gives the same bytes."""
    return xml(told["suite"], [*_tools(told), *_problems(told)])


def _tools(told: Report) -> Iterator[Case]:
    found: dict[tuple[str, str], list[Report]] = {}
    for each in told["judged"]:
        found.setdefault((each["file"], each["tool"]), [])
    for each in told["findings"]:
        found.setdefault((each["file"], each["tool"]), []).append(each)
    for (file, tool), findings in found.items():
        failing = [each for each in findings if each["severity"] in told["failing"]]
        says = f"{failing[0]['rule']}: {failing[0]['observed']}" if failing else ""
        lines = tuple(_lines(findings))
        yield Case(file, tool or "the document", "failure" if failing else "passed", says, lines)


def _lines(findings: list[Report]) -> Iterator[str]:
    for each in findings[:_FINDINGS_SHOWN]:
        at = f"{each['file']}:{each['line']}:{each['column']}"
        yield f"{at}: {each['severity']} {each['rule']}: {sentence(each)}"
    if len(findings) > _FINDINGS_SHOWN:
        yield f"… and {len(findings) - _FINDINGS_SHOWN} more; the JSON report lists them"


def _problems(told: Report) -> Iterator[Case]:
    for number, each in enumerate(told["problems"], start=1):
        yield Case("callproof lint", f"problem {number}", "error", each)
