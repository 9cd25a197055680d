"""SC-28: plans and limits under which nothing can run, and a limit that only looks like one of these."""

from __future__ import annotations

from callproof.live.behaviours import echo, returns, writing
from callproof.live.case import Case, Scenario
from callproof.live.scenarios.aims import ENVELOPE
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json

_TOOLS = (
    hosted(
        "witness.write",
        writing(returns({"path": "first.md"}), "first.md", "written too early"),
        takes=closed(path={"type": "string"}),
        gives=schema_of({"path": ""}),
        risk="writes",
    ),
    hosted("witness.echo", echo()),
)
_FIRST = step("s1", "witness.write", {"path": "first.md"})


def _echo(step_id: str, value: Json = "x", **members: Json) -> Object:
    return step(step_id, "witness.echo", {"value": value}, **members)


def _impossible(name: str, says: str, given: Object, *aims: str, at_once: Json = 1, requires: str = "") -> Case:
    """A case whose fault the system has to find before anything is written."""
    return Case(
        id=f"SC-28/{name}",
        says=says,
        plan=given,
        policy=policy({"maxConcurrency": at_once}),
        tools=_TOOLS,
        requires=tuple(requires.split()),
        provokes=("POL-14", "LOG-22", *aims),
        expects_refusal=True,
    )


def _whole_limit() -> Case:
    """A limit that is spelt as a fraction and is a whole number."""
    return Case(
        id="SC-28/whole-limit",
        says="The concurrency limit is 1.0, which equals 1",
        plan=plan(_echo("s1"), _echo("s2")),
        policy=policy({"maxConcurrency": 1.0}),
        tools=_TOOLS,
        provokes=(*ENVELOPE, "DEP-03"),
    )


_LOOP: Json = {"from": "$steps.s3.value", "itemName": "note"}

SCENARIO = Scenario(
    "SC-28",
    "Plans and limits under which nothing can run",
    (
        _impossible("no-steps", "A plan without steps", plan(), "VAL-08"),
        _impossible(
            "duplicate-ids",
            "The first and the last of three steps have the same id",
            plan(_FIRST, _echo("s2"), _echo("s1")),
            "VAL-08",
        ),
        _impossible(
            "variable-cycle",
            "Two steps read each other's variable",
            plan(_FIRST, _echo("s2", "$vars.b", captureAs="a"), _echo("s3", "$vars.a", captureAs="b")),
            "REF-23",
            requires="references",
        ),
        _impossible(
            "loop-cycle",
            "A loop runs over the output of a step that reads the loop",
            plan(_FIRST, _echo("s2", "{note}", foreach=_LOOP), _echo("s3", "$steps.s2")),
            "REF-23",
            requires="references foreach",
        ),
        _impossible("no-slot", "The concurrency limit is 0", plan(_FIRST), "DEP-10", at_once=0),
        _whole_limit(),
    ),
)
