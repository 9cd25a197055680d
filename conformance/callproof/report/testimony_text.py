"""The testimonies on a run for a person: three columns side by side, call by call, on one time line.

Made from the document.  It reads well without colours, a hundred columns wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from callproof.report.escape import safe
from callproof.values.counts import counted

_Rows = Sequence[Mapping[str, Any]]

WIDTH = 100
_INDENT = 2
_LINE, _TIME, _COLUMN = 9, 9, 24
# More rows than this are cut to the calls that the finding is about.
_ROWS_SHOWN = 30
_COLUMNS = {"claim": 0, "deed": 1, "suite": 1, "folder": 2}
_HEADINGS = ("its records claim", "the tools witnessed", "the folder shows")


def side_by_side(testimony: Mapping[str, Any], marked: Iterable[int] = ()) -> Iterator[Text]:
    """The lines of one testimony; rows whose message is ``marked`` have a sign, because they prove the finding."""
    marks = frozenset(marked)
    rows: _Rows = testimony["rows"]
    shown = _about(rows, marks)[:_ROWS_SHOWN] if len(rows) > _ROWS_SHOWN else rows
    clock = "times on the virtual clock" if testimony["clock"] == "virtual" else "in the order of the wire"
    yield Text.assemble(("  testimonies  ", "dim"), safe(testimony["run"]), (f"   {clock}", "dim"))
    yield from _table(("wire", "time", *_HEADINGS), "bold dim")
    for call, group in groupby(shown, key=lambda row: row.get("call")):
        yield Text(f"{' ' * _INDENT}{safe(call or 'the run')}", style="bold")
        for together in _abreast(tuple(group)):
            proves = any(row.get("line") in marks for row in together)
            yield from _table(_cells(together, proves=proves), "red" if proves else "")
    left = len(rows) - len(shown) + testimony["left"]
    if left:
        yield Text(f"{' ' * _INDENT}… and {counted(left, 'more row')}, in the JSON report", style="dim")


def wire_lines(finding: Mapping[str, Any]) -> tuple[int, ...]:
    """The messages that prove a finding, by their index on the wire."""
    return tuple(each["line"] for each in finding["witness"] if each["file"] == "wire")


def _about(rows: _Rows, marks: frozenset[int]) -> _Rows:
    """The rows of the calls that are marked, with those of the run itself; every row if no call is marked."""
    calls = {row.get("call") for row in rows if row.get("line") in marks} - {None}
    return [row for row in rows if row.get("call") in calls or "call" not in row] if calls else rows


def _abreast(rows: _Rows) -> Iterator[_Rows]:
    """The rows grouped into lines: rows stand side by side while they go from left to right at the same time."""
    line: list[Mapping[str, Any]] = []
    for row in rows:
        last = line[-1] if line else row
        follows = _COLUMNS[row["by"]] > _COLUMNS[last["by"]] and row.get("atMs") in {None, last.get("atMs")}
        if line and not follows:
            yield line
            line = []
        line.append(row)
    yield line


def _cells(rows: _Rows, *, proves: bool) -> tuple[str, ...]:
    """The cells of one line: the messages, the time, and the words in their columns."""
    messages = [row["line"] for row in rows if "line" in row]
    span = "-".join(str(each) for each in dict.fromkeys((messages[0], messages[-1]))) if messages else ""
    at = rows[0].get("atMs")
    cells = [f"> {span}" if proves else span, "" if at is None else f"{at:+d} ms", "", "", ""]
    for row in rows:
        cells[2 + _COLUMNS[row["by"]]] = safe(row["says"])
    return tuple(cells)


def _table(cells: tuple[str, ...], style: str) -> Iterator[Text]:
    table = Table.grid(padding=(0, 2, 0, 0))
    for width in (_LINE, _TIME):
        table.add_column(width=width, justify="right", no_wrap=True)
    for _ in _HEADINGS:
        table.add_column(width=_COLUMN, overflow="fold")
    table.add_row(*(Text(cell) for cell in cells))
    # No line of the table is that wide, but rich before 14.3 counted the padding at the end of the line.
    page = Console(file=StringIO(), width=WIDTH, color_system=None, legacy_windows=False)
    with page.capture() as captured:
        page.print(table)
    for line in captured.get().splitlines():
        yield Text(f"{' ' * _INDENT}{line.rstrip()}", style=style)
