"""A run judged by the oracle: it gives the same kind of results as the checks, so that one report holds both."""

from __future__ import annotations

from collections.abc import Iterable

from callproof.generated.oracle import accounts
from callproof.generated.oracle.chains import after_a_stop, after_cancellation, chains_of, looked_at
from callproof.generated.oracle.courses import courses_of
from callproof.generated.oracle.looks import Look, Looks
from callproof.generated.oracle.sight import Sight
from callproof.judge.judging import Located, Result, Results
from callproof.judge.verdicts import Verdict
from callproof.live.case import Case
from callproof.spec.registry import specification
from callproof.trace.run import Run


def consulted(case: Case, run: Run, claimed: frozenset[str]) -> Results:
    """The oracle's results for a run, by requirement; only for requirements within the claims."""
    looks: dict[str, list[Look]] = {}
    for look in looks_at(case, run):
        looks.setdefault(look.requirement, []).append(look)
    requirements = specification().requirements
    return {
        name: _result(name, found, run.name)
        for name, found in looks.items()
        if claimed.issuperset(requirements[name].features) and requirements[name].excluded is None
    }


def looks_at(case: Case, run: Run) -> Looks:
    """Every look at a run; none if it was refused, or if a hook took part."""
    if run.witnessed is None or run.witnessed.refusal is not None or case.expects_refusal or case.hook is not None:
        return
    sight = Sight(case, run)
    chains = chains_of(sight)
    for chain in chains.values():
        yield from looked_at(sight, chain)
        yield from after_cancellation(sight, chain)
    yield from after_a_stop(sight, chains)
    yield from accounts.without_leave(sight, chains)
    courses = tuple(courses_of(sight, chains))
    stopped = accounts.was_stopped(sight, courses, chains)
    for course in courses:
        yield from accounts.held_to(sight, course, chains, stopped=stopped)
    yield from accounts.beyond_the_source(courses, chains)


def _result(name: str, looks: Iterable[Look], run: str) -> Result:
    found = tuple(looks)
    findings = tuple(Located(run, each.finding) for each in found if each.finding is not None)
    verdict = Verdict.FAIL if findings else Verdict.PASS
    return Result(specification().requirements[name], verdict, findings, len(found))
