"""Statements as folders and zip files: written so that the same files are the same bytes, read without trust."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from callproof import limits
from callproof.auditlog.files import NotReadable, open_regular

# The earliest time that a zip file can tell: a statement holds no clock.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


class Unreadable(ValueError):
    """A path holds no statement that can be read: which path, and why."""


def write_files(files: Mapping[str, bytes], path: Path) -> None:
    """Write files below a folder, or into one zip file where the path ends in ``.zip``."""
    if path.suffix.lower() == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in sorted(files.items()):
                entry = zipfile.ZipInfo(name, _NO_TIME)
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, content)
        return
    for name, content in sorted(files.items()):
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)


def read_files(path: Path) -> Mapping[str, bytes]:
    """Every file of a statement, by its path below it.  Raises Unreadable."""
    if not path.exists():
        raise Unreadable(f"{path} does not exist; expected a statement's folder or zip file")
    files: dict[str, bytes] = {}
    left = limits.STATEMENT_BYTES
    try:
        for name, content in _entries(path, left):
            files[name] = content
            left -= len(content)
            if left < 0:
                raise Unreadable(f"{path} is larger than {limits.STATEMENT_BYTES} bytes")
    except (NotReadable, OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise Unreadable(f"{path} cannot be read: {error}") from None
    return files


def _entries(path: Path, most: int) -> Iterator[tuple[str, bytes]]:
    if path.is_dir():
        for each in sorted(path.rglob("*")):
            if each.is_symlink() or not each.is_dir():
                with open_regular(each) as stream:
                    yield each.relative_to(path).as_posix(), stream.read(most + 1)
        return
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            if not entry.is_dir():
                with archive.open(entry) as stream:
                    yield PurePosixPath(entry.filename).as_posix(), stream.read(most + 1)
