"""The only module that uses Dask: a cluster's workers audit runs, and need callproof but nothing of this machine.

This process reads the text of each run and sends it, so that no disk has to be shared.
If a worker dies, the scheduler gives its batches to others.  A batch counts when it
comes back and is taken once, in its place, so that no run is lost or counted twice.
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
# How often the engine looks whether the cluster is still there, and in how many looks in a row it may have no worker.
_LOOK_SECONDS = 5
_LOOKS_ALONE = 6
_BATCHES_A_THREAD = 4


def on_dask(scheduler: str) -> Engine:
    """
    The engine that audits on the cluster of a scheduler, such as ``tcp://10.0.0.1:8786``.

    Raises EngineFailed if distributed is not installed; the engine raises it if the cluster cannot be reached, or is
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
    """A connection over which batches are sent out and come back."""

    def __init__(self, distributed: Any, client: Any, rules: Rules) -> None:
        self._client = client
        self._killed: type[Exception] = distributed.KilledWorker
        # They are sent with every batch: what is only scattered is lost with the workers that hold it.
        self._rules = rules
        self._threads = max(1, sum(client.nthreads().values()))
        self._under_way: deque[tuple[Batch, Any]] = deque()

    def audited(self, runs: Iterable[Auditable]) -> Iterator[AuditedRun]:
        """Every run, in the given order."""
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
        except self._killed:  # several workers died with it, as many as the scheduler tolerates
            return self._alone(batch) if len(batch) == 1 else self._one_by_one(batch)
        return told

    def _alone(self, run: Batch) -> list[AuditedRun]:
        """
        The result of one run while nothing else is under way.

        A scheduler blames every batch that waited at a worker that died.  If a run is alone, it is itself to blame.
        """
        for _, future in self._under_way:
            with suppress(self._killed):
                self._awaited(future)
        try:
            return self._awaited(self._begun(run))
        except self._killed:
            return [lost(run[0])]

    def _awaited(self, future: Any) -> list[AuditedRun]:
        """The result of a batch, awaited as long as some worker may still deliver it."""
        alone = 0
        while True:
            try:
                told: list[AuditedRun] = future.result(timeout=_LOOK_SECONDS)
            except TimeoutError:
                if self._client.status != "running":
                    raise EngineFailed("it does not answer") from None
                # A cluster may be about to start its next workers, but the engine does not wait for them without end.
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
        raise EngineFailed("--engine dask needs Dask; install it with `pip install 'callproof[dask]'`") from None


def _connected(distributed: Any, scheduler: str) -> Any:
    try:
        return distributed.Client(scheduler, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise EngineFailed(f"no cluster answers at {scheduler}: {error}") from None
