"""SC-31: policies, plans and descriptors that leave members out, and what the absence of each has to mean.

And integers that are spelt with a point, which are the same integers (B-10).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from callproof.live.behaviours import fails, flaky, returns, script, sleeper
from callproof.live.case import Case, Cue, HostedTool, Move, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, schema_of, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

_DONE: Json = {"done": True}
_TOOL, _FLAKY = "witness.work", "witness.flaky"
_PATH = closed(path={"type": "string"})
_DENIED = ("EVT-07", "EFF-19", "POL-14")


def _case(name: str, says: str, steps: Sequence[Object], tools: Sequence[HostedTool], *aims: str) -> Case:
    return Case(
        id=f"SC-31/{name}",
        says=says,
        plan=plan(*steps),
        policy=policy(),
        tools=tuple(tools),
        provokes=(*ENVELOPE, *aims),
    )


def _under(case: Case, sandbox: Object) -> Case:
    return replace(case, policy={**case.policy, "sandbox": sandbox})


def _paths(name: str, says: str, paths: Sequence[str], *aims: str) -> Case:
    """One step for each path, each on its own."""
    steps = [step(f"s{number}", _TOOL, {"path": each}, onError="skip") for number, each in enumerate(paths, 1)]
    return _case(name, says, steps, [hosted(_TOOL, returns(_DONE), takes=_PATH, gives=schema_of(_DONE))], *aims)


def _without_limits() -> Case:
    works = hosted(_TOOL, sleeper(100, _DONE), takes=closed(), gives=schema_of(_DONE))
    says = "The policy has no limits, so calls run one at a time"
    case = _case("limits", says, [step(f"s{number}", _TOOL) for number in (1, 2, 3)], [works], "DEP-03")
    return replace(case, policy={**case.policy, "limits": {}})


def _bare_descriptor() -> Case:
    """A tool described by a name and two schemas only: the suite hosts it, it can be cancelled, and it is risky."""
    works = HostedTool(
        {"name": _TOOL, "inputSchema": closed(), "outputSchema": schema_of(_DONE)},
        script(sleeper(300, _DONE)),
    )
    says = "Cancelled during a call of a tool with only a name and schemas"
    case = _case("descriptor", says, [step("s1", _TOOL)], [works], *FAILURE, "CANC-02", "POL-19", "RES-12")
    cancel = Move(ActKind.CANCEL, Cue.INVOCATION, 100, tool=_TOOL)
    return replace(case, timeline=(cancel,), requires=("cancellation",))


def _named_dialect() -> Case:
    """The dialect of a schema is 2020-12, whether it says so or not: the run goes as if it said nothing."""
    dialect: Object = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    takes, gives = closed(path={"type": "string", "minLength": 1}), schema_of(_DONE)
    works = hosted(_TOOL, returns(_DONE), takes={**dialect, **takes}, gives={**dialect, **gives})
    says = "The tool's schemas name their dialect, which is optional"
    steps = [step("s1", _TOOL, {"path": ""}, onError="skip"), step("s2", _TOOL, {"path": "a"})]
    return _case("dialect", says, steps, [works], *FAILURE, "EVT-07", "EFF-19", "ERR-07")


def _retried(name: str, says: str, steps: Sequence[Object], *aims: str) -> Case:
    tools = (
        hosted(_TOOL, returns(_DONE), takes=closed(), gives=schema_of(_DONE)),
        hosted(_FLAKY, fails("INTERNAL_ERROR", True), takes=closed(), gives=schema_of(_DONE)),
    )
    return replace(_case(name, says, steps, tools, *FAILURE, *aims), requires=("retry",))


def _without_backoff() -> Case:
    case = _retried(
        "backoff",
        "The plan asks for two attempts without a backoff",
        [step("s1", _FLAKY, retry={"maxAttempts": 2})],
        *("RETRY-18", "RETRY-11"),
    )
    once = hosted(_FLAKY, flaky(1, "INTERNAL_ERROR", True, _DONE), takes=closed(), gives=schema_of(_DONE))
    return replace(case, tools=(once,))


def _with_defaults(case: Case, **defaults: Json) -> Case:
    return replace(case, plan={**case.plan, "defaults": defaults})


def _defaults_under_a_limit() -> Case:
    """The plan's defaults hold for loops as well, and the policy lowers them like a step's own limit."""
    says = "Four attempts by default and two by the policy, for plain steps and loops"
    case = _retried("defaults-clamped", says, [], "RETRY-03", "RETRY-11", "RETRY-17", "RETRY-19", "DEP-05")
    loop: Json = {"from": "$steps.src.items", "itemName": "item"}
    steps = [
        step("src", "witness.items"),
        step("plain", _FLAKY),
        step("each", _FLAKY, foreach=loop),
        step("own", _FLAKY, retry={"maxAttempts": 3, "backoffMs": 0}),
        step("once", _FLAKY, retry={"backoffMs": 0}),
        step("empty", _FLAKY, retry={}),
        step("after", _TOOL),
    ]
    items = hosted("witness.items", returns({"items": [1, 2]}), takes=closed(), gives=closed(items={"type": "array"}))
    return _with_defaults(
        replace(
            case,
            plan=plan(*steps),
            policy=policy({"maxAttempts": 2}),
            tools=(*case.tools, items),
            requires=("retry", "references", "foreach"),
        ),
        retry={"maxAttempts": 4, "backoffMs": 0},
        onError="skip",
    )


def _with_points() -> Case:
    """JSON has one kind of number, so that 2.0 is 2."""
    retry: Json = {"maxAttempts": 2.0, "backoffMs": 100.0}
    case = _retried(
        "points",
        "Integers are written with a decimal point, such as 2.0",
        [step("s1", _FLAKY, retry=retry, timeoutMs=200.0, onError="skip"), step("s2", _TOOL), step("s3", _TOOL)],
        *("RETRY-11", "RETRY-18", "RETRY-03", "DEP-03", "TIME-02"),
    )
    flaky_and_slow = script(replace(fails("INTERNAL_ERROR", True), after_ms=100), sleeper(100, _DONE))
    once = hosted(_FLAKY, flaky_and_slow, takes=closed(), gives=schema_of(_DONE))
    limits: Object = {"maxConcurrency": 2.0, "maxAttempts": 3.0, "maxTimeoutMs": 1000.0}
    given = {**case.policy, "limits": limits}
    return replace(case, policy=given, tools=(case.tools[0], once), requires=("retry", "timeout", "concurrency"))


_AT_ONCE: Json = {"maxAttempts": 3, "backoffMs": 0}

SCENARIO = Scenario(
    "SC-31",
    "What a plan, a policy or a descriptor leaves out",
    (
        _under(
            _paths(
                "sandbox-switch",
                "The sandbox does not say whether it is enabled, so it is",
                ("Other/x.md", "Notes/../x.md", "Notes/private/x.md"),
                *(*FAILURE, *_DENIED, "POL-02", "POL-04", "POL-09"),
            ),
            {"allowedRoots": ["Notes"], "denyPatterns": ["private"]},
        ),
        _under(
            _paths(
                "sandbox-rules",
                "The sandbox has neither roots nor patterns, so the whole vault is allowed",
                ("Notes/a..b.md", "..hidden"),
                "POL-10",
            ),
            {"enabled": True},
        ),
        _without_limits(),
        _without_backoff(),
        _bare_descriptor(),
        _named_dialect(),
        _with_points(),
        _defaults_under_a_limit(),
        _with_defaults(
            _retried(
                "defaults",
                "By default three attempts, and a failure does not stop the run",
                [
                    step("plain", _FLAKY),
                    step("once", _FLAKY, retry={"maxAttempts": 1}),
                    step("slowly", _FLAKY, retry={"maxAttempts": 2}),
                    step("after", _TOOL),
                ],
                *("RETRY-03", "RETRY-11", "RETRY-18", "DEP-05"),
            ),
            retry=_AT_ONCE,
            onError="skip",
        ),
        _with_defaults(
            _retried(
                "defaults-overruled",
                "By default failures do not stop the run, but one step says that its failure does",
                [step("last", _FLAKY, onError="stop"), step("never", _TOOL)],
                "DEP-04",
            ),
            onError="skip",
        ),
    ),
)
