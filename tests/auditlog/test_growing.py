"""Streams that grow while they are read: each run is given out when it has ended, the rest in the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from callproof import limits
from callproof.auditing.one_run import audit_run
from callproof.auditlog import growing, growing_lines
from callproof.auditlog.growing import FollowedStream
from callproof.auditlog.inputs import inputs_at
from callproof.auditlog.reader import run_of
from callproof.judge.judgement import RunOutcome
from callproof.trace.run import FlawKind
from growing_logs import Script, append, nothing, wrapped
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture
def script() -> Script:
    """An empty script, to which a test adds what happens."""
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
        yield FollowedStream("log.jsonl", log, stream, script.watch)


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
            runs = script.follow(FollowedStream("log.jsonl", log, stream, script.watch))
    assert {run.name: run_of(run) for run in runs} == whole
    assert len(runs) == 3


def _append_bytes(path: Path, piece: bytes) -> None:
    with path.open("ab") as stream:
        stream.write(piece)


def test_a_line_that_comes_after_its_run_was_given_out_is_told(
    log: Path, script: Script, followed: FollowedStream
) -> None:
    """It makes no second run."""
    a = wrapped("linear", "run-a")
    script.plays(append(log, "".join(a)), nothing, append(log, a[2]), nothing)
    assert [run.name for run in script.follow(followed)] == ["run-a"]
    assert followed.faults == ("run-a grew after it had ended and been judged; audit it again without --follow",)


def test_runs_are_not_held_for_ever_while_the_reader_is_behind(
    log: Path, script: Script, followed: FollowedStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long log that is there from the start gives out its first runs before its end is read."""
    monkeypatch.setattr(growing, "_WAITING", 2)
    append(log, "".join("".join(wrapped("linear", f"run-{number}")) for number in range(10)))()
    script.plays(script.has_given(*(f"run-{number}" for number in range(10))))
    first = next(followed.runs())
    assert first.name == "run-0"
    assert len(followed._runs.open) < 4


def test_lines_that_name_no_run_are_told(log: Path, script: Script, followed: FollowedStream) -> None:
    """They come in the end, since nothing shows which run they belong to; blank lines belong to none (B-47)."""
    append(log, "\n\nno record\n" + "".join(wrapped("linear", "run-a")))()
    script.plays(nothing)
    runs = script.follow(followed)
    assert [run.name for run in runs] == ["run-a", "lines that name no run"]
    assert run_of(runs[1]).flaws
    assert [(flaw.kind, flaw.lines) for flaw in run_of(runs[0]).flaws] == [(FlawKind.NAMELESS, 1)]  # it may be its own


def test_what_comes_when_nobody_waits_any_longer_was_not_left(log: Path, script: Script) -> None:
    """The log of a system at work always grows, which does not make Ctrl-C an interruption (docs/audit.md)."""
    a, b = wrapped("linear", "run-a"), wrapped("retried", "run-b")
    append(log, "".join(a) + "".join(b[:-3]))()
    script.plays(nothing)
    with log.open("rb") as stream:
        followed = FollowedStream("log.jsonl", log, stream, script.watch)
        for _ in followed.runs():
            append(log, b[-3])()
        assert (followed.behind, followed.faults) == (False, ())


def test_the_end_of_a_pipe_ends_it(script: Script) -> None:
    """Its writer has gone: the reader neither waits nor has to be interrupted."""
    reader, writer = os.pipe()
    script.plays(
        lambda: os.write(writer, "".join(wrapped("linear", "run-a")).encode()), lambda: os.close(writer), nothing
    )
    with open(reader, "rb") as stream:
        followed = FollowedStream("standard input", None, stream, script.watch)
        assert [run.name for run in script.follow(followed)] == ["run-a"]
        assert not followed.behind


