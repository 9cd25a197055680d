"""Runs judged: every check over one run, and the results of many runs combined.

This is the same for a live run and a captured log.  A check that throws is an *error*
of ours, with its name, and never a pass.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, repeat
from typing import Any, Protocol

from callproof.checks import all_checks
from callproof.checks.check import Check, Finding
from callproof.judge.verdicts import Verdict, combined
from callproof.spec.blocks import Requirement
from callproof.spec.registry import Specification, specification
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import EVIDENCE, UNREAD, Flaw, Run


@dataclass(frozen=True, slots=True)
class Root:
    """The finding of the same run from which one follows: its requirement, the first record of its witness, and why."""

    requirement: str
    source: Source
    because: str


@dataclass(frozen=True, slots=True)
class Located:
    """A finding with the run in which it was made, and the finding from which it follows (see ``folding``)."""

    run: str
    finding: Finding
    root: Root | None = None
    # The class of the message, if an audit computed it before it replaced values by shapes.
    bare: str | None = None
    # The tool and the call that the finding is about, if an audit knows them.
    tool: str | None = None
    call: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """
    One requirement, judged.

    ``exercised`` counts the subjects that the law was checked on, and ``runs`` the runs that have one;
    ``missing`` names the evidence that was not captured; ``errors`` describe checks that threw.  ``more`` counts the
    findings of many runs beyond those that were kept; of one run all are kept.
    """

    requirement: Requirement
    verdict: Verdict
    findings: tuple[Located, ...] = ()
    exercised: int = 0
    missing: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    runs: int = 0
    more: int = 0


Results = Mapping[str, Result]

_NO_SUBJECT = ("anything that the requirement applies to",)
# What ``missing`` says if a line that cannot be read may have held a record of a kind.
_ON_A_LINE = {kind: f"{kind.value}s on lines that cannot be read" for kind in Kind}


@cache
def checks_by_requirement() -> Mapping[str, tuple[Check[Any], ...]]:
    """Every check under the id of its requirement."""
    groups: dict[str, list[Check[Any]]] = {}
    for check in all_checks():
        groups.setdefault(check.requirement, []).append(check)
    return {requirement: tuple(checks) for requirement, checks in groups.items()}


def judge(
    run: Run,
    claimed: frozenset[str] | None = None,
    spec: Specification | None = None,
    *,
    only: Callable[[Requirement], bool] | None = None,
) -> Results:
    """
    The result of every requirement for one run.

    ``claimed`` are the features that the system claims, or None for a captured log, which claims nothing.
    ``only`` chooses among the requirements; those that it leaves out have no result.
    """
    lacking = frozenset(name for name in EVIDENCE if run.lacks(name))
    wanted = (each for each in (spec or specification()).requirements.values() if only is None or only(each))
    return held(wanted, checks_by_requirement(), run, lacking, claimed)


def held(
    requirements: Iterable[Requirement],
    checks: Mapping[str, Sequence[Check[Any]]],
    heard: Heard,
    lacking: frozenset[str],
    claimed: frozenset[str] | None = None,
) -> Results:
    """The results of requirements that are not excluded, for a run or a log; ``lacking`` names missing evidence."""
    hearing = _Hearing(heard, lacking)
    return {
        requirement.id: _judged(requirement, checks.get(requirement.id, ()), hearing, claimed)
        for requirement in requirements
        if requirement.excluded is None
    }


def gather(judged: Iterable[Results], *, one_run: bool = False) -> Results:
    """
    The results of many runs as one: findings in the order of the runs, verdicts combined.

    With ``one_run`` they are several looks at the same run, and it counts once.
    """
    groups: dict[str, list[Result]] = {}
    for results in judged:
        for name, result in results.items():
            groups.setdefault(name, []).append(result)
    return {name: _one(results, one_run=one_run) for name, results in groups.items()}


class Heard(Protocol):
    """What checks examine: a run, or a log of another protocol."""

    @property
    def name(self) -> str:
        """Its name in a report."""
        ...

    @property
    def flaws(self) -> Sequence[Flaw]:
        """Lines that hold no record, or were not read."""
        ...


class _Hearing:
    """A run while it is judged: what many checks need from it is computed once."""

    def __init__(self, run: Heard, lacking: frozenset[str]) -> None:
        self.run = run
        self.unread = tuple(dict.fromkeys(flaw.says for flaw in run.flaws if flaw.kind in UNREAD))
        self.lacking = lacking
        self._subjects: dict[Callable[[Any], Iterable[Any]], tuple[Any, ...]] = {}
        self._lacked: dict[tuple[str, ...], tuple[str, ...]] = {}

    @cached_property
    def flawed(self) -> frozenset[Source]:
        """The places of lines that were read but hold no record."""
        return frozenset(flaw.source for flaw in self.run.flaws if flaw.kind not in UNREAD)

    def untold(self, finding: Finding) -> tuple[str, ...]:
        """What a line without a record, or one that was not read, may have held that would prove a finding wrong."""
        place = finding.before
        return tuple(
            _ON_A_LINE[kind]
            for kind in finding.misses
            # The first line of a file is enough: it precedes everything that a later line of the file precedes.
            if any(place is None or place.file != file or line < place.line for file, line in self._first[kind].items())
        )

    @cached_property
    def _first(self) -> Mapping[Kind, Mapping[str, int]]:
        """By kind, the first line of each file that may have held a record of that kind but gave none."""
        first: dict[Kind, dict[str, int]] = {kind: {} for kind in Kind}
        for flaw in self.run.flaws:
            for kind in filter(flaw.may_hold, Kind):
                known = first[kind].get(flaw.source.file, flaw.source.line)
                first[kind][flaw.source.file] = min(known, flaw.source.line)
        return first

    def lacked(self, needs: tuple[str, ...]) -> tuple[str, ...]:
        """The evidence that a law needs and that was not captured."""
        known = self._lacked.get(needs)
        if known is None:
            known = self._lacked[needs] = tuple(name for name in needs if name in self.lacking)
        return known

    def subjects(self, each: Callable[[Any], Iterable[Any]]) -> tuple[Any, ...]:
        """The subjects of a law in this run."""
        known = self._subjects.get(each)
        if known is None:
            known = self._subjects[each] = tuple(each(self.run))
        return known


def lacks_a_line(missing: Iterable[str]) -> bool:
    """Whether something that a law misses may stand on a line that cannot be read."""
    return any(each in _ON_A_LINE.values() for each in missing)


def without_subject(check: Check[Any]) -> tuple[str, ...]:
    """What a run is missing that holds no subject of a law."""
    return _NO_SUBJECT if check.wants is None else (check.wants,)


def _judged(
    requirement: Requirement, checks: Sequence[Check[Any]], hearing: _Hearing, claimed: frozenset[str] | None
) -> Result:
    if claimed is not None and not claimed.issuperset(requirement.features):
        unclaimed = (feature for feature in requirement.features if feature not in claimed)
        return Result(requirement, Verdict.INAPPLICABLE, missing=tuple(f"claim of {each}" for each in unclaimed))
    # All checks in one loop, since this is done for every requirement of every run, and nearly always finds nothing.
    findings: list[Located] = []
    missing: list[str] = []
    errors: list[str] = []
    exercised = 0
    kept = False
    untold: dict[str, None] = {}
    for check in checks:
        if check.needs and (lacked := hearing.lacked(check.needs)):
            missing += lacked
            continue
        try:
            subjects, found = _looked(check, hearing, untold)
        except Exception as error:  # noqa: BLE001  whatever a check of ours throws is our error, never a pass
            errors.append(_thrown(check, error))
            continue
        exercised += subjects
        findings += found
        if not found:
            # A run that was not read in full never passes (LOG-21).
            missing += hearing.unread or (() if subjects else without_subject(check))
            kept = kept or bool(subjects and not hearing.unread)
    if findings:
        return Result(requirement, Verdict.FAIL, tuple(findings), exercised, errors=tuple(errors), runs=1)
    if kept and not errors and not untold:
        return _well(requirement, exercised)
    undecided = tuple(untold or dict.fromkeys(missing)) if checks else ("a check",)
    if not errors:
        return _well(requirement, exercised, undecided)
    return Result(requirement, Verdict.ERROR, (), exercised, undecided, tuple(errors), runs=int(exercised > 0))


# By requirement, subjects and what is missing: all runs share the same few thousand results.
_WELL: dict[tuple[str, int, tuple[str, ...] | None], Result] = {}
_MOST_KEPT = 16_384


def _well(requirement: Requirement, exercised: int, missing: tuple[str, ...] | None = None) -> Result:
    """The result of a requirement without findings: kept, or undecided because of what is missing."""
    key = requirement.id, exercised, missing
    known = _WELL.get(key)
    if known is None or known.requirement is not requirement:
        if len(_WELL) >= _MOST_KEPT:
            _WELL.clear()
        verdict = Verdict.PASS if missing is None else Verdict.INCONCLUSIVE
        known = Result(requirement, verdict, (), exercised, missing or (), runs=int(exercised > 0))
        _WELL[key] = known
    return known


def _looked(check: Check[Any], hearing: _Hearing, untold: dict[str, None]) -> tuple[int, list[Located]]:
    """How many subjects a check examined, and its findings; ``untold`` gets what may refute those left out."""
    run = hearing.run
    subjects = hearing.subjects(check.each)
    examine = check.examine
    # Nearly always nothing is found.  This is fastest to see with no Python code between two subjects.
    if not subjects or next(chain.from_iterable(map(examine, repeat(run), subjects)), None) is None:
        return len(subjects), []
    found = [(subject, each) for subject in subjects for each in examine(run, subject)]
    if run.flaws:
        lacking = [hearing.untold(each) for _, each in found]
        untold.update(dict.fromkeys(chain.from_iterable(lacking)))
        found = [each for each, its in zip(found, lacking) if not its]
    certain = [each for subject, each in found if not hearing.unread or _is_certain(check, subject, each, hearing)]
    # Several subjects may give the same finding, which counts once.
    return len(subjects), [Located(run.name, each) for each in dict.fromkeys(certain)]


def _thrown(check: Check[Any], error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{check.name} threw {type(error).__name__}: {error} ({where.name}, line {where.lineno})"


def _is_certain(check: Check[Any], subject: object, finding: Finding, hearing: _Hearing) -> bool:
    """
    Whether a finding holds whatever we left unread: no system is accused of lacking what we did not read (LOG-21).

    It holds if it is about one record by itself, or about a line that holds no record.
    """
    if check.by_itself and isinstance(subject, Record):
        return True
    return bool(finding.witness) and all(each.source in hearing.flawed for each in finding.witness)


def _one(results: list[Result], *, one_run: bool) -> Result:
    if len(results) == 1:
        return results[0]
    verdict = combined([result.verdict for result in results])
    findings: list[Located] = []
    missing: dict[str, None] = {}
    errors: dict[str, None] = {}
    exercised = runs = 0
    # One loop, since this is done for every requirement of every run, and nearly always finds nothing.
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
    if one_run:
        undecided = _missed_by_all(undecided, results)
    met = min(runs, 1) if one_run else runs
    return Result(results[0].requirement, verdict, tuple(findings), exercised, undecided, tuple(errors), met)


# Evidence that one way of looking at a run never has and another has; what a system claims decides about other kinds.
_OF_ONE_LOOK = frozenset({"deeds", "world", "other runs", "captured log"})


def _missed_by_all(missing: tuple[str, ...], looks: Sequence[Result]) -> tuple[str, ...]:
    """What a run lacks that was looked at several times, without what another of the looks had."""
    lacked = (name for name in missing if name not in _OF_ONE_LOOK or all(name in each.missing for each in looks))
    return tuple(lacked) or missing
