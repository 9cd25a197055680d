"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from shutil import copymode
from tempfile import NamedTemporaryFile

# Of a name so many characters go into that of a draft: a name has a largest length.
_NAME = 40


def write_whole(path: Path, content: bytes) -> None:
    """
    Write a file by way of a draft beside it: what stood there stays, where the new content cannot be written.

    Raises OSError, with the path as it was given.
    """
    file = path.resolve()
    try:
        # A device or a pipe may have no path but the one that was given.
        if path.exists() and not path.is_file():
            path.write_bytes(content)
        elif file.is_file() and os.access(file.parent, os.W_OK | os.X_OK):
            _replace(file, content)
        elif file.exists():  # one that has no room beside it
            file.write_bytes(content)
        else:
            _make(file, content)
    except OSError as error:
        error.filename = str(path)  # and not the draft, which nobody knows of
        raise


def is_printed(path: str) -> bool:
    """Whether a path means standard output, as it is or under another name; a device takes whatever comes."""
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
