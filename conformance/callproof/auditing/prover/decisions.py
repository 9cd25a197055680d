"""The run's own events: its start and end, the confirmation, and a cancellation."""

from __future__ import annotations

from hashlib import sha256
from operator import attrgetter
from typing import Any, Final

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import Confirmation, Event
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.checks.confirmation_record import EXPIRED, REASONS
from callproof.checks.stopped_siblings import SIBLING_FAILED
from callproof.trace.run import REFUSAL_CODES

_BEGAN: Final = attrgetter("started_at")
_START: Final = attrgetter("started")
_REQUESTED: Final = "run.confirmationRequested"
_CONFIRMED: Final = "run.confirmed"
_CANCELLED: Final = "run.cancelled"


def prove_decisions(case: Case, plan_hash: str | None) -> None:
    """The run is confirmed before it does anything, and ends once it is cancelled."""
    cancelled = case.first(_CANCELLED)
    if case.policy.required:
        _prove_confirmation(case, plan_hash, cancelled)
    else:
        _prove_no_confirmation(case, cancelled)
    if cancelled is not None:
        _prove_cancellation(case, *cancelled)
    for seen in case.calls:
        if seen.status == "cancelled":
            _prove_cancelled_result(case, seen, cancelled)
    if cancelled is None and case.has_events:
        _prove_stopped_by_siblings(case)


def prove_frame(case: Case, last_line: int) -> None:
    """The run starts once and ends once, and everything lies between (EVT-03 to EVT-05, TIME-13)."""
    started, finished = case.events.get("run.started", []), case.events.get("run.finished", [])
    demand(len(started) == 1 and len(finished) == 1, "not one start and one end")
    line, event = started[0]
    before = sum(at < line for name in (_REQUESTED, _CONFIRMED) for at, _ in case.events.get(name, ()))
    demand(before == line, "an event before run.started")
    demand(finished[0][0] == last_line, "an event after run.finished")
    payload = event.payload
    demand(not is_dict(payload) or "unknownLimits" not in payload, "unknown limits")
    first = min(map(_BEGAN, case.seen.values()), default=event.timestamp)
    demand(event.timestamp <= first, "a result before the start")


def _prove_no_confirmation(case: Case, cancelled: tuple[int, Event] | None) -> None:
    """CONF-09."""
    case.met |= f.NOT_REQUIRED
    demand(case.record.confirmation is UNSET, "a confirmation that nobody asked for")
    demand(case.first(_REQUESTED) is None and case.first(_CONFIRMED) is None, "an event of a confirmation")
    demand(all(each.call.confirmation_id is UNSET for each in case.calls), "a call with a confirmation")
    demand(cancelled is None or _reason(cancelled[1]) not in REASONS, "a rejection that nobody asked for")


def _reason(event: Event) -> Any:
    reason = event.payload.get("reason") if is_dict(event.payload) else None
    return reason if isinstance(reason, str) else None


def _prove_confirmation(case: Case, plan_hash: str | None, cancelled: tuple[int, Event] | None) -> None:
    decision = case.record.confirmation
    if not isinstance(decision, Confirmation):
        raise Unproved("no confirmation on record")
    case.met |= f.REQUIRED | f.DECISION | f.DECISION_EXPECTED | (f.CONFIRMABLE_CALL if case.calls else 0)
    if case.has_events:
        _prove_answer(case, decision, cancelled)
    _prove_hashes(case, decision, plan_hash)
    if decision.decision == "approved":
        demand(decision.expires_at is UNSET or decision.decided_at <= decision.expires_at, "approved too late")
        _prove_approved(case, decision, case.first(_CONFIRMED), cancelled)
    else:
        demand(decision.decision == "rejected", "neither approved nor rejected")
        _prove_rejected(case, decision, cancelled)
    if {each.call.confirmation_id for each in case.calls} - {decision.confirmation_id}:
        for seen in case.calls:
            _prove_named(seen, decision)


def _prove_answer(case: Case, decision: Confirmation, cancelled: tuple[int, Event] | None) -> None:
    """The events report one question and one answer, and the answer is the decision on record."""
    asked, confirmed = case.events.get(_REQUESTED, []), case.events.get(_CONFIRMED, [])
    demand(len(asked) == 1 and len(confirmed) <= 1, "not one request and one answer")
    answer = min((each[0] for each in (*confirmed, *((cancelled,) if cancelled else ()))), default=-1)
    demand(asked[0][0] < answer, "an answer before the request")
    demand(decision.decided_at >= asked[0][1].timestamp, "a decision before the request")
    approved = bool(confirmed) and answer == confirmed[0][0]
    demand(decision.decision == ("approved" if approved else "rejected"), "events and record differ on the decision")
    demand(approved or not confirmed, "confirmed in spite of the decision")
    for _, event in (*asked, *confirmed):
        demand(_named(event) == decision.confirmation_id, "an event of another confirmation")
    if cancelled is not None:
        demand(_named(cancelled[1]) in (None, decision.confirmation_id), "a cancellation of another confirmation")
    if confirmed or (cancelled is not None and _reason(cancelled[1]) in REASONS):
        told = confirmed[0] if confirmed else cancelled
        demand(told is not None and decision.decided_at <= told[1].timestamp, "told before it was decided")


def _named(event: Event) -> Any:
    return event.payload.get("confirmationId") if is_dict(event.payload) else None


