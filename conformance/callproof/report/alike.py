"""Findings brought together that say the same thing of different runs: a person reads it once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_Finding = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alike:
    """One finding to show, and those that differ from it in values only."""

    shown: _Finding
    others: tuple[_Finding, ...]


def alike(report: Mapping[str, Any]) -> tuple[Alike, ...]:
    """
    The findings of a report by requirement and class, in the order of the report.

    What is known stands apart, and so does what follows from another finding.

    The one that is shown is the first whose run is drawn in the report, else the first.
    """
    told = {each["run"] for name in ("testimonies", "timelines") for each in report.get(name, ())}
    groups: dict[tuple[str, str, bool, bool], list[_Finding]] = {}
    for finding in report["findings"]:
        apart = ("known" in finding, "followsFrom" in finding)
        groups.setdefault((finding["requirement"], finding["class"], *apart), []).append(finding)
    return tuple(_group(members, told) for members in groups.values())


def _group(members: list[_Finding], told: set[str]) -> Alike:
    shown = next((each for each in members if each["run"] in told), members[0])
    return Alike(shown, tuple(each for each in members if each is not shown))
