"""The scenarios' aims, compared with what a lawful system shows: its cases must exercise each aim."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from callproof.adapters.deadlines import Deadlines
from callproof.judge.verdicts import Verdict
from callproof.live.case import Scenario
from callproof.live.ran import Runs
from callproof.live.scenarios import SCENARIOS

pytestmark = pytest.mark.many


@pytest.fixture(scope="module")
def runs() -> Iterator[Runs]:
    """The reference executor, which claims every feature."""
    ran = Runs("stdio:callproof-reference stdio", Deadlines())
    yield ran
    assert ran.close() is None


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_what_a_scenario_aims_at_it_shows(scenario: Scenario, runs: Runs) -> None:
    """A scenario's own cases exercise every aim of it, so that a user may run the scenario alone."""
    results = runs.judged(scenario).results
    assert [name for name in scenario.provokes if results[name].verdict is Verdict.INCONCLUSIVE] == []


def test_a_system_owes_only_what_the_cases_within_its_claims_aim_at() -> None:
    """Without the claim of retries no case aims at a retry; with it, the scenario has all its aims."""
    (retries,) = [scenario for scenario in SCENARIOS if scenario.id == "SC-07"]
    assert "RETRY-03" not in retries.aims_within(frozenset())
    assert "RETRY-03" in retries.aims_within(frozenset({"retry", "events", "references", "virtualClock", "auditLog"}))


@pytest.mark.parametrize(
    ("claimed", "owes"),
    [
        ({"effects", "timeout", "cancellation", "virtualClock", "abortGraceMs"}, {"TIME-05", "CANC-04"}),
        ({"effects", "timeout", "virtualClock", "abortGraceMs"}, {"TIME-05"}),
        ({"effects", "timeout", "cancellation", "virtualClock"}, set[str]()),
        ({"effects", "timeout", "cancellation", "abortGraceMs"}, set[str]()),
    ],
    ids=["both", "no-cancellation", "no-wait", "real-time"],
)
def test_a_last_word_is_owed_by_who_claims_to_wait_for_it(claimed: set[str], owes: set[str]) -> None:
    """A58: no system has to wait, and on real time the suite cannot see it; but a system has to show what it claims."""
    (partial,) = [scenario for scenario in SCENARIOS if scenario.id == "SC-18"]
    assert partial.aims_within(frozenset(claimed)) & {"TIME-05", "CANC-04"} == owes
