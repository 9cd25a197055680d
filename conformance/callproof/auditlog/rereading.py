"""Lines left where they lie: of a file that can be read at any place, places are held and no text.

What is open of many runs at a time is then as small as its line numbers, however long its lines are.
A run whose lines lie so travels to another process as these places, which that process reads by itself.
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

# Pieces that follow each other are read as one, up to so much.
_PIECE_BYTES = limits.MIB
# A descriptor of no file: whoever reads from it hears so.
_NOWHERE = -1


class Standing:
    """
    A file as it stands: open, so that any place of it can be read, and found again by another process.

    ``path`` is where it lies; None where it has no name, so that nobody else finds it.  ``owned`` is closed with it.
    """

    def __init__(self, descriptor: int, path: Path | None, owned: BinaryIO | None = None) -> None:
        self.descriptor = descriptor
        self.path = path
        self._owned = owned

    def __del__(self) -> None:
        if self._owned is not None:
            self._owned.close()

    def stream_from(self, place: int) -> BinaryIO:
        """The file, to be read on from there.  Raises OSError where it was not found again."""
        if self._owned is None:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._owned.seek(place)
        return self._owned

    def __reduce__(self) -> tuple[Any, ...]:
        found = os.fstat(self.descriptor)
        return _found_again, (self.path, found.st_dev, found.st_ino)


@lru_cache(maxsize=16)
def _found_again(path: Path, device: int, inode: int) -> Standing:
    """The file that lay there; where another lies there now, one of which nothing can be read."""
    try:
        stream = open_regular(path)
    except NotReadable:
        return Standing(_NOWHERE, path)
    found = os.fstat(stream.fileno())
    again = Standing(stream.fileno(), path, stream)
    return again if (found.st_dev, found.st_ino) == (device, inode) else Standing(_NOWHERE, path)


def standing(stream: BinaryIO, path: Path | None) -> Standing | None:
    """A stream that is a file as it stands, which closes it when nobody knows it any more; None of any other."""
    plain = isinstance(getattr(stream, "raw", None), io.FileIO)
    return Standing(stream.fileno(), path, stream) if plain and hasattr(os, "pread") else None


@dataclass(slots=True)
class Lying:
    """
    The lines of one run in one file: their 1-based numbers, and where they stand, which is not always in a row.

    When they come to more than ``most`` bytes no more of them are known.  Lines that may be over the limit, of which
    only the beginning is read, are known all the same, and count for nothing.
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
        """One line more; of one over the limit, its beginning."""
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
        """The text, read again.  Raises OSError where it is not all there any more."""
        descriptor = self.standing.descriptor
        for start, size in zip(self._starts, self._sizes):
            piece = os.pread(descriptor, size, start)
            if len(piece) != size:
                raise OSError("the file became shorter")
            yield piece

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its number, read again.  Raises OSError where they are not all there any more."""
        numbers = iter(self.numbers)
        for piece in self.pieces():
            *whole, rest = piece.split(b"\n")
            for line in whole:
                yield next(numbers, 0), line + b"\n"
            if rest:
                yield next(numbers, 0), rest
