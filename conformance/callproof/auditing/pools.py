"""A pool of processes on this machine, which tells of each one that dies, whenever it does.

Python's own pool waits for ever where a process dies with half of its answer handed back.
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

# How long is waited for an answer before somebody looks whether all are alive.
_PATIENCE_SECONDS = 1.0
# Where Linux lists the threads of a process.
_THREADS = Path("/proc/self/task")
# How long is waited for threads that have ended, at most.
_MOMENTS, _MOMENT_SECONDS = 100, 0.001


class Pool:
    """So many processes, which may be told to drop what they have in hand.  Raises EngineFailed where none is had."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        # A fork begins at once, and a fresh process imports for half a second; but it copies the locks of all threads.
        begun = multiprocessing.get_context("fork" if is_alone() else "spawn")
        with _processes_to_be_had(jobs):
            self._executor = ProcessPoolExecutor(jobs, begun, initializer=_live_no_longer_than_the_parent)

    def begun(self, work: Callable[..., T], *given: object) -> Future[T]:
        """Hand out work.  Raises BrokenProcessPool where a process has died, and EngineFailed where none is had."""
        with _children_that_hear_no_signals(), _processes_to_be_had(self._jobs):
            return self._executor.submit(work, *given)

    def outcome(self, future: Future[T]) -> T:
        """What came of work.  Raises what it raised, and BrokenProcessPool where a process died before it was told."""
        while not future.done():
            with suppress(TimeoutError):
                future.exception(_PATIENCE_SECONDS)
            if not future.done():
                self._break_up_where_one_has_died()
        return future.result()

    def drop(self) -> None:
        """Have what is in work dropped, of which nobody is going to hear."""
        tell_to_drop(self._processes())

    def close(self) -> None:
        """End the processes; what is in work is finished, what waits is not begun."""
        self._break_up_where_one_has_died()
        with suppress(RuntimeError):  # of a thread that could not be started, and is joined all the same
            self._executor.shutdown(cancel_futures=True)

    def _processes(self) -> list[BaseProcess]:
        # Nothing public names them.
        named: dict[int, BaseProcess] | None = getattr(self._executor, "_processes", None)
        return [] if named is None else list(named.values())

    def _break_up_where_one_has_died(self) -> None:
        """Whoever reads the answers may wait for the rest of one; once nobody can write any more, they do not."""
        if all(each.exitcode is None for each in self._processes()):
            return
        for each in self._processes():
            each.kill()
        answers: Any = getattr(self._executor, "_result_queue", None)
        with suppress(AttributeError, OSError):  # of another Python, where this pool may hang as its own does
            answers._writer.close()


@contextmanager
def _processes_to_be_had(jobs: int) -> Generator[None, None, None]:
    """Raises EngineFailed where one more cannot be started, or what they share; those that were started are ended."""
    before = {*multiprocessing.active_children()}
    try:
        yield
    except BrokenProcessPool:
        raise
    except (ImportError, OSError, RuntimeError) as error:
        # They wait for work that nobody is going to hand out, and Python would wait for them.
        for each in {*multiprocessing.active_children()} - before:
            each.terminate()
        why = f"--jobs {jobs} cannot start processes here: {getattr(error, 'strerror', None) or error}"
        raise EngineFailed(f"{why}; --jobs 1 needs none") from None


def is_alone() -> bool:
    """Whether this process has one thread, those of libraries counted; where no system tells, it may have more."""
    return _THREADS.is_dir() and len([*_THREADS.iterdir()]) == 1


def be_alone_again() -> None:
    """Wait for the system, which sees a thread for a moment after it ended, and warns whoever forks meanwhile."""
    for _ in range(_MOMENTS):
        if is_alone():
            return
        time.sleep(_MOMENT_SECONDS)


@contextmanager
def _children_that_hear_no_signals() -> Generator[None, None, None]:
    """Who asks for the end asks this process, which tells the others: they have that blocked from the first moment."""
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
    What each of the processes begins with: it may be told to drop its work, and SIGTERM, which their pool sends, is to
    end it, and so is the parent's end.

    They would wait for work for ever: each holds the pipe open from which all of them read it.
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
    # The parent holds the other end of this pipe.  A thread could read it, where one more is to be had.
    signal.signal(signal.SIGIO, _end)
    fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, os.O_ASYNC)
    if not parent.is_alive():
        os._exit(1)


def _end(_number: int, _frame: FrameType | None) -> None:
    os._exit(1)
