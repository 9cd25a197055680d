"""Many generated cases are reported as one line, in however many parts they were run."""

from __future__ import annotations

from callproof.judge.judgement import RunOutcome
from callproof.judge.tally import Tally, line_of, reach_of
from callproof.values.counts import was
from hypothesis import given
from hypothesis import strategies as st

STATES = ("early", "late", "never")
COUNTS = st.fixed_dictionaries({name: st.integers(0, 9) for name in STATES})
TALLIES = st.lists(st.builds(Tally, st.integers(0, 60), st.booleans(), COUNTS), min_size=1, max_size=6)


@given(TALLIES)
def test_parts_are_told_as_one(tallies: list[Tally]) -> None:
    """The line says how many cases there were in all, whether any broke a law, and which states were reached."""
    told = line_of(tallies, "GEN", wanted=400, seed=3)
    assert told.name == f"GEN: {sum(each.cases for each in tallies)} of 400 cases, seed 3"
    assert (told.outcome is RunOutcome.VIOLATIONS) == any(each.broke for each in tallies)
    reached = {name for name in STATES if any(each.states[name] for each in tallies)}
    assert told.notes[0].startswith(f"{len(reached)} of 3 named states {was(len(reached))} reached")
    assert [name for name in STATES if name in told.notes[0]] == [name for name in STATES if name not in reached]


def test_cases_that_were_not_had_are_told_with_why() -> None:
    """A user sees why cases are missing; parts that ended for the same reason are told once."""
    parts = [Tally(cases, True, {}, {"it broke": left}) for cases, left in ((8, 17), (25, 0), (21, 4))]
    assert line_of(parts, "GEN", wanted=75, seed=0).notes[0] == "not run: 21, since it broke"
    assert not any("not had" in each for each in line_of(parts[1:2], "GEN", wanted=25, seed=0).notes)


def test_more_than_a_quick_look_has_a_table() -> None:
    """The table also has the states that no case reached."""
    states = {"early": 3, "late": 40, "never": 0}
    assert reach_of(states, 100) == ("2 of 3 named states were reached; not: never",)
    assert reach_of(states, 101)[1:] == ("3 early, 40 late, 0 never",)
