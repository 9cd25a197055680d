"""Logs that grow by a script, for the tests of code that follows them: without a clock and without waiting."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.following import Followed, Watch
from log_edits import BASES

Step = Callable[[], object]
FILES = {"call": "calls.jsonl", "result": "results.jsonl", "event": "events.jsonl"}


class Script:
    """The steps that happen while the follower waits, one for each pause; when none is left, the waiting ends."""

    def __init__(self) -> None:
        self._steps: list[Step] = []
        self.given: list[str] = []
        self.watch = Watch(lambda: not self._steps, self._play)

    def plays(self, *steps: Step) -> None:
        """Set the steps that will happen."""
        self._steps = list(steps)

    def _play(self) -> None:
        self._steps.pop(0)()

    def follow(self, followed: Followed) -> list[CapturedRun]:
        """All runs, in the order in which they were given out; ``given`` has their names meanwhile."""
        found: list[CapturedRun] = []
        for run in followed.runs():
            self.given.append(run.name)
            found.append(run)
        return found

    def has_given(self, *names: str) -> Step:
        """A step that checks which runs were given out until then."""

        def look() -> None:
            assert self.given == list(names)

        return look


def nothing() -> None:
    """A step in which nothing happens."""


def append(path: Path, text: str) -> Step:
    """A step in which a file grows."""

    def grow() -> None:
        with path.open("a", encoding="utf-8") as stream:
            stream.write(text)

    return grow


def goes(folder: Path, to: Path | None) -> Step:
    """A step in which a folder is moved, or removed."""
    return (lambda: shutil.rmtree(folder)) if to is None else (lambda: folder.rename(to))


def taken_from(path: Path, characters: int) -> str:
    """Cut off the end of a file and return it."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text[:-characters], encoding="utf-8")
    return text[-characters:]


def wrapped(base: str, run: str) -> list[str]:
    """A base log as lines of a stream, under another name; its last event last."""
    told = [{"kind": "run", "record": json.loads((BASES / base / "run.json").read_text(encoding="utf-8"))}]
    for kind, name in FILES.items():
        lines = (BASES / base / name).read_text(encoding="utf-8").splitlines()
        told += [{"kind": kind, "record": json.loads(line)} for line in lines]
    return [f"{json.dumps(line)}\n".replace(f'"run-{base}"', f'"{run}"') for line in told]
