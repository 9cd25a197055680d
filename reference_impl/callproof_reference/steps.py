"""What the steps of a run do: wait for what they need, run once or for each item, attempt it, retry, and end."""

from collections.abc import Awaitable, Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from callproof_reference.plan import Reference, Step, resolve
from callproof_reference.policy import Tool, breach, declared
from callproof_reference.run import Ending, Run, Subject
from callproof_reference.tools import WORK
from callproof_reference.turns import Promise, Slots, first, rfc3339
from callproof_reference.values import Failure, Json, Object, as_object, error, plain, reported, token, unfit, write
from callproof_reference.vault import Vault, effects, snapshot

ABORT_GRACE_MS = 100  # how long an aborted tool may take to say what it changed, on the run's own clock (A58)
_LONGEST_DEADLINE_MS = 100 * 365 * 24 * 3600 * 1000  # limits can be longer than the calendar
# A tool that broke. What it threw is not repeated: it may hold anything (MSG-07, ERR-05).
BROKEN = error("INTERNAL_ERROR", "the tool broke without saying why", "execution_failed")


class Answer(NamedTuple):
    """What came back from a tool; `output` counts if there is no error, and the tool did not stop when told to."""

    output: Json = None
    error: Object | None = None
    effects: Object | None = None
    stopped: bool = False


async def carry_out(run: Run) -> None:
    """A run from its first record to its last, which always comes (DEP-12)."""
    run.records.run()
    run.records.event("run.started", f"steps to do: {len(run.plan.steps)}", payload=run.plan.notes)
    if run.plan.policy["confirmationsRequired"] is True:
        await run.ask()
    for step in run.plan.steps:
        run.outcomes[step.id] = run.clock.spawn(_ended(run, Subject(step), _performed(run, step)))
    run.finish(all([(await outcome).ok for outcome in run.outcomes.values()]))


async def _ended(run: Run, subject: Subject, work: Awaitable[Ending]) -> Ending:
    """How the work on a step or an item ends, even if the executor itself breaks (DEP-15)."""
    try:
        return await work
    except Exception as flaw:  # noqa: BLE001 - even if we break, the step and the run end
        ending = refused(run, subject, flaw)
        run.records.result(subject.fresh(), ending)
        _on_error(run, subject.step)
        return ending


async def _performed(run: Run, step: Step) -> Ending:
    if failed := [name for name in step.needs if not (await run.outcomes[name]).ok]:  # DEP-01, REF-02, REF-22
        return _skip(run, Subject(step), f"skipped, since {', '.join(failed)} did not end ok", "dependency")  # DEP-02
    if run.halted.kept:
        return _skip(run, Subject(step), "skipped, since the run was stopped before", run.halted.value)  # A73
    return await (_each(run, step, step.loop) if step.loop else _logical_call(run, Subject(step)))


async def _each(run: Run, step: Step, loop: Reference) -> Ending:
    """One logical call for each item, in index order, a few at a time (LOOP-01 to LOOP-13, REF-20)."""
    items = resolve(loop.text, step.bindings, lambda reference: run.root_value(reference, None))
    if not isinstance(items, list):
        raise Failure("VALIDATION_ERROR", f"{loop.text} is not an array", "foreach_source")  # REF-26
    if not items:
        skipped = _skip(run, Subject(step), "empty: the source has no items", "empty")
        return skipped._replace(status="ok", data=[])  # for those that depend on it (A32, A81)
    loop_id, gate, endings = str(uuid4()), Slots(step.concurrency), list[Promise[Ending]]()
    for index, value in enumerate(items):  # `items` is our own copy: the source is fixed here (LOOP-07)
        subject = Subject(step, {"index": index, "itemName": step.item, "itemValue": value}, loop_id)
        turn = gate.ask()
        await first(turn, run.halted)
        endings.append(run.clock.spawn(_ended(run, subject, _logical_call(run, subject))))
        endings[-1].when_kept(partial(gate.leave, turn))
    finished = [await ending for ending in endings]
    status, now = "ok" if all(ending.ok for ending in finished) else "error", run.clock.now()
    return Ending(status, now, now, "", [ending.data for ending in finished])


