"""A report as JSON Lines, in the shape ``report-line``: for scripts that read line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from callproof.report.dumping import dumped

_Report = Mapping[str, Any]
# The lists of a report, and what one of their lines is called.
_LISTS = {
    "runs": "run",
    "requirements": "requirement",
    "findings": "finding",
    "testimonies": "testimony",
    "timelines": "timeline",
    "tools": "tool",
    "versions": "version",
    "stale": "stale",
    "errors": "error",
}
_END = ("outcome", "exitCode")


def json_lines(report: _Report) -> str:
    """The lines, every character outside ASCII escaped, each with its LF."""
    return "".join(dumped({"kind": kind, "record": each}) + "\n" for kind, each in _told(report))


def _told(report: _Report) -> Iterator[tuple[str, Any]]:
    yield "head", {name: value for name, value in report.items() if name not in _LISTS and name not in _END}
    for name, kind in _LISTS.items():
        for each in report.get(name, ()):
            yield kind, each
    yield "end", {name: report[name] for name in _END}
