"""Several attempts of one logical call, and logical calls that ended with fewer attempts than permitted."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any, Final

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import Event
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.unproved import demand
from callproof.auditing.prover.wording import argument
from callproof.values.jsonvalue import equal, is_object

_NEVER_AGAIN: Final = frozenset({"VALIDATION_ERROR", "POLICY_DENIED", "CANCELLED"})
_FINAL_UNLESS_TOLD: Final = frozenset({"NOT_FOUND", "CONFLICT"})
_FINAL_REASONS: Final = frozenset({"output_schema", "unserialisable"})
_MANY: Final = 20  # from this number on, failures are not compared in pairs
_TRIED_AGAIN: Final = frozenset({"error", "timeout"})


def prove_attempts(case: Case) -> None:
    """Attempts stay within their limit, follow a failure that permits them, and do not overlap."""
    stops, met = _stops(case), 0
    ends = [attempts[-1].ended_at for attempts in case.logical.values() if attempts[-1].status == "cancelled"]
    cancelled = min(ends, default=None)
    told: frozenset[str] | None = None
    for (_, index), attempts in case.logical.items():
        last, made = attempts[-1], len(attempts)
        step = last.step
        owed = made > 1 or not step.by_alias
        met |= step.attempts_met if owed else step.attempts_met & ~f.CLAMPED
        if step.clamped and owed and case.has_events:
            told = _clamps_told(case) if told is None else told
            demand(step.id in told, "a clamp that nobody told of")
        if made > 1:
            demand(step.retry_planned and made <= step.limit, "an attempt that nobody planned, or too many")
            _prove_retried(case, attempts)
        stopped = stops is None or any(each is not attempts for each in stops[:2])
        if owed and made < step.limit and not stopped and (cancelled is None or last.ended_at <= cancelled):
            met |= f.ENDED_SHORT if index is None else f.ITERATION_ENDED_SHORT
            if last.status != "ok":
                demand(not _is_due(last), "a retry that was due")
    case.met |= met


def _stops(case: Case) -> list[list[Seen]] | None:
    """The logical calls whose end may have stopped others; None if the whole run was, or may have been, broken off."""
    if (
        not case.has_events
        or case.first("run.cancelled") is not None
        or any(_is_unbuilt_stop(each) for each in case.unbuilt)
    ):
        return None
    failed = [attempts for attempts in case.logical.values() if attempts[-1].status != "ok"]
    return [attempts for attempts in failed if _may_stop_others(attempts[-1])]


def _is_unbuilt_stop(seen: Seen) -> bool:
    return seen.status == "error" and seen.step.on_error != "skip"


def _may_stop_others(last: Seen) -> bool:
    return last.status != "cancelled" and last.step.on_error != "skip"


def _is_due(last: Seen) -> bool:
    """Whether another attempt must follow a failure (A5, A46, A66)."""
    status, error, step = last.status, last.error, last.step
    if status not in _TRIED_AGAIN or error.code in ("VALIDATION_ERROR", "POLICY_DENIED"):
        return False
    if error.retryable is not None:
        return error.retryable
    if error.code in _FINAL_UNLESS_TOLD or error.kind in _FINAL_REASONS:
        return False
    if status == "timeout" and not step.has_own_retry and last.tool.writes and not _is_guarded(last):
        return False
    return step.retry_planned


def _clamps_told(case: Case) -> frozenset[str]:
    """The steps for which an event says that their attempts were lowered (RETRY-17)."""
    if any(_tells_of_a_clamp(event) for _, event in case.events.get("run.started", ())):
        return frozenset(case.plan.steps)
    return frozenset(
        event.step_id for event in case.scheduled if _tells_of_a_clamp(event) and event.step_id is not UNSET
    )


def _tells_of_a_clamp(event: Event) -> bool:
    return is_dict(event.payload) and bool(event.payload.get("clamped"))


def _prove_retried(case: Case, attempts: list[Seen]) -> None:
    case.met |= f.RETRIED
    if attempts[0].step.template.met & f.REFERENCE_LEAF:
        case.met |= f.REPEATED_ATTEMPT
    if sum(each.args_hash is not UNSET for each in attempts) > 1:
        case.met |= f.RETRIED_ARGS_HASH
    for one, other in pairwise(attempts):
        _prove_pair(case, one, other)
    _prove_messages(attempts)
    failed = [each for each in attempts if each.status == "error"]
    if len(failed) > 1:
        case.met |= f.SEVERAL_FAILURES
        _prove_codes(failed)


def _prove_pair(case: Case, one: Seen, other: Seen) -> None:
    status, error = one.status, one.error
    demand(status in _TRIED_AGAIN and error.code not in _NEVER_AGAIN, "another attempt after an end")
    ruled_out = error.code in _FINAL_UNLESS_TOLD if error.retryable is None else not error.retryable
    demand(not ruled_out and error.kind != "output_schema", "another attempt against the tool's word")
    demand(one.ended_at <= other.started_at, "attempts that overlap")
    # The args and the item of each attempt follow from plan and results, and so are the same (RETRY-02, RETRY-09).
    demand(one.call.loop_id == other.call.loop_id, "attempts of two loops")
    if status == "timeout" and one.tool.writes:
        case.met |= f.TIMED_OUT_WRITE
        known = one.result.effects is not UNSET
        demand(known or one.step.has_own_retry or _is_guarded(one), "a blind retry of a write")
    if other.dispatched:
        case.met |= f.LATER_DISPATCH


def _is_guarded(seen: Seen) -> bool:
    if argument(seen, "dryRun") is True or argument(seen, "ifNotExists") is True:
        return True
    return argument(seen, "expectedEtag") is not None or argument(seen, "collisionStrategy") == "error"


def _prove_messages(attempts: list[Seen]) -> None:
    """No message stands both for a success and for a failure (MSG-02)."""
    well = {_message(each) for each in attempts if each.status == "ok"} - {None}
    ill = {_message(each) for each in attempts if each.status != "ok"}
    demand(not well & ill, "one message for two outcomes")


def _message(seen: Seen) -> str | None:
    text: Any = seen.result.user_message
    return text if isinstance(text, str) and text else None


def _prove_codes(failed: list[Seen]) -> None:
    """One failure has one code (ERR-08)."""
    if len({each.error.code for each in failed}) == 1:
        return
    demand(len(failed) < _MANY, "many failures with several codes")
    for one, other in combinations((each.error for each in failed), 2):
        same = equal(one.message, other.message) and equal(_details(one.details), _details(other.details))
        demand(not same or one.code == other.code, "one failure with two codes")


def _details(details: Any) -> Any:
    return details if is_object(details) else None
