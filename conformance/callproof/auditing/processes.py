"""Audits runs in several processes on this machine, and has these look through large files before.

No run is lost if a process dies: the runs of its batch are tried again, one by one, and
a run that ends a process by itself is reported as an error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

from callproof.auditing.at_work import audited_or_dropped
from callproof.auditing.audited import AuditedRun, Rules
from callproof.auditing.engines import Auditable, Batch, Engine, batches, in_this_process, lost
from callproof.auditing.pools import Pool, be_alone_again, is_alone
from callproof.auditlog.looking import Looking, Seen, Stretch, in_turn, looked_through

# How many batches per process are under way: one in work, one waiting, and one on its way back.
_BATCHES_A_PROCESS = 3


def in_processes(jobs: int) -> Engine:
    """
    The engine that audits in ``jobs`` processes; if ``jobs`` is 1, in this process.

    The engine raises EngineFailed if the machine cannot start processes.
    """
    if jobs == 1:
        return in_this_process

    def engine(runs: Iterable[Auditable], rules: Rules) -> Iterator[AuditedRun]:
        crew = _Crew(jobs, rules)
        under_way: deque[_Work] = deque()
        try:
            for batch in batches(runs, jobs):
                under_way.append(crew.begun(batch))
                if len(under_way) >= jobs * _BATCHES_A_PROCESS:
                    yield from crew.done(under_way.popleft())
            while under_way:
                yield from crew.done(under_way.popleft())
        except BaseException:  # Ctrl-C, or the caller wants no more: no run, however long, may keep the caller waiting
            crew.broken_off()
            raise
        finally:
            crew.sent_home()

    return engine


def looking_in_processes(jobs: int) -> Looking:
    """
    Looks through files in ``jobs`` processes; in this process if they could not be forked, or if one of them dies.

    It raises EngineFailed if the machine cannot start processes.
    """

    def looking(parts: Iterable[Stretch]) -> Generator[list[Seen], None, None]:
        if jobs == 1 or not is_alone():
            yield from in_turn(parts)
            return
        pool = Pool(jobs)
        under_way: deque[tuple[Stretch, Future[list[Seen]]]] = deque()
        try:
            for part in parts:
                under_way.append((part, _begun(pool, part)))
                if len(under_way) >= jobs * _BATCHES_A_PROCESS:
                    yield _seen(pool, *under_way.popleft())
            while under_way:
                yield _seen(pool, *under_way.popleft())
        finally:
            pool.close()
            be_alone_again()

    return looking


def _begun(pool: Pool, part: Stretch) -> Future[list[Seen]]:
    try:
        return pool.begun(looked_through, part)
    except BrokenProcessPool as broken:
        future = Future[list[Seen]]()
        future.set_exception(broken)
        return future


def _seen(pool: Pool, part: Stretch, future: Future[list[Seen]]) -> list[Seen]:
    try:
        return pool.outcome(future)
    except BrokenProcessPool:
        return looked_through(part)


class _Work:
    """A batch that was handed to a pool, and that pool."""

    def __init__(self, batch: Batch, pool: Pool, future: Future[list[AuditedRun]]) -> None:
        self.batch = batch
        self.pool = pool
        self.future = future


class _Crew:
    """A pool of processes, replaced by another if one of them dies."""

    def __init__(self, jobs: int, rules: Rules) -> None:
        self._jobs = jobs
        self._rules = rules
        self._pool = Pool(jobs)

    def begun(self, batch: Batch) -> _Work:
        """Hand a batch to the pool."""
        try:
            future = self._pool.begun(audited_or_dropped, batch, self._rules)
        except BrokenProcessPool:
            self._replace()
            future = self._pool.begun(audited_or_dropped, batch, self._rules)
        return _Work(batch, self._pool, future)

    def done(self, work: _Work) -> list[AuditedRun]:
        """The result of a batch."""
        try:
            return work.pool.outcome(work.future)
        except BrokenProcessPool:
            if work.pool is not self._pool:
                # Another batch, or none, broke that pool; the new pool has not tried this batch yet.
                return self.done(self.begun(work.batch))
            self._replace()
            return list(self._one_by_one(work.batch))

    def broken_off(self) -> None:
        """Tell the processes to drop their current work."""
        self._pool.drop()

    def sent_home(self) -> None:
        """End the pool: current work is finished, waiting work is not begun."""
        self._pool.close()

    def _one_by_one(self, batch: Batch) -> Iterator[AuditedRun]:
        pool = Pool(1)
        try:
            for run in batch:
                future = pool.begun(audited_or_dropped, (run,), self._rules)
                try:
                    yield from pool.outcome(future)
                except BrokenProcessPool:
                    yield lost(run)
                    pool.close()
                    pool = Pool(1)
        except BaseException:
            pool.drop()
            raise
        finally:
            pool.close()

    def _replace(self) -> None:
        self._pool.close()
        self._pool = Pool(self._jobs)
