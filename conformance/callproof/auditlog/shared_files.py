"""Files that many runs share, taken apart into runs, each of which is given out as soon as it is certainly whole.

They are read twice.  The first time tells how many lines each run has in each file,
so that nothing is guessed about when a run is over, and no line comes late.  The
second time the file that was written last leads, and the others are read as far as
the runs that it finishes need: what is held is what was open when it was written,
and of a file as it stands only where that lies.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from io import BytesIO
from typing import BinaryIO

from callproof import limits
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.files import raw_lines
from callproof.auditlog.numbering import NOBODY, Numbered, Numbering, SharedFile
from callproof.auditlog.open_runs import OpenRun
from callproof.auditlog.rereading import rereadable
from callproof.trace.records import Source
from callproof.trace.run import Flaw, FlawKind


def runs_in(files: Iterable[SharedFile], prefix: str = "") -> Iterator[CapturedRun]:
    """
    Every run in the files, in the order in which they are whole, which depends on nothing but the files.

    ``prefix`` goes before a run's id, to make its name in reports.  The last file leads.
    Never raises for what is in the files: flaws tell of it.
    """
    with ExitStack() as stack:
        numbering = Numbering(stack)
        for file in files:
            numbering.look_at(file)
        taking = _Taking(numbering, prefix)
        *others, lead = [_Lane(numbered, stack) for numbered in numbering.files]
        for lane in (lead, *others):
            for number in lane.advance(taking):
                if taking.is_whole(number):
                    yield taking.released(number)
                elif lane is lead:
                    yield from _caught_up(number, others, taking)
        yield from taking.rest()
        yield from taking.nobodys()


def _caught_up(number: int, lanes: Iterable[_Lane], taking: _Taking) -> Iterator[CapturedRun]:
    """Read the other files until nothing more of a run is in them; others may become whole on the way."""
    for lane in lanes:
        if number < len(lane.left) and lane.left[number]:
            for passed in lane.advance(taking):
                if taking.is_whole(passed):
                    yield taking.released(passed)
                if not lane.left[number]:
                    break


class _Lane:
    """One file, as far as it was read."""

    def __init__(self, numbered: Numbered, stack: ExitStack) -> None:
        self.left = numbered.counts
        self.file = numbered.file
        self._stream = _opened(numbered.file, stack)
        self.descriptor = rereadable(self._stream)
        self._at = 0
        self._owned = enumerate(zip(numbered.owners(), _lines(self._stream)), start=1)

    def advance(self, taking: _Taking) -> Iterator[int]:
        """Hand over line after line, for as long as somebody asks; the runs of which no more is in the file."""
        left, take, lies = self.left, taking.take, self.descriptor is not None
        for line, (owner, raw) in self._owned:
            at = self._at
            if lies:
                # Of a line over the limit only the beginning is handed over.
                self._at = at + len(raw) if raw.endswith(b"\n") else self._stream.tell()
            if owner != NOBODY:
                take(owner, self, line, raw, at)
                left[owner] -= 1
                if not left[owner]:
                    taking.ended_in_a_file(owner)
                    yield owner


def _opened(file: SharedFile, stack: ExitStack) -> BinaryIO:
    """The file again.  It could be opened a moment ago; where it cannot be now, it is empty, and its runs say so."""
    try:
        return stack.enter_context(file.open())
    except OSError:
        return BytesIO()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; what happens to it now ends it, and its runs say so."""
    try:
        yield from raw_lines(stream)
    except OSError:
        return


class _Taking:
    """The runs that are open, and what is still to come of each."""

    def __init__(self, numbering: Numbering, prefix: str) -> None:
        self._prefix = prefix
        self._keys = numbering.keys()
        # In how many files more of each run is to come.
        self._to_come = array("B", [0]) * len(self._keys)
        for numbered in numbering.files:
            for number, count in enumerate(numbered.counts):
                self._to_come[number] += count > 0
        cuts = [each.cut for each in numbering.files if each.cut is not None]
        self._cuts = {cut.of: cut for cut in cuts if cut.of is not None}
        self._extra = tuple(cut for cut in cuts if cut.of is None)
        self._open: dict[int, OpenRun] = {}
        self._held = 0

    def take(self, number: int, lane: _Lane, line: int, raw: bytes, at: int) -> None:
        """A line of a run, which begins ``at`` a place of a file that can be read again."""
        run = self._open.get(number)
        if run is None:
            run = self._open[number] = OpenRun(self._keys[number])
        held = self._held = self._held + run.add(lane.file, line, raw, lane.descriptor, at)
        if held > limits.OPEN_RUNS_BYTES:
            largest = max(self._open.values(), key=lambda each: each.size)
            self._held += largest.drop(f"was left out: open runs came to more than {limits.OPEN_RUNS_BYTES} bytes")

    def ended_in_a_file(self, number: int) -> None:
        """Of a run no more is to come in one of the files."""
        self._to_come[number] -= 1

    def is_whole(self, number: int) -> bool:
        """Whether nothing more of a run is to come."""
        return not self._to_come[number]

    def rest(self) -> Iterator[CapturedRun]:
        """What is open in the end, because a file became shorter while it was read."""
        for number in tuple(self._open):
            told = "the files became shorter while they were read"
            yield self.released(number, Flaw(FlawKind.UNREADABLE, Source("calls.jsonl", 1), told))

    def nobodys(self) -> Iterator[CapturedRun]:
        """What was not read where no run was met that could tell of it: any run may lie there (LOG-21)."""
        if not self._keys and (self._cuts or self._extra):
            yield OpenRun(b"").captured(self._prefix, self._cuts, self._extra)

    def released(self, number: int, *flaws: Flaw) -> CapturedRun:
        """The run, which is held no longer."""
        run = self._open.pop(number)
        self._held -= run.size
        self._keys[number] = b""
        return run.captured(self._prefix, self._cuts, (*self._extra, *flaws))