def test_a_file_of_which_somebody_read_the_beginning_is_followed_from_there(log: Path, script: Script) -> None:
    """Standard input may be a file that is not at its first byte; the reader waits at its end for more."""
    append(log, "a heading\n" + "".join(wrapped("linear", "run-a")))()
    script.plays(nothing, script.has_given("run-a"))
    with log.open("rb", buffering=0) as stream:
        stream.seek(len("a heading\n"))
        followed = FollowedStream("standard input", None, stream, script.watch)
        assert [run.name for run in script.follow(followed)] == ["run-a"]
        assert (followed.behind, followed.faults) == (False, ())


@pytest.mark.parametrize("more", [1, 3])
def test_a_line_over_the_limit_is_told_and_passed_over(
    more: int, log: Path, script: Script, followed: FollowedStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes bounded memory, whether it ends or not; the line after it is read."""
    a = wrapped("linear", "run-a")
    monkeypatch.setattr(limits, "LINE_BYTES", max(map(len, a)))
    monkeypatch.setattr(growing_lines, "_CHUNK", 100)
    append(log, "x" * more * limits.LINE_BYTES + "x\n" + "".join(a) + "y" * 3 * limits.LINE_BYTES)()
    script.plays(nothing)
    runs = [run_of(run) for run in script.follow(followed)]
    assert [(run.name, len(run.calls)) for run in runs] == [("run-a", 3), ("lines that name no run", 0)]
    assert {(flaw.source.line, "is longer than" in flaw.says) for flaw in runs[1].flaws} == {
        (1, True),
        (len(a) + 2, True),
    }
    assert {each.source.line for each in (*runs[0].calls, *runs[0].results)} < {*range(2, len(a) + 2)}


def test_a_line_over_the_limit_that_names_no_run_may_be_anybodys(
    log: Path, script: Script, followed: FollowedStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No run that may own it is called good, as in a whole log (LOG-21); a fault says that earlier runs may lack it."""
    a, b = wrapped("linear", "run-a"), wrapped("linear", "run-b")
    monkeypatch.setattr(limits, "LINE_BYTES", max(map(len, a)))
    long = "x" * (limits.LINE_BYTES + 1) + "\n"
    script.plays(append(log, "".join(a)), nothing, append(log, long + "".join(b)), nothing)
    outcomes = {run.name: audit_run(run).run.outcome for run in script.follow(followed)}
    assert outcomes.pop("run-a") is RunOutcome.CONSISTENT
    assert set(outcomes.values()) == {RunOutcome.UNREAD}
    (fault,) = followed.faults
    assert f"line {len(a) + 1} is longer than" in fault
    assert "runs that had been judged by then may lack it" in fault


def test_open_runs_over_the_limit_are_left_out_and_told(
    log: Path, script: Script, followed: FollowedStream, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The largest is left out first; what was not read is never called good (LOG-21)."""
    a = wrapped("linear", "run-a")
    monkeypatch.setattr(limits, "OPEN_RUNS_BYTES", 1_000)
    append(log, "".join(a))()
    script.plays(nothing)
    (run,) = (run_of(run) for run in script.follow(followed))
    assert any("the open runs together had more than 1000 bytes" in flaw.says for flaw in run.flaws)


def test_a_stream_that_became_shorter_is_told(log: Path, script: Script, followed: FollowedStream) -> None:
    """What stood there is gone, and was not judged twice."""
    append(log, "".join(wrapped("linear", "run-a")))()
    script.plays(nothing, lambda: log.write_text("", encoding="utf-8"), nothing)
    assert [run.name for run in script.follow(followed)] == ["run-a"]
    assert followed.faults == ("log.jsonl became shorter while it was followed",)


def test_who_stops_waiting_gets_what_was_there_and_hears_if_there_was_more(script: Script) -> None:
    """A writer that never pauses cannot keep a reader from its report."""
    reader, writer = os.pipe()
    os.write(writer, "".join(wrapped("linear", "run-a")).encode())
    with open(reader, "rb") as stream, pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing_lines, "_LEFT_IN_A_PIPE", 1)
        patch.setattr(growing_lines, "_CHUNK", 500)
        followed = FollowedStream("standard input", None, stream, script.watch)
        assert [run.name for run in script.follow(followed)] == ["run-a"]
        assert followed.behind
    os.close(writer)
