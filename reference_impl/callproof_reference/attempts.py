"""One attempt: judged, recorded, queued, dispatched, closed. The heart of the executor.

The order is the law: schema, hook, schema again, policy, record, slot, tool (A76, CALL-21). Whatever stops it on
the way becomes its result, and nothing that comes later changes that (RES-20, RETRY-14).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from callproof_reference.clock import rfc3339
from callproof_reference.errors import error, executor_broke
from callproof_reference.hosts import Answer, run_own, suite_answer
from callproof_reference.jsontext import Object
from callproof_reference.judging import denied, hooked, invalid, judged, preview
from callproof_reference.records import Ending, Subject
from callproof_reference.run import Run
from callproof_reference.turns import Promise, first, kept

# How long an aborted tool may take to say what it changed, on the run's own clock (A58).
ABORT_GRACE_MS = 100
_LONGEST_DEADLINE_MS = 100 * 365 * 24 * 3600 * 1000  # the calendar ends, and limits go on for ever


async def attempt(run: Run, subject: Subject, args: Object, retry_due: Callable[[Ending], bool]) -> Ending:
    """Make one attempt and write all its records; every attempt is judged anew (RETRY-16)."""
    extra: Object = {}
    refusal = invalid(subject.step.tool, args)
    if refusal is None and run.setting.hooks:
        refusal, args, extra = await hooked(run, subject, args)
    refusal = refusal or denied(run, subject, args)
    if run.confirmed:
        extra["confirmationId"] = run.confirmation_id  # CONF-03
    limit, created = subject.step.timeout_ms, run.clock.now()
    extra["createdAt"] = rfc3339(created)
    if refusal is None and limit is not None and run.slots.free and limit < _LONGEST_DEADLINE_MS:
        extra["deadlineAt"] = rfc3339(created + limit)  # nothing to wait for: the limit is an instant
    run.records.call(subject, args, preview(run, subject), extra)
    if refusal is None:
        run.records.event("step.scheduled", f"{subject.step.tool.name} waits for its turn", subject)
        try:
            ending = await _queued(run, subject, args)
        except Exception as flaw:  # noqa: BLE001 - what breaks in here still closes its call (DEP-15, RES-01)
            run.open.pop(subject.call_id, None)
            ending = refused(run, subject, executor_broke(flaw))
    else:
        ending = refused(run, subject, refusal)
    run.records.result(subject, ending, retry_due=retry_due(ending))
    return ending


async def _queued(run: Run, subject: Subject, args: Object) -> Ending:
    """Wait for a slot, and give it back when the call is closed (DEP-03, A31)."""
    slot = run.slots.ask()
    await first(slot, run.halted)
    try:
        if run.halted.kept:  # A86, CANC-11
            return refused(run, subject, error("CANCELLED", "the run was stopped before this call", run.halted.value))
        return await _dispatched(run, subject, args)
    finally:
        run.slots.leave(slot)


async def _dispatched(run: Run, subject: Subject, args: Object) -> Ending:
    """Enter the tool, and close the call at its answer, its limit or its cancellation (TIME-01 to TIME-13)."""
    tool, timeout, started = subject.step.tool, subject.step.timeout_ms, run.clock.now()
    run.records.event("step.started", f"{tool.name} starts", subject)  # EVT-06
    limit = Promise[None]() if timeout is None else run.clock.after(timeout)
    told_to_stop = run.cancelled if tool.cancellable else Promise[None]()  # CANC-03
    run.open[subject.call_id] = subject
    answer = _invoked(run, subject, args, started)
    await first(answer, limit, told_to_stop)
    del run.open[subject.call_id]
    ended = run.clock.now()
    overran = timeout is not None and ended - started > timeout
    if answer.kept and not overran and not answer.value.stopped:
        return _ended(subject, answer.value, started, ended)
    if timeout is not None and (overran or limit.kept):
        effects = await _given_up(run, subject, answer, "timeout")
        why = error("TIMEOUT", f"the tool did not end within {timeout} ms", "timeout")
        return Ending("timeout", started, started + timeout, f"{tool.name} ran out of time.", None, why, effects)
    run.cancel()  # it is already, unless one of our own tools was interrupted
    effects = await _given_up(run, subject, answer, "cancelled")
    why = error("CANCELLED", "the run was cancelled", "cancelled")
    return Ending("cancelled", started, ended, f"{tool.name} was cancelled.", None, why, effects)


async def _given_up(run: Run, subject: Subject, answer: Promise[Answer], reason: str) -> Object | None:
    """Abort a tool, and wait a little for what it changed: all that counts of a late answer (A58, TIME-05)."""
    if not answer.kept and subject.step.tool.cancellable:
        run.host.tell("tool/abort", run.about(subject, reason=reason))  # TIME-04, CANC-02
        await first(answer, run.clock.after(ABORT_GRACE_MS))
    return answer.value.effects if answer.kept else None


def _invoked(run: Run, subject: Subject, args: Object, started: int) -> Promise[Answer]:
    step, root = subject.step, run.setting.root
    if not (step.tool.own and root):
        asked = run.about(subject, tool=step.tool.name, args=deepcopy(args))  # REF-13
        return run.host.ask("tool/invoke", asked).then(suite_answer)

    def aborted() -> bool:
        late = step.timeout_ms is not None and run.clock.now() - started > step.timeout_ms
        return late or (step.tool.cancellable and run.setting.interrupted())

    return kept(run_own(step.tool, deepcopy(args), root, aborted))


def _ended(subject: Subject, answer: Answer, started: int, ended: int) -> Ending:
    tool = subject.step.tool
    problem, data = (answer.error, None) if answer.error else judged(tool, answer.output)
    if problem is None:
        return Ending("ok", started, ended, f"{tool.name} is done.", data, None, answer.effects)
    return Ending("error", started, ended, f"{tool.name} failed: {problem['code']}.", None, problem, answer.effects)


def refused(run: Run, subject: Subject, why: Object) -> Ending:
    """The ending of a call that was not dispatched (A2, A37, A45, A56)."""
    now, name = run.clock.now(), subject.step.tool.name
    if why["code"] == "CANCELLED":
        return Ending("cancelled", now, now, f"{name} was cancelled before it began.", None, why)
    return Ending("error", now, now, f"{name} was not called: {why['code']}.", None, why)
