"""A small agent of the kind that many teams have, which does not know about callproof.

It runs the steps of a plan in order.  Tools are functions.  A caller that wants to follow a run passes a ``Watcher``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from guards import Unusable, demand_usable, denial, is_object, mismatch

Json = dict[str, Any]
# The agent makes one call at a time, and one attempt of each; it has no timeouts.
_LIMITS = {"maxConcurrency", "maxAttempts"}
_STEP_MEMBERS = {"id", "tool", "args", "preview", "dependsOn", "onError", "tags", "timeoutMs", "retry"}


class Refused(Exception):
    """The agent refuses a plan, policy or tool; ``reason`` is the kind of fault."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Failed(Exception):
    """The failure that a tool reports: a code, a message, and whether another attempt may help."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.error: Json = {"code": code, "message": message, **more}


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with the schemas of its input and output, and how dangerous it is."""

    name: str
    run: Callable[[str, Json], Any]
    takes: Any
    gives: Any
    risk: str = "commands"
    aliases: Sequence[str] = ()


class Watcher(Protocol):
    """Something that follows a run."""

    def calling(self, step: Json, tool: Tool) -> str:
        """A call is about to be made; returns the id of the call."""
        ...

    def ended(self, call: str | None, step: Json, tool: Tool, status: str, **outcome: Any) -> None:
        """A step ended: ``ok`` with data, ``error`` with an error, or ``skipped``, in which case no call was made."""


@dataclass(slots=True)
class Agent:
    """An agent that checks its plan when it is created, and carries it out in ``run``."""

    plan: Json
    policy: Json
    tools: Sequence[Tool]
    _chosen: dict[str, Tool] = field(default_factory=dict[str, Tool])
    _steps: list[Json] = field(default_factory=list[Json])

    def __post_init__(self) -> None:
        """Raise ``Refused`` if the plan cannot be run to its end."""
        if self.policy.get("confirmationsRequired"):
            raise Refused("no_confirmation", "this agent asks nobody before it runs a plan")
        if unknown := sorted(set(self.policy["limits"]) - _LIMITS):
            raise Refused("unknown_limit", f"this agent does not keep the limit {unknown[0]}")
        limit = self.policy["limits"].get("maxConcurrency", 1)
        if isinstance(limit, bool) or not isinstance(limit, int | float) or limit < 1 or limit != int(limit):
            raise Refused("bad_limit", "maxConcurrency is an integer of at least 1")
        self._steps = _in_order(self.plan.get("steps") or [])
        self._chosen = {step["id"]: self._tool(step["tool"]) for step in self._steps}

    def run(self, watcher: Watcher) -> None:
        """Run each step if all its dependencies ended well; stop at a failure unless that step's onError is skip."""
        well: set[str] = set()
        stopped = False
        for step in self._steps:
            if stopped or not well.issuperset(step.get("dependsOn", [])):
                watcher.ended(None, step, self._chosen[step["id"]], "skipped", userMessage="An earlier step failed")
            elif self._attempt(step, watcher):
                well.add(step["id"])
            else:
                stopped = step.get("onError", self.plan.get("defaults", {}).get("onError")) != "skip"

    def _tool(self, name: str) -> Tool:
        for tool in self.tools:
            if name == tool.name or name in tool.aliases:
                try:
                    demand_usable(tool.takes)
                    demand_usable(tool.gives)
                except Unusable as fault:
                    raise Refused("schema_not_loaded", str(fault)) from fault
                return tool
        raise Refused("unknown_tool", f"there is no tool {name}")

    def _attempt(self, step: Json, watcher: Watcher) -> bool:
        tool = self._chosen[step["id"]]
        call = watcher.calling(step, tool)
        try:
            output = self._call(call, tool, step["args"])
        except Failed as failure:
            watcher.ended(call, step, tool, "error", error=failure.error)
            return False
        watcher.ended(call, step, tool, "ok", data=output)
        return True

    def _call(self, call: str, tool: Tool, args: Json) -> Json:
        """Check the arguments and the output; a tool gets only arguments that its schema and the policy allow."""
        if fault := mismatch(tool.takes, args):
            raise Failed("VALIDATION_ERROR", f"the arguments break the schema by {fault}")
        if why := denial(self.policy, tool.name, tool.takes, args):
            raise Failed("POLICY_DENIED", why)
        output = tool.run(call, args)
        if mismatch(tool.gives, output) or not is_object(output):
            reason = {"reason": "output_schema"}
            raise Failed("INTERNAL_ERROR", "the output breaks the schema", retryable=False, details=reason)
        return output


def _in_order(steps: Sequence[Json]) -> list[Json]:
    """Put each step after the steps that it depends on."""
    ids = [step.get("id") for step in steps]
    if not steps or len(set(ids)) < len(ids) or not all(isinstance(name, str) and name for name in ids):
        raise Refused("bad_steps", "a plan has steps, each with an id of its own")
    left, ordered = list(steps), list[Json]()
    while left:
        done: Mapping[str, Json] = {step["id"]: step for step in ordered}
        ready = [step for step in left if all(name in done for name in step.get("dependsOn", []))]
        if unknown := sorted(set[str]().union(*left) - _STEP_MEMBERS):
            raise Refused("bad_steps", f"this agent does not know the members {', '.join(unknown)}")
        if not ready:
            raise Refused("bad_steps", "these steps wait for each other, or for a step that is not there")
        ordered += ready
        left = [step for step in left if step not in ready]
    return ordered
