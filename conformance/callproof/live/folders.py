"""The folders of one case: the root that a run works on, what lies beside it, and the audit folder.

Made anew for every case below one scratch folder, so that no case sees another's files.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from callproof import limits
from callproof.adapters.errors import NoRoom
from callproof.live.behaviours import Write
from callproof.live.case import Item, ItemKind
from callproof.live.observer import snapshot, without_trash
from callproof.trace.witnesses import Snapshot, World

_MEMORY = "/dev/shm"  # noqa: S108  only ever the parent of a fresh folder with a random name
_ENOUGH_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Folders:
    """Absolute paths: ``root`` is given to the system, ``beside`` is out of its bounds, ``audit`` is for its log."""

    root: Path
    beside: Path
    audit: Path

    def look(self) -> tuple[Snapshot, Snapshot]:
        """What is there now: the tree with what lies beside it, and the trash."""
        tree, trash = without_trash(snapshot(self.root))
        beside = {f"../{self.beside.name}/{path}": entry for path, entry in snapshot(self.beside).items()}
        return {**tree, **beside}, trash


class _Scratch(tempfile.TemporaryDirectory[str]):
    """A temporary folder that can be removed, however deep a system has nested folders in it."""

    def cleanup(self) -> None:
        """Remove it; the removal of folders is recursive, and the stack may be too short for it."""
        try:
            super().cleanup()
        except RecursionError:
            _flatten(self.name)
            super().cleanup()


def _flatten(top: str) -> None:
    """Move every folder below one directly into it, so that none lies deep."""
    waiting = [each.path for each in _folders_in(top)]
    moved = 0
    while waiting:
        for each in _folders_in(waiting.pop()):
            moved += 1
            place = os.path.join(top, f".moved-{moved}")
            os.rename(each.path, place)
            waiting.append(place)


def _folders_in(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as listing:
        found = [each for each in listing if each.is_dir(follow_symlinks=False)]
    for each in found:
        os.chmod(each.path, 0o700)  # a system may have taken the permissions away
    return found


def scratch() -> tempfile.TemporaryDirectory[str]:
    """
    A fresh folder for one case, removed when it is closed.

    In memory if the machine has such a place, since a durable log is flushed at every record and a case
    writes many.  ``TMPDIR`` overrides this.
    """
    in_memory = "TMPDIR" not in os.environ and os.access(_MEMORY, os.W_OK | os.X_OK)
    if in_memory and shutil.disk_usage(_MEMORY).free < _ENOUGH_BYTES:
        in_memory = False
    return _Scratch(prefix="callproof-", dir=_MEMORY if in_memory else None)


@contextmanager
def with_room() -> Generator[Path]:
    """
    A scratch folder for one case; checks at the end whether there was room.

    Raises NoRoom at the end of the block if there was none, whatever the block returned: so no system is accused of
    what a full disk left out.
    """
    with scratch() as folder:
        yield Path(folder).resolve()
        free = shutil.disk_usage(folder).free
        if free < limits.ROOM_BYTES:
            raise NoRoom(os.path.dirname(folder), free)


def furnish(scratch: Path, items: Iterable[Item]) -> Folders:
    """Make the folders of a run below ``scratch``, and fill the root."""
    folders = Folders(scratch / "root", scratch / "outside", scratch / "audit")
    for folder in (folders.root, folders.beside, folders.audit):
        folder.mkdir(parents=True)
    for item in items:
        _place(folders.root, item)
    return folders


Look: TypeAlias = "tuple[Snapshot, Snapshot]"


def world(before: Look, after: Look, at_the_end: Look | None = None) -> World:
    """The looks before, after, and when the run said that it was over, as one testimony."""
    end = at_the_end[0] if at_the_end is not None else None
    return World(before=before[0], after=after[0], trash_before=before[1], trash_after=after[1], at_the_end=end)


class OutsideTheFolders(OSError):
    """A case makes the suite write where nothing of the run may reach, by its path or through a link."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path!r} leads out of the folders of the run")


def put(root: Path, write: Write) -> tuple[str, ...]:
    """
    Put a file or a link below the root as a witness tool does; return the paths that it put there, parents first.

    Raises OutsideTheFolders, and OSError if what the system did is in the way.
    """
    way = [write.path[:at] for at, sign in enumerate(write.path) if sign == "/"]
    made = tuple(path for path in way if not os.path.lexists(root / path))
    if not write.link:
        _write_file(_place_of(root, write.path), write.content)
    else:
        _link(_place_of(root, write.path), write.content)
    return (*made, write.path)


def _write_file(target: Path, content: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content.encode("utf-8"))


def _link(place: Path, target: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_dir():
        place.rmdir()
    os.symlink(target, place)


def _place(root: Path, item: Item) -> None:
    if item.kind is ItemKind.FILE:
        _write_file(_place_of(root, item.path), item.text)
    elif item.kind is ItemKind.FOLDER:
        _place_of(root, item.path).mkdir(parents=True, exist_ok=True)
    else:
        _link(_place_of(root, item.path), item.text)


def _place_of(root: Path, path: str) -> Path:
    """The place of a path; links on the way must not lead out: the system under test may have put some there."""
    if not (root / path).resolve().is_relative_to(root.parent.resolve()):
        raise OutsideTheFolders(path)
    return root / path
