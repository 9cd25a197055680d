"""Generated cases are lawful by construction, the same for one seed, and need only claimed features."""

from __future__ import annotations

from random import Random

import pytest
from callproof.adapters.claims import FEATURES
from callproof.generated.cases import case_by
from callproof.generated.features import with_features
from callproof.generated.lawful import is_lawful, plan_faults, times_of
from callproof.generated.running import Wanted, generated
from callproof.generated.styles import styles_for
from callproof.live.case import QUANTUM_MS, Case
from callproof.replay.codec import from_json, to_json
from callproof.trace.plan import Plan
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ALL = tuple(styles_for(FEATURES))
EXAMPLES = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Hypothesis rolls the dice, so that other cases are tried than those of the seeds.
CASES = st.randoms(use_true_random=True).map(lambda dice: case_by(dice, ALL))


@EXAMPLES
@given(CASES)
def test_a_case_can_be_carried_out_or_says_that_it_cannot(case: Case) -> None:
    """Plan, policy and tools have their shapes; references lead somewhere; the run ends."""
    assert is_lawful(case), list(plan_faults(case))


@EXAMPLES
@given(CASES)
def test_every_time_is_a_multiple_of_the_quantum(case: Case) -> None:
    """The steps of the clock hit each instant exactly (A77)."""
    assert [each for each in times_of(case) if each % QUANTUM_MS] == []


@EXAMPLES
@given(CASES)
def test_a_case_is_data_that_a_file_can_keep(case: Case) -> None:
    """A case that is written and read again is the same case."""
    assert from_json(Case, to_json(case)) == case


@pytest.mark.parametrize(
    "features",
    [(), ("references",), ("references", "foreach", "retry"), ("confirmation", "concurrency"), ("virtualClock",)],
    ids=lambda each: "+".join(each) or "nothing",
)
def test_a_modest_system_gets_modest_cases(features: tuple[str, ...]) -> None:
    """A case needs only claimed features, and no time passes in it if the clock cannot be moved."""
    styles = styles_for(features)
    for seed in range(60):
        case = case_by(Random(seed), styles)
        assert case.missing(features) == ()
        assert is_lawful(case)


def test_one_seed_gives_the_same_cases_each_time() -> None:
    """Another seed gives other cases."""
    once, again = (generated(FEATURES, Wanted(30, seed=7)) for _ in range(2))
    assert once == again
    assert [case.plan for case in once] != [case.plan for case in generated(FEATURES, Wanted(30, seed=8))]
    assert [case.id for case in once[:2]] == ["GEN/7-1", "GEN/7-2"]
    assert len(once) == 30


def test_none_are_none() -> None:
    """A count of zero turns generated cases off."""
    assert generated(FEATURES, Wanted(0)) == ()


def test_few_plans_can_never_work() -> None:
    """Some plans, but only a small share, are expected to be refused."""
    made = [case_by(Random(seed), ALL) for seed in range(400)]
    refused = sum(case.expects_refusal for case in made)
    assert 4 <= refused <= 60
    assert {len(Plan(case.plan).steps) for case in made} >= {1, 2, 3, 4, 5, 6}


def test_what_a_case_needs_is_read_off_the_case() -> None:
    """A case that was made small needs fewer features."""
    case = next(case for seed in range(99) if "foreach" in (case := case_by(Random(seed), ALL)).requires)
    assert with_features(case).requires == case.requires
