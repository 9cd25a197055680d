"""What a finding of a report costs: whether it fails, is advice, or is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_Report = Mapping[str, Any]


def binding(report: _Report) -> frozenset[str]:
    """The levels whose findings fail."""
    chosen = report.get("failOn")
    return frozenset({"MUST", "SHOULD"} if chosen == "should" else () if chosen == "never" else {"MUST"})


def weight(finding: _Report, report: _Report) -> str:
    """``known`` where a baseline lists it, ``fail`` where it fails, else ``advice``."""
    return "known" if "known" in finding else "fail" if finding["level"] in binding(report) else "advice"
