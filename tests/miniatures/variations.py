"""Executors that differ from the reference in ways that the specification permits: the suite fails none of them."""

from __future__ import annotations

import itertools
import json
import secrets
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from miniatures.miniature import lawful
from miniatures.points import (
    DONE,
    FRESH,
    INVOKED,
    OWN_TOOL,
    RECORD_EVENT,
    RECORD_RESULT,
    SAVE,
    START,
    STEP,
    WRITE,
    Patch,
    Record,
    changed,
)

_KINDS = ("run", "call", "result", "event")
_WORDS = {
    "ok": "Erledigt.",
    "error": "«ça ne va pas»",
    "timeout": "Zu spät.",
    "cancelled": "Abgebrochen.",
    "skipped": "跳过",
}
_STAMPS = ("createdAt", "startedAt", "endedAt", "timestamp", "deadlineAt", "decidedAt", "expiresAt")


@lawful("calls-are-numbered")
def _(patch: Patch) -> None:
    """The names of calls are a word and a number (B-03, B-04)."""
    numbers = itertools.count(1)

    def fresh(original: Any, subject: Any, attempt: int = 1) -> Any:
        return original(subject, attempt)._replace(call_id=f"call_{next(numbers)}")

    patch.around(FRESH, fresh)


@lawful("runs-have-long-names")
def _(patch: Patch) -> None:
    """The name of a run is a URN in capitals (B-04)."""

    def start(original: Any, run: Any, *given: Any) -> None:
        original(run, *given)
        run.id = run.records._id = f"URN:RUN:{secrets.token_hex(20).upper()}"

    patch.around(START, start)


@lawful("last-step-first")
def _(patch: Patch) -> None:
    """Of the steps that are ready, the last of the plan begins first (B-19)."""

    def start(original: Any, run: Any, plan: Any, *given: Any) -> None:
        plan.steps = plan.steps[::-1]
        original(run, plan, *given)

    patch.around(START, start)


@lawful("more-members-than-known")
def _(patch: Patch) -> None:
    """Every record has members that no shape knows (B-02, B-58)."""

    def change(record: Record) -> None:
        known = dict(record)
        record.clear()
        record.update({"x-trace": {"id": 7, "parents": [None]}, **known, "acme.cost": 0.25, "host": "build-7"})

    for kind in _KINDS:
        patch.record(kind, change)


@lawful("events-untold")
def _(patch: Patch) -> None:
    """No event is recorded or claimed, so no confirmation can be requested either (B-36)."""
    without_events(patch)


@lawful("no-hashes")
def _(patch: Patch) -> None:
    """Neither arguments nor data are hashed, and neither is claimed (B-13)."""
    claim_without(patch, "argsHash", "dataHash")
    patch.record("call", lambda record: record.pop("argsHash", None))
    patch.record("result", lambda record: record.pop("dataHash", None))


@lawful("optional-members-left-out")
def _(patch: Patch) -> None:
    """Calls and events leave out members that they may leave out (B-13)."""
    _left_out(patch, "call", "preview", "category", "deadlineAt", "loopId", "timeoutMs")
    _left_out(patch, "event", "seq")


