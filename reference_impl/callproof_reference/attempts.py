"""One attempt of one call, in its lawful order: schema, hook, schema again, policy, record, slot, tool (A76)."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from callproof.schema.validator import SchemaValidator

from callproof_reference.errors import Failure, broken, error, never_ran, plain_object, reported
from callproof_reference.jsontext import Json, Object, as_object, unfit, write
from callproof_reference.observe import effects, snapshot
from callproof_reference.policy import Tool, breach, declared
from callproof_reference.references import resolve, token
from callproof_reference.run import Ending, Run, Subject
from callproof_reference.tools import WORK
from callproof_reference.turns import Promise, first, kept, rfc3339
from callproof_reference.vault import Vault

ABORT_GRACE_MS = 100  # how long an aborted tool may take to say what it changed, on the run's own clock (A58)
_LONGEST_DEADLINE_MS = 100 * 365 * 24 * 3600 * 1000  # the calendar ends, and limits go on for ever


class Answer(NamedTuple):
    """What came back from a tool; `output` counts where there is no error, and the tool did not stop when told to."""

    output: Json = None
    error: Object | None = None
    effects: Object | None = None
    stopped: bool = False


async def attempt(run: Run, subject: Subject, args: Object) -> Ending:
    """Make one attempt, and record it up to its end; every attempt is judged anew (RETRY-16)."""
    tool, limit, extra = subject.step.tool, subject.step.timeout_ms, dict[str, Any]()
    refusal = invalid(tool, args)
    if refusal is None and run.setting.hooks:
        refusal, args, extra = await hooked(run, subject, args)
        refusal = refusal or (invalid(tool, args) if extra else None)
    refusal = refusal or denied(run, subject, args)
    created, confirmation = run.clock.now(), run.confirmation_id if run.confirmed else None
    extra |= {"createdAt": rfc3339(created), "confirmationId": confirmation}  # CONF-03
    if refusal is None and limit is not None and run.slots.free and limit < _LONGEST_DEADLINE_MS:
        extra["deadlineAt"] = rfc3339(created + limit)  # nothing to wait for: the limit is an instant
    run.records.call(subject, args, preview(run, subject), extra)
    if refusal:
        return refused(run, subject, refusal)
    run.records.event("step.scheduled", f"{tool.name} waits for its turn", subject)
    try:
        return await _queued(run, subject, args)
    except Exception as flaw:  # noqa: BLE001 - what breaks in here still closes its call (DEP-15, RES-01)
        run.open.pop(subject.call_id, None)
        return refused(run, subject, never_ran(flaw))


def invalid(tool: Tool, args: Object) -> Object | None:
    """Why args are not what the tool takes; they are judged as they are, and stay so (VAL-01 to VAL-04)."""
    faults, why = _faults(tool.accepts, args), f"{tool.name} does not take these arguments"
    return error("VALIDATION_ERROR", why, "input_schema", faults=faults) if faults else None


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


def denied(run: Run, subject: Subject, args: Object) -> Object | None:
    """Why the run's policy does not allow the call, asked for every attempt (POL-01, POL-13, ERR-04)."""
    found = breach(subject.step.tool, args, run.plan.policy, run.setting.root)
    return error("POLICY_DENIED", found[1], found[0]) if found else None


def preview(run: Run, subject: Subject) -> str | None:
    """The step's preview for this call; none where it reads what is not there, or tells too much (CALL-14)."""
    step = subject.step
    try:
        found = resolve(step.preview, step.bindings, lambda reference: run.root_value(reference, subject.iteration))
    except Failure:
        return None
    text = found if isinstance(found, str) else write(found)
    return None if found is None or len(text) > 500 else text


async def _queued(run: Run, subject: Subject, args: Object) -> Ending:
    slot = run.slots.ask()
    await first(slot, run.halted)
    try:
        if run.halted.kept:  # A86, CANC-11
            return refused(run, subject, error("CANCELLED", "the run was stopped before this call", run.halted.value))
        return await _dispatched(run, subject, args)
    finally:
        run.slots.leave(slot)  # a call holds its slot until it is closed (DEP-03, A31)


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
        problem, data = (answer.value.error, None) if answer.value.error else judged(tool, answer.value.output)
        says = f"{tool.name} failed: {problem['code']}." if problem else f"{tool.name} is done."
        return Ending("error" if problem else "ok", started, ended, says, data, problem, answer.value.effects)
    if timeout is not None and (overran or limit.kept):
        status, ended, says = "timeout", started + timeout, f"{tool.name} ran out of time."
        why = error("TIMEOUT", f"the tool did not end within {timeout} ms", "timeout")
    else:
        run.cancel()  # it is already, unless one of our own tools was interrupted
        status, says = "cancelled", f"{tool.name} was cancelled."
        why = error("CANCELLED", "the run was cancelled", "cancelled")
    return Ending(status, started, ended, says, None, why, await _given_up(run, subject, answer, status))


