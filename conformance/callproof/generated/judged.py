"""One generated case, had and judged: by every check, and by the oracle."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from callproof.generated.oracle.judging import consulted
from callproof.judge.judging import Result, Results, gather, judge
from callproof.judge.verdicts import Verdict
from callproof.live.judged import JudgedScenario, judge_scenario
from callproof.live.session import CaseOutcome
from callproof.spec.registry import Specification, specification


def judged_case(outcome: CaseOutcome, claimed: frozenset[str], *, strict: bool = False) -> JudgedScenario:
    """What one case came to by every law, the oracle's word included."""
    judged = judge_scenario([outcome], claimed, strict=strict)
    if outcome.run is None:
        return judged
    together = gather([judged.results, consulted(outcome.case, outcome.run, claimed)], one_run=True)
    return replace(judged, results=together)


def broken_by(outcome: CaseOutcome, requirement: str, claimed: frozenset[str]) -> Result | None:
    """The result of one requirement where the case broke it; nothing else is judged."""
    run = outcome.run
    if run is None:
        return None
    looks: list[Results] = [judge(run, claimed, _only(requirement)), consulted(outcome.case, run, claimed)]
    if run.audit is not None:
        looks.append(judge(run.audit, claimed, _only(requirement)))
    result = gather(looks, one_run=True).get(requirement)
    return result if result is not None and result.verdict is Verdict.FAIL else None


@cache
def _only(requirement: str) -> Specification:
    """The specification as though it had this requirement and no other."""
    found = specification()
    chapter = next(each for each in found.chapters if requirement in {law.id for law in each.requirements})
    return Specification((replace(chapter, requirements=(found.requirements[requirement],)),))
