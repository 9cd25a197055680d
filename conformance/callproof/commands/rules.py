"""``callproof rules``: every rule of lint, as data and as lines with tabs."""

from __future__ import annotations

from collections.abc import Iterator

from callproof import __version__
from callproof.lint.page import pages
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


def lines() -> Iterator[str]:
    """The rules as a table of columns with tabs between them, and a count below."""
    yield "\t".join(_HEADINGS)
    known = pages().values()
    for each in known:
        default = "on" if each.on else "off"
        yield "\t".join((each.id, each.severity.value, each.certainty, default, each.fix, each.title))
    yield ""
    on = sum(each.on for each in known)
    yield f"{len(known)} rules, {on} of them on by default; `callproof explain ID` tells one"
