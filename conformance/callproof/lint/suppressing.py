"""Findings that the user suppresses, and suppressions that no longer match anything, which are findings themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date

from callproof.lint.definition import Catalogue
from callproof.lint.document import Document
from callproof.lint.page import page, pages
from callproof.lint.rule import Fault
from callproof.lint.running import Finding, Outcome
from callproof.lint.settings import Settings, Suppression, names
from callproof.lint.wording import shown

_UNUSED, _EXPIRED = "SUP001", "SUP002"


def suppressed(
    outcome: Outcome, catalogue: Catalogue, settings: Settings, file: Document | None, today: date
) -> Outcome:
    """
    The outcome of the rules, without the findings that the user suppresses.

    A suppression whose day is over suppresses nothing.  It is a finding, and so is one that matches nothing.
    """
    alive = [each for each in settings.suppressions if each.expires >= today]
    kept: list[Finding] = []
    passed: list[Finding] = []
    used: set[int] = set()
    for finding in outcome.findings:
        matching = [each for each in alive if _matches(each, finding)]
        used.update(id(each) for each in matching)
        if matching:
            passed.append(replace(finding, suppressed=matching[0]))
        else:
            kept.append(finding)
    told = () if file is None else _told(catalogue, settings, file, used, today)
    return replace(outcome, findings=(*kept, *told), suppressed=tuple(passed))


def _matches(suppression: Suppression, finding: Finding) -> bool:
    tool = "" if finding.tool is None else finding.tool.name
    return names((suppression.rule,), finding.page) and suppression.where.holds(
        tool, finding.pointer_text, finding.document.name
    )


def _told(catalogue: Catalogue, settings: Settings, file: Document, used: set[int], today: date) -> Iterable[Finding]:
    for number, each in enumerate(settings.suppressions):
        if each.expires < today:
            until = f"{shown(each.reason)}, owner {shown(each.owner)}"
            observed = f"the suppression of {each.rule} expired on {each.expires.isoformat()}: {until}"
            name, permitted = _EXPIRED, "a day that has not passed"
        elif id(each) not in used and _was_judged(each, catalogue, settings):
            observed = f"the suppression of {each.rule} matches no finding: {shown(each.reason)}"
            name, permitted = _UNUSED, "suppressions that match a finding"
        else:
            continue
        about = page(name)
        if settings.may_choose(about):
            fault = Fault((), observed, permitted, help="remove it, or check and correct it")
            yield Finding(about, settings.severity(about, "", "", file.name), file, ("suppressions", number), fault)


def _was_judged(suppression: Suppression, catalogue: Catalogue, settings: Settings) -> bool:
    """
    Whether this run could have found what a suppression is about: its rule was applied, and its files were read.

    For a group, every rule that is applied by default must be applied, since one left out might find something.
    """
    usual = replace(settings, select=(), ignore=())
    named = [each for each in pages().values() if names((suppression.rule,), each)]
    owed = [each for each in named if usual.may_choose(each)]
    if not any(map(settings.may_choose, named)) or not all(map(settings.may_choose, owed)):
        return False
    anywhere = replace(suppression.where, tools=(), pointers=())
    return not suppression.where.files or any(anywhere.holds("", "", each.name) for each in catalogue.documents)
