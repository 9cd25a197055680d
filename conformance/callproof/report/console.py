"""Consoles on streams; a console acts as a terminal only if its stream is one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import IO, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text


def printed() -> Console:
    """The console on standard output."""
    return Console(**_kind(sys.stdout))


def beside() -> Console:
    """The console on standard error."""
    return Console(stderr=True, **_kind(sys.stderr))


def console_in(file: IO[str], width: int) -> Console:
    """The console on any other stream."""
    return Console(file=file, width=width, **_kind(file))


def print_rows(console: Console, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows in columns on a terminal; elsewhere with tabs between cells, so that no line is folded."""
    if not console.is_terminal:
        console.file.writelines("\t".join(cells) + "\n" for cells in (headings, *rows))
        return
    table = Table(*headings, box=None, pad_edge=False, header_style="bold")
    for cells in rows:
        table.add_row(*map(Text, cells))
    console.print(table)


def _kind(stream: IO[str] | None) -> dict[str, Any]:
    """
    The options of a console for its stream; None is a stream that was closed before we began.

    ``FORCE_COLOR``, which many users set for all their jobs, asks for colours.  It does not turn a file or a pipe into
    a terminal: no line is folded there, tables keep their tabs, and no progress is drawn.
    """
    if not os.environ.get("FORCE_COLOR") or stream is None or stream.isatty():
        return {}
    return {"force_terminal": False, "color_system": "standard"}
