"""Checks for the requirements in ``spec/timeouts.md`` that hosted tools decide: aborts, and when they came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callproof.checks.changes import same_effects
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import ending_of, ran_out_waiting, was_dispatched
from callproof.checks.matters import Matter
from callproof.checks.members import owner, told
from callproof.checks.timeouts import GRACE_MS, limit_of, may_cut_earlier
from callproof.trace.once import once_a_run
from callproof.trace.plangraph import all_needs, judged_plan
from callproof.trace.records import Record
from callproof.trace.run import Attempt, LogicalCall, Run
from callproof.trace.witnesses import ActKind, Answer, Deed
from callproof.values.spans import in_ms

# The suite's clock is read before a message is parsed and after one is written; a virtual one is exact.
_CLOCK_MS = 2.0
# On a real clock a message may be this long on its way and in queues before it is read.
REAL_CLOCK_MS = 250.0


def clock_slack_ms(run: Run) -> float:
    """How far an instant of the suite's clock may differ from the system's; on a virtual clock, hardly at all."""
    return _CLOCK_MS if run.witnessed is not None and run.witnessed.virtual_clock else REAL_CLOCK_MS


def _deeds(run: Run) -> Iterator[tuple[Attempt, Record, Deed]]:
    for attempt in run.attempts:
        if attempt.result is not None:
            yield from ((attempt, attempt.result, deed) for deed in attempt.deeds or ())


def _overlong(run: Run) -> Iterator[tuple[Attempt, Record, Deed]]:
    """Invocations that were not answered within their limit and the grace, in runs that were not cancelled."""
    if any(act.kind is ActKind.CANCEL for act in run.acts or ()):
        return
    for attempt, result, deed in _deeds(run):
        limit, answer = limit_of(run, attempt), deed.answer
        if limit is not None and (answer is None or answer.at_ms - deed.at_ms > limit + GRACE_MS + clock_slack_ms(run)):
            yield attempt, result, deed


@check("TIME-01", each=_overlong, needs=("deeds",))
def what_outlasts_its_limit_times_out(run: Run, subject: tuple[Attempt, Record, Deed]) -> Iterator[Finding]:
    """A call whose tool did not answer in time has status timeout."""
    attempt, result, deed = subject
    if attempt.status not in ("timeout", "cancelled"):
        yield Finding(
            f"{deed.tool} did not answer within its limit, and {owner(result)} had status {attempt.status}",
            "status timeout",
            (witness("D", deed), witness("R", result)),
            (f"its limit was {limit_of(run, attempt)} ms",),
        )


def _open_beyond_the_limit(run: Run) -> Iterator[tuple[Attempt, Deed, float, int]]:
    """Calls without a result whose tool had not answered within limit and grace, in a run that did not end."""
    watched = run.witnessed.watched_ms if run.witnessed is not None else None
    if watched is None or run.finished or run.killed or any(act.kind is ActKind.CANCEL for act in run.acts or ()):
        return
    for attempt in run.attempts:
        limit = limit_of(run, attempt) if attempt.result is None else None
        for deed in attempt.deeds or ():
            open_ms = (watched if deed.answer is None else deed.answer.at_ms) - deed.at_ms
            if limit is not None and open_ms > limit + GRACE_MS + clock_slack_ms(run):
                yield attempt, deed, open_ms, limit


@check("TIME-01", each=_open_beyond_the_limit, needs=("deeds",))
def what_outlasts_its_limit_is_closed(_run: Run, subject: tuple[Attempt, Deed, float, int]) -> Iterator[Finding]:
    """A call does not stay without a result when its limit and the grace are over."""
    attempt, deed, open_ms, limit = subject
    yield Finding(
        f"{deed.tool} was entered for {owner(attempt.call)}, which had no result {in_ms(open_ms)} ms later",
        f"status timeout within {GRACE_MS} ms after its limit of {limit} ms",
        (witness("C", attempt.call), witness("D", deed)),
        matter=Matter.LATE,
    )


def may_have_been_stopped(run: Run, result: Record) -> bool:
    """Whether a cancellation, or another call that failed for good, may have ended this one (A86)."""
    ended = any(act.kind in (ActKind.CANCEL, ActKind.REJECT) for act in run.acts or ())
    if ended or run.cut_short or run.events_of("run.cancelled"):
        return True
    lasts = (each.last for each in run.logical_calls)
    return any(each.status in ("error", "timeout") and each.result is not result for each in lasts)


def _aborted_at_the_limit(run: Run) -> Iterator[tuple[Record, Deed]]:
    """Invocations that were aborted because of their limit, and for no other reason, before any answer."""
    for _, result, deed in _deeds(run):
        first = next(iter(deed.aborts), None)
        if first is None or any(abort.reason != "timeout" for abort in deed.aborts):
            continue
        if deed.answer is None or deed.answer.arrival > first.arrival:
            yield result, deed


@check("TIME-01", each=_aborted_at_the_limit, needs=("deeds",))
def what_nobody_cancelled_was_not_cancelled(run: Run, subject: tuple[Record, Deed]) -> Iterator[Finding]:
    """A call whose tool was aborted at its limit does not end cancelled, unless something had cancelled it."""
    result, deed = subject
    if result.text("status") == "cancelled" and not may_have_been_stopped(run, result):
        yield Finding(
            f"{deed.tool} was aborted for the reason timeout, and {owner(result)} had status cancelled",
            "status timeout: nothing had cancelled the call",
            (witness("D", deed), witness("R", result)),
            matter=Matter.STATUS,
        )


def _prompt(run: Run) -> Iterator[tuple[Attempt, Record, Deed, Answer]]:
    """Invocations that were answered well within their limit."""
    for attempt, result, deed in _deeds(run):
        limit, answer = limit_of(run, attempt), deed.answer
        if limit is None or answer is None or may_cut_earlier(attempt):
            continue
        if answer.at_ms - deed.at_ms < limit - clock_slack_ms(run):
            yield attempt, result, deed, answer


@check("TIME-02", each=_prompt, needs=("deeds",))
def what_answers_in_time_did_not_time_out(run: Run, subject: tuple[Attempt, Record, Deed, Answer]) -> Iterator[Finding]:
    """A call whose tool answered in time does not have status timeout."""
    attempt, result, deed, answer = subject
    if attempt.status == "timeout":
        yield Finding(
            f"{deed.tool} answered after {in_ms(answer.at_ms - deed.at_ms)} ms, and {owner(result)} had status timeout",
            f"a timeout at its limit of {limit_of(run, attempt)} ms",
            (witness("D", deed), witness("R", result)),
        )


def _aborted(run: Run) -> Iterator[tuple[Attempt, Deed]]:
    for attempt, _, deed in _deeds(run):
        if any(abort.reason == "timeout" for abort in deed.aborts) and not may_cut_earlier(attempt):
            yield attempt, deed


@check("TIME-03", each=_aborted, needs=("deeds",))
def the_limit_counts_from_dispatch(run: Run, subject: tuple[Attempt, Deed]) -> Iterator[Finding]:
    """The abort of a timeout does not come before the limit has passed since the dispatch."""
    attempt, deed = subject
    limit = limit_of(run, attempt)
    after = next(abort.at_ms for abort in deed.aborts if abort.reason == "timeout") - deed.at_ms
    if limit is not None and after < limit - clock_slack_ms(run):
        yield Finding(
            f"{deed.tool} was aborted {in_ms(after)} ms after its dispatch",
            f"its limit of {limit} ms, counted from dispatch",
            (witness("D", deed),),
        )


def _timed_out(run: Run) -> Iterator[tuple[Attempt, Record, Deed]]:
    """Timed-out calls of cancellable tools that had not answered before the result was written."""
    for attempt, result, deed in _deeds(run):
        tool = run.registry.resolve(deed.tool) if run.registry is not None else None
        answered = deed.answer is not None and result.arrival is not None and deed.answer.arrival < result.arrival
        if attempt.status == "timeout" and tool is not None and tool.cancellable and not (answered and not deed.aborts):
            yield attempt, result, deed


@check("TIME-04", each=_timed_out, needs=("deeds", "registry"))
def a_timeout_aborts_the_tool(_run: Run, subject: tuple[Attempt, Record, Deed]) -> Iterator[Finding]:
    """A cancellable tool receives tool/abort with the reason timeout."""
    _, result, deed = subject
    if not any(abort.reason == "timeout" for abort in deed.aborts):
        yield Finding(
            f"{owner(result)} had status timeout, and {deed.tool} was not aborted",
            "tool/abort with the reason timeout",
            (witness("D", deed), witness("R", result)),
        )


def last_words(run: Run, *statuses: str) -> Iterator[tuple[Record, Deed, Answer]]:
    """
    Calls with one of these statuses whose tool reported its changes before the result was written.

    On a real clock, a result without these changes may have been written while the tool's answer was under way.  Then
    only a result that has them proves anything: no system has to wait for the answer (A58).
    """
    virtual = run.witnessed is not None and run.witnessed.virtual_clock
    for attempt, result, deed in _deeds(run):
        answer = deed.answer
        if attempt.status not in statuses or answer is None or result.arrival is None:
            continue
        if not any((answer.observed or {}).values()):
            continue
        in_time = (virtual and not _crossed_a_cancellation(run, deed, answer)) or attempt.status == "error"
        had_it = in_time or same_effects(result.get("effects"), answer.observed)
        if answer.arrival < result.arrival and had_it:
            yield result, deed, answer


def _crossed_a_cancellation(run: Run, deed: Deed, answer: Answer) -> bool:
    """Whether the tool answered after a cancellation that the system may not have read yet: no abort had come."""
    cancelled = any(act.kind is ActKind.CANCEL and act.arrival < answer.arrival for act in run.acts or ())
    return cancelled and not any(abort.arrival < answer.arrival for abort in deed.aborts)


def not_reported(result: Record, deed: Deed, answer: Answer) -> Iterator[Finding]:
    """The finding that a result's effects are not what the tool was observed to change."""
    if not result.is_redacted_in("effects") and not same_effects(result.get("effects"), answer.observed):
        yield Finding(
            f"{owner(result)}, status {result.text('status')}, {told(result, 'effects')}",
            f"what was observed: {excerpt(answer.observed)}",
            (witness("D", deed), witness("R", result)),
        )


