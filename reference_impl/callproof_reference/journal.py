"""Where records go: the audit log on disk, and whoever listens (LOG-01 to LOG-23).

A record is written once and never touched again (LOG-13). Knows how to write, not what.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

from callproof_reference.faults import Fault, Refused
from callproof_reference.jsontext import Object, write

_FILES = {"run": "run.json", "call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


class Journal:
    """Writes each record to the log first and tells it afterwards: both are the same, in the same order (EVT-20)."""

    def __init__(self, folder: Path | None, root: Path | None, tell: Callable[[str, Object], None]) -> None:
        """
        Make the folder, if there is to be a log.

        Raises Refused where another log is in it (A68, LOG-22), or where the tools on `root` could reach it (LOG-13).
        """
        self._folder, self._tell = folder, tell
        self.broken = False
        if folder and (why := _unusable(folder, root)):
            raise Refused("audit folder", [Fault("", "audit_folder", why)])

    def write(self, kind: str, record: Object) -> None:
        """Write one record. A log that cannot be written is told by `broken` and left alone (LOG-15)."""
        try:
            if self._folder and not self.broken:
                _save(self._folder / _FILES[kind], write(record) + "\n", append=kind != "run")
        except OSError:
            self.broken = True
        self._tell(kind, deepcopy(record))


def _unusable(folder: Path, root: Path | None) -> str | None:
    if root and os.path.commonpath(real := [os.path.realpath(folder), os.path.realpath(root)]) in real:
        return f"{folder} and the root {root} lie one inside the other; name an audit folder outside of the root"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = [name for name in _FILES.values() if os.path.lexists(folder / name)]
    except FileExistsError:
        return "it is a file, and a folder is expected; name another"
    except OSError as error:
        return str(error.strerror)
    return f"it already holds {', '.join(taken)}; name another" if taken else None


def _save(path: Path, line: str, *, append: bool) -> None:
    """Put one record on the disk, as one line, before this returns (CALL-21, LOG-02, LOG-04)."""
    # run.json is replaced when it grows: a reader finds the old one or the new one, never half of one.
    target = path if append else path.with_suffix(".new")
    with target.open("ab" if append else "wb") as file:
        file.write(line.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    if not append:
        target.replace(path)
