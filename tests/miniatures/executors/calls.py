"""CALL: call records that are not what was called."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from callproof_reference import steps, turns

from miniatures.miniature import miniature
from miniatures.points import (
    INVOKED,
    WRITE,
    Patch,
    Record,
)


@miniature(
    "tool-gets-other-args-than-logged",
    breaks="CALL-20",
    also=("HASH-01", "LOG-12", "REF-01", "REF-05", "REF-07", "REF-21", "VAL-01", "VAL-04"),
)
def _(patch: Patch) -> None:
    """The tool is entered with arguments that the call record does not show."""

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        if not subject.step.tool.own:
            args = {name: f"{value} indeed" if isinstance(value, str) else value for name, value in args.items()}
        return original(run, subject, args, started)

    patch.around(INVOKED, invoked)


@miniature("results-made-up", breaks="CALL-20", also=("EVT-07",), seen_in="SC-01")
def _(patch: Patch) -> None:
    """Calls of witness.echo are recorded as ok, with an answer that nobody gave."""

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        if subject.step.tool.name == "witness.echo":
            return turns.Promise[Any]().keep(steps.Answer(args))
        return original(run, subject, args, started)

    patch.around(INVOKED, invoked)


@miniature("call-recorded-when-it-is-over", breaks="CALL-21")
def _(patch: Patch) -> None:
    """A call is recorded only together with its result, long after its tool was entered."""
    held: dict[str, Record] = {}

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind == "call":
            held[record["callId"]] = record
            return
        if kind == "result" and record["callId"] in held:
            original(journal, "call", held.pop(record["callId"]))
        original(journal, kind, record)

    patch.around(WRITE, write)


@miniature("call-in-a-run-of-its-own", breaks="CALL-03", also=("RES-03",))
def _(patch: Patch) -> None:
    """Every call record carries a run id that is not the run's."""
    patch.record("call", lambda record: record.update(runId=f"{record['runId']}-x"))


@miniature("every-call-cancellable", breaks="CALL-09", seen_in="SC-10")
def _(patch: Patch) -> None:
    """A call is recorded as cancellable although its tool is not."""
    patch.record("call", lambda record: record.update(cancellable=True))


@miniature("version-of-the-executor-differs-by-call", breaks="CALL-11")
def _(patch: Patch) -> None:
    """Each call names another version of the executor."""
    patch.record("call", lambda record: record.update(executorVersion=str(uuid4())))


@miniature("registry-version-counts-calls", breaks="CALL-12")
def _(patch: Patch) -> None:
    """Each call names another version of the registry."""
    patch.record("call", lambda record: record.update(toolRegistryVersion=str(uuid4())))


@miniature("risk-always-told-as-read-only", breaks="CALL-13")
def _(patch: Patch) -> None:
    """Calls that write are recorded as read-only."""
    patch.record("call", lambda record: record.update(riskLevel="read-only"))


@miniature("policy-snapshot-is-another", breaks="CALL-17", also=("LOG-10",))
def _(patch: Patch) -> None:
    """Calls carry another policy than the run was given."""
    patch.record("call", lambda record: record["policy"]["limits"].update(maxCalls=1000))


@miniature("timeout-as-text", breaks="CALL-18")
def _(patch: Patch) -> None:
    """The timeout of a call is written as text."""

    def change(record: Record) -> None:
        if "timeoutMs" in record:
            record["timeoutMs"] = str(record["timeoutMs"])

    patch.record("call", change)
