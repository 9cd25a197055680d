"""One stream of records that grows while it is read: each run as soon as its last event is there.

A run is given out when the reader has come to the end of the stream, or when many runs wait,
so that what its writer wrote a moment later is part of it.  What comes later still is counted.
"""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Iterator
from typing import BinaryIO

from callproof import limits
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.following import Watch, late_run, tells_the_end
from callproof.auditlog.naming import run_named_in, unwrapped
from callproof.auditlog.numbering import SharedFile
from callproof.auditlog.open_runs import OpenRun
from callproof.trace.records import Kind

_CHUNK = 256 * 1024
# Runs that have ended and wait for the reader to catch up.
_WAITING = 100
# What a pipe may still hold when nobody waits any longer.
_LEFT_IN_A_PIPE = limits.MIB


class FollowedStream:
    """
    The runs in a stream, while it grows.

    ``faults`` tell, in the end, of runs of which lines came after they had been given out, and of a stream that
    became shorter; ``behind`` says whether there was more to read.
    """

    def __init__(self, name: str, stream: BinaryIO, watch: Watch) -> None:
        self._file = SharedFile(name, None, lambda: stream)
        self._lines = _GrowingLines(stream.fileno(), watch)
        self._open: dict[bytes, OpenRun] = {}
        self._ended: dict[bytes, None] = {}
        self._given: set[bytes] = set()
        self._late: dict[bytes, None] = {}
        self._held = 0

    @property
    def faults(self) -> tuple[str, ...]:
        """What nobody can judge who reads a stream once."""
        late = (late_run(each.decode("utf-8", "backslashreplace")) for each in self._late)
        shorter = (f"{self._file.name} became shorter while it was followed",) if self._lines.shorter else ()
        return (*late, *shorter)

    @property
    def behind(self) -> bool:
        """Whether the stream was left before its end."""
        return self._lines.behind

    def runs(self) -> Iterator[CapturedRun]:
        """Each run as it has ended; in the end the others, as they stand."""
        number = 0
        for raw in self._lines.read():
            if raw is None:
                yield from self._whole()
                continue
            number += 1
            if raw.strip():
                self._take(number, raw)
            if len(self._ended) > _WAITING:
                yield from self._whole()
        yield from self._whole()
        for key in tuple(self._open):
            yield self._released(key)

    def _take(self, number: int, raw: bytes) -> None:
        inner = unwrapped(raw)
        key = run_named_in(inner.text) or b""
        if key in self._given:
            self._late[key] = None
            return
        run = self._open.get(key)
        if run is None:
            run = self._open[key] = OpenRun(key)
        self._held += run.add(self._file, number, raw)
        if inner.kind is Kind.EVENT and key and tells_the_end(inner.text):
            self._ended[key] = None
        if self._held > limits.OPEN_RUNS_BYTES:
            largest = max(self._open.values(), key=lambda each: each.size)
            self._held += largest.drop(f"was left out: open runs came to more than {limits.OPEN_RUNS_BYTES} bytes")

    def _whole(self) -> Iterator[CapturedRun]:
        for key in tuple(self._ended):
            del self._ended[key]
            yield self._released(key)

    def _released(self, key: bytes) -> CapturedRun:
        run = self._open.pop(key)
        self._held -= run.size
        self._given.add(key)
        return run.captured("", {})


class _GrowingLines:
    """The lines of a file or a pipe, with their LF; at each end that it has for now, None."""

    def __init__(self, descriptor: int, watch: Watch) -> None:
        self._descriptor = descriptor
        self._watch = watch
        self._grows = stat.S_ISREG(os.fstat(descriptor).st_mode)
        self._read = 0
        self._rest = b""
        self._skips = False
        self.behind = False
        self.shorter = False

    def read(self) -> Iterator[bytes | None]:
        """
        Lines until nobody waits any longer, or until whoever writes to a pipe has gone.

        Of a line over the limit comes the beginning, which is longer than the limit and has no LF.
        """
        end: int | None = None
        while end is None or self._read < end:
            if end is None and self._watch.ended():
                end = self._as_far_as()
            chunk = self._chunk()
            if chunk:
                yield from self._cut(chunk)
                continue
            yield None
            if chunk is None or end is not None:
                break
            self._watch.pause()
        self.behind = bool(end is not None and self._chunk())
        if self._rest:
            yield self._rest

    def _as_far_as(self) -> int:
        """Where reading stops once it has to, so that a writer who never rests cannot keep it going."""
        return os.fstat(self._descriptor).st_size if self._grows else self._read + _LEFT_IN_A_PIPE

    def _chunk(self) -> bytes | None:
        """What there is now; nothing where there is nothing yet, and None where there never will be."""
        if not self._grows and not select.select([self._descriptor], (), (), 0)[0]:
            return b""
        chunk = os.read(self._descriptor, _CHUNK)
        self._read += len(chunk)
        self.shorter = self._grows and os.fstat(self._descriptor).st_size < self._read
        return chunk or (b"" if self._grows and not self.shorter else None)

    def _cut(self, chunk: bytes) -> Iterator[bytes]:
        *whole, rest = (self._rest + chunk).split(b"\n")
        for each in whole:
            if self._skips:
                self._skips = False
            else:
                yield each + b"\n" if len(each) <= limits.LINE_BYTES else each[: limits.LINE_BYTES + 1]
        if len(rest) > limits.LINE_BYTES and not self._skips:
            yield rest[: limits.LINE_BYTES + 1]
            self._skips = True
        self._rest = b"" if self._skips else rest
