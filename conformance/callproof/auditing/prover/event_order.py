"""Events joined with their calls: those of one call in their one order, and no more calls open than permitted."""

from __future__ import annotations

from itertools import accumulate, compress, repeat
from operator import attrgetter, is_not, le, not_
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


_CLOSING: Final = frozenset({"step.finished", "step.failed"})
_BESIDE: Final = frozenset({"step.scheduled", "step.progress"})
_OF_CALLS: Final = _CLOSING | _BESIDE | {"step.started"}
_OPENS: Final = {"step.started": 1, "step.finished": -1, "step.failed": -1}
_ABOUT: Final = attrgetter("call_id", "step_id", "tool")
_PLACED: Final = attrgetter("call_id", "type")
_RUN_ID: Final = attrgetter("run_id")
_MESSAGE: Final = attrgetter("message")
_CLOSING_TYPE: Final = attrgetter("closing.type")
_CLOSED_AT: Final = attrgetter("closing.timestamp")
_STATUS: Final = attrgetter("status")
_ENDED: Final = attrgetter("ended_at")


def join_events(case: Case, events: list[Event]) -> None:
    """Every event belongs to the run, to a call, or to a step, and stands in its order."""
    case.texts += set(map(_MESSAGE, events))
    case.met |= f.SEVERAL_EVENTS if len(events) > 1 else 0
    if set(map(_RUN_ID, events)) != {case.run_id}:
        raise Unproved("an event of another run")
    calls = case.seen
    for call_id, step_id, tool in set(map(_ABOUT, events)):
        if call_id is not UNSET:
            seen = calls.get(call_id)
            if seen is None or step_id not in (seen.step.id, UNSET) or tool not in (seen.tool.name, UNSET):
                raise Unproved("an event of no call, of another step or of another tool")
    _join_in_order(case, events)
    _prove_closed(case)


def _join_in_order(case: Case, events: list[Event]) -> None:
    """Between the start of a call and its closing event nothing else begins it, and nothing comes after."""
    calls, lines = case.seen, range(len(events))
    ids, kinds = zip(*map(_PLACED, events))
    tied = list(map(is_not, ids, repeat(UNSET)))
    for line in compress(lines, map(not_, tied)):
        _join_untied(case, line, events[line])
    if not _OF_CALLS.issuperset(compress(kinds, tied)):
        raise Unproved("the run's event of a call")
    # An event without a call is none of these two, but may be a step.finished.
    for line in compress(lines, map("step.started".__eq__, kinds)):
        seen = calls[ids[line]]
        if seen.started >= 0 or seen.call is None:
            raise Unproved("started twice, or never built")
        seen.started = line
        seen.beginning = events[line]
    closing = [line for line in compress(lines, map(_CLOSING.__contains__, kinds)) if tied[line]]
    for line in closing:
        seen = calls[ids[line]]
        if seen.closed >= 0 or seen.started > line:
            raise Unproved("closed twice, or before it started")
        seen.closed = line
        seen.closing = events[line]
    for line in (line for line in compress(lines, map(_BESIDE.__contains__, kinds)) if tied[line]):
        _join_beside(case, calls[ids[line]], line, events[line])
    _prove_concurrency(case, kinds, len(closing))


def _join_beside(case: Case, seen: Seen, line: int, event: Event) -> None:
    """A call is scheduled before it starts, and tells of its progress after that; nothing comes after the end."""
    if 0 <= seen.closed < line:
        raise Unproved("an event after the closing one")
    started = 0 <= seen.started < line
    if started is (event.type == "step.scheduled"):
        raise Unproved("scheduled after it started, or progress before")
    if not started:
        case.scheduled.append(event)
        seen.shown = True


def _prove_concurrency(case: Case, kinds: tuple[str, ...], closed: int) -> None:
    """No more calls are open at once than the policy permits (DEP-14)."""
    limit, began = case.policy.max_concurrency, kinds.count("step.started")
    if began <= limit:
        return
    both = len([None for each in case.seen.values() if each.started >= 0 and each.closed >= 0])
    if both == began == closed == sum(map(_CLOSING.__contains__, kinds)):
        # Every call that began was closed, and no other was: each closing event closes one that is open.
        if max(accumulate(map(_OPENS.get, kinds, repeat(0)))) > limit:
            raise Unproved("more calls at once than permitted")
        return
    opens = dict.fromkeys([each.started for each in case.seen.values()], 1)
    opens |= dict.fromkeys([each.closed for each in case.seen.values() if each.started >= 0], -1)
    opens.pop(-1, None)
    demand(max(accumulate([opens[line] for line in sorted(opens)])) <= limit, "more calls at once than permitted")


def _prove_closed(case: Case) -> None:
    """A closing event is the one of the result's status, does not come before its end, and repeats no data."""
    closed = [each for each in case.seen.values() if each.closed >= 0]
    if list(map(_CLOSING_TYPE, closed)) != list(map(_CLOSED_BY.get, map(_STATUS, closed))):
        raise Unproved("another closing event than the result's")
    if not all(map(le, map(_ENDED, closed), map(_CLOSED_AT, closed))):
        raise Unproved("a closing event before the end")
    for seen in closed:
        seen.shown = True
        payload: Any = seen.closing.payload if seen.closing is not None else UNSET
        if payload is not UNSET:
            told = payload.get("status")
            if (told is not None and told != seen.status) or "data" in payload:
                raise Unproved("a payload")


def _join_untied(case: Case, line: int, event: Event) -> None:
    """An event of the run; or of a step, and of no call: only a loop's, or an empty loop's (A81)."""
    if not event.type.startswith("step."):
        case.events.setdefault(event.type, []).append((line, event))
        return
    demand(event.type in ("step.scheduled", "step.finished"), "an event that names no call")
    case.met |= f.STEP_EVENT
    case.untied.append(event)
    if event.type == "step.scheduled":
        case.scheduled.append(event)
