"""A report as one HTML file that needs no network and no script, to view in a browser or to pass on.

Only this module uses jinja2.  Every text goes through ``safe`` and is escaped; only the template
itself is markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from callproof.report.alike import alike
from callproof.report.articles import shown
from callproof.report.escape import safe
from callproof.report.words import choices, meaning
from callproof.spec.registry import Specification
from callproof.values.counts import counted

_Report = Mapping[str, Any]
_VERDICTS = ("pass", "fail", "known", "inconclusive", "inapplicable", "error")
_TONES = {"conforms": "good", "consistent": "good", "known failures": "warn", "incomplete": "warn"}
_ODD = {"error": "odd", "interrupted": "odd"}
_CODE = re.compile(r"(`[^`]*`)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_STRESS = re.compile(r"\*([^*]+)\*")
# Of tools, versions and runs beyond these limits the page tells only how many there are.
_NAMES_SHOWN = 100
_RUNS_SHOWN = 1_000


def page(report: _Report, spec: Specification) -> str:
    """The report as a page.  The same report gives the same bytes."""
    known = {each["requirement"] for each in report["findings"] if "known" in each}
    new = {each["requirement"] for each in report["findings"] if "known" not in each}
    rows: list[_Report] = [{**each, "shown": _shown(each, known - new)} for each in report["requirements"]]
    told = shown(report, spec)
    return _template().render(
        report={"stale": (), **report},
        subject={"notes": (), "leftOut": (), **report["subject"]},
        title=report["subject"].get("implementation", report["subject"]["name"]),
        tone=_TONES.get(report["outcome"]) or _ODD.get(report["outcome"], "bad"),
        meaning=meaning(report),
        choices=tuple(choices(report)),
        counts=[(verdict, number) for verdict, number in _counts(rows).items() if number],
        chapters=list(_chapters(rows, spec)),
        findings=told.kinds,
        drawn=told.runs,
        kinds=len(alike(report)),
        broken=sorted((each for each in rows if each["findings"]), key=lambda row: -int(row["findings"])),
        tools=_first(report.get("tools", ()), _NAMES_SHOWN, lambda row: (-row["findings"], -row["calls"])),
        versions=_first(report.get("versions", ()), _NAMES_SHOWN, lambda row: (-row["findings"], -row["runs"])),
        runs=_noted(report["runs"]),
        unlisted=sum(int(each["findings"]) for each in rows) - len(report["findings"]),
        unproven=[each for each in rows if each["verdict"] == "inconclusive" and each["required"]],
        undecided=[each for each in rows if each["verdict"] == "inconclusive" and not each["required"]],
        requirements=spec.requirements,
        prose=_prose,
        counted=counted,
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, finalize=_finalised,
    )  # fmt: skip
    return environment.get_template("page.html.jinja")


def _source(name: str) -> str:
    return (files("callproof.report") / name).read_text(encoding="utf-8")


def _finalised(value: object) -> object:
    """The value of an expression of the template, made safe for the page."""
    return safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _prose(text: str) -> Markup:
    """A sentence of the specification, with ``code`` and *stress* as elements and everything else as text."""
    plain = _LINK.sub(r"\1", " ".join(text.split()))
    parts = (
        f"<code>{escape(part[1:-1])}</code>" if part[:1] == "`" else _STRESS.sub(r"<em>\1</em>", str(escape(part)))
        for part in _CODE.split(plain)
    )
    return Markup("".join(parts))  # noqa: S704  every part was escaped


def _shown(row: _Report, known: set[str]) -> str:
    return "known" if row["verdict"] == "fail" and row["id"] in known else str(row["verdict"])


def _counts(rows: Sequence[_Report]) -> Mapping[str, int]:
    found = Counter(row["shown"] for row in rows)
    return {verdict: found[verdict] for verdict in _VERDICTS}


def _chapters(rows: Sequence[_Report], spec: Specification) -> Iterator[Mapping[str, Any]]:
    """The requirements by chapter, in the order of the report."""
    titles = {each.id: chapter.title for chapter in spec.chapters for each in chapter.requirements}
    for title, members in groupby(rows, key=lambda row: titles.get(row["id"], "Of another version")):
        listed = list(members)
        counts = [(verdict, number) for verdict, number in _counts(listed).items() if number]
        yield {"title": title, "rows": listed, "counts": counts, "id": re.sub(r"\W+", "-", title.lower())}


def _first(rows: Sequence[_Report], most: int, order: Callable[[_Report], tuple[int, ...]]) -> Mapping[str, Any] | None:
    """The rows that matter most, and how many more there are; None if there are none."""
    if not rows:
        return None
    return {"rows": sorted(rows, key=order)[:most], "more": max(0, len(rows) - most)}


def _noted(runs: Sequence[_Report]) -> Mapping[str, Any]:
    """The runs to list, and how many others there are; of very many, only those with a note or another outcome."""
    noted = [each for each in runs if each["outcome"] != "consistent" or each["notes"]]
    told = noted if len(runs) > _RUNS_SHOWN else runs
    return {"rows": told[:_RUNS_SHOWN], "good": len(runs) - len(noted) if told is noted else 0,
            "more": max(0, len(told) - _RUNS_SHOWN)}  # fmt: skip
