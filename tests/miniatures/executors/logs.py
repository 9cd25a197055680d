"""LOG: logs that are not what was given, told or written."""

from __future__ import annotations

import os
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import SAVE, WRITE, Patch, Record


@miniature("plan-touched-up-in-run-json", breaks="LOG-09")
def _(patch: Patch) -> None:
    """The plan in the run record has another goal than the one that was given."""

    def change(record: Record) -> None:
        record["plan"]["goal"] = f"{record['plan']['goal']}, carefully"

    patch.record("run", change)


@miniature("policy-touched-up-in-run-json", breaks="LOG-10")
def _(patch: Patch) -> None:
    """The policy in the run record allows more attempts than the one that was given."""

    def change(record: Record) -> None:
        record["policy"]["limits"]["maxTimeoutMs"] = 99_999

    patch.record("run", change)


@miniature("run-record-without-a-policy", breaks="LOG-01")
def _(patch: Patch) -> None:
    """The run record leaves the policy out."""
    patch.record("run", lambda record: record.pop("policy", None))


@miniature("run-record-without-a-version", breaks="LOG-19")
def _(patch: Patch) -> None:
    """The run record does not name the version of the specification."""
    patch.record("run", lambda record: record.pop("specVersion", None))


@miniature("log-begins-with-a-mark", breaks="LOG-02")
def _(patch: Patch) -> None:
    """The files of the log begin with a byte order mark."""

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        begins = path.name == "calls.jsonl" and not path.exists()
        original(path, f"\ufeff{line}" if begins else line, **how)

    patch.around(SAVE, save)


@miniature("a-member-written-twice", breaks="LOG-03")
def _(patch: Patch) -> None:
    """Result lines in the log name their status two times."""

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        twice = path.name == "results.jsonl"
        original(path, line.replace('"status":', '"status":"ok","status":', 1) if twice else line, **how)

    patch.around(SAVE, save)


@miniature("text-breaks-its-line", breaks="LOG-04")
def _(patch: Patch) -> None:
    """A line break inside a text is written as a line break."""

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        original(path, line.replace("\\n", "\n") if path.name == "results.jsonl" else line, **how)

    patch.around(SAVE, save)


@miniature("big-numbers-rounded", breaks="LOG-11")
def _(patch: Patch) -> None:
    """Integers beyond 2^53 are written to the log as the nearest float."""

    def rounded(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: rounded(member) for name, member in value.items()}
        if isinstance(value, list):
            return [rounded(element) for element in value]
        return int(float(value)) if type(value) is int else value

    def change(record: Record) -> None:
        for name in ("args", "data"):
            if name in record:
                record[name] = rounded(record[name])

    for kind in ("call", "result"):
        patch.record(kind, change)


@miniature("long-texts-cut", breaks="LOG-12")
def _(patch: Patch) -> None:
    """Texts among the arguments of a call are trimmed when they are written down."""

    def trimmed(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: trimmed(member) for name, member in value.items()}
        if isinstance(value, list):
            return [trimmed(element) for element in value]
        return value.strip() if isinstance(value, str) else value

    patch.record("call", lambda record: record.update(args=trimmed(record["args"])))


@miniature("log-rewritten-afterwards", breaks="LOG-13")
def _(patch: Patch) -> None:
    """Results in the log are not those that were shown."""

    def change(record: Record) -> None:
        record["userMessage"] = "All is well."

    patch.log("result", change)


@miniature("environment-in-the-log", breaks="LOG-16")
def _(patch: Patch) -> None:
    """The environment is kept with every result, for whoever has to debug it."""
    told = ", ".join(f"{name}={value}" for name, value in sorted(os.environ.items()))
    patch.record("result", lambda record: record.update(debugMessage=told))


@miniature("calls-written-last-first", breaks="LOG-14")
def _(patch: Patch) -> None:
    """Of two calls the later one stands first in the file."""
    held: dict[str, Record] = {}

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        original(journal, kind, record)

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        original(path, line, **how)
        if path.name == "calls.jsonl":
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            path.write_text("".join([*lines[-1:], *lines[:-1]]), encoding="utf-8")

    del held, write
    patch.around(SAVE, save)


@miniature("a-line-of-another-run", breaks="LOG-22")
def _(patch: Patch) -> None:
    """The first event of another run stands in the log."""

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        original(journal, kind, record)
        if kind == "event" and record["type"] == "run.started":
            stray = {**record, "runId": "another", "type": "run.log"}
            original(journal, kind, stray)

    patch.around(WRITE, write)


@miniature("call-left-out-of-the-log", breaks="LOG-07")
def _(patch: Patch) -> None:
    """The first call of a run is shown and not logged."""

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        if path.name == "calls.jsonl" and not path.exists():
            path.touch()
            return
        original(path, line, **how)

    patch.around(SAVE, save)


@miniature("plan-grows-in-memory", breaks="LOG-06")
def _(patch: Patch) -> None:
    """The arguments in the log are not those that plan and results lead to."""

    def change(record: Record) -> None:
        if "note" not in record["args"]:
            record["args"]["note"] = "added by the executor"

    patch.record("call", change)
