"""Writes a statement for people: Markdown, made from ``statement.json`` and the specification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from callproof.report.markdown import plain
from callproof.report.words import MEANINGS
from callproof.spec.registry import Specification
from callproof.statement.matter import Matter
from callproof.values.counts import counted

_Statement = Mapping[str, Any]


def statement_text(statement: _Statement, matter: Matter) -> str:
    """The statement as Markdown."""
    return "\n".join(_lines(statement, matter)) + "\n"


def _lines(statement: _Statement, matter: Matter) -> Iterator[str]:
    verdicts = Counter(each["verdict"] for each in statement["requirements"])
    yield f"# Conformance statement: {plain(statement['system'])}"
    yield ""
    yield f"**{statement['outcome'].capitalize()}.** {MEANINGS[statement['outcome']].capitalize()}."
    yield ""
    judged_as = "" if matter.judged_as is None else f", as {matter.judged_as}"
    yield f"- judged by {plain(statement['suite'])}, specification {statement['specVersion']}{judged_as}"
    yield f"- {', '.join(f'{number} {verdict}' for verdict, number in verdicts.items())}"
    yield f"- claims: {', '.join(map(plain, statement['claims'])) or 'no feature'}"
    for each in statement.get("lacks", ()):
        yield f"- judged without {plain(each)}: cases that need it were not run"
    if statement["strict"]:
        yield "- advice (SHOULD) counts as binding"
    yield ""
    yield from _another_outcome(statement, matter.rests_on)
    yield from _not_proven(statement)
    yield from _left_out(statement)
    yield from _known(statement)
    yield from _requirements(statement, matter.spec)
    yield "## Verify it"
    yield ""
    yield f"`callproof verify .` in the folder of this file judges the records again, with {plain(statement['suite'])}."
    yield ""
    yield "| file | bytes | sha256 |"
    yield "| --- | ---: | --- |"
    for each in statement["files"]:
        yield f"| {plain(each['path'])} | {each['bytes']} | `{each['sha256']}` |"


def _another_outcome(statement: _Statement, rests_on: str) -> Iterator[str]:
    if statement.get("runOutcome", statement["outcome"]) != statement["outcome"]:
        yield f"The outcome of the whole run, with generated cases, was *{statement['runOutcome']}*."
        yield f"A statement rests on the records of {rests_on} alone."
        yield ""


def _not_proven(statement: _Statement) -> Iterator[str]:
    refused = (f"{plain(each)}: refused, or not read in full" for each in statement["refused"])
    undecided = [*statement["notProven"], *refused]
    if not undecided:
        return
    yield "## Not proven"
    yield ""
    yield from (f"- {each}" for each in undecided)
    yield ""


def _left_out(statement: _Statement) -> Iterator[str]:
    if not statement["leftOut"]:
        return
    yield "## What the claim leaves out"
    yield ""
    for gap in statement["leftOut"]:
        yield f"- {plain(gap['feature'])}: {counted(gap['requirements'], 'requirement')} not judged"
    yield ""


def _known(statement: _Statement) -> Iterator[str]:
    if not statement["known"]:
        return
    yield "## Known failures"
    yield ""
    for each in statement["known"]:
        told = f"{each['requirement']} in {plain(each.get('scenario') or each['runs'])}"
        yield f"- {told}: {plain(each['class'])}. Reason: {plain(each['reason'])}"
    yield ""


def _requirements(statement: _Statement, spec: Specification) -> Iterator[str]:
    yield "## Requirements"
    yield ""
    yield "| requirement | level | title | verdict | runs | subjects |"
    yield "| --- | --- | --- | --- | ---: | ---: |"
    for each in statement["requirements"]:
        title = spec.requirements[each["id"]].title if each["id"] in spec.requirements else ""
        cells = (each["id"], each["level"], plain(title), each["verdict"], str(each["runs"]), str(each["exercised"]))
        yield f"| {' | '.join(cells)} |"
    yield ""
