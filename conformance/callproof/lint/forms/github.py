"""Findings as annotations in the log of a GitHub workflow, each at its line and columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from callproof.lint.forms.report import Report
from callproof.lint.forms.words import closing, sentence_on_the_tool
from callproof.report.github import command
from callproof.report.places import seen_from

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
# A workflow shows ten of each kind, and nobody reads the hundredth.
_SHOWN = 50


def rendered(told: Report, root: Path) -> str:
    """The commands, one per line: what could not be checked, then the findings, the heaviest first, and the outcome."""
    return "\n".join(_lines(told, root)) + "\n"


def _lines(told: Report, root: Path) -> Iterator[str]:
    for each in told["problems"][:_SHOWN]:
        yield command("error", {"title": "callproof lint"}, each)
    ranked = sorted(told["findings"], key=lambda each: [*_COMMANDS].index(each["severity"]))
    for each in ranked[:_SHOWN]:
        yield _finding(each, root)
    rest = len(ranked) - _SHOWN
    more = f"; {rest} more in the JSON report" if rest > 0 else ""
    yield command("error" if told["exitCode"] else "notice", {"title": "callproof lint"}, f"{closing(told)}{more}")


def _finding(finding: Report, root: Path) -> str:
    properties = {"title": f"{finding['rule']} {finding['law']}"}
    if finding["onDisk"]:
        spot = {"line": str(finding["line"]), "endLine": str(finding["endLine"])}
        if finding["line"] == finding["endLine"]:
            spot = {**spot, "col": str(finding["column"]), "endColumn": str(finding["endColumn"])}
        properties = {"file": seen_from(root, Path(finding["file"])), **spot, **properties}
    # Without a file, the annotation has no place but the one that its words name.
    at = "" if finding["onDisk"] else f"{finding['file']}: {finding['pointer'] or 'the whole document'}: "
    return command(_COMMANDS[finding["severity"]], properties, f"{at}{sentence_on_the_tool(finding)}")
