"""Reads one log folder as the text of one run, and ignores files that do not belong to the log."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from callproof import limits
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.auditlog.compressed import PACKED, open_text
from callproof.auditlog.files import PLAINLY, NotReadable, lines
from callproof.auditlog.layout import FILES, RUN_FILE, present
from callproof.auditlog.lines import too_long
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw, FlawKind

_LAST_FIRST = (*reversed(FILES.values()), RUN_FILE)


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The place of one run and its name in reports; it can be sent to any process that shares the disk."""

    path: Path
    name: str

    def captured(self) -> CapturedRun:
        """The text of the run."""
        return captured_in(self.path, name=self.name)


def captured_in(folder: Path, *, name: str | None = None) -> CapturedRun:
    """The text of the run in a log folder.  Never raises for what is in the folder, but reports it as flaws."""
    called = folder.name if name is None else name
    try:
        names = frozenset(os.listdir(folder))
    except OSError as error:
        unread = _unread(RUN_FILE, f"cannot be accessed: {error.strerror}", Kind.RUN)
        return CapturedRun(called, unread, folder=str(folder))
    sizes = _sizes(folder, names)
    record = _captured(folder, RUN_FILE, Kind.RUN, names, sizes)
    found = ((kind, _captured(folder, each, kind, names, sizes)) for kind, each in FILES.items())
    return CapturedRun(called, record, {kind: file for kind, file in found if file is not None}, str(folder))


def _sizes(folder: Path, names: Collection[str]) -> dict[str, int]:
    """
    The sizes of the plain files.  The file that is written last is looked at first.

    Each file is read up to this size.  So a record and what it rests on are both read, even if the log grows.
    """
    sizes: dict[str, int] = {}
    for name in _LAST_FIRST:
        if name in names:
            try:
                found = os.lstat(f"{folder}/{name}")
            except OSError:
                continue  # opening the file reports the reason
            if stat.S_ISREG(found.st_mode):
                sizes[name] = found.st_size
    return sizes


def _captured(
    folder: Path, wanted: str, kind: Kind, names: Collection[str], sizes: Mapping[str, int]
) -> CapturedFile | None:
    """One file of the log; None if it does not exist."""
    found = present(wanted, names)
    if len(found) == 0:
        return None
    if len(found) > 1:
        return _unread(wanted, f"exists as {' and as '.join(found)}, so it is unclear which of them is the log", kind)
    text = _plain_text(f"{folder}/{wanted}", sizes[wanted]) if found[0] in sizes else None
    if text is not None:
        return CapturedFile(wanted, text)
    path = folder / found[0]
    try:
        return _read(path, kind)
    except NotReadable as error:
        return _unread(path.name, error.reason, kind)
    except OSError as error:
        return _unread(path.name, f"cannot be read: {error.strerror}", kind)


def _plain_text(path: str, size: int) -> bytes | None:
    """The first ``size`` bytes of a file; None if it is not regular, is compressed, or exceeds the limit of a line."""
    if size > limits.LINE_BYTES:
        return None
    try:
        descriptor = os.open(path, PLAINLY)
    except OSError:
        return None
    try:
        # Another file may have taken the name between the look and the opening: only the opened file counts.
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        raw = os.read(descriptor, size)
    finally:
        os.close(descriptor)
    return raw if len(raw) == size and not raw.startswith(PACKED) else None


def _read(path: Path, kind: Kind) -> CapturedFile:
    with open_text(path) as stream:
        raw = stream.read(limits.LINE_BYTES + 1)
    if len(raw) <= limits.LINE_BYTES:
        return CapturedFile(path.name, raw)
    if kind is Kind.RUN:
        told = f"{path.name} is longer than {limits.LINE_BYTES} bytes"
        return CapturedFile(path.name, b"", None, (_flaw(FlawKind.LIMIT, path.name, told, kind),), opened=False)
    with open_text(path) as stream:
        return _long_file(path.name, kind, stream)


def _long_file(name: str, kind: Kind, stream: BinaryIO) -> CapturedFile:
    """A file that may have lines over the limit, which are left out; of a file that is too long, nothing is held."""
    kept: list[bytes] = []
    numbers: list[int] = []
    flaws: list[Flaw] = []
    size = 0
    for line in lines(stream):
        size += len(line.raw) + line.ended
        if size > limits.RUN_FILE_BYTES:
            # To judge the part that was read takes many times its size, as with any run (see docs/large-logs.md).
            return _unread(name, f"is longer than {limits.RUN_FILE_BYTES} bytes", kind)
        if line.too_long:
            flaws.append(too_long(Source(name, line.number), kind))
            continue
        kept.append(line.raw + b"\n" if line.ended else line.raw)
        numbers.append(line.number)
    return CapturedFile(name, b"".join(kept), numbers, tuple(flaws))


def _unread(name: str, reason: str, kind: Kind) -> CapturedFile:
    return CapturedFile(name, b"", None, (_flaw(FlawKind.UNREADABLE, name, f"{name} {reason}", kind),), opened=False)


def _flaw(flaw: FlawKind, name: str, says: str, kind: Kind) -> Flaw:
    return Flaw(flaw, Source(name, 1), says, kind)
