"""Which runs a path means: a log folder, or a tree of log folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from callproof.auditlog.reader import FILES, RUN_FILE

_MARKS = frozenset({RUN_FILE, *FILES.values()})
# A tree of logs deeper than this is somebody's mistake, such as a whole disk.
_DEEPEST = 16


class NothingToJudge(ValueError):
    """A path leads to no log at all: what was found there, and what was expected."""


def log_folders(paths: Iterable[Path]) -> tuple[Path, ...]:
    """
    Every log folder that the paths mean, in the order of the paths and then of the names.

    A log folder holds at least one of run.json, calls.jsonl, results.jsonl and events.jsonl.
    Links are not followed.  Raises NothingToJudge for a path without one.
    """
    found: list[Path] = []
    for path in paths:
        before = len(found)
        found.extend(_folders(path, _DEEPEST))
        if len(found) == before:
            raise NothingToJudge(_explained(path))
    return tuple(found)


def _folders(path: Path, depth: int) -> Iterator[Path]:
    if not path.is_dir() or depth == 0:
        return
    with os.scandir(path) as entries:
        inner = sorted(entries, key=lambda entry: entry.name)
    if any(entry.name in _MARKS for entry in inner):
        yield path
        return
    for entry in inner:
        if entry.is_dir(follow_symlinks=False):
            yield from _folders(Path(entry.path), depth - 1)


def _explained(path: Path) -> str:
    if not path.exists():
        return f"{path} does not exist; expected a folder with run.json, calls.jsonl and results.jsonl"
    if path.is_dir():
        return f"{path} holds no audit log: neither it nor a folder below has run.json, calls.jsonl or results.jsonl"
    if path.name in _MARKS:
        return f"{path} is one file of an audit log; give its folder: {path.parent}"
    return f"{path} is a file; expected a folder with run.json, calls.jsonl and results.jsonl"
