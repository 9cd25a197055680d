"""Consoles on streams, each a terminal where its stream is one, and nowhere else."""

from __future__ import annotations

import os
import sys
from typing import IO, Any

from rich.console import Console


def printed() -> Console:
    """The console on standard output."""
    return Console(**_kind(sys.stdout))


def beside() -> Console:
    """The console on standard error."""
    return Console(stderr=True, **_kind(sys.stderr))


def console_in(file: IO[str], width: int) -> Console:
    """The console on any other stream."""
    return Console(file=file, width=width, **_kind(file))


def _kind(stream: IO[str] | None) -> dict[str, Any]:
    """
    What a console is told of its stream; None is a stream that was closed before we began.

    ``FORCE_COLOR``, which many set for all their jobs, asks for colours.  A file or a pipe is no terminal by that:
    nothing is folded there, tables keep their tabs, and no progress is drawn.
    """
    if not os.environ.get("FORCE_COLOR") or stream is None or stream.isatty():
        return {}
    return {"force_terminal": False, "color_system": "standard"}
