"""A plan repaired after a part of it was left out, so that nothing in it asks for the missing part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from callproof.trace.references import bindings_of, parse, references_in
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# Here cases are plain JSON, which may be changed freely.
_Tree: TypeAlias = dict[str, Any]
_LITERAL = "x"


def mend(case: _Tree) -> None:
    """Remove what the plan of a case, in JSON, can no longer have: dependencies, references, loops, unused tools."""
    steps: list[_Tree] = case.get("plan", {}).get("steps", [])
    known = {
        "steps": frozenset(str(each.get("id")) for each in steps),
        "vars": frozenset(str(each.get("captureAs")) for each in steps),
    }
    for step in steps:
        _mend_step(step, known)
    if case.get("policy", {}).get("confirmationsRequired") is not True:
        _leave_out_the_question(case)
    _mend_tools(case, frozenset(str(each.get("tool")) for each in steps))


def _mend_step(step: _Tree, known: Mapping[str, frozenset[str]]) -> None:
    needed = [each for each in step.get("dependsOn", []) if each in known["steps"]]
    if not needed:
        step.pop("dependsOn", None)
    else:
        step["dependsOn"] = needed
    if "foreach" in step and not _is_whole(step["foreach"].get("from"), {}, known):
        del step["foreach"]
    if "args" in step:
        step["args"] = _mended(step["args"], step, known)


def _mended(value: Json, step: _Tree, known: Mapping[str, frozenset[str]]) -> Json:
    if is_object(value):
        return {name: _mended(inner, step, known) for name, inner in value.items()}
    if is_array(value):
        return [_mended(inner, step, known) for inner in value]
    return value if _is_whole(value, step, known) else _LITERAL


def _is_whole(value: Json, step: _Tree, known: Mapping[str, frozenset[str]]) -> bool:
    """Whether everything that a text refers to exists; a brace without a loop is most likely left of a removed one."""
    bindings = bindings_of(step)
    for each in references_in(value, bindings):
        if each.root in known and each.name not in known[each.root]:
            return False
    if isinstance(value, str) and bindings is None and len(parse(value)) <= 1:
        return not value.startswith("{") or value.startswith(("{$", "{{", "{}"))
    return True


def _leave_out_the_question(case: _Tree) -> None:
    """Remove the answers to the question and its expiry, since no question is asked."""
    case.pop("confirmationTimeoutMs", None)
    moves: list[_Tree] = case.get("timeline", [])
    case["timeline"] = [each for each in moves if each.get("cue") != "confirmation"]


def _mend_tools(case: _Tree, named: frozenset[str]) -> None:
    """Remove tools that no step names, and moves that wait for them."""
    tools: list[_Tree] = case.get("tools", [])
    kept = [each for each in tools if not named.isdisjoint(_names(each))]
    names = {"", *(name for each in kept for name in _names(each))}
    moves: list[_Tree] = case.get("timeline", [])
    case["tools"] = kept
    case["timeline"] = [each for each in moves if each.get("tool", "") in names]


def _names(tool: _Tree) -> set[str]:
    descriptor: _Tree = tool["descriptor"]
    return {str(descriptor.get("name")), *descriptor.get("aliases", [])}
