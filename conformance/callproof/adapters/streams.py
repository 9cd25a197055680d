"""The three pipes of a child, each with its thread and its bound.

The threads here do not know about messages.  Each holds a bounded amount in memory:
lines that wait to be read, bytes that wait to be written, or both ends of standard
error.  Each thread closes its pipe when it is done with it; no other code closes it.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections import deque

from callproof import limits
from callproof.adapters.channel import Closed, TooLong
from callproof.adapters.deadlines import after, seconds_left
from callproof.values.counts import counted

_CHUNK = 64 * 1024
# A reader that is this far ahead of the suite stops reading, and the system waits in its own write.
_WAITING_LINES = 4_096
_WAITING_BYTES = 32 * 1024 * 1024
# How often a paused reader checks whether it has been abandoned.
_PAUSE_SECONDS = 0.05


class Inbox:
    """Lines from one pipe, in order, read ahead by a thread within bounds."""

    def __init__(self, descriptor: int, limit: int) -> None:
        self._descriptor = descriptor
        self._limit = limit
        self._lines: deque[bytes] = deque()
        self._bytes = 0
        self._begun = 0
        self._end: Closed | TooLong | None = None
        self._abandoned = False
        self._paused_until = 0.0
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="callproof-stdout", daemon=True)
        self._thread.start()

    @property
    def begun(self) -> int:
        """How many bytes of a line have arrived whose LF has not."""
        return self._begun

    def take(self, seconds: float) -> bytes | Closed | TooLong | None:
        """The next line without its LF; after the last one, each time, how the pipe ended; None when the time is up."""
        until = after(seconds)
        with self._changed:
            while not (self._lines or self._end) and (left := seconds_left(until)):
                self._changed.wait(min(left, limits.DEAF_SECONDS))
            if self._lines:
                line = self._lines.popleft()
                self._bytes -= len(line)
                self._changed.notify_all()
                return line
            return self._end

    def pause(self, seconds: float) -> None:
        """Begin no new read for that many seconds; the system waits in its own write meanwhile."""
        self._paused_until = after(seconds)

    def abandon(self) -> None:
        """Let the reader run on to the end of the pipe and keep nothing; the pipe ends with the child."""
        with self._changed:
            self._abandoned = True
            self._lines.clear()
            self._changed.notify_all()

    def join(self, seconds: float) -> None:
        """Wait for the end of the pipe."""
        self._thread.join(seconds)

    def _run(self) -> None:
        self._finish(self._read())
        # Closing at once would break the pipe under a writer, and its standard error would show what the suite caused.
        with self._changed:
            self._changed.wait_for(lambda: self._abandoned)
        os.close(self._descriptor)

    def _read(self) -> Closed | TooLong:
        rest = bytearray()
        with contextlib.suppress(OSError):
            while chunk := self._chunk():
                searched = len(rest)
                rest += chunk
                while (end := rest.find(b"\n", searched)) >= 0:
                    if end > self._limit:
                        break
                    self._put(bytes(rest[:end]))
                    del rest[: end + 1]
                    searched = 0
                self._begun = len(rest)
                if len(rest) > self._limit:
                    return TooLong(bytes(rest[:_CHUNK]))
        if rest:
            # A last line without its LF is still a line: a death in the middle of a message shows as garbage.
            self._put(bytes(rest))
        return Closed()

    def _chunk(self) -> bytes:
        while (left := seconds_left(self._paused_until)) and not self._abandoned:
            time.sleep(min(left, _PAUSE_SECONDS))
        return os.read(self._descriptor, _CHUNK)

    def _put(self, line: bytes) -> None:
        with self._changed:
            self._changed.wait_for(self._has_room)
            if not self._abandoned:
                self._lines.append(line)
                self._bytes += len(line)
            self._changed.notify_all()

    def _has_room(self) -> bool:
        few = len(self._lines) < _WAITING_LINES and self._bytes < _WAITING_BYTES
        return self._abandoned or few

    def _finish(self, end: Closed | TooLong) -> None:
        with self._changed:
            self._end = end
            self._changed.notify_all()


class Outbox:
    """Bytes for one pipe, written by a thread, so that a child that does not read does not block the suite."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._frames: deque[bytes] = deque()
        self._unread = 0
        self._closing = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._write, name="callproof-stdin", daemon=True)
        self._thread.start()

    @property
    def unread(self) -> int:
        """How many bytes the child has not taken yet."""
        return self._unread

    def put(self, frame: bytes) -> None:
        """Queue the frame after all earlier ones; it is lost silently if the child has gone."""
        with self._changed:
            self._frames.append(frame)
            self._unread += len(frame)
            self._changed.notify_all()

    def close(self) -> None:
        """Close the pipe once everything is written."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()

    def join(self, seconds: float) -> None:
        """Wait until the pipe is closed."""
        self._thread.join(seconds)

    def _write(self) -> None:
        with contextlib.suppress(OSError):
            while (frame := self._next()) is not None:
                rest = memoryview(frame)
                while rest:
                    written = os.write(self._descriptor, rest)
                    rest = rest[written:]
                    self._unread -= written
        with contextlib.suppress(OSError):
            os.close(self._descriptor)

    def _next(self) -> bytes | None:
        with self._changed:
            self._changed.wait_for(lambda: self._frames or self._closing)
            return self._frames.popleft() if self._frames else None


class Tail:
    """Standard error, read to its end; its first and its last bytes are kept."""

    def __init__(self, descriptor: int, kept: int) -> None:
        self._descriptor = descriptor
        self._kept = kept
        self._first = bytearray()
        self._last = bytearray()
        self._lost = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._drain, name="callproof-stderr", daemon=True)
        self._thread.start()

    def lines(self) -> tuple[str, ...]:
        """What is kept, as lines; an extra line says how much is missing in the middle."""
        with self._lock:
            first, last, lost = bytes(self._first), bytes(self._last), self._lost
        if not lost:
            return _lines(first + last)
        return (*_lines(first), f"[{counted(lost, 'byte')} left out]", *_lines(last))

    def join(self, seconds: float) -> None:
        """Wait for the end of the pipe."""
        self._thread.join(seconds)

    def _drain(self) -> None:
        with contextlib.suppress(OSError):
            while chunk := os.read(self._descriptor, _CHUNK):
                with self._lock:
                    room = self._kept - len(self._first)
                    self._first += chunk[:room]
                    self._last += chunk[room:]
                    over = max(len(self._last) - self._kept, 0)
                    del self._last[:over]
                    self._lost += over
        os.close(self._descriptor)


def _lines(raw: bytes) -> tuple[str, ...]:
    return tuple(raw.decode("utf-8", "replace").rstrip("\n").split("\n")) if raw.strip() else ()
