"""Odd values in every member of a log of an agent loop: there may be findings, but no check throws."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from callproof.protocols.entries import read_entries
from hypothesis import given, settings
from hypothesis import strategies as st
from protocols.loops import judged

pytestmark = pytest.mark.many

BASES = Path(__file__).parents[2] / "spec" / "protocols" / "examples"
ODD: list[Any] = [None, True, -0.5, 10**400, "", "toolResult", [], [None, []], {}, {"type": "toolCall", "status": {}}]


def places(value: Any, *way: str | int) -> Iterator[tuple[str | int, ...]]:
    """The path to every member and every element inside a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, each in inner:
        yield (*way, name)
        yield from places(each, *way, name)


def replaced(value: Any, way: tuple[str | int, ...], odd: Any) -> Any:
    """A value with the odd value in one place."""
    if not way:
        return odd
    copy = value.copy()
    copy[way[0]] = replaced(value[way[0]], way[1:], odd)
    return copy


KNOWN: list[dict[str, Any]] = [
    {"type": "user", "uuid": "a", "parentUuid": "a", "message": {"role": "user", "content": []}},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "a", "input": {}}]},
    {"type": "function_call", "call_id": "a", "name": "a", "arguments": "{"},
    {"role": "tool", "tool_call_id": "a", "content": ""},
    {"type": "ai", "tool_calls": [{"id": "a", "name": "a", "args": {}}]},
    {"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "a", "input": {}}}]},
    {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "a", "input": {}}]},
    {"role": "model", "parts": [{"functionCall": {"name": "a"}}]},
    {"role": "assistant", "parts": [{"type": "tool_call", "id": "a", "name": "a"}]},
    {"kind": "response", "parts": [{"part_kind": "tool-call", "tool_call_id": "a", "tool_name": "a"}]},
]
BASES_OF_FORMS = ["looped", "branched", "transcribed", "messaged", "itemised", "chatted", "chained"]
BASES_OF_FORMS += ["conversed", "stepped", "parted", "spanned", "typed"]


@pytest.mark.parametrize("base", BASES_OF_FORMS)
def test_no_check_throws_whatever_a_member_holds(base: str) -> None:
    """Every member of every line is replaced by odd values in turn, and every check still comes to a verdict."""
    lines = [dict(each.value) for each in read_entries(BASES / base / "log.jsonl").entries]
    for at, line in enumerate(lines):
        for number, way in enumerate(places(line)):
            # Two odd values for each place, in turn: all values at all places would take minutes.
            for odd in (ODD[(at + number) % len(ODD)], ODD[(at + number * 3 + 5) % len(ODD)]):
                results = judged([*lines[:at], replaced(line, way, odd), *lines[at + 1 :]])
                assert [each.errors for each in results.values() if each.errors] == [], (at, way, odd)


KINDS = [
    *("agent_start", "agent_end", "turn_end", "message_start", "message_update", "message_end", "message", "session"),
    *("tool_execution_start", "tool_execution_update", "tool_execution_end", "toolCall", "text", "image"),
    *("toolcall_start", "toolcall_delta", "toolcall_end"),
    *("assistant", "user", "system", "tool_use", "tool_result", "function_call", "function_call_output", "function"),
    *("custom_tool_call", "computer_call", "response_item", "event_msg", "compaction", "reasoning", "turn_aborted"),
]
MEMBERS = [
    *("type", "kind", "event", "probe", "message", "role", "content", "stopReason", "id", "parentId", "name", "params"),
    *("arguments", "toolCallId", "toolName", "result", "isError", "details", "truncation", "truncated", "text", "tool"),
    *("status", "assistantMessageEvent", "contentIndex", "delta", "toolCall", "partialResult", "messages", "tools"),
    *("parameters", "outputBytes", "block", "reason", "error", "input", "tool_use_id", "is_error", "payload"),
    *("call_id", "output", "tool_calls", "function", "tool_call_id", "uuid", "parentUuid", "logicalParentUuid"),
    *("isSidechain", "sessionId", "timestamp", "stop_reason", "requestId", "parent_tool_use_id", "subtype", "async"),
]
WORDS = [*KINDS, "event", "probe", "meta", "assistant", "toolResult", "user", "a", "b", "before_hook", "tool_called"]
WORDS += ["after_hook", "persist_hook", "tool_threw", "model_context", "error", "blocked", "pending", "aborted", "{"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.floats(allow_nan=False) | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(MEMBERS), inner, max_size=6),
    max_leaves=12,
)
LINES = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(KINDS),
        "kind": st.sampled_from(["event", "probe", "meta"]),
        "probe": st.sampled_from(WORDS),
        **dict.fromkeys(("event", "message", "assistantMessageEvent", "messages", "tools", "parentId"), VALUES),
        **{name: st.sampled_from(["a", "b"]) for name in ("toolCallId", "toolName", "id")},
    },
)


