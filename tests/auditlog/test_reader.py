"""Log folders with any content: the reader gives a run, and flaws say what was wrong."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest
from callproof import limits
from callproof.auditlog.inputs import NothingToJudge, inputs_at
from callproof.auditlog.reader import read_run
from callproof.judge.judgement import Judgement, Outcome, RunOutcome, Subject, judged_run
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.run import FlawKind
from log_edits import copy_of


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A copy of a conforming log, to be spoilt."""
    return copy_of("linear", tmp_path / "log")


def flaws(folder: Path) -> list[tuple[FlawKind, str]]:
    """The kind and the place of every flaw."""
    return [(flaw.kind, str(flaw.source)) for flaw in read_run(folder).flaws]


def test_a_conforming_log_has_no_flaws(log: Path) -> None:
    """Every line of it is a record."""
    run = read_run(log)
    assert run.flaws == ()
    assert run.run_record is not None
    assert len(run.calls) == len(run.results) == 3


def test_a_folder_without_run_json_is_read_and_found_wanting(log: Path) -> None:
    """The other files are judged, and LOG-01 says what is missing."""
    (log / "run.json").unlink()
    assert flaws(log) == [(FlawKind.MISSING, "run.json:1")]
    assert judge(read_run(log))["LOG-01"].verdict is Verdict.FAIL


@pytest.mark.parametrize("name", ["run.json", "calls.jsonl", "events.jsonl"])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(log: Path, name: str) -> None:
    """A named pipe is reported as such at once, and nothing is called consistent."""
    (log / name).unlink()
    os.mkfifo(log / name)
    assert flaws(log) == [(FlawKind.UNREADABLE, f"{name}:1")]
    assert "named pipe" in read_run(log).flaws[0].says
    assert outcome_of(log) in {RunOutcome.UNREAD, RunOutcome.VIOLATIONS}


@pytest.mark.parametrize("base", ["linear", "cancelled", "foreach", "halted", "retried"])
@pytest.mark.parametrize("name", ["run.json", "calls.jsonl", "results.jsonl", "events.jsonl"])
def test_nobody_is_accused_of_lacking_what_was_not_read(tmp_path: Path, base: str, name: str) -> None:
    """If any file of a conforming log is unread, there is no finding, and the verdict is that nothing is proven."""
    log = copy_of(base, tmp_path / "log")
    (log / name).unlink()
    os.mkfifo(log / name)
    results = judge(read_run(log))
    assert [each.requirement.id for each in results.values() if each.findings] == []
    assert outcome_of(log) is RunOutcome.UNREAD


@pytest.mark.parametrize("name", ["calls.jsonl", "results.jsonl", "events.jsonl"])
def test_a_line_over_a_limit_of_ours_accuses_nobody(tmp_path: Path, name: str) -> None:
    """Whichever line of a conforming log is not judged, no other line is found at fault for it."""
    log = copy_of("cancelled", tmp_path / "log")
    whole = (log / name).read_bytes().splitlines(keepends=True)
    for place in range(len(whole)):
        deep = b'{"a":' + b"[" * 200 + b"]" * 200 + b"}\n"
        (log / name).write_bytes(b"".join((*whole[:place], deep, *whole[place + 1 :])))
        assert outcome_of(log) is RunOutcome.UNREAD, place


def test_what_a_record_says_of_itself_is_found_beside_an_unread_file(log: Path) -> None:
    """A fault that one record shows by itself does not depend on what else was not read."""
    (log / "calls.jsonl").unlink()
    os.mkfifo(log / "calls.jsonl")
    path = log / "results.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"status": "ok"', '"status": "fine"', 1), encoding="utf-8")
    results = judge(read_run(log))
    assert {each.requirement.id for each in results.values() if each.findings} == {"RES-04"}
    assert any("named pipe" in each for each in results["CALL-21"].missing)


def test_a_link_is_not_followed(log: Path, tmp_path: Path) -> None:
    """A symbolic link is not a file of the log, wherever it leads."""
    target = tmp_path / "elsewhere.jsonl"
    (log / "events.jsonl").rename(target)
    (log / "events.jsonl").symlink_to(target)
    assert flaws(log) == [(FlawKind.UNREADABLE, "events.jsonl:1")]
    assert outcome_of(log) is RunOutcome.UNREAD


def test_a_link_to_an_endless_device_is_not_read(log: Path) -> None:
    """A link to a device that never ends is refused like any other link."""
    (log / "events.jsonl").unlink()
    (log / "events.jsonl").symlink_to("/dev/zero")
    assert flaws(log) == [(FlawKind.UNREADABLE, "events.jsonl:1")]


def test_a_folder_in_place_of_a_file_is_told(log: Path) -> None:
    """A folder called calls.jsonl is not a list of calls."""
    (log / "calls.jsonl").unlink()
    (log / "calls.jsonl").mkdir()
    assert flaws(log) == [(FlawKind.UNREADABLE, "calls.jsonl:1")]


