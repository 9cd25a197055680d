"""Checks for the requirements in ``spec/scheduling.md``.

Laws about plans whose dependencies can never be met are in ``plan_faults``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import inf

from callproof.checks.check import ANYTHING, STARTED, Finding, check, excerpt, witness
from callproof.checks.confirmation import open_question, requested_id
from callproof.checks.dispatching import has_a_reason_of_its_own, ran_out_waiting, was_held_back
from callproof.checks.failures import (
    ended_early,
    final_failures,
    may_be_cancelled,
    stopping_failures,
    untold_cancellation,
)
from callproof.checks.matters import Matter
from callproof.checks.open_calls import begun, deeds_at_once, others_told, untold_ends
from callproof.checks.passed_over import passed_over, was_skipped_for_nothing
from callproof.checks.precedence import first_after
from callproof.checks.references_of_steps import dispatched_needs, needed_in_vain, needed_too_early, needs_failed
from callproof.checks.retries_limits import effective_limit, permitted
from callproof.trace.cycles import greatest
from callproof.trace.once import once_a_run
from callproof.trace.outputs import Output, skipped_without_its_tool
from callproof.trace.plan import Step
from callproof.trace.plangraph import Need, ancestors, judged_registry, may_need_more, needs_by_step
from callproof.trace.records import Record, order, order_of_instants
from callproof.trace.run import Attempt, LogicalCall, Run
from callproof.trace.witnesses import ActKind, Deed
from callproof.values.counts import counted, was


@check("DEP-01", each=lambda run: dispatched_needs(run, None), needs=("plan",))
def a_step_waits_for_its_dependencies(run: Run, subject: tuple[Attempt, Need, Output]) -> Iterator[Finding]:
    """A step starts only after everything in its dependsOn has ended ok."""
    yield from needed_too_early(run, *subject)


@check("DEP-02", each=lambda run: dispatched_needs(run, None), needs=("plan",))
def a_step_without_its_dependency_is_not_dispatched(
    _run: Run, subject: tuple[Attempt, Need, Output]
) -> Iterator[Finding]:
    """A step whose dependency failed or was skipped is not dispatched."""
    yield from needed_in_vain(*subject)


def _at_once(run: Run) -> int:
    return run.policy.max_concurrency if run.policy is not None else 1


@check("DEP-03", each=lambda run: begun(run, lambda _: _at_once(run)), needs=("policy", "events"))
def no_more_calls_are_open_than_permitted(run: Run, subject: tuple[Attempt, tuple[Attempt, ...]]) -> Iterator[Finding]:
    """At no moment are more calls open than maxConcurrency."""
    attempt, others = subject
    limit = _at_once(run)
    if len(others) + 1 > limit:
        yield Finding(
            f"call {attempt.call.call_id} began while {others_told(len(others), limit)} {was(len(others))} open",
            f"maxConcurrency is {limit}",
            tuple(witness(f"C{n}", each.call) for n, each in enumerate((*others[:limit], attempt), 1)),
            misses=untold_ends(others, limit),
        )


@check("DEP-03", each=deeds_at_once, needs=("policy", "deeds"))
def no_more_tools_are_at_work_than_permitted(run: Run, subject: tuple[Deed, tuple[Deed, ...]]) -> Iterator[Finding]:
    """At no moment are more invocations open than maxConcurrency."""
    deed, others = subject
    limit = _at_once(run)
    if len(others) + 1 > limit:
        told = f"{counted(len(others), 'other invocation')} {was(len(others))} open"
        yield Finding(
            f"{deed.tool} was invoked for call {deed.call_id} while {told}",
            f"maxConcurrency is {limit}",
            tuple(witness(f"D{n}", each) for n, each in enumerate((*others[:limit], deed), 1)),
        )


@check("DEP-04", each=stopping_failures, needs=("plan",))
def nothing_starts_after_a_failure_that_stops(run: Run, subject: tuple[LogicalCall, Record]) -> Iterator[Finding]:
    """With onError stop, nothing new is dispatched after the failure."""
    logical, failure = subject
    limit = effective_limit(run, logical)
    if limit is not None and len(logical.attempts) < limit and permitted(logical):
        return  # it was to be attempted again until something else stopped the run, and was final only then
    attempt = first_after(run, failure)
    if attempt is not None:
        yield Finding(
            f"call {attempt.call.call_id} of step {attempt.call.step_id} began after {logical.name} had failed",
            f"onError of step {logical.step_id} stops the run",
            (witness("R", failure), witness("C", attempt.call)),
        )


@check("DEP-05", each=passed_over, needs=("plan",))
def independent_steps_run_on(run: Run, subject: tuple[Step, tuple[Record, ...]]) -> Iterator[Finding]:
    """Steps that do not depend on anything that failed run, unless the run was stopped."""
    step, left_out = subject
    for result in left_out:
        if was_skipped_for_nothing(run, result):
            yield Finding(
                f"step {step.id} was skipped, and nothing that it depends on had failed",
                "it runs or is refused, since nothing had stopped the run",
                (witness("R", result),),
                untold_cancellation(run),
                misses=ANYTHING,
            )


def _withdrawn(run: Run) -> Iterator[tuple[Attempt, Record]]:
    """Calls that were recorded and then cancelled before their dispatch, in runs that nothing stopped or cancelled."""
    failure = next((result for _, result in final_failures(run)), None)
    if failure is not None and run.finished and not ended_early(run):
        for attempt in run.attempts:
            step = run.step(attempt.call.step_id)
            # DEP-02 checks a step whose needs failed.
            waits_in_vain = step is not None and (needs_failed(run, step) or may_need_more(run, step))
            excused = attempt.dispatched or attempt.deeds or waits_in_vain or has_a_reason_of_its_own(run, attempt)
            if attempt.status == "cancelled" and not excused:
                yield attempt, failure


@check("DEP-05", each=_withdrawn, needs=("plan",))
def independent_calls_are_not_withdrawn(run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """With onError skip, calls that wait for their turn are not cancelled because another one failed."""
    attempt, failure = subject
    yield Finding(
        f"call {attempt.call.call_id} of step {attempt.call.step_id} was cancelled before its dispatch",
        "after a failure with onError skip, independent steps run",
        (witness("R", failure), witness("C", attempt.call)),
        untold_cancellation(run),
        misses=ANYTHING,
    )


def _called_off_by_nobody(run: Run) -> Iterator[Attempt]:
    """Calls that were cancelled before their dispatch in a live run in which nobody cancelled and nothing failed."""
    asked = any(act.kind in (ActKind.CANCEL, ActKind.REJECT) for act in run.acts or ())
    if asked or run.cut_short or not run.finished or run.events_of("run.cancelled"):
        return
    if any(each.text("status") in ("error", "timeout") for each in run.results):
        return
    cancelled = [each for each in run.attempts if each.status == "cancelled"]
    if all(map(was_held_back, cancelled)):  # if a call at work was cancelled, it is unknown what that stopped
        yield from (each for each in cancelled if not ran_out_waiting(each))


@check("DEP-05", each=_called_off_by_nobody, needs=("deeds",))
def nothing_is_called_off_for_nothing(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call that waits is not cancelled where nobody cancelled, nothing failed and no deadline came."""
    yield Finding(
        f"call {attempt.call.call_id} of step {attempt.call.step_id} was cancelled before its dispatch",
        "it runs, since nothing had stopped the run",
        (witness("C", attempt.call), *((witness("R", attempt.result),) if attempt.result is not None else ())),
    )


