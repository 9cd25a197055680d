"""Lines that stay in their file: if any place of a file can be read, places are stored and no text.

So the memory that many open runs need depends on how many lines they have, not on how long these are.
Such a run is sent to another process as these places, and that process reads the lines itself.
"""

from __future__ import annotations

import errno
import io
import os
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from callproof import limits
from callproof.auditlog.files import NotReadable, open_regular
from callproof.trace.records import Kind

# Consecutive pieces are read as one, up to this size.
_PIECE_BYTES = limits.MIB
# A descriptor that belongs to no file: reading from it fails.
_NOWHERE = -1


class Standing:
    """
    A file as it stands: open, so that any place of it can be read, and so that another process can find it again.

    ``path`` is where it lies; None if it has no name and cannot be found again.  ``owned`` is closed with it.
    """

    def __init__(self, descriptor: int, path: Path | None, owned: BinaryIO | None = None) -> None:
        self.descriptor = descriptor
        self.path = path
        self._owned = owned

    def __del__(self) -> None:
        if self._owned is not None:
            self._owned.close()

    def stream_from(self, place: int) -> BinaryIO:
        """The file as a stream, positioned at ``place``.  Raises OSError if the file was not found again."""
        if self._owned is None:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._owned.seek(place)
        return self._owned

    def __reduce__(self) -> tuple[Any, ...]:
        found = os.fstat(self.descriptor)
        return _found_again, (self.path, found.st_dev, found.st_ino)


@lru_cache(maxsize=16)
def _found_again(path: Path, device: int, inode: int) -> Standing:
    """The file that lay at ``path``; if another file lies there now, a ``Standing`` that cannot be read."""
    try:
        stream = open_regular(path)
    except NotReadable:
        return Standing(_NOWHERE, path)
    found = os.fstat(stream.fileno())
    again = Standing(stream.fileno(), path, stream)
    return again if (found.st_dev, found.st_ino) == (device, inode) else Standing(_NOWHERE, path)


def standing(stream: BinaryIO, path: Path | None) -> Standing | None:
    """The file behind a stream, which it closes when nothing refers to it any more; None for any other stream."""
    plain = isinstance(getattr(stream, "raw", None), io.FileIO)
    return Standing(stream.fileno(), path, stream) if plain and hasattr(os, "pread") else None


@dataclass(slots=True)
class Lying:
    """
    The lines of one run in one file: their 1-based numbers and their places, which need not be adjacent.

    Once they exceed ``most`` bytes, further lines are not added.  Lines that may be over the limit, of which
    only the beginning is read, are always added, and do not count towards ``most``.
    """

    name: str
    kind: Kind | None
    standing: Standing
    most: int
    numbers: array[int] = field(default_factory=lambda: array("Q"))
    size: int = 0
    has_long: bool = False
    _starts: array[int] = field(default_factory=lambda: array("Q"))
    _sizes: array[int] = field(default_factory=lambda: array("I"))

    def add(self, number: int, start: int, size: int) -> None:
        """Add one more line; if it is over the limit, its beginning."""
        if size > limits.LINE_BYTES:
            self.has_long = True
        elif self.size > self.most:
            return
        else:
            self.size += size
        self.numbers.append(number)
        sizes = self._sizes
        if sizes and self._starts[-1] + sizes[-1] == start and sizes[-1] < _PIECE_BYTES:
            sizes[-1] += size
        else:
            self._starts.append(start)
            sizes.append(size)

    def pieces(self) -> Iterator[bytes]:
        """The text, read again.  Raises OSError if part of it is no longer there."""
        descriptor = self.standing.descriptor
        for start, size in zip(self._starts, self._sizes):
            piece = os.pread(descriptor, size, start)
            if len(piece) != size:
                raise OSError("the file became shorter")
            yield piece

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its number, read again.  Raises OSError if some are no longer there."""
        numbers = iter(self.numbers)
        for piece in self.pieces():
            *whole, rest = piece.split(b"\n")
            for line in whole:
                yield next(numbers, 0), line + b"\n"
            if rest:
                yield next(numbers, 0), rest
