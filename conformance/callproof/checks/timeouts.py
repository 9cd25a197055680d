"""Checks for the requirements in ``spec/timeouts.md`` that records alone decide.

What hosted tools saw of a timeout is in ``timeouts_deeds``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import ruling_policy, was_dispatched
from callproof.checks.matters import Matter
from callproof.checks.members import owner, told
from callproof.checks.subjects import answered, results, whole_run
from callproof.trace.once import once_a_run
from callproof.trace.records import Record, order_of_instants
from callproof.trace.run import Attempt, Run
from callproof.values.instants import parse_instant
from callproof.values.jsontext import Json
from callproof.values.spans import in_ms

# The grace that the specification states for closing a call after its limit (A58), in milliseconds.
GRACE_MS = 1_000
# How far a monotonic clock and a wall clock may differ in one record (A6, B-11).
SLACK_MS = 50
SLACK_SHARE = 0.01
_NS_PER_MS = 1_000_000
# Beyond this many milliseconds, some thirty thousand years, a number is no duration to calculate with.
_ENDLESS_MS = 10**15


def ran_for_ms(result: Record) -> float | None:
    """How long a call ran: its duration, else the difference of its stamps, in milliseconds."""
    stated = result.number("durationMs")
    started, ended = result.began, result.ended
    if stated is not None:
        return float(min(max(stated, -_ENDLESS_MS), _ENDLESS_MS))
    return (ended.nanoseconds - started.nanoseconds) / _NS_PER_MS if started and ended else None


def _least_by_stamps_ms(result: Record) -> float:
    """The least that a call can have run by its stamps, as far as they are known."""
    started, ended = result.began, result.ended
    if started is None or ended is None:
        return 0.0
    return (ended.nanoseconds - started.nanoseconds - max(started.resolution, ended.resolution)) / _NS_PER_MS


def may_cut_earlier(attempt: Attempt) -> bool:
    """Whether a call's deadline may end it before its limit has passed since its dispatch (A27)."""
    if attempt.call.get("deadlineAt") is None:
        return False
    began = attempt.result.began if attempt.result is not None else None
    deadline, limit = attempt.call.instant("deadlineAt"), attempt.call.integer("timeoutMs")
    if deadline is None or began is None or limit is None:
        return True
    doubt = began.resolution if began.resolution > _NS_PER_MS else 0  # a stamp in milliseconds is exact enough
    return deadline.nanoseconds < began.nanoseconds + doubt + limit * _NS_PER_MS


def limit_of(run: Run, attempt: Attempt) -> int | None:
    """The most milliseconds that a call may run: the least of what its record, its step and the policy say (A67)."""
    policy, step = ruling_policy(run), run.step(attempt.call.step_id)
    told = (
        attempt.call.integer("timeoutMs"),
        step.timeout_ms if step is not None else None,
        policy.max_timeout_ms if policy is not None else None,
    )
    return min((each for each in told if each is not None and 0 < each < _ENDLESS_MS), default=None)


def _limited(run: Run) -> Iterator[tuple[Attempt, Record, float, float]]:
    """Dispatched calls with a limit and a result: the call, the result, its duration, its limit."""
    for attempt in run.attempts:
        limit = limit_of(run, attempt)
        if attempt.result is None or limit is None or not was_dispatched(attempt):
            continue
        ran = ran_for_ms(attempt.result)
        if ran is not None:
            yield attempt, attempt.result, ran, float(limit)


def _whose(attempt: Attempt, limit: float) -> tuple[str, ...]:
    """A clause on where a limit stands, if the call does not state it itself."""
    stated = attempt.call.integer("timeoutMs") == limit
    return (
        () if stated else (f"step {attempt.call.step_id} or the policy sets this limit; the call's timeoutMs does not",)
    )


@check("TIME-01", each=_limited)
def the_timeout_ends_the_call(_run: Run, subject: tuple[Attempt, Record, float, float]) -> Iterator[Finding]:
    """A call is closed within the grace after its limit, and a call that ran past the grace did not end ok."""
    attempt, result, ran, limit = subject
    if ran > limit + GRACE_MS:
        yield Finding(
            f"{owner(attempt.call)} ended {attempt.status} after {in_ms(ran)} ms",
            f"status timeout within {GRACE_MS} ms after its limit of {in_ms(limit)} ms",
            (witness("C", attempt.call), witness("R", result)),
            _whose(attempt, limit),
            matter=Matter.LATE,
        )


