"""Runs judged: every check over one run, and many runs' results brought together.

The same for a live run and a captured log.  A check that throws is an *error* of
ours, with its name, and never a pass.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from callproof.checks import all_checks
from callproof.checks.check import Check, Finding
from callproof.judge.verdicts import Verdict, combined
from callproof.spec.blocks import Requirement
from callproof.spec.registry import Specification, specification
from callproof.trace.records import Record, Source
from callproof.trace.run import EVIDENCE, UNREAD, Run


@dataclass(frozen=True, slots=True)
class Root:
    """The finding of the same run from which one follows: its requirement, the first record of its witness, and why."""

    requirement: str
    source: Source
    because: str


@dataclass(frozen=True, slots=True)
class Located:
    """A finding with the run in which it was made."""

    run: str
    finding: Finding
    root: Root | None = None
    # The class of the message, where an audit worked it out before values gave way to shapes.
    bare: str | None = None
    # The tool that it is about, where an audit knows it.
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """
    One requirement, judged.

    ``exercised`` counts the subjects that the law was held against, and ``runs`` the runs that held one;
    ``missing`` names the evidence that was not captured; ``errors`` tell of checks that threw.
    """

    requirement: Requirement
    verdict: Verdict
    findings: tuple[Located, ...] = ()
    exercised: int = 0
    missing: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    runs: int = 0


Results = Mapping[str, Result]


@cache
def checks_by_requirement() -> Mapping[str, tuple[Check[Any], ...]]:
    """Every check under the id of its requirement."""
    groups: dict[str, list[Check[Any]]] = {}
    for check in all_checks():
        groups.setdefault(check.requirement, []).append(check)
    return {requirement: tuple(checks) for requirement, checks in groups.items()}


def judge(run: Run, claimed: frozenset[str] | None = None, spec: Specification | None = None) -> Results:
    """
    Every requirement held against one run.

    ``claimed`` are the features that the system claims, or None for a captured log, which claims nothing.
    """
    checks = checks_by_requirement()
    hearing = _Hearing(run)
    return {
        requirement.id: _judged(requirement, checks.get(requirement.id, ()), hearing, claimed)
        for requirement in (spec or specification()).requirements.values()
        if requirement.excluded is None
    }


def gather(judged: Iterable[Results], *, one_run: bool = False) -> Results:
    """
    The results of many runs as one: findings in the order of the runs, verdicts combined.

    With ``one_run`` they are several looks at the same run, which counts once.
    """
    groups: dict[str, list[Result]] = {}
    for results in judged:
        for name, result in results.items():
            groups.setdefault(name, []).append(result)
    return {name: _one(results, one_run=one_run) for name, results in groups.items()}


class _Hearing:
    """A run while it is judged: what many checks ask of it is worked out once."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.unread = tuple(flaw.says for flaw in run.flaws if flaw.kind in UNREAD)
        self._subjects: dict[Callable[[Run], Iterable[Any]], tuple[Any, ...]] = {}

    def subjects(self, each: Callable[[Run], Iterable[Any]]) -> tuple[Any, ...]:
        """What a law is about in this run."""
        known = self._subjects.get(each)
        if known is None:
            known = self._subjects[each] = tuple(each(self.run))
        return known


def _judged(
    requirement: Requirement, checks: Iterable[Check[Any]], hearing: _Hearing, claimed: frozenset[str] | None
) -> Result:
    if claimed is not None and not claimed.issuperset(requirement.features):
        unclaimed = (feature for feature in requirement.features if feature not in claimed)
        return Result(requirement, Verdict.INAPPLICABLE, missing=tuple(f"claim of {each}" for each in unclaimed))
    looks = [_looked(requirement, check, hearing) for check in checks]
    return _one(looks, one_run=True) if looks else Result(requirement, Verdict.INCONCLUSIVE, missing=("a check",))


def _looked(requirement: Requirement, check: Check[Any], hearing: _Hearing) -> Result:
    run, unread = hearing.run, hearing.unread
    if check.needs and (missing := tuple(name for name in check.needs if run.lacks(name))):
        return Result(requirement, Verdict.INCONCLUSIVE, missing=missing)
    try:
        subjects = hearing.subjects(check.each)
        found = [(subject, each) for subject in subjects for each in check.examine(run, subject)]
    except Exception as error:  # noqa: BLE001  whatever a check of ours throws is our error, never a pass
        where = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{check.name} threw {type(error).__name__}: {error} ({where.name}, line {where.lineno})"
        return Result(requirement, Verdict.ERROR, errors=(told,))
    findings = tuple(
        Located(run.name, each) for subject, each in found if not unread or _is_certain(check, subject, each, run)
    )
    if findings:
        return Result(requirement, Verdict.FAIL, findings, len(subjects), runs=1)
    if not subjects:
        return Result(requirement, Verdict.INCONCLUSIVE, missing=unread or ("anything that this law is about",))
    # What was not read in full is never called good (LOG-21).
    return Result(requirement, Verdict.INCONCLUSIVE if unread else Verdict.PASS, (), len(subjects), unread, runs=1)


def _is_certain(check: Check[Any], subject: object, finding: Finding, run: Run) -> bool:
    """
    Whether a finding stands, whatever we left unread: nobody is accused of lacking what we did not read (LOG-21).

    It does if it is about one record by itself, or about a line that is no record.
    """
    if check.by_itself and isinstance(subject, Record):
        return True
    flawed = {flaw.source for flaw in run.flaws if flaw.kind not in UNREAD}
    return bool(finding.witness) and all(each.source in flawed for each in finding.witness)


def _one(results: list[Result], *, one_run: bool) -> Result:
    if len(results) == 1:
        return results[0]
    verdict = combined([result.verdict for result in results])
    findings: list[Located] = []
    missing: dict[str, None] = {}
    errors: dict[str, None] = {}
    exercised = runs = 0
    # One walk, since this is done for every requirement of every run, and nearly always finds nothing.
    for result in results:
        exercised += result.exercised
        runs += result.runs
        if result.findings:
            findings += result.findings
        if result.missing:
            missing.update(dict.fromkeys(result.missing))
        if result.errors:
            errors.update(dict.fromkeys(result.errors))
    undecided = () if verdict is Verdict.PASS or verdict is Verdict.FAIL else tuple(missing)
    met = min(runs, 1) if one_run else runs
    return Result(results[0].requirement, verdict, tuple(findings), exercised, undecided, tuple(errors), met)