@pytest.mark.many
def test_a_line_of_a_gibibyte_costs_no_memory_and_no_verdict(log: Path) -> None:
    """A sparse line of 1 GiB passes the limit; the lines around it are read, and the run is not called consistent."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    path = log / "events.jsonl"
    whole = path.read_bytes()
    with path.open("wb") as stream:
        stream.seek(1024 * limits.MIB)
        stream.write(b"\n" + whole)
    run = read_run(log)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert [(flaw.kind, flaw.source.line) for flaw in run.flaws] == [(FlawKind.LIMIT, 1)]
    assert run.events is not None
    assert len(run.events) == whole.count(b"\n")
    assert grown * 1024 < 200 * limits.MIB
    assert Verdict.PASS not in {result.verdict for result in judge(run).values()}
    assert outcome_of(log) is RunOutcome.UNREAD


def test_a_line_at_the_limit_is_read_and_one_byte_more_is_not(log: Path) -> None:
    """The limit is 16 MiB to the byte."""
    head = b'{"x":1'
    fits = head + b" " * (limits.LINE_BYTES - len(head) - 1) + b"}"
    (log / "events.jsonl").write_bytes(fits + b"\n")
    assert flaws(log) == []
    (log / "events.jsonl").write_bytes(b" " + fits + b"\n")
    assert flaws(log) == [(FlawKind.LIMIT, "events.jsonl:1")]


@pytest.mark.parametrize("end", [b"\n", b""], ids=["ended", "torn"])
def test_a_file_at_the_limit_is_read_and_of_one_byte_more_nothing_is_held(
    log: Path, monkeypatch: pytest.MonkeyPatch, end: bytes
) -> None:
    """A run that does not end takes no more memory than others: nothing is proven, and nobody is accused (LOG-21)."""
    path = log / "events.jsonl"
    line = path.read_bytes().splitlines()[0]
    monkeypatch.setattr(limits, "LINE_BYTES", (log / "run.json").stat().st_size)
    many = limits.LINE_BYTES // len(line) + 2
    path.write_bytes((line + b"\n") * (many - 1) + line + end)
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", path.stat().st_size)
    assert len(read_run(log).events or ()) == many
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", path.stat().st_size - 1)
    run = read_run(log)
    assert [(flaw.kind, str(flaw.source)) for flaw in run.flaws] == [(FlawKind.UNREADABLE, "events.jsonl:1")]
    assert f"longer than {limits.RUN_FILE_BYTES} bytes" in run.flaws[0].says
    assert run.events is None
    assert outcome_of(log) is RunOutcome.UNREAD


def test_lines_end_at_lf_and_nowhere_else(log: Path) -> None:
    """Separators inside strings split nothing: U+2028, U+0085 and a lone CR are text."""
    (log / "events.jsonl").write_text(
        '{"message":"a\u2028b\u0085c"}\n{"message":"d"}\r\n', encoding="utf-8", newline=""
    )
    run = read_run(log)
    assert run.flaws == ()
    assert [event.text("message") for event in run.events or ()] == ["a\u2028b\u0085c", "d"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b"{", FlawKind.NOT_JSON),
        (b"[]", FlawKind.NOT_AN_OBJECT),
        (b'{"a":1,"a":2}', FlawKind.NOT_STRICT),
        (b'{"a":NaN}', FlawKind.NOT_STRICT),
        (b'{"a":"\\ud800"}', FlawKind.NOT_STRICT),
        (b'\xef\xbb\xbf{"a":1}', FlawKind.BYTES),
        (b'{"a":"\xff"}', FlawKind.BYTES),
        (b'{"a":' + b"[" * 200 + b"]" * 200 + b"}", FlawKind.LIMIT),
        (b'{"a":' + b"9" * 2_000 + b"}", FlawKind.LIMIT),
        (b"", FlawKind.BLANK),
    ],
)
def test_a_line_that_is_no_record_is_a_flaw_and_its_neighbours_are_read(log: Path, line: bytes, kind: FlawKind) -> None:
    """One bad line loses only that line."""
    path = log / "events.jsonl"
    whole = path.read_bytes()
    path.write_bytes(line + b"\n" + whole)
    run = read_run(log)
    assert [(flaw.kind, flaw.source.line) for flaw in run.flaws] == [(kind, 1)]
    assert len(run.events or ()) == whole.count(b"\n")


def test_a_log_cut_at_any_byte_is_never_called_whole(log: Path) -> None:
    """Truncated anywhere, the last file gives a torn line or a run without its end, and never a traceback."""
    path = log / "events.jsonl"
    whole = path.read_bytes()
    for length in range(0, len(whole) - 1, 37):
        path.write_bytes(whole[:length])
        run = read_run(log)
        assert all(flaw.kind is FlawKind.TORN for flaw in run.flaws), length
        assert not run.finished


def test_what_is_no_log_is_refused_with_what_was_expected(tmp_path: Path) -> None:
    """A missing path, an empty folder and a single file each get an answer of their own."""
    empty = tmp_path / "empty"
    empty.mkdir()
    single = copy_of("linear", tmp_path / "log") / "calls.jsonl"
    for path, says in ((tmp_path / "no", "does not exist"), (empty, "no audit log"), (single, "give its folder")):
        with pytest.raises(NothingToJudge, match=says):
            inputs_at([path])


def test_folders_of_logs_are_found_in_the_order_of_their_names(tmp_path: Path) -> None:
    """A tree means the logs in it; links to folders are not followed."""
    for name in ("b", "a", "deeper/c"):
        copy_of("linear", tmp_path / name)
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tree,) = inputs_at([tmp_path])
    assert [run.name for run in tree.runs()] == ["a", "b", "deeper/c"]


def outcome_of(folder: Path) -> RunOutcome:
    """The outcome of the folder; the audit as a whole then never exits with 0."""
    run = read_run(folder)
    results = judge(run)
    one = judged_run(run, results)
    whole = Judgement(Subject("log", "x"), results, (one,)).outcome
    assert whole in {Outcome.NOT_PROVEN, Outcome.VIOLATIONS}
    return one.outcome
