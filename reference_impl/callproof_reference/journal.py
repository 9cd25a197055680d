"""Where records go: to whoever listens, and to the audit log on disk (LOG-01 to LOG-23).

A record is written once and never touched again (LOG-13). Knows how to write, not what.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from callproof_reference.faults import Fault, Refused
from callproof_reference.jsontext import Object, copied, write

_FILES = {"call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


class AuditFolder:
    """The audit log of one run, directly in a folder of its own (A68). Its methods raise OSError."""

    def __init__(self, folder: Path) -> None:
        """Make the folder. Raises Refused where that cannot be, or where another run's log is (LOG-22)."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            taken = [name for name in ("run.json", *_FILES.values()) if os.path.lexists(folder / name)]
        except OSError as error:
            raise Refused("audit folder", [Fault("", "audit_folder", f"{error.strerror}")]) from None
        if taken:
            raise Refused("audit folder", [Fault("", "audit_folder", f"it already holds {', '.join(taken)}")])
        self._folder = folder
        self._files: dict[str, BinaryIO] = {}

    def write(self, kind: str, record: Object) -> None:
        """Add one record; run and call records are on the disk when this returns (CALL-21)."""
        if kind == "run":
            self._replace("run.json", write(record) + "\n")
            return
        file = self._files.get(kind)
        if file is None:
            file = self._files[kind] = (self._folder / _FILES[kind]).open("xb")
        file.write((write(record) + "\n").encode("utf-8"))  # one record, one line (LOG-02, LOG-04)
        file.flush()
        if kind != "event":
            os.fsync(file.fileno())

    def close(self) -> None:
        """Put everything on the disk."""
        for file in self._files.values():
            os.fsync(file.fileno())
            file.close()

    def _replace(self, name: str, text: str) -> None:
        # A reader finds the old run.json or the new one, never half of one.
        draft = self._folder / f"{name}.new"
        with draft.open("wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self._folder / name)


class Journal:
    """Writes each record to the log first and tells it afterwards, so that both are the same (EVT-20)."""

    def __init__(self, audit: AuditFolder | None, tell: Callable[[str, Object], None]) -> None:
        self._audit = audit
        self._tell = tell
        self.broken = False

    def write(self, kind: str, record: Object) -> None:
        """Write one record. A log that cannot be written is told by `broken` and left alone (LOG-15)."""
        if self._audit and not self.broken:
            try:
                self._audit.write(kind, record)
            except OSError:
                self.broken = True
        self._tell(kind, copied_object(record))

    def close(self) -> None:
        """Nothing more will be written."""
        if self._audit and not self.broken:
            try:
                self._audit.close()
            except OSError:
                self.broken = True


def copied_object(record: Object) -> Object:
    """A record that shares nothing that can change with the one given."""
    return {name: copied(member) for name, member in record.items()}
