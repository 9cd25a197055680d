"""Which findings of a report are shown with the one that they follow from, and which are shown by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from callproof.report.weight import weight

_Report = Mapping[str, Any]
Place = tuple[str, ...]


def place(finding: _Report) -> Place:
    """The key by which other findings refer to this one as their root."""
    first = finding["witness"][0] if finding["witness"] else {"file": "", "line": ""}
    return finding["run"], finding["requirement"], first["file"], str(first["line"])


def without_log(run: str) -> str:
    """The run whose log was judged under this name."""
    return run.removesuffix(" log")


class Roots:
    """The findings of a report from which others follow."""

    def __init__(self, report: _Report) -> None:
        self._report = report
        self._weights: dict[Place, set[str]] = {}
        for each in report["findings"]:
            if "followsFrom" not in each:
                self._weights.setdefault(place(each), set()).add(weight(each, report))

    def of(self, finding: _Report) -> Place:
        """The place of the finding from which this one follows."""
        root, run = finding["followsFrom"], finding["run"]
        there = root["requirement"], root["file"], str(root["line"])
        # What is wrong in the log of a live run may follow from what went over the wire.
        return next(
            (here for here in ((run, *there), (without_log(run), *there)) if here in self._weights), (run, *there)
        )

    def has(self, finding: _Report) -> bool:
        """Whether the finding that this one follows from is in the report, so that this one can be shown with it."""
        return self.leads(finding) and self.of(finding) in self._weights

    def leads(self, finding: _Report) -> bool:
        """
        Whether a finding follows from another one and is shown with it.

        If it fails and the other one is known or advice, it is not: otherwise nobody would see why the report fails.
        """
        if "followsFrom" not in finding:
            return False
        weights = self._weights.get(self.of(finding), {"fail"})
        return "fail" in weights or weight(finding, self._report) != "fail"
