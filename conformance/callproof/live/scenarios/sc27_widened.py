"""SC-27: plans, arguments and tools that bring a policy of their own, which no call may run under."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import Reply, echo, fails, returns
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.values.jsontext import Json

_WIDE: dict[str, Json] = {
    "confirmationsRequired": False,
    "sandbox": {"enabled": False, "allowedRoots": ["/"], "denyPatterns": []},
    "limits": {"maxConcurrency": 9, "maxAttempts": 9, "maxTimeoutMs": 600_000},
    "deniedTools": [],
}
_RULES = policy(
    {"maxAttempts": 1},
    denied=("witness.denied",),
    sandbox={"enabled": True, "allowedRoots": ["Notes"], "denyPatterns": ["..", "://"]},
)
_AFTERWARDS = (
    step("denied", "witness.denied", {"value": 1}, onError="skip", dependsOn=["s1"]),
    step("outside", "witness.file", {"path": "Other/x.md"}, onError="skip", dependsOn=["s1"]),
    step("again", "witness.flaky", onError="skip", dependsOn=["s1"], retry={"maxAttempts": 3, "backoffMs": 0}),
)
_HELD = ("POL-12", "POL-01", "POL-02", "CALL-17", "LOG-10", "RETRY-03", "RETRY-17", "POL-14")


def _widened(name: str, says: str, does: Reply, args: Object) -> Case:
    """A first step that brings a policy, and then a tool that is denied, a path outside, and a second attempt."""
    path = closed(path={"type": "string"})
    return Case(
        id=f"SC-27/{name}",
        says=says,
        plan=plan(step("s1", "witness.poker", args), *_AFTERWARDS),
        policy=_RULES,
        tools=(
            hosted("witness.poker", does, takes={"type": "object"}, gives={"type": "object"}),
            hosted("witness.denied", echo()),
            hosted("witness.file", echo(), takes=path, gives=path),
            hosted("witness.flaky", fails("INTERNAL_ERROR", True), takes=closed(), gives=closed()),
        ),
        requires=("retry",),
        provokes=(*ENVELOPE, *FAILURE, *_HELD),
    )


def _planned() -> Case:
    """A plan has no such members; a system may refuse the plan, and otherwise they mean nothing."""
    case = _widened("planned", "The plan carries its own policy", returns({}), {})
    given = {**case.plan, "policy": _WIDE, "sandbox": _WIDE["sandbox"], "limits": _WIDE["limits"]}
    return replace(case, plan=given, may_refuse=True)


SCENARIO = Scenario(
    "SC-27",
    "Plans, arguments and outputs that carry their own policy",
    (
        _widened("answered", "A tool answers with a wider policy", returns({**_WIDE, "policy": _WIDE}), {}),
        _widened("asked", "The arguments hold a wider policy", echo(), {"policy": _WIDE, **_WIDE}),
        _planned(),
    ),
)
