"""Estimates how much there is to read, to show how long it takes.  No decision depends on the estimate."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from callproof.auditlog.folder import RunFolder
from callproof.auditlog.inputs import DEEPEST, STANDARD_INPUT, FoundRun
from callproof.auditlog.layout import ALL_MARKS, COMPRESSED


def bytes_in(run: FoundRun) -> int:
    """The size of one run: of its files on the disk, or of its lines."""
    return sum(size for _, size in _files(run.path)) if isinstance(run, RunFolder) else run.size


def bytes_below(paths: Iterable[Path]) -> int | None:
    """The size of all logs at and below some paths; None if only reading them would show it."""
    total = 0
    for path in paths:
        if path == STANDARD_INPUT:
            return None
        for name, size in _walked(path):
            if name.endswith(COMPRESSED):
                return None
            total += size
    return total


def _walked(path: Path) -> Iterable[tuple[str, int]]:
    if not path.is_dir():
        yield path.name, path.stat().st_size
        return
    for folder, below, _ in os.walk(path):
        yield from _files(Path(folder))
        if len(Path(folder).relative_to(path).parts) >= DEEPEST:  # no log is looked for below this depth
            below.clear()


def _files(folder: Path) -> Iterable[tuple[str, int]]:
    try:
        with os.scandir(folder) as entries:
            return [(each.name, each.stat(follow_symlinks=False).st_size) for each in entries if each.name in ALL_MARKS]
    except OSError:
        return []
