"""Splits files that many runs share into runs, and gives out each run as soon as it is certainly whole.

The files are gone through twice.  The first pass counts the lines of each run in each
file, so that the end of a run is known without guessing, and no line comes too late.  In
the second pass the file that was written last leads, and the others follow as far as the
runs that it finishes need.  So only the runs that were open at the same time when they were
written are open at the same time here.  A file as it stands is not read in the second pass:
the places of its lines are known, and the judge of a run reads them there.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from io import BytesIO
from typing import BinaryIO, TypeAlias

from callproof import limits
from callproof.auditlog.files import raw_lines
from callproof.auditlog.lines import no_name
from callproof.auditlog.looking import NOBODY, Looking
from callproof.auditlog.numbering import Numbered, Numbering, SharedFile
from callproof.auditlog.open_runs import OpenRun, SharedRun
from callproof.auditlog.rereading import Lying, Standing
from callproof.trace.records import Source
from callproof.trace.run import Flaw, FlawKind


def runs_in(
    files: Iterable[SharedFile], prefix: str = "", folder: str = "", looking: Looking | None = None
) -> Iterator[SharedRun]:
    """
    Every run in the files, in the order in which they become whole, which depends only on the files.

    ``prefix`` goes before a run's id, to make its name in reports, and ``folder`` is where the files lie.  The last
    file leads, and ``looking`` looks through large ones.  Never raises for what is in the files: it becomes flaws.
    """
    with ExitStack() as stack:
        numbering = Numbering(stack, looking)
        numbering.look_at(files)
        taking = _Taking(numbering, prefix, folder)
        *others, lead = [_lane(numbered, stack) for numbered in numbering.files]
        for lane in (lead, *others):
            for number in lane.advance(taking):
                if taking.is_whole(number):
                    yield taking.released(number)
                elif lane is lead:
                    yield from _caught_up(number, others, taking)
        yield from taking.rest()
        yield from taking.nobodys()


def _caught_up(number: int, lanes: Iterable[_Lane], taking: _Taking) -> Iterator[SharedRun]:
    """Advance the other files until they hold nothing more of a run; other runs may become whole meanwhile."""
    for lane in lanes:
        if number < len(lane.left) and lane.left[number]:
            for passed in lane.advance(taking):
                if taking.is_whole(passed):
                    yield taking.released(passed)
                if not lane.left[number]:
                    break


class _ReadLane:
    """A file that must be read a second time, as far as it was read the first time."""

    def __init__(self, numbered: Numbered, stack: ExitStack) -> None:
        self.left = numbered.counts
        self._file = numbered.file
        stream = _opened(numbered.file, stack)
        self._owned = enumerate(zip(numbered.owners(), _lines(stream)), start=1)

    def advance(self, taking: _Taking) -> Iterator[int]:
        """Hand over line after line while the caller asks; yield each run of which the file holds nothing more."""
        left = self.left
        for line, (owner, raw) in self._owned:
            if owner != NOBODY:
                taking.hold(owner, self._file, line, raw)
                left[owner] -= 1
                if not left[owner]:
                    taking.ended_in_a_file(owner)
                    yield owner


class _StandingLane:
    """A file whose lines are not read again but left in place, as far as the first pass went."""

    def __init__(self, numbered: Numbered, standing: Standing) -> None:
        self.left = numbered.counts
        self._file = numbered.file
        self._standing = standing
        self._skipped = numbered.skipped
        self._lying: dict[int, Lying] = {}
        self._owned = enumerate(numbered.owners_and_sizes(), start=1)
        self._at = 0

    def advance(self, taking: _Taking) -> Iterator[int]:
        """Record the place of line after line while the caller asks; yield the same as for a file that is read."""
        # Every line passes here.
        left, skipped, lying, file = self.left, self._skipped, self._lying, self._file
        for line, (owner, size) in self._owned:
            at = self._at
            self._at = at + size + skipped.get(line, 0)
            if owner != NOBODY:
                its = lying.get(owner)
                if its is None:
                    its = lying[owner] = taking.open_run(owner).lying_in(file.name, file.kind, self._standing)
                its.add(line, at, size)
                left[owner] -= 1
                if not left[owner]:
                    del lying[owner]
                    taking.ended_in_a_file(owner)
                    yield owner


_Lane: TypeAlias = _ReadLane | _StandingLane


def _lane(numbered: Numbered, stack: ExitStack) -> _Lane:
    at_hand = numbered.standing
    return _ReadLane(numbered, stack) if at_hand is None else _StandingLane(numbered, at_hand)


def _opened(file: SharedFile, stack: ExitStack) -> BinaryIO:
    """The file again.  The first pass could open it; if that fails now, it counts as empty, and its runs report it."""
    try:
        return stack.enter_context(file.open())
    except OSError:
        return BytesIO()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a file.  If reading fails now, the file ends there, and its runs report that."""
    try:
        yield from raw_lines(stream)
    except OSError:
        return


