"""Paths that lead to the same runs are refused: with runs that are counted twice, the counts of a report are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from callproof.auditlog.inputs import inputs_at
from callproof.auditlog.overlaps import overlap
from callproof.cli import cli
from click.testing import CliRunner
from log_edits import BASES, copy_of
from mixed_logs import written


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with two logs, and a stream in it; the working folder is above."""
    for name in ("linear", "effects"):
        copy_of(name, tmp_path / "ex" / name)
    written("stream", [BASES / "retried"], tmp_path / "ex")
    (tmp_path / "link").symlink_to("ex")
    (tmp_path / "one").symlink_to("ex/linear")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("paths", "says"),
    [
        (("ex/linear", "./ex/linear"), "ex/linear is given twice"),
        (("ex/linear", "ex/effects", "ex/../ex/linear"), "ex/linear and ex/../ex/linear are the same log"),
        (("link", "ex"), "link and ex are the same log"),
        (("ex/linear", "ex"), "ex/linear lies in ex,"),
        (("ex", "ex/linear"), "ex/linear lies in ex,"),
        ((".", "one"), "one lies in .,"),
        (("ex/records.jsonl", "link/records.jsonl"), "ex/records.jsonl and link/records.jsonl are the same log"),
    ],
)
@pytest.mark.parametrize("more", [(), ("--jobs", "2")])
def test_what_would_be_counted_twice_is_refused(
    paths: tuple[str, ...], says: str, more: tuple[str, ...], logs: Path
) -> None:
    """The message has both paths, as they were given, and the exit code is 2."""
    ran = CliRunner().invoke(cli, ["audit", *paths, *more])
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert says in ran.stderr
    assert "would be counted twice; give " in ran.stderr


def test_so_it_is_of_folders_that_are_followed(logs: Path) -> None:
    """They are looked into again and again, and each run must count once."""
    ran = CliRunner().invoke(cli, ["audit", "--follow", "ex", "ex/linear"])
    assert (ran.exit_code, "ex/linear lies in ex," in ran.stderr) == (2, True)


@pytest.mark.parametrize(
    "paths", [("ex/linear", "ex/effects"), ("ex", "ex/records.jsonl"), ("ex/linear", "ex/records.jsonl")]
)
def test_what_lies_close_together_is_no_overlap(paths: tuple[str, ...], logs: Path) -> None:
    """A stream is read where it is named, and nowhere else."""
    assert overlap(inputs_at([Path(each) for each in paths])) is None
