"""A report as Markdown, for the summary page of a CI run: ``--report markdown="$GITHUB_STEP_SUMMARY"``."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from callproof.report.alike import Alike, alike
from callproof.report.escape import safe
from callproof.report.unlisted import unlisted
from callproof.report.weight import weight
from callproof.report.words import choices, meaning
from callproof.spec.registry import Specification
from callproof.values.counts import counted, was

_Report = Mapping[str, Any]
_MARKS = {"conforms": "✅", "consistent": "✅", "known failures": "🟡", "incomplete": "🟡"}
_TROUBLE = "❌"
_VERDICTS = ("pass", "fail", "inconclusive", "inapplicable", "error")
# A summary page has a size limit, and nobody reads the hundredth finding there.
_FINDINGS_SHOWN = 50
_SYNTAX = re.compile(r"([\\`*_{}\[\]()#+!|~$:@-])")


def summary(report: _Report, spec: Specification) -> str:
    """The report as Markdown.  No text from outside can become a link, a picture, an element or a mention."""
    return "\n".join(_lines(report, spec)) + "\n"


def _lines(report: _Report, spec: Specification) -> Iterator[str]:
    subject = report["subject"]
    yield f"## {_MARKS.get(report['outcome'], _TROUBLE)} callproof: {plain(report['outcome'])}"
    yield ""
    named = subject.get("implementation", subject["name"])
    what = "case" if subject["kind"] == "system" else "run"
    yield f"{plain(named)}, {counted(len(report['runs']), what)}. {meaning(report).capitalize()}."
    yield ""
    yield from _list("Chosen", tuple(choices(report)))
    yield from _groups(report)
    yield from _left_out(subject)
    yield from _findings(report, spec)
    yield from _list("Entries of the baseline to look at", report.get("stale", ()))
    yield from _list("Errors of the suite or the adapter", report["errors"])
    yield from _unproven(report)
    yield f"<sub>{plain(report['suite'])}, exit code {report['exitCode']}</sub>"


def _groups(report: _Report) -> Iterator[str]:
    groups: dict[str, Counter[str]] = {}
    for each in report["requirements"]:
        groups.setdefault(each["id"].rpartition("-")[0], Counter())[each["verdict"]] += 1
    if not groups:
        return
    total = Counter(each["verdict"] for each in report["requirements"])
    shown = [verdict for verdict in _VERDICTS if total[verdict]]
    yield f"| requirements | {' | '.join(shown)} |"
    yield f"| --- |{' ---: |' * len(shown)}"
    for name, verdicts in groups.items():
        yield _row(plain(name), [str(verdicts[verdict] or "") for verdict in shown])
    yield _row("**all**", [f"**{total[verdict]}**" for verdict in shown])
    yield ""


def _left_out(subject: _Report) -> Iterator[str]:
    gaps = subject.get("leftOut", ())
    if gaps:
        told = ", ".join(f"{plain(gap['feature'])} ({counted(gap['requirements'], 'requirement')})" for gap in gaps)
        yield f"**Not claimed, and so not judged:** {told}."
        yield ""


def _findings(report: _Report, spec: Specification) -> Iterator[str]:
    groups = alike(report)
    if not groups:
        return
    rest = sum(unlisted(report).values())
    yield f"### {counted(len(report['findings']) + rest, 'finding')}, of {counted(len(groups), 'kind')}"
    yield ""
    if rest:
        yield f"{counted(rest, 'finding')} of them {was(rest)} only counted; no report lists them."
        yield ""
    roots = [group for group in groups if not group.follows]
    for group in roots[:_FINDINGS_SHOWN]:
        yield from _finding(group, report, spec)
    followed: Counter[str] = Counter()
    for group in groups:
        if group.follows:
            followed[group.shown["requirement"]] += 1 + len(group.others)
    if followed:
        told = ", ".join(f"{name} ({number})" for name, number in followed.items())
        yield f"Findings that follow from these, and that the same fix is likely to remove: {told}."
        yield ""
    more = len(roots) - _FINDINGS_SHOWN
    if more > 0:
        yield f"… and {counted(more, 'more kind')}; the JSON report lists them."
        yield ""


def _finding(group: Alike, report: _Report, spec: Specification) -> Iterator[str]:
    finding, others = group.shown, len(group.others)
    requirement = spec.requirements.get(finding["requirement"])
    title = f" · {element(requirement.title)}" if requirement is not None else ""
    verdict = weight(finding, report)
    yield f"<details><summary><b>{finding['requirement']}</b> {verdict}{title} · {element(finding['run'])}</summary>"
    yield ""
    yield f"- observed: {plain(finding['observed'])}"
    yield f"- permitted: {plain(finding['permitted'])}"
    for each in finding["witness"]:
        yield f"- {plain(each['name'])}: {plain(each['says'])}, {plain(each['file'])} {each['line']}"
    for reason in finding["because"]:
        yield f"- because {plain(reason)}"
    if "known" in finding:
        yield f"- known: {plain(finding['known'])}"
    if requirement is not None:
        yield f"- law: {requirement.sentence}"
    if others:
        yield f"- {counted(others, 'more finding')} like this one"
    if "replay" in finding:
        yield f"- replay: {plain(finding['replay'])}"
    if "help" in finding:
        yield f"- help: {plain(finding['help'])}"
    yield ""
    yield "</details>"
    yield ""


def _unproven(report: _Report) -> Iterator[str]:
    lacking = [each for each in report["requirements"] if each["verdict"] == "inconclusive" and each["required"]]
    yield from _list("Not proven", [f"{each['id']} lacks {', '.join(each['missing'])}" for each in lacking])


def _list(title: str, entries: Sequence[str]) -> Iterator[str]:
    if entries:
        yield f"### {title}"
        yield ""
        yield from (f"- {plain(each)}" for each in entries)
        yield ""


def _row(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"


def element(text: str) -> str:
    """
    Outside text escaped for the inside of an HTML element, as neither Markdown nor HTML.

    Most renderers do not read Markdown there, and would show a backslash; a numeric character reference works in all.
    """
    return _SYNTAX.sub(lambda sign: f"&#{ord(sign[0])};", html.escape(safe(text), quote=False))


def plain(text: str) -> str:
    """Outside text escaped so that it is neither Markdown nor HTML, in one line."""
    return html.escape(_SYNTAX.sub(r"\\\1", safe(text)), quote=False)
