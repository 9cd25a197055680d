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
    lines: int = 0

    def keep(self, owners: array[int]) -> None:
        """Put the owners of some more lines away."""
        owners.tofile(self.spool)
        self.lines += len(owners)
        del owners[:]

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
        try:
            with file.open() as stream:
                self._number(numbered, stream)
        except NotReadable as error:
            numbered.cut = _cut(numbered, error.reason)
        except OSError as error:
            numbered.cut = _cut(numbered, f"cannot be read: {error.strerror}")

    def _number(self, numbered: Numbered, stream: BinaryIO) -> None:
        # Every line of every log goes through here: what can be looked up once is, and what is rare is elsewhere.
        numbers, counts, mixed = self._numbers, numbered.counts, numbered.file.kind is None
        owners = array("I")
        try:
            for raw in raw_lines(stream):
                key = run_named_in(unwrapped(raw).text if mixed else raw)
                number = numbers.get(key, NOBODY) if key is not None else NOBODY
                if number >= len(counts):
                    number = self._met(numbered, key, len(owners), raw)
                if number != NOBODY:
                    counts[number] += 1
                owners.append(number)
                if len(owners) == _BATCH:
                    numbered.keep(owners)
        finally:
            numbered.keep(owners)

    def _met(self, numbered: Numbered, key: bytes | None, waiting: int, raw: bytes) -> int:
        """The number of a run that is new to the log or to the file, and of what names no run."""
        if key is None:
            if not raw.strip():
                return NOBODY
            key = self._unnamed(numbered, numbered.lines + waiting + 1, raw)
        number = self._numbers.get(key)
        if number is None:
            if len(self._numbers) >= limits.RUNS_IN_SHARED_FILES:
                raise NotReadable(Path(numbered.file.name), f"holds more than {limits.RUNS_IN_SHARED_FILES} runs")
            number = self._numbers[key] = len(self._numbers)
        if number >= len(numbered.counts):
            numbered.counts.extend([0] * (number + 1 - len(numbered.counts)))
        return number

    def _unnamed(self, numbered: Numbered, line: int, raw: bytes) -> bytes:
        """The key of a line that names no run; of one that was not read, any run may be the owner (LOG-21)."""
        if len(raw) > limits.LINE_BYTES and not raw.endswith(b"\n") and numbered.cut is None:
            numbered.cut = too_long(Source(numbered.file.name, line), numbered.file.kind)
        return b""


def _cut(numbered: Numbered, reason: str) -> Flaw:
    name, line = numbered.file.name, numbered.lines
    told = f"{name} {reason}; it was read as far as line {line}"
    return Flaw(FlawKind.UNREADABLE, Source(name, line + 1), told, numbered.file.kind)
