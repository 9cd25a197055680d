"""One generated case that was run, judged by every check and by the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from callproof.generated.oracle.judging import consulted
from callproof.judge.judging import Result, Results, gather, judge
from callproof.judge.verdicts import Verdict
from callproof.live.case import Case
from callproof.live.judged import JudgedScenario, judge_scenario
from callproof.live.session import CaseOutcome
from callproof.spec.registry import Specification, specification
from callproof.trace.run import Run


def judged_case(outcome: CaseOutcome, claimed: frozenset[str], *, strict: bool = False) -> JudgedScenario:
    """The results of one case and its company under every law, those of the oracle included."""
    judged = judge_scenario([outcome], claimed, strict=strict)
    words = [consulted(case, run, claimed) for case, run in _runs(outcome)]
    return replace(judged, results=gather([judged.results, *words], one_run=True)) if words else judged


def broken_by(outcome: CaseOutcome, requirement: str, claimed: frozenset[str]) -> Result | None:
    """The result of one requirement if the case or its company broke it, otherwise None; nothing else is judged."""
    looks: list[Results] = []
    for case, run in _runs(outcome):
        looks += [judge(run, claimed, _only(requirement)), consulted(case, run, claimed)]
        if run.audit is not None:
            looks.append(judge(run.audit, claimed, _only(requirement)))
    result = gather(looks, one_run=True).get(requirement)
    return result if result is not None and result.verdict is Verdict.FAIL else None


def _runs(outcome: CaseOutcome) -> Iterator[tuple[Case, Run]]:
    """Every run of a case and of its company, each with the case that it is a run of."""
    run, company = outcome.run, {each.case.id: each.case for each in outcome.case.company}
    for each in (run, *run.siblings) if run is not None else ():
        yield company.get(each.name, outcome.case), each


@cache
def _only(requirement: str) -> Specification:
    """The specification reduced to this one requirement."""
    found = specification()
    chapter = next(each for each in found.chapters if requirement in {law.id for law in each.requirements})
    return Specification((replace(chapter, requirements=(found.requirements[requirement],)),))
