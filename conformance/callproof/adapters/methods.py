"""All messages, each with its direction and the shapes of its contents.

The one table behind the checks of both directions, for each kind of system: the shapes stand in
``spec/adapter-protocol.md`` for executors, in ``spec/loop-adapter.md`` for agent loops, in
``spec/pipeline-adapter.md`` for pipelines, and in ``spec/invocation-adapter.md`` for systems under the invocation
contract.
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
USE_FAILED = -32030
PROVIDER_FAILED = -32031
TOOL_ENDED_THE_CALL = -32040
NOT_DONE = -32041
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
    The protocol of one kind of system: the messages of both directions, and what ``initialize`` says beside them.

    ``systems`` is the name of these systems, and ``command`` the command that judges them.
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

_FAILING_TOOL: Mapping[int, str | None] = {TOOL_ENDED_THE_CALL: "pipeline/tool-failure"}

PIPELINE = Dialect(
    {
        "initialize": Method("pipeline/initialize", "pipeline/initialize-answer"),
        "pipeline/start": Method("pipeline/start", _TAKEN),
        "pipeline/abort": Method("pipeline/abort", _TAKEN),
        "tool/progress": Method("pipeline/tool-progress"),
        "shutdown": Method("adapter/shutdown", _TAKEN),
    },
    {
        "record": Method("pipeline/record"),
        "tool/validate": Method("pipeline/question", _TAKEN, _FAILING_TOOL),
        "hook/pre": Method("pipeline/question", "pipeline/hook-pre-answer", _FAILING_HOOK),
        "permission/ask": Method("pipeline/question", "pipeline/permission-ask-answer"),
        "tool/execute": Method("pipeline/question", "pipeline/tool-execute-answer", _FAILING_TOOL),
        "tool/map": Method("pipeline/output", "pipeline/tool-map-answer", {NOT_DONE: None}),
        "hook/post": Method("pipeline/output", "pipeline/hook-post-answer", _FAILING_HOOK),
        "store/put": Method("pipeline/store-put", "pipeline/store-put-answer", {NOT_DONE: None}),
        "tool/abort": Method("pipeline/tool-abort"),
        "pipeline/finished": Method("pipeline/finished"),
    },
    "pipelines",
    "callproof pipeline",
    {"protocol": "pipeline"},
)

INVOCATION = Dialect(
    {
        "initialize": Method("invocation/initialize", "invocation/initialize-answer"),
        "invocation/start": Method("invocation/start", _TAKEN),
        "shutdown": Method("adapter/shutdown", _TAKEN),
    },
    {
        "planner/plan": Method("invocation/planner-plan", "invocation/planner-plan-answer"),
        "tool/call": Method(
            "invocation/tool-call", "invocation/tool-call-answer", {USE_FAILED: "invocation/tool-failure"}
        ),
        "provider/generate": Method(
            "invocation/provider-generate", "invocation/provider-generate-answer", {PROVIDER_FAILED: None}
        ),
        "record": Method("invocation/record"),
        "invocation/finished": Method("invocation/finished"),
    },
    "systems under the invocation contract",
    "callproof invocation",
    {"protocol": "invocation"},
)


# The systems that introduce themselves; a system that does not is an executor.
_INTRODUCED = (AGENT_LOOP, PIPELINE, INVOCATION)


def dialect_of(answer: Mapping[str, Json]) -> Dialect:
    """The dialect that an answer to ``initialize`` introduces; without an introduction that of executors."""
    return next((each for each in _INTRODUCED if each.introduction.items() <= answer.items()), EXECUTOR)