async def _given_up(run: Run, subject: Subject, answer: Promise[Answer], reason: str) -> Object | None:
    """Abort a tool, and wait a little for what it changed: all that counts of a late answer (A58, TIME-05)."""
    if not answer.kept and subject.step.tool.cancellable:
        run.host.tell("tool/abort", run.about(subject, reason=reason))  # TIME-04, CANC-02
        await first(answer, run.clock.after(ABORT_GRACE_MS))
    return answer.value.effects if answer.kept else None


def refused(run: Run, subject: Subject, why: Object) -> Ending:
    """The ending of a call that was not dispatched (A2, A37, A45, A56)."""
    now, name, cancelled = run.clock.now(), subject.step.tool.name, why["code"] == "CANCELLED"
    says = f"{name} was cancelled before it began." if cancelled else f"{name} was not called: {why['code']}."
    return Ending("cancelled" if cancelled else "error", now, now, says, None, why)


def _invoked(run: Run, subject: Subject, args: Object, started: int) -> Promise[Answer]:
    step = subject.step

    def aborted() -> bool:
        late = step.timeout_ms is not None and run.clock.now() - started > step.timeout_ms
        return late or (step.tool.cancellable and run.setting.interrupted())

    if step.tool.own and run.setting.root:
        return kept(run_own(step.tool, deepcopy(args), run.setting.root, aborted))
    answer = Promise[Answer]()
    asked = run.host.ask("tool/invoke", run.about(subject, tool=step.tool.name, args=deepcopy(args)))  # REF-13
    asked.when_kept(lambda: answer.keep(suite_answer(asked.value)))
    return answer


def run_own(tool: Tool, args: Object, root: Path, aborted: Callable[[], bool]) -> Answer:
    """What one of our own tools returned, and what changed; nothing else of ours runs meanwhile (EFF-10, EFF-16)."""
    before = snapshot(root)
    try:
        output = WORK[tool.name](Vault(root, aborted), args)
        answer = Answer(declared(output, tool.descriptor["outputSchema"]))  # A69
    except Failure as failure:
        answer = Answer(error=reported(vars(failure)), stopped=failure.code == "CANCELLED")
    except BaseException:  # noqa: BLE001 - whatever a tool throws becomes a result (ERR-06)
        answer = Answer(error=broken())
    return answer._replace(effects=effects(before, snapshot(root)))


def suite_answer(message: Object) -> Answer:
    """What an answer to tool/invoke says. Another than the tool's own failure means that the tool broke."""
    if "result" in message:
        result = as_object(message["result"])
        return Answer(result.get("output"), effects=plain_object(result.get("observed")))
    failure = as_object(message.get("error"))
    data = plain_object(failure.get("data"))
    if failure.get("code") != -32010 or not data:
        return Answer(error=broken())
    return Answer(error=reported(data), effects=plain_object(data.get("observed")))


def judged(tool: Tool, output: Json) -> tuple[Object | None, Object | None]:
    """What is wrong with what a tool returned, or else its data (RES-06, RES-07, RES-22, VAL-07)."""
    output = {} if output is None else output  # a tool without output (A24)
    if flaw := unfit(output):
        return error("INTERNAL_ERROR", f"the output of {tool.name} {flaw[1]}", flaw[0]), None
    faults = _faults(tool.returns, output)
    if faults or not isinstance(output, dict):
        problem = error("INTERNAL_ERROR", f"{tool.name} broke its output schema", "output_schema", faults=faults)
        return {**problem, "retryable": False}, None  # A16
    return None, deepcopy(output)


def _faults(schema: SchemaValidator, value: Json) -> list[Json]:
    return [{"pointer": fault.pointer, "message": fault.message} for fault in schema.errors(value)[:20]]
