"""Lines as rows: grouped by run and sorted by file and line, they are the runs that one process finds."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from callproof import limits
from callproof.auditlog.files import NotReadable
from callproof.auditlog.inputs import inputs_at
from callproof.auditlog.rows import rows_in, run_of_rows
from log_edits import BASES
from mixed_logs import compress, written


@pytest.mark.parametrize("form", ["shared", "shared.gz", "stream", "stream.zst"])
def test_the_runs_of_sorted_rows_are_the_runs_of_the_files(form: str, tmp_path: Path) -> None:
    """The text, the numbers and the names are the same, whatever program sorted the rows."""
    path = written(form, [BASES / name for name in ("linear", "retried", "incomplete", "eventless")], tmp_path)
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    rows = sorted(row for file in files for row in rows_in(file))
    made = {run.name: run for _, mine in groupby(rows, lambda row: row.run) for run in [run_of_rows(mine)]}
    (found,) = inputs_at([path])
    for run in found.runs():
        expected = run.captured()
        assert made[run.name].record == expected.record
        assert dict(made[run.name].files) == dict(expected.files)
    assert len(made) == 4


def test_rows_of_a_file_that_ends_early_are_not_a_log(tmp_path: Path) -> None:
    """Part of a log is not a log: reading its rows fails."""
    path = compress(written("stream", [BASES / "linear"], tmp_path), ".gz")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(NotReadable, match="not a sound gzip"):
        list(rows_in(path))


def test_a_line_over_the_limit_that_names_no_run_makes_rows_of_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any run may own it, and the rows of one run alone would not show that it lacks the line (LOG-21)."""
    path = written("stream", [BASES / "linear"], tmp_path)
    whole = path.read_bytes()
    monkeypatch.setattr(limits, "LINE_BYTES", max(map(len, whole.splitlines())))
    path.write_bytes(whole + b"x" * (limits.LINE_BYTES + 1))
    with pytest.raises(NotReadable, match=f"line {whole.count(10) + 1} .* name no run"):
        list(rows_in(path))


def test_no_rows_are_no_run() -> None:
    """A run has at least one line."""
    with pytest.raises(ValueError, match="one row"):
        run_of_rows([])
