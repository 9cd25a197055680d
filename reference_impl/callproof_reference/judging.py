"""What is judged about one call: its args, the hook's word, the policy, and what the tool returned.

Each question gives None, or the error that the call ends with. Nothing is dispatched or recorded here.
"""

from __future__ import annotations

from copy import deepcopy

from callproof.schema.validator import SchemaValidator

from callproof_reference.errors import error
from callproof_reference.jsontext import Json, Object, as_object, unfit, write
from callproof_reference.policy import breach
from callproof_reference.records import Subject
from callproof_reference.references import Missing, resolve, token
from callproof_reference.registry import Tool
from callproof_reference.run import Run
from callproof_reference.turns import first

_FAULTS_TOLD = 20
_PREVIEW_CHARACTERS = 500


def invalid(tool: Tool, args: Object) -> Object | None:
    """Why args are not what the tool takes; they are judged as they are, and stay so (VAL-01 to VAL-04)."""
    if not (faults := _faults(tool.accepts, args)):
        return None
    return error("VALIDATION_ERROR", f"{tool.name} does not take these arguments", "input_schema", faults=faults)


async def hooked(run: Run, subject: Subject, args: Object) -> tuple[Object | None, Object, Object]:
    """Ask the hook: a refusal or None, the args from now on, and the mark that the call carries (A49, A76)."""
    asked = run.host.ask("hook/before", run.about(subject, tool=subject.step.tool.name, args=deepcopy(args)))
    await first(asked, run.halted)
    if not asked.kept:
        return error("CANCELLED", "the run was stopped before this call", run.halted.value), args, {}
    decision = as_object(asked.value.get("result"))
    action, changed = decision.get("action"), decision.get("args")
    if action == "continue":
        return None, args, {}
    if action == "block":
        return error("POLICY_DENIED", "a hook blocked the call", "hook_blocked"), args, {}  # POL-16
    if action != "modify" or not isinstance(changed, dict) or unfit(changed):
        return error("INTERNAL_ERROR", "the hook failed", "hook_failed"), args, {}  # POL-20: never fail open
    new = deepcopy(changed)
    members: list[Json] = [f"/{token(n)}" for n in args | new if write(args.get(n)) != write(new.get(n))]
    return invalid(subject.step.tool, new), new, {"argsModifiedBy": {"by": "hook/before", "members": members}}


def denied(run: Run, subject: Subject, args: Object) -> Object | None:
    """Why the run's policy does not allow the call, asked for every attempt (POL-01, POL-13, ERR-04)."""
    found = breach(subject.step.tool, args, run.plan.policy, run.setting.root)
    return error("POLICY_DENIED", found[1], found[0]) if found else None


def judged(tool: Tool, output: Json) -> tuple[Object | None, Object | None]:
    """What a tool returned as data, or why it cannot be (RES-06, RES-07, RES-22, VAL-07)."""
    output = {} if output is None else output  # a tool without output (A24)
    if flaw := unfit(output):
        return error("INTERNAL_ERROR", f"the output of {tool.name} {flaw[1]}", flaw[0]), None
    faults = _faults(tool.returns, output)
    if faults or not isinstance(output, dict):
        problem = error("INTERNAL_ERROR", f"{tool.name} broke its output schema", "output_schema", faults=faults)
        return {**problem, "retryable": False}, None  # A16
    return None, deepcopy(output)


def preview(run: Run, subject: Subject) -> str | None:
    """The step's preview for this call; none where it reads what is not there, or tells too much (CALL-14)."""
    step = subject.step
    try:
        found = resolve(step.preview, step.bindings, lambda reference: run.root_value(reference, subject.iteration))
    except Missing:
        return None
    text = found if isinstance(found, str) else write(found)
    return None if found is None or len(text) > _PREVIEW_CHARACTERS else text


def _faults(schema: SchemaValidator, value: Json) -> list[Json]:
    return [{"pointer": fault.pointer, "message": fault.message} for fault in schema.errors(value)[:_FAULTS_TOLD]]
