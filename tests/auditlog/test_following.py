"""Logs that grow while they are read: each run is given out as it has ended, the rest when nobody waits any longer."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from callproof import limits
from callproof.auditlog import growing
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.following import Followed, FollowedFolders, Watch
from callproof.auditlog.growing import FollowedStream
from callproof.auditlog.inputs import NothingToJudge, inputs_at
from callproof.auditlog.reader import run_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from log_edits import BASES, copy_of

Step = Callable[[], object]
FILES = {"call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


class Script:
    """What happens while somebody waits, a step for each pause; when nothing is left, nobody waits any longer."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self.given: list[str] = []
        self.watch = Watch(lambda: not self._steps, self._play)

    def plays(self, *steps: Step) -> None:
        """What is going to happen."""
        self._steps = list(steps)

    def _play(self) -> None:
        self._steps.pop(0)()

    def follow(self, followed: Followed) -> list[CapturedRun]:
        """All runs, in the order in which they were given out; ``given`` has their names meanwhile."""
        found: list[CapturedRun] = []
        for run in followed.runs():
            self.given.append(run.name)
            found.append(run)
        return found

    def has_given(self, *names: str) -> Step:
        """A step that looks at what was given out until then."""

        def look() -> None:
            assert self.given == list(names)

        return look


def nothing() -> None:
    """A step in which nothing happens."""


def append(path: Path, text: str) -> Step:
    """A step in which a file grows."""

    def grow() -> None:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(text)

    return grow


def taken_from(path: Path, characters: int) -> str:
    """The end of a file, which is cut off it."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:-characters], encoding="utf-8")
    return text[-characters:]


def wrapped(base: str, run: str) -> list[str]:
    """A base log as lines of a stream, under another name; its last event last."""
    told = [{"kind": "run", "record": json.loads((BASES / base / "run.json").read_text(encoding="utf-8"))}]
    for kind, name in FILES.items():
        lines = (BASES / base / name).read_text(encoding="utf-8").splitlines()
        told += [{"kind": kind, "record": json.loads(line)} for line in lines]
    return [f"{json.dumps(line)}\n".replace(f'"run-{base}"', f'"{run}"') for line in told]


@pytest.fixture
def script() -> Script:
    """What happens, to be written."""
    return Script()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """An empty stream in a file."""
    path = tmp_path / "log.jsonl"
    path.touch()
    return path


@pytest.fixture
def followed(log: Path, script: Script) -> Iterator[FollowedStream]:
    """That stream, followed."""
    with log.open("rb") as stream:
        yield FollowedStream("log.jsonl", stream, script.watch)


def test_a_folder_is_given_out_when_it_has_its_last_event_and_nothing_more_comes(
    tmp_path: Path, script: Script
) -> None:
    """Not before, and not while one of its files still grows."""
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
    """Also into one that was empty, and at any depth."""
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
    """Its verdict is one on something else."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    script.plays(nothing, nothing, append(folder / "calls.jsonl", "{}\n"), nothing)
    followed = FollowedFolders([tmp_path / "logs"], script.watch)
    assert len(script.follow(followed)) == 1
    assert followed.faults == ("a had ended and been judged, and then grew; audit it again without --follow",)


def test_a_last_event_in_a_text_ends_nothing(tmp_path: Path, script: Script) -> None:
    """What ends a run is an event of that type, and no words in another."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    taken_from(folder / "events.jsonl", 250)
    append(
        folder / "events.jsonl", '\n{"type": "step.started", "message": "\\"run.finished\\"", "x": "run.finished"}\n'
    )()
    append(folder / "events.jsonl", '{"type": "run.finished" is no JSON\n')()
    script.plays(nothing, nothing, nothing, script.has_given())
    assert len(script.follow(FollowedFolders([tmp_path / "logs"], script.watch))) == 1


def test_a_pipe_in_place_of_events_is_not_waited_for(tmp_path: Path, script: Script) -> None:
    """It is told in the end, as what it is."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    (folder / "events.jsonl").unlink()
    os.mkfifo(folder / "events.jsonl")
    script.plays(nothing, nothing)
    (run,) = script.follow(FollowedFolders([tmp_path / "logs"], script.watch))
    assert "named pipe" in run_of(run).flaws[0].says


