"""Lawful executors: the reference altered in ways that the specification permits, singly and in pairs, is spotless."""

from __future__ import annotations

import re

import pytest
from callproof.commands.test import run
from callproof.judge.judgement import Outcome
from callproof.judge.verdicts import Verdict
from callproof.settings import Settings

from miniatures.driving import at_most, driven
from miniatures.miniature import Variation, variations
from miniatures.warm import Warm

# So many cases beside the scenarios, and for two variations at once so many cases of every scenario.
_GENERATED = 25
_CASES = 5

# Two at a time, chosen to meet in the same records.
PAIRS = (
    ("calls-are-numbered", "more-members-than-known"),
    ("events-untold", "last-step-first"),
    ("in-another-time-zone", "optional-members-left-out"),
    ("another-language", "spaced-out-lines"),
    ("much-progress", "patient-between-attempts"),
)


@pytest.mark.parametrize("variation", variations(), ids=lambda each: each.name)
def test_a_lawful_variation_conforms(variation: Variation, served: Warm) -> None:
    """What the specification leaves open is held against nobody: no law is broken, no advice, and nothing unproven."""
    judged = run(Settings(served.address(variation.name), cases=_GENERATED))
    broken = {name: each for name, each in judged.results.items() if each.verdict in {Verdict.FAIL, Verdict.ERROR}}
    assert broken == {}
    assert [each.requirement.id for each in judged.unproven] == []
    assert judged.all_errors == ()
    assert judged.outcome is Outcome.CONFORMS


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
def test_two_lawful_variations_at_once_are_spotless(pair: tuple[str, str], served: Warm) -> None:
    """Two freedoms taken at once are still permitted."""
    judged = driven(served.address(*pair), at_most(_CASES))
    assert judged.failed == {}, judged.told()
    assert judged.errors == ()


@pytest.mark.parametrize("variation", variations(), ids=lambda each: each.name)
def test_a_variation_says_what_differs(variation: Variation) -> None:
    """A name in kebab case and a sentence."""
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", variation.name)
    assert variation.says.endswith(".")
    assert "\n" not in variation.says
