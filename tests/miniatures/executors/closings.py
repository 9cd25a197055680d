"""RES, RETRY, CANC and TIME: calls that are closed at the wrong moment, twice, or with the wrong error."""

from __future__ import annotations

from typing import Any

from miniatures.miniature import miniature
from miniatures.points import (
    ATTEMPT,
    DISPATCHED,
    INVALID,
    INVOKED,
    RECORD_RESULT,
    REPORTED,
    SKIP,
    Patch,
    Record,
    changed,
)


@miniature("late-answers-are-recorded", breaks="RES-20", also=("CANC-08", "EVT-05", "EVT-08", "LOG-07", "RES-01"))
def _(patch: Patch) -> None:
    """An answer that comes after its call has timed out or was cancelled is recorded as a second result."""
    closed: dict[str, Any] = {}

    def invoked(original: Any, run: Any, subject: Any, args: Record, started: int) -> Any:
        answer = original(run, subject, args, started)
        answer.when_kept(lambda: late(run, subject, answer.value.output))
        return answer

    def late(run: Any, subject: Any, data: Any) -> None:
        if subject.call_id in closed and data is not None:
            ending, now = closed[subject.call_id], run.clock.now()
            run.records.result(subject, ending._replace(status="ok", ended=now, data=data, error=None))

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        if ending.status in ("timeout", "cancelled"):
            closed[subject.call_id] = ending
        return ending

    patch.around(INVOKED, invoked)
    patch.around(DISPATCHED, dispatched)


@miniature("skipping-takes-a-while", breaks="RES-19")
def _(patch: Patch) -> None:
    """A skipped step is recorded as having lasted five milliseconds."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        ending = ending._replace(ended=ending.ended + 5) if ending.status == "skipped" else ending
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature("skipped-and-called-all-the-same", breaks="RES-19", also=("CALL-21", "DEP-02", "DEP-03"))
def _(patch: Patch) -> None:
    """A step whose dependency failed is recorded as skipped, but its tool is entered."""
    skipping: list[Any] = []

    def skip(original: Any, run: Any, subject: Any, message: str, reason: str) -> Any:
        calls = reason == "dependency" and not subject.step.tool.own and not run.cancelled.kept
        skipping[:] = [run] if calls else []
        return original(run, subject, message, reason)

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        original(records, subject, ending, **how)
        if ending.status == "skipped" and skipping:
            (run,) = skipping
            run.host.ask("tool/invoke", run.about(subject, tool=subject.step.tool.name, args={}))

    patch.around(SKIP, skip)
    patch.around(RECORD_RESULT, result)


@miniature("the-first-try-lasts-into-the-second", breaks="RETRY-08", also=("EVT-10", "TIME-13"))
def _(patch: Patch) -> None:
    """An attempt that will be repeated is recorded as ended ten seconds later than it did."""

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        if how.get("retry_due") and ending.status == "error":
            ending = ending._replace(ended=ending.ended + 10_000)
        original(records, subject, ending, **how)

    patch.around(RECORD_RESULT, result)


@miniature(
    "cancelled-means-again", breaks="RETRY-07", also=("CANC-11", "CANC-01", "RETRY-03", "RETRY-19"), seen_in="SC-10"
)
def _(patch: Patch) -> None:
    """A call that was cancelled while it was open gets one attempt more."""
    later: dict[str, Any] = {}

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        if ending.status == "cancelled" and ending.ended > ending.started:
            run.records.result(subject, ending)
            later[subject.call_id] = subject.fresh(subject.attempt + 1)
            return await original(run, later[subject.call_id], args)
        return ending

    def result(original: Any, records: Any, subject: Any, ending: Any, **how: Any) -> None:
        original(records, later.pop(subject.call_id, subject), ending, **how)

    patch.around(ATTEMPT, attempt)
    patch.around(RECORD_RESULT, result)


@miniature("attempts-share-their-time", breaks="RETRY-13", also=("TIME-02", "TIME-03"))
def _(patch: Patch) -> None:
    """The time limit of a call counts from its first attempt, not for each attempt anew."""
    began: dict[tuple[str, str, int], int] = {}

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        step = subject.step
        place = run.id, step.id, (subject.iteration or {}).get("index", -1)
        used = run.clock.now() - began.setdefault(place, run.clock.now())
        if step.timeout_ms is not None and used:
            subject = subject._replace(step=changed(step, timeout_ms=max(1, step.timeout_ms - used)))
        return await original(run, subject, args)

    patch.around(DISPATCHED, dispatched)


@miniature("deadlines-are-wishes", breaks="TIME-12", also=("TIME-01",), seen_in="SC-09/far-over")
def _(patch: Patch) -> None:
    """A call with a deadline gets twenty times as long."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        step = subject.step
        if step.timeout_ms is not None:
            subject = subject._replace(step=changed(step, timeout_ms=20 * step.timeout_ms))
        return await original(run, subject, args)

    patch.around(DISPATCHED, dispatched)


@miniature("siblings-stopped-without-a-word", breaks="CANC-09")
def _(patch: Patch) -> None:
    """A call that is at work when another one stops the run ends cancelled, and does not say why."""

    async def dispatched(original: Any, run: Any, subject: Any, args: Record) -> Any:
        ending = await original(run, subject, args)
        if ending.ok and run.halted.kept and not run.cancelled.kept:
            error = {"code": "CANCELLED", "message": "the call was cancelled"}
            return ending._replace(status="cancelled", data=None, error=error)
        return ending

    patch.around(DISPATCHED, dispatched)


@miniature("words-of-the-tool-are-lost", breaks="ERR-09")
def _(patch: Patch) -> None:
    """A code that the executor does not know becomes INTERNAL_ERROR, and no record keeps what it was."""

    def reported(original: Any, told: Record) -> Any:
        found = original(told)
        if "toolCode" in found.get("details", {}):
            return {name: found[name] for name in ("code", "retryable") if name in found} | {"message": "it failed"}
        return found

    patch.around(REPORTED, reported)


@miniature("words-of-the-tool-in-the-message", breaks="ERR-09")
def _(patch: Patch) -> None:
    """A code that the executor does not know is put into the message for people, where no program finds it."""

    def reported(original: Any, told: Record) -> Any:
        found = original(told)
        details = dict(found.get("details", {}))
        own = details.pop("toolCode", None)
        return found if own is None else {**found, "message": f"{own}: {found['message']}", "details": details}

    patch.around(REPORTED, reported)


@miniature(
    "second-attempts-go-unchecked",
    breaks="RETRY-16",
    also=("LOG-06", "REF-14", "REF-27", "RETRY-09", "VAL-01"),
    seen_in="SC-05/own-budgets",
)
def _(patch: Patch) -> None:
    """Later attempts get one more argument, which the tool does not take, and their arguments are not checked."""
    unchecked: list[Record] = []

    async def attempt(original: Any, run: Any, subject: Any, args: Record) -> Any:
        if subject.attempt > 1:
            args = {**args, "again": True}
            unchecked.append(args)
        return await original(run, subject, args)

    patch.around(ATTEMPT, attempt)
    patch.around(INVALID, lambda original, tool, args: None if args in unchecked else original(tool, args))


@miniature("the-user-did-it", breaks="CANC-09", seen_in="SC-20")
def _(patch: Patch) -> None:
    """Whatever stopped a call, its result gives the user as the reason."""

    def change(record: Record) -> None:
        if record["status"] == "cancelled":
            record["error"] = {**record["error"], "details": {"reason": "user"}}

    patch.record("result", change)
