"""POL, CONF, EFF, VAL and LOG: refusals that leave traces, effects of another call, logs that are cut."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

from callproof_reference.tools import WORK

from miniatures.miniature import miniature
from miniatures.points import (
    CONFIRM,
    DISPATCHED,
    RECORD_CALL,
    REFUSED,
    SAVE,
    WRITE,
    Patch,
    Record,
)


@miniature(
    "call-written-twice",
    breaks="CALL-02",
    also=(
        "CONF-11",
        "EFF-17",
        "RETRY-01",
        "RETRY-02",
        "RETRY-03",
        "RETRY-04",
        "RETRY-05",
        "RETRY-06",
        "RETRY-07",
        "RETRY-08",
        "RETRY-18",
        "RETRY-19",
    ),
)
def _(patch: Patch) -> None:
    """A call of a read-only step with one attempt is recorded two times."""

    def call(original: Any, records: Any, subject: Any, *rest: Any) -> None:
        original(records, subject, *rest)
        step = subject.step
        if step.attempts == 1 and step.loop is None and step.tool.risk_level == "read-only" and not step.tool.own:
            original(records, subject, *rest)

    patch.around(RECORD_CALL, call)


@miniature("tool-under-a-new-name", breaks="CALL-06", also=("CALL-20", "LOG-23", "RES-02"))
def _(patch: Patch) -> None:
    """Every record names the tool with a version behind its name."""

    def change(record: Record) -> None:
        if "tool" in record:
            record["tool"] = f"{record['tool']}.v2"

    for kind in ("call", "result", "event"):
        patch.record(kind, change)


@miniature("preview-shows-the-template", breaks="CALL-14", also=("MSG-04",))
def _(patch: Patch) -> None:
    """The preview of a call shows its arguments with the references as they stand in the plan."""

    def call(original: Any, records: Any, subject: Any, args: Record, *rest: Any) -> None:
        texts = [value for value in subject.step.args.values() if isinstance(value, str)]
        preview, extra = rest
        original(records, subject, args, " ".join(texts) or preview, extra)

    patch.around(RECORD_CALL, call)


@miniature("calls-may-go-anywhere", breaks="POL-12", also=("CALL-17", "LOG-10"), seen_in="SC-14")
def _(patch: Patch) -> None:
    """Calls say that the whole vault is allowed, whatever roots the run's policy names."""
    patch.record("call", lambda record: record["policy"]["sandbox"].update(allowedRoots=["/"]))


@miniature("denied-and-called-all-the-same", breaks="POL-14", also=("EVT-14", "POL-01"))
def _(patch: Patch) -> None:
    """A call that the policy denies is recorded as denied, but its tool is entered."""
    recorded: dict[str, Record] = {}

    def call(original: Any, records: Any, subject: Any, args: Record, *rest: Any) -> None:
        original(records, subject, args, *rest)
        recorded[subject.call_id] = args

    def refused(original: Any, run: Any, subject: Any, why: Any) -> Any:
        if isinstance(why, dict) and why["details"]["reason"] == "denied_tool" and not subject.step.tool.own:
            args = recorded[subject.call_id]
            run.host.ask("tool/invoke", run.about(subject, tool=subject.step.tool.name, args=args))
        return original(run, subject, why)

    patch.around(RECORD_CALL, call)
    patch.around(REFUSED, refused)


@miniature("limits-it-does-not-know-are-kept-quiet", breaks="POL-18")
def _(patch: Patch) -> None:
    """The executor does not report a limit that it cannot keep."""

    def change(record: Record) -> None:
        if record["type"] == "run.started":
            record.get("payload", {}).pop("unknownLimits", None)

    patch.record("event", change)


