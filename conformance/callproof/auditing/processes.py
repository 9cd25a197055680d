"""Runs audited by several processes on this machine, and large files looked through by them before.

A process that dies takes nothing with it: its runs are tried again, one by one, and
the one that ends a process by itself is told as an error.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from callproof.auditing.at_work import audited_or_dropped, tell_to_drop, to_be_dropped
from callproof.auditing.engines import Auditable, Batch, Engine, EngineFailed, batches, in_this_process, lost
from callproof.auditing.one_run import AuditedRun, Rules
from callproof.auditlog.looking import Looking, Seen, Stretch, in_turn, looked_through
from callproof.interruption import ENDING

# So many batches a process are under way: one in work, one at hand, and one on its way back.
_BATCHES_A_PROCESS = 3
# Where Linux lists the threads of a process.
_THREADS = Path("/proc/self/task")
# How long is waited for threads that have ended, at most.
_MOMENTS, _MOMENT_SECONDS = 100, 0.001


def in_processes(jobs: int) -> Engine:
    """
    The engine that audits in so many processes; with one, in this process.

    The engine raises EngineFailed where the machine starts none.
    """
    if jobs == 1:
        return in_this_process

    def engine(runs: Iterable[Auditable], rules: Rules) -> Iterator[AuditedRun]:
        with _processes_to_be_had(jobs):
            crew = _Crew(jobs, rules)
        under_way: deque[_Work] = deque()
        try:
            for batch in batches(runs, jobs):
                under_way.append(crew.begun(batch))
                if len(under_way) >= jobs * _BATCHES_A_PROCESS:
                    yield from crew.done(under_way.popleft())
            while under_way:
                yield from crew.done(under_way.popleft())
        except BaseException:  # Ctrl-C, or nobody wants the rest: no run may keep whoever asked, however long it takes
            crew.broken_off()
            raise
        finally:
            crew.sent_home()

    return engine


def looking_in_processes(jobs: int) -> Looking:
    """
    Looks through files in so many processes, and in this one where more would begin afresh, or one of them dies.

    It raises EngineFailed where the machine starts none.
    """

    def looking(parts: Iterable[Stretch]) -> Generator[list[Seen], None, None]:
        if jobs == 1 or not _is_alone():
            yield from in_turn(parts)
            return
        with _processes_to_be_had(jobs):
            pool = _pool(jobs)
        under_way: deque[tuple[Stretch, Future[list[Seen]]]] = deque()
        try:
            for part in parts:
                with _children_that_hear_no_signals(), _processes_to_be_had(jobs):
                    under_way.append((part, _begun(pool, part)))
                if len(under_way) >= jobs * _BATCHES_A_PROCESS:
                    yield _seen(*under_way.popleft())
            while under_way:
                yield _seen(*under_way.popleft())
        finally:
            pool.shutdown(cancel_futures=True)
            _be_alone_again()

    return looking


def _begun(pool: ProcessPoolExecutor, part: Stretch) -> Future[list[Seen]]:
    try:
        return pool.submit(looked_through, part)
    except BrokenProcessPool as broken:
        future = Future[list[Seen]]()
        future.set_exception(broken)
        return future


def _seen(part: Stretch, future: Future[list[Seen]]) -> list[Seen]:
    try:
        return future.result()
    except BrokenProcessPool:
        return looked_through(part)


class _Work:
    """A batch that was handed to a pool, and which of the pools it was."""

    def __init__(self, batch: Batch, pool: ProcessPoolExecutor, future: Future[list[AuditedRun]]) -> None:
        self.batch = batch
        self.pool = pool
        self.future = future


class _Crew:
    """A pool of processes, replaced by another when one of them dies."""

    def __init__(self, jobs: int, rules: Rules) -> None:
        self._jobs = jobs
        self._rules = rules
        self._others = {*multiprocessing.active_children()}
        self._pool = _pool(jobs)

    def begun(self, batch: Batch) -> _Work:
        """Hand a batch to the pool."""
        with _children_that_hear_no_signals(), _processes_to_be_had(self._jobs):
            try:
                future = self._pool.submit(audited_or_dropped, batch, self._rules)
            except BrokenProcessPool:
                self._replace()
                future = self._pool.submit(audited_or_dropped, batch, self._rules)
        return _Work(batch, self._pool, future)

    def done(self, work: _Work) -> list[AuditedRun]:
        """What became of a batch."""
        try:
            return work.future.result()
        except BrokenProcessPool:
            if work.pool is not self._pool:
                # Another batch, or nobody's, ended that pool; this one has not been tried in this one.
                return self.done(self.begun(work.batch))
            self._replace()
            return list(self._one_by_one(work.batch))

    def broken_off(self) -> None:
        """Have what is in work dropped, of which nobody is going to hear."""
        tell_to_drop({*multiprocessing.active_children()} - self._others)

    def sent_home(self) -> None:
        """End the pool; what is in work is finished, what waits is not begun."""
        with suppress(RuntimeError):  # of a thread that could not be started, and is joined all the same
            self._pool.shutdown(cancel_futures=True)

    def _one_by_one(self, batch: Batch) -> Iterator[AuditedRun]:
        pool = _pool(1)
        try:
            for run in batch:
                with _children_that_hear_no_signals():
                    future = pool.submit(audited_or_dropped, (run,), self._rules)
                try:
                    yield from future.result()
                except BrokenProcessPool:
                    yield lost(run)
                    pool = _pool(1)
        finally:
            pool.shutdown()

    def _replace(self) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._pool = _pool(self._jobs)


def _pool(jobs: int) -> ProcessPoolExecutor:
    # A fork begins at once, and a fresh process imports for half a second; but a fork copies the locks of all threads.
    begun = multiprocessing.get_context("fork" if _is_alone() else "spawn")
    return ProcessPoolExecutor(jobs, begun, initializer=_live_no_longer_than_the_parent)


@contextmanager
def _processes_to_be_had(jobs: int) -> Generator[None, None, None]:
    """Raises EngineFailed where one more cannot be started, or what they share; those that were started are ended."""
    before = {*multiprocessing.active_children()}
    try:
        yield
    except (ImportError, OSError, RuntimeError) as error:
        # They wait for work that nobody is going to hand out, and Python would wait for them.
        for each in {*multiprocessing.active_children()} - before:
            each.terminate()
        why = f"--jobs {jobs} cannot start processes here: {getattr(error, 'strerror', None) or error}"
        raise EngineFailed(f"{why}; --jobs 1 needs none") from None


def _is_alone() -> bool:
    """Whether this process has one thread, those of libraries counted; where no system tells, it may have more."""
    return _THREADS.is_dir() and len([*_THREADS.iterdir()]) == 1


def _be_alone_again() -> None:
    """Wait for the system, which sees a thread for a moment after it ended, and warns whoever forks meanwhile."""
    for _ in range(_MOMENTS):
        if _is_alone():
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
