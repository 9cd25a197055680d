"""Log folders that grow while they are read: each run is given out when it has ended, the rest in the end."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from callproof.auditlog.following import FollowedFolders
from callproof.auditlog.inputs import NothingToJudge
from callproof.auditlog.reader import run_of
from growing_logs import Script, append, goes, nothing, taken_from
from log_edits import BASES, copy_of


@pytest.fixture
def script() -> Script:
    """An empty script, to which a test adds what happens."""
    return Script()


def test_a_folder_is_given_out_when_it_has_its_last_event_and_nothing_more_comes(
    tmp_path: Path, script: Script
) -> None:
    """It is not given out before, and not while one of its files still grows."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    event, result = taken_from(folder / "events.jsonl", 200), taken_from(folder / "results.jsonl", 100)
    script.plays(
        nothing,
        nothing,
        append(folder / "events.jsonl", event),
        append(folder / "results.jsonl", result),
        script.has_given(),
        nothing,
        script.has_given("a"),
    )
    (run,) = script.follow(FollowedFolders([tmp_path / "logs"], script.watch))
    assert (run_of(run).finished, run_of(run).flaws, len(run_of(run).results)) == (True, (), 3)


def test_folders_that_come_into_a_tree_are_met(tmp_path: Path, script: Script) -> None:
    """This holds for a tree that was empty, too, and at any depth."""
    tree = tmp_path / "logs"
    tree.mkdir()
    script.plays(
        lambda: copy_of("linear", tree / "night" / "b"),
        nothing,
        lambda: copy_of("retried", tree / "a"),
        script.has_given("night/b"),
        nothing,
    )
    runs = script.follow(FollowedFolders([tree], script.watch))
    assert [run.name for run in runs] == ["night/b", "a"]


def test_what_has_not_ended_is_given_out_in_the_end_as_it_stands(tmp_path: Path, script: Script) -> None:
    """A run without events cannot be seen to end, and one that crashed never does."""
    copy_of("eventless", tmp_path / "logs" / "a")
    copy_of("incomplete", tmp_path / "logs" / "b")
    copy_of("linear", tmp_path / "logs" / "c")
    script.plays(nothing, nothing, script.has_given("c"))
    runs = script.follow(FollowedFolders([tmp_path / "logs"], script.watch))
    assert [(run.name, run_of(run).finished) for run in runs] == [("c", True), ("a", True), ("b", False)]


def test_a_folder_that_grew_after_it_was_given_out_is_told(tmp_path: Path, script: Script) -> None:
    """Its verdict is not about what stands there now."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    script.plays(nothing, nothing, append(folder / "calls.jsonl", "{}\n"), nothing)
    followed = FollowedFolders([tmp_path / "logs"], script.watch)
    assert len(script.follow(followed)) == 1
    assert followed.faults == ("a grew after it had ended and been judged; audit it again without --follow",)


def test_a_run_that_goes_on_after_the_end_of_the_waiting_had_not_ended(tmp_path: Path, script: Script) -> None:
    """It was given out as it stood, and was not reported to have ended."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    event = taken_from(folder / "events.jsonl", 200)
    script.plays(nothing)
    followed = FollowedFolders([tmp_path / "logs"], script.watch)
    for run in followed.runs():
        assert not run_of(run).finished
        append(folder / "events.jsonl", event)()
    assert followed.faults == ()


@pytest.mark.parametrize("more", [b"", b"{}\n"], ids=["as it was", "and longer"])
def test_files_of_a_run_that_was_judged_may_be_compressed(more: bytes, tmp_path: Path, script: Script) -> None:
    """Log rotation compresses old logs: nothing grew, unless more was compressed than had been judged."""
    folder = copy_of("linear", tmp_path / "logs" / "a")

    def compress() -> None:
        text = (folder / "events.jsonl").read_bytes()
        (folder / "events.jsonl").unlink()
        (folder / "events.jsonl.gz").write_bytes(gzip.compress(text + more))

    script.plays(nothing, script.has_given("a"), compress, nothing)
    followed = FollowedFolders([tmp_path / "logs"], script.watch)
    script.follow(followed)
    assert len(followed.faults) == len(more[:1])


@pytest.mark.parametrize("to", ["logs/done", "done", None], ids=["below", "away", "nowhere"])
def test_a_run_that_was_judged_may_be_moved_or_removed(to: str | None, tmp_path: Path, script: Script) -> None:
    """It did not grow, and it is the same run where it lies now."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    copy_of("retried", tmp_path / "logs" / "b")
    script.plays(nothing, script.has_given("a", "b"), goes(folder, to and tmp_path / to), nothing, nothing)
    followed = FollowedFolders([tmp_path / "logs"], script.watch)
    assert [run.name for run in script.follow(followed)] == ["a", "b"]
    assert followed.faults == ()


def test_a_copy_of_a_run_that_was_judged_is_a_run_too(tmp_path: Path, script: Script) -> None:
    """Both are there, so they are two runs."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    script.plays(nothing, nothing, lambda: shutil.copytree(folder, tmp_path / "logs" / "b", copy_function=os.link))
    assert [run.name for run in script.follow(FollowedFolders([tmp_path / "logs"], script.watch))] == ["a", "b"]


