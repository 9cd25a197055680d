"""Single lines that an adapter must not write, each with its own error."""

from __future__ import annotations

import json

import pytest
from callproof.adapters import errors


def frame(**members) -> str:
    return json.dumps({"jsonrpc": "2.0", **members})


INVOKE = {"runId": "r", "callId": "c", "tool": "t", "args": {}}

LINES = {
    "json-but-no-message": ('{"level": "info"}', errors.GarbageOnStdout, "no JSON-RPC"),
    "array": ("[]", errors.GarbageOnStdout, "no JSON-RPC"),
    "neither-method-nor-answer": (frame(id=1), errors.GarbageOnStdout, "neither method nor"),
    "empty-line": ("", errors.GarbageOnStdout, "no strict JSON"),
    "duplicate-member": ('{"jsonrpc":"2.0","jsonrpc":"2.0"}', errors.GarbageOnStdout, "twice"),
    "boolean-id": (frame(id=True, result={}), errors.OutOfShape, "at /id"),
    "result-and-error": (frame(id=2, result={}, error={"code": 1, "message": ""}), errors.OutOfShape, ""),
    "result-no-object": (frame(id=2, result=[]), errors.OutOfShape, "at /result"),
    "answer-without-run-id": (frame(id=2, result={}), errors.OutOfShape, "answer to run/start out of shape"),
    "refusal-without-data": (
        frame(id=2, error={"code": -32001, "message": "no"}),
        errors.OutOfShape,
        "out of shape: at /error, data is missing; permitted: an object with code and message",
    ),
    "another-error": (frame(id=2, error={"code": -32602, "message": "no"}), errors.RefusedRequest, "or error -32001"),
    "answer-to-nobody": (frame(id=99, result={}), errors.AnswerToNobody, "request 99"),
    "answer-to-null": (
        frame(id=None, error={"code": -32700, "message": "unreadable"}),
        errors.AnswerToNobody,
        "unreadable",
    ),
    "record-without-kind": (frame(method="record", params={"runId": "r", "record": {}}), errors.OutOfShape, "'kind'"),
    "record-as-request": (frame(method="record", id=1, params={}), errors.OutOfShape, "a notification"),
    "invoke-as-notification": (frame(method="tool/invoke", params=INVOKE), errors.OutOfShape, "a request"),
    "id-in-use": (
        frame(method="tool/invoke", id=7, params=INVOKE) + "\n" + frame(method="tool/invoke", id=7, params=INVOKE),
        errors.OutOfTurn,
        "still open",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_out_of_order_has_its_own_error(name, program, deadlines, provoke):
    """What is wrong is named with the method, the pointer and what was permitted."""
    line, kind, said = LINES[name]
    error = provoke(program("hostile/says.py", line), deadlines)
    assert isinstance(error, kind)
    assert said in str(error)


@pytest.mark.parametrize("line", [frame(method="noise"), frame(method="noise", id=5, params={"x": 1})])
def test_an_unknown_method_harms_nobody(line, program, short, provoke):
    """Notifications of tomorrow are ignored, and requests of tomorrow are answered with -32601."""
    assert isinstance(provoke(program("hostile/says.py", line), short), errors.Silent)
