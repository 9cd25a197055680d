"""The first look at files that many runs share: which line belongs to which run, and how many are still to come.

Only this makes it certain when a run is whole.  What is kept grows with the runs and
not with their lines: the number of each line's run goes to a temporary file.
"""

from __future__ import annotations

import tempfile
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, BinaryIO

from callproof import limits
from callproof.auditlog.files import NotReadable, raw_lines
from callproof.auditlog.lines import too_long
from callproof.auditlog.naming import run_named_in, unwrapped
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw, FlawKind

# The owner of a blank line, which is nobody's and no flaw (B-47).
NOBODY = 0xFFFF_FFFF
_BATCH = 65_536


@dataclass(frozen=True, slots=True)
class SharedFile:
    """
    One file that many runs share: its name, and how it is opened, which happens twice.

    ``kind`` is what its lines hold; None for a stream, whose lines say themselves.
    """

    name: str
    kind: Kind | None
    open: Callable[[], BinaryIO]


@dataclass(slots=True)
class Numbered:
    """What was learnt of one file: the owners of its lines, the lines of each run, and why the rest was not read."""

    file: SharedFile
    spool: IO[bytes]
    counts: array[int] = field(default_factory=lambda: array("Q"))
    cut: Flaw | None = None

    def owners(self) -> Iterator[int]:
        """The number of the run of each line, in order."""
        self.spool.seek(0)
        size = _BATCH * array("I").itemsize
        while batch := self.spool.read(size):
            yield from array("I", batch)


class Numbering:
    """The runs in a set of files, numbered as they are met."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._numbers: dict[bytes, int] = {}
        self.files: list[Numbered] = []

    def keys(self) -> list[bytes]:
        """The ``runId`` of each run by its number; what names no run has the empty one.  Asked once, at the end."""
        keys = list(self._numbers)
        self._numbers.clear()
        return keys

    def look_at(self, file: SharedFile) -> None:
        """Number the lines of a file.  Never raises for what is in it."""
        spool = tempfile.TemporaryFile()  # noqa: SIM115  the stack closes it
        numbered = Numbered(file, self._stack.enter_context(spool))
        self.files.append(numbered)
        line = 0
        owners = array("I")
        try:
            with file.open() as stream:
                for line, raw in enumerate(raw_lines(stream), start=1):
                    owners.append(self._owner(numbered, line, raw))
                    if len(owners) == _BATCH:
                        owners.tofile(numbered.spool)
                        del owners[:]
        except NotReadable as error:
            numbered.cut = _cut(file, line, error.reason)
        except OSError as error:
            numbered.cut = _cut(file, line, f"cannot be read: {error.strerror}")
        owners.tofile(numbered.spool)

    def _owner(self, numbered: Numbered, line: int, raw: bytes) -> int:
        text = raw if numbered.file.kind is not None else unwrapped(raw).text
        key = run_named_in(text)
        if key is None:
            if not raw.strip():
                return NOBODY
            key = self._unnamed(numbered, line, raw)
        number = self._numbers.get(key)
        if number is None:
            if len(self._numbers) >= limits.RUNS_IN_SHARED_FILES:
                raise NotReadable(Path(numbered.file.name), f"holds more than {limits.RUNS_IN_SHARED_FILES} runs")
            number = self._numbers[key] = len(self._numbers)
        if number >= len(numbered.counts):
            numbered.counts.extend([0] * (number + 1 - len(numbered.counts)))
        numbered.counts[number] += 1
        return number

    def _unnamed(self, numbered: Numbered, line: int, raw: bytes) -> bytes:
        """The key of a line that names no run; of one that was not read, any run may be the owner (LOG-21)."""
        if len(raw) > limits.LINE_BYTES and not raw.endswith(b"\n") and numbered.cut is None:
            numbered.cut = too_long(Source(numbered.file.name, line), numbered.file.kind)
        return b""


def _cut(file: SharedFile, line: int, reason: str) -> Flaw:
    told = f"{file.name} {reason}; it was read as far as line {line}"
    return Flaw(FlawKind.UNREADABLE, Source(file.name, line + 1), told, file.kind)
