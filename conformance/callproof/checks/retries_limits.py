"""Checks for the requirements in ``spec/retries.md`` about how many attempts are made: neither too many nor too few."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from callproof.checks.check import ANYTHING, Finding, check, witness
from callproof.checks.dispatching import ruling_policy, writes
from callproof.checks.failures import may_be_cancelled, unbuilt_stops, untold_cancellation
from callproof.checks.members import under_any
from callproof.checks.retries import is_guarded
from callproof.checks.unbuilt import lost_calls
from callproof.trace.once import once_a_run
from callproof.trace.records import Kind, Record
from callproof.trace.run import Attempt, LogicalCall, Run, finer_kind
from callproof.values.counts import counted
from callproof.values.jsonvalue import as_integer

_NEVER_AGAIN = frozenset({"VALIDATION_ERROR", "POLICY_DENIED"})
# A46 takes precedence over A5: unless the tool says otherwise, these two are final.
_FINAL_UNLESS_TOLD = frozenset({"NOT_FOUND", "CONFLICT"})
# A16: output that breaks its schema is not retried; A28 says the same of output that JSON cannot hold.
# A tuple and not a set, since a reason may be any JSON value.
_FINAL_REASONS = ("output_schema", "unserialisable")


def effective_limit(run: Run, logical: LogicalCall) -> int | None:
    """The attempts that plan and policy permit; None if the step is unknown (A4)."""
    policy = ruling_policy(run)
    if logical.step is None:
        return None
    return policy.attempt_limit(logical.step) if policy is not None else logical.step.max_attempts


def is_owed(logical: LogicalCall) -> bool:
    """Whether the plan's number of attempts is due; ``maxRetries`` alone binds only a system that accepts it (A65)."""
    retry = logical.step.retry if logical.step is not None else None
    by_alias = retry is not None and "maxRetries" in retry and as_integer(retry.get("maxAttempts")) is None
    return not by_alias or len(logical.attempts) > 1


