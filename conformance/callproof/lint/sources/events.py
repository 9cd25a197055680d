"""The data of server-sent events, from pieces of a body that may end anywhere.  Knows nothing about HTTP or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# A carriage return at the very end may be half of a line end, so it waits for what follows.
_LINE_END = re.compile(rb"\r\n|\n|\r(?=[\s\S])")


def data_of_events(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """
    The data of each event in order, as soon as the event ends; events without data are left out.

    Lines end with LF, CR LF or CR.  An event that is cut off is not returned.
    """
    data: list[bytes] = []
    for line in _lines(pieces):
        if not line:
            if data:
                yield b"\n".join(data)
            data = []
            continue
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for piece in pieces:
        *whole, rest = _LINE_END.split(rest + piece)
        yield from whole
    if rest.endswith(b"\r"):
        yield rest[:-1]
