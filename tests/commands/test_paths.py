"""Paths at which no file can exist, for every place where a command takes a path."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from callproof.cli import cli
from callproof.values.neighbours import is_there
from click.testing import CliRunner
from log_edits import copy_of

REFERENCE = "stdio:callproof-reference stdio"
# The path replaces each @.
TAKING_ONE = [
    "init adapter-python --into @",
    "audit @",
    "audit log @",
    "audit --tools @ log",
    "audit --baseline @ log",
    "audit --baseline @ --update-baseline log",
    "audit --report @ log",
    "audit --report statement=@ log",
    "audit --summary @ log",
    "audit --follow @",
    "audit --follow log @",
    "show @",
    "show --tools @ log",
    "verify @",
    "report @",
    "replay @",
    "replay @ ADAPTER",
    "test --report @ ADAPTER",
    "test --baseline @ ADAPTER",
    "test --baseline @ --update-baseline ADAPTER",
    "test --save-cases @ ADAPTER",
    "test --junit @ ADAPTER",
    "lint @",
    "lint --plan @ tools.json",
    "lint --canon @ tools.json",
    "lint --config @ tools.json",
    "lint --report @ tools.json",
    "breaking @ tools.json",
    "breaking tools.json @",
]
NOTHING_THERE = {
    "a long name": "x" * 300 + ".json",
    "a long folder": "x" * 300 + "/x.json",
    "a long path": "d/" * 2_100 + "x.json",
    "a file": "tools.json/x.json",
    "a circle": "circle/x.json",
}


@pytest.mark.parametrize("path", NOTHING_THERE.values(), ids=NOTHING_THERE)
@pytest.mark.parametrize("command", TAKING_ONE)
def test_a_path_at_which_nothing_can_stand_is_wrong_usage(
    command: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error comes before anything is judged, without an exception; lint also reports its other findings."""
    monkeypatch.chdir(tmp_path)
    copy_of("linear", tmp_path / "log")
    (tmp_path / "tools.json").write_text("[]", encoding="utf-8")
    (tmp_path / "circle").symlink_to("circle")
    arguments = [each.replace("@", path).replace("ADAPTER", REFERENCE) for each in command.split()]
    ran = CliRunner().invoke(cli, arguments)
    assert ran.exit_code == 2, ran.output
    assert command.startswith("lint") or not ran.stdout
    assert isinstance(ran.exception, SystemExit)


def test_whether_a_path_is_there_is_answered_or_refused(tmp_path: Path) -> None:
    """A path that is not there differs from one that cannot be looked up; a link counts as what it leads to."""
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "nowhere").symlink_to("nothing")
    (tmp_path / "here").symlink_to(tmp_path)
    assert is_there(tmp_path)
    assert is_there(tmp_path / "here")
    for name in ("nothing", "nowhere", "circle", "circle/x", "nothing/x", "a\0b"):
        assert not is_there(tmp_path / name)
    with pytest.raises(OSError, match=os.strerror(errno.ENAMETOOLONG)):
        is_there(tmp_path / ("x" * 300))
