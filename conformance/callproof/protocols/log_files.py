"""Which logs some paths mean: files of JSON lines, the logs in a folder and below it, and standard input."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from callproof.auditlog.files import NotReadable
from callproof.auditlog.inputs import DEEPEST, STANDARD_INPUT, NothingToJudge, Spool, standard_input
from callproof.auditlog.layout import COMPRESSED, present
from callproof.protocols.entries import Entries, entries_in, read_entries
from callproof.trace.records import Source
from callproof.trace.run import Flaw, FlawKind
from callproof.values.neighbours import is_there, missing, nearest_path

_SUFFIX = ".jsonl"
_STANDARD_INPUT_CALLED = "standard input"


def is_log(name: str) -> bool:
    """Whether a file of this name in a folder is one of its logs."""
    return _unpacked(name).endswith(_SUFFIX)


@dataclass(frozen=True, slots=True)
class LogFile:
    """One log that was found, and its name in reports; ``unread`` says why it cannot be read."""

    path: Path
    name: str
    unread: str | None = None

    def read(self) -> Entries:
        """The entries of the log.  Never raises for its content: if it cannot be read, a flaw says so."""
        try:
            if self.unread is not None:
                return without_entries(self.name, self.path, self.unread)
            if self.path == STANDARD_INPUT:
                with Spool(standard_input()).open() as stream:
                    return entries_in(stream, _STANDARD_INPUT_CALLED, self.name)
            return read_entries(self.path, self.name)
        except NotReadable as error:
            return without_entries(self.name, self.path, error.reason)
        except OSError as error:
            return without_entries(self.name, self.path, f"cannot be read: {error.strerror}")

    def size(self) -> int:
        """The size of the file on the disk in bytes."""
        try:
            return self.path.stat(follow_symlinks=False).st_size
        except OSError:
            return 0


def without_entries(name: str, path: Path, why: str) -> Entries:
    """A log that was not read, so that it may contain anything."""
    file = _STANDARD_INPUT_CALLED if path == STANDARD_INPUT else path.name
    flaw = Flaw(FlawKind.UNREADABLE, Source(file, 1), f"{file} {why}")
    return Entries(name, (), (flaw,), None if path == STANDARD_INPUT else str(path.parent))


@dataclass(frozen=True, slots=True)
class LogPath:
    """A path that the user gave; ``named`` goes before the names of the logs in a folder."""

    path: Path
    is_folder: bool = False
    named: str = ""

    def files(self) -> Iterator[LogFile]:
        """Every log that the path means, one by one, in the order of their names."""
        if not self.is_folder:
            yield LogFile(self.path, str(self.path))
            return
        for path, unread in _below(self.path, DEEPEST):
            yield LogFile(path, self.named + path.relative_to(self.path).as_posix(), unread)


def logs_at(paths: Sequence[Path]) -> tuple[LogPath, ...]:
    """
    What each path is: a log, standard input, or a folder with logs in it or below it.

    Links below a folder are not followed.  Raises NothingToJudge if a path leads to no log.
    """
    return tuple(_log_at(path, several=len(paths) > 1) for path in paths)


def size_of(paths: Sequence[Path]) -> int | None:
    """How many bytes there are to read; None if that is unknown.  A guess: no decision may depend on it."""
    try:
        inputs = logs_at(paths)
    except NothingToJudge:
        return None
    if any(each.path == STANDARD_INPUT for each in inputs):
        return None
    return sum(file.size() for each in inputs for file in each.files())


def _log_at(path: Path, *, several: bool) -> LogPath:
    if path == STANDARD_INPUT:
        return LogPath(path)
    try:
        if not is_there(path):
            raise NothingToJudge(f"{missing(path)}{nearest_path(path)}")
    except OSError as error:
        raise NothingToJudge(f"{path} cannot be read: {error.strerror}") from None
    if not path.is_dir():
        return LogPath(path)
    if next(_below(path, DEEPEST), None) is None:
        ends = ", ".join(f"{_SUFFIX}{each}" for each in ("", *COMPRESSED))
        raise NothingToJudge(f"no file in {path} or below it ends in {ends}; name the log itself")
    # With several paths, each log is called by its whole path; otherwise two of them might have the same name.
    return LogPath(path, is_folder=True, named=f"{path}/" if several else "")


def _below(folder: Path, depth: int) -> Iterator[tuple[Path, str | None]]:
    """The logs in a folder and below it, each with the reason why it cannot be read, or None."""
    try:
        with os.scandir(folder) as entries:
            found = {each.name: each.is_dir(follow_symlinks=False) for each in entries if not each.is_symlink()}
    except OSError as error:
        yield folder, f"cannot be read: {error.strerror}"
        return
    names = frozenset(name for name, is_folder in found.items() if not is_folder and is_log(name))
    logs = {_unpacked(name) for name in names}
    for name in sorted({*logs, *(name for name, is_folder in found.items() if is_folder)}):
        if name in logs:
            spelt = present(name, names)
            riddle = f"exists as {' and as '.join(spelt)}, so it is unclear which of them is the log"
            yield folder / spelt[0], riddle if len(spelt) > 1 else None
        if found.get(name) and depth > 0:
            yield from _below(folder / name, depth - 1)


def _unpacked(name: str) -> str:
    """The name of a file without the suffix of a compression."""
    return next((name.removesuffix(each) for each in COMPRESSED if name.endswith(each)), name)
