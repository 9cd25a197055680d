"""Sequences of runs in one process: lawful, the same for one seed, and able to show that one run leaks into another."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import pytest
from callproof.adapters.claims import FEATURES
from callproof.generated.chances import dice_of
from callproof.generated.judged import broken_by
from callproof.generated.lawful import is_lawful
from callproof.generated.sequences import sequence_by
from callproof.live.case import Case, When
from callproof.live.session import LiveSession
from miniatures.driving import RUN_MINIATURE
from miniatures.miniature import miniatures

pytestmark = pytest.mark.many

BROKEN = {each.name: each.requirement for each in miniatures()}


def sequences(features: Iterable[str], count: int, seed: int) -> tuple[Case, ...]:
    """``count`` sequences by this seed."""
    claimed = tuple(features)
    return tuple(sequence_by(dice_of(seed, place), claimed) for place in range(count))


def test_one_seed_gives_the_same_sequences() -> None:
    """Each has at least two runs, one after another or side by side."""
    found = sequences(FEATURES, 20, seed=3)
    assert found == sequences(FEATURES, 20, seed=3)
    assert found != sequences(FEATURES, 20, seed=4)
    assert {len(case.company) + 1 for case in found} == {2, 3, 4, 5}
    assert {each.when for case in found for each in case.company} == {When.BEFORE, When.BESIDE}


def test_a_system_that_does_one_thing_at_a_time_gets_one_run_at_a_time() -> None:
    """Two runs at once are asked only of systems that claim concurrency."""
    one_by_one = sequences(("events", "references"), 12, seed=1)
    assert {each.when for case in one_by_one for each in case.company} == {When.BEFORE}
    assert all("concurrency" in case.requires for case in sequences(FEATURES, 12, seed=1) if case.beside)


def test_every_run_of_a_sequence_is_lawful() -> None:
    """Each of these runs needs only claimed features."""
    for features in (tuple(FEATURES), ("references", "foreach"), ("confirmation", "concurrency")):
        for case in sequences(features, 12, seed=1):
            assert is_lawful(case)
            assert case.missing(features) == ()


@pytest.mark.parametrize("name", ["variables-of-everybody", "policy-of-the-last-run"])
def test_what_one_run_leaves_to_the_next_is_found(name: str) -> None:
    """A variable, an approval or a policy must not outlive its run."""
    with LiveSession(f"stdio:{sys.executable} {RUN_MINIATURE} {name}") as session:
        claimed = frozenset(session.claims.features)

        def fails(case: Case) -> bool:
            return broken_by(session.run_case(case), BROKEN[name], claimed) is not None

        assert any(fails(case) for case in sequences(session.claims.features, 40, seed=0))
