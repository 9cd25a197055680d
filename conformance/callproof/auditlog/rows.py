"""The lines of shared files and streams as rows, for engines that group and sort by themselves.

The rows of one run, sorted by run, file and line, are enough to audit the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from callproof import limits
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.compressed import open_text
from callproof.auditlog.files import NotReadable, is_blank, is_cut, raw_lines
from callproof.auditlog.layout import COMPRESSED, SHARED_FILES
from callproof.auditlog.naming import run_named_in, run_named_in_stream
from callproof.auditlog.open_runs import OpenRun
from callproof.trace.records import Kind


class Row(NamedTuple):
    """One line: the ``runId`` that it names, or empty; its file; its number; its bytes with their LF."""

    run: bytes
    file: str
    line: int
    text: bytes


def rows_in(path: Path) -> Iterator[Row]:
    """
    Every line of one file that is not blank.

    Raises NotReadable, when the reading gets there, if a file cannot be read to its end or if a line over the limit
    names no run: a part of a log must not pass for the log.
    """
    named = run_named_in if _kind_of(path.name) is not None else run_named_in_stream
    with open_text(path) as stream:
        for line, raw in enumerate(raw_lines(stream), start=1):
            key = named(raw)
            if key is None and is_cut(raw):
                # The line may belong to any run (LOG-21).
                raise NotReadable(path, f"has in line {line} more than {limits.LINE_BYTES} bytes, which name no run")
            if key is not None or not is_blank(raw):
                yield Row(key or b"", path.name, line, raw)


def run_of_rows(rows: Iterable[Row], folder: str = "") -> CapturedRun:
    """
    The run of these rows, which must be complete and sorted by line in each file.  Raises ValueError if there are none.

    Rows that name no run form a run of their own.  Other runs do not learn that these rows may hold what they lack.
    """
    run: OpenRun | None = None
    for row in rows:
        if run is None:
            run = OpenRun(row.run)
        run.add(row.file, _kind_of(row.file), row.line, row.text)
    if run is None:
        raise ValueError("a run has one row at least")
    return run.captured(folder=folder)


@cache
def _kind_of(name: str) -> Kind | None:
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return next((kind for kind, each in SHARED_FILES.items() if each == name), None)
