"""Lines left where they lie: of a file that can be read at any place, places are held and no text.

What is open of many runs at a time is then as small as its line numbers, however long its lines are.
"""

from __future__ import annotations

import io
import os
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import BinaryIO


@dataclass(slots=True)
class Places:
    """Where pieces of text lie in an open file: the first byte and the length of each."""

    descriptor: int
    starts: array[int] = field(default_factory=lambda: array("Q"))
    sizes: array[int] = field(default_factory=lambda: array("Q"))

    def add(self, start: int, size: int, *, joined: bool) -> None:
        """One piece more; ``joined`` to the one before it where it follows at once, which saves a reading."""
        if joined and self.starts and self.starts[-1] + self.sizes[-1] == start:
            self.sizes[-1] += size
        else:
            self.starts.append(start)
            self.sizes.append(size)

    def read(self) -> Iterator[bytes]:
        """The pieces; shorter where the file has become so.  Raises OSError where it cannot be read."""
        return map(os.pread, repeat(self.descriptor), self.sizes, self.starts)

    def clear(self) -> None:
        """Hold no place any more."""
        del self.starts[:]
        del self.sizes[:]


def rereadable(stream: BinaryIO) -> int | None:
    """The descriptor of a stream that is a file as it stands, which can be read at any place; None of any other."""
    plain = isinstance(getattr(stream, "raw", None), io.FileIO)
    return stream.fileno() if plain and hasattr(os, "pread") else None