@check(
    "RETRY-03", each=lambda run: (each for each in run.logical_calls if each.step and each.step.retry), needs=("plan",)
)
def attempts_stay_within_the_limit(run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """Attempts of one logical call never exceed the smaller of the plan's and the policy's limit."""
    limit, policy = effective_limit(run, logical), ruling_policy(run)
    if limit is None or logical.step is None or len(logical.attempts) <= limit:
        return
    clamp = policy.max_attempts if policy is not None else None
    last = max(limit, 1)  # a plan or a policy may permit no attempt at all
    yield Finding(
        f"{logical.name} was attempted {counted(len(logical.attempts), 'time')}",
        counted(limit, "attempt"),
        tuple(witness(f"A{n}", each.call) for n, each in enumerate(logical.attempts[last - 1 : last + 1], last)),
        (
            f"the plan permits {logical.step.max_attempts}",
            f"the policy permits {'any number' if clamp is None else clamp}",
        ),
        "the first attempt counts: maxAttempts 2 is one call and one retry",
    )


@once_a_run
def _ended_short(run: Run) -> tuple[tuple[LogicalCall, int], ...]:
    return tuple(_all_ended_short(run))


def _all_ended_short(run: Run) -> Iterator[tuple[LogicalCall, int]]:
    """Logical calls that ended below their limit in finished runs that nothing else cancelled or stopped."""
    if not run.finished or may_be_cancelled(run) or unbuilt_stops(run):
        return
    stops = [id(each) for each in run.logical_calls if _may_stop_others(each)]
    # A call that was cancelled later was cancelled because of the failure, and is no reason not to try again.
    cancelled = min((_end(each) for each in run.logical_calls if each.last.status == "cancelled"), default=math.inf)
    for logical in run.logical_calls:
        limit = effective_limit(run, logical)
        stopped = set(stops[:2]) - {id(logical)} or cancelled < _end(logical)
        if limit is not None and len(logical.attempts) < limit and is_owed(logical) and not stopped:
            yield logical, limit


def _may_stop_others(logical: LogicalCall) -> bool:
    """Whether a call's failure may have stopped the run before another call's retry came due (B-27)."""
    failed = logical.last.status not in ("ok", "cancelled")
    return failed and logical.step is not None and logical.step.on_error != "skip"


def _end(logical: LogicalCall) -> float:
    """When a call ended; before everything else if that is unknown."""
    end = logical.last.result.ended if logical.last.result is not None else None
    return end.nanoseconds if end is not None else -math.inf


def due(run: Run, logical: LogicalCall) -> str | None:
    """Why another attempt has to follow the last one; None if none has to (A5, A46, A66)."""
    last, step = logical.last, logical.step
    guarded = is_guarded(last.call.object("args") or {}) and not last.call.is_redacted_in("args")
    if last.status == "timeout" and not guarded and step is not None and not step.has_own_retry and writes(run, last):
        return None  # whatever the tool says, RETRY-15 advises against another attempt
    return None if is_refused_by_nobody(last) else permitted(logical)


def is_refused_by_nobody(last: Attempt) -> bool:
    """Whether a failed hook refused a call and said nothing of a retry, which leaves it to the system (POL-20)."""
    return last.hook_failed and last.error.get("retryable") is None


def permitted(logical: LogicalCall) -> str | None:
    """Why another attempt may follow the last one, below the limit; None if none may."""
    last, step = logical.last, logical.step
    if last.status not in ("error", "timeout") or last.code in _NEVER_AGAIN or step is None:
        return None
    word = last.error.get("retryable")
    if word is True:
        return "the tool said that it may be retried"
    if word is not None or last.code in _FINAL_UNLESS_TOLD or finer_kind(last.error) in _FINAL_REASONS:
        return None
    return "the plan asks for retries and the tool did not rule them out" if step.retry else None


# The members that decide whether a failure may be retried.
_DECIDING = ("/error/code", "/error/retryable", "/error/details/reason")


def _is_hidden(result: Record) -> bool:
    """Whether a member that decides over another attempt was redacted, and may have ruled it out (A42)."""
    return any(under_any(each, result.redacted) for each in _DECIDING)


def _missing_retry(run: Run, logical: LogicalCall, limit: int) -> Iterator[Finding]:
    why = due(run, logical)
    if logical.last.result is None or _is_hidden(logical.last.result):
        return
    if why is not None and logical.step_id not in lost_calls(run):
        attempts = counted(len(logical.attempts), "attempt")
        yield Finding(
            f"{logical.name} failed with {logical.last.code or 'no code'} and was given up after {attempts}",
            f"another attempt, up to {limit}",
            (witness("R", logical.last.result),),
            (why, *untold_cancellation(run)),
            misses=ANYTHING,
        )


def _steps_ended_short(run: Run) -> Iterator[tuple[LogicalCall, int]]:
    return ((logical, limit) for logical, limit in _ended_short(run) if logical.index is None)


def _iterations_ended_short(run: Run) -> Iterator[tuple[LogicalCall, int]]:
    return ((logical, limit) for logical, limit in _ended_short(run) if logical.index is not None)


@check("RETRY-11", each=_steps_ended_short, needs=("plan",))
def permitted_retries_are_made(run: Run, subject: tuple[LogicalCall, int]) -> Iterator[Finding]:
    """A failure that may be retried is followed by another attempt below the limit."""
    yield from _missing_retry(run, *subject)


@check("RETRY-12", each=_iterations_ended_short, needs=("plan",))
def each_iteration_has_its_own_budget(run: Run, subject: tuple[LogicalCall, int]) -> Iterator[Finding]:
    """An iteration that may be retried is retried, however many attempts the others took."""
    yield from _missing_retry(run, *subject)


def _clamped(run: Run) -> Iterator[tuple[LogicalCall, int]]:
    policy = ruling_policy(run)
    clamp = policy.max_attempts if policy is not None else None
    for logical in filter(is_owed, run.logical_calls):
        if logical.step is not None and clamp is not None and logical.step.max_attempts > clamp:
            yield logical, clamp


@once_a_run
def _events_by_step(run: Run) -> Mapping[str, Sequence[Record]]:
    groups: dict[str, list[Record]] = {}
    for event in run.events or ():
        if event.step_id is not None:
            groups.setdefault(event.step_id, []).append(event)
    return groups


@check("RETRY-17", each=_clamped, needs=("plan", "policy", "events"))
def clamping_is_visible(run: Run, subject: tuple[LogicalCall, int]) -> Iterator[Finding]:
    """Where the policy lowers a step's attempts, an event or the run record has a member clamped."""
    logical, clamp = subject
    # For a foreach step, one step.scheduled may stand for all iterations; then it has no callId (A74).
    of_step = _events_by_step(run).get(logical.step_id, ())
    scheduled = (event for event in of_step if event.text("type") == "step.scheduled")
    payloads = [event.object("payload") or {} for event in (*run.events_of("run.started"), *scheduled)]
    on_record = run.run_record is not None and run.run_record.get("clamped")
    if not of_step or logical.step is None:
        return  # the events do not go so far
    if not on_record and not any(payload.get("clamped") for payload in payloads):
        yield Finding(
            f"the attempts of {logical.name} were clamped from {logical.step.max_attempts} to {clamp} in silence",
            "a member clamped in the payload of run.started or of the step's step.scheduled",
            (witness("C", logical.attempts[0].call),),
            misses=(Kind.EVENT,),
        )


@check(
    "RETRY-19",
    each=lambda run: (each for each in run.logical_calls if each.step and not each.step.retry),
    needs=("plan",),
)
def silence_means_one_attempt(_run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """A step without retry settings is attempted once."""
    if len(logical.attempts) > 1:
        yield Finding(
            f"{logical.name} was attempted {len(logical.attempts)} times, and the plan says nothing about retries",
            "one attempt",
            tuple(witness(f"A{n}", each.call) for n, each in enumerate(logical.attempts[:2], 1)),
        )
