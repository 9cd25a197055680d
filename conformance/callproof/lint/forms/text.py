"""Findings for people at a terminal: the place, what is wrong there, and the text with the spot underlined."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from callproof.lint.document import Document, Place
from callproof.lint.running import Finding
from callproof.lint.wording import listed
from callproof.report.escape import safe

# Only the text around the spot is shown: captured definitions can be one line of many thousand characters.
_BEFORE = 24
_SHOWN = 96
# Of the findings that say the same about a tool, this many more places are listed.
_PLACES = 20
_TABS = re.compile("\t")


def unpainted(text: str, _role: str) -> str:
    """The text unchanged, whatever its role."""
    return text


def alike(findings: Iterable[Finding]) -> Iterator[tuple[Finding, Sequence[Finding]]]:
    """The findings in their order, each with the later ones that say the same about the same tool at other places."""
    groups: dict[Hashable, list[Finding]] = {}
    for each in findings:
        fault, about = each.fault, each.document if each.tool is None else each.tool
        fix = "" if fault.fix is None else fault.fix.says
        says = (fault.observed, fault.permitted, fault.help, fix, fault.unknown)
        groups.setdefault((each.rule, each.severity, id(about), says), []).append(each)
    yield from ((first, others) for first, *others in groups.values())


def finding_lines(
    finding: Finding, paint: Callable[[str, str], str] = unpainted, others: Sequence[Finding] = ()
) -> Iterator[str]:
    """
    One finding: a line to click on, the text with the spot underlined, what would be right, and where ``others`` are.

    ``paint`` gives a text a colour by its role: ``place``, ``spot``, or the word of a severity.
    """
    place, fault, severity = finding.place, finding.fault, finding.severity.value
    named = f" {safe(finding.tool.name, most=80)}:" if finding.tool is not None and finding.tool.name else ""
    where = paint(f"{safe(finding.document.name)}:{place.line}:{place.column}:", "place")
    yield f"{where} {paint(f'{severity} {finding.rule}', severity)}{named} {safe(fault.observed)}"
    shown, marks = excerpt(finding.document, place)
    blanks = len(marks) - len(marks.lstrip(" |"))
    yield shown
    yield f"{marks[:blanks]}{paint(marks[blanks:], 'spot')}"
    yield f"   = permitted: {safe(fault.permitted)}"
    if fault.unknown:
        yield f"   = unknown: not decided (limit: {safe(fault.unknown)})"
    if fault.fix is not None:
        yield f"   = fix: {safe(fault.fix.says)} ({'--fix' if fault.fix.safe else '--unsafe-fixes'})"
    elif fault.help:
        yield f"   = help: {safe(fault.help)}"
    if others:
        places = listed((f"{each.place.line}:{each.place.column}" for each in others), _PLACES)
        yield f"   = the same at {places}{'; --format json lists them' if len(others) > _PLACES else ''}"


def excerpt(document: Document, place: Place) -> tuple[str, str]:
    """The line of a place with the spot underlined; escapes count as the characters that they are shown as."""
    line = document.line(place.line)
    first = place.column - 1
    last = place.end_column - 1 if place.end_line == place.line else len(line)
    start = 0 if last <= _SHOWN else max(0, first - _BEFORE)
    end = min(len(line), start + _SHOWN)
    before, spot, after = (
        safe(_TABS.sub(" ", part))
        for part in (line[start:first], line[first : min(last, end)], line[min(last, end) : end])
    )
    ahead, behind = "…" if start else "", "…" if end < len(line) else ""
    number = str(place.line)
    blank = " " * len(number)
    marks = f"{' ' * (len(ahead) + len(before))}{'^' * max(1, len(spot))}"
    return f" {number} | {ahead}{before}{spot}{after}{behind}", f" {blank} | {marks}"
