"""The options that choose the engine and its processes: what they permit, and what they report for anything else."""

from __future__ import annotations

import sys

import pytest
from callproof.cli.audit import audit_command
from click.testing import CliRunner
from log_edits import BASES

LOG = str(BASES / "linear")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--engine", "dask"], "needs --scheduler ADDRESS"),
        (["--engine", "dask", "--scheduler", "tcp://127.0.0.1:9", "--jobs", "2"], "and no --jobs"),
        (["--scheduler", "tcp://127.0.0.1:9"], "is for --engine dask"),
        (["--follow", "--jobs", "2"], "--follow audits in one process"),
        (["--jobs", "0"], "0 is not in the range"),
        (["--engine", "thread"], "thread"),
    ],
)
def test_options_that_mean_nothing_are_refused(options: list[str], says: str) -> None:
    """The message names the value or what is permitted, and the exit code is 2."""
    done = CliRunner().invoke(audit_command, [LOG, *options])
    assert done.exit_code == 2
    assert says in done.stderr


def test_without_dask_its_engine_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the extra that has to be installed."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = CliRunner().invoke(audit_command, [LOG, "--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"])
    assert done.exit_code == 2
    assert "callproof[dask]" in done.stderr