def _nameless(numbering: Numbering, keys: Sequence[bytes]) -> Iterator[Flaw]:
    """A flaw for each file with lines that name no run: a run that lacks a record may lack one of these (LOG-21)."""
    nobody = keys.index(b"") if b"" in keys else len(keys)
    for each in numbering.files:
        if nobody < len(each.counts) and each.counts[nobody]:
            yield no_name(Source(each.file.name, each.nameless), each.file.kind, each.counts[nobody])


class _Taking:
    """The runs that are open, and how much of each is still to come."""

    def __init__(self, numbering: Numbering, prefix: str, folder: str) -> None:
        self._prefix = prefix
        self._folder = folder
        self._keys = numbering.keys()
        # The number of files that hold more of each run.
        self._to_come = array("B", [0]) * len(self._keys)
        for numbered in numbering.files:
            for number, count in enumerate(numbered.counts):
                self._to_come[number] += count > 0
        cuts = [each.cut for each in numbering.files if each.cut is not None]
        self._cuts = {cut.of: cut for cut in cuts if cut.of is not None}
        self._extra = tuple(cut for cut in cuts if cut.of is None)
        self._nameless = tuple(_nameless(numbering, self._keys))
        self._open: dict[int, OpenRun] = {}
        self._held = 0

    def open_run(self, number: int) -> OpenRun:
        """The open run of this number, of which more comes."""
        run = self._open.get(number)
        if run is None:
            run = self._open[number] = OpenRun(self._keys[number])
        return run

    def hold(self, number: int, file: SharedFile, line: int, raw: bytes) -> None:
        """Hold a line of a run, because it cannot be read again."""
        held = self._held = self._held + self.open_run(number).add(file.name, file.kind, line, raw)
        if held > limits.OPEN_RUNS_BYTES:
            largest = max(self._open.values(), key=lambda each: each.size)
            self._held += largest.drop(
                f"was left out: the open runs together had more than {limits.OPEN_RUNS_BYTES} bytes"
            )

    def ended_in_a_file(self, number: int) -> None:
        """Record that one of the files holds nothing more of a run."""
        self._to_come[number] -= 1

    def is_whole(self, number: int) -> bool:
        """Whether nothing more of a run is to come."""
        return not self._to_come[number]

    def rest(self) -> Iterator[SharedRun]:
        """The runs that are open in the end, because a file became shorter while it was read."""
        for number in tuple(self._open):
            told = "the files became shorter while they were read"
            yield self.released(number, Flaw(FlawKind.UNREADABLE, Source("calls.jsonl", 1), told))

    def nobodys(self) -> Iterator[SharedRun]:
        """A run for what was not read, if no run was met that could report it: any run may lie there (LOG-21)."""
        if not self._keys and (self._cuts or self._extra):
            yield self._shared(OpenRun(b""), self._extra)

    def released(self, number: int, *flaws: Flaw) -> SharedRun:
        """The run, which is no longer held here."""
        run = self._open.pop(number)
        self._held -= run.size
        nameless = self._nameless if self._keys[number] else ()
        self._keys[number] = b""
        return self._shared(run, (*self._extra, *flaws, *nameless))

    def _shared(self, run: OpenRun, extra: tuple[Flaw, ...]) -> SharedRun:
        return SharedRun(self._prefix, run, self._cuts, extra, self._folder)
