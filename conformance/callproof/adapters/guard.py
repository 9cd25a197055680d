"""A small process between the suite and an adapter, so that nothing an adapter starts outlives it.

Run as a file by a bare interpreter: standard library only.  It stays the ancestor of
everything that the adapter starts, even of processes that move to another session or group, because
on Linux it makes orphans its own children.  Where it cannot do that, it still ends the
adapter's process group.

It speaks over one socket.  It says ``failed REASON``, ``started PID``,
``exit STATUS``, ``left NAMES``
and, when nothing is left, ``gone``.  It hears ``t`` (send TERM to all that is left)
and ``k`` (send KILL); the end of the socket, which also comes when the suite is killed, means KILL.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

# From <linux/prctl.h>: orphaned descendants become children of this process.
_PR_SET_CHILD_SUBREAPER = 36
_KILL_SECONDS = 5.0


def main(arguments: Sequence[str]) -> int:
    """``guard.py SOCKET FILE_BYTES COMMAND ARGUMENTS``: run the command, watch it, leave nothing behind."""
    control = socket.socket(fileno=int(arguments[0]))
    os.set_inheritable(control.fileno(), False)
    _adopt_orphans()
    woken = _wake_on_child()
    try:
        adapter = _start(arguments[2:], arguments[1])
    except OSError as error:
        _tell(control, f"failed {error.strerror}")
        return 1
    _tell(control, f"started {adapter.pid}")
    _let_go_of_the_pipes()
    # Pass only the number: polling the Popen would collect the exit status before _reap does.
    _watch(control, woken, adapter.pid)
    return 0


def _start(command: Sequence[str], file_bytes: str) -> subprocess.Popen[bytes]:
    """Start the command; with a number of bytes, no file that it writes can grow beyond them."""
    if not file_bytes.isdecimal():
        return subprocess.Popen(command, start_new_session=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(file_bytes), int(file_bytes)))
    # A write beyond the limit must fail as on a full disk, and not end the process by a signal.
    for number in (signal.SIGXFSZ, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN if number is signal.SIGXFSZ else signal.SIG_DFL)
    # Else Python writes compiled modules beside their sources, cut off at the limit, and reads these from then on.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return subprocess.Popen(command, start_new_session=True, restore_signals=False, env=environment)
    finally:
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def _watch(control: socket.socket, woken: int, adapter: int) -> None:
    while True:
        ready, _, _ = select.select([control.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 512)
        if not _reap(control, adapter):
            _tell(control, "gone")
            return
        if control.fileno() in ready:
            heard = _heard(control)
            if not heard:
                _kill(adapter)
                return
            if heard == b"k":
                _signal(adapter, signal.SIGKILL)
            else:
                _tell(control, f"left {', '.join(_names(_descendants())) or adapter}")
                _signal(adapter, signal.SIGTERM)


def _heard(control: socket.socket) -> bytes:
    try:
        return control.recv(1)
    except OSError:
        # A suite that was killed before it had read everything resets the socket.
        return b""


def _reap(control: socket.socket, adapter: int) -> bool:
    """Collect what has ended; False when nothing is left."""
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True
        if pid == adapter:
            _tell(control, f"exit {os.waitstatus_to_exitcode(status)}")


def _kill(adapter: int) -> None:
    until = time.monotonic() + _KILL_SECONDS
    while time.monotonic() < until:
        _signal(adapter, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.005)
            continue
        return


def _signal(adapter: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(adapter, number)
    for pid in _descendants():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _descendants() -> tuple[int, ...]:
    """All processes below this one, according to the kernel's own table; empty without /proc."""
    parents = dict(_parents())
    below = {os.getpid()}
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in below} - below
        below |= more
        grown = bool(more)
    return tuple(sorted(below - {os.getpid()}))


def _parents() -> Iterator[tuple[int, int]]:
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as stat:
                    # The name stands in parentheses and may contain anything; only plain fields follow it.
                    yield int(name), int(stat.read().rpartition(b")")[2].split()[1])


def _names(pids: Sequence[int]) -> Iterator[str]:
    for pid in pids:
        with contextlib.suppress(OSError), open(f"/proc/{pid}/comm", encoding="utf-8", errors="replace") as comm:
            yield f"{comm.read().strip()} (process {pid})"


def _adopt_orphans() -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wake_on_child() -> int:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    os.set_blocking(reading, False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def _let_go_of_the_pipes() -> None:
    # The pipes must end when the adapter's processes end, and not when this one does.
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)


def _tell(control: socket.socket, line: str) -> None:
    with contextlib.suppress(OSError):
        control.sendall(line.encode("utf-8", "replace") + b"\n")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
