"""Text that comes in pieces, cut into lines, and files and pipes of which more may come."""

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
# What is taken out of a pipe at one look; a pipe may hold as much.
_LEFT_IN_A_PIPE = limits.MIB


class Cutting:
    """Pieces of text as lines, with their LF; of one over the limit comes the beginning, longer than it and without."""

    def __init__(self, at: int = 0) -> None:
        self._rest = b""
        self._skips = False
        self._at = at

    def lines(self, piece: bytes) -> Iterator[tuple[int, bytes]]:
        """The lines that end in a piece, each with the place of its first byte in the whole."""
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
        """What stands after the last LF, if anything does."""
        if self._rest:
            yield self._at, self._rest


class Growing(Protocol):
    """A file or a pipe of which more may come: its lines, asked for again and again."""

    @property
    def standing(self) -> Standing | None:
        """The file, where its text can be read again; None where it cannot."""
        ...

    @property
    def behind(self) -> bool:
        """Whether there is more to read now; after the last look, whether that one left something."""
        ...

    @property
    def over(self) -> bool:
        """Whether nothing will come any more."""
        ...

    @property
    def fault(self) -> str | None:
        """What happened to it that nobody can judge who reads it once; None where nothing did."""
        ...

    def look(self) -> None:
        """See how far it reaches now."""
        ...

    def more(self, *, last: bool) -> Iterator[tuple[int, bytes]]:
        """The lines that have come as far as it reached, each with its place; ``last`` takes what has no LF as well."""
        ...


def growing(name: str, path: Path | None, stream: BinaryIO) -> Growing:
    """What is open, to be read as it grows; ``path`` is where it lies, if anywhere."""
    descriptor = stream.fileno()
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return _GrowingFile(name, path, descriptor)
    return _GrowingPipe(descriptor)


class _GrowingFile:
    """
    A regular file.  One look takes it as far as it reached then: a writer who never rests keeps nobody.

    So the last look leaves nothing: what comes after it came when nobody waited any longer.
    """

    def __init__(self, name: str, path: Path | None, descriptor: int) -> None:
        self.standing = Standing(descriptor, path) if hasattr(os, "pread") else None
        self._descriptor = descriptor
        self._name = name
        self._path = path
        # Whoever had it before may have read some of it.
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
        return f"{self._name} was moved or replaced while it was followed; what stands there now was not read"

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
    """A pipe, which is over when whoever writes to it has gone.  One look takes no more than a pipe may hold."""

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
        """What is in a pipe is told by nobody."""

    def more(self, *, last: bool) -> Iterator[tuple[int, bytes]]:
        left = _LEFT_IN_A_PIPE
        while left > 0 and not self.over and self._has_more():
            piece = os.read(self._descriptor, _CHUNK)
            left -= len(piece)
            self.over = not piece
            yield from self._cutting.lines(piece)
        if last and not self.over:
            # Nobody reads on, and only a reading tells whether that was its end.
            self._done = not self._has_more()
            self.over = not self._done and not os.read(self._descriptor, 1)
        if last or self.over:
            yield from self._cutting.rest()

    def _has_more(self) -> bool:
        return bool(select.select([self._descriptor], (), (), 0)[0])
