"""Logs that grow while they are read: each run is given out as it has ended, and the rest when nobody waits any longer."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from callproof import limits
from callproof.auditlog import growing
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.following import Followed, FollowedFolders, Watch
from callproof.auditlog.growing import FollowedStream
from callproof.auditlog.inputs import NothingToJudge
from callproof.auditlog.reader import run_of
from log_edits import BASES, copy_of

Step = Callable[[], object]
FILES = {"call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


class Script:
    """What happens while somebody waits, a step for each pause; when nothing is left, nobody waits any longer."""

    def __init__(self, *steps: Step) -> None:
        self._steps = list(steps)
        self.watch = Watch(lambda: not self._steps, lambda: self._steps.pop(0)())
        self.given: list[str] = []

    def follow(self, followed: Followed) -> list[CapturedRun]:
        """All runs, in the order in which they were given out; while the steps go on, their names so far."""
        found: list[CapturedRun] = []
        for run in followed.runs():
            found.append(run)
            self.given.append(run.name)
        return found

    def has_given(self, *names: str) -> Step:
        """A step that looks at what was given out until then."""

        def look() -> None:
            assert self.given == list(names)

        return look


def nothing() -> None:
    """A step in which nothing happens."""


def append(path: Path, text: str | bytes) -> Step:
    """A step in which a file grows."""

    def grow() -> None:
        with path.open("ab") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode())

    return grow


def wrapped(base: str, run: str) -> list[str]:
    """A base log as lines of a stream, under another name."""
    folder = BASES / base
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    told = [json.dumps({"kind": "run", "record": record})]
    for kind, name in FILES.items():
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            told.append(json.dumps({"kind": kind, "record": json.loads(line)}))
    return [f"{line}\n".replace(f'"run-{base}"', f'"{run}"') for line in told]


@pytest.fixture
def stream(tmp_path: Path) -> Iterator[tuple[Path, Callable[[Script], FollowedStream]]]:
    """An empty file that grows, and how to follow it."""
    path = tmp_path / "log.jsonl"
    path.touch()
    with path.open("rb") as opened:
        yield path, lambda script: FollowedStream("log.jsonl", opened, script.watch)


def test_a_folder_is_given_out_when_its_last_event_is_there_and_nothing_more_comes(tmp_path: Path) -> None:
    """Not before, and not while a file still grows."""
    folder = copy_of("linear", tmp_path / "logs" / "a")
    events = (folder / "events.jsonl").read_text(encoding="utf-8")
    results = (folder / "results.jsonl").read_text(encoding="utf-8")
    (folder / "events.jsonl").write_text(events[:-200], encoding="utf-8")
    (folder / "results.jsonl").write_text(results[:-100], encoding="utf-8")
    script = Script()
    told = script.has_given()
    script = Script(
        nothing, nothing, append(folder / "events.jsonl", events[-200:]), append(folder / "results.jsonl", results[-100:])
    )
    told = script.has_given()
    script._steps += [told, nothing, script.has_given("a")]
    (run,) = script.follow(FollowedFolders([tmp_path / "logs"], script.watch))
    assert run_of(run).finished
    assert run.files.keys() == run_of(run).run_record and False or len(run_of(run).results) == 3