def _prove_hashes(case: Case, decision: Confirmation, plan_hash: str | None) -> None:
    """CONF-10: the plan and the policy that were shown are those on record."""
    if isinstance(decision.plan_hash, str) and decision.plan_hash.startswith("sha256:"):
        demand(decision.plan_hash == plan_hash, "the hash of the plan")
    if isinstance(decision.policy_hash, str) and decision.policy_hash.startswith("sha256:"):
        demand(decision.policy_hash == case.policy.hash, "the hash of the policy")


def _prove_named(seen: Seen, decision: Confirmation) -> None:
    """CONF-03."""
    named = seen.call.confirmation_id
    demand(named == decision.confirmation_id or (named is UNSET and not seen.tool.writes), "another confirmation")


def _prove_approved(
    case: Case, decision: Confirmation, confirmed: tuple[int, Event] | None, cancelled: tuple[int, Event] | None
) -> None:
    case.met |= f.CONFIRMED | (f.CONFIRMED_AND_CANCELLED if cancelled is not None else 0)
    dispatched = [each for each in case.calls if each.started >= 0]
    writes = [each for each in dispatched if each.tool.writes]
    if dispatched:
        demand(confirmed is None or confirmed[0] < min(map(_START, dispatched)), "a call before the approval")
        demand(decision.decided_at <= min(map(_BEGAN, dispatched)), "a call before the decision")
    if writes:
        demand(confirmed is None or confirmed[1].timestamp <= min(map(_BEGAN, writes)), "a stamp before the approval")
        case.met |= f.CONFIRMED_WRITE | f.STAMPED_WRITE
    if len(writes) < len(dispatched):
        case.met |= f.CONFIRMED_READ
    demand(cancelled is None or _reason(cancelled[1]) not in REASONS, "rejected after it was approved")


def _prove_rejected(case: Case, decision: Confirmation, cancelled: tuple[int, Event] | None) -> None:
    """A run that was not approved dispatched nothing, and says why it ended."""
    demand(not any(each.dispatched for each in case.calls), "a call of a run that was not approved")
    reason = _reason(cancelled[1]) if cancelled is not None else None
    if not case.has_events:
        case.met |= f.REJECTED
    elif decision.decision == "rejected" or reason in REASONS:
        demand(reason in REASONS, "a rejection without its reason")
        if reason == EXPIRED and cancelled is not None and decision.expires_at is not UNSET:
            demand(cancelled[1].timestamp >= decision.expires_at, "expired before its time")
        case.met |= f.REJECTED


def _prove_cancellation(case: Case, line: int, event: Event) -> None:
    demand(len(case.events[_CANCELLED]) == 1, "cancelled twice")
    case.met |= f.CANCELLED
    confirmed = case.first(_CONFIRMED)
    if case.policy.required and (confirmed is None or line < confirmed[0]):
        case.met |= f.CANCELLED_UNCONFIRMED
        demand(not any(each.dispatched for each in case.calls), "a call of an unconfirmed run")
    for seen in case.calls:
        demand(seen.started < line, "a start after the cancellation")
        demand(seen.dispatched or seen.created_at <= event.timestamp, "a call built after the cancellation")
        if seen.dispatched and seen.closed > line:
            case.met |= f.OPEN_AT_CANCELLATION
            stopped = seen.status == "cancelled"
            in_time = stopped or seen.ended_at <= event.timestamp
            demand(in_time if seen.call.cancellable else not stopped, "an open call")
        elif not seen.dispatched and seen.closed > line and seen.error.code not in REFUSAL_CODES:
            _prove_waiting(case, seen, event)


def _prove_waiting(case: Case, seen: Seen, event: Event) -> None:
    """CANC-11."""
    result = seen.result
    demand(result.ended_at >= event.timestamp, "a call that ended before the cancellation")
    demand(result.status in ("cancelled", "skipped") and result.duration_ms == 0, "a call that was waiting")
    case.met |= f.WAITING_AT_CANCELLATION


def _prove_cancelled_result(case: Case, seen: Seen, cancelled: tuple[int, Event] | None) -> None:
    case.met |= f.CANCELLED_RESULT
    if cancelled is not None:
        demand(seen.ended_at >= cancelled[1].timestamp, "stopped before the run was cancelled")
    elif case.has_events:
        case.met |= f.CANCELLED_BY_NOBODY
        reason = seen.error.reason
        demand(seen.error.code == "CANCELLED" and isinstance(reason, str) and reason.strip(), "no reason")


def _prove_stopped_by_siblings(case: Case) -> None:
    """Calls that say that another one failed ended after a final failure that stops others (CANC-09)."""
    blaming = [each for each in case.calls if each.status == "cancelled" and each.error.reason == SIBLING_FAILED]
    if blaming:
        ends = (*(attempts[-1] for attempts in case.logical.values()), *case.unbuilt)
        first = min((each.ended_at for each in ends if _may_stop_others(each)), default=None)
        demand(first is not None and all(first <= each.ended_at for each in blaming), "no sibling had failed")


def _may_stop_others(seen: Seen) -> bool:
    """Whether a call failed; what a call stopped that ended cancelled for a reason of its own is unknown."""
    failed = seen.status in ("error", "timeout") or (seen.status == "cancelled" and seen.error.reason != SIBLING_FAILED)
    return failed and seen.step.on_error != "skip"


def plan_hash_of(case: Case) -> str | None:
    """The hash of the plan, if the confirmation states one."""
    decision = case.record.confirmation
    if not isinstance(decision, Confirmation) or not isinstance(decision.plan_hash, str):
        return None
    return "sha256:" + sha256(case.plan.form).hexdigest()
