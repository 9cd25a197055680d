"""A plan made ready to run: every step with its tool, its dependencies and its effective limits (A4, A66, A67)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from callproof_reference.errors import Refused
from callproof_reference.faults import Links, bindings, plan_faults, shape_faults
from callproof_reference.jsontext import Json, Object, as_object, digest
from callproof_reference.references import Bindings, Reference, sole
from callproof_reference.registry import Tool, by_name, load

_LIMITS = {"maxConcurrency", "maxAttempts", "maxTimeoutMs"}


@dataclass(frozen=True, slots=True)
class Loop:
    """A step's foreach."""

    source: Reference
    item: str
    concurrency: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step with everything that plan, defaults and policy say of it."""

    id: str
    tool: Tool
    args: Object
    preview: str | None
    needs: tuple[str, ...]
    loop: Loop | None
    bindings: Bindings
    on_error: str
    attempts: int
    backoff_ms: int
    timeout_ms: int | None
    retry_is_own: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan that may run, with the policy and the registry that it runs under."""

    source: Object
    policy: Object
    tools: list[Object]
    registry_version: str
    steps: tuple[Step, ...]
    links: Links
    slots: int
    notes: Object  # what run.started tells of limits: clamped, unknownLimits (A74, POL-18, RETRY-17)


def prepare(plan: Json, policy: Json, tools: list[Object], own: Iterable[str]) -> Plan:
    """The plan made ready. Raises Refused with every fault of the policy, or else of the plan."""
    if found := shape_faults("policy", policy):
        raise Refused("policy", found)
    registry = by_name(tools)
    if found := plan_faults(plan, registry, own):
        raise Refused("plan", found)
    source, rules, links = as_object(plan), as_object(policy), Links(plan)
    limits = rules["limits"]
    effective = [{**source.get("defaults", {}), **step} for _, step in links.steps]
    steps = tuple(_step(each, registry, links, limits) for each in effective)
    slots = _integer(limits.get("maxConcurrency"), 1)  # A67
    return Plan(source, rules, tools, digest(tools), steps, links, slots, _notes(effective, limits))


def _step(step: Object, registry: Mapping[str, Object], links: Links, limits: Object) -> Step:
    retry, loop, longest = step.get("retry", {}), step.get("foreach", {}), limits.get("maxTimeoutMs")
    asked, timeout = _attempts(retry), step.get("timeoutMs", longest)  # A67: the policy's limit is also the default
    source = sole(loop.get("from"), {})
    return Step(
        id=step["id"],
        tool=load(registry[step["tool"]]),
        args=step["args"],
        preview=step.get("preview"),
        needs=tuple(links.needs(step)),
        loop=Loop(source, loop["itemName"], _integer(loop.get("concurrency"), 1)) if source else None,
        bindings=bindings(step),
        on_error=step.get("onError", "stop"),
        attempts=min(asked, _integer(limits.get("maxAttempts"), asked)),  # RETRY-03
        backoff_ms=_integer(retry.get("backoffMs"), 250),
        timeout_ms=None if timeout is None else min(_integer(timeout), _integer(longest, _integer(timeout))),
        retry_is_own="retry" in links.by_id[step["id"]],
    )


def _attempts(retry: Object) -> int:
    return _integer(retry.get("maxAttempts"), _integer(retry.get("maxRetries"), 0) + 1)  # RETRY-19, A4, A65


def _notes(steps: list[Object], limits: Object) -> Object:
    clamped: list[Json] = []
    for step in steps:
        attempts, timeout = _attempts(step.get("retry", {})), _integer(step.get("timeoutMs"))
        asked = ("retry.maxAttempts", "maxAttempts", attempts), ("timeoutMs", "maxTimeoutMs", timeout)
        for member, limit, value in asked:
            if value > _integer(limits.get(limit), value):
                clamped.append({"member": member, "from": value, "to": limits[limit], "steps": [step["id"]]})
    notes = {"clamped": clamped, "unknownLimits": sorted(limits.keys() - _LIMITS)}
    return {name: value for name, value in notes.items() if value}  # nothing is silent (RETRY-17, TIME-10, A74)


def _integer(value: Json, default: int = 0) -> int:
    return int(value) if isinstance(value, int | float) else default  # JSON may spell it 2.0 (B-10)
