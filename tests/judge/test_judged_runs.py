"""Runs of which only the names are kept are reported like all others."""

from __future__ import annotations

from callproof.judge.judged_runs import JudgedRuns
from callproof.judge.judgement import JudgedRun, RunOutcome, judged_run
from callproof.judge.judging import judge
from edited_runs import content_of, log_of
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
    """This holds whether a run has findings or not, and whatever notes it has."""
    held = JudgedRuns()
    for run in given_runs:
        held.append(run)
    assert list(held) == given_runs
    assert [held[place] for place in range(len(held))] == given_runs
    assert held[1:] == tuple(given_runs[1:])


def test_of_very_many_lines_that_could_not_be_read_the_first_are_told() -> None:
    """The number of further lines is told, so that no report is as long as the log; a law names each lack once."""
    files = content_of("linear")
    lines = len(str(files["events.jsonl"]).splitlines())
    deep = "[" * 200 + "]" * 200 + "\n"
    run = log_of({**files, "events.jsonl": f"{files['events.jsonl']}{deep * 250}"})
    results = judge(run)
    notes = judged_run(run, results).notes
    assert notes[0] == f"events.jsonl:{lines + 1}: is nested deeper than 128 levels"
    assert notes[99:] == (f"events.jsonl:{lines + 100}: is nested deeper than 128 levels", "150 more lines like these")
    assert results["CALL-01"].missing == ("is nested deeper than 128 levels",)
