"""The runs of a report: the text is the same whether they are held, or made when they are asked for."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
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


def noted(*runs: JudgedRun) -> list[str]:
    """The lines of a text that tell notes."""
    lines = written(Judgement(Subject("log", "some"), {}, runs), in_full=True).splitlines()
    return [each.strip() for each in lines if each.strip().startswith(("note ", "and "))]


def test_a_note_that_many_runs_have_is_told_once() -> None:
    """A fleet that names another version of the specification has the same note on each of ten thousand runs."""
    runs = [JudgedRun(f"r{each}", RunOutcome.CONSISTENT, ("the same",)) for each in range(3)]
    assert noted(*runs, JudgedRun("x", RunOutcome.CONSISTENT, ("another",))) == [
        "note  r0 and 2 more runs: the same",
        "note  x: another",
    ]


@pytest.mark.parametrize(("number", "rest"), [(20, []), (21, ["and 1 more note, which a report in JSON lists"])])
def test_of_many_notes_the_first_are_told_and_the_rest_are_counted(number: int, rest: list[str]) -> None:
    """A night in which the disk was full has a torn log for each run, each with a note of its own."""
    runs = [JudgedRun(f"r{each}", RunOutcome.INCOMPLETE, (f"line {each}",)) for each in range(number)]
    told = [f"note  r{each}: line {each}" for each in range(20)]
    assert noted(*runs) == [*told, *rest]


def test_notes_on_what_was_not_judged_come_first() -> None:
    """Otherwise the only run that says why nothing is proved could be among those that are only counted."""
    runs = [JudgedRun(f"r{each}", RunOutcome.INCOMPLETE, (f"line {each}",)) for each in range(30)]
    assert noted(*runs, JudgedRun("x", RunOutcome.UNREAD, ("too long",)))[0] == "note  x: too long"
