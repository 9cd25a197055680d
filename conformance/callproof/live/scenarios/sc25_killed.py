"""SC-25: the system is killed between two records, or finds its disk full: what its log then says about the run."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import flaky, returns, script, writing
from callproof.live.case import Case, Hardship, HostedTool, Scenario
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, schema_of, step
from callproof.values.jsontext import Json

# After these numbers of records: from the first to the last of the run, amid calls, loops, backoffs and results.
_KILLED_AFTER = (1, 3, 5, 8, 11, 15, 19, 24)
_TEXT: Json = {"type": "string"}
_ITEMS: Json = {"items": ["a.md", "b.md"]}
_WRITE = "witness.write"
_LOOP: Object = {
    **step("each", _WRITE, {"path": "{item}"}),
    "foreach": {"from": "$steps.list.items", "itemName": "item"},
}
_PLAN = plan(
    step("list", "witness.list"),
    _LOOP,
    step("flaky", "witness.flaky", dependsOn=["each"], retry={"maxAttempts": 2, "backoffMs": 100}),
    step("last", _WRITE, {"path": "last.md"}, dependsOn=["flaky"]),
    risk="writes",
)


def _tools() -> tuple[HostedTool, ...]:
    wrote = (writing(returns({"path": path}, after_ms=50), path, "written") for path in ("a.md", "b.md", "last.md"))
    return (
        hosted("witness.list", returns(_ITEMS), takes=closed(), gives=schema_of(_ITEMS)),
        hosted("witness.flaky", flaky(1, "INTERNAL_ERROR", True, {}), takes=closed(), gives=closed()),
        hosted(_WRITE, script(*wrote), takes=closed(path=_TEXT), gives=schema_of({"path": ""}), risk="writes"),
    )


def _broken_off(name: str, says: str, hardship: Hardship, *aims: str) -> Case:
    return Case(
        id=f"SC-25/{name}",
        says=says,
        plan=_PLAN,
        policy=policy(),
        tools=_tools(),
        requires=("auditLog", "references", "foreach", "retry"),
        provokes=aims,
        hardship=hardship,
    )


def _killed(count: int) -> Case:
    says = f"The system is killed after its record number {count} has arrived"
    aims = ("LOG-01", "LOG-02", "LOG-05", "LOG-13", "EVT-20") if count > 1 else ("LOG-01",)
    later = ("CALL-21", "LOG-06", "LOG-08") if count > 11 else ()
    return _broken_off(f"killed-after-{count}", says, Hardship(kill_after=count), *aims, *later)


# No file may grow beyond these numbers of bytes: not even the run record fits, or only the first calls do.
_FULL_AT = (0, 5_000, 9_000)
_PARAGRAPH = " and a long paragraph that takes room in the log" * 20


def _full(limit: int) -> Case:
    case = _broken_off(
        f"full-at-{limit}",
        f"No file of the system can grow beyond {limit} bytes",
        Hardship(file_bytes=limit),
        *("LOG-15", "DEP-15", "DEP-12"),
    )
    many: Json = {"items": [f"note {number}" for number in range(12)]}
    return replace(
        case,
        plan=plan(step("list", "witness.list"), {**_LOOP, "args": {"path": "{item}" + _PARAGRAPH}}, risk="writes"),
        tools=(
            hosted("witness.list", returns(many), takes=closed(), gives=schema_of(many)),
            hosted(_WRITE, returns({}, observed={}), takes=closed(path=_TEXT), gives=closed(), risk="writes"),
        ),
        death_proves=("DEP-15",),
    )


SCENARIO = Scenario(
    "SC-25",
    "The system is killed between two records, or its disk is full",
    (*map(_killed, _KILLED_AFTER), *map(_full, _FULL_AT)),
)
