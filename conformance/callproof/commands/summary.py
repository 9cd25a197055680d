"""``callproof audit --summary FILE``: a row for each run and for each finding, written while the runs are judged."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from callproof.auditing.audited import AuditedRun, Rules
from callproof.auditing.engines import Auditable
from callproof.commands.audit import Audit
from callproof.judge.baseline import NO_BASELINE, Baseline, class_of
from callproof.judge.judging import Located, Result
from callproof.report.parquet import Row, Table

# As the specification lists them, in the chapter on the forms of a report.
COLUMNS: dict[str, type[str] | type[int]] = {
    **dict.fromkeys(("kind", "run", "folder", "outcome"), str),
    "findings": int,
    **dict.fromkeys(("executor", "registry"), str),
    "calls": int,
    **dict.fromkeys(("requirement", "level", "class", "observed", "permitted", "tool", "file"), str),
    "line": int,
    "known": str,
}


@contextmanager
def summarised(wanted: Audit, path: Path | None) -> Generator[Audit]:
    """
    The same audit, which also writes a row for every run that it judges, and for every finding; None for no summary.

    The file exists when the audit has ended.  Raises CannotWriteTable.
    """
    if path is None:
        yield wanted
        return
    known = wanted.baseline.known if wanted.baseline is not None else NO_BASELINE
    with Table(path, COLUMNS) as table:

        def through(runs: Iterable[Auditable], rules: Rules) -> Iterator[AuditedRun]:
            for audited in wanted.engine(runs, rules):
                table.add(rows_of(audited, known))
                yield audited

        yield replace(wanted, engine=through)


def rows_of(audited: AuditedRun, known: Baseline = NO_BASELINE) -> list[Row]:
    """The row of a run, and one for each of its findings."""
    run, held = audited.run, audited.census
    shared: Row = {
        "run": run.name,
        "folder": run.folder,
        "outcome": run.outcome.value,
        "executor": held.executor,
        "registry": held.registry,
    }
    found = [(result, each) for result in audited.broken.values() for each in result.findings]
    first: Row = {**shared, "kind": "run", "findings": len(found), "calls": sum(held.calls.values())}
    return [first, *({**shared, **_finding(result, each, known)} for result, each in found)]


def _finding(result: Result, located: Located, known: Baseline) -> Row:
    finding = located.finding
    source = finding.witness[0].source if finding.witness else None
    return {
        "kind": "finding",
        "requirement": result.requirement.id,
        "level": result.requirement.level.value,
        "class": class_of(located),
        "observed": finding.observed,
        "permitted": finding.permitted,
        "tool": located.tool,
        "file": source.file if source is not None else None,
        "line": source.line if source is not None else None,
        "known": known.reason(result.requirement.id, located),
    }