@miniature("a-yes-after-the-no", breaks="CONF-12", also=("CONF-04", "EVT-05", "LOG-01"))
def _(patch: Patch) -> None:
    """An approval that comes after the run was rejected or cancelled is recorded as a confirmation."""

    def confirm(original: Any, run: Any, confirmation_id: str, decision: str) -> None:
        original(run, confirmation_id, decision)
        if run.cancelled.kept and decision == "approved" and confirmation_id == run.confirmation_id:
            run.records.event("run.confirmed", "the plan was approved", payload={"confirmationId": confirmation_id})

    patch.around(CONFIRM, confirm)


@miniature(
    "refused-and-half-done",
    breaks="VAL-14",
    also=("EFF-02", "EFF-09"),
    seen_in="SC-22/tells-precondition-failed",
)
def _(patch: Patch) -> None:
    """A call that failed at a precondition reports a file that it had made before."""

    def change(record: Record) -> None:
        if record.get("error", {}).get("code") == "PRECONDITION_FAILED":
            record["effects"] = {"created": [{"path": "half-done.txt", "kind": "file"}]}

    patch.record("result", change)


@miniature("reading-leaves-a-mark", breaks="EFF-09", also=("EFF-15",))
def _(patch: Patch) -> None:
    """Reading a file leaves another file behind that says so."""
    read = WORK["vault.readFile"]

    def work(vault: Any, args: Record) -> Any:
        vault.write("last-read.txt", b"just now", replace=True)
        return read(vault, args)

    WORK["vault.readFile"] = work


@miniature("effects-of-a-dry-run", breaks="EFF-23", also=("EFF-02", "POL-11"), seen_in="SC-16/dry-run")
def _(patch: Patch) -> None:
    """A dry run lists the file that it would make among its effects."""
    tried: dict[str, str] = {}

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind == "call" and record["args"].get("dryRun") and record["tool"] == "vault.createFile":
            tried[record["callId"]] = record["args"]["path"]
        if kind == "result" and record["status"] == "ok" and record["callId"] in tried:
            path = tried[record["callId"]]
            record = {**record, "effects": {"created": [{"path": path, "kind": "file"}]}}
        original(journal, kind, record)

    patch.around(WRITE, write)


@miniature("effects-of-whoever-is-at-work", breaks="EFF-16", also=("EFF-01", "EFF-02"), seen_in="SC-18/side-by-side")
def _(patch: Patch) -> None:
    """Of two calls at once, the one that ends last reports what both of them made."""
    made: dict[str, list[Record]] = {}
    at_work: dict[str, int] = {}

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        at_work[run.id] = at_work.get(run.id, 0) + 1
        ending = await original(run, subject, args)
        at_work[run.id] -= 1
        own = (ending.effects or {}).get("created", [])
        others = made.get(run.id, [])
        if own and at_work[run.id]:
            made[run.id] = own
        elif own and others:
            ending = ending._replace(effects={**ending.effects, "created": [*others, *own]})
        return ending

    patch.around(DISPATCHED, dispatched)


@miniature("last-line-cut-off", breaks="LOG-05", also=("LOG-13",))
def _(patch: Patch) -> None:
    """When a run is over, the last result on the disk is cut in the middle."""

    def save(original: Any, path: Path, line: str, **how: Any) -> None:
        original(path, line, **how)
        results = path.with_name("results.jsonl")
        if '"type":"run.finished"' in line and results.exists():
            results.write_bytes(results.read_bytes()[:-20])

    patch.around(SAVE, save)


@miniature(
    "arguments-in-composed-letters",
    breaks="LOG-12",
    also=("CALL-20", "HASH-01", "LOG-06", "REF-01", "VAL-04"),
    seen_in="SC-01/exact",
)
def _(patch: Patch) -> None:
    """Arguments are recorded in another Unicode form than the tool got them in."""

    def change(record: Record) -> None:
        record["args"] = composed(record["args"])

    patch.record("call", change)


def composed(value: Any) -> Any:
    """A value with its texts in another Unicode form; names of members stay, since one of two forms would be lost."""
    if isinstance(value, dict):
        return {name: composed(member) for name, member in value.items()}
    if isinstance(value, list):
        return [composed(element) for element in value]
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value
