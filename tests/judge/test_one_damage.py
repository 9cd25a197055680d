"""One line of a log is damaged in one of the usual ways: one finding explains all the others."""

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
from callproof.spec.blocks import Level
from log_edits import BASES, copy_of

pytestmark = pytest.mark.many

Lines = list[dict[str, Any]]
STAMPS = ("timestamp", "createdAt", "startedAt")


def with_member(name: str, value: Any) -> Callable[[Lines, int], Lines]:
    """A damage: one member gets another value, if the record has this member."""

    def damage(lines: Lines, at: int) -> Lines:
        changed = {**lines[at], name: value} if name in lines[at] else lines[at]
        return [*lines[:at], changed, *lines[at + 1 :]]

    return damage


def moved(names: tuple[str, ...], seconds: int) -> Callable[[Lines, int], Lines]:
    """A damage: some stamps of the record move by ``seconds``."""

    def damage(lines: Lines, at: int) -> Lines:
        changed = dict(lines[at])
        for name in changed.keys() & set(names):
            moment = datetime.fromisoformat(changed[name]) + timedelta(seconds=seconds)
            changed[name] = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return [*lines[:at], changed, *lines[at + 1 :]]

    return damage


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
    "late": moved(STAMPS, 3_600),
    "ended late": moved(("endedAt",), 3_600),
    "ended a little late": moved(("endedAt",), 9),
    "took longer": with_member("durationMs", 3_600_000),
}
# The ways to make a line unreadable, or a line that two readers read differently.
UNREADABLE: dict[str, Callable[[str], str]] = {
    "cut short": lambda line: line[: len(line) // 2],
    "a member twice": lambda line: line.replace("{", '{"runId":"another",', 1),
    "half a character": lambda line: f'{line[:-1]},"note":"\\ud800"}}',
    "no object": lambda line: f"[{line}]",
}
# Wrong values for a member, used in turn; they break no law if the member may be absent, null or a list.
NONSENSE: tuple[Any, ...] = (None, 7, [1], ABSENT := object())
LOGS = sorted(each.name for each in BASES.iterdir() if (each / "results.jsonl").exists())


def roots(folder: Path, *, advice: bool = True) -> list[str]:
    """The laws of the findings that follow from no other finding."""
    run = read_run(folder)
    results = folded(run, judge(run))
    return [
        name
        for name, result in results.items()
        for each in result.findings
        if each.root is None and (advice or result.requirement.level is Level.MUST)
    ]


def told_in(path: Path) -> list[str]:
    """The complete lines of a file; none if the file does not exist."""
    told = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    return [each for each in told if each.endswith("}")]


@pytest.mark.parametrize("file", ["calls", "results", "events"])
@pytest.mark.parametrize("base", LOGS)
def test_one_damaged_line_has_one_root(base: str, file: str, tmp_path: Path) -> None:
    """Each damage is applied to every fifth line, the next damage beginning one line further on."""
    path = copy_of(base, tmp_path / "log") / f"{file}.jsonl"
    lines = [json.loads(each) for each in told_in(path)]
    for turn, (name, damage) in enumerate(DAMAGES.items()):
        for at in range(turn % 5, len(lines), 5):
            damaged = "".join(f"{json.dumps(each)}\n" for each in damage(lines, at))
            path.write_text(damaged, encoding="utf-8")
            found = roots(tmp_path / "log")
            assert len(found) <= 1, (at + 1, name, found)


@pytest.mark.parametrize("file", ["calls", "results", "events"])
@pytest.mark.parametrize("base", LOGS)
def test_one_line_that_cannot_be_read_explains_whatever_is_missing(base: str, file: str, tmp_path: Path) -> None:
    """Each way is applied to every fifth line; all findings that rest on its record follow from the line."""
    path = copy_of(base, tmp_path / "log") / f"{file}.jsonl"
    lines = told_in(path)
    for turn, (name, damage) in enumerate(UNREADABLE.items()):
        for at in range(turn % 5, len(lines), 5):
            damaged = [*lines[:at], damage(lines[at]), *lines[at + 1 :]]
            path.write_text("".join(f"{each}\n" for each in damaged), encoding="utf-8")
            (root,) = roots(tmp_path / "log")
            assert root in {"LOG-02", "LOG-03", "LOG-04"}, (at + 1, name, root)


@pytest.mark.parametrize("file", ["calls", "results", "events"])
@pytest.mark.parametrize("base", LOGS)
def test_one_member_that_is_nonsense_breaks_one_law_at_its_root(base: str, file: str, tmp_path: Path) -> None:
    """Every third member in the file is changed, each by itself; broken advice may be found besides."""
    path = copy_of(base, tmp_path / "log") / f"{file}.jsonl"
    lines = [json.loads(each) for each in told_in(path)]
    members = [(at, name) for at, line in enumerate(lines) for name in line]
    for turn, (at, name) in enumerate(members[::3]):
        nonsense = NONSENSE[turn % len(NONSENSE)]
        changed = {key: nonsense if key == name else value for key, value in lines[at].items()}
        damaged = [*lines[:at], {key: value for key, value in changed.items() if value is not ABSENT}, *lines[at + 1 :]]
        path.write_text("".join(f"{json.dumps(each)}\n" for each in damaged), encoding="utf-8")
        found = roots(tmp_path / "log", advice=False)
        assert len(found) <= 1, (at + 1, name, nonsense, found)
