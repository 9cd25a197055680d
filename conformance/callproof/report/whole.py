"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from shutil import copymode
from tempfile import NamedTemporaryFile

# How many characters of a file's name go into that of its draft: the length of a name is limited.
_NAME = 40


def write_whole(path: Path, content: bytes) -> None:
    """
    Write a file by way of a draft beside it: if the new content cannot be written, the old content stays.

    Raises OSError, with the path as it was given.
    """
    file = path.resolve()
    try:
        # A device or a pipe may have no other path than the one that was given.
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        elif file.is_file() and os.access(file.parent, os.W_OK | os.X_OK):
            _replace(file, content)
        elif file.exists():  # its folder takes no draft
            file.write_bytes(content)
        else:
            _make(file, content)
    except OSError as error:
        error.filename = str(path)  # not that of the draft, which the caller does not know
        raise


def in_one_file(paths: Iterable[Path]) -> tuple[Path, Path] | None:
    """The first two of some paths that lead to one file, where the second would replace the first; None if none do."""
    known: dict[str, Path] = {}
    for path in paths:  # by os.path, which raises nothing, whatever a path is
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            continue  # a device or a pipe takes one after the other
        file = os.path.realpath(path)
        if file in known:
            return known[file], path
        known[file] = path
    return None


def is_printed(path: str) -> bool:
    """Whether a path means standard output, as ``-`` or under another name; a device does not count."""
    if path == "-":
        return True
    try:
        printed, found = os.fstat(1), Path(path).stat()
    except (OSError, ValueError):
        return False
    return not stat.S_ISCHR(found.st_mode) and os.path.samestat(printed, found)


def _replace(file: Path, content: bytes) -> None:
    with NamedTemporaryFile(dir=file.parent, prefix=f".{file.name[:_NAME]}.", delete=False) as draft:
        try:
            draft.write(content)
            draft.flush()
            copymode(file, draft.name)
            Path(draft.name).replace(file)
        except BaseException:  # Ctrl-C among them
            Path(draft.name).unlink()
            raise


def _make(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
