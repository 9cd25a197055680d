"""Single lines that an adapter must not write, each with its own error."""

from __future__ import annotations

import json

import pytest
from callproof.adapters import errors


def frame(**members) -> str:
    return json.dumps({"jsonrpc": "2.0", **members})


INVOKE = {"runId": "r", "callId": "c", "tool": "t", "args": {}}

LINES = {
    "json-but-no-message": ('{"level": "info"}', errors.GarbageOnStdout, "not a JSON-RPC"),
    "array": ("[]", errors.GarbageOnStdout, "not a JSON-RPC"),
    "neither-method-nor-answer": (frame(id=1), errors.GarbageOnStdout, "neither method nor"),
    "empty-line": ("", errors.GarbageOnStdout, "a line that is empty"),
    "duplicate-member": ('{"jsonrpc":"2.0","jsonrpc":"2.0"}', errors.GarbageOnStdout, "twice"),
    "boolean-id": (frame(id=True, result={}), errors.OutOfShape, "at /id"),
    "result-and-error": (frame(id=2, result={}, error={"code": 1, "message": ""}), errors.OutOfShape, ""),
    "result-no-object": (
        frame(id=2, result=[]),
        errors.OutOfShape,
        "sent its answer to run/start out of shape: at /result, [] is not of type 'object'",
    ),
    "result-null": (frame(id=2, result=None), errors.OutOfShape, "at /result, null is not of type 'object'"),
    "params-no-object": (frame(method="record", params=[]), errors.OutOfShape, "sent record as a notification out of"),
    "answer-without-run-id": (frame(id=2, result={}), errors.OutOfShape, "answer to run/start out of shape"),
    "refusal-without-data": (
        frame(id=2, error={"code": -32001, "message": "no"}),
        errors.OutOfShape,
        "out of shape: at /error, data is missing; permitted: an object with code and message",
    ),
    "another-error": (frame(id=2, error={"code": -32602, "message": "no"}), errors.RefusedRequest, "or error -32001"),
    "answer-to-nobody": (frame(id=99, result={}), errors.AnswerToNobody, "request 99"),
    "id-as-text": (frame(id="2", result={}), errors.AnswerToNobody, 'request "2", which'),
    "id-as-text-helped": (
        frame(id="2", result={}),
        errors.AnswerToNobody,
        "as it came, here the number 2 and not a text",
    ),
    "id-with-a-fraction-of-nothing": (
        '{"jsonrpc": "2.0", "id": 2.0, "result": {}}',
        errors.OutOfShape,
        "answer to run/start out of shape",
    ),
    "answer-to-null": (
        frame(id=None, error={"code": -32700, "message": "unreadable"}),
        errors.CouldNotRead,
        "could not read a message before it had answered run/start",
    ),
    "what-could-not-be-read": (
        frame(id=None, error={"code": -32700, "message": "unreadable"}),
        errors.CouldNotRead,
        "it said: unreadable",
    ),
    "record-without-kind": (frame(method="record", params={"runId": "r", "record": {}}), errors.OutOfShape, "'kind'"),
    "record-as-request": (frame(method="record", id=1, params={}), errors.OutOfShape, "a notification"),
    "invoke-as-notification": (frame(method="tool/invoke", params=INVOKE), errors.OutOfShape, "a request"),
    "id-in-use": (
        frame(method="tool/invoke", id=7, params=INVOKE) + "\n" + frame(method="tool/invoke", id=7, params=INVOKE),
        errors.OutOfTurn,
        "still open",
    ),
    "id-in-use-as-a-double": (
        frame(method="tool/invoke", id=7.0, params=INVOKE) + "\n" + frame(method="tool/invoke", id=7, params=INVOKE),
        errors.OutOfTurn,
        "its id 7 belongs to",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_out_of_order_has_its_own_error(name, program, deadlines, provoke):
    """The error names what is wrong, with the method, the pointer and what was permitted."""
    line, kind, said = LINES[name]
    error = provoke(program("hostile/says.py", line), deadlines)
    assert isinstance(error, kind)
    assert said in str(error)


def test_who_sends_records_before_it_answers_is_told_the_order(program, short, provoke):
    """A system that answers run/start only after the run waits for its tools before, so more time would not help."""
    line = frame(method="tool/invoke", id=7, params=INVOKE)
    error = provoke(program("hostile/says.py", line), short)
    assert isinstance(error, errors.Silent)
    assert "it sent 1 message meanwhile" in str(error)
    assert "answer run/start before the first record" in str(error)


@pytest.mark.parametrize("line", [frame(method="noise"), frame(method="noise", id=5, params={"x": 1})])
def test_an_unknown_method_harms_nobody(line, program, short, provoke):
    """The suite ignores unknown notifications, and answers unknown requests with -32601."""
    assert isinstance(provoke(program("hostile/says.py", line), short), errors.Silent)
