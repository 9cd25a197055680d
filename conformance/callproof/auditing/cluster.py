"""The one door to Dask: runs audited by the workers of a cluster, which need callproof and nothing of this machine.

The text of each run is read here and sent, so that no disk has to be shared.  When a
worker dies, the scheduler gives its batches to others; a batch counts when it comes
back and is taken once, in its place, so that nothing is lost or counted twice.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from callproof.auditing.audited import AuditedRun, Rules
from callproof.auditing.engines import Auditable, Batch, Engine, EngineFailed, audited, batches, lost

_CONNECT_SECONDS = 10
# How often somebody looks whether the cluster is still there, and how often it may have no worker in a row.
_LOOK_SECONDS = 5
_LOOKS_ALONE = 6
_BATCHES_A_THREAD = 4


def on_dask(scheduler: str) -> Engine:
    """
    The engine that audits on the cluster of a scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises EngineFailed when distributed is not installed; the engine does when the cluster cannot be reached, or is
    lost on the way.
    """
    distributed = _distributed()

    def engine(runs: Iterable[Auditable], rules: Rules) -> Iterator[AuditedRun]:
        client = _connected(distributed, scheduler)
        try:
            yield from _Cluster(distributed, client, rules).audited(runs)
        except (OSError, TimeoutError, EngineFailed, distributed.CancelledError) as error:
            raise EngineFailed(f"the cluster at {scheduler} was lost: {str(error) or 'it does not answer'}") from None
        finally:
            client.close()

    return engine


class _Cluster:
    """A connection over which batches go out and come back."""

    def __init__(self, distributed: Any, client: Any, rules: Rules) -> None:
        self._client = client
        self._killed: type[Exception] = distributed.KilledWorker
        # They go with every batch: what is only scattered is gone with the workers that hold it.
        self._rules = rules
        self._threads = max(1, sum(client.nthreads().values()))
        self._under_way: deque[tuple[Batch, Any]] = deque()

    def audited(self, runs: Iterable[Auditable]) -> Iterator[AuditedRun]:
        """Every run, in the order in which they were given."""
        under_way = self._under_way
        for batch in batches((run.captured() for run in runs), self._threads):
            under_way.append((batch, self._begun(batch)))
            if len(under_way) >= self._threads * _BATCHES_A_THREAD:
                yield from self._done(*under_way.popleft())
        while under_way:
            yield from self._done(*under_way.popleft())

    def _begun(self, batch: Batch) -> Any:
        return self._client.submit(audited, batch, self._rules, pure=False)

    def _done(self, batch: Batch, future: Any) -> Iterable[AuditedRun]:
        try:
            told = self._awaited(future)
        except self._killed:  # several workers died with it, as many as the scheduler forgives
            return self._alone(batch) if len(batch) == 1 else self._one_by_one(batch)
        return told

    def _alone(self, run: Batch) -> list[AuditedRun]:
        """
        What comes back of one run while nothing else is under way.

        A scheduler blames whatever waited at a worker that died; who has no neighbour dies of itself.
        """
        for _, future in self._under_way:
            with suppress(self._killed):
                self._awaited(future)
        try:
            return self._awaited(self._begun(run))
        except self._killed:
            return [lost(run[0])]

    def _awaited(self, future: Any) -> list[AuditedRun]:
        """What came back, as long as there is somebody who may still bring it."""
        alone = 0
        while True:
            try:
                told: list[AuditedRun] = future.result(timeout=_LOOK_SECONDS)
            except TimeoutError:
                if self._client.status != "running":
                    raise EngineFailed("it does not answer") from None
                # A cluster may be about to start its next workers; it is not waited for without end.
                alone = 0 if self._client.nthreads() else alone + 1
                if alone >= _LOOKS_ALONE:
                    raise EngineFailed("it has no worker") from None
            else:
                return told

    def _one_by_one(self, batch: Batch) -> Iterator[AuditedRun]:
        for run in batch:
            yield from self._done((run,), self._begun((run,)))


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise EngineFailed("--engine dask needs Dask; `pip install 'callproof[dask]'` brings it") from None


def _connected(distributed: Any, scheduler: str) -> Any:
    try:
        return distributed.Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise EngineFailed(f"no cluster answers at {scheduler}: {error}") from None
