"""Checks for the requirements in ``spec/retries.md`` about one attempt and the next, as records show them.

``retries_limits`` has the laws on how many attempts are made, ``retries_deeds`` those on what hosted tools saw of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from callproof.checks.check import ANYTHING, Finding, Witness, check, excerpt, witness
from callproof.checks.confirmation_record import required
from callproof.checks.dispatching import beginning, was_dispatched, writes
from callproof.checks.matters import Matter
from callproof.checks.members import owner, under_any
from callproof.checks.policy_paths import offends
from callproof.checks.subjects import logical_calls
from callproof.trace.plan import Step
from callproof.trace.records import Kind, Record, order, order_of_instants
from callproof.trace.run import Attempt, LogicalCall, Run, finer_kind
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import differences, equal

_NEVER_AGAIN = frozenset({"VALIDATION_ERROR", "POLICY_DENIED"})
# Codes after which there is another attempt only if the tool says so (A46, A66).
FINAL_UNLESS_TOLD = frozenset({"NOT_FOUND", "CONFLICT"})
# A47: what a system may add to the arguments by itself.
_OWN_ADDITIONS = frozenset({"requestId", "note"})


def retried(run: Run) -> tuple[LogicalCall, ...]:
    """The logical calls with more than one attempt."""
    return tuple(each for each in run.logical_calls if len(each.attempts) > 1)


def pairs(run: Run) -> Iterator[tuple[LogicalCall, Attempt, Attempt]]:
    """Each attempt that was followed by another one, with that one."""
    for logical in run.logical_calls:
        for one, other in zip(logical.attempts, logical.attempts[1:]):
            yield logical, one, other


def both(one: Attempt, other: Attempt) -> tuple[Witness, ...]:
    """The records of two attempts that prove a finding: how the first ended, and that the second was made."""
    ended = (witness("R", one.result),) if one.result is not None else (witness("C", one.call),)
    return (*ended, witness("N", other.call))


@check("RETRY-01", each=logical_calls)
def attempts_are_numbered_without_a_gap(_run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """Attempts are numbered from 1 in their order."""
    numbers = [attempt.number for attempt in logical.attempts]
    wrong = next((place for place, number in enumerate(numbers) if number != place + 1), None)
    if None not in numbers and wrong is not None:
        proof = logical.attempts[max(wrong - 1, 0) : wrong + 1]
        yield Finding(
            f"the attempts of {logical.name} were numbered {', '.join(map(str, numbers))}",
            "1, 2, 3 and so on in the order in which they were made",
            tuple(witness(f"A{place}", each.call) for place, each in enumerate(proof, max(wrong, 1))),
            misses=(Kind.CALL,) if _grow(numbers) else (),
        )


def _grow(numbers: list[int | None]) -> bool:
    """Whether each number is greater than the one before it, so that others may have stood between them."""
    known = [each for each in numbers if each is not None]
    return all(one < other for one, other in pairwise([0, *known]))


@check("RETRY-02", each=pairs)
def each_attempt_has_its_own_records(_run: Run, pair: tuple[LogicalCall, Attempt, Attempt]) -> Iterator[Finding]:
    """Attempts have different callIds and the same place in the plan."""
    logical, one, other = pair
    if one.call.call_id is not None and one.call.call_id == other.call.call_id:
        yield Finding(
            f"two attempts of {logical.name} had the callId {one.call.call_id}",
            "a different callId for each attempt",
            (witness("A1", one.call), witness("A2", other.call)),
        )
    for name in ("loopId", "iteration"):
        if one.call.is_redacted_in(name) or other.call.is_redacted_in(name):
            continue  # a placeholder for a secret is compared with nothing (A42)
        if not equal(one.call.get(name), other.call.get(name)):
            yield Finding(
                f"an attempt of {logical.name} had {name} {excerpt(other.call.get(name))}",
                f"{excerpt(one.call.get(name))}, as on the attempt before it",
                (witness("A1", one.call), witness("A2", other.call)),
            )


@check("RETRY-04", each=pairs)
def no_retry_against_the_tools_word(_run: Run, pair: tuple[LogicalCall, Attempt, Attempt]) -> Iterator[Finding]:
    """A result that rules out another attempt, by retryable, code or reason, is the last of its logical call."""
    logical, one, other = pair
    word = one.error.get("retryable")
    why = "retryable false" if word is False else None
    hidden = one.result is not None and under_any(
        "/error/retryable", one.result.redacted
    )  # the redacted value may have been true (A42)
    if word is None and one.code in FINAL_UNLESS_TOLD and not hidden:
        why = f"{one.code} without retryable"
    elif finer_kind(one.error) == "output_schema":
        why = why or "output that its schema refuses"
    if why is not None:
        yield Finding(
            f"{logical.name} was attempted again after {why}",
            "no attempt after a tool ruled it out",
            both(one, other),
        )


@check("RETRY-05", each=pairs)
def no_retry_after_success(_run: Run, pair: tuple[LogicalCall, Attempt, Attempt]) -> Iterator[Finding]:
    """A result with status ok is the last of its logical call."""
    logical, one, other = pair
    if one.status == "ok":
        yield Finding(
            f"{logical.name} was attempted again after it had ended ok", "no attempt after ok", both(one, other)
        )


@check("RETRY-06", each=pairs)
def no_retry_of_what_was_refused(_run: Run, pair: tuple[LogicalCall, Attempt, Attempt]) -> Iterator[Finding]:
    """A result with VALIDATION_ERROR or POLICY_DENIED is the last of its logical call."""
    logical, one, other = pair
    if one.code in _NEVER_AGAIN:
        yield Finding(
            f"{logical.name} was attempted again after {one.code}", f"no attempt after {one.code}", both(one, other)
        )


@check("RETRY-07", each=pairs)
def no_retry_after_a_cancellation(run: Run, pair: tuple[LogicalCall, Attempt, Attempt]) -> Iterator[Finding]:
    """A cancelled result is the last of its logical call, and after run.cancelled no further attempt is made."""
    logical, one, other = pair
    cancelled = next(iter(run.events_of("run.cancelled")), None)
    if one.status == "cancelled" or one.code == "CANCELLED":
        yield Finding(
            f"{logical.name} was attempted again after it had been cancelled",
            "no attempt after a cancellation",
            both(one, other),
            matter=Matter.STATUS,
        )
    elif cancelled is not None and _was_made_after(cancelled, other):
        yield Finding(
            f"{logical.name} was attempted again after the run had been cancelled",
            "no attempt after a cancellation",
            (witness("X", cancelled), witness("N", other.call)),
            matter=Matter.CANCELLED_RUN,
        )


def _was_made_after(event: Record, attempt: Attempt) -> bool:
    """Whether an attempt was dispatched after an event, or built after it by more than two files may differ (A34)."""
    began = beginning(attempt)
    dispatched = began is not None and order(event, began) == -1
    return dispatched or order_of_instants(event.moment, attempt.call.moment) == -1


def _timed_pairs(run: Run) -> Iterator[tuple[LogicalCall, Record, Record]]:
    """The results of each attempt and of the one that followed it, if they tell when the one ended and that began."""
    for logical, one, other in pairs(run):
        ended, began = one.result, other.result
        if ended is not None and ended.ended is not None and began is not None and began.began is not None:
            yield logical, ended, began


@check("RETRY-08", each=_timed_pairs)
def attempts_do_not_overlap(_run: Run, subject: tuple[LogicalCall, Record, Record]) -> Iterator[Finding]:
    """The interval of one attempt's result ends before the next one's begins."""
    logical, one, other = subject
    # Both stamps are of one file and one clock: only their resolution leaves room for doubt (A59, B-67).
    if order_of_instants(other.began, one.ended, tolerance=0) == -1:
        yield Finding(
            f"an attempt of {logical.name} began at {other.text('startedAt')}, before the previous one ended",
            f"a beginning at or after {one.text('endedAt')}",
            (witness("R1", one), witness("R2", other)),
        )


def _own_args(attempt: Attempt) -> Mapping[str, Json]:
    args = attempt.call.object("args") or {}
    return {name: value for name, value in args.items() if name not in _OWN_ADDITIONS}


def _marked_args(call: Record) -> Iterator[str]:
    """Pointers into the args that a hook changed or that are redacted; "" means all of them (A42, A49)."""
    yield from ("",) if call.hooked is None else call.hooked
    yield from (each.removeprefix("/args") for each in call.redacted if f"{each}/".startswith("/args/"))


@check("RETRY-09", each=pairs)
def attempts_repeat_the_same_args(_run: Run, pair: tuple[LogicalCall, Attempt, Attempt]) -> Iterator[Finding]:
    """An attempt has the arguments of the one before it."""
    logical, one, other = pair
    marks = (*_marked_args(one.call), *_marked_args(other.call))
    found = differences(_own_args(one), _own_args(other))
    places = tuple(each for each in found if not any(f"{each}/".startswith(f"{mark}/") for mark in marks))
    if places:
        yield Finding(
            f"an attempt of {logical.name} had other args at {', '.join(each or 'the top' for each in places[:5])}",
            "the args of the attempt before it",
            (witness("A1", one.call), witness("A2", other.call)),
            misses=() if (one.number or 0) + 1 == other.number else (Kind.CALL,),
        )


def _recovered(run: Run) -> Iterator[LogicalCall]:
    """Retried calls that ended well, in finished runs in which every step is on record and none ended otherwise."""
    ends = [logical.last.status for logical in run.logical_calls]
    steps = {step.id for step in run.plan.steps} if run.plan is not None else set[str]()
    whole = not run.unbuilt and steps <= {logical.step_id for logical in run.logical_calls}
    # A call that names no step may have been the last attempt of any.
    whole = whole and all(call.step_id is not None for call in run.calls)
    if whole and ends and set(ends) == {"ok"} and not run.events_of("run.cancelled"):
        yield from retried(run)


@check("RETRY-10", each=_recovered, needs=("events",))
def the_last_attempt_decides(run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """A run whose every step ended ok in its last attempt does not call itself failed."""
    for event in run.events_of("run.finished"):
        status = (event.object("payload") or {}).get("status")
        if status not in (None, "ok"):
            last = (witness("R", logical.last.result),) if logical.last.result is not None else ()
            yield Finding(
                f"run.finished had the status {excerpt(status)} though {logical.name} ended ok in its last attempt",
                "the outcome of the last attempts: ok",
                (witness("E", event), *last),
                misses=ANYTHING,
            )


def _retried_and_answered(run: Run) -> Iterator[LogicalCall]:
    """Retried calls of which a later attempt has a result that says to which attempt it belongs."""
    for logical in retried(run):
        results = (each.result for each in logical.attempts[1:])
        if any(each is not None and each.integer("attempt") is not None for each in results):
            yield logical


@check("RETRY-14", each=_retried_and_answered)
def a_dead_attempt_closes_no_later_one(_run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """The result of a call does not name an earlier attempt."""
    earlier: set[int | None] = set()
    for attempt in logical.attempts:
        told = attempt.result.integer("attempt") if attempt.result is not None else None
        if attempt.result is not None and told is not None and told in earlier - {attempt.number}:
            yield Finding(
                f"the result of {owner(attempt.call)}, attempt {attempt.number}, says attempt {told}",
                "its own result for each attempt",
                (witness("C", attempt.call), witness("R", attempt.result)),
            )
        earlier.add(attempt.number)


def _timed_out_writes(run: Run) -> Iterator[tuple[LogicalCall, Attempt, Attempt]]:
    for logical, one, other in pairs(run):
        if one.status == "timeout" and writes(run, one):
            yield logical, one, other


def is_guarded(args: Mapping[str, Json]) -> bool:
    """Whether a write with these args does nothing when it is made a second time (RETRY-15)."""
    if args.get("ifNotExists") is True or args.get("expectedEtag") is not None:
        return True
    return args.get("collisionStrategy") == "error"


@check("RETRY-15", each=_timed_out_writes, needs=("plan",))
def no_blind_retry_of_a_write(_run: Run, pair: tuple[LogicalCall, Attempt, Attempt]) -> Iterator[Finding]:
    """An unguarded write is not repeated after a timeout with unknown effects, unless the step asks for it."""
    logical, one, other = pair
    result = one.result
    known = result is not None and (result.object("effects") is not None or under_any("/effects", result.redacted))
    asked: Step | None = logical.step
    args = _own_args(one)
    guarded = is_guarded(args) or args.get("dryRun") is True or one.call.is_redacted_in("args")
    if known or asked is None or asked.has_own_retry or guarded:
        return
    yield Finding(
        f"{logical.name} was attempted again after a timeout with unknown effects",
        "a guard in the args, known effects, or a retry on the step itself",
        both(one, other),
        ("its args hold neither expectedEtag nor ifNotExists",),
    )


def _later_attempts(run: Run) -> Iterator[tuple[LogicalCall, Attempt]]:
    for logical in retried(run):
        yield from ((logical, each) for each in logical.attempts[1:] if was_dispatched(each))


@check("RETRY-16", each=_later_attempts)
def each_attempt_passes_every_gate(run: Run, subject: tuple[LogicalCall, Attempt]) -> Iterator[Finding]:
    """A later attempt that was dispatched is permitted, valid and confirmed like the first."""
    logical, attempt = subject
    tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry is not None else None
    validator = tool.input_validator if tool is not None else None
    faults = [offends(run, attempt)]
    whole = not attempt.call.is_redacted_in("args")  # the schema does not apply to a placeholder for a secret (A42)
    if validator is not None and whole and not validator.accepts(attempt.call.get("args")):
        faults.append("its args break the tool's inputSchema")
    if required(run) and writes(run, attempt) and attempt.call.text("confirmationId") is None:
        faults.append("it carries no confirmationId")
    for fault in filter(None, faults):
        yield Finding(
            f"attempt {attempt.number} of {logical.name} was dispatched",
            "validation, policy and confirmation for every attempt",
            (witness("C", attempt.call),),
            (fault,),
        )
