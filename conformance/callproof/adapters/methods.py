"""Which messages there are, in which direction, and the shapes of what goes with them.

The one table behind the checks of both directions, for each kind of system: the shapes stand in
``spec/adapter-protocol.md`` for executors, and in ``spec/loop-adapter.md`` for agent loops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from callproof.values.jsontext import Json

RUN_REFUSED = -32001
TOOL_FAILED = -32010
TOOL_BROKE = -32011
TOOL_THREW = -32020
HOOK_FAILED = -32021
MODEL_FAILED = -32022
METHOD_UNKNOWN = -32601


@dataclass(frozen=True, slots=True)
class Method:
    """
    One message: the shape of its params, and of its answer if it is a request.

    ``refusals`` are the error codes that may answer it, each with the shape of its data or None
    for no data; None permits any error at all.
    """

    params: str
    answer: str | None = None
    refusals: Mapping[int, str | None] | None = field(default_factory=dict[int, "str | None"])


_TAKEN = "adapter/acknowledgement"

TO_SYSTEM: Mapping[str, Method] = {
    "initialize": Method("adapter/initialize", "adapter/initialize-answer"),
    "run/start": Method("adapter/run-start", "adapter/run-start-answer", {RUN_REFUSED: "adapter/run-refusal"}),
    "run/confirm": Method("adapter/run-confirm", _TAKEN),
    "run/cancel": Method("adapter/run-cancel", _TAKEN),
    "clock/advance": Method("adapter/clock-advance", "adapter/clock-advance-answer"),
    "shutdown": Method("adapter/shutdown", _TAKEN),
    "tool/progress": Method("adapter/tool-progress"),
}

TO_SUITE: Mapping[str, Method] = {
    "record": Method("adapter/record"),
    "tool/invoke": Method(
        "adapter/tool-invoke",
        "adapter/tool-invoke-answer",
        {TOOL_FAILED: "adapter/tool-failure", TOOL_BROKE: None},
    ),
    "tool/abort": Method("adapter/tool-abort"),
    "hook/before": Method("adapter/hook-before", "adapter/hook-before-answer", None),
    "run/finished": Method("adapter/run-finished"),
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """
    What is spoken with one kind of system: the messages of both directions, and what ``initialize`` says beside them.

    ``systems`` is what these systems are called, and ``command`` the one that judges them.
    """

    to_system: Mapping[str, Method]
    to_suite: Mapping[str, Method]
    systems: str
    command: str
    introduction: Mapping[str, str] = field(default_factory=dict[str, str])


EXECUTOR = Dialect(TO_SYSTEM, TO_SUITE, "executors", "callproof test")

_FAILING_HOOK: Mapping[int, str | None] = {HOOK_FAILED: None}

AGENT_LOOP = Dialect(
    {
        "initialize": Method("loop/initialize", "loop/initialize-answer"),
        "loop/start": Method("loop/start", _TAKEN),
        "loop/abort": Method("loop/abort", _TAKEN),
        "loop/steer": Method("loop/steer", _TAKEN),
        "tool/update": Method("loop/tool-update"),
        "shutdown": Method("adapter/shutdown", _TAKEN),
    },
    {
        "event": Method("loop/event"),
        "model/call": Method("loop/model-call", "loop/model-call-answer", {MODEL_FAILED: None}),
        "tool/call": Method("loop/tool-call", "loop/tool-call-answer", {TOOL_THREW: None}),
        "tool/abort": Method("loop/tool-abort"),
        "hook/before": Method("loop/hook-before", "loop/hook-before-answer", _FAILING_HOOK),
        "hook/after": Method("loop/hook-after", "loop/hook-after-answer", _FAILING_HOOK),
        "hook/persist": Method("loop/hook-persist", "loop/hook-persist-answer", _FAILING_HOOK),
        "loop/finished": Method("loop/finished"),
    },
    "agent loops",
    "callproof loop",
    {"protocol": "agent-loop"},
)


def dialect_of(answer: Mapping[str, Json]) -> Dialect:
    """What an answer to ``initialize`` says that it is spoken in."""
    return AGENT_LOOP if AGENT_LOOP.introduction.items() <= answer.items() else EXECUTOR