def waited_for(call: str) -> str:
    """What a run lacks in which no result of such a call waited for the tool's last word (A58)."""
    return f"a {call} call whose result waited for what the tool reported after its abort (abortGraceMs)"


@check("TIME-05", each=lambda run: last_words(run, "timeout"), needs=("deeds",), wants=waited_for("timed-out"))
def what_a_dead_call_did_is_told(_run: Run, subject: tuple[Record, Deed, Answer]) -> Iterator[Finding]:
    """The changes that a timed-out tool reported in time are the result's effects."""
    yield from not_reported(*subject)


_GIVEN_UP = frozenset({"skipped", "cancelled"})


def _passed_over(run: Run) -> Iterator[tuple[LogicalCall, str]]:
    """Timed-out steps that are to be skipped, each with every step that does not need them."""
    plan = judged_plan(run)
    if plan is None or any(act.kind is ActKind.CANCEL for act in run.acts or ()) or not run.finished:
        return
    # The specification does not say what becomes of steps that depend on a call whose deadline came.
    bad = [each for each in run.logical_calls if each.last.status in ("error", "timeout") or _ran_out(each.last)]
    if not all(_harms_only_its_own(run, each) for each in bad):
        return
    needs = {name: {need.step_id for need in each} for name, each in all_needs(plan).items()}
    failed = {each.step_id for each in bad}
    others = sorted({step.id for step in plan.steps if not _depends(step.id, failed, needs)} - failed)
    for logical in (each for each in bad if each.last.status == "timeout"):
        yield from ((logical, name) for name in others)


