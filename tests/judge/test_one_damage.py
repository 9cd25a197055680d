"""One line of a log damaged in the ways in which lines go wrong: whatever it takes with it, one finding explains."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from callproof.auditlog.reader import read_run
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from log_edits import BASES, copy_of

pytestmark = pytest.mark.many

Lines = list[dict[str, Any]]
STAMPS = ("timestamp", "createdAt", "startedAt")


def with_member(name: str, value: Any) -> Callable[[Lines, int], Lines]:
    """A damage: one member has another value, where it is there."""

    def damage(lines: Lines, at: int) -> Lines:
        changed = {**lines[at], name: value} if name in lines[at] else lines[at]
        return [*lines[:at], changed, *lines[at + 1 :]]

    return damage


def an_hour_late(lines: Lines, at: int) -> Lines:
    """A damage: the record begins an hour after it did."""
    changed = dict(lines[at])
    for name in changed.keys() & set(STAMPS):
        moved = datetime.fromisoformat(changed[name]) + timedelta(hours=1)
        changed[name] = moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return [*lines[:at], changed, *lines[at + 1 :]]


DAMAGES: dict[str, Callable[[Lines, int], Lines]] = {
    "lost": lambda lines, at: [*lines[:at], *lines[at + 1 :]],
    "twice": lambda lines, at: [*lines[: at + 1], *lines[at:]],
    "another step": with_member("stepId", "nowhere"),
    "another call": with_member("callId", "nobody"),
    "another tool": with_member("tool", "no.such"),
    "another attempt": with_member("attempt", 9),
    "another run": with_member("runId", "elsewhere"),
    "another status": with_member("status", "done"),
    "not ok": with_member("ok", False),
    "failed": with_member("status", "error"),
    "late": an_hour_late,
}
LOGS = sorted(each.name for each in BASES.iterdir() if (each / "results.jsonl").exists())


def roots(folder: Path) -> list[str]:
    """The laws of the findings that follow from none."""
    run = read_run(folder)
    results = folded(run, judge(run))
    return [name for name, result in results.items() for each in result.findings if each.root is None]


@pytest.mark.parametrize("file", ["calls", "results", "events"])
@pytest.mark.parametrize("base", LOGS)
def test_one_damaged_line_has_one_root(base: str, file: str, tmp_path: Path) -> None:
    """Of every fifth line, in each way that there is, and another fifth in the next way."""
    path = copy_of(base, tmp_path / "log") / f"{file}.jsonl"
    told = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    lines = [json.loads(each) for each in told if each.endswith("}")]
    for turn, (name, damage) in enumerate(DAMAGES.items()):
        for at in range(turn % 5, len(lines), 5):
            damaged = "".join(f"{json.dumps(each)}\n" for each in damage(lines, at))
            path.write_text(damaged, encoding="utf-8")
            found = roots(tmp_path / "log")
            assert len(found) <= 1, (at + 1, name, found)
