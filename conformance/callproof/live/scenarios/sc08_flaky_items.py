"""SC-08: tools that fail inside a loop: each iteration has its own attempts, apart from those of the others."""

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
_SAID: tuple[tuple[str, bool | None], ...] = (
    *(("NOT_FOUND", None), ("NOT_FOUND", True), ("CONFLICT", None), ("CONFLICT", True)),
    *(("INTERNAL_ERROR", None), ("INTERNAL_ERROR", False), ("QUOTA_EXCEEDED", None)),
    *(("VALIDATION_ERROR", True), ("POLICY_DENIED", True)),
)


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


def _every_word() -> Case:
    """A loop for each pair of a code and a word about retrying; the first attempt of each item fails with that pair."""
    tools = {
        f"s{number}": hosted(f"witness.echo-{number}", script(fails(code, word), echo(), by_args=True))
        for number, (code, word) in enumerate(_SAID)
    }
    loop: Json = {"from": "$steps.src.items", "itemName": "note"}
    how: dict[str, Json] = {"foreach": loop, "retry": {"maxAttempts": 3, "backoffMs": 0}, "onError": "skip"}
    case = _flaky("every-word", "Error codes and values of retryable, in loops", ["a", "b"], _ONCE, _each(2))
    return replace(
        case,
        plan=plan(
            step("src", "witness.items"),
            *({**step(step_id, tool.name, {"value": "{note}"}), **how} for step_id, tool in tools.items()),
        ),
        tools=(case.tools[0], *tools.values()),
        provokes=(*TROUBLE, *RESOLUTION, "LOOP-01", "RETRY-04", "RETRY-06", "RETRY-12"),
    )


def _third_hangs() -> Case:
    """The third of four items hangs at its second attempt; the policy alone sets the limit, or lowers it."""
    items: Json = {"items": [0, False, None, "last"]}
    hangs = script(echo(), _AGAIN, echo(), _AGAIN, stubborn(450, {"value": "too late"}), echo())
    loop: Json = {"from": "$steps.src.items", "itemName": "note"}
    how: dict[str, Json] = {"foreach": loop, "retry": {"maxAttempts": 2, "backoffMs": 0}, "onError": "skip"}
    names = ("by-policy", "lowered")
    each = [step(name, f"witness.{name}", {"value": "{note}"}, **how) for name in names]
    return Case(
        id="SC-08/third-hangs",
        says="The third of four items times out at its second attempt, and the fourth still runs",
        plan=plan(
            step("src", "witness.items"),
            each[0],
            {**each[1], "timeoutMs": 5000},
            *(step(f"after-{name}", "witness.note", {"value": 1}, dependsOn=[name]) for name in names),
            *(step(f"reads-{name}", "witness.note", {"value": f"$steps.{name}"}) for name in names),
        ),
        policy=policy({"maxTimeoutMs": 200}),
        tools=(
            hosted("witness.items", returns(items), takes=closed(), gives=closed(items={"type": "array"})),
            *(hosted(f"witness.{name}", hangs) for name in names),
            hosted("witness.note", echo()),
        ),
        requires=("references", "foreach", "retry", "timeout"),
        provokes=(
            *(*TROUBLE, *RESOLUTION, *_LOOPS, "TIME-01", "TIME-04", "TIME-10", "RES-12", "RES-20", "LOOP-08"),
            *("RETRY-12", "DEP-05", "REF-02"),
        ),
    )


def _late() -> Case:
    """A captured step whose first attempt times out and answers after all, while the second one is at work."""
    slow, soon = stubborn(400, {"value": "too late"}), returns({"value": "in time"}, after_ms=300)
    source = {**step("src", "witness.slow"), "captureAs": "found", "timeoutMs": 350}
    return Case(
        id="SC-08/late",
        says="The late answer of a timed-out attempt sets no variable, and the next attempt's answer does",
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
        _every_word(),
        _third_hangs(),
        _late(),
    ),
)
