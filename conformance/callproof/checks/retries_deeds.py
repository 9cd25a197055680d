"""Checks for the requirements in ``spec/retries.md`` that hosted tools decide: what reached them, and when."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import was_denied
from callproof.checks.failures import unbuilt_stops
from callproof.checks.retries import pairs, retried
from callproof.checks.retries_limits import effective_limit, is_owed, is_refused_by_nobody
from callproof.checks.timeouts import limit_of, may_cut_earlier, ran_for_ms
from callproof.checks.timeouts_deeds import clock_slack_ms
from callproof.trace.once import once_a_run
from callproof.trace.run import Attempt, LogicalCall, Run
from callproof.trace.witnesses import Answer, AnswerKind, Deed
from callproof.values.counts import counted
from callproof.values.jsonvalue import equal
from callproof.values.spans import in_ms


def _deed_pairs(run: Run) -> Iterator[tuple[LogicalCall, Deed, Deed]]:
    """Each invocation of an attempt, with the invocation of the attempt that followed."""
    for logical, one, other in pairs(run):
        if one.deeds and other.deeds:
            yield logical, one.deeds[-1], other.deeds[0]


def _invoked(run: Run) -> Iterator[tuple[LogicalCall, tuple[Deed, ...]]]:
    for logical in run.logical_calls:
        deeds = tuple(deed for attempt in logical.attempts for deed in attempt.deeds or ())
        if deeds:
            yield logical, deeds


@check("RETRY-03", each=_invoked, needs=("plan", "deeds"))
def tools_see_no_more_attempts_than_permitted(
    run: Run, subject: tuple[LogicalCall, tuple[Deed, ...]]
) -> Iterator[Finding]:
    """A tool is not entered more often for one logical call than the limit permits."""
    logical, deeds = subject
    limit = effective_limit(run, logical)
    if limit is not None and len(deeds) > limit:
        last = max(limit, 1)  # a plan or a policy may permit no attempt at all
        yield Finding(
            f"{deeds[0].tool} was entered {len(deeds)} times for {logical.name}",
            counted(limit, "attempt"),
            tuple(witness(f"D{n}", deed) for n, deed in enumerate(deeds[last - 1 : last + 1], last)),
        )


def _came_too_late(run: Run, one: Deed, answer: Answer, other: Deed) -> bool:
    """Whether an attempt was over before its tool answered: closed, aborted, or followed by the next one (RES-20)."""
    aborted = any(abort.arrival < answer.arrival for abort in one.aborts)
    return aborted or answer.arrival > other.arrival or _was_over(run, one, answer)


def _was_over(run: Run, deed: Deed, answer: Answer) -> bool:
    """Whether the result of a call arrived before its tool's answer: then no result holds that answer (RES-20)."""
    attempt = run.attempt_by_call_id.get(deed.call_id)
    told = attempt.result.arrival if attempt is not None and attempt.result is not None else None
    return told is not None and answer.arrival > told


@check("RETRY-04", each=_deed_pairs, needs=("deeds",))
def no_invocation_against_the_tools_word(run: Run, subject: tuple[LogicalCall, Deed, Deed]) -> Iterator[Finding]:
    """A tool that answered retryable false in time is not entered again for the same logical call."""
    logical, one, other = subject
    error = one.answer.error if one.answer is not None and not _came_too_late(run, one, one.answer, other) else None
    if error is not None and error.get("retryable") is False:
        yield Finding(
            f"{other.tool} was entered again for {logical.name} after it had answered retryable false",
            "no attempt after a tool ruled it out",
            (witness("D1", one), witness("D2", other)),
        )


@once_a_run
def _ended_ok(run: Run) -> frozenset[tuple[int, str | None]]:
    """The identities of logical calls, each with the callIds of its attempts that ended ok."""
    attempts = ((logical, each) for logical in run.logical_calls for each in logical.attempts)
    return frozenset((id(logical), each.call.call_id) for logical, each in attempts if each.status == "ok")


@check("RETRY-05", each=_deed_pairs, needs=("deeds",))
def no_invocation_after_success(run: Run, subject: tuple[LogicalCall, Deed, Deed]) -> Iterator[Finding]:
    """A tool whose output was taken in time is not entered again for the same logical call."""
    logical, one, other = subject
    answer = one.answer
    if answer is None or answer.kind is not AnswerKind.OUTPUT or _came_too_late(run, one, answer, other):
        return
    if (id(logical), one.call_id) in _ended_ok(run):
        yield Finding(
            f"{other.tool} was entered again for {logical.name} after it had returned",
            "no attempt after ok",
            (witness("D1", one), witness("D2", other)),
        )


def _answered_short(run: Run) -> Iterator[tuple[LogicalCall, Deed, int]]:
    """Logical calls below their limit whose tool's last word was that it may be retried."""
    cancelled = run.events_of("run.cancelled") or any(act.kind.value == "cancel" for act in run.acts or ())
    stopped = [each for each in run.logical_calls if each.last.status not in ("ok", None)]
    if cancelled or not run.finished or unbuilt_stops(run) or len(stopped) > 1:
        return
    for logical, deeds in _invoked(run):
        limit, last = effective_limit(run, logical), deeds[-1]
        # An attempt whose hook failed counts too, although it never reached the tool.
        refused = sum(1 for each in logical.attempts if each.hook_failed and not each.deeds)
        if limit is None or len(deeds) + refused >= limit or not _is_to_go_on(run, logical, last):
            continue
        error = last.answer.error if last.answer is not None else None
        if error is not None and error.get("retryable") is True:
            yield logical, last, limit


