"""Events joined with their calls: those of one call in their one order, and no more calls open than permitted."""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import Event
from callproof.auditing.prover.unproved import Unproved, demand, is_modest

_CLOSED_BY: Final = {
    "ok": "step.finished",
    "skipped": "step.finished",
    "error": "step.failed",
    "timeout": "step.failed",
    "cancelled": "step.failed",
}


def join_events(case: Case, events: list[Event]) -> None:
    """Every event belongs to the run, to a call, or to a step, and stands in its order."""
    run_id = case.run_id
    open_calls, limit = 0, case.policy.max_concurrency
    case.texts += {event.message for event in events}
    case.met |= f.SEVERAL_EVENTS if len(events) > 1 else 0
    for line, event in enumerate(events):
        if event.run_id != run_id:
            raise Unproved("an event of another run")
        if event.payload is not UNSET:
            case.met |= f.PAYLOAD
            demand(is_modest(event.payload), "a large payload")
        if event.call_id is not UNSET:
            open_calls += _join_event(case, line, event)
            if open_calls > limit:
                raise Unproved("more calls at once than permitted")
        elif event.type.startswith("step."):
            _join_untied(case, event)
        else:
            case.events.setdefault(event.type, []).append((line, event))


def _join_untied(case: Case, event: Event) -> None:
    """An event of a step, and of no call: only a loop's, or an empty loop's (A81)."""
    demand(event.type in ("step.scheduled", "step.finished"), "an event that names no call")
    case.met |= f.STEP_EVENT
    case.untied.append(event)
    if event.type == "step.scheduled":
        case.scheduled.append(event)


def _join_event(case: Case, line: int, event: Event) -> int:
    """One event of a call; how many calls more are open after it."""
    seen = case.seen.get(event.call_id)  # type: ignore[arg-type]
    if seen is None or seen.closed >= 0:
        raise Unproved("an event of no call, or after the closing one")
    if event.step_id is not UNSET and event.step_id != seen.step.id:
        raise Unproved("an event of another step")
    if event.tool is not UNSET and event.tool != seen.tool.name:
        raise Unproved("an event of another tool")
    seen.shown = True
    kind = event.type
    if kind == "step.started":
        demand(seen.started < 0 and seen.call is not None, "started twice, or never built")
        seen.started, seen.beginning = line, event
        return 1
    if kind == "step.finished" or kind == "step.failed":  # noqa: PLR1714  this is done for every event
        _close(seen, line, event)
        return -1 if seen.started >= 0 else 0
    if kind == "step.scheduled":
        demand(seen.started < 0, "scheduled after it started")
        case.scheduled.append(event)
    else:
        demand(kind == "step.progress" and seen.started >= 0, "progress before the start, or the run's event of a call")
    return 0


def _close(seen: Seen, line: int, event: Event) -> None:
    status = seen.result.status
    seen.closed, seen.closing = line, event
    if event.type != _CLOSED_BY[status] or event.timestamp < seen.result.ended_at:
        raise Unproved("another closing event than the result's, or one before it")
    if event.payload is not UNSET:
        demand(event.payload.get("status", status) in (status, None) and "data" not in event.payload, "a payload")
