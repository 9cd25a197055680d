"""Statements as folders and zip files: the same content always gives the same bytes, and reading trusts nothing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from callproof import limits
from callproof.auditlog.files import NotReadable, open_regular
from callproof.values.neighbours import is_there, missing, nearest_path

# The earliest time that a zip file can hold: a statement has no clock.
_NO_TIME = (1980, 1, 1, 0, 0, 0)


_EXPECTED = "a statement's folder or zip file"


class Unreadable(ValueError):
    """A path holds no readable statement: which path, and why."""


def write_files(files: Mapping[str, bytes], path: Path) -> None:
    """
    Write files below a folder, or into one zip file if the path ends in ``.zip``.

    Raises OSError if one cannot be written, and removes those that were written until then.  A file that was there
    before and could not be overwritten stays as it is.
    """
    wanted = {path: _archive(files)} if path.suffix.lower() == ".zip" else {path / name: files[name] for name in files}
    begun: list[Path] = []
    try:
        for file, content in sorted(wanted.items()):
            if file != path:
                file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("wb") as stream:
                begun.append(file)
                stream.write(content)
    except BaseException:  # including Ctrl-C
        with suppress(OSError):
            _remove(begun, wanted, path)
        raise


def _remove(begun: Iterable[Path], wanted: Iterable[Path], top: Path) -> None:
    """Remove the files whose writing began, and the folders around the wanted files if they are empty."""
    for file in begun:
        file.unlink()
    around = {each for file in wanted for each in file.parents if each.is_relative_to(top)}
    for folder in sorted(around, reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _archive(files: Mapping[str, bytes]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _NO_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return held.getvalue()


def read_files(path: Path) -> Mapping[str, bytes]:
    """Every file of a statement, by its relative path.  Raises Unreadable if they cannot be read."""
    try:
        if not is_there(path):
            raise Unreadable(f"{missing(path)}; expected {_EXPECTED}{nearest_path(path)}")
        return _bounded(path, _of_folder(path) if path.is_dir() else _of_archive(path))
    except NotReadable as error:
        raise Unreadable(f"{path} cannot be read: {error}") from None
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {error.strerror or error}; expected {_EXPECTED}") from None


def _bounded(path: Path, entries: Iterator[tuple[str, bytes]]) -> Mapping[str, bytes]:
    files: dict[str, bytes] = {}
    left = limits.STATEMENT_BYTES
    for name, content in entries:
        if name in files:
            # Programs differ in which of the two they unpack, and only one of them would have been verified.
            raise Unreadable(f"{path} holds {name!r} twice")
        files[name] = content
        left -= len(content)
        if left < 0:
            raise Unreadable(f"{path} is larger than {limits.STATEMENT_BYTES} bytes")
    return files


def _of_folder(path: Path) -> Iterator[tuple[str, bytes]]:
    # Without recursion: a hostile folder may be nested deeper than Python can recurse.
    waiting = [path]
    while waiting:
        for each in sorted(waiting.pop().iterdir()):
            if each.is_dir() and not each.is_symlink():
                waiting.append(each)
            else:
                with open_regular(each) as stream:
                    yield each.relative_to(path).as_posix(), stream.read(limits.STATEMENT_BYTES + 1)


def _of_archive(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        # A path that is a pipe is refused and not waited for: an archive is read from its end.
        with open_regular(path.resolve()) as raw, zipfile.ZipFile(raw) as archive:
            for entry in archive.infolist():
                if not entry.is_dir() or entry.file_size:  # a folder without content is not a file
                    with archive.open(entry) as stream:
                        yield PurePosixPath(entry.filename).as_posix(), stream.read(limits.STATEMENT_BYTES + 1)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001  a byte that is wrong leads its reader to errors of many kinds
        raise Unreadable(
            f"{path} is not a valid zip file ({error or type(error).__name__}); expected {_EXPECTED}"
        ) from None
