"""Every broken pipeline through the real suite: caught by its own requirement, and by nothing outside its set."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from callproof.driven.hearing import Hearing
from callproof.driven.playing import PATIENCE
from callproof.driven.session import Session
from callproof.judge.judgement import Judgement, Outcome
from callproof.judge.verdicts import Verdict
from callproof.pipelines import driver
from callproof.pipelines.case import FEATURES
from callproof.pipelines.cases import CASES
from callproof.pipelines.suite import SUITE
from callproof.spec.registry import protocols

from live_pipelines.broken import BROKEN
from live_pipelines.kinds import Kind
from live_pipelines.varied import VARIED

REFERENCE = "stdio:callproof-reference pipeline"
HERE = Path(__file__).parent
LAWS = protocols()["pipeline"].requirements
# A pipeline that hangs does so on purpose, and need not be waited for as long as one that is slow.
IMPATIENCE = 1.0


def judged(address: str, patience: float = PATIENCE) -> Judgement:
    """What all cases come to."""
    hearing = Hearing(SUITE, address)
    session = Session(SUITE, address, patience=patience)
    with session:
        for case in CASES:
            hearing.take(session.play(case), frozenset(session.claims.features))
    return hearing.judgement(session.claims, session.implementation)


def served(kind: Kind) -> str:
    """The address of a pipeline."""
    return f"stdio:{sys.executable} {HERE / 'serve.py'} {kind.name}"


def failed(judgement: Judgement) -> dict[str, list[str]]:
    """What was found, advice included."""
    return {
        name: [f"{each.run}: {each.finding.observed}" for each in result.findings] or list(result.errors)
        for name, result in judgement.results.items()
        if result.verdict in {Verdict.FAIL, Verdict.ERROR}
    }


@pytest.mark.parametrize("kind", BROKEN, ids=lambda each: each.name)
def test_a_broken_pipeline_is_caught_as_what_it_breaks_and_as_nothing_else(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own requirement fails; whatever else fails is in its stated set; and the adapter does no wrong."""
    if kind.name == "early-ends":  # what comes after the end belongs to the case, however slow the machine is
        monkeypatch.setattr(driver, "GLANCE", 0.1)
    judgement = judged(served(kind), IMPATIENCE if kind.name == "endless" else PATIENCE)
    found = failed(judgement)
    assert judgement.errors == ()
    assert kind.breaks in found, f"{kind.says} Nobody noticed: {found}"
    assert set(found) <= {kind.breaks, *kind.also}, found


@pytest.mark.parametrize("kind", VARIED, ids=lambda each: each.name)
def test_a_pipeline_that_does_lawful_things_otherwise_conforms(kind: Kind) -> None:
    """What the protocol leaves open is nobody's fault."""
    judgement = judged(served(kind))
    assert judgement.errors == ()
    assert failed(judgement) == {}
    assert judgement.outcome is Outcome.CONFORMS


def test_a_small_pipeline_that_was_written_from_the_specification_conforms() -> None:
    """It claims little, and is judged by what it has."""
    judgement = judged(f"stdio:{sys.executable} {HERE / 'plain.py'}")
    assert judgement.errors == ()
    assert failed(judgement) == {}
    assert judgement.outcome is Outcome.CONFORMS


def test_the_reference_conforms_and_every_law_is_put_to_the_test() -> None:
    """The reference claims every feature, keeps every law, and leaves none without a case that shows it."""
    judgement = judged(REFERENCE)
    assert failed(judgement) == {}
    assert judgement.errors == ()
    assert judgement.outcome is Outcome.CONFORMS
    assert set(judgement.subject.claims or ()) == set(FEATURES)
    assert {name for name, each in judgement.results.items() if each.verdict is Verdict.PASS} == set(LAWS)


def test_every_law_has_a_broken_pipeline() -> None:
    """No requirement is without a pipeline that breaks it."""
    assert {each.breaks for each in BROKEN} == set(LAWS)


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.id)
def test_a_case_says_what_it_shows_and_aims_at_laws(case) -> None:
    """Each case has a sentence, and requirements that there are."""
    assert case.says.endswith(".")
    assert case.aims
    assert set(case.aims) <= set(LAWS)
