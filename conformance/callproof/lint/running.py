"""The rules applied to a catalogue: findings with their places, in the order of the documents.

If a rule fails itself, its failure is reported as a problem, and the other rules go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from callproof.lint.definition import Catalogue, Definition, Schema
from callproof.lint.document import Document, Place, Pointer, pointer_text
from callproof.lint.guarding import guarded, is_tried
from callproof.lint.page import Page, Severity, pages
from callproof.lint.plan import Step
from callproof.lint.rule import Fault, Rule, all_rules
from callproof.lint.settings import Settings, Suppression


@dataclass(frozen=True, eq=False)
class Finding:
    """A fault with its place.  ``base`` is where the fault's own pointers begin, in the document."""

    page: Page
    severity: Severity
    document: Document
    base: Pointer
    fault: Fault
    tool: Definition | None = None
    suppressed: Suppression | None = None

    @property
    def rule(self) -> str:
        """The id of the rule."""
        return self.page.id

    @property
    def pointer(self) -> Pointer:
        """Where it is in its document."""
        return (*self.base, *self.fault.at)

    @property
    def pointer_text(self) -> str:
        """The same, as RFC 6901 writes it."""
        return pointer_text(self.pointer)

    @property
    def place(self) -> Place:
        """Where it is in the text."""
        return self.document.place(self.pointer)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rules gave: findings that count, findings that the user suppressed, and what could not be judged."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Finding, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Linted:
    """A whole run of the linter: what was judged, its outcome, the exit code, and which severities fail."""

    catalogue: Catalogue
    outcome: Outcome
    problems: tuple[str, ...]
    exit_code: int
    failing: tuple[str, ...] = ("error",)


def held(catalogue: Catalogue, settings: Settings, only: Callable[[Page], bool] | None = None) -> Outcome:
    """The findings of all rules that the settings choose, or only of those whose page ``only`` accepts."""
    found: list[Finding] = []
    problems: list[str] = []
    for rule in all_rules():
        page = pages().get(rule.id)  # every rule has one; a test checks this
        if page is not None and settings.may_choose(page) and (only is None or only(page)):
            found += _of_rule(rule, page, catalogue, settings, problems)
    found = _guarded(found, problems)
    order = {id(document): number for number, document in enumerate(catalogue.documents)}
    found.sort(key=lambda each: (order.get(id(each.document), -1), *_start(each), each.rule))
    return Outcome(tuple(found), (), tuple(problems))


def _guarded(found: list[Finding], problems: list[str]) -> list[Finding]:
    """The findings without the safe fixes that would do harm."""
    by_tool: dict[int, list[int]] = {}
    for number, each in enumerate(found):
        # A step of a plan has a tool too, but is not a part of it.
        if each.tool is not None and each.document is each.tool.document and is_tried(each.fault):
            by_tool.setdefault(id(each.tool), []).append(number)
    for numbers in by_tool.values():
        tool = found[numbers[0]].tool
        assert tool is not None  # noqa: S101  as just asked
        try:
            told = guarded(tool, [(found[each].base, found[each].fault) for each in numbers])
        except Exception as error:  # noqa: BLE001  reported as a problem, as in a rule; no fix that was not tried is offered
            problems.append(f"the fixes of {_named(tool)} could not be tried: {type(error).__name__}: {error}")
            told = [replace(found[each].fault, fix=None) for each in numbers]
        for number, fault in zip(numbers, told):
            found[number] = replace(found[number], fault=fault)
    return found


def _start(finding: Finding) -> tuple[int, int]:
    return finding.place.line, finding.place.column


def _of_rule(
    rule: Rule[Any], page: Page, catalogue: Catalogue, settings: Settings, problems: list[str]
) -> Iterator[Finding]:
    severity = settings.severity(page)
    for subject in rule.each(catalogue):
        try:
            for fault in rule.examine(subject):
                finding = _finding(page, _weight(severity, fault), subject, fault)
                if not settings.overrides:
                    yield finding
                elif (told := _overridden(finding, settings)) is not None:
                    yield told
        except Exception as error:  # noqa: BLE001  one rule of many: reported as a problem, not as clean
            problems.append(f"{rule.id} itself failed on {_named(subject)}: {type(error).__name__}: {error}")


def _overridden(finding: Finding, settings: Settings) -> Finding | None:
    """A finding as the overrides for its place change it; None if they drop it."""
    tool = "" if finding.tool is None else finding.tool.name
    place = (tool, finding.pointer_text, finding.document.name)
    if not settings.chooses(finding.page, *place):
        return None
    return replace(finding, severity=_weight(settings.severity(finding.page, *place), finding.fault))


def _weight(severity: Severity, fault: Fault) -> Severity:
    """The severity of a finding: a warning at most, if the fault may be wrong."""
    return Severity.WARNING if severity is Severity.ERROR and not fault.certain else severity


def _finding(page: Page, severity: Severity, subject: object, fault: Fault) -> Finding:
    on = subject if fault.on is None else fault.on
    if isinstance(on, Document):
        return Finding(page, severity, on, (), fault)
    if isinstance(on, Schema):
        tool = on.tool
        return Finding(page, severity, tool.document, (*tool.pointer, *on.pointer), fault, tool)
    if isinstance(on, Definition | Step):
        return Finding(page, severity, on.document, on.pointer, fault, on.tool)
    raise TypeError(f"{page.id} names nothing that its fault is on")


def _named(subject: object) -> str:
    tool = getattr(subject, "tool", None)
    return tool.name if isinstance(tool, Definition) else type(subject).__name__