def test_runs_of_several_paths_are_told_apart(tmp_path: Path, script: Script) -> None:
    """By the path that was given."""
    for name in ("x", "y"):
        copy_of("linear", tmp_path / name / "a")
    script.plays(nothing, nothing)
    runs = script.follow(FollowedFolders([tmp_path / "x", tmp_path / "y"], script.watch))
    assert [run.name for run in runs] == [f"{tmp_path}/x/a", f"{tmp_path}/y/a"]


def test_what_cannot_be_followed_is_refused(tmp_path: Path, script: Script) -> None:
    """A path that is no folder, and files that many runs share."""
    with pytest.raises(NothingToJudge, match="is no folder"):
        FollowedFolders([tmp_path / "nowhere"], script.watch)
    shared = tmp_path / "shared"
    shutil.copytree(BASES / "linear", shared)
    (shared / "run.json").rename(shared / "runs.jsonl")
    with pytest.raises(NothingToJudge, match="files that many runs share"):
        script.follow(FollowedFolders([shared], script.watch))


def test_a_run_in_a_stream_is_given_out_when_the_reader_has_caught_up(
    log: Path, script: Script, followed: FollowedStream
) -> None:
    """Runs may be interleaved, and a line may come in pieces; the rest comes in the end."""
    a, b, c = wrapped("linear", "run-a"), wrapped("retried", "run-b"), wrapped("linear", "run-c")
    mixed = "".join(x for pair in zip(a[:-1], b[: len(a) - 1]) for x in pair) + "".join(b[len(a) - 1 : -1])
    script.plays(
        append(log, mixed),
        script.has_given(),
        append(log, b[-1][:50]),
        append(log, b[-1][50:]),
        script.has_given("run-b"),
        append(log, a[-1] + "".join(c[:-1])),
        script.has_given("run-b", "run-a"),
    )
    runs = [run_of(run) for run in script.follow(followed)]
    assert [(run.name, run.finished, len(run.flaws)) for run in runs] == [
        ("run-b", True, 0),
        ("run-a", True, 0),
        ("run-c", False, 0),
    ]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_however_a_stream_grows_the_same_runs_come_of_it_as_of_the_whole(data: st.DataObject) -> None:
    """In any interleaving, in pieces of any length: the same records, each with its line, and the same flaws."""
    lanes = [wrapped(base, f"run-{place}") for place, base in enumerate(("linear", "retried", "incomplete"))]
    order = data.draw(st.permutations([place for place, lane in enumerate(lanes) for _ in lane]))
    text = "".join(lanes[place].pop(0) for place in order).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)])]
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        log.write_bytes(text)
        whole = {run.name: run_of(run.captured()) for each in inputs_at([log]) for run in each.runs()}
        log.write_bytes(b"")
        script = Script()
        script.plays(*(partial(_append_bytes, log, piece) for piece in pieces))
        with log.open("rb") as stream:
            runs = script.follow(FollowedStream("log.jsonl", stream, script.watch))
    assert {run.name: run_of(run) for run in runs} == whole
    assert len(runs) == 3


def _append_bytes(path: Path, piece: bytes) -> None:
    with path.open("ab") as stream:
        stream.write(piece)


def test_a_line_that_comes_after_its_run_was_given_out_is_told(
    log: Path, script: Script, followed: FollowedStream
) -> None:
    """And it makes no second run."""
    a = wrapped("linear", "run-a")
    script.plays(append(log, "".join(a)), nothing, append(log, a[2]), nothing)
    assert [run.name for run in script.follow(followed)] == ["run-a"]
    assert followed.faults == ("run-a had ended and been judged, and then grew; audit it again without --follow",)