async def _logical_call(run: Run, subject: Subject) -> Ending:
    """Attempts until one ends well or no other is due; then onError (RETRY-01 to RETRY-19, DEP-06)."""
    step, number = subject.step, 0
    if run.halted.kept:
        return _skip(run, subject, "skipped, since the run was stopped before", run.halted.value)  # A73
    args = _resolved(run, subject)  # the same for all attempts (RETRY-09, HASH-07)
    while True:
        number += 1
        call = subject.fresh(number)
        ending = await attempt(run, call, args)
        again = _retry_due(run, step, args, number, ending)
        run.records.result(call, ending, retry_due=again)
        if again:
            await first(run.clock.after(step.backoff_ms), run.halted)  # holds no slot (RETRY-18)
        if not again or run.halted.kept:  # RETRY-07
            break
    if not ending.ok:
        _on_error(run, step)
    return ending


def _resolved(run: Run, subject: Subject) -> Object:
    args = resolve(subject.step.args, subject.step.bindings, lambda each: run.root_value(each, subject.iteration))
    if flaw := unfit(args):
        raise Failure("VALIDATION_ERROR", f"the resolved value {flaw[1]}", "too_big")
    return as_object(args)


def _retry_due(run: Run, step: Step, args: Object, number: int, ending: Ending) -> bool:
    if run.halted.kept or number >= step.attempts or ending.error is None or ending.status == "cancelled":
        return False
    code, retryable = ending.error["code"], ending.error.get("retryable")
    if code in ("VALIDATION_ERROR", "POLICY_DENIED"):
        return False  # RETRY-06
    if retryable is not None:
        return bool(retryable)  # RETRY-04
    guards = ("expectedEtag" in args, args.get("ifNotExists") is True, args.get("collisionStrategy") == "error")
    unguarded = step.tool.risk_level != "read-only" and not any(guards)
    if code == "TIMEOUT" and ending.effects is None and unguarded and "retry" not in run.plan.by_id[step.id]:
        return False  # RETRY-15: what it wrote is unknown, and only the plan's defaults speak of retries
    return code not in ("NOT_FOUND", "CONFLICT")  # A5, A46, A66


def _on_error(run: Run, step: Step) -> None:
    if step.on_error != "skip":
        run.halted.keep(f"{step.id} failed")  # A33: for stop, and for retry after the last attempt


def _skip(run: Run, subject: Subject, message: str, reason: str) -> Ending:
    now = run.clock.now()
    ending = Ending("skipped", now, now, message)
    run.records.result(subject.fresh(), ending, reason=reason)
    return ending


async def attempt(run: Run, subject: Subject, args: Object) -> Ending:
    """Make one attempt, and record it up to its end; every attempt is judged again (RETRY-16)."""
    tool, limit, extra = subject.step.tool, subject.step.timeout_ms, dict[str, Any]()
    refusal = tool.invalid(args)
    if refusal is None and run.setting.hooks:
        refusal, args, extra = await hooked(run, subject, args)
        refusal = refusal or (tool.invalid(args) if extra else None)
    refusal = refusal or breach(tool, args, run.plan.policy, run.setting.root)  # again each time (POL-13)
    created, confirmation = run.clock.now(), run.confirmation_id if run.confirmed else None
    extra |= {"createdAt": rfc3339(created), "confirmationId": confirmation}  # CONF-03
    slot = run.slots.ask()
    try:
        if refusal is None and limit is not None and slot.kept and limit < _LONGEST_DEADLINE_MS:
            extra["deadlineAt"] = rfc3339(created + limit)  # no wait for a slot: the limit is an instant
        run.records.call(subject, args, run.preview(subject), extra)
        if refusal:
            return refused(run, subject, refusal)
        run.records.event("step.scheduled", f"{tool.name} waits for its turn", subject)
        await first(slot, run.halted)
        if run.halted.kept:  # A86, CANC-11
            return refused(run, subject, error("CANCELLED", "the run was stopped before this call", run.halted.value))
        return await _dispatched(run, subject, args)
    except Exception as flaw:  # noqa: BLE001 - an error in here still closes the call (DEP-15, RES-01)
        run.open.pop(subject.call_id, None)
        return refused(run, subject, flaw)
    finally:
        run.slots.leave(slot)  # a call holds its slot until it is closed (DEP-03, A31)


