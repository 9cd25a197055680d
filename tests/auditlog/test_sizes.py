"""How much there is to read, for the progress bar."""

from __future__ import annotations

import gzip
from pathlib import Path

from callproof.auditlog.inputs import DEEPEST, STANDARD_INPUT, inputs_at
from callproof.auditlog.sizes import bytes_below, bytes_in
from growing_logs import wrapped
from log_edits import copy_of


def test_the_runs_of_a_tree_come_to_what_is_below_it(tmp_path: Path) -> None:
    """Other files in a folder do not count."""
    for name in ("a", "night/b"):
        copy_of("linear", tmp_path / name)
    (tmp_path / "a" / "notes.txt").write_text("x" * 10_000, encoding="utf-8")
    (found,) = inputs_at([tmp_path])
    assert sum(bytes_in(run) for run in found.runs()) == bytes_below([tmp_path])


def test_the_text_of_the_runs_in_a_stream_is_nearly_all_of_it(tmp_path: Path) -> None:
    """It is all but what wraps each record."""
    log = tmp_path / "log.jsonl"
    log.write_text("".join(wrapped("linear", "run-a")), encoding="utf-8")
    (found,) = inputs_at([log])
    read, there = sum(bytes_in(run) for run in found.runs()), bytes_below([log])
    assert there is not None
    assert 0.9 * there < read <= there


def test_what_lies_deeper_than_anybody_looks_counts_for_nothing(tmp_path: Path) -> None:
    """It is not walked into either: a recursive walk would overflow the stack in a thousand nested folders."""
    copy_of("linear", tmp_path / "a")
    there = bytes_below([tmp_path])
    copy_of("linear", tmp_path.joinpath(*"b" * (DEEPEST + 1)))
    assert bytes_below([tmp_path]) == there


def test_nobody_knows_how_much_a_pipe_or_a_compressed_file_holds(tmp_path: Path) -> None:
    """The progress bar then shows no end."""
    (tmp_path / "log.jsonl.gz").write_bytes(gzip.compress(b"{}\n"))
    assert bytes_below([STANDARD_INPUT]) is None
    assert bytes_below([tmp_path / "log.jsonl.gz"]) is None


def test_what_cannot_be_looked_into_counts_for_nothing(tmp_path: Path) -> None:
    """The reader reports it later."""
    folder = copy_of("linear", tmp_path / "a")
    (found,) = inputs_at([folder])
    (run,) = found.runs()
    folder.rename(tmp_path / "b")
    assert bytes_in(run) == 0
