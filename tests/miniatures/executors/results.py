"""RES: results that do not say what became of the call."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from callproof_reference.values import error

from miniatures.miniature import miniature
from miniatures.points import (
    DISPATCHED,
    OUTPUT,
    RECORD_RESULT,
    WRITE,
    Patch,
    Record,
)


@miniature("result-says-ok-on-failure", breaks="RES-05")
def _(patch: Patch) -> None:
    """Every result says ok, whatever became of the call."""
    patch.record("result", lambda record: record.update(ok=True))


@miniature("second-result", breaks="RES-01", also=("LOG-07",))
def _(patch: Patch) -> None:
    """Every successful result is written twice."""

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        original(journal, kind, record)
        if kind == "result" and record["status"] == "ok":
            original(journal, kind, record)

    patch.around(WRITE, write)


@miniature("result-names-the-first-attempt", breaks="RES-03", also=("RETRY-14",))
def _(patch: Patch) -> None:
    """Every result says that it is of attempt 1."""
    patch.record("result", lambda record: record.update(attempt=1))


@miniature("tool-output-taken-as-it-comes", breaks="RES-07", also=("VAL-07",))
def _(patch: Patch) -> None:
    """Output that breaks the tool's own schema is passed on as data."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        if problem and problem["details"]["reason"] == "output_schema" and isinstance(output, dict):
            return None, deepcopy(output)
        return problem, data

    patch.around(OUTPUT, judged)


@miniature("failure-with-data", breaks="RES-08")
def _(patch: Patch) -> None:
    """A failed call has data beside its error."""

    def change(record: Record) -> None:
        if record["status"] == "error":
            record["data"] = {}

    patch.record("result", change)


@miniature("timeout-with-a-general-code", breaks="RES-12", also=("ERR-10",))
def _(patch: Patch) -> None:
    """A timed-out call carries INTERNAL_ERROR."""

    def change(record: Record) -> None:
        if record["status"] == "timeout":
            record["error"]["code"] = "INTERNAL_ERROR"

    patch.record("result", change)


@miniature("tool-may-speak-of-timeouts", breaks="RES-13", seen_in="SC-22/tells-timeout")
def _(patch: Patch) -> None:
    """A tool's own code TIMEOUT stands on a result of status error."""

    def change(record: Record) -> None:
        if record["status"] == "error":
            record["error"]["code"] = record["error"].get("details", {}).get("toolCode", record["error"]["code"])

    patch.record("result", change)


@miniature("word-of-the-tool-on-retries-lost", breaks="RES-16", also=("RETRY-11",))
def _(patch: Patch) -> None:
    """The tool says whether a retry makes sense, but the record leaves it out."""

    def change(record: Record) -> None:
        record.get("error", {}).pop("retryable", None)

    patch.record("result", change)


@miniature("output-is-tidied-up", breaks="RES-21", also=("LOG-12", "REF-01", "REF-21"), seen_in="SC-12/minLength")
def _(patch: Patch) -> None:
    """Text that a tool returns is trimmed before it becomes data."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        if data is None:
            return problem, None
        return problem, {name: text.strip() if isinstance(text, str) else text for name, text in data.items()}

    patch.around(OUTPUT, judged)


@miniature("siblings-swap-their-answers", breaks="RES-23", seen_in="SC-05/clamped")
def _(patch: Patch) -> None:
    """Of two calls that are open at once, and that no step reads, one gets the output of the other."""
    open_calls: list[str] = []
    first: list[Any] = []

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        if any(subject.step.id in step.needs for step in run.plan.steps):
            return await original(run, subject, args)
        open_calls.append(subject.call_id)
        ending = await original(run, subject, args)
        open_calls.remove(subject.call_id)
        if ending.ok and first and first[0].data.keys() == ending.data.keys() and first[1] == run.id:
            ending = ending._replace(data=first[0].data)
        first[:] = [ending, run.id] if ending.ok and open_calls else []
        return ending

    patch.around(DISPATCHED, dispatched)


@miniature("success-with-a-null-error", breaks="RES-25")
def _(patch: Patch) -> None:
    """A successful result carries error: null."""

    def change(record: Record) -> None:
        if record["status"] == "ok":
            record["error"] = None

    patch.record("result", change)


@miniature("success-without-data", breaks="RES-06", also=("RES-21",))
def _(patch: Patch) -> None:
    """The result of a tool without output has no data."""

    def change(record: Record) -> None:
        if record.get("data") == {}:
            del record["data"]

    patch.record("result", change)


@miniature("first-failure-has-no-result", breaks="RES-01", also=("LOG-07",))
def _(patch: Patch) -> None:
    """An attempt that the tool itself calls retryable gets no result."""
    mute: list[bool] = []

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if how.get("retry_due") and ending.error.get("retryable"):
            mute.append(True)
        original(records, subject, ending, **how)

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind != "result" or not mute:
            original(journal, kind, record)
        mute.clear()

    patch.around(RECORD_RESULT, result)
    patch.around(WRITE, write)


@miniature("conflict-counts-as-done", breaks="RES-21", seen_in="SC-22")
def _(patch: Patch) -> None:
    """A tool that reports a conflict, and has nothing to return, counts as done."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        tool = subject.step.tool
        if ending.error is None or ending.error["code"] != "CONFLICT" or tool.own or tool.returns.errors({}):
            return ending
        return ending._replace(status="ok", data={}, error=None)

    patch.around(DISPATCHED, dispatched)


@miniature("null-is-no-output", breaks="RES-21", seen_in="SC-13/without-output")
def _(patch: Patch) -> None:
    """A tool that returns nothing is said to have broken its schema."""

    def judged(original: Any, tool: Any, output: Any) -> Any:
        if output is None:
            why = error("INTERNAL_ERROR", f"{tool.name} gave no output", "output_schema")
            return {**why, "retryable": False}, None
        return original(tool, output)

    patch.around(OUTPUT, judged)


@miniature("a-second-thought-withdraws-the-work", breaks="RES-21", seen_in="SC-05")
def _(patch: Patch) -> None:
    """In a loop the second item's call is recorded as cancelled although its tool has returned."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        second = subject.iteration is not None and subject.iteration["index"] == 1
        if second and ending.ok and not run.halted.kept:
            why = error("CANCELLED", "the call was cancelled", "second_thought")
            return ending._replace(status="cancelled", data=None, error=why)
        return ending

    patch.around(DISPATCHED, dispatched)
