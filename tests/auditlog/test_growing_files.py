"""Shared files that grow while they are read: each run comes when its last event is there and nothing more of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from callproof import limits
from callproof.auditlog import growing_files
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.growing_files import FollowedFiles
from callproof.auditlog.growing_runs import GrowingRuns
from callproof.auditlog.inputs import inputs_at
from callproof.auditlog.reader import run_of
from growing_logs import Script, append, nothing, wrapped
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FILES = {"run": "runs.jsonl", "call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


@pytest.fixture
def script() -> Script:
    """An empty script, to which a test adds what happens."""
    return Script()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A folder with the first of the shared files."""
    (tmp_path / "runs.jsonl").touch()
    return tmp_path


def lines_of(base: str, run: str) -> list[tuple[str, str]]:
    """A base log as lines of shared files, each with the file's name; its last event last."""
    told = [json.loads(line) for line in wrapped(base, run)]
    return [(FILES[each["kind"]], json.dumps(each["record"]) + "\n") for each in told]


def written(log: Path, lines: list[tuple[str, str]]) -> Callable[[], None]:
    """A step in which these lines come."""

    def write() -> None:
        for name, line in lines:
            append(log / name, line)()

    return write


def followed_to_its_end(log: Path, script: Script) -> tuple[list[CapturedRun], tuple[str, ...]]:
    """All runs in the order in which they were given out, and the faults that are reported in the end."""
    with ExitStack() as stack:
        followed = FollowedFiles(log, script.watch, stack)
        return script.follow(followed), followed.faults


def test_a_run_is_given_out_when_nothing_more_of_it_comes_after_its_last_event(log: Path, script: Script) -> None:
    """Not before: its results may be written a moment later, and another run may be in the middle of its work."""
    a, b = lines_of("linear", "run-a"), lines_of("retried", "run-b")
    late = next(line for line in reversed(a) if line[0] == "results.jsonl")
    script.plays(
        written(log, b[:-3]),
        written(log, [each for each in a if each != late]),
        written(log, [late]),
        script.has_given(),
        nothing,
        script.has_given("run-a"),
        written(log, b[-3:]),
        nothing,
        nothing,
        script.has_given("run-a", "run-b"),
    )
    runs, faults = followed_to_its_end(log, script)
    assert [(each.name, run_of(each).finished, run_of(each).flaws) for each in runs] == [
        ("run-a", True, ()),
        ("run-b", True, ()),
    ]
    assert faults == ()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_however_the_files_grow_the_same_runs_come_of_them_as_of_the_whole(data: st.DataObject) -> None:
    """In any interleaving, a line whole or in two pieces: the same records, each with its line, and the same flaws."""
    lanes = [lines_of(base, f"run-{place}") for place, base in enumerate(("linear", "retried", "incomplete"))]
    order = data.draw(st.permutations([place for place, lane in enumerate(lanes) for _ in lane]))
    lines = [lanes[place].pop(0) for place in order]
    with TemporaryDirectory() as folder:
        log, whole = Path(folder) / "grows", Path(folder) / "whole"
        log.mkdir()
        whole.mkdir()
        written(whole, lines)()
        wanted = {run.name: run_of(run.captured()) for each in inputs_at([whole]) for run in each.runs()}
        torn = data.draw(st.sets(st.integers(0, len(lines) - 1), max_size=6))
        pieces: list[tuple[str, str]] = []
        for place, (name, line) in enumerate(lines):
            cut = data.draw(st.integers(1, len(line) - 1)) if place in torn else 0
            pieces += [(name, line[:cut]), (name, line[cut:])]
        cuts = sorted(data.draw(st.lists(st.integers(0, len(pieces)), max_size=8)))
        script = Script()
        script.plays(*(written(log, pieces[start:end]) for start, end in zip([0, *cuts], [*cuts, len(pieces)])))
        runs, faults = followed_to_its_end(log, script)
    assert {run.name: run_of(run) for run in runs} == wanted
    assert (len(runs), faults) == (len(wanted), ())


def test_what_comes_while_the_files_are_read_for_the_last_time_is_no_part_of_it(
    log: Path, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that began a moment ago has no event without its run record, and nothing counts as left unread."""
    written(log, lines_of("linear", "run-a"))()
    late = [written(log, lines_of("retried", "run-b"))]
    advance = growing_files._Lane.advance

    def slowly(lane: growing_files._Lane, runs: GrowingRuns, *, last: bool) -> None:
        advance(lane, runs, last=last)
        if last and late:
            late.pop()()

    monkeypatch.setattr(growing_files._Lane, "advance", slowly)
    script.plays(nothing)
    with ExitStack() as stack:
        followed = FollowedFiles(log, script.watch, stack)
        assert [run.name for run in script.follow(followed)] == ["run-a"]
        assert (followed.behind, followed.faults, late) == (False, (), [])


def test_a_file_that_comes_later_is_met(log: Path, script: Script) -> None:
    """A system may open the files of a log only when there is something to write."""
    a = lines_of("linear", "run-a")
    script.plays(nothing, written(log, a), nothing)
    (run,), _ = followed_to_its_end(log, script)
    assert (run_of(run).finished, len(run_of(run).results)) == (True, 3)


def test_a_line_that_comes_after_its_run_was_given_out_is_told(log: Path, script: Script) -> None:
    """It makes no second run."""
    a = lines_of("linear", "run-a")
    script.plays(written(log, a), nothing, script.has_given("run-a"), written(log, a[1:2]), nothing)
    runs, faults = followed_to_its_end(log, script)
    assert [run.name for run in runs] == ["run-a"]
    assert faults == ("run-a grew after it had ended and been judged; audit it again without --follow",)


def test_what_is_there_already_is_held_as_places_and_not_as_text(
    log: Path, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long log is still judged, even if it is much larger than the limit of open runs."""
    monkeypatch.setattr(limits, "OPEN_RUNS_BYTES", 1_000)
    for number in range(5):
        written(log, lines_of("linear", f"run-{number}"))()
    script.plays(nothing, nothing)
    runs, _ = followed_to_its_end(log, script)
    assert [(run.name, run_of(run).flaws) for run in runs] == [(f"run-{number}", ()) for number in range(5)]


@pytest.mark.parametrize(
    ("happens", "told"),
    [
        (lambda path: path.write_text("", encoding="utf-8"), "became shorter while it was followed"),
        (os.remove, "was moved or replaced while it was followed; the file that is there now was not read"),
    ],
    ids=["shorter", "rotated"],
)
def test_a_file_that_is_not_the_same_any_more_ends_it(
    log: Path, script: Script, happens: Callable[[Path], object], told: str
) -> None:
    """The report has what was read until then, and the reason; the reader does not wait for what will never come."""
    script.plays(written(log, lines_of("linear", "run-a")), partial(happens, log / "calls.jsonl"), *[nothing] * 9)
    runs, faults = followed_to_its_end(log, script)
    assert ([run.name for run in runs], faults) == (["run-a"], (f"calls.jsonl {told}",))


def test_a_file_that_is_none_ends_it(log: Path, script: Script) -> None:
    """The reader does not wait for a pipe or follow a link."""
    script.plays(lambda: os.mkfifo(log / "calls.jsonl"), *[nothing] * 9)
    _, (fault,) = followed_to_its_end(log, script)
    assert fault.endswith("calls.jsonl is a named pipe, not a regular file")
