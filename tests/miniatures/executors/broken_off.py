"""Runs that break off: what the log loses when the system is killed, and what a run does without a log."""

from __future__ import annotations

import os
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import OUTPUT, SAVE, WRITE, Patch


@miniature("log-kept-back", breaks="CALL-21", also=("EVT-16", "LOG-01", "LOG-15", "LOG-23"), seen_in="SC-25")
def _(patch: Patch) -> None:
    """The calls of a run are kept in memory and written to the log when it ends."""
    kept: dict[Any, list[Any]] = {}

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        waiting = kept.setdefault(path.parent, [])
        if path.name == "calls.jsonl":
            waiting.append((path, line, how))
            return
        if path.name == "events.jsonl" and '"run.finished"' in line:
            for each, text, named in waiting:
                original(each, text, **named)
        original(path, line, **how)

    patch.around(SAVE, save)


@miniature("goes-on-without-a-log", breaks="LOG-15", also=("EVT-18",), seen_in="SC-25")
def _(patch: Patch) -> None:
    """A run goes on although its log cannot be written."""

    def write(original: Any, records: Any, kind: str, record: Any) -> None:
        run, halted = records._run, records._run.halted
        run.halted = type(halted)()  # a stop that is asked for here stops nothing
        original(records, kind, record)
        run.halted = halted

    patch.around(WRITE, write)


@miniature("dies-of-a-full-disk", breaks="DEP-15", also=("DEP-12", "LOG-01"), seen_in="SC-25")
def _(patch: Patch) -> None:
    """The process ends when a record cannot be written."""

    def save(original: Any, path: Any, line: str, **how: Any) -> None:
        try:
            original(path, line, **how)
        except OSError:
            os._exit(1)

    patch.around(SAVE, save)


@miniature("dies-of-an-output-that-its-schema-refuses", breaks="DEP-15", also=("DEP-12",), seen_in="SC-13/type-integer")
def _(patch: Patch) -> None:
    """The process ends when a tool returns what its schema refuses."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        if problem is not None and problem.get("details", {}).get("reason") == "output_schema":
            os._exit(1)
        return problem, data

    patch.around(OUTPUT, judged)
