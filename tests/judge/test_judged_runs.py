"""Runs of which only the names are held are told like all others."""

from __future__ import annotations

from callproof.judge.judged_runs import JudgedRuns
from callproof.judge.judgement import JudgedRun, RunOutcome
from hypothesis import given
from hypothesis import strategies as st

RUNS = st.builds(
    JudgedRun,
    st.text(max_size=4),
    st.sampled_from(RunOutcome),
    st.lists(st.text(max_size=3), max_size=1).map(tuple),
    st.none() | st.text(max_size=3),
)


@given(st.lists(RUNS))
def test_what_was_put_in_comes_out_in_its_order(given_runs: list[JudgedRun]) -> None:
    """Whether a run is well or not, and whatever is noted of it."""
    held = JudgedRuns()
    for run in given_runs:
        held.append(run)
    assert list(held) == given_runs
    assert [held[place] for place in range(len(held))] == given_runs
    assert held[1:] == tuple(given_runs[1:])
