"""RES: results that are not what became of the call."""

from __future__ import annotations

from collections import defaultdict
from copy import deepcopy
from dataclasses import replace
from typing import Any

from miniatures.miniature import miniature
from miniatures.points import GIVEN_UP, OUTPUT, RECORD_RESULT, SUITE_ANSWER, WRITE, Patch, Record


@miniature("result-says-ok-on-failure", breaks="RES-05")
def _(patch: Patch) -> None:
    """Every result says ok, whatever became of the call."""
    patch.record("result", lambda record: record.update(ok=True))


@miniature("second-result", breaks="RES-01")
def _(patch: Patch) -> None:
    """Every result is written twice."""

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        original(journal, kind, record)
        if kind == "result" and record["status"] == "ok":
            original(journal, kind, record)

    patch.around(WRITE, write)


@miniature("result-of-an-unknown-call", breaks="RES-02")
def _(patch: Patch) -> None:
    """A successful result carries a call id that no call has."""

    def change(record: Record) -> None:
        if record["status"] == "ok":
            record["callId"] = f"{record['callId']}-x"

    patch.record("result", change)


@miniature("result-names-the-first-attempt", breaks="RES-03")
def _(patch: Patch) -> None:
    """Every result says that it is of attempt 1."""
    patch.record("result", lambda record: record.update(attempt=1))


@miniature("status-in-american", breaks="RES-04")
def _(patch: Patch) -> None:
    """A cancelled call has the status canceled."""

    def change(record: Record) -> None:
        if record["status"] == "cancelled":
            record["status"] = "canceled"

    patch.record("result", change)


@miniature("tool-output-taken-as-it-comes", breaks="RES-07")
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


@miniature("timeout-with-a-general-code", breaks="RES-12")
def _(patch: Patch) -> None:
    """A timed-out call carries INTERNAL_ERROR."""

    def change(record: Record) -> None:
        if record["status"] == "timeout":
            record["error"]["code"] = "INTERNAL_ERROR"

    patch.record("result", change)


@miniature("tool-may-speak-of-timeouts", breaks="RES-13")
def _(patch: Patch) -> None:
    """A tool's own word TIMEOUT stands on a result of status error."""

    def change(record: Record) -> None:
        if record["status"] == "error":
            record["error"]["code"] = record["error"].get("details", {}).get("toolCode", record["error"]["code"])

    patch.record("result", change)


@miniature("word-of-the-tool-on-retries-lost", breaks="RES-16")
def _(patch: Patch) -> None:
    """The tool says whether a retry makes sense, and the record leaves it out."""

    def change(record: Record) -> None:
        record.get("error", {}).pop("retryable", None)

    patch.record("result", change)


@miniature("late-answer-becomes-a-second-result", breaks="RES-20")
def _(patch: Patch) -> None:
    """An answer that comes after the timeout is recorded as another result of its call."""

    async def given_up(original: Any, run: Any, subject: Any, answer: Any, reason: str) -> Any:
        effects = await original(run, subject, answer, reason)

        def late() -> None:
            if not answer.value.error and answer.value.output is not None:
                ending = Late(run.clock.now(), answer.value.output)
                run.records.result(subject, ending.as_ok())

        if not answer.kept:
            answer.when_kept(late)
        return effects

    patch.around(GIVEN_UP, given_up)


@miniature("output-is-tidied-up", breaks="RES-21")
def _(patch: Patch) -> None:
    """Text that a tool returns is trimmed before it becomes data."""

    def tidy(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: tidy(member) for name, member in value.items()}
        if isinstance(value, list):
            return [tidy(element) for element in value]
        return value.replace("  ", " ").strip() if isinstance(value, str) else value

    def judged(original: Any, tool: Any, output: Any) -> Any:
        problem, data = original(tool, output)
        return problem, tidy(data)

    patch.around(OUTPUT, judged)


@miniature("siblings-swap-their-answers", breaks="RES-23")
def _(patch: Patch) -> None:
    """A call gets the output of the sibling that answered before it."""
    last: dict[str, Any] = {}

    def dispatched(original: Any, message: Record) -> Any:
        answer = original(message)
        if answer.error is not None:
            return answer
        output, last["output"] = last.get("output", answer.output), answer.output
        same = isinstance(output, dict) and isinstance(answer.output, dict) and output.keys() == answer.output.keys()
        return replace(answer, output=output if same else answer.output)

    patch.around(SUITE_ANSWER, dispatched)


@miniature("success-with-a-null-error", breaks="RES-25")
def _(patch: Patch) -> None:
    """A successful result carries error: null."""

    def change(record: Record) -> None:
        if record["status"] == "ok":
            record["error"] = None

    patch.record("result", change)


@miniature("success-without-data", breaks="RES-06")
def _(patch: Patch) -> None:
    """A tool without output leaves its result without data."""

    def change(record: Record) -> None:
        if record.get("data") == {}:
            del record["data"]

    patch.record("result", change)


@miniature("envelope-inside-the-data", breaks="RES-24")
def _(patch: Patch) -> None:
    """The status of the result is repeated inside its data."""

    def change(record: Record) -> None:
        if record["status"] == "ok":
            record["data"]["status"] = "ok"

    patch.record("result", change)


@miniature("first-failure-has-no-result", breaks="RES-01", also=("LOG-07",))
def _(patch: Patch) -> None:
    """An attempt that is going to be repeated gets no result."""
    mute: dict[int, bool] = defaultdict(bool)

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        mute[id(records)] = how.get("retry_due", False)
        original(records, subject, ending, **how)
        mute[id(records)] = False

    def write(original: Any, journal: Any, kind: str, record: Record) -> None:
        if kind != "result" or not any(mute.values()):
            original(journal, kind, record)

    patch.around(RECORD_RESULT, result)
    patch.around(WRITE, write)


class Late:
    """An ending that comes too late."""

    def __init__(self, now: int, data: Any) -> None:
        self.now, self.data = now, data

    def as_ok(self) -> Any:
        """The ending of a call that went well."""
        from callproof_reference.records import Ending

        return Ending("ok", self.now, self.now, "It is done after all.", self.data)
