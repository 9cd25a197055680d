"""Every broken loop through the real suite: caught by its own requirement, and by nothing outside its set."""

from __future__ import annotations

import pytest
from callproof.driven.playing import PATIENCE
from callproof.loops import performance
from callproof.loops.case import LoopCase
from callproof.loops.cases import CASES
from callproof.loops.suite import SUITE
from driven_systems import assert_caught, assert_conforms, assert_shows_every_law, judged, laws_of, served

from live_loops.broken import BROKEN
from live_loops.hurried import GIVING_UP, HASTY
from live_loops.kinds import Kind
from live_loops.varied import VARIED

# A loop that hangs does so on purpose, so the suite does not wait for it as long as for a slow one.
IMPATIENCE = 1.5
# For these a slow hook thinks as long as it does for users.
TIMED = (*HASTY, *GIVING_UP)


@pytest.fixture(autouse=True)
def hasty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the waits: the order of the wire decides these tests, except for loops that go by the clock."""
    monkeypatch.setattr(performance, "WAITED", 0.1)
    played = getattr(request.node, "callspec", None)
    if played is None or played.params.get("kind") not in TIMED:
        monkeypatch.setattr(performance, "THOUGHT", 0.1)


@pytest.mark.parametrize("kind", BROKEN, ids=lambda each: each.name)
def test_a_broken_loop_is_caught_as_what_it_breaks_and_as_nothing_else(kind: Kind) -> None:
    """Its own requirement fails; all other failures are in its stated set; and there are no adapter errors."""
    patience = IMPATIENCE if kind.breaks == "HOST-22" else PATIENCE
    assert_caught(judged(SUITE, served("live_loops", kind.name), patience), kind)


@pytest.mark.parametrize("kind", VARIED, ids=lambda each: each.name)
def test_a_loop_that_does_lawful_things_otherwise_conforms(kind: Kind) -> None:
    """What the protocol leaves open is not a fault."""
    assert_conforms(judged(SUITE, served("live_loops", kind.name)))


def test_the_reference_conforms_and_every_law_is_put_to_the_test() -> None:
    """The reference claims every feature and keeps every law, and a case decides each law."""
    assert_shows_every_law(judged(SUITE, "stdio:callproof-reference loop"), SUITE)


def test_every_law_has_a_broken_loop() -> None:
    """Every requirement has a loop that breaks it."""
    assert {each.breaks for each in BROKEN} == laws_of(SUITE)


@pytest.mark.parametrize("case", CASES, ids=lambda each: each.id)
def test_a_case_says_what_it_shows_and_aims_at_laws(case: LoopCase) -> None:
    """Each case has a sentence, and aims at requirements that exist."""
    assert case.says.endswith(".")
    assert case.aims
    assert set(case.aims) | set(case.excused) <= laws_of(SUITE)
