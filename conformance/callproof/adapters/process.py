"""A child process with its whole tree: started, listened to, and ended so that nothing is left.

Between the suite and the adapter stands a guard (see ``guard``), the ancestor of all
that the adapter starts.  Knows lines, exit statuses and signals, and nothing of JSON.
"""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from callproof import limits
from callproof.adapters.address import Launch
from callproof.adapters.channel import Closed, TooLong
from callproof.adapters.deadlines import after, seconds_left
from callproof.adapters.errors import AdapterError, AdapterNotFound, BridgeBroke, NotOnThisSystem
from callproof.adapters.last_words import heard
from callproof.adapters.streams import Inbox, Outbox, Tail

_GUARD = str(Path(__file__).with_name("guard.py"))
# A guard that was told to kill needs only to run its own loop; this much is for an overloaded machine.
_GUARD_SECONDS = 10.0
_PIPE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Ending:
    """How the adapter's tree came to its end: by itself, or with ``left`` still there and killed."""

    left: tuple[str, ...]


class AdapterProcess:
    """
    A running adapter; a context manager that leaves no process behind, whatever leaves the block.

    No file may grow beyond ``file_bytes``, if given, under the hands of any of its processes.
    Raises AdapterNotFound if the kernel refuses to run the command, NotOnThisSystem on a system without POSIX.
    """

    def __init__(
        self, launch: Launch, *, term_seconds: float = limits.TERM_GRACE_SECONDS, file_bytes: int | None = None
    ) -> None:
        if not hasattr(os, "killpg"):
            raise NotOnThisSystem(platform.system())
        self._term_seconds = term_seconds
        self._told = b""
        self._failed: str | None = None
        self._left: tuple[str, ...] = ()
        self._gone = False
        self._terminated = False
        self._adapter: int | None = None
        self._carries = launch.carries
        self._exit: int | None = None
        self._control, theirs = socket.socketpair()
        with theirs:
            self._guard = self._start(launch, theirs.fileno(), file_bytes)
        self._command = launch.arguments[0]

    def _start(self, launch: Launch, control: int, file_bytes: int | None) -> subprocess.Popen[bytes]:
        limit = "-" if file_bytes is None else str(file_bytes)
        ours_in, theirs_in = _pipe(child_reads=True)
        ours_out, theirs_out = _pipe(child_reads=False)
        ours_err, theirs_err = _pipe(child_reads=False)
        try:
            # -I and -S: the guard is to see nothing of the adapter's environment but pass it on.
            guard = subprocess.Popen(
                (sys.executable, "-I", "-S", _GUARD, str(control), limit, *launch.arguments),
                stdin=theirs_in,
                stdout=theirs_out,
                stderr=theirs_err,
                env={**os.environ, **launch.environment},
                pass_fds=(control,),
                start_new_session=True,
            )
        finally:
            for descriptor in (theirs_in, theirs_out, theirs_err):
                os.close(descriptor)
        self._outbox = Outbox(ours_in)
        self._inbox = Inbox(ours_out, limits.FRAME_BYTES)
        self._stderr = Tail(ours_err, limits.STDERR_KEPT_AT_EACH_END)
        return guard

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            self._terminate()
        finally:
            self._kill()

    @property
    def status(self) -> int | None:
        """How the system ended, if that is known; the end of a bridge to it says nothing about the system."""
        return self._exit if self._carries is None else None

    @property
    def unread(self) -> int:
        """How many bytes the adapter has not read off its standard input."""
        return self._outbox.unread

    @property
    def begun(self) -> int:
        """How many bytes the adapter has written of a line that it has not ended."""
        return self._inbox.begun

    def send(self, frame: bytes) -> None:
        """Have the frame written; this never blocks, and does not fail if the adapter has gone."""
        self._outbox.put(frame)

    def take(self, seconds: float) -> bytes | Closed | TooLong | None:
        """The next line of standard output, or how the output ended; None if the time is up."""
        return self._inbox.take(seconds)

    def stderr(self) -> tuple[str, ...]:
        """The lines of standard error that are kept so far."""
        return self._stderr.lines()

    def failure(self) -> AdapterError | None:
        """Why a bridge gave up; None for one that ended in order, and for a program that is the system itself."""
        if self._carries is None:
            return None
        if self._gone:  # its last words may still be on their way through the pipe
            self._stderr.join(_PIPE_SECONDS)
        failure = heard(self._carries, self.stderr())
        if failure is None and self._exit and not self._terminated:
            return BridgeBroke(self._carries, self._exit, self.stderr())
        return failure

    def turn_away(self, seconds: float) -> None:
        """Read nothing from standard output for this long."""
        self._inbox.pause(seconds)

    def kill(self) -> None:
        """Send KILL to the adapter and to everything that it started; its last words can still be read."""
        with contextlib.suppress(OSError):
            self._control.send(b"k")

    def settle(self, seconds: float) -> None:
        """After the end of standard output, wait for the exit status and for the last words on standard error."""
        until = after(seconds)
        while self._exit is None and not self._gone and seconds_left(until):
            self._listen(until)
        if self._failed is not None:
            raise AdapterNotFound(self._command, "the kernel refused to run it", self._failed)
        self._stderr.join(min(seconds_left(until), _PIPE_SECONDS))

    def close_input(self) -> None:
        """Close standard input once everything is written: the end of input means *stop*."""
        self._outbox.close()

    def finish(self, seconds: float) -> Ending:
        """Close standard input and give the whole tree this long to end; what is left is killed, and named."""
        self._outbox.close()
        self._inbox.abandon()
        until = after(seconds)
        while not self._gone and seconds_left(until):
            self._listen(until)
        self._terminate()
        return Ending(self._left)

    def _terminate(self) -> None:
        """Send TERM to everything that is left, once, and wait for the time that it has to end."""
        if self._gone or self._terminated:
            return
        self._terminated = True
        self._outbox.close()
        self._inbox.abandon()
        with contextlib.suppress(OSError):
            self._control.send(b"t")
        until = after(self._term_seconds)
        while not self._gone and seconds_left(until):
            self._listen(until)

    def _kill(self) -> None:
        """Have the guard send KILL to everything that is left; the pipes end with it."""
        self._inbox.abandon()
        self._outbox.close()
        self._control.close()
        try:
            self._guard.wait(_GUARD_SECONDS)
        except subprocess.TimeoutExpired:
            self._guard.kill()
            self._guard.wait()
        if self._guard.returncode != 0 and self._adapter is not None:
            # The guard itself was killed, so its work is done here, as far as possible.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._adapter, signal.SIGKILL)
        for stream in (self._outbox, self._inbox, self._stderr):
            stream.join(_PIPE_SECONDS)

    def _listen(self, until: float) -> None:
        """Read one message of the guard, or wait for a while, but not after the time is up."""
        # 0 would mean not to wait at all, which raises another exception.
        self._control.settimeout(max(min(seconds_left(until), limits.DEAF_SECONDS), 0.001))
        try:
            heard = self._control.recv(4_096)
        except TimeoutError:
            return
        except OSError:
            # A guard that was killed before it had read everything resets the socket.
            heard = b""
        self._gone = self._gone or not heard
        *lines, self._told = (self._told + heard).split(b"\n")
        for line in lines:
            self._note(line.decode("utf-8", "replace"))

    def _note(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "exit":
            self._exit = int(rest)
        elif word == "started":
            self._adapter = int(rest)
        elif word == "left":
            self._left = tuple(rest.split(", "))
        elif word == "failed":
            self._failed = rest
        elif word == "gone":
            self._gone = True


def _pipe(*, child_reads: bool) -> tuple[int, int]:
    """A pipe as (our end, the child's end)."""
    reading, writing = os.pipe()
    return (writing, reading) if child_reads else (reading, writing)
