"""The result of a run of the linter as data: every form but the text is made from this one document.

``spec/tools/reports.md`` has its shape.  It holds outside text unchanged, since JSON can; each module that prints it
escapes the text itself.  It contains no clock time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, TypeAlias

from callproof import __version__
from callproof.lint.page import pages
from callproof.lint.running import Finding, Linted

Report: TypeAlias = Mapping[str, Any]
REPORT_VERSION = "1.0"
_OUTCOMES = {0: "clean", 1: "findings", 2: "not checked"}


def report(linted: Linted) -> Report:
    """The report on a run of the linter."""
    findings = linted.outcome.findings
    counts = Counter(each.rule for each in findings)
    counts.update({each.rule: 0 for each in linted.outcome.suppressed})
    listed = Counter(id(each.document) for each in linted.catalogue.definitions)
    return {
        "lintVersion": REPORT_VERSION,
        "suite": f"callproof {__version__}",
        "profiles": list(linted.catalogue.profiles),
        "outcome": _OUTCOMES[linted.exit_code],
        "exitCode": linted.exit_code,
        "tools": len(linted.catalogue.definitions),
        "documents": [
            {"name": each.name, "tools": listed[id(each)], "onDisk": each.on_disk}
            for each in linted.catalogue.documents
        ],
        "judged": [{"file": each.document.name, "tool": each.name} for each in linted.catalogue.definitions],
        "failing": list(linted.failing),
        "rules": [_rule(name, number) for name, number in sorted(counts.items())],
        "findings": [_finding(each) for each in findings],
        "suppressed": [_suppressed(each) for each in linted.outcome.suppressed],
        "problems": list(linted.problems),
    }


def _rule(name: str, number: int) -> dict[str, Any]:
    page = pages()[name]
    return {
        "id": name,
        "title": page.title,
        "says": page.says,
        "why": page.why,
        "level": page.level,
        "certainty": page.certainty,
        "source": page.source,
        "findings": number,
    }


def _finding(finding: Finding) -> dict[str, Any]:
    place, fault = finding.place, finding.fault
    told: dict[str, Any] = {
        "rule": finding.rule,
        "severity": finding.severity.value,
        "level": finding.page.level,
        "certainty": finding.page.certainty if fault.certain else "heuristic",
        "tool": "" if finding.tool is None else finding.tool.name,
        "file": finding.document.name,
        "onDisk": finding.document.on_disk,
        "line": place.line,
        "column": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
        "pointer": finding.pointer_text,
        "observed": fault.observed,
        "permitted": fault.permitted,
        "law": finding.page.title,
        "source": finding.page.source,
    }
    if fault.help:
        told["help"] = fault.help
    if fault.unknown:
        told["unknown"] = fault.unknown
    if fault.fix is not None:
        told["fix"] = {"says": fault.fix.says, "safe": fault.fix.safe}
    return told


def _suppressed(finding: Finding) -> dict[str, Any]:
    told = _finding(finding)
    if finding.suppressed is not None:
        told["reason"] = finding.suppressed.reason
        told["owner"] = finding.suppressed.owner
    return told
