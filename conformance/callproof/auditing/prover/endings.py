"""How calls and the run ended: what calls waited for, what failures stopped, and the outcome."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter, le, sub
from typing import Final

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import Event
from callproof.auditing.prover.fates import FAILED, Outputs
from callproof.auditing.prover.following import Absent
from callproof.auditing.prover.loops import lacked_its_tool, needs_failed, was_empty
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.plans import LoopFacts
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.trace.cycles import greatest

_FAILURES: Final = frozenset({"error", "timeout"})
_ONLY_IF_ASKED: Final = frozenset({"NOT_FOUND", "CONFLICT"})
_NEVER_RETRIED: Final = frozenset({"VALIDATION_ERROR", "POLICY_DENIED", "CANCELLED"})
_GIVEN_UP: Final = frozenset({"cancelled", "skipped"})
_GRACE_MS: Final = 1_000
_SLACK_MS: Final = 50
_LONGEST_MS: Final = 10**15
# What is met in a call that ended ok: it was dispatched, and closed by the event that says so.
_TOOK_PLACE: Final = (f.EVIDENTLY_DISPATCHED | f.SHOWN_ENTRY | f.DISPATCHED | f.STARTED_AND_ANSWERED) | (
    f.STEP_EVENT | f.CALL_EVENT | f.SHOWN_RESULT | f.CLOSED
)


_BEGAN: Final = attrgetter("beginning.timestamp")
_STARTED: Final = attrgetter("started_at")
_LIMIT: Final = attrgetter("timeout_ms", "took", "status")


def ended_early(case: Case, failures: list[Seen]) -> bool:
    """Whether anything stopped or cancelled the run, or may have done so: without events this is unknown."""
    if not case.has_events or case.first("run.cancelled") is not None:
        return True
    if any(each.status == "error" and each.step.on_error != "skip" for each in case.unbuilt):
        return True
    return any(each.step.on_error != "skip" for each in failures)


def final_failures(case: Case) -> list[Seen]:
    """The last attempts of logical calls that failed or ran out of time."""
    return [attempts[-1] for attempts in case.logical.values() if attempts[-1].status in _FAILURES]


def prove_endings(case: Case, outputs: Outputs, failures: list[Seen], *, early: bool) -> None:
    """Calls waited for what they need, were closed, and stopped others only as the plan says."""
    ended = [each for each in case.calls if each.status == "ok"]
    if ended:
        _prove_took_place(case, ended)
    if len(ended) < len(case.calls):
        for seen in case.calls:
            if seen.status != "ok":
                _prove_closed(case, seen)
    dispatched = [each for each in case.calls if each.started >= 0]
    for seen in dispatched:
        if seen.step.needs:
            _prove_waited(case, seen, outputs)
    _prove_limits(case, dispatched)
    _prove_deadlines(case)
    for seen in case.unbuilt:
        _prove_unbuilt(case, seen, outputs)
    if failures or case.unbuilt:
        _prove_stops(case, failures)
    if not early:
        _prove_left_out(case, outputs, failures)
    _prove_skipped_for(case, failures)
    _prove_given_up(case, failures)
    _prove_outcome(case, outputs)


def _prove_took_place(case: Case, ended: list[Seen]) -> None:
    """Calls that ended ok were dispatched and closed, and their start events are not later than their beginnings."""
    if not case.has_events:
        case.met |= f.SHOWN_ENTRY | f.DISPATCHED
        return
    if any(each.started < 0 or each.closed < 0 for each in ended):
        raise Unproved("a call that took place, and did not begin or end")
    if not all(map(le, map(_BEGAN, ended), map(_STARTED, ended))):
        raise Unproved("a late start")
    case.met |= _TOOK_PLACE


def _prove_limits(case: Case, dispatched: list[Seen]) -> None:
    """TIME-01 and TIME-02."""
    for seen in dispatched:
        if seen.step.most_ms is not None and (seen.timeout_ms is UNSET or seen.timeout_ms > seen.step.most_ms):
            raise Unproved("a call that does not say the limit of its step")
    limited = [each for each in map(_LIMIT, dispatched) if each[0] is not UNSET]
    if limited:
        limits, took, statuses = zip(*limited)
        if max(limits) >= _LONGEST_MS or max(map(sub, took, limits)) > _GRACE_MS:
            raise Unproved("a call beyond its limit")
        if "timeout" in statuses:
            told = [limit - ran for limit, ran, status in limited if status == "timeout"]
            demand(max(told) <= _SLACK_MS, "a timeout before its limit")
        case.met |= f.DISPATCHED_WITH_TIME_LIMIT


def _prove_deadlines(case: Case) -> None:
    """TIME-12 for every call that was closed, and TIME-02 for those that were dispatched."""
    for seen in case.calls if case.met & f.DEADLINE else ():
        deadline = seen.call.deadline_at
        if deadline is UNSET or not seen.ended_at:
            continue
        case.met |= f.CLOSED_WITH_DEADLINE
        demand(seen.ended_at <= deadline, "a call beyond its deadline")
        if seen.started >= 0 and seen.timeout_ms is UNSET:
            case.met |= f.DISPATCHED_WITH_DEADLINE_ALONE
            demand(seen.status != "timeout", "a timeout by a deadline alone")


def _prove_closed(case: Case, seen: Seen) -> None:
    """Dispatched calls began once and were closed once, and a closing event has the level of its failure."""
    result = seen.result
    status, took = result.status, result.duration_ms
    if status == "timeout" or (status in ("error", "cancelled") and not seen.error.calls_it_refused and took > 0):
        demand(seen.dispatched, "no start of a call that took place")
        case.met |= f.EVIDENTLY_DISPATCHED
    if took > 0 and seen.call is not None:
        demand(seen.dispatched, "a refusal that took time")
    if status == "skipped":
        # A call that was not dispatched took no time, as demanded above, and has no effects: see ``prove_effects``.
        demand(not seen.dispatched, "skipped, and yet it took place")
        case.met |= f.NEVER_DISPATCHED
    elif took > 0 or _has_effects(seen):
        case.met |= f.SHOWN_ENTRY
    if seen.dispatched:
        demand(seen.closed >= 0, "a call that was never closed")
        if case.has_events:
            demand(seen.beginning is not None and seen.beginning.timestamp <= result.started_at, "a late start")
        case.met |= f.DISPATCHED | f.STARTED_AND_ANSWERED
    if status in ("timeout", "cancelled"):
        case.met |= f.CLOSED_EARLY
    if status == "cancelled" and seen.dispatched:
        case.met |= f.STOPPED_WHILE_OPEN
        demand(seen.call is not None and seen.call.cancellable, "a call that cannot be cancelled and was")
    _prove_shown(case, seen)


def _has_effects(seen: Seen) -> bool:
    effects = seen.result.effects
    return effects is not UNSET and any(getattr(effects, name) for name in effects.__struct_fields__)


def _prove_shown(case: Case, seen: Seen) -> None:
    if not case.has_events:
        return
    if seen.shown:
        case.met |= f.STEP_EVENT | f.CALL_EVENT
    demand(seen.shown and seen.closing is not None, "a result of which no event tells, or none its end")
    case.met |= f.SHOWN_RESULT
    if seen.closing is not None:
        case.met |= f.CLOSED
        if seen.closing.type == "step.failed":
            case.met |= f.FAILED_EVENT
            demand(_has_its_level(case, seen, seen.closing), "the level of a failure")


def _has_its_level(case: Case, seen: Seen, event: Event) -> bool:
    """EVT-16 and A85."""
    if event.level == "error" or (event.level == "warn" and seen.status == "cancelled"):
        return True
    if seen.call is None:
        return False
    if case.logical[(seen.step.id, seen.index)][-1] is not seen:
        return True
    error, step = seen.error, seen.step
    if not step.retry_planned or error.code in _NEVER_RETRIED:
        return False
    wanted = error.retryable is True or (error.retryable is None and error.code not in _ONLY_IF_ASKED)
    return wanted and seen.call.attempt < step.limit


def _prove_waited(case: Case, seen: Seen, outputs: Outputs) -> None:
    """All that a dispatched call needs had ended ok before the call began."""
    step = seen.step
    case.met |= step.need_met
    if step.template.references:
        case.met |= f.DISPATCHED_WITH_REFERENCES
    for need in step.needs:
        if outputs.fate(need) is FAILED:
            raise Unproved("a call without what it needs")
        if outputs.ended_at[need] >= seen.started:
            raise Unproved("a call before what it needs")
    if not case.met & f.OUTPUT_READ and any(_was_called(case, each) for each in step.reads_outputs):
        case.met |= f.OUTPUT_READ


def _was_called(case: Case, step_id: str) -> bool:
    """Whether the output of a step comes from results of calls, and not from a loop over nothing."""
    return (step_id, None) in case.logical or (step_id, 0) in case.logical


def _prove_unbuilt(case: Case, seen: Seen, outputs: Outputs) -> None:
    """A result of a call that was never built (A2)."""
    status, step = seen.status, seen.step
    if status == "error":
        demand(seen.error.code == "VALIDATION_ERROR", "the code of what was never built")
    if status == "skipped":
        case.met |= f.NEVER_DISPATCHED
    empty = status == "skipped" and any(
        each.type == "step.finished" and each.step_id == step.id for each in case.untied
    )
    if not empty:
        _prove_shown(case, seen)
    elif seen.shown:
        case.met |= f.STEP_EVENT | f.CALL_EVENT | (f.CLOSED if seen.closing is not None else 0)
    if any(outputs.fate(each) is FAILED for each in step.args_needs):
        return
    if step.loop is None:
        _prove_unresolved(case, seen, outputs)
    elif status == "error" and seen.index is not None:
        _prove_unresolved_item(case, seen, outputs, step.loop)


def _prove_unresolved(case: Case, seen: Seen, outputs: Outputs) -> None:
    """A step that was never built although its sources ended ok: one of its references leads to nothing (REF-04)."""
    status, template = seen.status, seen.step.template
    before, resolved = outputs.falsy, True
    try:
        if template.fill is not None:
            template.fill(outputs)
    except Absent as absent:
        resolved = False
        case.met |= f.ABSENT_FIELD | (f.NO_CONTAINER if absent.no_container else 0)
        demand(status == "error", "a step that was skipped and asks for what is not there")
        _prove_named(case, seen)
    outputs.falsy = before
    demand(not resolved or status != "error", "refused although every reference leads to a value")


def _prove_named(case: Case, seen: Seen) -> None:
    """The message of a failed resolution names every reference that may lead to nothing; one is enough (REF-24)."""
    case.met |= f.FAILED_RESOLUTION
    message = seen.error.message
    lost = [each.text for each in seen.step.template.references if each.path]
    named = isinstance(message, str) and all(each in message for each in lost)
    demand(named, "a failed resolution whose message does not name its references")


def _prove_unresolved_item(case: Case, seen: Seen, outputs: Outputs, loop: LoopFacts) -> None:
    """An iteration that was never built: one of its references leads to nothing (REF-18, REF-21)."""
    items, template, before = outputs.source(seen.step, loop), seen.step.template, outputs.falsy
    if items is FAILED or seen.index is None:
        return
    outputs.item, outputs.index, resolved = items[seen.index], seen.index, True
    try:
        if template.fill is not None:
            template.fill(outputs)
    except Absent:
        resolved = False
        _prove_named(case, seen)
    outputs.falsy = before
    demand(not resolved, "an iteration that was refused although every reference leads to a value")


def _prove_stops(case: Case, failures: list[Seen]) -> None:
    """Nothing starts after a failure that stops the run (DEP-04)."""
    stopping = [each for each in failures if each.step.on_error != "skip"]
    unbuilt = [each for each in case.unbuilt if each.status == "error" and each.step.on_error != "skip"]
    if stopping:
        case.met |= f.STOPPING_FAILURE
    if not stopping and not unbuilt:
        return
    if not case.has_events:
        began = max((each.started_at for each in case.calls if each.dispatched), default="")
        demand(all(began <= each.ended_at for each in (*stopping, *unbuilt)), "a start after a failure that stops")
        return
    last = max((each.started for each in case.calls), default=-1)
    for each in (*stopping, *unbuilt):
        demand(each.closed >= 0 and last <= each.closed, "a start after a failure that stops")
    # For a step that was never built the checks use the time of its record, whenever an event reported it.
    began = max((each.beginning.timestamp for each in case.calls if each.beginning is not None), default="")
    demand(all(began <= each.ended_at for each in unbuilt), "a start after a step that could not be built")


def _prove_left_out(case: Case, outputs: Outputs, failures: list[Seen]) -> None:
    """What did not run in a run that went to its end; what a cancelled call stopped is unknown."""
    if failures or not any(each.status == "cancelled" for each in case.calls):
        _prove_passed_over(case, outputs, failures)
    else:
        _prove_called_off(case, outputs)


def _prove_passed_over(case: Case, outputs: Outputs, failures: list[Seen]) -> None:
    """A step is not skipped if nothing that it rests on failed (DEP-05)."""
    demand(not any(each.status == "cancelled" and not each.dispatched for each in case.calls), "withdrawn")
    lost = {each.step.id for each in failures}
    lost |= {each.step.id for each in case.unbuilt if each.status == "error"}
    withheld = {each.step.id for each in case.calls if each.status == "skipped"}
    for step in case.plan.steps.values():
        if step.id in lost or needs_failed(outputs, step):
            continue
        case.met |= f.PASSED_OVER
        for each in outputs.unbuilt(step.id):
            demand(each.status != "skipped" or was_empty(each), "skipped for nothing")
        demand(step.id not in withheld, "skipped for nothing")


def _prove_called_off(case: Case, outputs: Outputs) -> None:
    """A step without its dependency is skipped and not cancelled, unless a person cancelled it (DEP-02)."""
    for seen in case.calls:
        if seen.status == "cancelled" and not seen.dispatched and seen.error.reason != "user":
            demand(not needs_failed(outputs, seen.step), "withdrawn, and not skipped")


def _prove_skipped_for(case: Case, failures: list[Seen]) -> None:
    """A step is given up only after all attempts of what it needs are used up (DEP-06)."""
    if not case.has_events or case.first("run.cancelled") is not None or not case.met & f.RETRIED:
        return
    several = [each for each in case.logical.values() if len(each) > 1]
    withdrawn = [each for each in case.calls if each.status == "cancelled" and not each.dispatched]
    if withdrawn:
        _prove_withdrawn(case, withdrawn, several, failures)
    skipped = [each for each in case.unbuilt if each.status == "skipped" and not lacked_its_tool(each)]
    if skipped and several:
        _prove_skipped_late(case, skipped, [attempts[-1] for attempts in several])


def _prove_skipped_late(case: Case, skipped: list[Seen], lasts: list[Seen]) -> None:
    """A step that waits for a step that was tried again is skipped only after the last attempt of that step."""
    waits = {step.id: step.needs for step in case.plan.steps.values()}
    lines: dict[str, float] = {}
    for last in lasts:
        lines[last.step.id] = max(last.line, lines.get(last.step.id, 0))
    lines = dict(greatest(waits, lines))
    latest = max(last.ended_at for last in lasts)
    for seen in skipped:
        if seen.step.id not in lines:
            continue
        case.met |= f.SKIPPED_FOR
        demand(lines[seen.step.id] < seen.line, "given up too early")
        if latest > seen.ended_at:
            needed = _ancestors(case, seen.step.id) | {seen.step.id}
            demand(
                all(each.ended_at <= seen.ended_at for each in lasts if each.step.id in needed), "given up too early"
            )


def _prove_given_up(case: Case, failures: list[Seen]) -> None:
    """A call that was cancelled or skipped did not end before the event for which it was given up (RES-17)."""
    if not case.has_events:
        return
    cancelled = case.first("run.cancelled")
    reasons = _final_ends(case, failures)
    if cancelled is not None:
        reasons.append(cancelled[1].timestamp)
    first = min(reasons, default="")
    for seen in case.seen.values() if first else ():
        if seen.status in _GIVEN_UP:
            demand(seen.ended_at >= first, "given up before anything had failed")


def _prove_withdrawn(case: Case, withdrawn: list[Seen], several: list[list[Seen]], failures: list[Seen]) -> None:
    """A waiting call is withdrawn only after a final failure, or after the last new attempt has begun."""
    first = min(_final_ends(case, failures), default=None)
    began = max(attempts[-1].started_at for attempts in several)
    for seen in withdrawn:
        failed = first is not None and first <= seen.ended_at
        demand(failed or began <= seen.ended_at, "withdrawn before a failure was final")


def _final_ends(case: Case, failures: list[Seen]) -> list[str]:
    """When the final failures had ended."""
    return [each.ended_at for each in (*failures, *case.unbuilt) if each.status != "skipped"]


def _ancestors(case: Case, step_id: str) -> set[str]:
    found: set[str] = set()
    waiting = [step_id]
    while waiting:
        for need in case.plan.steps[waiting.pop()].needs:
            if need not in found:
                found.add(need)
                waiting.append(need)
    return found


def _prove_outcome(case: Case, outputs: Outputs) -> None:
    """run.finished states the outcome that follows from the results, and counts them (EVT-18, RETRY-10)."""
    fates = [outputs.fate(each) for each in case.plan.steps]
    if not case.has_events:
        return
    by_steps = "error" if any(each is FAILED for each in fates) else "ok"
    cancelled = case.first("run.cancelled") is not None
    outcomes = (by_steps,) if not cancelled else ("cancelled", "ok") if by_steps == "ok" else ("cancelled",)
    _, event = case.events["run.finished"][0]
    payload = event.payload if is_dict(event.payload) else {}
    demand(payload.get("status") in outcomes, "the outcome")
    case.met |= f.PAYLOAD
    counts = payload.get("results")
    if not is_dict(counts):
        raise Unproved("no count of the results")
    on_record = Counter([each.status for each in case.seen.values()])
    told = {name: count for name, count in counts.items() if count != 0}
    demand(told == on_record and all(type(each) is int for each in told.values()), "the count of the results")
    last = [attempts[-1].status for attempts in case.logical.values()]
    if case.met & f.RETRIED and not case.unbuilt and not cancelled and set(last) == {"ok"}:
        demand(payload.get("status") == "ok", "the outcome of the last attempts")
        case.met |= f.RECOVERED
