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

_FILES = {"call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


class AuditFolder:
    """The audit log of one run, directly in a folder of its own (A68). Its methods raise OSError."""

    def __init__(self, folder: Path) -> None:
        """Make the folder. Raises Refused where that cannot be, or where another run's log is (LOG-22)."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            taken = [name for name in ("run.json", *_FILES.values()) if os.path.lexists(folder / name)]
        except OSError as error:
            raise Refused("audit folder", [Fault("", "audit_folder", str(error.strerror))]) from None
        if taken:
            raise Refused("audit folder", [Fault("", "audit_folder", f"it already holds {', '.join(taken)}")])
        self._folder = folder

    def write(self, kind: str, record: Object) -> None:
        """Add one record: one line (LOG-02, LOG-04), on the disk before this returns (CALL-21)."""
        line = (write(record) + "\n").encode("utf-8")
        # run.json is replaced: a reader finds the old one or the new one, never half of one.
        with (self._folder / _FILES.get(kind, "run.json.new")).open("wb" if kind == "run" else "ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        if kind == "run":
            (self._folder / "run.json.new").replace(self._folder / "run.json")


class Journal:
    """Writes each record to the log first and tells it afterwards: both are the same, in the same order (EVT-20)."""

    def __init__(self, audit: AuditFolder | None, tell: Callable[[str, Object], None]) -> None:
        self._audit = audit
        self._tell = tell
        self.broken = False

    def write(self, kind: str, record: Object) -> None:
        """Write one record. A log that cannot be written is told by `broken` and left alone (LOG-15)."""
        try:
            if self._audit and not self.broken:
                self._audit.write(kind, record)
        except OSError:
            self.broken = True
        self._tell(kind, deepcopy(record))
