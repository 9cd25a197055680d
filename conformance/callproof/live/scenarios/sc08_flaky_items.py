"""SC-08: tools that fail inside a loop: each iteration has its own attempts, and nobody else's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from callproof.live.behaviours import Behaviour, Reply, echo, fails, returns, script, silent, stubborn
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import RESOLUTION, TROUBLE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.values.jsontext import Json

_RETRIED = ("RETRY-01", "RETRY-02", "RETRY-03", "RETRY-09", "RETRY-10", "RETRY-16", "HASH-02", "HASH-07", "REF-14")
_LOOPS = ("LOOP-01", "LOOP-02", "LOOP-03", "LOOP-08", "LOOP-13")
_AGAIN = fails("INTERNAL_ERROR", True)


def _each(attempts: int, backoff_ms: int = 0, **members: Json) -> Object:
    loop: Json = {"from": "$steps.src.items", "itemName": "note", "concurrency": 2}
    step_ = step("each", "witness.echo", {"value": "{index}: {note}"}, onError="skip")
    return {**step_, "foreach": loop, "retry": {"maxAttempts": attempts, "backoffMs": backoff_ms}, **members}


_AFTER = step("after", "witness.note", {"value": "$steps.each"})


def _flaky(name: str, says: str, items: Sequence[Json], does: Reply | Behaviour, each: Object, *aims: str) -> Case:
    return Case(
        id=f"SC-08/{name}",
        says=says,
        plan=plan(step("src", "witness.items"), each, _AFTER),
        policy=policy(),
        tools=(
            hosted(
                "witness.items", returns({"items": list(items)}), takes=closed(), gives=closed(items={"type": "array"})
            ),
            hosted("witness.echo", does),
            hosted("witness.note", echo()),
        ),
        requires=("references", "foreach", "retry"),
        provokes=(*TROUBLE, *RESOLUTION, *_RETRIED, *_LOOPS, *aims),
    )


def _limited(case: Case, **limits: Json) -> Case:
    return replace(case, policy=policy(limits))


def _needing(case: Case, *features: str) -> Case:
    return replace(case, requires=(*case.requires, *features))


def _late() -> Case:
    """A captured step whose first attempt times out and answers after all, while the second one is at work."""
    slow, soon = stubborn(400, {"value": "too late"}), returns({"value": "in time"}, after_ms=300)
    source = {**step("src", "witness.slow"), "captureAs": "found", "timeoutMs": 350}
    return Case(
        id="SC-08/late",
        says="The answer of an attempt that timed out sets no variable, and the next attempt's does",
        plan=plan(
            {**source, "retry": {"maxAttempts": 2, "backoffMs": 0}},
            step("reads", "witness.note", {"value": "$vars.found.value"}, onError="skip"),
            step("after", "witness.note", {"value": ["$vars.found", "$steps.src.value"]}, onError="skip"),
        ),
        policy=policy({"maxConcurrency": 2}),
        tools=(
            hosted("witness.slow", script(slow, soon), takes=closed(), gives=closed(value={"type": "string"})),
            hosted("witness.note", echo()),
        ),
        requires=("references", "retry", "timeout", "concurrency", "virtualClock"),
        provokes=(*TROUBLE, *RESOLUTION, "REF-05", "REF-06", "REF-19", "RES-20", "RETRY-14", "TIME-01"),
    )


_ONCE = script(_AGAIN, echo(), by_args=True)
# In turn: works; fails, works; fails three times; works.
_UNEVEN = script(echo(), _AGAIN, echo(), _AGAIN, _AGAIN, _AGAIN, echo())

SCENARIO = Scenario(
    "SC-08",
    "Flaky tools inside a loop",
    (
        _flaky("each-once", "Every iteration fails once", ["a", "b", "c"], _ONCE, _each(2), "RETRY-12", "REF-19"),
        _needing(
            _limited(
                _flaky(
                    "backoff",
                    "Every iteration waits before its second attempt, two of them at once",
                    ["a", "b", "c"],
                    _ONCE,
                    _each(2, 200),
                    *("RETRY-18", "RETRY-12", "RETRY-08"),
                ),
                maxConcurrency=2,
            ),
            "concurrency",
        ),
        _flaky(
            "uneven",
            "One iteration works, one fails once, one uses up its attempts, one works",
            ["a", "b", "c", "d"],
            _UNEVEN,
            {**_each(3), "foreach": {"from": "$steps.src.items", "itemName": "note"}},
            *("DEP-06", "REF-02", "RES-11"),
        ),
        _limited(
            _flaky("clamped", "The policy allows one attempt", ["a", "b"], _ONCE, _each(3), "RETRY-17"), maxAttempts=1
        ),
        _flaky(
            "final", "A failure that may not be retried", ["a"], script(fails("CONFLICT", False)), _each(3), "RETRY-04"
        ),
        _needing(
            _flaky(
                "timeouts",
                "The first attempt of every iteration times out",
                ["a", "b"],
                script(silent(), echo(), by_args=True),
                _each(2, timeoutMs=100),
                *("TIME-01", "TIME-04", "RES-12", "RETRY-14"),
            ),
            "timeout",
        ),
        _late(),
    ),
)
