"""The weight of a finding of a report: whether it fails, is advice, or is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_Report = Mapping[str, Any]


def binding(report: _Report) -> frozenset[str]:
    """The levels whose findings fail."""
    chosen = report.get("failOn")
    return frozenset({"MUST", "SHOULD"} if chosen == "should" else () if chosen == "never" else {"MUST"})


def weight(finding: _Report, report: _Report) -> str:
    """``known`` if a baseline lists the finding, ``fail`` if it fails, otherwise ``advice``."""
    return "known" if "known" in finding else "fail" if finding["level"] in binding(report) else "advice"