def test_runs_are_not_held_for_ever_while_the_reader_is_behind(
    log: Path, script: Script, followed: FollowedStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A night's log is there at once, and its runs come out before its end is read."""
    monkeypatch.setattr(growing, "_WAITING", 2)
    append(log, "".join("".join(wrapped("linear", f"run-{number}")) for number in range(10)))()
    script.plays(script.has_given(*(f"run-{number}" for number in range(10))))
    first = next(followed.runs())
    assert first.name == "run-0"
    assert len(followed._open) < 4


def test_lines_that_name_no_run_are_told(log: Path, script: Script, followed: FollowedStream) -> None:
    """In the end, since nobody knows what belongs to them; blank lines are nobody's (B-47)."""
    append(log, "\n\nno record\n" + "".join(wrapped("linear", "run-a")))()
    script.plays(nothing)
    runs = script.follow(followed)
    assert [run.name for run in runs] == ["run-a", "lines that name no run"]
    assert run_of(runs[1]).flaws


def test_the_end_of_a_pipe_ends_it(script: Script) -> None:
    """Whoever wrote to it has gone: nobody waits, and nobody has to break off."""
    reader, writer = os.pipe()
    script.plays(
        lambda: os.write(writer, "".join(wrapped("linear", "run-a")).encode()), lambda: os.close(writer), nothing
    )
    with open(reader, "rb") as stream:
        followed = FollowedStream("standard input", stream, script.watch)
        assert [run.name for run in script.follow(followed)] == ["run-a"]
    assert not followed.behind


def test_a_line_over_the_limit_is_told_and_passed_over(
    log: Path, script: Script, followed: FollowedStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In bounded memory, whether it ends or not; the line after it is read."""
    a = wrapped("linear", "run-a")
    monkeypatch.setattr(limits, "LINE_BYTES", max(map(len, a)))
    monkeypatch.setattr(growing, "_CHUNK", 100)
    append(log, "x" * (limits.LINE_BYTES + 1) + "\n" + "".join(a) + "y" * 3 * limits.LINE_BYTES)()
    script.plays(nothing)
    runs = [run_of(run) for run in script.follow(followed)]
    assert [(run.name, run.flaws == ()) for run in runs] == [("run-a", True), ("lines that name no run", False)]
    assert sum("is longer than" in flaw.says for flaw in runs[1].flaws) == 2


def test_open_runs_over_the_limit_are_left_out_and_told(
    log: Path, script: Script, followed: FollowedStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The largest first; what was not read is never called good (LOG-21)."""
    a = wrapped("linear", "run-a")
    monkeypatch.setattr(limits, "OPEN_RUNS_BYTES", 1_000)
    append(log, "".join(a))()
    script.plays(nothing)
    (run,) = (run_of(run) for run in script.follow(followed))
    assert any("open runs came to more than 1000 bytes" in flaw.says for flaw in run.flaws)


def test_a_stream_that_became_shorter_is_told(log: Path, script: Script, followed: FollowedStream) -> None:
    """What stood there is gone, and nobody judged it twice."""
    append(log, "".join(wrapped("linear", "run-a")))()
    script.plays(nothing, lambda: log.write_text("", encoding="utf-8"), nothing)
    assert [run.name for run in script.follow(followed)] == ["run-a"]
    assert followed.faults == ("log.jsonl became shorter while it was followed",)


def test_who_stops_waiting_gets_what_was_there_and_hears_if_there_was_more(script: Script) -> None:
    """A writer who never rests cannot keep a reader from its report."""
    reader, writer = os.pipe()
    os.write(writer, "".join(wrapped("linear", "run-a")).encode())
    with open(reader, "rb") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "_LEFT_IN_A_PIPE", 1)
        patch.setattr(growing, "_CHUNK", 500)
        followed = FollowedStream("standard input", stream, script.watch)
        assert [run.name for run in script.follow(followed)] == ["run-a"]
    os.close(writer)
    assert followed.behind
