"""What becomes of a case whose plan was refused: a lawful plan must be begun, an unlawful one must not."""

from __future__ import annotations

from dataclasses import replace

from callproof.judge.judgement import Judgement, Outcome, RunOutcome, Subject
from callproof.live.judged import judge_scenario
from callproof.live.scenarios import SCENARIOS
from callproof.live.session import CaseOutcome
from callproof.trace.run import Run
from callproof.trace.witnesses import Given, Refusal, Witnessed

LAWFUL = next(case for scenario in SCENARIOS for case in scenario.cases if scenario.id == "SC-01")
UNLAWFUL = next(case for scenario in SCENARIOS for case in scenario.cases if case.expects_refusal)


def refused(case_id: str) -> Run:
    """A run that the system would not begin."""
    given = Given({}, {}, ())
    refusal = Refusal("VALIDATION_ERROR", "not today", {}, 2)
    return Run(case_id, None, (), (), (), witnessed=Witnessed(given, (), (), refusal, None, True))


def test_a_system_that_refuses_a_lawful_plan_proves_nothing() -> None:
    """It breaks no law by that, and the run is not proven, with the system's own reason."""
    judged = judge_scenario([CaseOutcome(LAWFUL, refused(LAWFUL.id))], frozenset())
    (run,) = judged.runs
    assert (run.outcome, run.notes) == (
        RunOutcome.REFUSED,
        ("refused a lawful plan: VALIDATION_ERROR: not today",),
    )
    assert Judgement(Subject("system", "x"), {}, judged.runs).outcome is Outcome.NOT_PROVEN


def test_a_refusal_that_is_due_or_permitted_is_no_refusal_to_be_judged() -> None:
    """Neither an unlawful plan nor one that the law leaves to the system is held against it."""
    permitted = replace(LAWFUL, may_refuse=True)
    for case in (UNLAWFUL, permitted):
        judged = judge_scenario([CaseOutcome(case, refused(case.id))], frozenset())
        assert RunOutcome.REFUSED not in {run.outcome for run in judged.runs}
