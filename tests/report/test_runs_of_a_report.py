"""The runs of a report: the text is the same whether they are held, or made when they are asked for."""

from __future__ import annotations

import io
from collections.abc import Sequence

from callproof.judge.judged_runs import JudgedRuns
from callproof.judge.judgement import JudgedRun, Judgement, RunOutcome, Subject
from callproof.report import text
from callproof.report.document import document
from callproof.spec.registry import specification
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

RUNS = st.builds(
    JudgedRun,
    st.text("ab\x1b\n", max_size=3),
    st.sampled_from(RunOutcome),
    st.lists(st.text("n ", max_size=3), max_size=2).map(tuple),
    st.none() | st.just("folder"),
)


def written(judged: Judgement, *, in_full: bool) -> str:
    """The text of a report."""
    console = Console(file=io.StringIO(), width=100)
    text.write(document(judged, in_full=in_full), specification(), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@given(st.lists(RUNS, max_size=5))
def test_a_text_is_the_same_whether_its_runs_are_held_or_not(runs: list[JudgedRun]) -> None:
    """The suite prints a report of millions of runs without a list of them in memory."""
    held = JudgedRuns()
    for run in runs:
        held.append(run)
    judged = Judgement(Subject("log", "some"), {}, held)
    assert written(judged, in_full=False) == written(judged, in_full=True)
    made, told = document(judged, in_full=False)["runs"], document(judged)["runs"]
    assert isinstance(made, Sequence)
    assert not isinstance(made, list)
    assert len(made) == len(runs)
    assert [*made] == [made[place] for place in range(len(runs))] == [*made[:]] == told