def _harms_only_its_own(run: Run, logical: LogicalCall) -> bool:
    """Whether a call that did not end well stops no run; DEP-05 checks what may have been lost to an error."""
    skipped = logical.step is not None and logical.step.on_error == "skip"
    return skipped and (logical.last.status != "error" or _was_survived(run, logical))


def _was_survived(run: Run, logical: LogicalCall) -> bool:
    """Whether a tool was entered after a failure was recorded: then the failure ended nothing."""
    result = logical.last.result
    if result is None or result.arrival is None:
        return False
    return any(deed.arrival > result.arrival for deed in run.deeds or ())


def _ran_out(attempt: Attempt) -> bool:
    return attempt.status in _GIVEN_UP and not was_dispatched(attempt) and ran_out_waiting(attempt)


def _depends(name: str, failed: set[str], needs: dict[str, set[str]]) -> bool:
    """Whether a step needs a failed one, directly or through others."""
    waiting, seen = [name], set[str]()
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        if here in failed and here != name:
            return True
        waiting.extend(needs.get(here, ()))
    return False


@check("TIME-11", each=_passed_over, needs=("plan", "deeds"))
def a_timeout_harms_nobody_else(run: Run, subject: tuple[LogicalCall, str]) -> Iterator[Finding]:
    """A step that does not need the timed-out one runs to its own end, or is refused for its own reasons."""
    logical, name = subject
    own = _by_step(run).get(name, ())
    unbuilt = [result for result in run.unbuilt if result.step_id == name and result.text("status") == "skipped"]
    lost = [attempt for attempt in own if attempt.status in _GIVEN_UP]
    open_ones = [attempt for attempt in lost if was_dispatched(attempt)]
    if open_ones:
        observed = f"{owner(open_ones[0].call)} {ending_of(open_ones[0])}, and {logical.name} had timed out"
        lost_results = [each.result for each in open_ones if each.result is not None]
    elif lost or (unbuilt and not own and not _is_loop(run, name)):
        observed, lost_results = f"step {name} was not dispatched after {logical.name} had timed out", unbuilt
    else:
        return
    yield Finding(
        observed,
        "steps that do not need a skipped step run on",
        (witness("T", logical.last.call), *(witness("R", each) for each in lost_results[:1])),
    )


@once_a_run
def _by_step(run: Run) -> Mapping[str | None, Sequence[Attempt]]:
    attempts: dict[str | None, list[Attempt]] = {}
    for attempt in run.attempts:
        attempts.setdefault(attempt.call.step_id, []).append(attempt)
    return attempts


def _is_loop(run: Run, name: str) -> bool:
    """Whether a step is a loop, whose skipped result may mean an empty list (A81)."""
    step = run.step(name)
    return step is not None and step.foreach is not None