@lawful("another-language")
def _(patch: Patch) -> None:
    """Messages are in another language (B-37, B-52)."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        told = f"{subject.step.tool.name}: {_WORDS[ending.status]}"
        original(records, subject, ending._replace(message=told), **how)

    def event(original: Any, records: Any, kind: str, _message: str, *rest: Any, **more: Any) -> None:
        original(records, kind, "Es geht weiter.", *rest, **more)

    patch.around(RECORD_RESULT, result)
    patch.around(RECORD_EVENT, event)


@lawful("patient-between-attempts")
def _(patch: Patch) -> None:
    """Between two attempts the executor waits fifty milliseconds longer than it was asked to."""

    def step(original: Any, *given: Any) -> Any:
        found = original(*given)
        return changed(found, backoff_ms=found.backoff_ms + 50)

    patch.around(STEP, step)


@lawful("in-another-time-zone")
def _(patch: Patch) -> None:
    """Instants have nanoseconds and an offset (B-05, B-06)."""

    def moved(record: Record) -> None:
        for name in _STAMPS:
            if isinstance(record.get(name), str):
                there = datetime.fromisoformat(record[name]) + timedelta(hours=5, minutes=30)
                record[name] = f"{there:%Y-%m-%dT%H:%M:%S}.{there.microsecond:06}000+05:30"
        for inner in ("confirmation", "payload"):
            if isinstance(record.get(inner), dict):
                moved(record[inner])

    for kind in _KINDS:
        patch.record(kind, moved)


@lawful("data-told-twice")
def _(patch: Patch) -> None:
    """Closing events repeat the data, and calls that no hook changed say so with a null (RES-21, A30)."""
    data: dict[str, Any] = {}

    def event(record: Record) -> None:
        told = data.get(record.get("callId", ""))
        if record["type"] == "step.finished" and told is not None:
            record["payload"] = {**record.get("payload", {}), "data": told}

    patch.record("result", lambda record: data.__setitem__(record["callId"], record.get("data")))
    patch.record("event", event)
    patch.record("call", lambda record: record.setdefault("argsModifiedBy", None))


@lawful("much-progress")
def _(patch: Patch) -> None:
    """Every call reports its progress three times as soon as it has begun (B-35)."""

    def invoked(original: Any, run: Any, subject: Any, *rest: Any) -> Any:
        for share in (0, 50, 99):
            run.records.event("step.progress", "it goes on", subject, {"percent": share})
        return original(run, subject, *rest)

    patch.around(INVOKED, invoked)


@lawful("effects-backwards")
def _(patch: Patch) -> None:
    """Effects are listed in another order (B-39)."""

    def change(record: Record) -> None:
        listed: Record = record.get("effects", {})
        for each in listed.values():
            if isinstance(each, list):
                each.reverse()

    patch.record("result", change)


@lawful("spaced-out-lines")
def _(patch: Patch) -> None:
    """The log has white space in its lines, members in another order and escapes for all but ASCII (B-01)."""

    def save(original: Any, path: Path, line: str, **how: Any) -> None:
        record = dict(reversed(json.loads(line).items()))
        original(path, json.dumps(record, separators=(" , ", " :\t")) + "\n", **how)

    patch.around(SAVE, save)


@lawful("skipped-with-an-error")
def _(patch: Patch) -> None:
    """A skipped result has an error that says why it was skipped (B-30)."""

    def change(record: Record) -> None:
        if record["status"] == "skipped":
            record["error"] = {"code": "PRECONDITION_FAILED", "message": record["userMessage"]}

    patch.record("result", change)


@lawful("what-is-there-is-left")
def _(patch: Patch) -> None:
    """A call with ifNotExists leaves an existing file and ends ok; a call without a strategy replaces it."""

    def own(original: Any, tool: Any, args: Record, *more: Any) -> Any:
        if tool.name != "vault.createFile" or args.get("collisionStrategy") in ("error", "create-unique"):
            return original(tool, args, *more)
        answer = original(tool, {"collisionStrategy": "overwrite", **args}, *more)
        if not args.get("ifNotExists") or not answer.error or answer.error["code"] != "CONFLICT":
            return answer
        return answer._replace(error=None, output={"path": args["path"], "created": False}, effects={})

    patch.around(OWN_TOOL, own)


def without_events(patch: Patch) -> None:
    """Record and claim no events, and do not claim confirmations, which need them."""
    claim_without(patch, "events", "confirmation")

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind != "event":
            original(journal, kind, record)

    patch.around(WRITE, write)


def claim_without(patch: Patch, *features: str) -> None:
    """Claim none of these features."""

    def done(original: Any, conversation: Any, method: str, params: Record) -> Any:
        told = original(conversation, method, params)
        if method == "initialize":
            claimed: list[str] = told["claims"]["features"]
            claimed[:] = [each for each in claimed if each not in features]
        return told

    patch.around(DONE, done)


def _left_out(patch: Patch, kind: str, *names: str) -> None:
    def change(record: Record) -> None:
        for name in names:
            record.pop(name, None)

    patch.record(kind, change)