async def hooked(run: Run, subject: Subject, args: Object) -> tuple[Object | None, Object, Object]:
    """Ask the hook: a refusal or None, the args from now on, and the mark that the call carries (A49, A76)."""
    asked = run.host.ask("hook/before", run.about(subject, tool=subject.step.tool.name, args=deepcopy(args)))
    await first(asked, run.halted)
    if not asked.kept:
        return error("CANCELLED", "the run was stopped before this call", run.halted.value), args, {}
    decision = as_object(asked.value.get("result"))
    changed: Json = decision.get("args")
    if decision.get("action") == "modify" and isinstance(changed, dict) and not unfit(changed):
        members = [f"/{token(name)}" for name in args | changed if write(args.get(name)) != write(changed.get(name))]
        return None, changed, {"argsModifiedBy": {"by": "hook/before", "members": members}}
    answers = {"continue": None, "block": error("POLICY_DENIED", "a hook blocked the call", "hook_blocked")}  # POL-16
    failed = error("INTERNAL_ERROR", "the hook failed", "hook_failed")  # POL-20: never fail open
    return answers.get(str(decision.get("action")), failed), args, {}


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
        problem, data = (answer.value.error, None) if answer.value.error else tool.judged(answer.value.output)
        says = f"{tool.name} failed: {problem['code']}." if problem else f"{tool.name} is done."
        return Ending("error" if problem else "ok", started, ended, says, data, problem, answer.value.effects)
    if timeout is not None and (overran or limit.kept):
        status, ended, says = "timeout", started + timeout, f"{tool.name} ran out of time."
        why = error("TIMEOUT", f"the tool did not end within {timeout} ms", "timeout")
    else:
        run.cancel()  # it is cancelled already, unless one of our own tools was interrupted
        status, says = "cancelled", f"{tool.name} was cancelled."
        why = error("CANCELLED", "the run was cancelled", "cancelled")
    return Ending(status, started, ended, says, None, why, await _given_up(run, subject, answer, status))


async def _given_up(run: Run, subject: Subject, answer: Promise[Answer], reason: str) -> Object | None:
    """Abort a tool, and wait a little for its effects: nothing else counts of a late answer (A58, TIME-05)."""
    if not answer.kept and subject.step.tool.cancellable:
        run.host.tell("tool/abort", run.about(subject, reason=reason))  # TIME-04, CANC-02
        await first(answer, run.clock.after(ABORT_GRACE_MS))
    return answer.value.effects if answer.kept else None


def refused(run: Run, subject: Subject, why: Object | Exception) -> Ending:
    """The ending of a call that was not dispatched or not made (A2, A37, A45, A56, REF-04), or broke us (DEP-15)."""
    if isinstance(why, Exception):
        broke = Failure("INTERNAL_ERROR", f"the executor broke: {type(why).__name__}", "executor")
        told = why if isinstance(why, Failure) else broke
        why = error(told.code, told.message, told.reason)
    now, name, cancelled = run.clock.now(), subject.step.tool.name, why["code"] == "CANCELLED"
    says = f"{name} was cancelled before it began." if cancelled else f"{name} was not called: {why['code']}."
    return Ending("cancelled" if cancelled else "error", now, now, says, None, why)


def _invoked(run: Run, subject: Subject, args: Object, started: int) -> Promise[Answer]:
    step = subject.step

    def checkpoint() -> None:
        late = step.timeout_ms is not None and run.clock.now() - started > step.timeout_ms
        if late or (step.tool.cancellable and run.setting.interrupted()):
            raise Failure("CANCELLED", "the call was told to stop")

    if step.tool.own and run.setting.root:
        return Promise[Answer]().keep(run_own(step.tool, deepcopy(args), run.setting.root, checkpoint))
    answer = Promise[Answer]()
    asked = run.host.ask("tool/invoke", run.about(subject, tool=step.tool.name, args=deepcopy(args)))  # REF-13
    asked.when_kept(lambda: answer.keep(suite_answer(asked.value)))
    return answer


def run_own(tool: Tool, args: Object, root: Path, checkpoint: Callable[[], None]) -> Answer:
    """What one of our own tools returned, and what changed; nothing else of ours runs meanwhile (EFF-10, EFF-16)."""
    before = snapshot(root)
    try:
        output = WORK[tool.name](Vault(root, checkpoint), args)
        answer = Answer(declared(output, tool.descriptor["outputSchema"]))  # A69
    except Failure as failure:
        answer = Answer(error=reported(vars(failure)), stopped=failure.code == "CANCELLED")
    except BaseException:  # noqa: BLE001 - whatever a tool throws becomes a result (ERR-06)
        answer = Answer(error=BROKEN)
    return answer._replace(effects=effects(before, snapshot(root)))


def suite_answer(message: Object) -> Answer:
    """What an answer to tool/invoke says. Any error but the tool's own failure means that the tool broke."""
    if "result" in message:
        result = as_object(message["result"])
        return Answer(result.get("output"), effects=plain(result.get("observed")))
    failure = as_object(message.get("error"))
    data = plain(failure.get("data"))
    if failure.get("code") != -32010 or not data:
        return Answer(error=BROKEN)
    return Answer(error=reported(data), effects=plain(data.get("observed")))
