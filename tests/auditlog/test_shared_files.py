"""Files that many runs share, and streams: they give the same runs as folders, each as soon as it is whole."""

from __future__ import annotations

import io
import json
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from callproof import limits
from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditlog import looking
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.inputs import STANDARD_INPUT, inputs_at
from callproof.auditlog.layout import SHARED_FILES
from callproof.auditlog.looking import Looking, Seen, Stretch, looked_through, stretches
from callproof.auditlog.open_runs import NO_RUN
from callproof.auditlog.reader import read_run, run_of
from callproof.auditlog.rereading import (
    _found_again,  # pyright: ignore[reportPrivateUsage]
    standing,
)
from callproof.auditlog.rows import rows_in
from callproof.judge.judgement import RunOutcome
from callproof.trace.records import Kind
from callproof.trace.run import FlawKind
from hypothesis import given, settings
from hypothesis import strategies as st
from log_edits import BASES, Edit, apply, copy_of
from mixed_logs import Line, compress, in_turns, lines_of, share, stream, written

Gather: TypeAlias = Callable[[Sequence[Line], Path], Path]
FORMS = ["shared", "stream", "shared.gz", "shared.zst", "stream.gz", "stream.zst"]
NAMES = ["cancelled", "eventless", "foreach", "incomplete", "linear", "refused", "retried", "timeout"]
FOLDERS = [BASES / name for name in NAMES]


def captured(path: Path, by: Looking | None = None) -> dict[str, CapturedRun]:
    """The runs that a path means, by name."""
    (found,) = inputs_at([path])
    return {run.name: run.captured() for run in found.runs(by)}


def journeys(parts: Iterable[Stretch]) -> Generator[list[Seen], None, None]:
    """Look through stretches as another process would: each is sent there, and what was seen is sent back."""
    for each in parts:
        yield pickle.loads(pickle.dumps(looked_through(pickle.loads(pickle.dumps(each)))))


def told(run: CapturedRun) -> tuple[RunOutcome, tuple[str, ...]]:
    """The outcome of a run, and its findings without the names and lines of files."""
    audited = audit_run(run)
    found = [f"{name}: {each.finding}" for name, result in audited.broken.items() for each in result.findings]
    return audited.run.outcome, tuple(re.sub(r"Source\(.*?\)|[\w.]+:\d+", "(place)", each) for each in found)


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Logs that each break another law."""
    where = tmp_path_factory.mktemp("broken")
    edits = [
        ("linear", Edit("calls 2", {"attempt": 7})),
        ("retried", Edit("results 2", "twice")),
        ("foreach", Edit("events 3", "absent")),
        ("cancelled", Edit("calls 1", {"text": '{"callId": "c1", "runId": "run-cancelled", "callId": "c1"}'})),
        ("refused", Edit("results 1", {"text": '{"runId": "run-refused", "status": '})),
        ("timeout", Edit("run", {"policy": None})),
        ("eventless", Edit("results 1", {"runId": "run-eventless", "durationMs": -1})),
    ]
    for base, edit in edits:
        apply(edit, copy_of(base, where / base))
    return sorted(where.iterdir())


@pytest.mark.parametrize("form", FORMS)
def test_a_conforming_run_is_the_same_in_every_form(form: str, tmp_path: Path) -> None:
    """A run that shares its files with other runs has no more findings than in a folder of its own."""
    runs = captured(written(form, FOLDERS, tmp_path))
    assert {name: told(run) for name, run in runs.items()} == {
        f"run-{folder.name}": (RunOutcome.INCOMPLETE if folder.name == "incomplete" else RunOutcome.CONSISTENT, ())
        for folder in FOLDERS
    }


@pytest.mark.parametrize("form", FORMS)
def test_a_broken_run_gives_the_same_findings_in_every_form(form: str, broken: list[Path], tmp_path: Path) -> None:
    """A fault is found wherever it stands, and other runs get no finding for it."""
    runs = captured(written(form, broken, tmp_path))
    expected = {f"run-{folder.name}": told(captured(folder)[str(folder)]) for folder in broken}
    assert all(findings for _, findings in expected.values())
    assert {name: told(run) for name, run in runs.items()} == expected


def test_a_finding_names_the_file_and_the_line_that_many_runs_share(tmp_path: Path) -> None:
    """The place is the one in the shared file; in compressed files it is the line of the text."""
    broken = copy_of("linear", tmp_path / "linear")
    apply(Edit("calls 2", {"attempt": 7}), broken)
    for form, name in (("shared", "calls.jsonl"), ("stream.gz", "records.jsonl.gz")):
        path = written(form, [BASES / "retried", broken], tmp_path)
        lines = in_turns([lines_of(BASES / "retried"), lines_of(broken)])
        mine = [raw for kind, raw in lines if kind is Kind.CALL or form != "shared"]
        (place,) = (at for at, raw in enumerate(mine, start=1) if b'"attempt":7' in raw)
        audited = audit_run(captured(path)["run-linear"])
        places = {str(each.source) for found in audited.broken.values() for each in found.findings[0].finding.witness}
        assert f"{name}:{place}" in places


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_lines_may_be_mixed_in_any_way(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever stands between two lines of a run, its text and its order are the same."""
    runs = [lines_of(BASES / name) for name in ("linear", "retried", "incomplete")]
    turns = data.draw(st.permutations([place for place, run in enumerate(runs) for _ in run]))
    rest = [iter(run) for run in runs]
    mixed = [next(rest[turn]) for turn in turns]
    where = tmp_path_factory.mktemp("mixed")
    for path in (share(mixed, where / "shared"), stream(mixed, where / "stream")):
        found = captured(path)
        for name, run in zip(("linear", "retried", "incomplete"), runs):
            assert _texts(found[f"run-{name}"]) == {
                kind: b"".join(raw + b"\n" for each, raw in run if each is kind) for kind in Kind if _has(run, kind)
            }


