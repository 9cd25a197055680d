"""SC-06: loops whose iterations run at once and end last first, two loops under one limit, and a list that grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from callproof.live.behaviours import Behaviour, Reply, echo, fails, gated, returns, script, sleeper
from callproof.live.case import Case, HostedTool, Scenario
from callproof.live.scenarios.aims import ENVELOPE, FAILURE, RESOLUTION
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.values.jsontext import Json

_LOOPS = (
    "LOOP-01",
    "LOOP-02",
    "LOOP-03",
    "LOOP-04",
    "LOOP-11",
    "LOOP-13",
    "LOOP-14",
    "REF-07",
    "REF-08",
    "REF-09",
    "RES-23",
)
_ITEMS: list[Json] = [{"title": f"Note {n}", "n": n} for n in range(6)]
_LISTED = closed(items={"type": "array"})


def _each(name: str = "each", source: str = "src", **members: Json) -> Object:
    loop: Json = {"from": f"$steps.{source}.items", "itemName": "note", "concurrency": 3}
    value: Json = {"item": "{note}", "at": "{index}", "text": "{index}: {note.title}"}
    return {**step(name, "witness.echo", {"value": value}), "foreach": loop, "preview": "Echo {note.title}", **members}


def _items(does: Reply | Behaviour) -> HostedTool:
    return hosted("witness.items", does, takes=closed(), gives=_LISTED)


def _at_once(
    name: str,
    says: str,
    does: Reply | Behaviour,
    *steps: Object,
    aims: Sequence[str] = (),
) -> Case:
    return Case(
        id=f"SC-06/{name}",
        says=says,
        plan=plan(step("src", "witness.items"), *steps),
        policy=policy({"maxConcurrency": 3}),
        tools=(_items(returns({"items": _ITEMS})), hosted("witness.echo", does)),
        requires=("references", "foreach", "concurrency"),
        provokes=(*ENVELOPE, *RESOLUTION, *_LOOPS, "RES-23", "EVT-21", "CALL-02", "REF-22", *aims),
    )


def _grower() -> Case:
    """The second call for the list gives a longer one, while the loop is at work."""
    growing = script(returns({"items": _ITEMS[:2]}), returns({"items": _ITEMS[:5]}))
    case = _at_once(
        "grower",
        "A second call returns a longer list while a loop runs over the first one",
        replace(echo(), after_ms=100),
        {**_each(), "foreach": {"from": "$steps.src.items", "itemName": "note"}},
        step("pause", "witness.pause"),
        step("again", "witness.items", dependsOn=["pause"]),
        _each("more", source="again"),
        aims=("LOOP-07", "REF-01"),
    )
    pause = hosted("witness.pause", sleeper(50, {}), takes=closed(), gives=closed())
    return replace(case, tools=(_items(growing), case.tools[1], pause))


_SECOND_FAILS = script(echo(), fails("NOT_FOUND", retryable=False), echo())

SCENARIO = Scenario(
    "SC-06",
    "Loops at concurrency 3 that complete in reverse order, under one limit",
    (
        _at_once(
            "reversed",
            "Each three iterations end in reverse order, and results are read in item order",
            gated(echo(), 3),
            _each(captureAs="echoes"),
            step("after", "witness.echo", {"value": ["$steps.each", "$vars.echoes[0].value.text", "$vars.echoes"]}),
            aims=("REF-20", "REF-05", "REF-06", "CALL-14"),
        ),
        _at_once(
            "two-of-three",
            "The policy permits three calls at once, and the loop asks for two",
            gated(echo(), 2),
            _each(foreach={"from": "$steps.src.items", "itemName": "note", "concurrency": 2}),
        ),
        _at_once(
            "two-loops",
            "Two loops and a step share three slots",
            gated(echo(), 3),
            _each(),
            _each("more"),
            step("beside", "witness.echo", {"value": 1}),
            aims=("LOOP-05", "DEP-07"),
        ),
        _at_once(
            "one-fails",
            "One of three iterations fails and the loop goes on",
            Behaviour(tuple(gated(each, 3) for each in _SECOND_FAILS.replies)),
            _each(onError="skip"),
            step("after", "witness.echo", {"value": "$steps.each"}),
            aims=(*FAILURE, "LOOP-08", "REF-02", "DEP-02", "RES-11", "RES-19"),
        ),
        _grower(),
    ),
)