NAMED = ("id", "tool_use_id", "name", "input", "toolUseId", "toolCallId", "toolName", "tool_call_id", "tool_name")
INNER = st.fixed_dictionaries(
    {},
    optional={
        **{name: st.sampled_from(["a", "b"]) | VALUES for name in NAMED},
        **dict.fromkeys(("args", "response", "content", "status", "type"), VALUES),
    },
)
KINDS_OF_PARTS = ["tool_use", "tool_result", "text", "tool-call", "tool-result", "tool_call", "tool_call_response"]
BLOCKS = st.lists(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(
                ["tool_use", "tool_result", "text", "tool-call", "tool-result", "tool_call", "tool_call_response"]
            )
        },
        optional={
            **{name: st.sampled_from(["a", "b"]) | VALUES for name in NAMED},
            **dict.fromkeys(("toolUse", "toolResult", "functionCall", "function_response"), INNER | VALUES),
            **dict.fromkeys(("outcome", "arguments", "args", "response", "result", "builtin"), VALUES),
            "part_kind": st.sampled_from(["tool-call", "tool-return", "retry-prompt"]) | VALUES,
            "output": st.fixed_dictionaries({}, optional={"type": VALUES, "value": VALUES}) | VALUES,
        },
    ),
    max_size=3,
)
SPOKEN = st.fixed_dictionaries(
    {"role": st.sampled_from(["assistant", "user", "tool", "model"])},
    optional={
        **dict.fromkeys(("content", "parts"), BLOCKS | VALUES),
        "id": st.sampled_from(["a", "b"]) | VALUES,
        "kind": st.sampled_from(["request", "response"]),
        **dict.fromkeys(("stop_reason", "state"), VALUES),
    },
)
FUNCTIONS = st.fixed_dictionaries({}, optional={"id": VALUES, "function": VALUES, "type": VALUES})
TRANSCRIPTS = st.one_of(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["assistant", "user", "system"]), "message": SPOKEN | VALUES},
        optional={
            **{name: st.sampled_from(["a", "b", "c", "d"]) | VALUES for name in ("uuid", "parentUuid", "timestamp")},
            **dict.fromkeys(("isSidechain", "requestId", "subtype", "parent_tool_use_id"), VALUES),
            "logicalParentUuid": st.sampled_from(["a", "b"]),
            "sessionId": st.just("s"),
        },
    ),
    SPOKEN,
    st.fixed_dictionaries(
        {"type": st.sampled_from(KINDS)},
        optional={name: st.sampled_from(["a", "b", "{", "[]", "incomplete"]) | VALUES for name in MEMBERS[-24:]},
    ),
    st.fixed_dictionaries(
        {"role": st.sampled_from(["assistant", "tool"]), "type": st.sampled_from(["ai", "tool"])},
        optional={
            **dict.fromkeys(("data", "status"), VALUES),
            "tool_calls": st.lists(FUNCTIONS, max_size=3) | VALUES,
            **{name: st.sampled_from(["a", "b"]) | VALUES for name in ("tool_call_id", "name", "content")},
        },
    ),
)


@given(st.lists(LINES | TRANSCRIPTS, max_size=8))
def test_no_check_throws_whatever_a_log_holds(lines: list[dict[str, Any]]) -> None:
    """For lines that make little sense, each law still comes to a verdict."""
    results = judged(json.loads(json.dumps(lines)))
    assert [each.errors for each in results.values() if each.errors] == []


@pytest.mark.parametrize("known", KNOWN)
@settings(max_examples=40)
@given(lines=st.lists(TRANSCRIPTS, max_size=8))
def test_no_check_throws_whatever_a_transcript_holds(known: dict[str, Any], lines: list[dict[str, Any]]) -> None:
    """The same for logs whose first line identifies the form of a transcript."""
    results = judged([known, *json.loads(json.dumps(lines))])
    assert [each.errors for each in results.values() if each.errors] == []
