"""The weight of a finding in a report: one word that says whether it fails the command, and if not, why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_Report = Mapping[str, Any]


def binding(report: _Report) -> frozenset[str]:
    """The levels whose findings fail."""
    chosen = report.get("failOn")
    return frozenset({"MUST", "SHOULD"} if chosen == "should" else () if chosen == "never" else {"MUST"})


def weight(finding: _Report, report: _Report) -> str:
    """``known`` if a baseline lists it, ``fail`` if it fails, else ``broken`` if its level is MUST, else ``advice``."""
    if "known" in finding:
        return "known"
    if finding["level"] in binding(report):
        return "fail"
    return "broken" if finding["level"] == "MUST" else "advice"
