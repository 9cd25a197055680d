"""A report as one HTML file that needs no network and no script: for a browser, or to hand on.

The one door to jinja2.  Every text goes through ``safe`` and is escaped; only the template
itself is markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from callproof.report.alike import alike
from callproof.report.escape import safe
from callproof.report.picture import picture
from callproof.report.words import MEANINGS, choices, counted
from callproof.spec.blocks import Requirement
from callproof.spec.registry import Specification

_Report = Mapping[str, Any]
_VERDICTS = ("pass", "fail", "known", "inconclusive", "inapplicable", "error")
_TONES = {"conforms": "good", "consistent": "good", "known failures": "warn", "incomplete": "warn"}
_ODD = {"error": "odd", "interrupted": "odd"}
_CODE = re.compile(r"(`[^`]*`)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_BLOCK = re.compile(r"^```.*?^```$\n?", re.MULTILINE | re.DOTALL)
_STRESS = re.compile(r"\*([^*]+)\*")
# More than this of what is alike would be read by nobody.
_ALIKE_SHOWN = 100


def page(report: _Report, spec: Specification) -> str:
    """The report as a page.  The same report gives the same bytes."""
    known = {each["requirement"] for each in report["findings"] if "known" in each}
    new = {each["requirement"] for each in report["findings"] if "known" not in each}
    rows: list[_Report] = [{**each, "shown": _shown(each, known - new)} for each in report["requirements"]]
    return _template().render(
        report={"stale": (), **report},
        subject={"notes": (), "leftOut": (), **report["subject"]},
        title=report["subject"].get("implementation", report["subject"]["name"]),
        tone=_TONES.get(report["outcome"]) or _ODD.get(report["outcome"], "bad"),
        meaning=MEANINGS[report["outcome"]],
        choices=tuple(choices(report)),
        counts=[(verdict, number) for verdict, number in _counts(rows).items() if number],
        chapters=list(_chapters(rows, spec)),
        findings=list(_findings(report, spec)),
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
        loader=BaseLoader(), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        finalize=_finalised,
    )  # fmt: skip
    source = files("callproof.report") / "page.html.jinja"
    return environment.from_string(source.read_text(encoding="utf-8"))


def _finalised(value: object) -> object:
    """Whatever an expression of the template gives, on its way onto the page."""
    return safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _prose(text: str) -> Markup:
    """A sentence of the specification: ``code`` and *stress* as elements, everything else as text."""
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


def _findings(report: _Report, spec: Specification) -> Iterator[Mapping[str, Any]]:
    """Each finding with its law, its testimony and the picture of it, which is drawn once a run."""
    testimonies = {each["run"]: each for each in report.get("testimonies", ())}
    drawn: dict[str, int] = {}
    for number, group in enumerate(alike(report), start=1):
        finding = group.shown
        run = finding["run"].removesuffix(" log")
        told = testimonies.get(run)
        first = drawn.setdefault(run, number) if told is not None else number
        requirement = spec.requirements.get(finding["requirement"])
        yield {
            **finding,
            "number": number,
            "others": group.others[:_ALIKE_SHOWN],
            "unlisted": len(group.others[_ALIKE_SHOWN:]),
            "kind": "known" if "known" in finding else "fail" if finding["level"] == "MUST" else "advice",
            "law": requirement,
            "law_text": list(_paragraphs(requirement)) if requirement is not None else [],
            "told": told if first == number else None,
            "picture": picture(told) if told is not None and first == number else None,
            "drawn_at": first,
            "marked": {each["line"] for each in finding["witness"] if each["file"] == "wire"},
        }


def _paragraphs(requirement: Requirement) -> Iterator[str]:
    """The block of the specification after its sentence: the reason and the readings, without tables and examples."""
    for paragraph in _BLOCK.sub("", requirement.text).split("\n\n"):
        if paragraph.lstrip().startswith("*"):
            yield paragraph
