"""Faults narrowed until they break one law alone, where a broader fault in another module breaks several."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from typing import Any

from callproof_reference import vault

from miniatures.miniature import miniature
from miniatures.points import (
    BREACH,
    DISPATCHED,
    FINISH,
    HOOKED,
    INVALID,
    INVOKED,
    LOGICAL_CALL,
    OUTSIDE,
    RECORD_RESULT,
    VAULT_FACTS,
    Patch,
    Record,
)


@miniature("deadline-at-half-time", breaks="CALL-19")
def _(patch: Patch) -> None:
    """The deadline of a call is half as far away as its limit."""

    def change(record: Record) -> None:
        if "deadlineAt" in record:
            made, ends = (datetime.fromisoformat(record[name]) for name in ("createdAt", "deadlineAt"))
            record["deadlineAt"] = f"{made + (ends - made) / 2:%Y-%m-%dT%H:%M:%S.%f}Z"

    patch.record("call", change)


@miniature("scheduled-in-the-future", breaks="EVT-15")
def _(patch: Patch) -> None:
    """The step.scheduled event of a call is stamped two seconds late."""

    def change(record: Record) -> None:
        if record["type"] == "step.scheduled":
            later = datetime.fromisoformat(record["timestamp"]) + timedelta(seconds=2)
            record["timestamp"] = f"{later:%Y-%m-%dT%H:%M:%S.%f}Z"

    patch.record("event", change)


@miniature("skip-means-stop-after-failures", breaks="DEP-05")
def _(patch: Patch) -> None:
    """A failing step outside of loops stops the run although it says skip; a step that runs out of time does not."""

    async def logical_call(original: Any, run: Any, subject: Any) -> Any:
        ending = await original(run, subject)
        if ending.status == "error" and subject.step.on_error == "skip" and subject.iteration is None:
            run.halted.keep("a call failed")
        return ending

    patch.around(LOGICAL_CALL, logical_call)


@miniature("links-followed-when-reading", breaks="POL-07", seen_in="SC-14/link-read")
def _(patch: Patch) -> None:
    """A file is read through a link, wherever the link points."""
    reading: list[bool] = []

    def breach(original: Any, tool: Any, *given: Any) -> Any:
        reading[:] = [True] if tool.name == "vault.readFile" else []
        return original(tool, *given)

    def facts(original: Any, folder: int, name: str) -> Any:
        return os.stat(name, dir_fd=folder) if reading else original(folder, name)

    patch.around(BREACH, breach)
    patch.around(OUTSIDE, lambda original, path, sandbox, root: original(path, sandbox, None if reading else root))
    patch.around(VAULT_FACTS, facts)
    for flag in ("_FOLDER", "_FILE"):
        setattr(vault, flag, getattr(vault, flag) & ~os.O_NOFOLLOW)


@miniature("arguments-of-a-hook-fit-anything", breaks="POL-17", also=("VAL-01",))
def _(patch: Patch) -> None:
    """Arguments that a hook has changed are checked against the policy, but not against the schema."""
    changed: list[Record] = []

    async def hooked(original: Any, run: Any, subject: Any, args: Record) -> Any:
        refusal, new, extra = await original(run, subject, args)
        if extra:
            changed.append(new)
        return refusal, new, extra

    patch.around(HOOKED, hooked)
    patch.around(INVALID, lambda original, tool, args: None if args in changed else original(tool, args))


@miniature("kinds-of-effects-left-out", breaks="EFF-01")
def _(patch: Patch) -> None:
    """The result of a successful call leaves out the kinds of side effects, but reports the changes themselves."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if ending.ok and ending.effects and not subject.step.tool.own:
            told = {name: each for name, each in ending.effects.items() if name != "sideEffectsObserved"}
            ending = ending._replace(effects=told)
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature(
    "goes-back-to-its-first-call",
    breaks="CANC-10",
    also=("CONF-11", "DEP-07", "RES-21", "RETRY-03", "TIME-02", "TIME-04"),
)
def _(patch: Patch) -> None:
    """When a run has ended ok, its first call goes out once more under its own call id."""
    first: dict[str, tuple[Any, Record]] = {}

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        first.setdefault(run.id, (subject, args))
        return original(run, subject, args, started)

    def finish(original: Any, run: Any, ok: bool) -> None:
        original(run, ok)
        subject, args = first.get(run.id, (None, {}))
        if run.status == "ok" and subject is not None and not subject.step.tool.own:
            run.host.ask("tool/invoke", run.about(subject, tool=subject.step.tool.name, args=args))

    patch.around(INVOKED, invoked)
    patch.around(FINISH, finish)


@miniature("unconnected-calls-swap-their-answers", breaks="RES-23", also=("REF-01", "REF-19", "REF-21"))
def _(patch: Patch) -> None:
    """Of two calls outside of loops that are open at once, the one that ends first gives its output to the other."""
    open_calls: dict[str, list[str]] = {}
    before: dict[str, Any] = {}

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        at_work = open_calls.setdefault(run.id, [])
        at_work.append(subject.call_id)
        ending = await original(run, subject, args)
        at_work.remove(subject.call_id)
        if subject.step.loop is not None or not ending.ok:
            return ending
        other = before.pop(run.id, None)
        if other is not None and other.keys() == ending.data.keys():
            return ending._replace(data=other)
        if at_work:
            before[run.id] = ending.data
        return ending

    patch.around(DISPATCHED, dispatched)


@miniature(
    "texts-trimmed-on-record",
    breaks="LOG-12",
    also=("EFF-14", "HASH-06", "LOG-06", "REF-01"),
    seen_in="SC-01/exact",
)
def _(patch: Patch) -> None:
    """Texts in data are recorded without the blanks around them; references still give what the tool returned."""

    def change(record: Record) -> None:
        if isinstance(record.get("data"), dict):
            data: Record = record["data"]
            record["data"] = {name: text.strip() if isinstance(text, str) else text for name, text in data.items()}

    patch.record("result", change)


@miniature(
    "every-number-a-float-on-record",
    breaks="LOG-11",
    also=("HASH-06", "LOG-06", "REF-01"),
    seen_in="SC-01/exact",
)
def _(patch: Patch) -> None:
    """Integers in data are recorded as floating-point numbers; references still give what the tool returned."""

    def change(record: Record) -> None:
        if isinstance(record.get("data"), dict):
            data: Record = record["data"]
            record["data"] = {
                name: float(value) if isinstance(value, int) and not isinstance(value, bool) else value
                for name, value in data.items()
            }

    patch.record("result", change)


@miniature("the-first-try-lasts-and-no-event-tells", breaks="RETRY-08")
def _(patch: Patch) -> None:
    """In a log without events, an attempt that will be repeated is recorded as ended ten seconds too late."""
    from miniatures.variations import without_events

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if how.get("retry_due") and ending.status == "error":
            ending = ending._replace(ended=ending.ended + 10_000)
        original(records, subject, ending, **how)

    without_events(patch)
    patch.around(RECORD_RESULT, result)
