"""The named states are recognised in finished runs, and the generator reaches them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from callproof.generated.running import Wanted, generated
from callproof.generated.states import STATES, reached
from callproof.live.case import Case
from callproof.live.session import LiveSession

from generated_plans import making

CASES = 160


@pytest.fixture(scope="module")
def session() -> Iterator[LiveSession]:
    """The reference executor, started once."""
    with LiveSession("stdio:callproof-reference stdio") as opened:
        yield opened


@pytest.mark.parametrize(
    ("case", "states"),
    [
        (making.CHAIN, set[str]()),
        (making.RETRIED, {"a retry that ends well"}),
        (making.STOPPED, {"two calls at work at once", "a stop while another call is at work"}),
        (making.CANCELLED, {"cancel with a call in flight", "cancel while a call waits for its turn"}),
        (making.INVALID, {"arguments that break their schema"}),
        (making.EMPTY, {"a loop over nothing"}),
    ],
    ids=lambda each: each.id if isinstance(each, Case) else "",
)
def test_a_state_is_recognised(case: Case, states: set[str], session: LiveSession) -> None:
    """A state is recognised by what reached the tools and by what was recorded."""
    run = session.run_case(case).run
    assert run is not None
    assert reached(case, run) == states


def test_a_loop_over_nothing_is_recognised_by_its_event_alone(session: LiveSession) -> None:
    """A result without a call tells of it, or else an event without a callId (A81, B-25)."""
    run = session.run_case(making.EMPTY).run
    assert run is not None
    (skipped,) = run.unbuilt
    by_event = replace(
        run,
        results=tuple(each for each in run.results if each is not skipped),
        events=tuple(
            replace(each, value={**each.value, "callId": None}) if each.call_id == skipped.call_id else each
            for each in run.events or ()
        ),
    )
    assert not by_event.unbuilt
    assert reached(making.EMPTY, by_event) == {"a loop over nothing"}


@pytest.mark.many
def test_most_states_are_reached_soon(session: LiveSession) -> None:
    """Twenty times in a thousand cases means three times in these; docs/generated.md has the whole table."""
    found: Counter[str] = Counter()
    for case in generated(session.claims.features, Wanted(CASES)):
        run = session.run_case(case).run
        assert run is not None
        found.update(reached(case, run))
    assert sorted(set(found) - set(STATES)) == []
    assert sum(1 for name in STATES if found[name] >= 2) >= len(STATES) - 6, found


def test_the_published_table_has_every_state_twenty_times() -> None:
    """The weights of the styles are chosen for that."""
    page = (Path(__file__).parents[2] / "docs" / "generated.md").read_text(encoding="utf-8")
    table = {state: int(count) for state, count in re.findall(r"^\| (.+) \| (\d+) \|$", page, re.MULTILINE)}
    assert list(table) == list(STATES)
    assert [state for state, count in table.items() if count < 20] == []
