"""Cases made by hand for the tests of what judges and shrinks generated ones."""

from __future__ import annotations

from callproof.generated.features import with_features
from callproof.live.behaviours import Behaviour, Reply, echo, fails, returns, script, sleeper
from callproof.live.case import Case, Cue, HostedTool, Move
from callproof.live.scenarios.building import Object, closed, hosted, plan, policy, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

ANY: Object = {"type": "object"}
AGAIN: Json = {"maxAttempts": 3, "backoffMs": 100}
LIST: Json = {"items": ["a", "b", "c"]}


def tool(name: str, does: Reply | Behaviour, **more: Json) -> HostedTool:
    """A tool of this name that takes and gives anything."""
    return hosted(name, does, takes=ANY, gives=ANY, **more)


def case(
    name: str, *steps: Object, tools: tuple[HostedTool, ...], limits: Object | None = None, **more: object
) -> Case:
    """A case of these steps."""
    return with_features(
        Case(id=name, says=name, plan=plan(*steps), policy=policy(limits), tools=tools, **more)  # type: ignore[arg-type]
    )


CHAIN = case(
    "chain",
    step("a", "t.a"),
    step("b", "t.b", {"value": "$steps.a.items"}, dependsOn=["a"]),
    tools=(tool("t.a", returns(LIST)), tool("t.b", echo())),
)
LOOP = case(
    "loop",
    step("a", "t.a"),
    step("b", "t.b", {"value": "{row}"}, foreach={"from": "$steps.a.items", "itemName": "row"}),
    tools=(tool("t.a", returns(LIST)), tool("t.b", echo())),
)
RETRIED = case(
    "retried",
    step("a", "t.a", retry=AGAIN),
    tools=(tool("t.a", script(fails("INTERNAL_ERROR", True), returns(LIST))),),
)
SKIPPED = case(
    "skipped",
    step("a", "t.a", onError="skip"),
    step("b", "t.b", {"value": "$steps.a.items"}),
    step("c", "t.c"),
    tools=(tool("t.a", fails("NOT_FOUND", False)), tool("t.b", echo()), tool("t.c", returns(LIST))),
)
STOPPED = case(
    "stopped",
    step("a", "t.a"),
    step("b", "t.b", dependsOn=["c"]),
    step("c", "t.c"),
    tools=(tool("t.a", fails("NOT_FOUND", False)), tool("t.b", returns(LIST)), tool("t.c", sleeper(200, LIST))),
    limits={"maxConcurrency": 2},
)
OUT_OF_TIME = case(
    "out of time",
    step("a", "t.a", timeoutMs=100, onError="skip"),
    step("b", "t.b"),
    tools=(tool("t.a", sleeper(1_500, LIST)), tool("t.b", returns(LIST))),
)
CANCELLED = case(
    "cancelled",
    step("a", "t.a"),
    step("b", "t.b"),
    tools=(tool("t.a", sleeper(300, LIST)), tool("t.b", returns(LIST))),
    timeline=(Move(ActKind.CANCEL, Cue.INVOCATION, 100, "t.a"),),
)
INVALID = case(
    "invalid",
    step("a", "t.a", {"value": 1}, onError="skip"),
    tools=(hosted("t.a", echo(), takes=closed(value={"type": "string"}), gives=ANY),),
)
EMPTY = case(
    "empty",
    step("a", "t.a"),
    step("b", "t.b", {"value": "{row}"}, foreach={"from": "$steps.a.items", "itemName": "row"}),
    tools=(tool("t.a", returns({"items": []})), tool("t.b", echo())),
)
CASES = (CHAIN, LOOP, RETRIED, SKIPPED, STOPPED, OUT_OF_TIME, CANCELLED, INVALID, EMPTY)
