"""TIME: limits that do not limit, and times that are not true."""

from __future__ import annotations

from typing import Any

from callproof_reference.turns import rfc3339

from miniatures.miniature import miniature
from miniatures.points import (
    DISPATCHED,
    GIVEN_UP,
    LOGICAL_CALL,
    RECORD_CALL,
    RECORD_RESULT,
    STEP,
    Patch,
    Record,
    changed,
)


@miniature("ten-times-the-limit", breaks="TIME-01", also=("TIME-12",))
def _(patch: Patch) -> None:
    """A call is closed only when ten times its limit has passed."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        step = subject.step
        if step.timeout_ms is not None:
            subject = subject._replace(step=changed(step, timeout_ms=10 * step.timeout_ms))
        return await original(run, subject, args)

    patch.around(DISPATCHED, dispatched)


@miniature("limits-are-for-others", breaks="TIME-01", also=("DEP-12", "TIME-12"), seen_in="SC-09/silent")
def _(patch: Patch) -> None:
    """A call is open for as long as its tool likes."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        return await original(run, subject._replace(step=changed(subject.step, timeout_ms=None)), args)

    patch.around(DISPATCHED, dispatched)


@miniature("a-timeout-told-as-a-cancellation", breaks="TIME-01")
def _(patch: Patch) -> None:
    """A cancellable call that runs out of time ends as cancelled, with a reason of the executor's own."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        if ending.status != "timeout" or not subject.step.tool.cancellable:
            return ending
        why = {"code": "CANCELLED", "message": "context deadline exceeded", "details": {"reason": "deadline_exceeded"}}
        return ending._replace(status="cancelled", error={**why, "retryable": False})

    patch.around(DISPATCHED, dispatched)


@miniature("in-time-is-too-late", breaks="TIME-02", also=("RETRY-13", "TIME-03"))
def _(patch: Patch) -> None:
    """A call that needs more than half of its limit is reported as timed out."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        step = subject.step
        if step.timeout_ms is not None:
            subject = subject._replace(step=changed(step, timeout_ms=max(1, step.timeout_ms // 2)))
        return await original(run, subject, args)

    patch.around(DISPATCHED, dispatched)


@miniature("timed-out-and-left-running", breaks="TIME-04")
def _(patch: Patch) -> None:
    """A tool whose call has timed out is not told to stop."""

    async def given_up(original: Any, run: Any, subject: Any, answer: Any, reason: str) -> Any:
        if reason == "timeout":
            return answer.value.effects if answer.kept else None
        return await original(run, subject, answer, reason)

    patch.around(GIVEN_UP, given_up)


@miniature("made-after-it-had-started", breaks="TIME-06", also=("CALL-19",))
def _(patch: Patch) -> None:
    """A call says that it was created an hour after its tool was entered."""
    patch.record("call", lambda record: record.update(createdAt=record["createdAt"].replace("T00:", "T01:")))


@miniature("durations-in-seconds", breaks="TIME-07")
def _(patch: Patch) -> None:
    """The duration of a successful call counts seconds."""

    def change(record: Record) -> None:
        if record["status"] == "ok":
            record["durationMs"] /= 1000

    patch.record("result", change)


@miniature("time-without-a-place", breaks="TIME-09")
def _(patch: Patch) -> None:
    """Results are stamped without an offset."""

    def change(record: Record) -> None:
        record["endedAt"] = record["endedAt"].removesuffix("Z")

    patch.record("result", change)


@miniature("as-long-as-the-plan-likes", breaks="TIME-10", also=("TIME-01",))
def _(patch: Patch) -> None:
    """The policy's limit on timeouts does not lower the plan's."""

    def step(original: Any, source: Record, links: Any) -> Any:
        found = original(source, links)
        return changed(found, timeout_ms=source.get("timeoutMs", found.timeout_ms))

    patch.around(STEP, step)


@miniature("a-timeout-ends-the-run", breaks="TIME-11", also=("DEP-05",))
def _(patch: Patch) -> None:
    """A call that times out stops the run, whatever the step says about errors."""

    async def logical_call(original: Any, run: Any, subject: Any) -> Any:
        ending = await original(run, subject)
        if ending.status == "timeout":
            run.halted.keep("a call timed out")
        return ending

    patch.around(LOGICAL_CALL, logical_call)


@miniature("queueing-counts-as-working", breaks="TIME-03", also=("RETRY-13", "TIME-02"))
def _(patch: Patch) -> None:
    """The time limit of a call counts from the moment at which the call was recorded."""

    made: dict[str, int] = {}

    def call(original: Any, records: Any, subject: Any, *rest: Any) -> None:
        original(records, subject, *rest)
        made[subject.call_id] = records._run.clock.now()

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        step = subject.step
        waited = run.clock.now() - made[subject.call_id]
        if step.timeout_ms is not None and waited:
            subject = subject._replace(step=changed(step, timeout_ms=max(1, step.timeout_ms - waited)))
        return await original(run, subject, args)

    patch.around(RECORD_CALL, call)
    patch.around(DISPATCHED, dispatched)


@miniature("what-a-timeout-left-is-not-told", breaks="TIME-05", also=("EFF-10",), seen_in="SC-18")
def _(patch: Patch) -> None:
    """What a timed-out call had changed is left out of its result."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        ending = ending._replace(effects=None) if ending.status == "timeout" else ending
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("what-waits-has-no-deadline", breaks="TIME-12", seen_in="SC-10/waits-past-its-limit")
def _(patch: Patch) -> None:
    """A call that waits for its turn states a deadline, but is not closed when that deadline has come."""

    def call(original: Any, records: Any, subject: Any, *rest: Any) -> None:
        limit, (args, preview, extra) = subject.step.timeout_ms, rest
        if limit is not None and limit < 60_000:
            extra = {**extra, "deadlineAt": rfc3339(records._run.clock.now() + limit)}
        original(records, subject, args, preview, extra)

    patch.around(RECORD_CALL, call)
