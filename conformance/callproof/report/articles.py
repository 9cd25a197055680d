"""What a page says about each kind of finding: its law, its picture, and its place in the picture of its run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from callproof.report.alike import Alike, alike
from callproof.report.picture import picture
from callproof.report.roots import without_log
from callproof.report.timeline_picture import TimelinePicture, timeline_picture
from callproof.report.weight import weight
from callproof.spec.blocks import Requirement
from callproof.spec.registry import Specification

_Report = Mapping[str, Any]
_BLOCK = re.compile(r"^```.*?^```$\n?", re.MULTILINE | re.DOTALL)
# Limits on the findings of one kind that are listed, and on the kinds: nobody would read more.
_ALIKE_SHOWN = 100
KINDS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """The kinds of findings on a page, and the runs that it draws beside those drawn with a kind."""

    kinds: Sequence[Mapping[str, Any]]
    runs: Sequence[Mapping[str, Any]]


def shown(report: _Report, spec: Specification) -> Shown:
    """The first kinds of findings, beginning with those that follow from none, and every run that can be drawn."""
    kinds = sorted(alike(report), key=lambda kind: kind.follows)[:KINDS_SHOWN]
    by_run: dict[str, list[_Report]] = {}
    for each in report["findings"]:
        by_run.setdefault(each["run"], []).append(each)
    numbers = {id(each): number for number, kind in enumerate(kinds, start=1) for each in (kind.shown, *kind.others)}
    sight = _Sight(report, spec, by_run, numbers)
    told = [*sight.articles(kinds)]
    drawn = {each["run"] for each in told if each["timeline"] is not None}
    rest = (each for each in report.get("timelines", ()) if each["run"] not in drawn)
    return Shown(told, [sight.drawn(each) for each in rest])


@dataclass(frozen=True, slots=True)
class _Sight:
    """A report while its page is made: its findings by run, and the number of the kind of each on the page."""

    report: _Report
    spec: Specification
    by_run: Mapping[str, Sequence[_Report]]
    numbers: Mapping[int, int]

    def articles(self, kinds: Sequence[Alike]) -> Iterator[Mapping[str, Any]]:
        """Each kind with everything that a page says about it; a run is drawn once."""
        testimonies = {each["run"]: each for each in self.report.get("testimonies", ())}
        timelines = {each["run"]: each for each in self.report.get("timelines", ())}
        drawn: dict[str, int] = {}
        for number, kind in enumerate(kinds, start=1):
            finding = kind.shown
            run = without_log(finding["run"])
            told, timeline = testimonies.get(run), timelines.get(finding["run"])
            first = drawn.setdefault(run, number) if told is not None or timeline is not None else number
            here = first == number
            yield {
                **finding,
                "number": number,
                "others": kind.others[:_ALIKE_SHOWN],
                "unlisted": len(kind.others[_ALIKE_SHOWN:]),
                "kind": weight(finding, self.report),
                "root": self._root(finding),
                **_law(finding, self.spec),
                "told": told if here else None,
                "picture": picture(told) if told is not None and here else None,
                "timeline": self.drawn(timeline) if timeline is not None and here else None,
                "drawn_at": first,
                "marked": {each["line"] for each in finding["witness"] if each["file"] == "wire"},
            }

    def drawn(self, timeline: _Report) -> Mapping[str, Any]:
        """The picture of a run, with the numbers of its findings at their places, and its records in time."""
        found = self.by_run.get(timeline["run"], ())
        drawn = timeline_picture(timeline)
        proofs = {_source(each) for finding in found for each in finding["witness"]}
        return {
            "run": timeline["run"],
            "left": timeline["left"],
            "findings": [{**each, "number": self.numbers.get(id(each))} for each in found[:_ALIKE_SHOWN]],
            "picture": drawn,
            "rings": [place for source in sorted(proofs) if (place := drawn.place_of(source)) is not None],
            "flags": [*_flags(found, drawn, self.numbers)],
            "rows": [{**row, "proof": not proofs.isdisjoint(row["sources"])} for row in _rows(timeline)],
        }

    def _root(self, finding: _Report) -> Mapping[str, Any] | None:
        """What a finding follows from, with the number of its kind if the page has it."""
        cause = finding.get("followsFrom")
        if cause is None:
            return None
        place = (cause["requirement"], cause["file"], cause["line"])
        runs = dict.fromkeys((finding["run"], without_log(finding["run"])))
        roots = (each for run in runs for each in self.by_run.get(run, ()) if _first_place(each) == place)
        number = next((self.numbers[id(each)] for each in roots if id(each) in self.numbers), None)
        return {**cause, "number": number}


def _law(finding: _Report, spec: Specification) -> Mapping[str, Any]:
    requirement = spec.requirements.get(finding["requirement"])
    return {"law": requirement, "law_text": [] if requirement is None else [*_paragraphs(requirement)]}


def _paragraphs(requirement: Requirement) -> Iterator[str]:
    """The block of the specification after its sentence: the reason and the readings, without tables and examples."""
    for paragraph in _BLOCK.sub("", requirement.text).split("\n\n"):
        if paragraph.lstrip().startswith("*"):
            yield paragraph


def _first_place(finding: _Report) -> tuple[str, str, int] | None:
    first = next(iter(finding["witness"]), None)
    return None if first is None else (finding["requirement"], first["file"], first["line"])


def _flags(
    found: Sequence[_Report], drawn: TimelinePicture, numbers: Mapping[int, int]
) -> Iterator[tuple[float, float, list[int]]]:
    """The numbers of the kinds of findings that stand at each place."""
    at: dict[tuple[float, float], dict[int, None]] = {}
    for finding in found:
        places = (drawn.place_of(_source(each)) for each in finding["witness"])
        place = next((each for each in places if each is not None), None)
        if place is not None and id(finding) in numbers:
            at.setdefault(place, {})[numbers[id(finding)]] = None
    for (x, y), listed in at.items():
        yield x, y, sorted(listed)


def _rows(timeline: _Report) -> Sequence[Mapping[str, Any]]:
    """Calls and moments as rows of a table, ordered by time; those without a time come last."""
    rows: list[Mapping[str, Any]] = []
    for call in timeline["calls"]:
        span = [call[name] for name in ("madeMs", "fromMs", "toMs") if name in call]
        says = ", ".join(str(call[name]) for name in ("tool", "status", "code") if name in call)
        rows.append({"at": span, "call": call["name"], "says": says, "sources": call["sources"]})
    for moment in timeline["moments"]:
        name = (
            timeline["calls"][moment["call"]]["name"] if moment.get("call", -1) in range(len(timeline["calls"])) else ""
        )
        at = [moment["atMs"]] if "atMs" in moment else []
        rows.append({"at": at, "call": name, "says": moment["says"], "sources": [moment["source"]]})
    return sorted(rows, key=lambda row: row["at"][0] if row["at"] else float("inf"))


def _source(witness: _Report) -> str:
    return f"{witness['file']}:{witness['line']}"
