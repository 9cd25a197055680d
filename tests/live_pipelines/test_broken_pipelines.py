"""Every broken pipeline through the real suite: caught by its own requirement, and by nothing outside its set."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from callproof.driven.playing import PATIENCE
from callproof.pipelines import driver
from callproof.pipelines.case import PipelineCase
from callproof.pipelines.cases import CASES
from callproof.pipelines.suite import SUITE
from driven_systems import assert_caught, assert_conforms, assert_shows_every_law, judged, laws_of, served

from live_pipelines.broken import BROKEN
from live_pipelines.kinds import Kind
from live_pipelines.varied import VARIED

PLAIN = Path(__file__).parent / "plain.py"
# A pipeline that hangs does so on purpose, so the suite does not wait for it as long as for a slow one.
IMPATIENCE = 1.0


@pytest.mark.parametrize("kind", BROKEN, ids=lambda each: each.name)
def test_a_broken_pipeline_is_caught_as_what_it_breaks_and_as_nothing_else(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own requirement fails; all other failures are in its stated set; and there are no adapter errors."""
    if kind.name == "early-ends":  # records after the end must count for the case even on a slow machine
        monkeypatch.setattr(driver, "GLANCE", 0.1)
    patience = IMPATIENCE if kind.name == "endless" else PATIENCE
    assert_caught(judged(SUITE, served("live_pipelines", kind.name), patience), kind)


@pytest.mark.parametrize("kind", VARIED, ids=lambda each: each.name)
def test_a_pipeline_that_does_lawful_things_otherwise_conforms(kind: Kind) -> None:
    """What the protocol leaves open is not a fault."""
    assert_conforms(judged(SUITE, served("live_pipelines", kind.name)))


def test_a_small_pipeline_that_was_written_from_the_specification_conforms() -> None:
    """It claims few features, and is judged only by these."""
    assert_conforms(judged(SUITE, f"stdio:{sys.executable} {PLAIN}"))


def test_the_reference_conforms_and_every_law_is_put_to_the_test() -> None:
    """The reference claims every feature and keeps every law, and a case decides each law."""
    assert_shows_every_law(judged(SUITE, "stdio:callproof-reference pipeline"), SUITE)


def test_every_law_has_a_broken_pipeline() -> None:
    """Every requirement has a pipeline that breaks it."""
    assert {each.breaks for each in BROKEN} == laws_of(SUITE)


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.id)
def test_a_case_says_what_it_shows_and_aims_at_laws(case: PipelineCase) -> None:
    """Each case has a sentence, and aims at requirements that exist."""
    assert case.says.endswith(".")
    assert case.aims
    assert set(case.aims) <= laws_of(SUITE)
