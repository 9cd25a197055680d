"""A pool of processes on this machine that reports each process that dies, whenever it dies.

Python's own pool waits for ever if a process dies after it has returned only half of its answer.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from callproof.auditing.at_work import tell_to_drop, to_be_dropped
from callproof.auditing.engines import EngineFailed
from callproof.interruption import ENDING

T = TypeVar("T")

# How long the pool waits for an answer before it checks whether all processes are alive.
_PATIENCE_SECONDS = 1.0
# Where Linux lists the threads of a process.
_THREADS = Path("/proc/self/task")
# How long the pool waits for threads that have ended, at most.
_MOMENTS, _MOMENT_SECONDS = 100, 0.001


class Pool:
    """``jobs`` processes, which can be told to drop their work.  Raises EngineFailed if they cannot be started."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        # A forked process begins at once, a fresh one imports for half a second.  But a fork copies all threads' locks.
        begun = multiprocessing.get_context("fork" if is_alone() else "spawn")
        with _processes_to_be_had(jobs):
            self._executor = ProcessPoolExecutor(jobs, begun, initializer=_live_no_longer_than_the_parent)

    def begun(self, work: Callable[..., T], *given: object) -> Future[T]:
        """Hand out work.  Raises BrokenProcessPool if a process has died, and EngineFailed if none can be started."""
        with _children_that_hear_no_signals(), _processes_to_be_had(self._jobs):
            return self._executor.submit(work, *given)

    def outcome(self, future: Future[T]) -> T:
        """The result of work.  Raises what the work raised, and BrokenProcessPool if a process died before its end."""
        while not future.done():
            with suppress(TimeoutError):
                future.exception(_PATIENCE_SECONDS)
            if not future.done():
                self._break_up_where_one_has_died()
        return future.result()

    def drop(self) -> None:
        """Tell the processes to drop their current work, whose result is no longer wanted."""
        tell_to_drop(self._processes())

    def close(self) -> None:
        """End the processes: current work is finished, waiting work is not begun."""
        self._break_up_where_one_has_died()
        with suppress(RuntimeError):  # a thread that could not be started, but is joined anyway
            self._executor.shutdown(cancel_futures=True)

    def _processes(self) -> list[BaseProcess]:
        # There is no public name for them.
        named: dict[int, BaseProcess] | None = getattr(self._executor, "_processes", None)
        return [] if named is None else list(named.values())

    def _break_up_where_one_has_died(self) -> None:
        """Kill all if one has died: a reader waits for the rest of its answer as long as any process could write."""
        if all(each.exitcode is None for each in self._processes()):
            return
        for each in self._processes():
            each.kill()
        answers: Any = getattr(self._executor, "_result_queue", None)
        with suppress(AttributeError, OSError):  # in another Python version, where this pool may hang as its own does
            answers._writer.close()


@contextmanager
def _processes_to_be_had(jobs: int) -> Generator[None, None, None]:
    """Raises EngineFailed if a process, or what all share, cannot be started; ends the processes started until then."""
    before = {*multiprocessing.active_children()}
    try:
        yield
    except BrokenProcessPool:
        raise
    except (ImportError, OSError, RuntimeError) as error:
        # They would wait for work that never comes, and Python would wait for them.
        for each in {*multiprocessing.active_children()} - before:
            each.terminate()
        why = f"--jobs {jobs} cannot start processes here: {getattr(error, 'strerror', None) or error}"
        raise EngineFailed(f"{why}; use --jobs 1, which needs none") from None


def is_alone() -> bool:
    """Whether this process has only one thread, also counting those of libraries; False if the system does not say."""
    return _THREADS.is_dir() and len([*_THREADS.iterdir()]) == 1


def be_alone_again() -> None:
    """Wait for ended threads: the system lists them for a moment after their end, and a fork then gives a warning."""
    for _ in range(_MOMENTS):
        if is_alone():
            return
        time.sleep(_MOMENT_SECONDS)


@contextmanager
def _children_that_hear_no_signals() -> Generator[None, None, None]:
    """Start processes with the ending signals blocked: only this process reacts to these, and it tells the others."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _live_no_longer_than_the_parent() -> None:
    """
    Prepare a new process of the pool: it can be told to drop its work, and it ends on SIGTERM, which the pool sends,
    and when its parent ends.

    Otherwise the processes would wait for work for ever: each holds open the pipe from which all of them read it.
    """
    to_be_dropped()
    if not hasattr(signal, "pthread_sigmask"):
        return
    import fcntl  # noqa: PLC0415  which systems without such signals do not have

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    # The parent holds the other end of this pipe.  A thread could read it, but starting one more thread may fail.
    signal.signal(signal.SIGIO, _end)
    fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, os.O_ASYNC)
    if not parent.is_alive():
        os._exit(1)


def _end(_number: int, _frame: FrameType | None) -> None:
    os._exit(1)
