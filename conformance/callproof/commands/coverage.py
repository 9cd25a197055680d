"""``callproof coverage``: every requirement and how it is decided, or how often a live run exercised it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from typing import Any

from rich.console import Console
from rich.text import Text

from callproof.judge.coverage import Coverage, coverage
from callproof.protocols.known import PROTOCOLS
from callproof.report.console import print_rows
from callproof.spec.registry import Specification, protocols, specification
from callproof.values.jsontext import Json


def everything() -> tuple[Coverage, ...]:
    """The table of the specification, and of each protocol below it."""
    beside = (coverage(spec, PROTOCOLS[name].laws.by_requirement) for name, spec in protocols().items())
    return (*coverage(specification()), *chain.from_iterable(beside))


def rows(covered: Sequence[Coverage]) -> list[Json]:
    """The table as JSON: one object a requirement."""
    return [
        {
            "id": row.requirement.id,
            "level": row.requirement.level.value,
            "title": row.requirement.title,
            "needs": [need.name for need in row.requirement.needs],
            "decided": row.decided,
            "checks": list(row.checks),
            "miniatures": list(row.miniatures),
            "excluded": row.requirement.excluded,
        }
        for row in covered
    ]


def write(covered: Sequence[Coverage], console: Console) -> None:
    """Print the table, and a line of counts below it."""
    print_rows(console, ("id", "level", "decided by", "checks", "miniatures, or why excluded"), map(_cells, covered))
    counts = Counter(row.decided for row in covered)
    told = ", ".join(f"{number} {decided}" for decided, number in sorted(counts.items()))
    console.print(f"\n{len(covered)} requirements: {told}", highlight=False)


def live_rows(report: Mapping[str, Any], spec: Specification) -> list[Json]:
    """How often a live run exercised each requirement, by chapter: one object a requirement."""
    judged = {each["id"]: each for each in report["requirements"]}
    return [
        {
            "id": requirement.id,
            "chapter": chapter.title,
            "title": requirement.title,
            "cases": judged[requirement.id]["runs"] if requirement.id in judged else 0,
            "subjects": judged[requirement.id]["exercised"] if requirement.id in judged else 0,
            "verdict": judged[requirement.id]["verdict"] if requirement.id in judged else "inconclusive",
            "excluded": requirement.excluded,
        }
        for chapter in spec.chapters
        for requirement in chapter.requirements
    ]


def _column(number: int, width: int, noun: str) -> str:
    """A number and its noun, as wide as every other entry of the column."""
    return f"{number:>{width}} {noun if number == 1 else f'{noun}s':<{len(noun) + 1}}"


def write_live(live: Sequence[Mapping[str, Any]], console: Console) -> None:
    """Print how often each requirement was exercised, chapter by chapter, and at the end those that never were."""
    for chapter, members in groupby(live, key=lambda row: str(row["chapter"])):
        console.print(Text(chapter, style="bold"))
        for row in members:
            if row["excluded"] is None:
                counts = f"{_column(row['cases'], 6, 'case')}{_column(row['subjects'], 8, 'subject')}"
                style = "" if row["cases"] else "yellow"
                console.print(
                    Text(f"  {row['id']:<9}{counts}  {row['verdict']}", style=style), highlight=False, soft_wrap=True
                )
    held = [row for row in live if row["excluded"] is None]
    never = [row for row in held if not row["cases"]]
    console.print(
        f"\n{len(held)} requirements: {len(held) - len(never)} exercised, {len(never)} never", highlight=False
    )
    for row in never:
        console.print(
            Text(f"  {row['id']:<9} never exercised  {row['verdict']}  {row['title']}", style="yellow"), soft_wrap=True
        )


def _cells(row: Coverage) -> tuple[str, str, str, str, str]:
    last = row.requirement.excluded or ", ".join(row.miniatures)
    checks = ", ".join(row.checks).replace("_", " ")
    return row.requirement.id, row.requirement.level.value, row.decided, checks, last
