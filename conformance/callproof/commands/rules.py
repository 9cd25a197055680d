"""``callproof rules``: every rule of lint, as data and as a table."""

from __future__ import annotations

from rich.console import Console

from callproof import __version__
from callproof.lint.page import Page, pages
from callproof.report.console import print_rows
from callproof.values.jsontext import Json

LIST_VERSION = "1.0"
_HEADINGS = ("rule", "severity", "certainty", "default", "fix", "title")


def as_json() -> dict[str, Json]:
    """The rules as data, in the shape ``rule-list`` of ``spec/tools/reports.md``."""
    return {"rulesVersion": LIST_VERSION, "suite": f"callproof {__version__}", "rules": _rows()}


def _rows() -> list[Json]:
    return [
        {
            "id": each.id,
            "group": each.group,
            "title": each.title,
            "says": each.says,
            "why": each.why,
            "level": each.level,
            "severity": each.severity.value,
            "certainty": each.certainty,
            "default": each.on,
            "fix": each.fix,
            "source": each.source,
        }
        for each in pages().values()
    ]


def write(console: Console) -> None:
    """Print the rules as a table, and a count below it."""
    known = pages().values()
    print_rows(console, _HEADINGS, map(_cells, known))
    on = sum(each.on for each in known)
    told = f"{len(known)} rules, {on} of them on by default; `callproof explain ID` shows one"
    console.print(f"\n{told}", highlight=False, soft_wrap=True)


def _cells(rule: Page) -> tuple[str, ...]:
    default = "on" if rule.on else "off"
    return rule.id, rule.severity.value, rule.certainty, default, rule.fix, rule.title
