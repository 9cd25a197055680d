"""Where runs are audited: an engine takes runs and rules, and returns every run audited, in the given order.

Whatever the engine, the same function audits a run (``one_run.audit_run``), no run is lost
or reported twice, and the report is the same to the byte.  An engine that works elsewhere
sends runs in batches, small ones first, so that no worker idles at the start or at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

from callproof.auditing.audited import AuditedRun, Rules, at_once
from callproof.auditing.one_run import audit_run
from callproof.auditlog.captured import CapturedRun
from callproof.judge.judgement import JudgedRun, RunOutcome

_LARGEST_BATCH = 16
# A batch is no larger than this, unless one run is.
_BATCH_BYTES = 1024 * 1024


class Auditable(Protocol):
    """A run that was captured, or that knows how to capture itself.  It pickles."""

    @property
    def name(self) -> str:
        """The name of the run in reports."""
        ...

    def captured(self) -> CapturedRun:
        """The text of the run."""
        ...


Engine: TypeAlias = Callable[[Iterable[Auditable], Rules], Iterator[AuditedRun]]
Batch: TypeAlias = tuple[Auditable, ...]


class EngineFailed(Exception):
    """An engine cannot work, or can no longer work: why, and what to do."""


def in_this_process(runs: Iterable[Auditable], rules: Rules) -> Iterator[AuditedRun]:
    """Audit one run after the other in this process."""
    for run in runs:
        yield audit_run(run.captured(), rules)


def audited(batch: Batch, rules: Rules) -> list[AuditedRun]:
    """The runs of a batch, audited.  This function is sent to the worker."""
    return [at_once(audit_run(run.captured(), rules)) for run in batch]


def lost(run: Auditable) -> AuditedRun:
    """The result for a run whose audit ends its process each time it is tried: an error of the suite."""
    told = "the process that audited this run died, and so did the one that tried again with this run alone"
    return AuditedRun(JudgedRun(run.name, RunOutcome.ERROR, (told,)), frozenset(), {}, {})


def batches(runs: Iterable[Auditable], workers: int) -> Iterator[Batch]:
    """The runs in batches, which depend only on the runs and on the number of workers."""
    batch: list[Auditable] = []
    size = given = 0
    for run in runs:
        batch.append(run)
        size += _size(run)
        if len(batch) >= min(_LARGEST_BATCH, 1 + given // (4 * workers)) or size >= _BATCH_BYTES:
            yield tuple(batch)
            given += len(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def _size(run: Auditable) -> int:
    if not isinstance(run, CapturedRun):
        return 0
    return sum(len(file.text) for file in (run.record, *run.files.values()) if file is not None)
