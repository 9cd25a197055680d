"""Follows files that many runs share: each run is given out when its last event is there and nothing more follows.

A writer may write an event before the result that it describes.  So a run is given out
after all files have been read to their ends once more since its last event, and had nothing
more of the run.  Of a run, only the places of its lines are held.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.files import NotReadable, open_regular
from callproof.auditlog.following import Watch
from callproof.auditlog.growing_lines import Growing, growing
from callproof.auditlog.growing_runs import GrowingRuns
from callproof.auditlog.layout import SHARED_FILES
from callproof.auditlog.numbering import SharedFile
from callproof.trace.records import Kind


@dataclass(slots=True)
class _Lane:
    """One file, as far as it was read."""

    file: SharedFile
    growing: Growing
    lines: int = 0

    def advance(self, runs: GrowingRuns, *, last: bool) -> None:
        """Hand over the lines that came since the last call."""
        for at, raw in self.growing.more(last=last):
            self.lines += 1
            runs.take(self.file, self.lines, raw, self.growing.standing, at)


class FollowedFiles:
    """
    The runs in the shared files of a folder, while they grow; a file may come later than others.

    At the end, ``faults`` report runs whose lines came after they had been given out, and files that cannot be read,
    became shorter or were replaced, each of which ends it; ``behind`` says whether there was more to read.
    """

    def __init__(self, folder: Path, watch: Watch, stack: ExitStack) -> None:
        self._folder = folder
        self._watch = watch
        self._stack = stack
        self._runs = GrowingRuns()
        self._lanes: dict[Kind, _Lane] = {}
        self._refused: dict[Kind, str] = {}

    @property
    def faults(self) -> tuple[str, ...]:
        """What a reader that reads the files only once cannot judge."""
        faults = (lane.growing.fault for lane in self._lanes.values())
        return (*self._runs.faults, *self._refused.values(), *(each for each in faults if each is not None))

    @property
    def behind(self) -> bool:
        """Whether a file was left before its end."""
        return any(lane.growing.behind for lane in self._lanes.values())

    def runs(self) -> Iterator[CapturedRun]:
        """Each run when it has ended; at the end the others, as they stand."""
        last = False
        while not last:
            self._meet()
            last = self._watch.ended() or self._is_over()
            waiting = tuple(self._runs.ended)
            self._runs.moved.clear()
            # The file that is written last comes first: what its records rest on is then seen too.
            for lane in reversed(self._lanes.values()):
                lane.growing.look()
            for lane in self._lanes.values():
                lane.advance(self._runs, last=last)
            for key in waiting:
                if key not in self._runs.moved:
                    yield self._runs.released(key)
            if not last:
                self._watch.pause()
        yield from map(self._runs.released, tuple(self._runs.ended))
        yield from map(self._runs.released, self._runs.open)

    def _is_over(self) -> bool:
        return bool(self._refused) or any(lane.growing.over for lane in self._lanes.values())

    def _meet(self) -> None:
        """Open the files that are there now and were not open yet."""
        for kind, name in SHARED_FILES.items():
            path = self._folder / name
            if kind not in self._lanes and path.exists():
                try:
                    stream = self._stack.enter_context(open_regular(path))
                except NotReadable as error:
                    self._refused[kind] = f"{path} {error.reason}"
                else:
                    file = SharedFile(name, kind, partial(open_regular, path))
                    self._lanes[kind] = _Lane(file, growing(name, path, stream))
