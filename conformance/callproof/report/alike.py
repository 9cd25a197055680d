"""Groups of findings that say the same about different runs, so that a person reads it once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from callproof.report.roots import Roots

_Finding = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alike:
    """One finding to show, those that differ from it only in values, and whether they are shown with their roots."""

    shown: _Finding
    others: tuple[_Finding, ...]
    follows: bool


def alike(report: Mapping[str, Any]) -> tuple[Alike, ...]:
    """
    The findings of a report by requirement and class, in the order of the report.

    Known findings have groups of their own, and so have findings that are shown with the one they follow from.

    The finding that is shown is the first whose run is drawn in the report, otherwise the first.
    """
    told = {each["run"] for name in ("testimonies", "timelines") for each in report.get(name, ())}
    roots = Roots(report)
    groups: dict[tuple[str, str, bool, bool], list[_Finding]] = {}
    for finding in report["findings"]:
        apart = ("known" in finding, roots.leads(finding))
        groups.setdefault((finding["requirement"], finding["class"], *apart), []).append(finding)
    return tuple(_group(members, told, follows=key[-1]) for key, members in groups.items())


def _group(members: list[_Finding], told: set[str], *, follows: bool) -> Alike:
    shown = next((each for each in members if each["run"] in told), members[0])
    return Alike(shown, tuple(each for each in members if each is not shown), follows)
