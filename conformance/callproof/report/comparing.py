"""Reports compared: the verdict on each requirement in each, and whether the second is worse than the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from callproof.values.jsontext import Json

COMPARISON_VERSION = "1.0"
NOT_JUDGED = "not judged"
_BROKEN = frozenset({"fail", "error"})
_Report = Mapping[str, Any]


class NothingInCommon(ValueError):
    """Two reports have no requirement in common; the text says which reports, and what each is about."""


def comparison(files: Sequence[Path], reports: Sequence[_Report]) -> dict[str, Any]:
    """
    The comparison of two or more reports, in the shape ``comparison``; each with the file that holds it.

    Raises NothingInCommon.
    """
    judged = [{each["id"]: each for each in report["requirements"]} for report in reports]
    _refuse_strangers(files, judged)
    ids = dict.fromkeys(name for each in judged for name in each)
    ranked = len(reports) == 2
    requirements = [_requirement(name, judged, ranked=ranked) for name in ids]
    return {
        "comparisonVersion": COMPARISON_VERSION,
        "reports": [_told(file, report) for file, report in zip(files, reports)],
        "requirements": [*requirements],
        "exitCode": _exit_code(reports, requirements),
    }


def _exit_code(reports: Sequence[_Report], requirements: Sequence[Mapping[str, Any]]) -> int:
    unfinished = max(int(report["exitCode"]) for report in reports)
    if unfinished > 1:
        return unfinished
    binding = {"MUST", "SHOULD"} if reports[-1].get("failOn") == "should" else {"MUST"}
    return int(any(each.get("change") == "worse" and each["level"] in binding for each in requirements))


def _refuse_strangers(files: Sequence[Path], judged: Sequence[Mapping[str, Any]]) -> None:
    for file, each in zip(files[1:], judged[1:]):
        if each and judged[0] and not each.keys() & judged[0].keys():
            first, other = next(iter(judged[0])), next(iter(each))
            says = f"{files[0]} and {file} have no requirement in common: they begin with {first} and {other}"
            raise NothingInCommon(f"{says}; compare reports of one suite")


def _told(file: Path, report: _Report) -> dict[str, Json]:
    subject = report["subject"]
    named: str = subject.get("implementation", subject["name"])
    return {"file": str(file), "suite": report["suite"], "subject": named, "outcome": report["outcome"]}


def _requirement(name: str, judged: Sequence[Mapping[str, Any]], *, ranked: bool) -> dict[str, Json]:
    found = [each.get(name) for each in judged]
    level = next(each["level"] for each in found if each is not None)
    verdicts: list[Json] = [
        {"verdict": NOT_JUDGED, "findings": 0}
        if each is None
        else {"verdict": each["verdict"], "findings": each["findings"]}
        for each in found
    ]
    change = _change(*(each and each["verdict"] for each in found)) if ranked else None
    return {"id": name, "level": level, **({} if change is None else {"change": change}), "verdicts": verdicts}


def _change(old: str | None, new: str | None) -> str | None:
    """How the verdict on a requirement changed; None if it is the same, or was not judged in both."""
    if old is None or new is None or old == new:
        return None
    if {old, new} <= _BROKEN:
        return "other"
    if new in _BROKEN or old == "pass":
        return "worse"
    return "better" if old in _BROKEN or new == "pass" else "other"
