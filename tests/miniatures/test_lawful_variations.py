"""Lawful executors: the reference, altered in one or more ways that the specification permits, fails nothing."""

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

# How many cases are generated beside the scenarios; how many cases of every scenario a variation by itself gets.
_GENERATED = 25
_CASES = 2

# Variations that are tried together, chosen to meet in the same records.
TOGETHER = (
    ("calls-are-numbered", "more-members-than-known", "data-told-twice", "effects-backwards", "skipped-with-an-error"),
    ("runs-have-long-names", "last-step-first", "another-language", "much-progress", "what-is-there-is-left"),
    ("in-another-time-zone", "optional-members-left-out", "patient-between-attempts", "spaced-out-lines"),
)
# Variations that claim less than the reference, in pairs: for each claim that is missing, the suite leaves out
# something else, and more than two of them would leave it little to judge.
CLAIMING_LESS = (
    ("no-cancelling", "no-references"),
    ("no-confirmations", "no-retries"),
    ("no-effects", "no-time-limits"),
    ("no-hashes", "no-hooks"),
    ("no-last-word-awaited", "no-loops"),
    ("no-log", "one-call-at-a-time"),
)
IN_COMPANY = frozenset(name for names in (*TOGETHER, *CLAIMING_LESS) for name in names)
ALONE = tuple((each.name,) for each in variations() if each.name not in IN_COMPANY)


@pytest.mark.parametrize("names", [*TOGETHER, *CLAIMING_LESS, *ALONE], ids=" ".join)
def test_lawful_variations_conform(names: tuple[str, ...], served: Warm) -> None:
    """The suite fails nobody for what the specification leaves open: no law or advice is broken, nothing unproven."""
    judged = run(Settings(served.address(*names), cases=_GENERATED))
    broken = {name: each for name, each in judged.results.items() if each.verdict in {Verdict.FAIL, Verdict.ERROR}}
    assert broken == {}
    assert [each.requirement.id for each in judged.unproven] == []
    assert judged.all_errors == ()
    assert judged.outcome is Outcome.CONFORMS


@pytest.mark.parametrize("name", sorted(IN_COMPANY))
def test_a_variation_that_goes_in_company_is_spotless_by_itself(name: str, served: Warm) -> None:
    """Among several variations, one could hide a failure that another causes."""
    judged = driven(served.address(name), at_most(_CASES))
    assert judged.failed == {}, judged.told()
    assert judged.errors == ()


def test_every_variation_is_there_and_goes_in_one_company() -> None:
    """With an unknown name, or a name in two groups, the tests above would cover less than they say."""
    assert {each.name for each in variations()} >= IN_COMPANY
    assert sum(map(len, (*TOGETHER, *CLAIMING_LESS))) == len(IN_COMPANY)


@pytest.mark.parametrize("variation", variations(), ids=lambda each: each.name)
def test_a_variation_says_what_differs(variation: Variation) -> None:
    """A name in kebab case and a sentence."""
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", variation.name)
    assert variation.says.endswith(".")
    assert "\n" not in variation.says
