"""``callproof coverage``: the table of every requirement and how it is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from callproof.judge.coverage import Coverage
from callproof.values.jsontext import Json


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
    """Print the table, and a line of counts below it; off a terminal with tabs, so that nothing is folded."""
    headings = ("id", "level", "decided by", "checks", "miniatures, or why excluded")
    lines = [_cells(row) for row in covered]
    if console.is_terminal:
        table = Table(*headings, box=None, pad_edge=False, header_style="bold")
        for cells in lines:
            table.add_row(*cells)
        console.print(table)
    else:
        console.file.writelines("\t".join(cells) + "\n" for cells in (headings, *lines))
    counts = Counter(row.decided for row in covered)
    told = ", ".join(f"{number} {decided}" for decided, number in sorted(counts.items()))
    console.print(f"\n{len(covered)} requirements: {told}", highlight=False)


def _cells(row: Coverage) -> tuple[str, str, str, str, str]:
    last = row.requirement.excluded or ", ".join(row.miniatures)
    checks = ", ".join(row.checks).replace("_", " ")
    return row.requirement.id, row.requirement.level.value, row.decided, checks, last
