"""Whether a failure may have stopped another call, as a result with the reason ``sibling_failed`` says (CANC-09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf
from typing import TypeAlias

from callproof.checks.members import under_any
from callproof.trace.once import once_a_run
from callproof.trace.outputs import skipped_without_its_tool
from callproof.trace.records import CROSS_FILE_TOLERANCE_NS, Record
from callproof.trace.run import Attempt, LogicalCall, Run
from callproof.values.instants import Instant
from callproof.values.jsonvalue import is_object

SIBLING_FAILED = "sibling_failed"

_FAILED = frozenset({"error", "timeout"})


def blames_a_sibling(result: Record) -> bool:
    """Whether a result gives the reason that another call failed."""
    details = (result.object("error") or {}).get("details")
    reason = details.get("reason") if is_object(details) else None
    return reason == SIBLING_FAILED and not under_any("/error/details/reason", result.redacted)


def may_have_been_stopped(run: Run, attempt: Attempt) -> bool:
    """Whether another call may have failed for good, and stopped others, by the end of this one."""
    earliest = next((moment for moment, other in _possible_stops(run) if other is not attempt), inf)
    ended = attempt.result.ended if attempt.result is not None else None
    latest = inf if ended is None else ended.nanoseconds + ended.resolution + CROSS_FILE_TOLERANCE_NS
    return earliest < inf and earliest <= latest


# The earliest moment at which something may have stopped others, in ns, and its call, if that was built.
_Stop: TypeAlias = "tuple[float, Attempt | None]"


@once_a_run
def _possible_stops(run: Run) -> tuple[_Stop, ...]:
    """Everything that may have failed for good and stopped other calls, in the order of the moments."""
    return tuple(sorted((*_stops_of_calls(run), *_stops_without_a_call(run)), key=lambda stop: stop[0]))


def _stops_of_calls(run: Run) -> Iterator[_Stop]:
    for attempt in run.attempts:
        if _was_tried_again(_logical_call(run).get(id(attempt)), attempt):
            continue
        if attempt.result is None:
            yield -inf, attempt  # it may have failed at any moment
        for each in (*attempt.results, *attempt.events_of("step.failed")):
            if _may_have_failed(run, each) and _may_stop(run, attempt.call, each):
                yield _earliest(each.moment), attempt


def _stops_without_a_call(run: Run) -> Iterator[_Stop]:
    """Those of steps that were never built, and of events whose call has no record."""
    events = (each for each in run.events_of("step.failed") if each.call_id not in run.attempt_by_call_id)
    for each in (*run.unbuilt, *events):
        if _may_have_failed(run, each) and _may_stop(run, each):
            yield _earliest(each.moment), None


@once_a_run
def _logical_call(run: Run) -> Mapping[int, LogicalCall]:
    """The logical call of each attempt, by identity."""
    return {id(each): logical for logical in run.logical_calls for each in logical.attempts}


def _was_tried_again(logical: LogicalCall | None, attempt: Attempt) -> bool:
    """Whether a later attempt followed, so that a failure of this one was not final (DEP-06)."""
    others = logical.attempts if logical is not None else ()
    return any((each.number or 0) > (attempt.number or inf) for each in others)


def _may_have_failed(run: Run, told: Record) -> bool:
    """Whether a result or an event of a failure may tell of one: not if the call was stopped by another one itself."""
    if told.text("type") is not None:
        status = (told.object("payload") or {}).get("status")
        return status in _FAILED or run.attempt_by_call_id.get(told.call_id or "") is None
    if told.is_redacted_in("status"):
        return True
    match told.text("status"):
        case "ok":
            return False
        case "skipped":
            return skipped_without_its_tool(told, run)
        case "cancelled":
            return not blames_a_sibling(told)  # it is unknown what a call stopped that a person or a limit had ended
        case _:
            return True


def _may_stop(run: Run, *records: Record) -> bool:
    """Whether a failure of the step of these records may have stopped others: not if all name steps that say skip."""
    steps = [run.step(each.step_id) for each in records if each.step_id is not None]
    return not steps or any(step is None or step.on_error != "skip" for step in steps)


def _earliest(moment: Instant | None) -> float:
    return -inf if moment is None else moment.nanoseconds - moment.resolution
