"""What a path is: the audit finds it out, says it, and reads no more than it needs."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from callproof.auditing.one_run import audit_run
from callproof.auditlog.inputs import Form, NothingToJudge, inputs_at, links_left_out
from callproof.cli.audit import audit_command
from callproof.commands.audit import Audit, audit
from callproof.judge.judgement import RunOutcome
from click.testing import CliRunner
from log_edits import BASES, copy_of
from mixed_logs import compress, written

RUNS = [BASES / "linear", BASES / "retried"]


def test_each_path_is_what_it_is_found_to_be(tmp_path: Path) -> None:
    """A folder, a tree, shared files and a stream, in one call; each run is called by its whole path."""
    one, tree = copy_of("linear", tmp_path / "one"), tmp_path / "tree"
    copy_of("foreach", tree / "deep" / "run")
    written("shared", RUNS, tree / "fleet")
    stream = written("stream.zst", RUNS, tmp_path)
    found = inputs_at([one, tree, stream])
    assert [each.form for each in found] == [Form.FOLDER, Form.TREE, Form.STREAM]
    assert [run.name for each in found for run in each.runs()] == [
        str(one),
        f"{tree}/deep/run",
        f"{tree}/fleet/shared/run-linear",
        f"{tree}/fleet/shared/run-retried",
        f"{stream}/run-linear",
        f"{stream}/run-retried",
    ]


def test_the_report_says_what_a_path_was_taken_for(tmp_path: Path) -> None:
    """It stands in the notes; for the folder of one run there is no such note."""
    path = written("shared.gz", RUNS, tmp_path)
    told = CliRunner().invoke(audit_command, [str(path)]).stdout.replace("\n", " ")
    assert "is files that many runs share: runs.jsonl.gz" in told
    assert " is " not in CliRunner().invoke(audit_command, [str(BASES / "linear")]).stdout.split("CALL")[0]


def test_one_path_without_a_log_keeps_the_others_from_being_judged(tmp_path: Path) -> None:
    """The message says so, and how to go on; with a single path there are no others."""
    others = "nothing was judged, the other paths included; leave this path out to judge them"
    for paths in ((BASES / "linear", tmp_path), (tmp_path / "none", BASES / "linear")):
        with pytest.raises(NothingToJudge, match=others):
            inputs_at(paths)
    with pytest.raises(NothingToJudge) as alone:
        inputs_at([tmp_path])
    assert others not in str(alone.value)


def test_other_files_in_a_folder_are_left_alone(tmp_path: Path) -> None:
    """Their names and their content do not matter (B-59)."""
    folder = copy_of("linear", tmp_path / "log")
    for name in ("calls.jsonl.bak", "calls.jsonl.xz", "run.json~", "stream.jsonl", "README.md", ".events.jsonl"):
        (folder / name).write_bytes(b"\xff{")
    (folder / "inner").mkdir()
    os.mkfifo(folder / "pipe")
    (found,) = inputs_at([folder])
    assert [audit_run(run.captured()).run.outcome for run in found.runs()] == [RunOutcome.CONSISTENT]


def test_a_tree_is_looked_at_as_far_as_its_runs_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of ten thousand folders is found at once."""
    for place in range(200):
        (tmp_path / f"{place:03}").mkdir()
        (tmp_path / f"{place:03}" / "run.json").touch()
    looked: list[str] = []
    scandir = os.scandir

    def counted(path: Path) -> Iterator[os.DirEntry[str]]:
        looked.append(str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", counted)
    (found,) = inputs_at([tmp_path])
    assert [run.name for run in islice(found.runs(), 3)] == ["000", "001", "002"]
    assert len(looked) < 10


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_standard_input_is_a_stream(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be plain or compressed; findings name it."""
    text = written(f"stream{suffix}", RUNS, tmp_path).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    (found,) = inputs_at([Path("-")])
    runs = [run.captured() for run in found.runs()]
    assert [run.name for run in runs] == ["run-linear", "run-retried"]
    assert {run.record.name for run in runs if run.record is not None} == {"standard input"}
    assert {audit_run(run).run.outcome for run in runs} == {RunOutcome.CONSISTENT}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"\n\n", "not an audit log"),
        (b'{"a":1}\n', "not an audit log"),
        (b"\x1f\x8b", "not a sound gzip"),
    ],
)
def test_a_file_that_is_no_stream_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    """The message says what was found and what was expected."""
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(NothingToJudge, match=says):
        inputs_at([path])


@pytest.mark.parametrize("packing", ["", ".gz"])
@pytest.mark.parametrize("more", [(), ("--follow",)])
def test_a_report_is_not_judged_as_a_log(packing: str, more: tuple[str, ...], tmp_path: Path) -> None:
    """Its JSON Lines have kinds and records too, and some kinds have the same names."""
    path = tmp_path / "report.jsonl"
    assert CliRunner().invoke(audit_command, [str(BASES / "linear"), "--report", str(path)]).exit_code == 0
    path = compress(path, packing) if packing else path
    told = CliRunner().invoke(audit_command, [str(path), *more])
    assert (told.exit_code, told.stdout) == (2, "")
    assert ("is compressed" if packing and more else f"{path} is a report of callproof, not a log") in told.stderr


def test_one_of_the_files_of_a_log_is_not_a_stream(tmp_path: Path) -> None:
    """The message asks for its folder, in whatever form the file is."""
    path = compress(written("shared", RUNS, tmp_path), ".gz") / "calls.jsonl.gz"
    with pytest.raises(NothingToJudge, match="give its folder"):
        inputs_at([path])


def test_links_to_folders_elsewhere_are_left_out_and_told(tmp_path: Path) -> None:
    """A link to a run outside hides that run; one to a run that is judged anyway, such as the latest, hides none."""
    tree, elsewhere = tmp_path / "logs", copy_of("linear", tmp_path / "elsewhere")
    copy_of("linear", tree / "night" / "a")
    (tree / "night" / "run1").symlink_to(elsewhere)
    (tree / "night" / "loop").symlink_to(tmp_path)
    (tree / "latest").symlink_to(tree / "night" / "a")
    (tree / "gone").symlink_to("nowhere")
    (found,) = inputs_at([tree])
    assert [run.name for run in found.runs()] == ["night/a"]
    assert [*links_left_out(tree, found.links)] == [
        f"below {tree}, 2 links to folders elsewhere were not followed, such as {tree}/night/loop;"
        " give a link as a path of its own"
    ]
    shutil.rmtree(tree / "night" / "a")
    with pytest.raises(NothingToJudge, match=r"holds no audit log: .*; below .*, 2 links to folders elsewhere"):
        inputs_at([tree])


def test_a_note_of_an_audit_tells_of_the_links(tmp_path: Path) -> None:
    """Nobody must take a run for judged that was left out."""
    copy_of("linear", tmp_path / "logs" / "a")
    (tmp_path / "logs" / "b").symlink_to(copy_of("linear", tmp_path / "b"))
    assert "1 link to folders elsewhere was not followed" in " ".join(audit(Audit((tmp_path / "logs",))).subject.notes)
    link = audit(Audit((tmp_path / "logs" / "b",)))
    assert (link.subject.notes, len(link.runs)) == ((), 1)
