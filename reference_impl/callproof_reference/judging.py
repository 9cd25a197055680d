"""What is judged about one call: its args, the hook's word, the policy, and what the tool returned.

Each question gives None, or the error that the call ends with. Nothing is dispatched or recorded here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from callproof_reference.errors import error, is_plain_object
from callproof_reference.jsontext import Json, NotJson, Object, copied, write
from callproof_reference.policy import denial
from callproof_reference.records import Subject
from callproof_reference.references import Missing, resolve, token
from callproof_reference.registry import Tool
from callproof_reference.turns import first

if TYPE_CHECKING:
    from callproof.schema.validator import SchemaValidator

    from callproof_reference.run import Run

# With its args and its item a call has to fit into one frame of the wire (VAL-12).
CHARACTERS = 4 * 1024 * 1024
_FAULTS_TOLD = 20


def invalid(tool: Tool, args: Object) -> Object | None:
    """Why args are not what the tool takes; they are judged as they are, and stay so (VAL-01 to VAL-04)."""
    faults = _faults(tool.accepts, args)
    if not faults:
        return None
    return error("VALIDATION_ERROR", f"{tool.name} does not take these arguments", "input_schema", faults=faults)


async def hooked(run: Run, subject: Subject, args: Object) -> tuple[Object | None, Object, Object]:
    """Ask the hook: a refusal or None, the args from now on, and the mark that they carry (A49, A76)."""
    answer = run.setting.host.hook(subject, copied_object(args))
    await first(answer, run.halted)
    if not answer.kept:
        return error("CANCELLED", "the run was stopped before this call began", run.halted.value), args, {}
    decision: Object = answer.value if isinstance(answer.value, dict) else {}
    action, changed = decision.get("action"), decision.get("args")
    if action == "continue":
        return None, args, {}
    if action == "block":
        return error("POLICY_DENIED", "a hook blocked the call", "hook_blocked"), args, {}  # POL-16
    if action != "modify" or not is_plain_object(changed) or len(write(changed)) > CHARACTERS:
        return error("INTERNAL_ERROR", "the hook failed", "hook_failed"), args, {}  # POL-20: never fail open
    modified = copied_object(cast("Object", changed))
    names = [name for name in {**args, **modified} if name not in modified or args.get(name) != modified[name]]
    mark: Object = {"by": "hook/before", "members": [f"/{token(name)}" for name in names]}
    return invalid(subject.step.tool, modified), modified, {"argsModifiedBy": mark}  # POL-17


def denied(run: Run, subject: Subject, args: Object) -> Object | None:
    """Why the run's policy does not allow the call (POL-01, POL-13, ERR-04)."""
    found = denial(subject.step.tool, args, run.plan.policy, run.setting.root)
    if found is None:
        return None
    where: Object = {"pointer": found.pointer} if found.pointer else {}
    return error("POLICY_DENIED", found.message, found.reason, **where)


def judged(tool: Tool, output: object) -> tuple[Object | None, Object]:
    """What a tool returned as data, or why it cannot be (RES-06, RES-07, RES-22, VAL-07)."""
    output = {} if output is None else output  # a tool without output (A24)
    try:
        size = len(write(output))
    except NotJson as problem:
        return error("INTERNAL_ERROR", f"the output of {tool.name} {problem}", "unserialisable"), {}
    if size > CHARACTERS:
        return error("INTERNAL_ERROR", f"the output of {tool.name} is too large", "result_too_large"), {}
    data = copied(cast("Json", output))
    faults = _faults(tool.returns, data)
    if faults or not isinstance(data, dict):
        problem = error("INTERNAL_ERROR", f"{tool.name} broke its output schema", "output_schema", faults=faults)
        return {**problem, "retryable": False}, {}  # A16
    return None, data


def preview(run: Run, subject: Subject) -> str | None:
    """The step's preview for this call; none where it reads what is not there (CALL-14)."""
    step = subject.step
    if step.preview is None:
        return None
    try:
        text = resolve(step.preview, step.bindings, lambda reference: run.root_value(reference, subject.iteration))
    except Missing:
        return None
    return text if isinstance(text, str) else write(text)


def copied_object(value: Object) -> Object:
    """An object that shares nothing that can change with the one given (REF-13)."""
    return {name: copied(member) for name, member in value.items()}


def _faults(schema: SchemaValidator, value: Json) -> list[Json]:
    found = schema.errors(value)[:_FAULTS_TOLD]
    return [{"pointer": fault.pointer, "message": fault.message} for fault in found]
