"""Checks that everything that a case makes the suite send has the shape that the protocol demands.

A plan and a policy may be as wrong as the case wants.  The messages around them may not.
"""

from __future__ import annotations

from callproof.adapters.methods import TO_SUITE, TO_SYSTEM, TOOL_FAILED
from callproof.live.behaviours import Ending, Reply
from callproof.live.case import Case, Hook, HookAction
from callproof.replay.codec import Misfit
from callproof.schema.validator import shape_validator
from callproof.values.jsontext import Json

_INVOKE, _HOOK = TO_SUITE["tool/invoke"], TO_SUITE["hook/before"]


def refuse_unspeakable(case: Case, pointer: str) -> None:
    """
    Check the start of each of the case's runs, and the answers of its tools and its hook.

    ``pointer`` is where the case stands.  Raises Misfit if one is out of shape.
    """
    for place, each in enumerate(case.company):
        refuse_unspeakable(each.case, f"{pointer}/company/{place}/case")
    waits = {} if case.confirmation_timeout_ms is None else {"confirmationTimeoutMs": case.confirmation_timeout_ms}
    start: dict[str, Json] = {"plan": case.plan, "policy": case.policy, "tools": list(case.descriptors), **waits}
    _refuse_misshapen(TO_SYSTEM["run/start"].params, start, pointer)
    for place, tool in enumerate(case.tools):
        for number, reply in enumerate(tool.behaviour.replies):
            _refuse_reply(reply, f"{pointer}/tools/{place}/behaviour/replies/{number}")
    if case.hook is not None and case.hook.action is not HookAction.FAIL:
        _refuse_misshapen(_HOOK.answer, _said(case.hook), f"{pointer}/hook")


def _refuse_reply(reply: Reply, pointer: str) -> None:
    observed: dict[str, Json] = {} if reply.observed is None else {"observed": reply.observed}
    _refuse_misshapen(_INVOKE.answer, {"output": None, **observed}, pointer)
    if reply.ending is Ending.FAILURE:
        refusals = _INVOKE.refusals or {}
        _refuse_misshapen(refusals[TOOL_FAILED], {**(reply.error or {}), **observed}, pointer)


def _said(hook: Hook) -> dict[str, Json]:
    args: dict[str, Json] = {} if hook.args is None else {"args": hook.args}
    return {"action": hook.action.value, **(args if hook.action is not HookAction.CONTINUE else {})}


def _refuse_misshapen(shape: str | None, message: Json, pointer: str) -> None:
    faults = shape_validator(shape).errors(message) if shape is not None else ()
    if faults:
        raise Misfit(
            pointer, f"the message that the suite would send is out of shape {faults[0]}", f"the shape {shape}"
        )
