"""Cuts text that comes in pieces into lines, and reads files and pipes that may grow."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from callproof import limits
from callproof.auditlog.rereading import Standing

_CHUNK = 256 * 1024
# How much is taken out of a pipe at one look.  A pipe may hold as much.
_LEFT_IN_A_PIPE = limits.MIB


class Cutting:
    """Pieces of text as lines with their LF; for a line over the limit its beginning, one byte over it, without LF."""

    def __init__(self, at: int = 0) -> None:
        self._rest = b""
        self._skips = False
        self._at = at

    def lines(self, piece: bytes) -> Iterator[tuple[int, bytes]]:
        """The lines that end in a piece, each with the place of its first byte in the whole text."""
        *whole, rest = (self._rest + piece).split(b"\n")
        for each in whole:
            if self._skips:
                self._skips = False
            else:
                yield self._at, each + b"\n" if len(each) <= limits.LINE_BYTES else each[: limits.LINE_BYTES + 1]
            self._at += len(each) + 1
        if len(rest) > limits.LINE_BYTES and not self._skips:
            yield self._at, rest[: limits.LINE_BYTES + 1]
            self._skips = True
        if self._skips:
            self._at += len(rest)
            rest = b""
        self._rest = rest

    def rest(self) -> Iterator[tuple[int, bytes]]:
        """The text after the last LF, if there is any."""
        if self._rest:
            yield self._at, self._rest


class Growing(Protocol):
    """A file or a pipe that may grow, and whose lines are asked for again and again."""

    @property
    def standing(self) -> Standing | None:
        """The file, if its text can be read again; None if it cannot."""
        ...

    @property
    def behind(self) -> bool:
        """Whether there is more to read now; after the last look, whether that look left something."""
        ...

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        ...

    @property
    def fault(self) -> str | None:
        """What happened to it that a reader that reads it only once cannot judge; None if nothing did."""
        ...

    def look(self) -> None:
        """Find out how far it reaches now."""
        ...

    def more(self, *, last: bool) -> Iterator[tuple[int, bytes]]:
        """The lines up to where it reached, each with its place; ``last`` also takes a line that has no LF."""
        ...


def growing(name: str, path: Path | None, stream: BinaryIO) -> Growing:
    """An open file or pipe, to be read as it grows; ``path`` is where it lies, if anywhere."""
    descriptor = stream.fileno()
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return _GrowingFile(name, path, descriptor)
    return _GrowingPipe(descriptor)


class _GrowingFile:
    """
    A regular file.  One look reads it only as far as it reached then, so a writer that never rests blocks no reader.

    So the last look leaves nothing unread: what comes after it came after the following had ended.
    """

    def __init__(self, name: str, path: Path | None, descriptor: int) -> None:
        self.standing = Standing(descriptor, path) if hasattr(os, "pread") else None
        self._descriptor = descriptor
        self._name = name
        self._path = path
        # A reader before this one may have read some of it.
        self._read = os.lseek(descriptor, 0, os.SEEK_CUR)
        self._cutting = Cutting(self._read)
        self._end = self._read
        self._done = False

    @property
    def behind(self) -> bool:
        return not self._done and self._size() > self._read

    @property
    def over(self) -> bool:
        return self.fault is not None

    @property
    def fault(self) -> str | None:
        if self._size() < self._read:
            return f"{self._name} became shorter while it was followed"
        if self._path is None or self._is_there(self._path):
            return None
        return f"{self._name} was moved or replaced while it was followed; the file that is there now was not read"

    def look(self) -> None:
        self._end = self._size()

    def more(self, *, last: bool) -> Iterator[tuple[int, bytes]]:
        while self._read < self._end and (piece := os.read(self._descriptor, min(_CHUNK, self._end - self._read))):
            self._read += len(piece)
            yield from self._cutting.lines(piece)
        if last:
            yield from self._cutting.rest()
            self._done = True

    def _size(self) -> int:
        return os.fstat(self._descriptor).st_size

    def _is_there(self, path: Path) -> bool:
        try:
            return os.path.samestat(path.lstat(), os.fstat(self._descriptor))
        except OSError:
            return False


class _GrowingPipe:
    """A pipe, which is over when its writers have closed it.  One look takes no more than a pipe may hold."""

    standing = None
    fault = None

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._cutting = Cutting()
        self._done = False
        self.over = False

    @property
    def behind(self) -> bool:
        return not self.over and not self._done and self._has_more()

    def look(self) -> None:
        """A pipe does not show how much it holds."""

    def more(self, *, last: bool) -> Iterator[tuple[int, bytes]]:
        left = _LEFT_IN_A_PIPE
        while left > 0 and not self.over and self._has_more():
            piece = os.read(self._descriptor, _CHUNK)
            left -= len(piece)
            self.over = not piece
            yield from self._cutting.lines(piece)
        if last and not self.over:
            # No read follows, and only a read shows whether this was the end of the pipe.
            self._done = not self._has_more()
            self.over = not self._done and not os.read(self._descriptor, 1)
        if last or self.over:
            yield from self._cutting.rest()

    def _has_more(self) -> bool:
        return bool(select.select([self._descriptor], (), (), 0)[0])
