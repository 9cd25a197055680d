"""The vocabulary in which scenarios are written: plans, steps, policies, and the descriptors of witness tools.

Every function returns plain JSON data, complete and valid under its shape unless a
scenario breaks it on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping

from callproof.live.behaviours import Behaviour, Reply
from callproof.live.case import HostedTool
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_number, is_object

Object = Mapping[str, Json]

ANYTHING: Object = {}
ECHO_SCHEMA: Object = {
    "type": "object",
    "properties": {"value": ANYTHING},
    "required": ["value"],
    "additionalProperties": False,
}


def plan(*steps: Object, goal: str = "Show how the system behaves", risk: str = "read-only", **more: Json) -> Object:
    """A plan of these steps; ``more`` are members of the plan by their own names."""
    return {"version": "1.0", "goal": goal, "riskLevel": risk, "steps": list(steps), **more}


def step(step_id: str, tool: str, args: Object | None = None, **more: Json) -> Object:
    """A step; ``more`` are members of the step by their own names."""
    return {"id": step_id, "tool": tool, "args": args or {}, **more}


def policy(
    limits: Object | None = None,
    *,
    confirm: bool = False,
    denied: tuple[str, ...] = (),
    sandbox: Object | None = None,
) -> Object:
    """A policy over the whole vault, with one call at a time unless ``limits`` says otherwise."""
    given: dict[str, Json] = {
        "confirmationsRequired": confirm,
        "sandbox": sandbox or {"enabled": True, "allowedRoots": ["/"], "denyPatterns": ["..", "://"]},
        "limits": {"maxConcurrency": 1, **(limits or {})},
    }
    return {**given, "deniedTools": list(denied)} if denied else given


def hosted(
    name: str,
    does: Reply | Behaviour,
    *,
    takes: Object = ECHO_SCHEMA,
    gives: Object = ECHO_SCHEMA,
    risk: str = "read-only",
    **more: Json,
) -> HostedTool:
    """A witness tool: its name, what it does, the schemas of arguments and output; ``more`` is added as it is."""
    descriptor: dict[str, Json] = {
        "name": name,
        "description": "A tool that the suite hosts",
        "inputSchema": takes,
        "outputSchema": gives,
        "riskLevel": risk,
        "category": "witness",
        "sideEffects": [] if risk == "read-only" else ["create-file", "create-folder"],
        "availability": {"when": "always"},
        "cancellable": True,
        "host": "suite",
    }
    return HostedTool({**descriptor, **more}, does if isinstance(does, Behaviour) else Behaviour((does,)))


def closed(**properties: Json) -> Object:
    """The schema of an object with exactly these members, all of them required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def schema_of(example: Json) -> Object:
    """A strict schema that the example satisfies: objects closed, every member required, elements left open."""
    if is_object(example):
        return closed(**{name: schema_of(value) for name, value in example.items()})
    if is_array(example):
        return {"type": "array"}
    if isinstance(example, bool):
        return {"type": "boolean"}
    if is_number(example):
        return {"type": "integer"} if isinstance(example, int) else {"type": "number"}
    return {"type": "string"} if isinstance(example, str) else ANYTHING
