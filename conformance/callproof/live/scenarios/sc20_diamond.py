"""SC-20: a diamond of four steps with a failure on one arm, under each way of handling errors."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import Behaviour, Reply, fails, gated, returns, script, sleeper
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE
from callproof.live.scenarios.building import closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json

_DONE: Json = {"n": 1}
_FAILED = (*FAILURE, "DEP-02", "DEP-06", "RES-11", "RES-19", "EVT-09", "EVT-16")


def _diamond(
    name: str, says: str, left: Reply | Behaviour, *aims: str, right: Reply | None = None, **members: Json
) -> Case:
    """``top``, then ``left`` beside ``right``, then ``bottom`` which needs both; and ``apart`` before ``later``."""
    gives = schema_of(_DONE)
    return Case(
        id=f"SC-20/{name}",
        says=says,
        plan=plan(
            step("top", "witness.top"),
            {**step("left", "witness.left", dependsOn=["top"]), **members},
            step("right", "witness.right", {"value": "$steps.top.n"}),
            step("bottom", "witness.bottom", {"value": "$steps.right.n"}, dependsOn=["left"]),
            step("below", "witness.bottom", {"value": "$steps.bottom.n"}),
            step("apart", "witness.slow"),
            step("later", "witness.bottom", {"value": "$steps.apart.n"}),
        ),
        policy=policy(),
        tools=(
            hosted("witness.top", returns(_DONE), takes=closed(), gives=gives),
            hosted("witness.slow", sleeper(200, _DONE), takes=closed(), gives=gives),
            hosted("witness.left", left, takes=closed(), gives=gives),
            hosted("witness.right", right or returns(_DONE), takes=closed(value={}), gives=gives),
            hosted("witness.bottom", returns(_DONE), takes=closed(value={}), gives=gives),
        ),
        requires=("references",),
        provokes=(*ENVELOPE, "DEP-01", "REF-22", *aims),
    )


def _at_once(case: Case) -> Case:
    return replace(
        case,
        id=f"{case.id}-at-once",
        policy=policy({"maxConcurrency": 3}),
        requires=(*case.requires, "concurrency"),
        provokes=(*case.provokes, "EVT-21", "RES-23", "CALL-02"),
    )


_LOST = fails("NOT_FOUND", retryable=False)
_FLAKY = script(fails("INTERNAL_ERROR", True), fails("INTERNAL_ERROR", True), returns(_DONE))
_RETRY: Json = {"maxAttempts": 3, "backoffMs": 100}

_STOP = _diamond("stop", "The left arm fails and the run stops", _LOST, *_FAILED, "DEP-04")
_SKIP = _diamond("skip", "The left arm fails and the run goes on", _LOST, *_FAILED, "DEP-05", onError="skip")
_WORKS = _diamond("works", "Nothing fails", returns(_DONE))
_RETRIED = _diamond(
    "retried",
    "The left arm works on its third attempt",
    _FLAKY,
    *FAILURE,
    "DEP-06",
    "RETRY-11",
    onError="stop",
    retry=_RETRY,
)
_USED_UP = _diamond(
    "used-up",
    "The left arm uses up its attempts and the run goes on",
    script(fails("INTERNAL_ERROR", True)),
    *(*_FAILED, "DEP-05", "RETRY-03"),
    onError="skip",
    retry=_RETRY,
)
_SLOW_SIBLING = _at_once(
    _diamond(
        "stop-with-sibling",
        "The left arm fails while the right one is at work",
        gated(_LOST, 1),
        *(*_FAILED, "DEP-04", "CANC-09"),
        right=sleeper(300, _DONE),
    )
)
# The failed step is two steps away, and only declared dependencies lead to it.
_DECLARED = replace(
    _SKIP,
    id="SC-20/declared-chain",
    says="A step depends on a step that was skipped after a failure",
    plan=plan(
        step("left", "witness.left", onError="skip"),
        step("between", "witness.slow", dependsOn=["left"], onError="skip"),
        step("last", "witness.slow", dependsOn=["between"]),
        step("apart", "witness.slow"),
    ),
    # As in the other cases here: a system without references may lack onError too, and refuse the plan.
    requires=("references",),
    provokes=(*ENVELOPE, *_FAILED, "DEP-05"),
)

SCENARIO = Scenario(
    "SC-20",
    "A diamond of four steps with a failure on one arm",
    (
        *(_WORKS, _STOP, _SKIP, _RETRIED, _USED_UP),
        *(_at_once(each) for each in (_WORKS, _STOP, _SKIP, _RETRIED, _USED_UP)),
        _SLOW_SIBLING,
        _DECLARED,
    ),
    spared=("RETRY-11",),
)
