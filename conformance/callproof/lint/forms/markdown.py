"""Findings as Markdown, for the summary page of a CI run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from callproof.lint.forms.report import Report
from callproof.lint.forms.words import closing
from callproof.report.markdown import element, plain

_MARKS = {0: "✅", 1: "❌", 2: "❌"}
# A summary page has a limit on its size, and nobody reads the hundredth finding there.
_FINDINGS_SHOWN = 50


def rendered(told: Report, _root: Path) -> str:
    """The report as Markdown.  No text from outside can become a link, a picture, an element or a mention."""
    return "\n".join(_lines(told)) + "\n"


def _lines(told: Report) -> Iterator[str]:
    yield f"## {_MARKS[told['exitCode']]} callproof lint: {plain(closing(told))}"
    yield ""
    for each in told["problems"]:
        yield f"- {plain(each)}"
    if told["problems"]:
        yield ""
    if told["rules"]:
        yield "| rule | findings | law |"
        yield "| --- | ---: | --- |"
        for rule in sorted(told["rules"], key=lambda each: (-each["findings"], each["id"])):
            yield f"| {rule['id']} | {rule['findings']} | {plain(rule['title'])} |"
        yield ""
    for each in told["findings"][:_FINDINGS_SHOWN]:
        yield from _finding(each)
    more = len(told["findings"]) - _FINDINGS_SHOWN
    if more > 0:
        yield f"… and {more} more; the JSON report lists them."
        yield ""
    yield f"<sub>{plain(told['suite'])}, exit code {told['exitCode']}</sub>"


def _finding(finding: Report) -> Iterator[str]:
    where = element(f"{finding['file']}:{finding['line']}:{finding['column']}")
    named = f" {element(finding['tool'])}" if finding["tool"] else ""
    title = f"<b>{finding['rule']}</b> {finding['severity']}{named} · {where}"
    yield f"<details><summary>{title}</summary>"
    yield ""
    yield f"- observed: {plain(finding['observed'])}"
    yield f"- permitted: {plain(finding['permitted'])}"
    yield f"- pointer: {plain(finding['pointer'] or '(the whole document)')}"
    if "unknown" in finding:
        yield f"- not decided, because of the limit: {plain(finding['unknown'])}"
    if "fix" in finding:
        yield f"- fix: {plain(finding['fix']['says'])} ({'safe' if finding['fix']['safe'] else 'unsafe'})"
    elif "help" in finding:
        yield f"- help: {plain(finding['help'])}"
    yield ""
    yield "</details>"
    yield ""
