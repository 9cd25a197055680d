"""Faults that each tell apart two laws that are otherwise broken together."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from typing import Any

from callproof_reference import vault
from callproof_reference.values import Failure

from miniatures.executors.sources import Nothing
from miniatures.miniature import miniature
from miniatures.points import (
    DISPATCHED,
    HOOKED,
    INVOKED,
    OUTPUT,
    RECORD_RESULT,
    ROOT_VALUE,
    STEP,
    VAULT_FACTS,
    Patch,
    Record,
    changed,
)


@miniature("variables-make-nobody-wait", breaks="REF-06", also=("LOG-06", "REF-05", "REF-11", "REF-21"))
def _(patch: Patch) -> None:
    """A step does not wait for the variables that it reads; a variable that is not set yet is empty."""

    def step(original: Any, source: Record, *rest: Any) -> Any:
        found = original(source, *rest)
        named = set(source.get("dependsOn", ())) | set(re.findall(r"\$steps\.(\w+)", json.dumps(source)))
        return changed(found, needs=tuple(each for each in found.needs if each in named))

    def root_value(original: Any, run: Any, reference: Any, iteration: Any) -> Any:
        try:
            return original(run, reference, iteration)
        except Failure:
            if reference.root == "vars":
                return Nothing()
            raise

    patch.around(STEP, step)
    patch.around(ROOT_VALUE, root_value)


@miniature("what-is-too-big-is-passed-over", breaks="VAL-12", seen_in="SC-23")
def _(patch: Patch) -> None:
    """A step whose arguments are too large or too deep is skipped."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if ending.error is not None and ending.error.get("details", {}).get("reason") == "too_big":
            ending = ending._replace(status="skipped", error=None)
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("checked-once-and-trusted-for-ever", breaks="POL-08", also=("EFF-08",), seen_in="SC-14/swapped")
def _(patch: Patch) -> None:
    """A path is checked before its call waits for a turn, and links are followed when the turn comes."""
    patch.around(VAULT_FACTS, lambda original, folder, name: os.stat(name, dir_fd=folder))
    for flag in ("_FOLDER", "_FILE"):
        setattr(vault, flag, getattr(vault, flag) & ~os.O_NOFOLLOW)


@miniature("hooks-that-fail-let-pass", breaks="POL-20")
def _(patch: Patch) -> None:
    """A call whose hook fails goes out as if the hook had allowed it."""

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refusal, new, extra = await original(run, subject, args)
        failed = refusal is not None and refusal.get("details", {}).get("reason") == "hook_failed"
        return (None if failed else refusal), new, extra

    patch.around(HOOKED, hooked)


@miniature("rubbish-is-the-callers-fault", breaks="RES-22", also=("ERR-05", "RES-07"), seen_in="SC-13")
def _(patch: Patch) -> None:
    """A call whose output cannot be recorded as it is ends as VALIDATION_ERROR, as if the arguments had been wrong."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        if problem is not None:
            problem = {**problem, "code": "VALIDATION_ERROR", "details": {"reason": "unserialisable"}}
        return problem, data

    patch.around(OUTPUT, judged)


@miniature("output-in-composed-letters", breaks="LOG-12", also=("REF-01",), seen_in="SC-01/exact")
def _(patch: Patch) -> None:
    """Texts that a tool returns are brought into another Unicode form before they become data."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        if data is None:
            return problem, None
        return problem, {
            name: unicodedata.normalize("NFC", text) if isinstance(text, str) else text for name, text in data.items()
        }

    patch.around(OUTPUT, judged)


@miniature(
    "answers-to-the-dead",
    breaks="RETRY-14",
    also=("EFF-08", "EFF-17", "REF-01", "REF-05", "REF-19", "REF-21", "RES-23"),
    seen_in="SC-08/late",
)
def _(patch: Patch) -> None:
    """A tool's late answer to an attempt that ran out of time closes the next attempt."""
    asked: dict[str, Any] = {}
    dead: dict[tuple[str, str, int], Any] = {}

    def place(run: Any, subject: Any) -> tuple[str, str, int]:
        return run.id, subject.step.id, (subject.iteration or {}).get("index", -1)

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        answer = asked[subject.call_id] = original(run, subject, args, started)
        before = dead.pop(place(run, subject), None)
        if before is not None:
            before.when_kept(lambda: answer.keep(before.value))
        return answer

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        if ending.status == "timeout":
            dead[place(run, subject)] = asked[subject.call_id]
        return ending

    patch.around(INVOKED, invoked)
    patch.around(DISPATCHED, dispatched)
