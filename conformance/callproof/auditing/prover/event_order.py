"""Joins events with their calls: those of one call in their one order, and no more calls open than permitted."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import Event
from callproof.auditing.prover.unproved import Unproved, demand

_CLOSED_BY: Final = {
    "ok": "step.finished",
    "skipped": "step.finished",
    "error": "step.failed",
    "timeout": "step.failed",
    "cancelled": "step.failed",
}


def join_events(case: Case, events: list[Event]) -> None:  # noqa: C901, PLR0912  one pass: most records are events
    """Every event belongs to the run, to a call, or to a step, and stands in its order."""
    run_id, calls, scheduled = case.run_id, case.seen, case.scheduled
    open_calls, limit = 0, case.policy.max_concurrency
    _prove_growing([event.seq for event in events if event.seq is not UNSET])
    case.texts += {event.message for event in events}
    case.met |= f.SEVERAL_EVENTS if len(events) > 1 else 0
    for line, event in enumerate(events):
        call_id, kind, step_id, tool = event.call_id, event.type, event.step_id, event.tool
        if event.run_id != run_id:
            raise Unproved("an event of another run")
        if call_id is UNSET:
            _join_untied(case, line, event)
            continue
        seen = calls.get(call_id)
        if seen is None or seen.closed >= 0:
            raise Unproved("an event of no call, or after the closing one")
        if (step_id != seen.step.id and step_id is not UNSET) or (tool != seen.tool.name and tool is not UNSET):
            raise Unproved("an event of another step or of another tool")
        if kind == "step.started":
            if seen.started >= 0 or seen.call is None or open_calls >= limit:
                raise Unproved("started twice, or never built, or more calls at once than permitted")
            seen.started = line
            seen.beginning = event
            open_calls += 1
        elif kind == "step.scheduled":
            if seen.started >= 0:
                raise Unproved("scheduled after it started")
            scheduled.append(event)
            seen.shown = True
        elif kind == "step.progress":
            if seen.started < 0:
                raise Unproved("progress before the start")
            case.met |= f.SHOWN_ENTRY
        else:
            _close(seen, line, event)
            if seen.started >= 0:
                open_calls -= 1


def _prove_growing(numbers: list[Any]) -> None:
    """Hand over events whose numbers do not grow (EVT-15)."""
    demand(all(one < other for one, other in pairwise(numbers)), "a number that does not grow")


def _join_untied(case: Case, line: int, event: Event) -> None:
    """An event of the run, or of a step without a call: step.scheduled, and for a loop also step.finished (A81)."""
    if not event.type.startswith("step."):
        case.events.setdefault(event.type, []).append((line, event))
        return
    demand(event.type in ("step.scheduled", "step.finished"), "an event that names no call")
    step = case.plan.steps.get(event.step_id) if isinstance(event.step_id, str) else None
    demand(step is not None or event.step_id is UNSET, "an event of no step")
    demand(step is None or event.tool in (UNSET, step.tool.name), "an event of another tool than the step's")
    of_loop = step is None or step.loop is not None
    demand(of_loop or event.type == "step.scheduled", "the end of a step that is of no call")
    case.met |= f.STEP_EVENT
    case.untied.append(event)
    if event.type == "step.scheduled":
        case.scheduled.append(event)


def _close(seen: Seen, line: int, event: Event) -> None:
    """The closing event fits the result's status, does not come before its end, and repeats no data."""
    status, payload = seen.status, event.payload
    # An event of the run closes no call, so only the event of the status is accepted here.
    if event.type != _CLOSED_BY[status] or event.timestamp < seen.ended_at:
        raise Unproved("another closing event than the result's, or one before it")
    if payload is not UNSET:
        told = payload.get("status", status)
        if (told != status and told is not None) or "data" in payload:
            raise Unproved("a payload")
    seen.closed = line
    seen.closing = event
    seen.shown = True