@once_a_run
def _tried_again(run: Run) -> tuple[LogicalCall, ...]:
    return tuple(each for each in run.logical_calls if len(each.attempts) > 1)


def _skipped_for(run: Run) -> Iterator[Record]:
    """Skipped results of steps never built, in runs with retried calls for which they may have been skipped."""
    if not _tried_again(run) or may_be_cancelled(run):
        return
    lines, _ = _last_words(run)
    for result in run.unbuilt:
        left_out = result.text("status") == "skipped" and result.step_id in lines
        if left_out and not skipped_without_its_tool(result, run):
            yield result


@once_a_run
def _last_words(run: Run) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """By step, the last line and the last moment of the final attempts of retried calls that it may wait for."""
    lines: dict[str, float] = {}
    moments: dict[str, float] = {}
    for each in _tried_again(run):
        last = each.last.result
        line = -inf if last is None else last.source.line
        moment = -inf if last is None or last.moment is None else last.moment.nanoseconds
        lines[each.step_id] = max(line, lines.get(each.step_id, -inf))
        moments[each.step_id] = max(moment, moments.get(each.step_id, -inf))
    waits = {name: [each.step_id for each in needs] for name, needs in needs_by_step(run).items()}
    return greatest(waits, lines), greatest(waits, moments)


