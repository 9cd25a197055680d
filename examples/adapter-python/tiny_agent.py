"""A small agent of the kind that many teams have: it runs the steps of a plan in order, and knows nothing of callproof.

Its tools are functions.  Whoever wants to follow a run passes a ``Watcher``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from guards import Unusable, demand_usable, denial, is_object, mismatch

Json = dict[str, Any]
# It makes one call at a time, and one attempt of each; it has no timeouts.
_LIMITS = {"maxConcurrency", "maxAttempts"}
_STEP_MEMBERS = {"id", "tool", "args", "preview", "dependsOn", "onError", "tags", "timeoutMs", "retry"}


class Refused(Exception):
    """A plan, policy or tool that this agent does not take, and the kind of fault that it has."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class Failed(Exception):
    """What a tool reports of its failure: a code, a message, and whether another attempt may help."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.error: Json = {"code": code, "message": message, **more}


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with what it takes, what it gives, and how dangerous it is."""

    name: str
    run: Callable[[str, Json], Any]
    takes: Any
    gives: Any
    risk: str = "commands"
    aliases: Sequence[str] = ()


class Watcher(Protocol):
    """Whoever follows a run."""

    def calling(self, step: Json, tool: Tool) -> str:
        """A call is about to be made; the answer names it."""
        ...

    def ended(self, call: str | None, step: Json, tool: Tool, status: str, **outcome: Any) -> None:
        """A step ended ``ok`` with data, in ``error`` with one, or was ``skipped``, and then no call was made."""


@dataclass(slots=True)
class Agent:
    """The plan is checked when the agent is made, and carried out by ``run``."""

    plan: Json
    policy: Json
    tools: Sequence[Tool]
    _chosen: dict[str, Tool] = field(default_factory=dict[str, Tool])
    _steps: list[Json] = field(default_factory=list[Json])

    def __post_init__(self) -> None:
        """Raise ``Refused`` for a plan that cannot be run to its end."""
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
        """Run each step when all that it depends on has ended well; stop at a failure, unless its step says skip."""
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
        """Judge what goes in and what comes out; a tool sees only what its schema and the policy allow."""
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
    """Put each step behind those that it depends on."""
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
