"""The shape of every message: what the protocol shows is accepted, and no required member may be missing."""

from __future__ import annotations

import json

import pytest
from callproof.adapters.methods import TO_SUITE, TO_SYSTEM, Method
from callproof.schema.validator import shape_validator
from callproof.spec.registry import specification

RUN = {"runId": "r"}
CALL = {"runId": "r", "callId": "c", "tool": "t", "args": {}}
CLAIMS = {"profiles": ["envelope"], "features": ["foreach", "a word of tomorrow"], "postures": {"abortGraceMs": 0}}
TOOL = {"name": "t", "inputSchema": {}, "outputSchema": True}

SAMPLES = {
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


def refused(shape: str, value: object) -> bool:
    """Whether the shape refuses the value."""
    return bool(shape_validator(shape).errors(value))


def test_every_shape_of_the_chapter_has_its_sample():
    """A new message comes with its sample."""
    chapter = next(each for each in specification().chapters if each.name == "adapter-protocol")
    assert {shape.name for shape in chapter.shapes} == set(SAMPLES)


def test_every_shape_belongs_to_a_message():
    """The table of methods uses every shape but those that are parts of others."""
    table = (*TO_SYSTEM.values(), *TO_SUITE.values())
    used = {each.params for each in table} | {each.answer for each in table if each.answer}
    used |= {shape for each in table for shape in (each.refusals or {}).values() if shape}
    assert set(SAMPLES) - used == {"adapter/frame", "adapter/claims", "tool-descriptor"}


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
    """Types are strict; nothing is read as something else. A tool's output alone may be anything."""
    free = (shape, member) in {("adapter/tool-invoke-answer", "output")}
    assert refused(shape, {**SAMPLES[shape], member: 0.5}) is not free


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
    """Required is required, and a closed list of words is closed."""
    assert refused(shape, value)


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
    """Request, notification, result, error; the last also for what could not be read."""
    assert not refused("adapter/frame", value)


def test_the_conversation_in_the_chapter_is_a_real_one():
    """Every line of it is a frame, its params or its result are of their shape, and every request is answered."""
    chapter = next(each for each in specification().chapters if each.name == "adapter-protocol")
    block = chapter.text.split("```conversation\n")[1].split("```")[0]
    asked: dict[tuple[str, object], Method] = {}
    for line in block.splitlines():
        arrow, message = line[0], json.loads(line[1:])
        assert not refused("adapter/frame", message)
        if "method" in message:
            method = (TO_SYSTEM if arrow == "→" else TO_SUITE)[message["method"]]
            assert not refused(method.params, message["params"])
            asked.update({(arrow, message["id"]): method} if "id" in message else {})
        else:
            method = asked.pop(("←" if arrow == "→" else "→", message["id"]))
            assert not refused(method.answer, message["result"])
    assert not asked