def _may_be_early(run: Run, result: Record) -> bool:
    """Whether a result may have been decided before a last attempt: a quick test that leaves few results to judge."""
    lines, moments = _last_words(run)
    step_id = result.step_id or ""
    by_moment = result.moment is not None and result.moment.nanoseconds < moments[step_id]
    return run.witnessed is not None or by_moment or result.source.line < lines[step_id]


def _was_decided_before(result: Record, last: Record) -> bool:
    """Whether the skipped result was decided first, by the order of writing or by the moment that it states itself."""
    return order(result, last) == -1 or order_of_instants(result.ended, last.ended) == -1


def _other_reasons(run: Run, logical: LogicalCall) -> Iterator[Record]:
    """What may have been a reason to give up a step, besides the end of this retried call."""
    yield from (its for other, its in final_failures(run) if other.name != logical.name)
    yield from (each for each in run.unbuilt if each.text("status") == "error")
    yield from (each.result for each in run.attempts if each.result and was_held_back(each) and ran_out_waiting(each))


@check("DEP-06", each=_skipped_for, needs=("plan",))
def on_error_waits_for_the_last_attempt(run: Run, result: Record) -> Iterator[Finding]:
    """onError acts after the last attempt, not after the first."""
    if not _may_be_early(run, result):
        return
    needed = {result.step_id, *ancestors(needs_by_step(run), result.step_id or "")}
    for logical in _tried_again(run):
        last = logical.last.result
        if logical.step_id not in needed or last is None or not _was_decided_before(result, last):
            continue
        ended = (its.ended for its in _other_reasons(run, logical))
        if all(order_of_instants(each, result.ended) == 1 for each in ended):
            yield Finding(
                f"step {result.step_id} was given up before the last attempt of {logical.name} had ended",
                "a failure counts for other steps once the attempts are used up",
                (witness("R1", result), witness("R2", last)),
                untold_cancellation(run),
                misses=ANYTHING,
            )


@check("DEP-07", each=lambda run: run.logical_calls)
def a_step_is_called_once(_run: Run, logical: LogicalCall) -> Iterator[Finding]:
    """Each step, or each item of its loop, has one logical call."""
    firsts = [each.call for each in logical.attempts if each.number == 1]
    if len({call.call_id for call in firsts}) > 1:
        yield Finding(
            f"{logical.name} was called {len(firsts)} times as a first attempt",
            "one logical call; a retry is a further attempt",
            tuple(witness(f"C{n}", call) for n, call in enumerate(firsts[:2], 1)),
        )


def _deeds_by_call(run: Run) -> Iterator[tuple[Deed, ...]]:
    return (attempt.deeds for attempt in run.attempts if attempt.deeds)


@check("DEP-07", each=_deeds_by_call, needs=("deeds",))
def a_call_is_dispatched_once(_run: Run, deeds: tuple[Deed, ...]) -> Iterator[Finding]:
    """A call reaches its tool once."""
    if len(deeds) > 1:
        yield Finding(
            f"{deeds[0].tool} was invoked {len(deeds)} times for call {deeds[0].call_id}",
            "one invocation for each call",
            tuple(witness(f"D{n}", each) for n, each in enumerate(deeds, 1)),
        )


