"""A plan made ready to run: every step with its tool, its dependencies and its effective limits.

Knows how plan, defaults and policy add up (A4, A66, A67); knows nothing of what happens when it runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from callproof_reference.faults import Links, Refused, bindings, plan_faults, shape_faults
from callproof_reference.hashes import digest
from callproof_reference.jsontext import Json, Object, as_object
from callproof_reference.references import Bindings, Reference, sole
from callproof_reference.registry import Tool, by_name, load

_BACKOFF_MS = 250


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
    limits = as_object(rules["limits"])
    effective = [{**as_object(source.get("defaults")), **step} for _, step in links.steps]
    return Plan(
        source=source,
        policy=rules,
        tools=tools,
        registry_version=digest([*tools]),
        steps=tuple(_step(each, registry, links, limits) for each in effective),
        links=links,
        slots=_integer(limits.get("maxConcurrency"), 1),  # A67
        notes=_notes(effective, limits),
    )


def _step(step: Object, registry: Mapping[str, Object], links: Links, limits: Object) -> Step:
    retry, preview = as_object(step.get("retry")), step.get("preview")
    asked, longest = _attempts(retry), limits.get("maxTimeoutMs")
    timeout = step.get("timeoutMs", longest)  # A67: the policy's limit is also the default
    loop = as_object(step.get("foreach"))
    source = sole(str(loop.get("from")), {})
    return Step(
        id=str(step["id"]),
        tool=load(registry[str(step["tool"])]),
        args=as_object(step["args"]),
        preview=preview if isinstance(preview, str) else None,
        needs=tuple(links.needs(step)),
        loop=Loop(source, str(loop["itemName"]), _integer(loop.get("concurrency"), 1)) if source else None,
        bindings=bindings(step),
        on_error=str(step.get("onError", "stop")),
        attempts=min(asked, _integer(limits.get("maxAttempts"), asked)),  # RETRY-03
        backoff_ms=_integer(retry.get("backoffMs"), _BACKOFF_MS),
        timeout_ms=None if timeout is None else min(_integer(timeout), _integer(longest, _integer(timeout))),
        retry_is_own="retry" in links.by_id[str(step["id"])],
    )


def _attempts(retry: Object) -> int:
    """The attempts that a retry policy asks for; none means one (RETRY-19), maxRetries is an alias (A4, A65)."""
    return _integer(retry.get("maxAttempts"), _integer(retry.get("maxRetries"), 0) + 1)


def _notes(steps: list[Object], limits: Object) -> Object:
    """What the limits changed, so that no clamping is silent (RETRY-17, TIME-10, A74)."""
    clamped: list[Json] = []
    for step in steps:
        attempts, timeout = _attempts(as_object(step.get("retry"))), _integer(step.get("timeoutMs"))
        asked = ("retry.maxAttempts", "maxAttempts", attempts), ("timeoutMs", "maxTimeoutMs", timeout)
        for member, limit, value in asked:
            if value > _integer(limits.get(limit), value):
                clamped.append({"member": member, "from": value, "to": limits[limit], "steps": [step["id"]]})
    unknown: list[Json] = [*sorted(limits.keys() - {"maxConcurrency", "maxAttempts", "maxTimeoutMs"})]
    return {name: value for name, value in (("clamped", clamped), ("unknownLimits", unknown)) if value}


def _integer(value: Json, default: int = 0) -> int:
    """An integral number as an integer; JSON may spell it 2.0 (B-10)."""
    return int(value) if isinstance(value, int | float) else default
