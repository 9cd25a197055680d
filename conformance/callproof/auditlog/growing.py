"""One stream of records that grows while it is read: each run as soon as its last event is there.

A run is given out when the reader has come to the end of the stream, or when many runs wait,
so that what its writer wrote a moment later is part of it.  What comes later still is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.following import Watch
from callproof.auditlog.growing_lines import growing
from callproof.auditlog.growing_runs import GrowingRuns
from callproof.auditlog.inputs import LINES_LOOKED_AT, is_of_a_stream, no_stream
from callproof.auditlog.numbering import SharedFile

# Runs that have ended and wait for the reader to catch up.
_WAITING = 100


class FollowedStream:
    """
    The runs in a stream, while it grows.

    ``path`` is where it lies, if anywhere.  ``faults`` tell, in the end, of runs of which lines came after they had
    been given out, and of a stream that became shorter or another; ``behind`` says whether there was more to read.
    """

    def __init__(self, name: str, path: Path | None, stream: BinaryIO, watch: Watch) -> None:
        self._file = SharedFile(name, None, lambda: stream)
        self._growing = growing(name, path, stream)
        self._watch = watch
        self._runs = GrowingRuns()

    @property
    def faults(self) -> tuple[str, ...]:
        """What nobody can judge who reads a stream once."""
        fault = self._growing.fault
        return self._runs.faults if fault is None else (*self._runs.faults, fault)

    @property
    def behind(self) -> bool:
        """Whether the stream was left before its end."""
        return self._growing.behind

    def runs(self) -> Iterator[CapturedRun]:
        """Each run as it has ended; in the end the others, as they stand.  Raises NothingToJudge where it is no log."""
        number, last, is_one = 0, False, False
        while not last:
            last = self._watch.ended() or self._growing.over
            self._growing.look()
            for _, raw in self._growing.more(last=last):
                number += 1
                is_one = is_one or number > LINES_LOOKED_AT or is_of_a_stream(raw)
                if number == LINES_LOOKED_AT and not is_one:
                    raise no_stream(self._file.name)
                self._runs.take(self._file, number, raw)
                if len(self._runs.ended) > _WAITING:
                    yield from self._whole()
            if last or not self._growing.behind:
                yield from self._whole()
                if not last and not self._growing.over:
                    self._watch.pause()
        if number and not is_one and not self.faults:
            raise no_stream(self._file.name)
        yield from map(self._runs.released, self._runs.open)

    def _whole(self) -> Iterator[CapturedRun]:
        return map(self._runs.released, tuple(self._runs.ended))