def _steps_of_finished_runs(run: Run) -> Iterator[tuple[Step, bool]]:
    """Every step of a finished run, and whether any record accounts for it."""
    if run.finished and run.events is not None and run.plan is not None:
        closed = [each for each in run.events_of("step.finished", "step.failed") if not _is_of_no_call(run, each)]
        known = {each.step_id for each in (*run.results, *run.calls, *closed)}
        yield from ((step, step.id in known) for step in run.plan.steps if step.id)


def _is_of_no_call(run: Run, event: Record) -> bool:
    """Whether an event says that a single step finished and names no call: only a loop can do without one (A81)."""
    step = run.step(event.step_id)
    skipped = (event.object("payload") or {}).get("status") == "skipped"
    return event.call_id is None and step is not None and step.foreach is None and not skipped


@check("DEP-08", each=_steps_of_finished_runs, needs=("plan", "events"))
def every_step_is_accounted_for(run: Run, subject: tuple[Step, bool]) -> Iterator[Finding]:
    """At run.finished every step of the plan has a result, or is recorded as skipped."""
    step, known = subject
    if not known:
        end = run.events_of("run.finished")
        record = run.run_record
        plan = (witness("P", record, f"the plan with its step {step.id}"),) if record is not None else ()
        yield Finding(
            f"the run finished without a record of step {step.id}",
            "a result for every step, or a skipped one that says why",
            (*plan, *(witness("E", each) for each in end[-1:])),
            misses=ANYTHING,
        )


def _dispatched_or_done(run: Run) -> Iterator[Attempt]:
    return (attempt for attempt in run.attempts if attempt.dispatched or attempt.deeds)


@check("DEP-14", each=_dispatched_or_done, needs=("plan",))
def only_steps_of_the_plan_are_executed(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A step that the plan does not have is never executed."""
    if run.plan is not None and run.step(attempt.call.step_id) is None:
        known = ", ".join(step.id for step in run.plan.steps[:20])
        yield Finding(
            f"call {attempt.call.call_id} of step {excerpt(attempt.call.get('stepId'))} was dispatched",
            f"the plan has the steps {known or '(none)'}",
            (witness("C", attempt.call),),
        )


@check("DEP-14", each=lambda run: run.deeds or (), needs=("plan", "deeds"))
def only_tools_of_the_plan_are_invoked(run: Run, deed: Deed) -> Iterator[Finding]:
    """A tool that no step of the plan names is never invoked."""
    registry = judged_registry(run)
    named = {step.tool for step in run.plan.steps} if run.plan is not None else set[str]()
    resolved = {tool.name for name in named if registry is not None and (tool := registry.resolve(name)) is not None}
    if deed.tool not in named | resolved:
        yield Finding(
            f"{deed.tool} was invoked, and no step of the plan names it",
            f"the plan names {', '.join(sorted(named)[:20])}",
            (witness("D", deed),),
        )


def _accepted(run: Run) -> tuple[Run, ...]:
    return (run,) if run.witnessed is not None and run.witnessed.refusal is None and not run.killed else ()


@check("DEP-12", each=_accepted, needs=("deeds",))
def the_run_comes_to_an_end(run: Run, _whole: Run) -> Iterator[Finding]:
    """A run that was accepted ends within bounded time."""
    if run.witnessed is not None and run.witnessed.finished_arrival is None:
        asked = open_question(run)
        proof = {each.source: each for each in (*run.records[-1:], *((asked,) if asked else ()))}
        unended = [each.call for each in run.attempts if each.result is None and each.deeds]
        still_open = f", and {counted(len(unended), 'call')} {was(len(unended))} open" if unended else ""
        yield Finding(
            f"the run was started and never finished{still_open}",
            "every call comes to its end; once nothing is open and nothing is left to start, run.finished follows",
            tuple(witness(name, each) for name, each in zip("RQ", proof.values())) or (STARTED,),
            (f"its question {requested_id(run)} of {asked.text('timestamp')} is still open",) if asked else (),
            matter=Matter.OPEN if unended else None,
        )