@check("TIME-02", each=_limited)
def what_ends_in_time_did_not_time_out(_run: Run, subject: tuple[Attempt, Record, float, float]) -> Iterator[Finding]:
    """A timeout is not reported before the limit, or the deadline, was reached."""
    attempt, result, ran, limit = subject
    ended, deadline = result.ended, attempt.call.instant("deadlineAt")
    # If only the duration says that the limit had not passed, and the stamps say that it had, TIME-07 reports that.
    ran = max(ran, _least_by_stamps_ms(result))
    if attempt.status != "timeout" or ran >= limit - max(SLACK_MS, SLACK_SHARE * limit):
        return
    if deadline is not None and order_of_instants(ended, deadline) != -1:
        return
    yield Finding(
        f"{owner(attempt.call)} was reported as timed out after {in_ms(ran)} ms",
        f"a timeout at its limit of {in_ms(limit)} ms",
        (witness("C", attempt.call), witness("R", result)),
        _whose(attempt, limit),
    )


def _with_a_deadline_alone(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """Calls whose deadline is the only limit on record."""
    return (each for each in _with_deadline(run) if was_dispatched(each[0]) and limit_of(run, each[0]) is None)


@check("TIME-02", each=_with_a_deadline_alone)
def what_ends_before_its_deadline_did_not_time_out(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A timeout is not reported before the deadline, where no other limit is known."""
    attempt, result = subject
    early = order_of_instants(result.ended, attempt.call.instant("deadlineAt")) == -1
    if attempt.status == "timeout" and early:
        yield Finding(
            f"{owner(attempt.call)} was reported as timed out at {result.text('endedAt')}",
            f"a timeout at its deadlineAt {attempt.call.text('deadlineAt')}",
            (witness("C", attempt.call), witness("R", result)),
        )


@check("TIME-06", each=answered)
def times_are_in_order(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A call is created before it begins."""
    attempt, result = subject
    if order_of_instants(result.began, attempt.call.instant("createdAt")) == -1:
        yield Finding(
            f"{owner(attempt.call)} began at {result.text('startedAt')}",
            f"a beginning not before its createdAt {attempt.call.text('createdAt')}",
            (witness("C", attempt.call), witness("R", result)),
        )


@check("TIME-06", each=results)
def an_end_follows_its_beginning(_run: Run, result: Record) -> Iterator[Finding]:
    """A result begins before it ends."""
    started, ended = result.began, result.ended
    if order_of_instants(ended, started, tolerance=SLACK_MS * _NS_PER_MS) == -1:
        yield Finding(
            f"{owner(result)} ended at {result.text('endedAt')}",
            f"an end not before its startedAt {result.text('startedAt')}",
            (witness("R", result),),
        )


@once_a_run
def _spans(run: Run) -> Mapping[str | None, float]:
    """By call, how long its tool was at work until it answered or was aborted, where the suite sets the clock."""
    spans: dict[str | None, float] = {}
    for deed in (run.deeds or ()) if run.witnessed is not None and run.witnessed.virtual_clock else ():
        ends = [each.at_ms for each in (deed.answer, *deed.aborts) if each is not None]
        if ends:
            spans[deed.call_id] = min(ends) - deed.at_ms
    return spans


def _told(run: Run) -> Iterable[Record]:
    seen = _spans(run)
    return [each for each in run.results if each.call_id not in seen] if seen else run.results


def _told_and_seen(run: Run) -> Iterator[tuple[Record, float]]:
    return ((each, _spans(run)[each.call_id]) for each in run.results if each.call_id in _spans(run))


@check("TIME-07", each=_told)
def duration_agrees_with_the_stamps(_run: Run, result: Record) -> Iterator[Finding]:
    """durationMs and the stamps of a result tell the same length, within resolution and slack."""
    yield from _disagreeing(result)


@check("TIME-07", each=_told_and_seen)
def duration_and_stamps_are_of_one_clock(_run: Run, subject: tuple[Record, float]) -> Iterator[Finding]:
    """The same where the suite knows how long the tool was at work, and so which of the two is wrong."""
    yield from _disagreeing(*subject)


def _disagreeing(result: Record, seen: float | None = None) -> Iterator[Finding]:
    started, ended = result.began, result.ended
    if started is None or ended is None or result.number("durationMs") is None:
        return
    stated = ran_for_ms(result) or 0.0
    if order_of_instants(ended, started, tolerance=SLACK_MS * _NS_PER_MS) == -1:
        return  # TIME-06 reports stamps out of order
    span = (ended.nanoseconds - started.nanoseconds) / _NS_PER_MS
    resolution = (started.resolution + ended.resolution) / _NS_PER_MS
    permitted = resolution + max(SLACK_MS, SLACK_SHARE * max(span, 0.0))
    if not abs(stated - span) <= permitted:
        yield Finding(
            f"{owner(result)} {told(result, 'durationMs')}",
            f"{in_ms(span)} ms, give or take {in_ms(permitted)}",
            (witness("R", result),),
            (
                f"it began at {result.text('startedAt')} and ended at {result.text('endedAt')}",
                *(
                    (f"the tool took {in_ms(seen)} ms on the suite's clock, so the stamps are of another one",)
                    if seen is not None and abs(stated - seen) <= SLACK_MS
                    else ()
                ),
            ),
        )


def _stamps(run: Run) -> Iterator[tuple[Record, str, Json]]:
    """Every instant except the createdAt of calls: the record, the member's name, its value."""
    for result in run.results:
        yield from ((result, name, result.get(name)) for name in ("startedAt", "endedAt"))
    for event in run.events or ():
        yield event, "timestamp", event.get("timestamp")
    if run.run_record is not None:
        yield run.run_record, "createdAt", run.run_record.get("createdAt")
        decision = run.run_record.object("confirmation") or {}
        yield from ((run.run_record, name, decision.get(name)) for name in ("decidedAt", "expiresAt"))
    for call in run.calls:
        yield call, "deadlineAt", call.get("deadlineAt")


def _told_stamps(run: Run) -> Iterator[tuple[Record, str, Json]]:
    """Instants that are texts, and those of the run record of any type: other laws check the type of the others."""
    for record, name, value in _stamps(run):
        if isinstance(value, str) or (record is run.run_record and value is not None):
            yield record, name, value


@check("TIME-09", each=_told_stamps)
def instants_are_rfc_3339(_run: Run, subject: tuple[Record, str, Json]) -> Iterator[Finding]:
    """An instant is RFC 3339 text with an offset."""
    record, name, value = subject
    if parse_instant(value) is None:
        yield Finding(
            f"{owner(record)} had {name} {excerpt(value)}",
            "RFC 3339 with an offset, such as 2026-01-05T09:00:00.000Z",
            (witness("R", record),),
        )


@check("TIME-10", each=lambda run: (each for each in run.calls if each.integer("timeoutMs")), needs=("policy",))
def the_policy_caps_the_timeout(run: Run, call: Record) -> Iterator[Finding]:
    """No call's timeout is above the policy's."""
    policy = ruling_policy(run)
    cap, wanted = policy.max_timeout_ms if policy is not None else None, call.integer("timeoutMs")
    if cap is not None and wanted is not None and wanted > cap:
        yield Finding(
            f"{owner(call)} {told(call, 'timeoutMs')}", f"{cap} ms, the policy's maxTimeoutMs", (witness("C", call),)
        )


def _with_deadline(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """Closed calls that have a deadline, including those that only waited."""
    for attempt in run.attempts:
        if attempt.result is not None and attempt.call.instant("deadlineAt"):
            yield attempt, attempt.result


@check("TIME-12", each=_with_deadline)
def a_deadline_is_a_limit(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A call is closed within the grace after its deadline."""
    attempt, result = subject
    deadline = attempt.call.instant("deadlineAt")
    if order_of_instants(deadline, result.ended, tolerance=GRACE_MS * _NS_PER_MS) == -1:
        yield Finding(
            f"{owner(attempt.call)} ended {attempt.status} at {result.text('endedAt')}",
            f"an end within {GRACE_MS} ms after its deadlineAt {attempt.call.text('deadlineAt')}",
            (witness("C", attempt.call), witness("R", result)),
        )


@check("TIME-13", each=whole_run, needs=("events",))
def calls_lie_within_their_run(run: Run, _subject: Run) -> Iterator[Finding]:
    """No call is created and no result begins before run.started, and none ends after run.finished."""
    started = next(iter(run.events_of("run.started")), None)
    finished = next(iter(run.events_of("run.finished")), None)
    for call in run.calls if started is not None else ():
        if started is not None and order_of_instants(call.moment, started.moment) == -1:
            yield Finding(
                f"{owner(call)} was created at {call.text('createdAt')}",
                f"not before run.started at {started.text('timestamp')}",
                (witness("C", call), witness("E", started)),
            )
    for result in run.results:
        if started and order_of_instants(result.began, started.moment) == -1:
            yield Finding(
                f"{owner(result)} began at {result.text('startedAt')}",
                f"a beginning not before run.started at {started.text('timestamp')}",
                (witness("R", result), witness("E", started)),
            )
        if finished and order_of_instants(finished.moment, result.ended) == -1:
            yield Finding(
                f"{owner(result)} ended at {result.text('endedAt')}",
                f"an end not after run.finished at {finished.text('timestamp')}",
                (witness("R", result), witness("E", finished)),
            )
