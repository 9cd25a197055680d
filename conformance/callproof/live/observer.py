"""The folder as it is, seen from outside the system's process: the third testimony.

Names are bytes, decoded so that no name is lost; content is hashed; links are
read and never followed.  Modification times are left out: they prove nothing.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from callproof.trace.witnesses import Entry, Snapshot

# The trash does not count as something that a run changes (A69).
TRASH = ".trash"


def snapshot(root: Path) -> Snapshot:
    """Everything below a folder, by path relative to it; an empty snapshot if there is no such folder."""
    return dict(_entries(os.fsencode(root))) if root.is_dir() and not root.is_symlink() else {}


def without_trash(tree: Snapshot) -> tuple[Snapshot, Snapshot]:
    """A snapshot of the root split in two: everything except the trash, and the trash itself."""
    kept = {path: entry for path, entry in tree.items() if not _in_trash(path)}
    return kept, {path: entry for path, entry in tree.items() if path not in kept}


def _in_trash(path: str) -> bool:
    return path == TRASH or path.startswith(f"{TRASH}/")


def _entries(root: bytes) -> Iterator[tuple[str, Entry]]:
    """Folders before their contents; iterative, since a system may nest them deeper than Python's recursion goes."""
    waiting = [(each, b"") for each in reversed(_listed(root))]
    while waiting:
        found, above = waiting.pop()
        path = above + found.name
        entry = _entry(found)
        yield os.fsdecode(path), entry
        if entry.kind == "folder":
            waiting += [(each, path + b"/") for each in reversed(_listed(found.path))]


def _listed(folder: bytes) -> list[os.DirEntry[bytes]]:
    """The entries of a folder, by name; none if a system has closed the folder or removed it meanwhile."""
    try:
        with os.scandir(folder) as listing:
            return sorted(listing, key=lambda each: each.name)
    except OSError:
        return []


def _entry(found: os.DirEntry[bytes]) -> Entry:
    inode = found.inode()
    if found.is_symlink():
        return Entry("link", _target(found.path), inode)
    if found.is_dir(follow_symlinks=False):
        return Entry("folder", "", inode)
    if found.is_file(follow_symlinks=False):
        return Entry("file", _digest(found.path), inode)
    # A pipe or device is never opened: reading one may never end.
    return Entry("special", "", inode)


def _target(path: bytes) -> str:
    """The target of a link; empty if a system has removed it meanwhile, or put it too deep for any path."""
    try:
        return os.fsdecode(os.readlink(path))
    except OSError:
        return ""


def _digest(path: bytes) -> str:
    """The hash of a file's content, or a word that is no hash if a system has closed the file or removed it."""
    try:
        with open(path, "rb") as content:
            return f"sha256:{hashlib.file_digest(content, 'sha256').hexdigest()}"
    except OSError:
        return "unreadable"