@pytest.mark.parametrize("given", ["logs", "logs/b"], ids=["tree", "itself"])
@pytest.mark.parametrize("to", ["away", None])
def test_a_run_that_is_gone_before_it_has_ended_is_told(
    given: str, to: str | None, tmp_path: Path, script: Script
) -> None:
    """It cannot be judged any more, and must not be taken for judged."""
    folder = copy_of("incomplete", tmp_path / "logs" / "b")
    script.plays(nothing, goes(folder, to and tmp_path / to), nothing)
    followed = FollowedFolders([tmp_path / given], script.watch)
    assert script.follow(followed) == []
    name = "b" if given == "logs" else str(folder)
    assert followed.faults == (f"{name} disappeared before its end was seen, and was not judged",)


def shortens(file: Path, to: int | None) -> Callable[[], object]:
    """Cut a file down to so many hundredths of it, or remove it."""
    return file.unlink if to is None else lambda: os.truncate(file, file.stat().st_size * to // 100)


@pytest.mark.parametrize(("to", "what"), [(None, "disappeared"), (0, "became shorter"), (70, "became shorter")])
@pytest.mark.parametrize("file", ["calls.jsonl", "results.jsonl", "events.jsonl"])
def test_a_run_of_which_a_file_lost_lines_is_told_and_not_judged(
    file: str, to: int | None, what: str, tmp_path: Path, script: Script
) -> None:
    """What is missing was there: without it, the run would be blamed for what it had recorded, or not for anything."""
    folder = copy_of("incomplete", tmp_path / "logs" / "b")
    script.plays(nothing, shortens(folder / file, to), nothing, append(folder / "events.jsonl", "{}"))
    followed = FollowedFolders([tmp_path / "logs"], script.watch)
    assert script.follow(followed) == []
    assert followed.faults == (f"b was not judged: its {file} {what} while it was followed",)


def test_a_run_that_is_compressed_or_replaced_by_another_has_lost_nothing(tmp_path: Path, script: Script) -> None:
    """The text of a file may be as long as before in another form, and another run may come to where one had been."""
    packed, other = copy_of("incomplete", tmp_path / "logs" / "a"), copy_of("incomplete", tmp_path / "logs" / "b")

    def pack() -> None:
        text = (packed / "events.jsonl").read_bytes()
        (packed / "events.jsonl.gz").write_bytes(gzip.compress(text))
        (packed / "events.jsonl").unlink()

    def replace() -> None:
        shutil.move(other, tmp_path / "logs" / "c")
        copy_of("unconfirmed", other)

    script.plays(nothing, pack, replace, nothing)
    followed = FollowedFolders([tmp_path / "logs"], script.watch)
    assert sorted(run.name for run in script.follow(followed)) == ["a", "b", "c"]
    assert followed.faults == ()


def test_a_run_that_is_moved_before_it_has_ended_is_followed_where_it_lies(tmp_path: Path, script: Script) -> None:
    """Some systems give a folder its final name only when everything is in it."""
    folder = copy_of("linear", tmp_path / "logs" / "making")
    event = taken_from(folder / "events.jsonl", 200)
    made = tmp_path / "logs" / "made"
    script.plays(nothing, append(folder / "events.jsonl", event), goes(folder, made), nothing, script.has_given("made"))
    followed = FollowedFolders([tmp_path / "logs"], script.watch)
    assert len(script.follow(followed)) == 1
    assert followed.faults == ()


def test_a_last_event_in_a_text_ends_nothing(tmp_path: Path, script: Script) -> None:
    """Only an event of that type ends a run, not such words in another event."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    taken_from(folder / "events.jsonl", 250)
    append(
        folder / "events.jsonl", '\n{"type": "step.started", "message": "\\"run.finished\\"", "x": "run.finished"}\n'
    )()
    append(folder / "events.jsonl", '{"type": "run.finished" is not JSON\n')()
    script.plays(nothing, nothing, nothing, script.has_given())
    assert len(script.follow(FollowedFolders([tmp_path / "logs"], script.watch))) == 1


def test_a_pipe_in_place_of_events_is_not_waited_for(tmp_path: Path, script: Script) -> None:
    """It is reported as a pipe in the end."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    (folder / "events.jsonl").unlink()
    os.mkfifo(folder / "events.jsonl")
    script.plays(nothing, nothing)
    (run,) = script.follow(FollowedFolders([tmp_path / "logs"], script.watch))
    assert "named pipe" in run_of(run).flaws[0].says


def test_runs_of_several_paths_are_told_apart(tmp_path: Path, script: Script) -> None:
    """Their names begin with the path that was given."""
    for name in ("x", "y"):
        copy_of("linear", tmp_path / name / "a")
    script.plays(nothing, nothing)
    runs = script.follow(FollowedFolders([tmp_path / "x", tmp_path / "y"], script.watch))
    assert [run.name for run in runs] == [f"{tmp_path}/x/a", f"{tmp_path}/y/a"]


def test_what_cannot_be_followed_is_refused(tmp_path: Path, script: Script) -> None:
    """A path that is not a folder, and files that many runs share, cannot be followed so."""
    with pytest.raises(NothingToJudge, match="is not a folder"):
        FollowedFolders([tmp_path / "nowhere"], script.watch)
    shared = tmp_path / "shared"
    shutil.copytree(BASES / "linear", shared)
    (shared / "run.json").rename(shared / "runs.jsonl")
    with pytest.raises(NothingToJudge, match="files that many runs share"):
        script.follow(FollowedFolders([shared], script.watch))