@pytest.mark.many
@settings(deadline=None, max_examples=60)
@given(st.data())
def test_what_is_read_where_it_lies_is_what_is_held(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """
    Whatever stands in a file, its runs are the same as those of the same text whose places cannot be read again.

    They are the same, too, if the file is looked through in stretches of any length.
    """
    lines = in_turns([lines_of(BASES / name) for name in ("linear", "retried", "incomplete")])
    odd = st.tuples(st.sampled_from(list(Kind)), st.sampled_from(ODD) | st.binary(max_size=80).filter(_is_a_line))
    for place, line in data.draw(st.lists(st.tuples(st.integers(0, len(lines)), odd), max_size=6)):
        lines.insert(place, line)
    cut = data.draw(st.integers(0, 400))
    where = tmp_path_factory.mktemp("odd")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(limits, "LINE_BYTES", 1_500)
        patched.setattr(limits, "RUN_FILE_BYTES", data.draw(st.sampled_from([3_000, 6_000, 1_000_000])))
        patched.setattr(looking, "LARGE_BYTES", 1)
        patched.setattr(looking, "STRETCH_BYTES", data.draw(st.sampled_from([90, 300, 900, 4_000])))
        for gather in (share, stream):
            path = gather(lines, where / gather.__name__)
            for each in path.iterdir() if path.is_dir() else [path]:
                each.write_bytes(each.read_bytes()[: -cut or None])
            as_it_stands = {name: _held(run) for name, run in captured(path).items()}
            assert as_it_stands == {name: _held(run) for name, run in captured(path, journeys).items()}
            assert as_it_stands == {name: _held(run) for name, run in captured(compress(path, ".gz")).items()}


ODD = [
    b"",
    b" \r",
    b"{",
    b'{"runId":"run-linear","x":1}',
    b'{"runId":"run-\\u006cinear"}',
    b'{"runId":"run-other","x":"%s"}' % (b"a" * 1_600),
    b'{"runId":"run-linear","x":"%s"}' % (b"a" * 1_600),
    b'{"x":"%s"}' % (b"a" * 1_491),
]


def _is_a_line(text: bytes) -> bool:
    """Whether a file that begins with this is read as it stands: the first bytes of a file show its compression."""
    return not text.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd"))


def _held(run: CapturedRun) -> list[object]:
    """All of a run but the names of its files."""
    files = ((Kind.RUN, run.record), *run.files.items())
    return [
        (kind, file.text, list(file.numbers or ()), file.opened, [(each.kind, each.source.line) for each in file.flaws])
        for kind, file in files
        if file is not None
    ]


def _has(run: Sequence[Line], kind: Kind) -> bool:
    return any(each is kind for each, _ in run)


def _texts(run: CapturedRun) -> dict[Kind, bytes]:
    record = {} if run.record is None else {Kind.RUN: run.record.text + b"\n"}
    return record | {kind: file.text for kind, file in run.files.items()}


def test_a_run_is_given_out_as_soon_as_it_is_whole(tmp_path: Path) -> None:
    """If runs stand one after the other, each is given out before the next is read, even if it crashed."""
    lines = [line for name in ("incomplete", "linear", "retried") for line in lines_of(BASES / name)]
    for path in (share(lines, tmp_path / "shared"), stream(lines, tmp_path / "stream")):
        (found,) = inputs_at([path])
        assert [run.name for run in found.runs()] == ["run-incomplete", "run-linear", "run-retried"]


def test_of_several_run_records_the_last_counts(tmp_path: Path) -> None:
    """An executor may write the run record again; a torn one does not count and is reported (A89)."""
    lines = lines_of(BASES / "linear")
    first = json.loads(lines[0][1]) | {"policy": None}
    torn = (Kind.RUN, lines[0][1][:-1])
    run = captured(share([(Kind.RUN, json.dumps(first).encode()), *lines, torn], tmp_path))["run-linear"]
    read = run_of(run)
    assert read.run_record is not None
    assert str(read.run_record.source) == "runs.jsonl:2"
    assert [(flaw.kind, str(flaw.source)) for flaw in read.flaws] == [(FlawKind.NOT_JSON, "runs.jsonl:3")]
    assert audit_run(run).broken.keys() == {"LOG-02"}


def test_a_run_without_a_record_is_found(tmp_path: Path) -> None:
    """Calls of a run without a run record are calls without a plan (LOG-01)."""
    lines = [*lines_of(BASES / "linear"), *lines_of(BASES / "retried")[1:]]
    runs = captured(share(lines, tmp_path))
    assert told(runs["run-linear"]) == (RunOutcome.CONSISTENT, ())
    assert "LOG-01" in audit_run(runs["run-retried"]).broken


@pytest.mark.parametrize("text", [b"{", b"[]", b'{"callId":"c1"}', b"\xff", b'{"runId":7}', b'{"runId":""}', b"null"])
def test_a_line_that_names_no_run_is_found_and_the_runs_around_it_are_read(text: bytes, tmp_path: Path) -> None:
    """It belongs to no run, but it is still a fault."""
    lines = lines_of(BASES / "linear")
    path = share([*lines[:3], (Kind.CALL, text), *lines[3:]], tmp_path)
    runs = captured(path)
    assert told(runs["run-linear"]) == (RunOutcome.CONSISTENT, ())
    assert told(runs[NO_RUN])[0] is RunOutcome.VIOLATIONS


@pytest.mark.many
@pytest.mark.parametrize("text", [b'{"', b"null", b'{"callId":"c1"}'])
@pytest.mark.parametrize("form", ["shared", "stream"])
def test_a_line_that_names_no_run_may_hold_what_any_run_lacks(form: str, text: bytes, tmp_path: Path) -> None:
    """LOG-21: no run is at fault for it, and a run that lacks a record gets no finding."""
    whole = in_turns([lines_of(BASES / name) for name in ("foreach", "linear", "retried")])
    for at in range(len(text), len(whole), 9):
        lines = [*whole[:at], (whole[at][0], text), *whole[at + 1 :]]
        where = tmp_path / str(at)
        where.mkdir()
        runs = captured(share(lines, where) if form == "shared" else stream(lines, where / "records.jsonl"))
        lacking = json.loads(whole[at][1])["runId"]
        assert told(runs.pop(NO_RUN))[0] is RunOutcome.VIOLATIONS
        for name, run in runs.items():
            outcome, found = told(run)
            assert not found, (at, name)
            assert name == lacking or outcome is RunOutcome.CONSISTENT, (at, name)
            assert audit_run(run) == audit_run(run, Rules(fast_path=False))


@pytest.mark.parametrize("base", ["linear", "foreach", "retried"])
def test_a_run_that_lacks_what_a_nameless_line_may_hold_is_not_called_consistent(base: str, tmp_path: Path) -> None:
    """LOG-21: its end, a result or its run record may stand there."""
    whole = lines_of(BASES / base)
    results = [place for place, (kind, _) in enumerate(whole) if kind is Kind.RESULT]
    for at in (0, results[0], results[-1], len(whole) - 1):
        lines = [*whole[:at], (whole[at][0], b"{"), *whole[at + 1 :]]
        runs = captured(share(lines, tmp_path / str(at)))
        outcome, found = told(runs[f"run-{base}"])
        assert not found
        assert outcome in {RunOutcome.UNREAD, RunOutcome.INCOMPLETE}


def test_a_line_that_is_no_record_owes_no_run_record(tmp_path: Path) -> None:
    """It is one fault, and not a run."""
    runs = captured(share([*lines_of(BASES / "linear"), (Kind.CALL, b"{")], tmp_path))
    assert [*audit_run(runs[NO_RUN]).broken] == ["LOG-02"]


@pytest.mark.parametrize(
    "text",
    [
        b'{"kind":"call"}',
        b'{"kind":"noise","record":{}}',
        b'{"kind":"call","record":[]}',
        b'{"record":{},"kind":"call","more":1}',
        b'{"kind":"call","record":{"runId":"run-linear"},"more":1}',
        b'{"kind":"call","record":{"runId":"run-linear"}',
        b'{"kind":"call","kind":"result","record":{}}',
        b"7",
        b'{"kind":"\\ud800","record":{}}',
    ],
)
def test_a_line_of_a_stream_that_holds_no_record_is_found(text: bytes, tmp_path: Path) -> None:
    """Whatever is wrong with a line, there is a finding for it (LOG-02, LOG-03)."""
    path = stream(lines_of(BASES / "linear"), tmp_path / "stream")
    path.write_bytes(path.read_bytes() + text + b"\n")
    found = {name for run in captured(path).values() for name in audit_run(run).broken}
    assert found & {"LOG-02", "LOG-03"}


def test_the_members_of_a_line_of_a_stream_stand_in_any_order(tmp_path: Path) -> None:
    """White space and order mean nothing to JSON."""
    path = stream(lines_of(BASES / "linear"), tmp_path / "stream")
    lines = map(json.loads, path.read_bytes().splitlines())
    path.write_text("".join(f" {json.dumps({'record': each['record'], 'kind': each['kind']})} \r\n" for each in lines))
    assert told(captured(path)["run-linear"]) == (RunOutcome.CONSISTENT, ())


def test_blank_lines_are_nobodys(tmp_path: Path) -> None:
    """Editors and collectors leave blank lines behind, and they mean nothing (B-47)."""
    path = share(lines_of(BASES / "linear"), tmp_path)
    for name in SHARED_FILES.values():
        (path / name).write_bytes(b"\n" + (path / name).read_bytes() + b" \r\n\n")
    assert {name: told(run) for name, run in captured(path).items()} == {"run-linear": (RunOutcome.CONSISTENT, ())}


@pytest.mark.parametrize("form", FORMS[:2])
@pytest.mark.parametrize("line", [b"\x0c", b"\x0b \r", "\u00a0".encode()])
def test_a_line_of_other_blanks_is_no_blank_line(line: bytes, form: str, tmp_path: Path) -> None:
    """JSON has four characters for white space; a line of other blanks is not empty, and not an object (LOG-02)."""
    path = written(form, [BASES / "linear"], tmp_path)
    file = path / "calls.jsonl" if path.is_dir() else path
    file.write_bytes(line + b"\n" + file.read_bytes())
    assert [*audit_run(captured(path)[NO_RUN]).broken] == ["LOG-02"]
    assert [row.run for row in rows_in(file) if row.text == line + b"\n"] == [b""]


@pytest.mark.parametrize("form", FORMS)
def test_a_line_of_which_only_blanks_were_read_is_no_blank_line(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows beyond the limit may be a record of any run (LOG-21)."""
    lines = lines_of(BASES / "linear")
    monkeypatch.setattr(limits, "LINE_BYTES", 100 + max(len(raw) for _, raw in lines))
    path = stream(lines, tmp_path / "s") if form.startswith("stream") else share(lines, tmp_path / "s")
    file = path / "calls.jsonl" if path.is_dir() else path
    file.write_bytes(b" " * (limits.LINE_BYTES + 1) + file.read_bytes())
    if "." in form:
        path = compress(path, form[form.index(".") :])
    assert told(captured(path)["run-linear"])[0] is RunOutcome.UNREAD


@pytest.mark.parametrize("form", FORMS[:2])
def test_a_run_may_break_off_in_its_record(form: str, tmp_path: Path) -> None:
    """A record that is cut off at the end of its file is torn, and gives no finding, wherever it was cut (LOG-05)."""
    whole = lines_of(BASES / "linear")[:1]
    path = written_record(form, whole, tmp_path)
    file = path / "runs.jsonl" if path.is_dir() else path
    text = file.read_bytes()
    start = text.index(b'"specVersion"')
    for length in range(start, len(text) - 2, 41):
        file.write_bytes(text[:length])
        assert [told(run) for run in captured(path).values()] == [(RunOutcome.INCOMPLETE, ())], length


def written_record(form: str, lines: Sequence[Line], where: Path) -> Path:
    """A run record in a form."""
    return share(lines, where / "s") if form == "shared" else stream(lines, where / "s")


def test_a_run_that_finished_has_no_torn_record(tmp_path: Path) -> None:
    """A system that could write the end of a run could have written its run record (LOG-05, LOG-01)."""
    path = share(lines_of(BASES / "linear"), tmp_path)
    file = path / "runs.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    assert {"LOG-01", "LOG-05"} <= audit_run(captured(path)["run-linear"]).broken.keys()


def test_a_stream_cut_at_any_byte_is_never_called_whole(tmp_path: Path) -> None:
    """Its run is incomplete, unread or at fault, and nothing is raised."""
    path = stream(lines_of(BASES / "linear"), tmp_path / "stream")
    whole = path.read_bytes()
    for length in range(len(whole) - len(whole.splitlines()[-1]), len(whole) - 1, 7):
        path.write_bytes(whole[:length])
        assert RunOutcome.CONSISTENT not in {told(run)[0] for run in captured(path).values()}, length


@pytest.mark.parametrize("named", [True, False])
def test_a_line_over_the_limit_leaves_its_run_unread(
    named: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One byte over the limit is too long; if the line's run is not known, no run is called good (LOG-21)."""
    monkeypatch.setattr(limits, "LINE_BYTES", 5_000)
    own = b'"runId":"run-linear",' if named else b""
    fits, long = (b'{%s"x":"%s"}' % (own, b"a" * (size - len(own) - 8)) for size in (5_000, 5_001))
    lines = [*lines_of(BASES / "linear"), *lines_of(BASES / "retried")]
    path = share([*lines, (Kind.EVENT, fits)], tmp_path)
    assert RunOutcome.UNREAD not in {told(run)[0] for run in captured(path).values()}
    share([*lines, (Kind.EVENT, long)], tmp_path)
    outcomes = {name: told(run)[0] for name, run in captured(path).items()}
    assert outcomes["run-linear"] is RunOutcome.UNREAD
    assert (outcomes["run-retried"] is RunOutcome.UNREAD) is not named


@pytest.mark.parametrize("gather", [share, stream])
def test_a_run_that_does_not_end_is_held_up_to_the_limit_and_is_unread(
    gather: Gather, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run with more text than a run may have is never good, and its neighbours are judged (LOG-21)."""
    lines = [*lines_of(BASES / "linear"), *lines_of(BASES / "retried")]
    sizes = {kind: sum(len(raw) + 1 for each, raw in lines_of(BASES / "linear") if each is kind) for kind in Kind}
    size = max(sizes.values())
    path = gather(lines, tmp_path / "log")
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", size)
    assert told(captured(path)["run-linear"]) == (RunOutcome.CONSISTENT, ())
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", size - 1)
    run = captured(path)["run-linear"]
    assert told(run) == (RunOutcome.UNREAD, ())
    texts = {Kind.RUN: run.record, **run.files}
    assert {kind: file.text for kind, file in texts.items() if file is not None and sizes[kind] == size} == {
        kind: b"" for kind in Kind if sizes[kind] == size
    }


def test_open_runs_are_held_up_to_the_limit_and_the_largest_gives_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If more text is open than may be held, the largest run is left unread, and says so (LOG-21)."""
    path = written("stream.gz", [BASES / "linear", BASES / "effects"], tmp_path)
    size = sum(len(raw) + 1 for raw in (raw for _, raw in lines_of(BASES / "effects")))
    monkeypatch.setattr(limits, "OPEN_RUNS_BYTES", size)
    runs = captured(path)
    assert told(runs["run-linear"]) == (RunOutcome.CONSISTENT, ())
    assert told(runs["run-effects"]) == (RunOutcome.UNREAD, ())


STANDING = [
    ("shared", RunOutcome.CONSISTENT),
    ("stream", RunOutcome.CONSISTENT),
    ("shared.gz", RunOutcome.UNREAD),
    ("stream.zst", RunOutcome.UNREAD),
]


@pytest.mark.parametrize(("form", "outcome"), STANDING)
def test_of_files_as_they_stand_no_open_text_is_held(
    form: str, outcome: RunOutcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If lines can be read again, only their places are held, and no run is left out, however much is open."""
    path = written(form, [BASES / "linear", BASES / "retried"], tmp_path)
    monkeypatch.setattr(limits, "OPEN_RUNS_BYTES", 1)
    assert {told(run) for run in captured(path).values()} == {(outcome, ())}


@pytest.mark.parametrize("gather", [share, stream])
@pytest.mark.parametrize("place", [0, 3, -1])
def test_lines_after_one_over_the_limit_are_read_where_they_lie(
    gather: Gather, place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that is cut does not move the lines after it: its own run is unread, and the others are judged."""
    monkeypatch.setattr(limits, "LINE_BYTES", 5_000)
    lines = in_turns([lines_of(BASES / "linear"), lines_of(BASES / "retried")])
    lines.insert(place % len(lines), (Kind.EVENT, b'{"runId":"run-linear","x":"%s"}' % (b"a" * 9_000)))
    outcomes = {name: told(run)[0] for name, run in captured(gather(lines, tmp_path / "log")).items()}
    assert outcomes == {"run-linear": RunOutcome.UNREAD, "run-retried": RunOutcome.CONSISTENT}


@pytest.mark.parametrize("gather", [share, stream])
def test_of_a_run_far_over_the_limit_nothing_is_held_and_nothing_found(
    gather: Gather, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The places of its lines are not kept without limit, and lines that are not kept give no finding (LOG-21)."""
    lines = [*lines_of(BASES / "linear"), *lines_of(BASES / "retried")]
    path = gather(lines, tmp_path / "log")
    monkeypatch.setattr(limits, "RUN_FILE_BYTES", 100)
    (run, other) = captured(path).values()
    assert {told(run), told(other)} == {(RunOutcome.UNREAD, ())}
    assert not any(file.text for file in run.files.values())


@pytest.mark.parametrize("form", FORMS)
def test_a_run_that_travels_is_read_where_it_arrives(form: str, tmp_path: Path) -> None:
    """It is sent as the places of its lines, or as its text, and is the same, even after its log was closed."""
    path = written(form, FOLDERS, tmp_path)
    (found,) = inputs_at([path])
    runs = list(found.runs())
    sent = [pickle.dumps(run) for run in runs]
    for run, text in zip(runs, sent):
        assert pickle.loads(text).captured() == run.captured()
    # In one process, the test would pass with descriptors that another process does not have.
    read = [sys.executable, "-c", "import pickle, sys; print(len(pickle.load(sys.stdin.buffer).captured().files))"]
    assert int(subprocess.run(read, input=sent[0], check=True, capture_output=True).stdout) > 1


def test_a_run_of_standard_input_travels_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process cannot read it anywhere."""
    path = written("stream", FOLDERS, tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    (found,) = inputs_at([STANDARD_INPUT])
    for run in found.runs():
        arrived = pickle.loads(pickle.dumps(run))
        assert isinstance(arrived, CapturedRun)
        assert arrived == run.captured()


def test_a_run_whose_files_were_replaced_on_its_way_is_unread(tmp_path: Path) -> None:
    """The files that lie there now are not those that were found (LOG-21)."""
    path = written("shared", FOLDERS, tmp_path)
    (found,) = inputs_at([path])
    (first, *_) = found.runs()
    sent = pickle.dumps(first)
    calls = path / "calls.jsonl"
    text = calls.read_bytes()
    calls.unlink()
    calls.write_bytes(text)
    assert told(pickle.loads(sent).captured())[0] is RunOutcome.UNREAD
    calls.unlink()
    _found_again.cache_clear()
    assert told(pickle.loads(sent).captured())[0] is RunOutcome.UNREAD


def test_a_run_that_is_asked_for_twice_is_the_same(tmp_path: Path) -> None:
    """Flaws are not reported twice, and nothing is read twice."""
    lines = [*lines_of(BASES / "linear"), (Kind.CALL, b'{"runId":"run-linear"')]
    (found,) = inputs_at([stream(lines, tmp_path / "stream")])
    for run in found.runs():
        assert run.captured() == run.captured()


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_record_whose_line_does_not_end_is_read(suffix: str, tmp_path: Path) -> None:
    """It is whole JSON, and it makes no difference whether it can be read again in its place (LOG-05)."""
    path = share(in_turns([lines_of(BASES / "linear"), lines_of(BASES / "retried")]), tmp_path / "shared")
    for each in path.iterdir():
        each.write_bytes(each.read_bytes().removesuffix(b"\n"))
    runs = captured(compress(path, suffix) if suffix else path)
    assert {told(run) for run in runs.values()} == {(RunOutcome.CONSISTENT, ())}


@pytest.mark.parametrize("form", ["shared", "stream"])
@pytest.mark.parametrize("by", [None, journeys])
def test_more_runs_than_the_limit_are_not_counted(
    by: Looking | None, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the limit all are judged; with one more, none is called good (LOG-21)."""
    path = written(form, [BASES / "linear", BASES / "retried"], tmp_path)
    monkeypatch.setattr(looking, "LARGE_BYTES", 1)
    monkeypatch.setattr(looking, "STRETCH_BYTES", 2_000)
    monkeypatch.setattr(limits, "RUNS_IN_SHARED_FILES", 2)
    assert {told(run)[0] for run in captured(path, by).values()} == {RunOutcome.CONSISTENT}
    monkeypatch.setattr(limits, "RUNS_IN_SHARED_FILES", 1)
    assert RunOutcome.CONSISTENT not in {told(run)[0] for run in captured(path, by).values()}
    told_of = [flaw.says for run in captured(path, by).values() for file in run.files.values() for flaw in file.flaws]
    assert told_of == [
        flaw.says for run in captured(path).values() for file in run.files.values() for flaw in file.flaws
    ]


def test_of_a_line_from_before_no_more_is_read_than_lies_in_a_stretch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a line as long as the file would be read once for each of its stretches."""
    monkeypatch.setattr(looking, "LARGE_BYTES", 1)
    monkeypatch.setattr(looking, "STRETCH_BYTES", 100_000)
    monkeypatch.setattr(limits, "MIB", 1_000)  # how much of a line is read at a time
    (tmp_path / "log").write_bytes(b"x" * 1_000_000 + b"\n{}\n")
    with open(tmp_path / "log", "rb") as stream:
        stands = standing(stream, tmp_path / "log")
        assert stands is not None
        parts = stretches(stands, Kind.EVENT, 1_000_004)
        assert len(parts) == 11
        for part in parts[1:-1]:
            assert looked_through(part) == []
            assert stream.tell() <= part.end + 1_000
        assert [list(seen.sizes) for seen in looked_through(parts[-1])] == [[3]]


def test_files_that_become_shorter_while_they_are_read_leave_their_runs_unread(tmp_path: Path) -> None:
    """Lines that were there at the first look and are gone at the second were not read (LOG-21)."""
    one = lines_of(BASES / "linear")
    lines = [(kind, raw.replace(b"run-linear", b"run-%d" % place)) for place in range(40) for kind, raw in one]
    path = share(lines, tmp_path)
    (found,) = inputs_at([path])
    rest = found.runs()
    assert told(next(rest).captured())[0] is RunOutcome.CONSISTENT
    (path / "results.jsonl").write_bytes(b"")
    assert [told(run.captured())[0] for run in rest][-20:] == [RunOutcome.UNREAD] * 20


@pytest.mark.parametrize("name", ["runs.jsonl", "runs.jsonl.gz"])
def test_files_of_which_no_line_could_be_read_are_never_passed_over(name: str, tmp_path: Path) -> None:
    """What was not read is not valid, even if no run was found that could report it (LOG-21)."""
    copy_of("linear", tmp_path / "well")
    shared = tmp_path / "shared"
    shared.mkdir()
    if name.endswith(".gz"):
        (shared / name).write_bytes(b"no gzip at all")
    else:
        (shared / name).mkdir()
    runs = captured(tmp_path)
    assert list(runs) == [f"shared/{NO_RUN}", "well"]
    assert told(runs[f"shared/{NO_RUN}"])[0] is RunOutcome.UNREAD
    assert [flaw.source.file for flaw in run_of(runs[f"shared/{NO_RUN}"]).flaws] == [name]


def test_a_run_reads_the_same_from_its_folder(tmp_path: Path) -> None:
    """The records of both are equal member by member."""
    path = written("shared.zst", FOLDERS, tmp_path)
    for name, run in captured(path).items():
        alone, together = read_run(BASES / name.removeprefix("run-")), run_of(run)
        assert [each.value for each in together.records] == [each.value for each in alone.records]
