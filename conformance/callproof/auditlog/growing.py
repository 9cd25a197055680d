"""Follows one stream of records while it grows: each run is given out when its last event is there.

That happens when the reader has come to the end of the stream, or when many runs wait, so that
what the writer wrote a moment later is part of the run.  Lines that come even later are counted.
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

# How many runs that have ended may wait for the reader to catch up.
_WAITING = 100


class FollowedStream:
    """
    The runs in a stream, while it grows.

    ``path`` is where it lies, if anywhere.  At the end, ``faults`` report runs whose lines came after they had been
    given out, and a stream that became shorter or was replaced; ``behind`` says whether there was more to read.
    """

    def __init__(self, name: str, path: Path | None, stream: BinaryIO, watch: Watch) -> None:
        self._file = SharedFile(name, None, lambda: stream)
        self._growing = growing(name, path, stream)
        self._watch = watch
        self._runs = GrowingRuns()

    @property
    def faults(self) -> tuple[str, ...]:
        """What a reader that reads a stream only once cannot judge."""
        fault = self._growing.fault
        return self._runs.faults if fault is None else (*self._runs.faults, fault)

    @property
    def behind(self) -> bool:
        """Whether the stream was left before its end."""
        return self._growing.behind

    def runs(self) -> Iterator[CapturedRun]:
        """Each run when it has ended; at the end the others, as they stand.  Raises NothingToJudge if it is no log."""
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