def _is_to_go_on(run: Run, logical: LogicalCall, last: Deed) -> bool:
    """Whether only the last word of its tool decides if there is another attempt."""
    if last.answer is None or last.aborts or _was_over(run, last, last.answer):
        return False
    # If the policy or its hook denied the last attempt, or its hook failed, the retry was already made (RETRY-16).
    return is_owed(logical) and not was_denied(logical.last) and not is_refused_by_nobody(logical.last)


@check("RETRY-11", each=_answered_short, needs=("plan", "deeds"))
def a_tool_that_may_be_retried_is(_run: Run, subject: tuple[LogicalCall, Deed, int]) -> Iterator[Finding]:
    """A tool that answered retryable true below the limit is entered again."""
    logical, deed, limit = subject
    code = (deed.answer.error or {}).get("code") if deed.answer is not None else None
    if code not in ("VALIDATION_ERROR", "POLICY_DENIED", "CANCELLED"):
        yield Finding(
            f"{deed.tool} answered {excerpt(code)} with retryable true, and {logical.name} was given up",
            f"another attempt, up to {limit}",
            (witness("D", deed),),
        )


def _late_attempts_cut_off(run: Run) -> Iterator[tuple[LogicalCall, Attempt, Deed]]:
    for logical in retried(run):
        for attempt in logical.attempts[1:]:
            yield from ((logical, attempt, deed) for deed in attempt.deeds or () if deed.aborts)


@check("RETRY-13", each=_late_attempts_cut_off, needs=("deeds",))
def the_timeout_begins_anew(run: Run, subject: tuple[LogicalCall, Attempt, Deed]) -> Iterator[Finding]:
    """A later attempt is not aborted before its own timeout has passed since its dispatch."""
    logical, attempt, deed = subject
    limit, abort = limit_of(run, attempt), deed.aborts[0]
    if limit is None or abort.reason != "timeout" or may_cut_earlier(attempt):
        return
    if abort.at_ms - deed.at_ms < limit - clock_slack_ms(run):
        yield Finding(
            f"attempt {attempt.number} of {logical.name} was aborted after {in_ms(abort.at_ms - deed.at_ms)} ms",
            f"{limit} ms for each attempt",
            (witness("D", deed),),
        )


def _answers_of_the_dead(run: Run) -> Iterator[tuple[LogicalCall, Attempt, Deed, Deed]]:
    """Attempts that ended ok after an attempt whose tool answered too late."""
    for logical, one, other in pairs(run):
        for dead, live in ((d, n) for d in one.deeds or () for n in other.deeds or ()):
            if dead.aborts and dead.answer is not None and other.status == "ok":
                yield logical, other, dead, live


@check("RETRY-14", each=_answers_of_the_dead, needs=("deeds",))
def a_late_answer_closes_no_later_attempt(
    _run: Run, subject: tuple[LogicalCall, Attempt, Deed, Deed]
) -> Iterator[Finding]:
    """The data of an attempt is not what the tool answered to an earlier, dead one."""
    logical, attempt, dead, live = subject
    data = attempt.result.get("data") if attempt.result is not None else None
    late = dead.answer.data if dead.answer is not None else None
    own = live.answer.data if live.answer is not None else None
    if equal(data, late) and not equal(late, own) and attempt.result is not None:
        yield Finding(
            f"attempt {attempt.number} of {logical.name} was closed with the answer to an earlier attempt",
            f"its own answer: {excerpt(own)}",
            (witness("D1", dead), witness("D2", live), witness("R", attempt.result)),
        )


def _timed_out_after(run: Run, attempt: Attempt) -> float | None:
    """How long a call ran until its time was up: its limit, or the result's word if something else may have cut it."""
    limit = limit_of(run, attempt)
    if limit is not None and not may_cut_earlier(attempt):
        return float(limit)
    return ran_for_ms(attempt.result) if attempt.result is not None else None


def _ended_at(run: Run, deed: Deed) -> float | None:
    """When an invocation was over for the system: at its answer, its abort or its limit, whichever came first."""
    ends = [deed.answer.at_ms] if deed.answer is not None else []
    attempt = run.attempt_by_call_id.get(deed.call_id)
    lasted = _timed_out_after(run, attempt) if attempt is not None and attempt.status == "timeout" else None
    if lasted is not None:  # a tool that cannot be cancelled is not aborted, and goes on
        ends.append(deed.at_ms + lasted)
    return min((*ends, *(abort.at_ms for abort in deed.aborts)), default=None)


@check("RETRY-18", each=_deed_pairs, needs=("plan", "deeds"))
def backoff_is_kept(run: Run, subject: tuple[LogicalCall, Deed, Deed]) -> Iterator[Finding]:
    """Between the end of one attempt and the next dispatch at least backoffMs pass."""
    logical, one, other = subject
    ended = _ended_at(run, one)
    if logical.step is None or logical.step.retry is None or ended is None:
        return
    if ended > other.at_ms:  # it was closed without an abort to its tool, which TIME-04 reports
        return
    waited, wanted = other.at_ms - ended, logical.step.backoff_ms
    if waited < wanted - clock_slack_ms(run):
        yield Finding(
            f"{logical.name} was attempted again {in_ms(waited)} ms after its last attempt had ended",
            f"a wait of at least {wanted} ms",
            (witness("D1", one), witness("D2", other)),
        )
