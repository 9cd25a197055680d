"""The first pass over files that many runs share: which line belongs to which run, and how many lines are to come.

Without this pass it would not be certain when a run is whole.  The memory used grows with the
runs and not with their lines: the number of each line's run goes to a temporary file.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import IO, BinaryIO

from callproof import limits
from callproof.auditlog.lines import too_long
from callproof.auditlog.looking import (
    LINES_AT_ONCE,
    NO_END,
    NOBODY,
    Looking,
    Seen,
    Stretch,
    in_turn,
    seen_in,
    stretches,
    why_not,
)
from callproof.auditlog.rereading import Standing, standing
from callproof.trace.records import Kind, Source
from callproof.trace.run import Flaw, FlawKind


@dataclass(frozen=True, slots=True)
class SharedFile:
    """
    One file that many runs share: its name, and how it is opened, which may happen twice.

    ``kind`` is what its lines hold; None for a stream, whose lines say it themselves.  ``path`` is where it lies; None
    if it has no place.
    """

    name: str
    kind: Kind | None
    open: Callable[[], BinaryIO]
    path: Path | None = None


@dataclass(slots=True)
class Numbered:
    """
    What was learnt of one file: the owners of its lines, the lines of each run, and why the rest was not read.

    ``standing`` is the file, still open, if any place of it can be read; the sizes of its lines are then known too.
    The size of a line over the limit is that of its beginning; ``skipped`` holds the rest, by the line's number.
    ``nameless`` is the number of the first line that names no run, 0 if there is none.
    """

    file: SharedFile
    spool: IO[bytes]
    standing: Standing | None = None
    counts: array[int] = field(default_factory=lambda: array("Q"))
    skipped: dict[int, int] = field(default_factory=dict[int, int])
    cut: Flaw | None = None
    nameless: int = 0
    lines: int = 0
    kept: list[int] = field(default_factory=list[int])

    def keep(self, seen: Seen, given: Sequence[int]) -> None:
        """Store what was seen in some more lines; ``given`` are the numbers of the runs that they name."""
        counts = self.counts
        counts.extend([0] * (1 + max(given, default=-1) - len(counts)))
        for place, count in Counter(seen.owners).items():
            if place != NOBODY:
                counts[given[place]] += count
        for place, rest in seen.skipped.items():
            self.skipped[self.lines + place + 1] = rest
        if seen.unread is not None and self.cut is None:
            # A line that was not read may belong to any run (LOG-21).
            self.cut = too_long(Source(self.file.name, self.lines + seen.unread + 1), self.file.kind)
        if b"" in seen.keys and not self.nameless:
            self.nameless = self.lines + 1 + seen.owners.index(seen.keys.index(b""))
        numbers = {NOBODY: NOBODY, **dict(enumerate(given))}
        array("I", map(numbers.__getitem__, seen.owners)).tofile(self.spool)
        if self.standing is not None:
            seen.sizes.tofile(self.spool)
            self.kept.append(len(seen.sizes))
        self.lines += len(seen.owners)

    def owners(self) -> Iterator[int]:
        """The number of the run of each line, in order.  For a file that does not stand."""
        self.spool.seek(0)
        while batch := self._batch(LINES_AT_ONCE):
            yield from batch

    def owners_and_sizes(self) -> Iterator[tuple[int, int]]:
        """The number of the run of each line and its size, in order.  For a file that stands."""
        self.spool.seek(0)
        for count in self.kept:
            yield from zip(self._batch(count), self._batch(count))

    def _batch(self, count: int) -> array[int]:
        return array("I", self.spool.read(count * array("I").itemsize))


class Numbering:
    """The runs in a set of files, numbered in the order in which they are met; ``looking`` reads large files."""

    def __init__(self, stack: ExitStack, looking: Looking | None = None) -> None:
        self._stack = stack
        self._looking = looking
        self._numbers: dict[bytes, int] = {}
        self.files: list[Numbered] = []

    def keys(self) -> list[bytes]:
        """The ``runId`` of each run by its number; empty for the lines that name no run.  Called once, at the end."""
        keys = list(self._numbers)
        self._numbers.clear()
        return keys

    def look_at(self, files: Iterable[SharedFile]) -> None:
        """
        Number the lines of the files, one file after the other.  Never raises for what is in them.

        If files grow meanwhile, it takes what they held when it began, so that what a record rests on is there too:
        it asks for the length of the file that is written last first.
        """
        opened = [self._opened(file) for file in files]
        self.files = [numbered for numbered, _ in opened]
        ends = [_end(numbered) for numbered in reversed(self.files)][::-1]
        parts = [self._parts(numbered, end) for numbered, end in zip(self.files, ends)]
        looking = self._looking if self._looking is not None and any(parts) else in_turn
        with closing(looking(chain.from_iterable(parts))) as elsewhere:
            for (numbered, stream), its, end in zip(opened, parts, ends):
                if its:
                    seen = islice(elsewhere, len(its))
                    self._number(numbered, chain.from_iterable(seen))
                    deque(seen, maxlen=0)  # skip the results for the rest of a file that was given up
                elif stream is not None:
                    tells = numbered.standing is not None
                    self._number(numbered, seen_in(stream, numbered.file.kind, end=end, tells=tells))
                    if numbered.standing is None:
                        stream.close()

    def _opened(self, file: SharedFile) -> tuple[Numbered, BinaryIO | None]:
        spool = tempfile.TemporaryFile()  # noqa: SIM115  the stack closes it
        numbered = Numbered(file, self._stack.enter_context(spool))
        try:
            stream = file.open()
        except OSError as error:
            numbered.cut = _cut(numbered, why_not(error))
            return numbered, None
        numbered.standing = standing(stream, file.path)
        if numbered.standing is None:
            self._stack.enter_context(stream)
        return numbered, stream

    def _parts(self, numbered: Numbered, end: int) -> list[Stretch]:
        """The stretches of a file that ``looking`` looks through."""
        stands = numbered.standing
        return [] if self._looking is None or stands is None else stretches(stands, numbered.file.kind, end)

    def _number(self, numbered: Numbered, lines: Iterable[Seen]) -> None:
        """Give the lines that were seen in a file the numbers of their runs."""
        for seen in lines:
            given = self._given(seen.keys)
            if len(given) < len(seen.keys):
                numbered.keep(seen.up_to(seen.owners.index(len(given))), given)
                numbered.cut = _cut(numbered, f"holds more than {limits.RUNS_IN_SHARED_FILES} runs")
                return
            numbered.keep(seen, given)
            if seen.failed is not None:
                numbered.cut = _cut(numbered, seen.failed)
                return

    def _given(self, keys: Iterable[bytes]) -> list[int]:
        """The numbers of some runs, in order, until the limit of runs is reached."""
        numbers, given = self._numbers, list[int]()
        for key in keys:
            number = numbers.get(key)
            if number is None:
                if len(numbers) >= limits.RUNS_IN_SHARED_FILES:
                    break
                number = numbers[key] = len(numbers)
            given.append(number)
        return given


def _end(numbered: Numbered) -> int:
    """How long a file is now; ``NO_END`` if it can be read only once, because its length is then unknown."""
    return NO_END if numbered.standing is None else os.fstat(numbered.standing.descriptor).st_size


def _cut(numbered: Numbered, reason: str) -> Flaw:
    name, line = numbered.file.name, numbered.lines
    told = f"{name} {reason}; it was read as far as line {line}"
    return Flaw(FlawKind.UNREADABLE, Source(name, line + 1), told, numbered.file.kind)
