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
from callproof.auditlog.naming import run_named_in, run_named_in_stream
from callproof.auditlog.rereading import Standing, standing
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw, FlawKind

# The owner of a blank line, which is nobody's and no flaw (B-47).
NOBODY = 0xFFFF_FFFF
_BATCH = 65_536


@dataclass(frozen=True, slots=True)
class SharedFile:
    """
    One file that many runs share: its name, and how it is opened, which may happen twice.

    ``kind`` is what its lines hold; None for a stream, whose lines say themselves.  ``path`` is where it lies, if it
    has a place.
    """

    name: str
    kind: Kind | None
    open: Callable[[], BinaryIO]
    path: Path | None = None


@dataclass(slots=True)
class Numbered:
    """
    What was learnt of one file: the owners of its lines, the lines of each run, and why the rest was not read.

    ``standing`` is the file, open still, where any place of it can be read; then the sizes of its lines are known too.
    Of a line over the limit that is the size of its beginning, and ``skipped`` has the rest, by the line's number.
    """

    file: SharedFile
    spool: IO[bytes]
    standing: Standing | None = None
    counts: array[int] = field(default_factory=lambda: array("Q"))
    skipped: dict[int, int] = field(default_factory=dict[int, int])
    cut: Flaw | None = None
    lines: int = 0

    def keep(self, owners: array[int], sizes: array[int]) -> None:
        """Put the owners of some more lines away, and their sizes where they are of use."""
        owners.tofile(self.spool)
        if self.standing is not None:
            sizes.tofile(self.spool)
        self.lines += len(owners)
        del owners[:], sizes[:]

    def owners(self) -> Iterator[int]:
        """The number of the run of each line, in order; of a file that does not stand."""
        self.spool.seek(0)
        while batch := self._batch():
            yield from batch

    def owners_and_sizes(self) -> Iterator[tuple[int, int]]:
        """The number of the run of each line and its size, in order; of a file that stands."""
        self.spool.seek(0)
        left = self.lines
        while left:
            count = min(left, _BATCH)
            yield from zip(self._batch(count), self._batch(count))
            left -= count

    def _batch(self, count: int = _BATCH) -> array[int]:
        return array("I", self.spool.read(count * array("I").itemsize))


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
            self._look_through(numbered)
        except NotReadable as error:
            numbered.cut = _cut(numbered, error.reason)
        except OSError as error:
            numbered.cut = _cut(numbered, f"cannot be read: {error.strerror}")

    def _look_through(self, numbered: Numbered) -> None:
        stream = numbered.file.open()
        numbered.standing = standing(stream, numbered.file.path)
        if numbered.standing is not None:
            self._number(numbered, stream)
            return
        with stream:
            self._number(numbered, stream)

    def _number(self, numbered: Numbered, stream: BinaryIO) -> None:
        # Every line of every log goes through here: what can be looked up once is, and what is rare is elsewhere.
        numbers, counts = self._numbers, numbered.counts
        named = run_named_in if numbered.file.kind is not None else run_named_in_stream
        owners, sizes = array("I"), array("I")
        at, most = 0, limits.LINE_BYTES
        try:
            for raw in raw_lines(stream):
                key = named(raw)
                number = numbers.get(key, NOBODY) if key is not None else NOBODY
                if number >= len(counts):
                    number = self._met(numbered, key, len(owners), raw)
                if number != NOBODY:
                    counts[number] += 1
                owners.append(number)
                size = len(raw)
                sizes.append(size)
                at += size
                if size > most:
                    at += _skipped(numbered, len(owners), stream, at)
                if len(owners) == _BATCH:
                    numbered.keep(owners, sizes)
        finally:
            numbered.keep(owners, sizes)

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


def _skipped(numbered: Numbered, waiting: int, stream: BinaryIO, at: int) -> int:
    """How much was skipped of a line of which so much was read that it may have been cut."""
    if numbered.standing is None:
        return 0
    rest = stream.tell() - at
    if rest:
        numbered.skipped[numbered.lines + waiting] = rest
    return rest


def _cut(numbered: Numbered, reason: str) -> Flaw:
    name, line = numbered.file.name, numbered.lines
    told = f"{name} {reason}; it was read as far as line {line}"
    return Flaw(FlawKind.UNREADABLE, Source(name, line + 1), told, numbered.file.kind)
