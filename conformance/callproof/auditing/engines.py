"""Where runs are audited: an engine takes runs and rules, and gives every run back audited, in the order it took them.

Whatever the engine, the same function audits a run (``one_run.audit_run``), nothing is
lost or told twice, and the report is the same to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeAlias

from callproof.auditing.one_run import AuditedRun, Rules, audit_run
from callproof.auditlog.captured import CapturedRun


class Auditable(Protocol):
    """A run that was captured, or that says where it is captured from; it pickles."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def captured(self) -> CapturedRun:
        """Its text."""
        ...


Engine: TypeAlias = Callable[[Iterable[Auditable], Rules], Iterator[AuditedRun]]


def in_this_process(runs: Iterable[Auditable], rules: Rules) -> Iterator[AuditedRun]:
    """One run after the other."""
    for run in runs:
        yield audit_run(run.captured(), rules)
