"""The folders of one case: the root that a run works on, what lies beside it, and the audit folder.

Made anew for every case below one scratch folder, so that no case sees another's files.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from callproof.live.case import Item, ItemKind
from callproof.live.observer import snapshot, without_trash
from callproof.trace.witnesses import Snapshot, World

_MEMORY = "/dev/shm"  # noqa: S108  only ever the parent of a fresh folder with a random name
_ENOUGH_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Folders:
    """Absolute paths: ``root`` is given to the system, ``beside`` is out of its bounds, ``audit`` starts empty."""

    root: Path
    beside: Path
    audit: Path

    def look(self) -> tuple[Snapshot, Snapshot]:
        """What is there now: the tree with what lies beside it, and the trash."""
        tree, trash = without_trash(snapshot(self.root))
        beside = {f"../{self.beside.name}/{path}": entry for path, entry in snapshot(self.beside).items()}
        return {**tree, **beside}, trash


def scratch() -> tempfile.TemporaryDirectory[str]:
    """
    A fresh folder for one case, gone when it is closed.

    In memory where the machine has such a place, since a durable log is flushed at every record and a case
    writes many.  ``TMPDIR`` has the last word.
    """
    in_memory = "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK | os.X_OK)
    if in_memory and shutil.disk_usage(_MEMORY).free < _ENOUGH_BYTES:
        in_memory = False
    return tempfile.TemporaryDirectory(prefix="callproof-", dir=_MEMORY if in_memory else None)


def furnish(scratch: Path, items: Iterable[Item]) -> Folders:
    """Make the folders of a case below ``scratch``, which has to exist, and fill the root."""
    folders = Folders(scratch / "root", scratch / "outside", scratch / "audit")
    for folder in (folders.root, folders.beside, folders.audit):
        folder.mkdir()
    for item in items:
        _place(folders.root, item)
    return folders


def world(before: tuple[Snapshot, Snapshot], after: tuple[Snapshot, Snapshot]) -> World:
    """Two looks as one testimony."""
    return World(before=before[0], after=after[0], trash_before=before[1], trash_after=after[1])


def write_file(root: Path, path: str, content: str) -> None:
    """Write one file below the root as a witness tool does, parents included."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.encode("utf-8"))


def _place(root: Path, item: Item) -> None:
    if item.kind is ItemKind.FILE:
        write_file(root, item.path, item.text)
    elif item.kind is ItemKind.FOLDER:
        (root / item.path).mkdir(parents=True, exist_ok=True)
    else:
        (root / item.path).parent.mkdir(parents=True, exist_ok=True)
        os.symlink(item.text, root / item.path)
