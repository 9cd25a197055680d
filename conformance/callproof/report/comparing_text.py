"""A comparison of reports for a person: a line for each requirement in which they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from callproof.report.escape import safe
from callproof.report.markdown import plain
from callproof.spec.registry import Specification
from callproof.values.counts import counted

_STYLES = {"worse": "bold red", "better": "green", "other": "yellow"}
_Told = Mapping[str, Any]


def write(told: _Told, spec: Specification, console: Console, *, everything: bool) -> None:
    """Print a comparison; with ``everything`` also the requirements in which the reports are alike."""
    for line in _lines(told, spec, everything=everything):
        console.print(line, soft_wrap=True, highlight=False)


def _lines(told: _Told, spec: Specification, *, everything: bool) -> Iterator[Text]:
    # Another suite may have other laws, or judge a law in another way.
    suites = len({each["suite"] for each in told["reports"]}) > 1
    for number, each in enumerate(told["reports"], start=1):
        by = f", by {safe(each['suite'])}" if suites else ""
        yield Text(f"{number}  {safe(each['subject'])}: {each['outcome']}  {safe(each['file'])}{by}")
    yield Text("")
    rows = [each for each in told["requirements"] if everything or not is_alike(each)]
    cells = [[_cell(verdict) for verdict in each["verdicts"]] for each in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    named = max((len(each["id"]) for each in rows), default=0)
    if rows:
        numbers = (str(number).ljust(width) for number, width in enumerate(widths, start=1))
        yield Text(f"{'':{named}}  {'  '.join(numbers)}".rstrip())
    for each, row in zip(rows, cells):
        change = each.get("change", "")
        what = "  ".join(cell.ljust(width) for cell, width in zip(row, widths))
        line = f"{each['id']:{named}}  {what}  {change:6}  {_title(each['id'], spec)}".rstrip()
        yield Text(line, style=_STYLES.get(change, ""))
    if rows:
        yield Text("")
    yield Text(closing(told))


def markdown(told: _Told, spec: Specification, *, everything: bool) -> str:
    """The comparison as a table in Markdown; everything from outside stays plain text in it."""
    heads = [f"{plain(each['subject'])}, {each['outcome']}" for each in told["reports"]]
    lines = [_row("requirement", heads), _row("---", ["---"] * len(heads))]
    for each in told["requirements"]:
        if everything or not is_alike(each):
            title = _title(each["id"], spec)
            name = f"{each['id']} · {plain(title)}" if title else each["id"]
            lines.append(_row(name, [_marked(verdict, each) for verdict in each["verdicts"]]))
    return "\n".join([*lines, "", closing(told)]) + "\n"


def is_alike(requirement: _Told) -> bool:
    """Whether a requirement has the same verdict in all reports."""
    return len({each["verdict"] for each in requirement["verdicts"]}) == 1


def closing(told: _Told) -> str:
    """How many requirements there are, and in how many the reports differ."""
    requirements = told["requirements"]
    alike = sum(map(is_alike, requirements))
    changes = Counter(each["change"] for each in requirements if "change" in each)
    parts = [f"{changes[each]} {each}" for each in _STYLES if changes[each]]
    rest = len(requirements) - alike - sum(changes.values())
    if rest:
        parts.append(
            f"{rest} {'judged in one report only or broken in another way' if len(told['reports']) == 2 else 'unlike'}"
        )
    return f"{counted(len(requirements), 'requirement')}: {', '.join([*parts, f'{alike} alike'])}"


def _title(name: str, spec: Specification) -> str:
    requirement = spec.requirements.get(name)
    return "" if requirement is None else requirement.title


def _cell(verdict: _Told) -> str:
    return f"{verdict['verdict']} ({verdict['findings']})" if verdict["findings"] else str(verdict["verdict"])


def _marked(verdict: _Told, requirement: _Told) -> str:
    return (
        f"**{_cell(verdict)}**" if verdict["verdict"] == "fail" and requirement["level"] == "MUST" else _cell(verdict)
    )


def _row(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |"
