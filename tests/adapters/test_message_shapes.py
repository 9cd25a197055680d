"""The shape of every message: what the protocols show is accepted, and no required member may be missing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from typing import NamedTuple

import pytest
from callproof.adapters.methods import AGENT_LOOP, EXECUTOR, INVOCATION, PIPELINE, Dialect, Method
from callproof.schema.validator import shape_validator
from callproof.spec.blocks import Chapter
from callproof.spec.registry import specification
from callproof.spec.yaml_blocks import shapes_in

RUN = {"runId": "r"}
CALL = {"runId": "r", "callId": "c", "tool": "t", "args": {}}
CLAIMS = {"profiles": ["envelope"], "features": ["foreach", "a word of tomorrow"], "postures": {"abortGraceMs": 0}}
TOOL = {"name": "t", "inputSchema": {}, "outputSchema": True}

OF_EXECUTORS = {
    "adapter/frame": {"jsonrpc": "2.0", "method": "shutdown", "id": 1},
    "adapter/initialize": {
        "protocolVersion": "1.0",
        "suite": {"name": "callproof", "version": "0.1.0"},
        "limits": {"frameBytes": 16777216},
    },
    "adapter/initialize-answer": {
        "protocolVersion": "1.0",
        "implementation": {"name": "mine", "version": "3", "language": "typescript"},
        "claims": CLAIMS,
    },
    "adapter/claims": CLAIMS,
    "adapter/run-start": {"plan": {"steps": []}, "policy": {"nonsense": 1}, "tools": [TOOL]},
    "adapter/run-start-answer": RUN,
    "adapter/run-refusal": {"code": "VALIDATION_ERROR", "message": "no steps", "details": {"reason": "steps"}},
    "adapter/run-confirm": {"runId": "r", "confirmationId": "x", "decision": "rejected"},
    "adapter/run-cancel": RUN,
    "adapter/acknowledgement": {},
    "adapter/clock-advance": {"ms": 0},
    "adapter/clock-advance-answer": {"now": "2026-01-01T00:00:00.250Z"},
    "adapter/shutdown": {},
    "adapter/record": {"runId": "r", "kind": "event", "record": {"type": 7}},
    "adapter/tool-invoke": CALL,
    "adapter/tool-invoke-answer": {"output": None, "observed": {"created": [{"path": "a.md", "kind": "file"}]}},
    "adapter/tool-failure": {"code": "NOT_FOUND", "message": "", "retryable": False, "details": {}, "observed": {}},
    "adapter/tool-abort": {"runId": "r", "callId": "c", "reason": "timeout"},
    "adapter/tool-progress": {"runId": "r", "callId": "c", "message": "half", "payload": {}},
    "adapter/hook-before": CALL,
    "adapter/hook-before-answer": {"action": "continue"},
    "adapter/run-finished": RUN,
    "tool-descriptor": TOOL,
}
PARTS = {"adapter/frame", "adapter/claims", "tool-descriptor"}

LOOP_CALL = {"toolCallId": "c", "toolName": "t", "params": {}}
REPLY = {"role": "assistant", "content": [{"type": "text", "text": "done"}], "stopReason": "stop"}
PIECE = {"type": "toolcall_delta", "contentIndex": 0, "delta": "{"}

OF_LOOPS = {
    "loop/initialize": {"protocol": "agent-loop", **OF_EXECUTORS["adapter/initialize"]},
    "loop/initialize-answer": {
        "protocol": "agent-loop",
        "protocolVersion": "1.0",
        "implementation": {"name": "mine", "version": "3", "language": "rust", "homepage": ""},
        "claims": {"features": ["sequential", "a word of tomorrow"]},
    },
    "loop/start": {
        "prompt": "",
        "tools": [{"name": "t", "description": "", "parameters": {}, "host": "client"}],
        "mode": "sequential",
        "hooks": ["before", "after", "persist"],
        "streamed": True,
    },
    "loop/abort": {},
    "loop/steer": {"text": ""},
    "loop/model-call": {"messages": [{"role": "user", "content": "hello"}, {"role": "a word of tomorrow"}]},
    "loop/model-call-answer": {"message": REPLY},
    "loop/tool-call": LOOP_CALL,
    "loop/tool-call-answer": {"content": [], "details": None},
    "loop/tool-update": {"toolCallId": "c", "partialResult": {"content": [{"type": "text", "text": "half"}]}},
    "loop/tool-abort": {"toolCallId": "c"},
    "loop/hook-before": LOOP_CALL,
    "loop/hook-before-answer": {"block": True, "reason": "", "params": {}},
    "loop/hook-after": {"toolCallId": "c", "toolName": "t", "result": {}, "isError": False},
    "loop/hook-after-answer": {},
    "loop/hook-persist": {"message": {"toolCallId": "c", "role": "toolResult"}},
    "loop/hook-persist-answer": {"message": {"content": [], "details": 7}},
    "loop/event": {"event": {"type": "a word of tomorrow"}},
    "loop/finished": {},
}

QUESTION = {"invocation_id": "i", "tool_id": "t", "input": {}}
POLICY = {
    "scheduler_policy_id": "p",
    "ordering_policy": "serial",
    "sibling_failure_policy": "ignore",
    "context_modifier_policy": "forbid",
}
OF_PIPELINES = {
    "pipeline/initialize": {"protocol": "pipeline", **OF_EXECUTORS["adapter/initialize"]},
    "pipeline/initialize-answer": {**OF_LOOPS["loop/initialize-answer"], "protocol": "pipeline"},
    "pipeline/start": {
        "surface": {
            "surface_id": "s",
            "tools": [{"tool_id": "t", "names": ["u"], "description": "", "input_schema": {}, "state": "blocked"}],
        },
        "policy": POLICY,
        "asks": ["validate_values", "pre_hooks", "permission", "map_result", "post_hooks", "persist_result"],
        "result_bytes": 1,
        "batch_id": "b",
        "calls": [{"invocation_id": "i", "name": "", "input": None}],
    },
    "pipeline/abort": {"invocation_id": "i"},
    "pipeline/question": QUESTION,
    "pipeline/tool-failure": {"error_class": "timeout"},
    "pipeline/hook-pre-answer": {"block": False, "reason": "", "input": {}, "behavior": "ask"},
    "pipeline/permission-ask-answer": {"behavior": "deny", "by": "person", "updated_input": {}, "reason": ""},
    "pipeline/tool-execute-answer": {"output": None, "context_modifier": {}},
    "pipeline/tool-abort": {"invocation_id": "i"},
    "pipeline/tool-progress": {"invocation_id": "i", "message": ""},
    "pipeline/output": {"invocation_id": "i", "output": 7},
    "pipeline/tool-map-answer": {"content": [{}]},
    "pipeline/hook-post-answer": {"block": True, "reason": "", "output": []},
    "pipeline/store-put": {"invocation_id": "i", "data": ""},
    "pipeline/store-put-answer": {"uri": "u"},
    "pipeline/record": {"record": {"record": "a word of tomorrow"}},
    "pipeline/finished": {},
}
USED = {"toolName": "t", "status": "failed", "failure": "timeout"}

OF_INVOCATIONS = {
    "invocation/initialize": {"protocol": "invocation", **OF_EXECUTORS["adapter/initialize"]},
    "invocation/initialize-answer": {**OF_LOOPS["loop/initialize-answer"], "protocol": "invocation"},
    "invocation/start": {
        "question": "",
        "contract": "2026-05",
        "toolsBy": "provider",
        "tools": [{"toolName": "t", "optional": False}],
        "profiles": [{"name": "p", "tools": ["t"]}],
        "selected": {"profile": "p", "by": "default", "mayReroute": True},
    },
    "invocation/planner-plan": {"question": ""},
    "invocation/planner-plan-answer": {"intents": [{"toolName": "t", "requested": True, "input": {}}]},
    "invocation/tool-call": {"profile": "p", "toolName": "t", "input": {}},
    "invocation/tool-call-answer": {"output": None},
    "invocation/tool-failure": {"kind": "timeout"},
    "invocation/provider-generate": {
        "profile": "p",
        "offered": [{"toolName": "t"}],
        "results": [{"toolName": "t", "output": None}],
    },
    "invocation/provider-generate-answer": {"text": "a", "used": [USED], "links": [""]},
    "invocation/record": {"record": {"of": "whatever shape"}},
    "invocation/finished": {"text": ""},
}
SAMPLES = {**OF_EXECUTORS, **OF_LOOPS, **OF_PIPELINES, **OF_INVOCATIONS}
# Members that may be any JSON value, because a tool gets or returns them.
FREE = {
    ("adapter/tool-invoke-answer", "output"),
    ("loop/tool-call", "params"),
    ("loop/hook-before", "params"),
    ("loop/tool-call-answer", "details"),
    ("pipeline/question", "input"),
    ("pipeline/output", "output"),
    ("pipeline/tool-execute-answer", "output"),
    ("pipeline/hook-post-answer", "output"),
    ("pipeline/store-put", "data"),
    ("invocation/tool-call-answer", "output"),
}


class Wire(NamedTuple):
    """A chapter, its dialect and samples of its shapes; shapes inside of others, and shapes from another chapter."""

    chapter: str
    dialect: Dialect
    samples: Mapping[str, object]
    parts: Set[str] = frozenset()
    borrowed: Set[str] = frozenset()


EXECUTORS = Wire("adapter-protocol", EXECUTOR, OF_EXECUTORS, parts=PARTS)
BORROWED = {"adapter/acknowledgement", "adapter/shutdown"}
LOOPS = Wire("loop-adapter", AGENT_LOOP, OF_LOOPS, borrowed=BORROWED)
PIPELINES = Wire("pipeline-adapter", PIPELINE, OF_PIPELINES, borrowed=BORROWED)
INVOCATIONS = Wire("invocation-adapter", INVOCATION, OF_INVOCATIONS, borrowed=BORROWED)
WIRES = [EXECUTORS, LOOPS, PIPELINES, INVOCATIONS]
on_every_wire = pytest.mark.parametrize("wire", WIRES, ids=["executors", "loops", "pipelines", "invocations"])


def refused(shape: str, value: object) -> bool:
    """Whether the shape refuses the value."""
    return bool(shape_validator(shape).errors(value))


def chapter_called(name: str) -> Chapter:
    """A chapter of the specification."""
    return next(each for each in specification().chapters if each.name == name)


@on_every_wire
def test_every_shape_of_a_chapter_has_its_sample(wire):
    """A new message needs a sample here."""
    assert {shape.name for shape in shapes_in(chapter_called(wire.chapter))} == set(wire.samples)


@on_every_wire
def test_every_shape_belongs_to_a_message(wire):
    """The table of methods uses every shape except those that are parts of others."""
    table = (*wire.dialect.to_system.values(), *wire.dialect.to_suite.values())
    used = {each.params for each in table} | {each.answer for each in table if each.answer}
    used |= {shape for each in table for shape in (each.refusals or {}).values() if shape}
    assert set(wire.samples) - used == wire.parts
    assert used - set(wire.samples) == wire.borrowed


@pytest.mark.parametrize("shape", SAMPLES)
def test_a_sample_is_accepted_with_members_of_tomorrow(shape):
    """Unknown members are ignored, in every message."""
    assert not refused(shape, SAMPLES[shape])
    assert not refused(shape, {**SAMPLES[shape], "x-tomorrow": [None]})


@pytest.mark.parametrize(
    ("shape", "member"),
    [(name, member) for name in SAMPLES for member in SAMPLES[name]],
)
def test_a_member_of_another_type_is_refused(shape, member):
    """Types are strict; no value is converted. Only the input and the output of a tool may be anything."""
    assert refused(shape, {**SAMPLES[shape], member: 0.5}) is ((shape, member) not in FREE)


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        ("adapter/tool-invoke-answer", {}),
        ("adapter/run-start-answer", {}),
        ("adapter/run-start-answer", {"runId": ""}),
        ("adapter/run-refusal", {"code": "VALIDATION_ERROR"}),
        ("adapter/record", {"runId": "r", "kind": "log", "record": {}}),
        ("adapter/record", {"runId": "r", "kind": "call", "record": []}),
        ("adapter/clock-advance", {"ms": -1}),
        ("adapter/clock-advance-answer", {"now": "2026-01-01T00:00:00"}),
        ("adapter/hook-before-answer", {"action": "modify"}),
        ("adapter/hook-before-answer", {"action": "block", "args": {}}),
        ("adapter/tool-abort", {"runId": "r", "callId": "c", "reason": "boredom"}),
        ("adapter/claims", {**CLAIMS, "postures": {"abortGraceMs": 1001}}),
        ("adapter/claims", {**CLAIMS, "features": ["foreach", "foreach"]}),
        ("adapter/run-start", {"plan": {}, "policy": {}, "tools": [{"name": "t"}]}),
        ("loop/initialize-answer", {**OF_LOOPS["loop/initialize-answer"], "protocol": "executor"}),
        ("loop/initialize-answer", OF_EXECUTORS["adapter/initialize-answer"]),
        ("loop/start", {**OF_LOOPS["loop/start"], "mode": "both"}),
        ("loop/start", {**OF_LOOPS["loop/start"], "hooks": ["before", "never"]}),
        ("loop/start", {**OF_LOOPS["loop/start"], "tools": [{"name": "t", "parameters": {}}]}),
        ("loop/start", {**OF_LOOPS["loop/start"], "tools": [{"name": "", "description": "", "parameters": {}}]}),
        ("loop/steer", {}),
        ("loop/model-call", {}),
        ("loop/model-call", {"messages": [{"content": "hello"}]}),
        ("loop/model-call-answer", {}),
        ("loop/model-call-answer", {"message": {**REPLY, "role": "user"}}),
        ("loop/model-call-answer", {"message": {**REPLY, "stopReason": "aborted"}}),
        ("loop/model-call-answer", {"pieces": [PIECE]}),
        ("loop/model-call-answer", {"message": REPLY, "pieces": [PIECE], "stopReason": "stop"}),
        ("loop/model-call-answer", {"pieces": [{**PIECE, "contentIndex": -1}], "stopReason": "stop"}),
        ("loop/tool-call", {**LOOP_CALL, "toolCallId": ""}),
        ("loop/tool-call", {"toolCallId": "c", "toolName": "t"}),
        ("loop/tool-call-answer", {"details": 1}),
        ("loop/tool-update", {"toolCallId": "c", "partialResult": {}}),
        ("loop/tool-abort", {}),
        ("loop/hook-after", {"toolCallId": "c", "toolName": "t", "result": {}}),
        ("loop/hook-persist", {"message": {}}),
        ("loop/hook-persist-answer", {"message": {"details": 1}}),
        ("loop/event", {"event": {}}),
        ("loop/event", {"event": {"type": ""}}),
        ("pipeline/initialize-answer", OF_LOOPS["loop/initialize-answer"]),
        ("pipeline/start", {**OF_PIPELINES["pipeline/start"], "result_bytes": 0}),
        ("pipeline/start", {**OF_PIPELINES["pipeline/start"], "asks": ["execute"]}),
        ("pipeline/start", {**OF_PIPELINES["pipeline/start"], "policy": {}}),
        ("pipeline/abort", {"invocation_id": ""}),
        ("pipeline/question", {"invocation_id": "i", "tool_id": "t"}),
        ("pipeline/tool-failure", {"error_class": "boredom"}),
        ("pipeline/permission-ask-answer", {"behavior": "ask"}),
        ("pipeline/tool-execute-answer", {}),
        ("pipeline/store-put-answer", {"uri": ""}),
        ("pipeline/record", {"record": {}}),
        ("invocation/initialize-answer", OF_LOOPS["loop/initialize-answer"]),
        ("invocation/start", {**OF_INVOCATIONS["invocation/start"], "contract": "v2"}),
        ("invocation/start", {**OF_INVOCATIONS["invocation/start"], "toolsBy": "planner"}),
        ("invocation/start", {**OF_INVOCATIONS["invocation/start"], "tools": [{"toolName": "t"}]}),
        ("invocation/start", {**OF_INVOCATIONS["invocation/start"], "selected": {"profile": "p", "by": "user"}}),
        ("invocation/planner-plan-answer", {"intents": [{"toolName": "t"}]}),
        ("invocation/tool-call", {"toolName": "t", "input": {}}),
        ("invocation/tool-call-answer", {}),
        ("invocation/tool-failure", {"kind": "boredom"}),
        ("invocation/provider-generate", {"profile": "p", "offered": []}),
        ("invocation/provider-generate-answer", {"text": ""}),
        ("invocation/provider-generate-answer", {"text": "a", "used": [{**USED, "status": "skipped"}]}),
        ("invocation/record", {}),
        ("adapter/frame", {"jsonrpc": "2.0"}),
        ("adapter/frame", {"jsonrpc": "2.0", "id": 1}),
        ("adapter/frame", {"jsonrpc": "2.0", "id": None, "method": "record"}),
        ("adapter/frame", {"jsonrpc": "2.0", "id": None, "result": {}}),
        ("adapter/frame", {"jsonrpc": "2.0", "id": 1, "result": {}, "error": {"code": 1, "message": ""}}),
        ("adapter/frame", {"jsonrpc": "2.0", "id": 1, "method": "x", "result": {}}),
        ("adapter/frame", {"jsonrpc": "2.0", "method": "x", "params": []}),
    ],
)
def test_a_message_that_breaks_its_shape_is_refused(shape, value):
    """A required member must be there, and a closed list of words allows no others."""
    assert refused(shape, value)


def test_a_reply_comes_in_pieces_too():
    """Pieces are the other form of a reply of the model."""
    assert not refused("loop/model-call-answer", {"pieces": [PIECE], "stopReason": "toolUse"})


@pytest.mark.parametrize(
    "value",
    [
        {"jsonrpc": "2.0", "id": "a", "method": "tool/invoke", "params": {}},
        {"jsonrpc": "2.0", "method": "record", "params": {}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": -32001, "message": "", "data": None}},
        {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "parse error"}},
    ],
)
def test_the_four_kinds_of_frame_are_accepted(value):
    """They are request, notification, result and error; an error also answers what could not be read."""
    assert not refused("adapter/frame", value)


@on_every_wire
def test_the_conversation_in_a_chapter_is_a_real_one(wire):
    """Every line of it is a frame, its params or its result have their shape, and every request is answered."""
    block = chapter_called(wire.chapter).text.split("```conversation\n")[1].split("```")[0]
    asked: dict[tuple[str, object], Method] = {}
    for line in block.splitlines():
        arrow, message = line[0], json.loads(line[1:])
        assert not refused("adapter/frame", message)
        if "method" in message:
            method = (wire.dialect.to_system if arrow == "→" else wire.dialect.to_suite)[message["method"]]
            assert not refused(method.params, message["params"])
            assert ("id" in message) is (method.answer is not None)
            asked.update({(arrow, message["id"]): method} if "id" in message else {})
        else:
            method = asked.pop(("←" if arrow == "→" else "→", message["id"]))
            assert not refused(method.answer, message["result"])
    assert not asked
