"""SC-26: a slow listener: the suite reads nothing for a moment while the system has more to tell than a pipe holds.

A listener that fails cannot be tested over a wire: a notification has no answer.
"""

from __future__ import annotations

from dataclasses import replace

from callproof.live.behaviours import returns
from callproof.live.case import Case, Companion, Cue, Move, Scenario, When
from callproof.live.scenarios.aims import TROUBLE
from callproof.live.scenarios.building import closed, hosted, plan, policy, schema_of, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json

# Calls that are denied one after the other: each is recorded, and none waits for an answer of the suite.
_ITEMS: Json = {"items": [f"{number} {'is told at some length, ' * 20}" for number in range(80)]}
_DENIED = "witness.denied"
_MS = 100

_KEPT_UP = Case(
    id="SC-26/keeps-up",
    says="The listener keeps up",
    plan=plan(
        step("list", "witness.list"),
        {
            **step("each", _DENIED, {"text": "{item}"}, onError="skip"),
            "foreach": {"from": "$steps.list.items", "itemName": "item"},
        },
        step("last", "witness.list"),
    ),
    policy=policy(denied=(_DENIED,)),
    tools=(
        hosted("witness.list", returns(_ITEMS, after_ms=_MS), takes=closed(), gives=schema_of(_ITEMS)),
        hosted(_DENIED, returns({}), takes=closed(text={"type": "string"}), gives=closed()),
    ),
    requires=("references", "foreach"),
)

SCENARIO = Scenario(
    "SC-26",
    "A slow listener",
    (
        replace(
            _KEPT_UP,
            id="SC-26/turns-away",
            says="The suite reads nothing for a moment while eighty calls are reported",
            timeline=(Move(ActKind.TURN_AWAY, Cue.INVOCATION, _MS, tool="witness.list", first=True),),
            company=(Companion(_KEPT_UP, When.BEFORE),),
            provokes=(*TROUBLE, "EVT-19", "EVT-21", "POL-01", "DEP-05"),
        ),
    ),
)
