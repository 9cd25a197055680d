"""LOG: logs that differ from what was given, shown or written."""

from __future__ import annotations

import os
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import (
    CLAIM,
    SAVE,
    WRITE,
    Patch,
    Record,
)


@miniature("plan-touched-up-in-run-json", breaks="LOG-09")
def _(patch: Patch) -> None:
    """The plan in the run record has another goal than the one that was given."""

    def change(record: Record) -> None:
        if not record["policy"]["confirmationsRequired"]:
            record["plan"]["goal"] += ", carefully"

    patch.record("run", change)


@miniature("policy-touched-up-in-run-json", breaks="LOG-10")
def _(patch: Patch) -> None:
    """The policy in the run record is not quite the one under which the calls were made."""

    def change(record: Record) -> None:
        if not record["policy"]["confirmationsRequired"]:
            record["policy"]["limits"]["maxCalls"] = 1000

    patch.record("run", change)


@miniature("run-record-without-a-policy", breaks="LOG-01", also=("RETRY-11",))
def _(patch: Patch) -> None:
    """The run record leaves the policy out."""
    patch.record("run", lambda record: record.pop("policy", None))


@miniature("run-record-without-a-version", breaks="LOG-19")
def _(patch: Patch) -> None:
    """The run record does not name the version of the specification."""
    patch.record("run", lambda record: record.pop("specVersion", None))


@miniature("a-member-written-twice", breaks="LOG-03", also=("LOG-13",))
def _(patch: Patch) -> None:
    """Result lines in the log name their status two times."""

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        twice = path.name == "results.jsonl"
        original(path, line.replace('"status":', '"status":"ok","status":', 1) if twice else line, **how)

    patch.around(SAVE, save)


@miniature("text-breaks-its-line", breaks="LOG-04", also=("LOG-02", "LOG-13"))
def _(patch: Patch) -> None:
    """A line break inside a text is written as a line break."""

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        original(path, line.replace("\\n", "\n") if path.name == "results.jsonl" else line, **how)

    patch.around(SAVE, save)


@miniature("big-numbers-rounded", breaks="LOG-11", also=("HASH-06", "LOG-06", "REF-01"), seen_in="SC-01/exact")
def _(patch: Patch) -> None:
    """Integers beyond 2^53 are written to the log as the nearest float."""

    def rounded(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: rounded(member) for name, member in value.items()}
        if isinstance(value, list):
            return [rounded(element) for element in value]
        return int(float(value)) if type(value) is int else value

    def change(record: Record) -> None:
        if "data" in record:
            record["data"] = rounded(record["data"])

    patch.record("result", change)


@miniature("log-rewritten-afterwards", breaks="LOG-13")
def _(patch: Patch) -> None:
    """Results in the log are not those that were shown."""

    def change(record: Record) -> None:
        record["userMessage"] += " That was all."

    patch.log("result", change)


@miniature("environment-in-the-log", breaks="LOG-16")
def _(patch: Patch) -> None:
    """Every result that is ok is recorded with the environment, for debugging."""

    def change(record: Record) -> None:
        if record["status"] == "ok":
            record["environment"] = dict(os.environ)

    patch.record("result", change)


@miniature("a-line-of-another-run", breaks="LOG-22")
def _(patch: Patch) -> None:
    """An event of another run stands in the log."""

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        original(journal, kind, record)
        if kind == "event" and record["type"] == "run.started":
            stray = {**record, "runId": "another", "type": "step.scheduled"}
            original(journal, kind, stray)

    patch.around(WRITE, write)


@miniature("writes-over-a-log", breaks="LOG-22", seen_in="SC-02")
def _(patch: Patch) -> None:
    """A run writes its log into any folder, even if another log is in there."""
    patch.around(CLAIM, lambda _original, _folder, _root: None)
