"""Transcripts of other programs: what they may hold without a finding, what is found, and what they cannot show."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from callproof.judge.judgement import RunOutcome
from callproof.judge.verdicts import Verdict
from callproof.protocols.agent_loop import PROTOCOL
from callproof.protocols.entries import entries_in
from callproof.protocols.judging import audit_log
from callproof.protocols.known import UnknownProtocol, protocol_of
from protocols.loops import Line, Lines, broken, judged, log_of
from protocols.transcripts import (
    ASKS,
    SPEAKS,
    ai,
    answer,
    asking,
    assistant,
    back,
    block,
    calls,
    codex,
    done,
    envelope_in,
    function,
    given,
    item,
    model,
    noted,
    output,
    part,
    parts,
    prose,
    requests,
    responds,
    response,
    returned,
    said,
    seen,
    spans,
    spoken,
    telling,
    told,
    tool,
    use,
    wants,
)

BASES = Path(__file__).parents[2] / "spec" / "protocols" / "examples"
TRANSCRIPTS = ("transcribed", "messaged", "itemised", "chatted", "chained")
TRANSCRIPTS += ("conversed", "stepped", "parted", "spanned", "typed")
SERVED = [
    {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "swifts"}},
    {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
]
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
TOOLS = [{"name": "read", "input_schema": {"type": "object", "required": ["path"]}}]
NEVER = "[Request interrupted by user for tool use]"
HALF = '{"path": "no'
FAILED: Line = {"status": "error", "tool": "read", "error": "no"}
TOLD = envelope_in("error", error="no")
PENDING: Line = {"status": "pending", "tool": "read", "message": "wait"}
# What a capture writes beside the messages.
NOTE: Line = {"kind": "meta", "tools": [{"name": "read", "input_schema": {}}]}
ENTERED: Line = {"kind": "probe", "probe": "tool_entered", "toolCallId": "a", "toolName": "read"}


def base(name: str) -> Lines:
    """The lines of a base log of the chapter."""
    return [json.loads(line) for line in (BASES / name / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def session(*lines: Line) -> Lines:
    """A session that begins with the user's question, under the uuid 0, and ends with a reply without calls."""
    leaf = next(each["uuid"] for each in reversed(lines) if "uuid" in each)
    return [spoken("0", None, ASKS), *lines, said("z", leaf, "last", prose())]


# A reply with two calls, one line each; their results are in separate lines.
USES = [said("1", "0", "m1", use("a")), said("2", "1", "m1", use("b"))]
SUMMARY = spoken("10", "9", ASKS, isCompactSummary=True)
WRITTEN = spoken("3", "2", assistant(prose("No response requested."), id="m", model="<synthetic>"))

# The stream that Claude Code prints, with a sub-agent at work in it.
INIT: Line = {"type": "system", "subtype": "init", "session_id": "s", "uuid": "0", "tools": ["Read"]}
PRINTED: Lines = [
    {"type": each["role"], "session_id": "s", "uuid": str(at), "parent_tool_use_id": parent, "message": each}
    for at, (parent, each) in enumerate(
        [
            (None, assistant(use("a", "Task"), id="m1")),
            ("a", assistant(use("b"), id="m2")),
            ("a", given(answer("b"))),
            ("a", assistant(prose(), id="m3")),
            (None, given(answer("a"))),
            (None, assistant(prose(), id="m4")),
            (None, assistant(prose(), id="m5")),
        ],
        1,
    )
]

# What a session of Claude Code may hold.
SESSIONS: dict[str, Lines] = {
    "results hang one on the other": session(*USES, told("3", "2", answer("a")), told("4", "3", answer("b"))),
    "both results stand in one line": session(*USES, told("3", "2", answer("b"), answer("a"))),
    "a result stands between the lines of its reply, on the way": session(
        USES[0], told("r", "1", answer("a")), said("2", "r", "m1", use("b")), told("3", "2", answer("b"))
    ),
    "a result hangs beside the way": session(
        USES[0], told("r", "1", answer("a")), USES[1], told("3", "2", answer("b"))
    ),
    "a result that hangs beside the way was written after the next reply": [
        *session(*USES, told("3", "2", answer("b"))),
        told("r", "1", answer("a")),
    ],
    "the second call of a reply hangs beside the way, with its result": session(
        *USES, told("4", "2", answer("b")), told("3", "1", answer("a"))
    ),
    "what a program notes stands in between": session(
        USES[0],
        noted("n", "1", "progress"),
        said("2", "n", "m1", use("b")),
        *(told("3", "2", answer("a")), noted("5", "3", "attachment"), told("4", "5", answer("b"))),
    ),
    "a call that was interrupted": session(
        USES[0], told("2", "1", answer("a", NEVER, is_error=True)), told("3", "2", prose(NEVER))
    ),
    "a call that was cut off with its session, which was resumed before it": session(
        said("1", "0", "m1", prose()), said("2", "1", "m1", use("a")), spoken("3", "1", ASKS)
    ),
    "a message that Claude Code wrote itself": [
        *(spoken("0", None, ASKS), *USES, WRITTEN),
        *(told("4", "3", answer("a")), told("5", "4", answer("b")), said("6", "5", "m2", prose())),
    ],
    "lines that are there again": [
        *session(*USES, told("3", "2", answer("a"), answer("b"))),
        *session(*USES, told("3", "2", answer("a"), answer("b"))),
        *(spoken("y", "z", ASKS), said("x", "y", "m9", prose())),
    ],
    "a block and its result are there again under other uuids": session(
        *(said("1", "0", "m1", use("a")), told("2", "1", answer("a", "ok"), timestamp="t")),
        *(said("3", "2", "m1", use("a")), told("4", "3", answer("a", "ok"), timestamp="t")),
    ),
    "a conversation is replayed beside the way": session(
        *(said("1", "0", "m1", use("a")), told("2", "1", answer("a", "ok"), timestamp="t")),
        *(said("3", "0", "m1", use("a")), told("4", "3", answer("a", "ok"), timestamp="t")),
    ),
    "the user went back, and left a call open": session(
        *(said("1", "0", "m1", use("a")), said("2", "0", "m2", use("b")), told("3", "2", answer("b")))
    ),
    "the user began anew, and left a call open": session(
        said("1", "0", "m1", use("a")), spoken("2", None, ASKS), said("3", "2", "m2", prose())
    ),
    "a result is of a call on a branch that was left": session(
        *(said("1", "0", "m1", use("a")), told("2", "1", answer("a"))),
        *(said("3", "0", "m2", prose()), told("4", "3", answer("a"))),
    ),
    "a compaction, and a call before it is answered behind it": session(
        *(USES[0], noted("9", None, subtype="compact_boundary", logicalParentUuid="1"), SUMMARY),
        *(said("11", "10", "m2", prose()), told("12", "11", answer("a"))),
    ),
    "a compaction, and a call before it that nobody answered": session(
        USES[0], noted("9", None, subtype="compact_boundary", logicalParentUuid="1"), SUMMARY
    ),
    "a compaction that names what came before it and nothing else": session(
        USES[0], noted("9", None, logicalParentUuid="1"), SUMMARY
    ),
    "a compaction that hangs on what came before it": session(
        USES[0], noted("9", "1", subtype="compact_boundary"), SUMMARY
    ),
    "a file begins behind a note, in the middle of a reply": [
        *(noted("1", "0"), said("2", "1", "m1", use("b")), told("3", "2", answer("a"), answer("b"))),
        said("4", "3", "m2", prose()),
    ],
    "sub-agents stand between the lines, one in the middle of another": session(
        said("1", "0", "m1", use("a", "Task"), use("b", "Task")),
        *(spoken("s0", None, ASKS, isSidechain=True), said("s1", "s0", "ms", use("c"), isSidechain=True)),
        *(spoken("t0", None, ASKS, isSidechain=True), said("t1", "t0", "mt", use("d"), isSidechain=True)),
        *(told("s2", "s1", answer("c"), isSidechain=True), told("t2", "t1", answer("d"), isSidechain=True)),
        *(told("2", "1", answer("a")), told("3", "2", answer("b"))),
    ),
    "a file begins in the middle": session(told("1", "elsewhere", answer("a")), said("2", "1", "m2", prose())),
    "a file begins in the middle of a reply": session(
        USES[1], told("3", "2", answer("a")), told("4", "3", answer("b"))
    )[1:],
    "there is a hole in the file": session(USES[0], told("3", "hole", answer("other"))),
    "an image, no content, an empty one, and null for absent": session(
        said("1", "0", "m1", use("a"), use("b"), use("c"), use("d")),
        told("2", "1", answer("a", [IMAGE]), answer("b"), answer("c", ""), answer("d", [], is_error=None)),
    ),
    "a tool that is carried out elsewhere": session(said("1", "0", "m1", *SERVED)),
    "a reply that its provider refused": session(
        spoken("1", "0", assistant(use("a"), id="m1", stop_reason="refusal")), spoken("2", "1", ASKS)
    ),
    "an id comes again in a later reply": session(
        *(said("1", "0", "m1", use("a")), told("2", "1", answer("a"))),
        *(said("3", "2", "m2", use("a")), told("4", "3", answer("a"))),
    ),
    "a failure in an envelope that says so": session(
        said("1", "0", "m1", use("a")), told("2", "1", answer("a", envelope_in("error", error="no"), is_error=True))
    ),
    "a text that looks like the envelope of another tool": session(
        said("1", "0", "m1", use("a")), told("2", "1", answer("a", envelope_in("error", "curl", error="404")))
    ),
    "a stream that Claude Code prints": [INIT, *PRINTED],
    "a stream with what was said before, again": [INIT, *PRINTED[:6], *PRINTED[:6], PRINTED[6]],
    "a stream with a compaction": [
        *(PRINTED[0], {"type": "system", "subtype": "compact_boundary", "session_id": "s"}, PRINTED[6]),
    ],
}
# What messages of Anthropic's interface may hold.
MESSAGES: dict[str, Lines] = {
    "results in one message, in whatever order": [assistant(use("a"), use("b")), given(answer("b"), answer("a"))],
    "results in several messages": [assistant(use("a"), use("b")), given(answer("a")), given(answer("b"), prose())],
    "a reply in several messages": [
        *(ASKS, assistant(prose()), assistant(use("a")), assistant(use("b")), given(answer("a"), answer("b"))),
        {"role": "assistant", "content": "so be it"},
    ],
    "a reply that was cut, and goes on": [
        *(assistant(use("a"), id="1", stop_reason="max_tokens"), assistant(prose(), id="2")),
        *(given(answer("a")), assistant(prose(), id="3")),
    ],
    "a reply that was logged twice, a block the first time": [
        *(assistant(use("a"), id="1"), assistant(use("b"), id="1"), given(answer("a"), answer("b"))),
        assistant(prose(), id="2"),
    ],
    "tools that are carried out elsewhere": [
        *(assistant(*SERVED, use("a")), given(answer("a")), assistant(*SERVED[1:], prose()), given(prose())),
        {"role": "assistant", "content": "so be it"},
    ],
    "no content, a text, and blocks of all kinds": [
        assistant(use("a"), use("b"), use("c")),
        given(answer("a"), answer("b", ""), answer("c", [IMAGE, prose(), {"type": "document", "source": {}}])),
        assistant(prose()),
    ],
    "what is required is there": [{"kind": "meta", "tools": TOOLS}, assistant(use("a", path="")), given(answer("a"))],
    "what is not there is refused": [
        *({"kind": "meta", "tools": TOOLS}, assistant(use("a")), given(answer("a", "path required", is_error=True))),
    ],
    "a list begins in the middle of a reply": [
        assistant(use("b")),
        given(answer("a"), answer("b")),
        assistant(prose()),
    ],
    "a list begins in the middle": [given(answer("a")), assistant(use("b")), given(answer("b")), assistant(prose())],
}
# What items of Responses may hold.
ITEMS: dict[str, Lines] = {
    "outputs in whatever order": [ASKS, item("a"), item("b"), output("b"), output("a"), SPEAKS],
    "one call after the other": [item("a"), output("a"), item("b"), output("b"), SPEAKS],
    "a call amid what a model makes": [{"type": "reasoning"}, SPEAKS, item("a"), SPEAKS, output("a"), SPEAKS],
    "an empty text stands for no arguments": [item("a", ""), output("a"), SPEAKS],
    "arguments nested deeper than anything is read": [item("a", '{"a":' + "[" * 5000), output("a"), SPEAKS],
    "tools of the interface": [
        {"type": "web_search_call", "id": "w", "status": "completed"},
        {"type": "computer_call", "call_id": "c", "action": {"type": "screenshot"}},
        {"type": "computer_call_output", "call_id": "c", "output": {"type": "computer_screenshot"}},
        {"type": "local_shell_call", "call_id": "l", "action": {"type": "exec", "command": ["ls"]}},
        *(output("l"), item("a"), output("a"), SPEAKS),
    ],
    "a text in a language of its own": [
        {"type": "custom_tool_call", "call_id": "a", "name": "apply_patch", "input": "*** Begin Patch"},
        {"type": "custom_tool_call_output", "call_id": "a", "output": [{"type": "input_text", "text": "ok"}]},
        SPEAKS,
    ],
    "a call that runs beside the model": [
        *(item("a"), output("a"), item("b", **{"async": True}), output("b", "begun"), SPEAKS, output("b"), SPEAKS),
    ],
    "a response that was cut in the middle of a call": [item("a", HALF, status="incomplete"), ASKS, SPEAKS],
    "a call before a compaction that nobody answered": [item("a"), {"type": "compaction"}, ASKS, SPEAKS],
    "an output of a call before a compaction": [item("a"), {"type": "compaction"}, SPEAKS, output("a"), SPEAKS],
    "a list begins in the middle": [output("a"), item("b"), output("b"), SPEAKS],
    "a list begins in the middle of a reply": [item("b"), output("b"), output("a"), SPEAKS],
    "an output that looks like an envelope": [item("a"), output("a", envelope_in("error", error="no")), SPEAKS],
    "a pair of the same id, twice": [item("a"), output("a"), item("a"), output("a"), SPEAKS],
}
# What messages of Chat Completions may hold.
CHATS: dict[str, Lines] = {
    "results in whatever order": [ASKS, calls(("a", "{}"), ("b", "{}")), tool("b"), tool("a"), calls()],
    "no arguments, and arguments as an object": [
        {**calls(), "tool_calls": [{"id": "a", "function": {"name": "read", "arguments": {"path": "a"}}}]},
        *(tool("a"), calls(("b", "")), tool("b")),
    ],
    "a result that names its tool, and one that does not": [
        *(calls(("a", "{}"), ("b", "{}")), tool("a", name="read"), tool("b")),
    ],
    "an empty content, and parts": [calls(("a", "{}"), ("b", "{}")), tool("a", ""), tool("b", [prose()]), calls()],
    "a call of another kind": [
        {**calls(("a", "{}")), "tool_calls": [*calls(("a", "{}"))["tool_calls"], {"id": "b", "type": "custom"}]},
        *(tool("a"), tool("b"), calls()),
    ],
    "no calls at all in a reply": [
        *(calls(("a", "{}")), tool("a"), {"role": "assistant", "content": "so be it", "tool_calls": None}),
    ],
    "a list begins in the middle": [tool("a"), calls(("b", "{}")), tool("b"), calls()],
}
CHUNK = "AIMessageChunk"
# What messages of LangChain may hold.
CHAINS: dict[str, Lines] = {
    "results in whatever order": [{"type": "human", "content": "a"}, ai("a", "b"), done("b"), done("a"), ai()],
    "names where there are some, and content of all kinds": [
        *(ai("a", "b", "c"), done("a", ["ok", prose()], name="read"), done("b", ""), done("c", [], None), ai()),
    ],
    "calls that nobody can read, and one without an id": [
        *(ai("a", invalid_tool_calls=[{"name": "read", "args": "{", "id": "b", "error": "no"}]), done("a")),
        {**ai(), "tool_calls": [{"name": "read", "args": {}, "id": None}]},
        ai(),
    ],
    "the answer to a call that nobody can read": [
        *(ai("a", invalid_tool_calls=[{"name": "read", "args": "{", "id": "b", "error": "no"}]), done("b"), done("a")),
        *(ai("b"), done("b"), ai()),
    ],
    "a failure": [ai("a"), done("a", envelope_in("error", error="no"), "error"), ai()],
    "a list begins in the middle": [done("a"), ai("b"), done("b"), ai()],
    "replies and results that were put together from streams": [
        *(ai("a", type=CHUNK, id="1"), done("a", type="ToolMessageChunk"), ai("b", type=CHUNK, id="2"), done("b")),
        *(ai(type=CHUNK, id="3"), ai()),
    ],
    "the pieces of a stream": [
        *(ai("a", type=CHUNK), {**ai(type=CHUNK), "tool_call_chunks": [{"id": "b", "index": 1}]}, ai(type=CHUNK)),
        *(done("b"), done("a"), ai()),
    ],
    "the pieces of a stream, and what they became": [
        *(ai("a", type=CHUNK, id="1"), ai(type=CHUNK, id="1"), ai("a", id="1"), done("a"), ai(id="2")),
    ],
    "one piece of a stream, and what it became": [
        *(ai("a", type=CHUNK, id="1"), ai("a", id="1"), done("a"), ai("b", type=CHUNK), ai("b"), done("b"), ai()),
    ],
}
SERVED: Line = {"toolUse": {"toolUseId": "s", "name": "web", "type": "server_tool_use"}}
# What messages of Converse may hold.
CONVERSES: dict[str, Lines] = {
    "results in whatever order, in one message or in several": [
        *(ASKS, asking("a", "b", "c"), telling(block("c", "ok")), telling(block("b", {"a": 1}), block("a")), asking()),
    ],
    "a reply in pieces": [ASKS, asking("a"), asking("b"), telling(block("a", "ok"), block("b", "ok")), asking()],
    "a tool that the provider carries out": [
        {"role": "assistant", "content": [SERVED]},
        *(asking("a"), telling(block("a", "ok")), asking()),
    ],
    "a tool that the provider carries out, and an answer to it beside those of the host": [
        *(ASKS, {"role": "assistant", "content": [SERVED, *asking("a")["content"]]}),
        *(telling(block("s", "ok"), block("a", "ok")), asking()),
    ],
    "a failure": [asking("a"), telling(block("a", {**FAILED}, status="error")), asking()],
    "a result without a status, and what other blocks there are": [
        *(ASKS, {"role": "assistant", "content": [{"reasoningContent": {}}, *asking("a")["content"]]}),
        {"role": "user", "content": [*telling(block("a", "ok", status=None))["content"], {"cachePoint": {}}]},
    ],
    "a list begins in the middle": [telling(block("a", "ok")), asking("b"), telling(block("b", "ok")), asking()],
    "a list begins in the middle of a reply": [asking("b"), telling(block("a", "ok"), block("b", "ok")), asking()],
    "a list begins in the middle of a reply, behind notes of a capture": [
        *(NOTE, ENTERED, asking("b"), telling(block("a", "ok"), block("b", "ok")), asking()),
    ],
    "a member of that name that holds something else": [
        *(ASKS, {"role": "assistant", "content": [{"toolUse": 3}, *asking("a")["content"]]}),
        *({"role": "user", "content": [{"toolResult": "a"}, *telling(block("a"))["content"]]}, asking()),
    ],
    "notes of a capture between the pieces of a reply": [
        *(ASKS, asking("a"), NOTE, asking("b"), ENTERED, asking("c")),
        *(telling(block("a"), block("b"), block("c")), asking()),
    ],
}
# What messages of the AI SDK may hold.
STEPS: dict[str, Lines] = {
    "results in whatever order, in one message or in several": [
        *(ASKS, wants("a", "b", "c"), parts(part("c"), part("a", {"a": 1}, "json")), parts(part("b")), wants()),
    ],
    "a tool that the provider carries out": [
        {"role": "assistant", "content": [*wants("s", providerExecuted=True)["content"], part("s", [], "json")]},
        *(wants("a"), parts(part("a")), wants()),
    ],
    "a tool that the provider carries out, and an answer to it beside those of the host": [
        {"role": "assistant", "content": [*wants("s", providerExecuted=True)["content"], *wants("a")["content"]]},
        *(parts(part("s"), part("a")), wants()),
    ],
    "calls that wait for an approval, of which one is denied": [
        {"role": "assistant", "content": [*wants("a", "b")["content"], {"type": "tool-approval-request"}]},
        parts({"type": "tool-approval-response", "approvalId": "1", "approved": True}),
        *(parts(part("a"), part("b", kind="execution-denied")), wants()),
    ],
    "a part like a result in a message of another role": [
        *(ASKS, wants("a"), {"role": "user", "content": [part("a")]}, parts(part("a")), wants()),
    ],
    "a value that looks like content of several parts": [
        *(wants("a"), parts(part("a", [prose(TOLD)], "json")), wants()),
    ],
    "content of several parts": [wants("a"), parts(part("a", [prose(), {"type": "media"}], "content")), wants()],
    "failures": [
        *(wants("a", "b", "c"), parts(part("a", {**FAILED}, "error-json"), part("b", TOLD, "error-text"))),
        *(parts(part("c", envelope_in("blocked", reason="no"), "execution-denied")), wants()),
    ],
    "a reply that is a text": [wants("a"), parts(part("a")), {"role": "assistant", "content": "so be it"}],
    "a list begins in the middle": [parts(part("a")), wants("b"), parts(part("b")), wants()],
}
# What contents of Gemini's interface may hold.
CONTENTS: dict[str, Lines] = {
    "ids, and results in whatever order": [
        model(function("a"), function("b")),
        *(back(response("b")), back(response("a")), model()),
    ],
    "no ids, and tools side by side": [
        model(function(), function(tool="run"), function()),
        *(back(response(tool="run"), response(), response()), model(function()), back(response()), model()),
    ],
    "some with an id, and some without": [
        *(model(function("a"), function()), back(response(), response("a")), model()),
    ],
    "a call that goes on answering": [
        *(model(function("a"), function("b")), back(response("a", willContinue=True), response("b")), model()),
        *(back(response("a", willContinue=True)), back(response("a", willContinue=False)), model()),
    ],
    "a call without an id that goes on answering": [
        *(model(function()), back(response(will_continue=True), response(will_continue=True)), model()),
    ],
    "in the spelling of Python, where null is as good as absent": [
        {"role": "model", "parts": [{"function_call": {"id": None, "name": "read", "args": None}, "text": None}]},
        {"role": "user", "parts": [{"function_response": {**response(), "id": None}, "function_call": None}]},
        model(),
    ],
    "a reply in pieces": [model(function()), model(), model(function()), back(response(), response()), model()],
    "a reply in pieces that is not the first": [
        *(model(function()), back(response()), model(function()), model(), model(function())),
        *(back(response(), response()), model()),
    ],
    "what a provider carries out itself": [
        {"role": "model", "parts": [{"executableCode": {}}, {"codeExecutionResult": {}}, {"functionCall": function()}]},
        *(back(response()), model()),
    ],
    "a failure, and a response that says nothing of it": [
        model(function(), function(), function()),
        back({"name": "read", "response": {"error": {**FAILED}}}, {"name": "read", "response": {**FAILED}}, response()),
        model(),
    ],
    "events of a kit": [
        {"author": "user", "content": {"role": "user", "parts": [{"text": "go on"}]}},
        {"author": "agent", "content": model(function("a"))},
        {"author": "agent", "content": None, "actions": {}},
        *({"author": "agent", "content": each} for each in (back(response("a")), model())),
    ],
    "events of a kit that say nothing between the pieces of a reply": [
        {"author": "agent", "content": model(function("a"))},
        {"author": "agent", "content": {"role": "model"}},
        {"author": "agent", "content": model(function("b"))},
        {"author": "agent", "content": None, "actions": {}},
        *(
            {"author": "agent", "content": each}
            for each in (model(function("c")), back(*map(response, "abc")), model())
        ),
    ],
    "results of another role": [model(function()), {**back(response()), "role": "function"}, model()],
    "results of no role": [ASKS, model(function()), {"parts": back(response())["parts"]}, model()],
    "a list begins in the middle": [back(response()), model(function()), back(response()), model()],
    "a list begins in the middle of a reply": [model(function()), back(response(), response()), model()],
}
# What messages of OpenTelemetry may hold.
SPANS: dict[str, Lines] = {
    "results in whatever order, in one message or in several": [
        *(ASKS, spans("a", "b", "c", arguments={}), seen("c"), seen("b", "a", said={"a": 1}), spans()),
    ],
    "arguments as a text, and responses of the first draft": [
        *(ASKS, spans("a", arguments="{}"), {"role": "user", "parts": [{"type": "tool_call_response", "id": "a"}]}),
        *(spans("b", arguments=None), seen("b", result="ok", name="read"), spans()),
    ],
    "calls without ids, and those that a provider carries out": [
        *(ASKS, {"role": "assistant", "parts": [*spans("a")["parts"], {"type": "tool_call", "name": "read"}]}),
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "s", "name": "web", "builtin": True}]},
        {"role": "tool", "parts": [*seen("a")["parts"], {"type": "tool_call_response", "id": None, "response": 1}]},
        spans(),
    ],
    "a call that a provider carries out, and an answer to it beside those of the host": [
        *(ASKS, {"role": "assistant", "parts": [{**spans("s")["parts"][1], "builtin": True}, *spans("a")["parts"]]}),
        *(seen("s", "a"), spans()),
    ],
    "a result in pieces": [ASKS, spans("a", "b"), seen("a", "a", "b"), spans()],
    "other parts that have ids": [
        *(ASKS, {"role": "assistant", "parts": [{"type": "reasoning", "id": "r"}, *spans("a")["parts"]]}),
        *({"role": "tool", "parts": [{"type": "text", "id": "t"}, *seen("a")["parts"]]}, spans()),
    ],
    "half of the arguments, of which nobody knows what came": [ASKS, spans("a", arguments=HALF), seen("a"), spans()],
    "a list begins in the middle": [seen("a"), spans("b"), seen("b"), spans()],
}
# What messages of pydantic-ai may hold.
RESPONSES: dict[str, Lines] = {
    "results in whatever order, in one message or in several": [
        *(responds("a", "b", "c", arguments={}), requests(returned("c"), returned("a", {"a": 1}))),
        *(requests(returned("b")), responds()),
    ],
    "failures, and half of the arguments": [
        *(responds("a", arguments="{}"), requests(returned("a", "no", "retried")), responds("b", arguments=HALF)),
        *(requests(returned("b", [{"type": "json_invalid"}], "retried")), responds("c", arguments=HALF)),
        requests({"part_kind": "retry-prompt", "tool_name": "read", "tool_call_id": "c", "content": "no"}),
        responds(),
    ],
    "an answer that has to be given again": [
        *(responds("a"), requests(returned("a"), {"part_kind": "user-prompt", "content": "go on"}), responds()),
        *(requests({"part_kind": "retry-prompt", "tool_name": None, "tool_call_id": "x", "content": "no"}), responds()),
    ],
    **{
        f"a response that broke off, {state}": [
            *(responds("a"), requests(returned("a")), responds("b", state=state)),
            *(requests({"part_kind": "user-prompt", "content": "go on"}), responds()),
        ]
        for state in ("interrupted", "incomplete")
    },
    "other parts that name a tool": [
        requests(),
        responds("a"),
        requests({"part_kind": "system-prompt", "tool_name": "read", "tool_call_id": "x"}, returned("a")),
        responds(),
    ],
    "tools of the interface": [
        {"kind": "response", "parts": [{"part_kind": "builtin-tool-call", "tool_name": "web", "tool_call_id": "s"}]},
        *(responds("a"), requests(returned("a", outcome=None)), responds()),
    ],
    "a list begins in the middle": [requests(returned("a")), responds("b"), requests(returned("b")), responds()],
}
LAWFUL = {
    **{f"session: {name}": lines for name, lines in SESSIONS.items()},
    **{f"messages: {name}": lines for name, lines in MESSAGES.items()},
    **{f"items: {name}": lines for name, lines in ITEMS.items()},
    **{f"items of Codex: {name}": codex(lines) for name, lines in ITEMS.items()},
    **{f"chat: {name}": lines for name, lines in CHATS.items()},
    **{f"chain: {name}": lines for name, lines in CHAINS.items()},
    **{f"converse: {name}": lines for name, lines in CONVERSES.items()},
    **{f"sdk: {name}": lines for name, lines in STEPS.items()},
    **{f"gemini: {name}": lines for name, lines in CONTENTS.items()},
    **{f"otel: {name}": lines for name, lines in SPANS.items()},
    **{f"pydantic: {name}": lines for name, lines in RESPONSES.items()},
    **{
        f"chain in dictionaries: {name}": [{"type": each["type"], "data": each} for each in lines]
        for name, lines in CHAINS.items()
    },
}


@pytest.mark.parametrize("what", sorted(LAWFUL))
def test_what_a_transcript_may_hold_is_not_found(what: str) -> None:
    """A lawful transcript is recognised and has no findings."""
    assert protocol_of(log_of(LAWFUL[what])) is PROTOCOL
    assert broken(judged(LAWFUL[what])) == {}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_no_part_of_a_transcript_accuses_anybody(name: str) -> None:
    """A transcript may begin in the middle of a conversation, and may stop in the middle."""
    lines = base(name)
    for first in range(len(lines)):
        for last in (*range(first, len(lines), 3), len(lines)):
            assert broken(judged(lines[first:last])) == {}, (first, last)


# What a transcript may not hold: the requirement, the lines that prove the violation, and the transcript.
UNLAWFUL: dict[str, tuple[str, list[int], Lines]] = {
    "session: a call of a reply has no result": ("HOST-01", [3, 5], session(*USES, told("3", "2", answer("a")))),
    "session: a result came after the next reply": (
        "HOST-01",
        [2, 4, 5],
        session(USES[0], spoken("2", "1", ASKS), said("3", "2", "m2", prose()), told("4", "3", answer("a"))),
    ),
    "session: two results, one after the other": (
        "HOST-01",
        [2, 3, 4],
        session(USES[0], told("2", "1", answer("a"), timestamp="1"), told("3", "2", answer("a"), timestamp="2")),
    ),
    "session: two results in one line": ("HOST-01", [2, 3, 3], session(USES[0], told("2", "1", *[answer("a")] * 2))),
    "session: a result of nothing": (
        "HOST-01",
        [4],
        session(USES[0], told("2", "1", answer("a")), told("3", "2", answer("x"))),
    ),
    "session: a sub-agent goes on without a result": (
        "HOST-01",
        [3, 5],
        session(
            *(spoken("s0", None, ASKS, isSidechain=True), said("s1", "s0", "ms", use("c"), isSidechain=True)),
            *(spoken("s2", "s1", ASKS, isSidechain=True), said("s3", "s2", "mt", prose(), isSidechain=True)),
            spoken("1", "0", ASKS),
        ),
    ),
    "session: before a compaction": (
        "HOST-01",
        [2, 4],
        session(
            *(USES[0], spoken("2", "1", ASKS), said("3", "2", "m2", prose())),
            *(noted("9", None, subtype="compact_boundary", logicalParentUuid="3"), SUMMARY),
        ),
    ),
    "session: in a stream, a sub-agent goes on without a result": (
        "HOST-01",
        [3, 4],
        [INIT, *PRINTED[:2], *PRINTED[3:]],
    ),
    "session: in a stream, two results": ("HOST-01", [2, 6, 7], [INIT, *PRINTED[:5], {**PRINTED[4], "uuid": "x"}]),
    "session: a call without a name": (
        "HOST-01",
        [2],
        session(said("1", "0", "m1", {**use("a"), "name": ""}), told("2", "1", answer("a"))),
    ),
    "session: an input that is a list": (
        "HOST-06",
        [3],
        session(USES[0], said("2", "1", "m1", {**use("b"), "input": []}), told("3", "2", answer("a"), answer("b"))),
    ),
    "session: a flag that is a text": (
        "HOST-05",
        [3],
        session(USES[0], told("2", "1", answer("a", "no", is_error="true"))),
    ),
    "session: a failure without its flag": (
        "HOST-05",
        [3],
        session(USES[0], told("2", "1", answer("a", envelope_in("blocked", reason="no")))),
    ),
    "session: one id for two calls": (
        "HOST-11",
        [2, 3],
        session(
            USES[0], said("2", "1", "m1", use("a", path="b")), told("3", "2", answer("a")), told("4", "3", answer("a"))
        ),
    ),
    "session: a pending result is a failure": (
        "HOST-08",
        [3],
        session(USES[0], told("2", "1", answer("a", envelope_in("pending", message="wait"), is_error=True))),
    ),
    "messages: a call without a result": (
        "HOST-01",
        [1, 3],
        [assistant(use("a"), use("b")), given(answer("b")), assistant(prose())],
    ),
    "messages: two replies that were logged whole": (
        "HOST-01",
        [1, 2],
        [assistant(use("a"), id="1", stop_reason="tool_use"), assistant(prose(), id="2")],
    ),
    "messages: a result before its call": (
        "HOST-01",
        [3],
        [ASKS, assistant(prose()), given(answer("a")), assistant(use("a"))],
    ),
    "messages: a content that is an object": (
        "HOST-05",
        [2],
        [assistant(use("a")), given(answer("a", {"type": "text", "text": "a"}))],
    ),
    "messages: carried out without what it needs": (
        "HOST-12",
        [2, 3],
        [{"kind": "meta", "tools": TOOLS}, assistant(use("a", file="b")), given(answer("a", "ok"))],
    ),
    "items: a call without an output": ("HOST-01", [2, 4], [item("a"), item("b"), output("a"), SPEAKS]),
    "items: two outputs": ("HOST-01", [1, 2, 3], [item("a"), output("a"), output("a"), SPEAKS]),
    "items: an output of nothing": ("HOST-01", [4], [ASKS, item("a"), output("a"), output("b"), SPEAKS]),
    "items: a call of a custom tool without an output": (
        "HOST-01",
        [1, 3],
        [{"type": "custom_tool_call", "call_id": "a", "name": "patch", "input": "b"}, ASKS, SPEAKS],
    ),
    "items: a call without an id": ("HOST-01", [3], [item("a"), output("a"), {**item("b"), "call_id": ""}]),
    "items: one id for two calls": ("HOST-11", [1, 2], [item("a"), item("a"), output("a"), output("a"), SPEAKS]),
    "items: no output in an output": ("HOST-05", [2], [item("a"), {"type": "function_call_output", "call_id": "a"}]),
    "items: arguments that are an object": ("HOST-06", [1], [{**item("a"), "arguments": {}}, output("a")]),
    "chat: a call without a result": ("HOST-01", [1, 3], [calls(("a", "{}"), ("b", "{}")), tool("b"), calls()]),
    "chat: two replies in a row": ("HOST-01", [1, 2], [calls(("a", "{}")), calls(("b", "{}")), tool("b")]),
    "chat: a result of nothing": ("HOST-01", [3], [calls(("a", "{}")), tool("a"), tool("b")]),
    "chat: a result of another tool": ("HOST-01", [1, 2], [calls(("a", "{}")), tool("a", name="run")]),
    "chat: a result without content": ("HOST-05", [2], [calls(("a", "{}")), tool("a", None)]),
    "chain: a call without a result": ("HOST-01", [1, 3], [ai("a", "b"), done("b"), ai()]),
    "chain: a result of another tool": ("HOST-01", [1, 2], [ai("a"), done("a", name="run")]),
    "chain: a failure that says success": (
        "HOST-05",
        [2],
        [ai("a"), done("a", envelope_in("error", error="no")), ai()],
    ),
    "chain: a reply from a stream, with a call without a result": (
        *("HOST-01", [1, 3]),
        [ai("a", "b", type=CHUNK, id="1"), done("b"), ai(type=CHUNK, id="2")],
    ),
    "chain: a reply from a stream without an id, with a call without a result": (
        *("HOST-01", [1, 2]),
        [ai("a", type=CHUNK), ai()],
    ),
    "chain: what the pieces of a stream became, with a call without a result": (
        *("HOST-01", [3, 4]),
        [ai("a", type=CHUNK, id="1"), ai(type=CHUNK, id="1"), ai("a", id="1"), ai(id="2")],
    ),
    "chain: two replies from streams, with a call without a result": (
        *("HOST-01", [1, 2]),
        [ai("a", type=CHUNK, id="1"), ai(type=CHUNK, id="2")],
    ),
    "chain: a status of its own": ("HOST-05", [2], [ai("a"), done("a", "ok", "done"), ai()]),
    "chain: arguments that are a text": (
        "HOST-06",
        [1],
        [{**ai(), "tool_calls": [{**ai("a")["tool_calls"][0], "args": "{}"}]}, done("a")],
    ),
    "converse: a call without a result": (
        *("HOST-01", [2, 4]),
        [ASKS, asking("a", "b"), telling(block("b", "ok")), asking()],
    ),
    "converse: two results of one call": (
        *("HOST-01", [2, 3, 3]),
        [ASKS, asking("a"), telling(block("a", "ok"), block("a", "ok")), asking()],
    ),
    "converse: a failure that says success": (
        *("HOST-05", [3]),
        [ASKS, asking("a"), telling(block("a", {**FAILED})), asking()],
    ),
    "converse: a failure in a text that says success": (
        *("HOST-05", [3]),
        [ASKS, asking("a"), telling(block("a", envelope_in("error", error="no"))), asking()],
    ),
    "converse: a status of its own": ("HOST-05", [3], [ASKS, asking("a"), telling(block("a", status="ok")), asking()]),
    "converse: arguments that are a text": (
        *("HOST-06", [2]),
        [
            *(ASKS, {"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "read", "input": "{}"}}]}),
            *(telling(block("a", "ok")), asking()),
        ],
    ),
    "converse: carried out without what it needs": (
        *("HOST-12", [3, 4]),
        [{"kind": "meta", "tools": TOOLS}, ASKS, asking("a"), telling(block("a", "ok"))],
    ),
    "sdk: a call without a result": ("HOST-01", [2, 4], [ASKS, wants("a", "b"), parts(part("b")), wants()]),
    "sdk: a result of another tool": ("HOST-01", [2, 3], [ASKS, wants("a"), parts(part("a", tool="run")), wants()]),
    "sdk: a failure of the kind json": (
        *("HOST-05", [3]),
        [ASKS, wants("a"), parts(part("a", {**FAILED}, "json")), wants()],
    ),
    "sdk: a failure in content of several parts": (
        *("HOST-05", [3]),
        [ASKS, wants("a"), parts(part("a", [prose(envelope_in("error", error="no"))], "content")), wants()],
    ),
    "sdk: arguments that are a text": (
        *("HOST-06", [2]),
        [
            *(ASKS, {"role": "assistant", "content": [{**wants("a")["content"][1], "input": "{}"}]}),
            *(parts(part("a")), wants()),
        ],
    ),
    "sdk: a result without a tool": (
        *("HOST-05", [3]),
        [ASKS, wants("a"), parts({name: each for name, each in part("a").items() if name != "toolName"}), wants()],
    ),
    "sdk: carried out without what it needs": (
        *("HOST-12", [3, 4]),
        [{"kind": "meta", "tools": TOOLS}, ASKS, wants("a"), parts(part("a")), wants()],
    ),
    "sdk: one id for two calls": (
        *("HOST-11", [2, 2]),
        [ASKS, wants("a", "a"), parts(part("a"), part("a")), wants()],
    ),
    "gemini: one result for two calls without ids": (
        *("HOST-01", [2, 4]),
        [ASKS, model(function(), function()), back(response()), model()],
    ),
    "gemini: two results of a call, neither of which announces another": (
        *("HOST-01", [2, 3, 3]),
        [ASKS, model(function("a")), back(response("a", willContinue=False), response("a")), model()],
    ),
    "gemini: a call without a result beside one that goes on answering": (
        *("HOST-01", [2, 4]),
        [ASKS, model(function("a"), function("b")), back(response("a", willContinue=True)), model()],
    ),
    "gemini: a call without an id that is passed over, and one that is not": (
        *("HOST-01", [2, 4]),
        [ASKS, model(function(), function()), back(response()), model(function()), back(response()), model()],
    ),
    "gemini: a call in the spelling of Python without a result": (
        *("HOST-01", [2, 4]),
        [ASKS, {"role": "model", "parts": [{"function_call": function()}]}, ASKS, model()],
    ),
    "gemini: a result of nothing": (
        *("HOST-01", [3]),
        [ASKS, model(function()), back(response(), response()), model()],
    ),
    "gemini: a result that comes a reply too late": (
        *("HOST-01", [2, 4, 5]),
        [ASKS, model(function("a")), ASKS, model(), back(response("a")), model()],
    ),
    "gemini: a result of another tool": (
        *("HOST-01", [2, 3]),
        [ASKS, model(function("a")), back(response("a", tool="run")), model()],
    ),
    "gemini: a failure in an output": (
        *("HOST-05", [3]),
        [ASKS, model(function()), back(response(said={**FAILED})), model()],
    ),
    "gemini: a response that is a list": (
        *("HOST-05", [3]),
        [ASKS, model(function()), back({"name": "read", "response": ["ok"]}), model()],
    ),
    "gemini: arguments that are a list": (
        *("HOST-06", [2]),
        [ASKS, model(function(args=[])), back(response()), model()],
    ),
    "gemini: null for arguments, and carried out without what it needs": (
        *("HOST-12", [3, 4]),
        [{"kind": "meta", "tools": TOOLS}, ASKS, model(function("a", args=None)), back(response("a")), model()],
    ),
    "gemini: a response that is as a whole pending, again": (
        *("HOST-08", [3, 4]),
        [ASKS, model(function("a")), *[back({"id": "a", "name": "read", "response": PENDING})] * 2, model()],
    ),
    "gemini: an error that says pending": (
        *("HOST-08", [3]),
        [ASKS, model(function("a")), back({"id": "a", "name": "read", "response": {"error": PENDING}}), model()],
    ),
    "gemini: a call without a result, in a content with a member of that name": (
        *("HOST-01", [2, 4]),
        [ASKS, {**model(function()), "content": {}}, ASKS, model()],
    ),
    "gemini: a response without a name": (
        *("HOST-05", [3]),
        [ASKS, model(function("a")), back({"id": "a", "response": {"output": ""}}), model()],
    ),
    "otel: a call without a result": ("HOST-01", [2, 4], [ASKS, spans("a", "b"), seen("b"), spans()]),
    "otel: a result of another tool": ("HOST-01", [2, 3], [ASKS, spans("a"), seen("a", name="run"), spans()]),
    "otel: arguments that are a list": ("HOST-06", [2], [ASKS, spans("a", arguments=[]), seen("a"), spans()]),
    "otel: pending again": (
        *("HOST-08", [3, 4]),
        [ASKS, spans("a"), *[seen("a", said=PENDING)] * 2, spans()],
    ),
    "otel: pending again, in responses of the first draft": (
        *("HOST-08", [3, 4]),
        [
            *(ASKS, spans("a")),
            *[{"role": "tool", "parts": [{"type": "tool_call_response", "id": "a", "result": PENDING}]}] * 2,
            spans(),
        ],
    ),
    "otel: two results": ("HOST-01", [2, 3, 4], [ASKS, spans("a"), seen("a"), seen("a"), spans()]),
    "otel: one id for two calls": ("HOST-11", [2, 2], [ASKS, spans("a", "a"), seen("a"), seen("a"), spans()]),
    "otel: one id for two calls, answered in one message": (
        "HOST-11",
        [2, 2],
        [ASKS, spans("a", "a"), seen("a", "a", "a"), spans()],
    ),
    "otel: a reply after one whose calls had one id": (
        "HOST-11",
        [2, 2],
        [ASKS, spans("a", "a"), seen("a", "a"), spans("a"), seen("a", "a"), spans()],
    ),
    "pydantic: a call without a result": (
        *("HOST-01", [2, 4]),
        [requests(), responds("a", "b"), requests(returned("b")), responds()],
    ),
    "pydantic: a result of another tool": (
        *("HOST-01", [2, 3]),
        [requests(), responds("a"), requests(returned("a", tool_name="run")), responds()],
    ),
    "pydantic: a failure that says success": (
        *("HOST-05", [3]),
        [requests(), responds("a"), requests(returned("a", {**FAILED})), responds()],
    ),
    "pydantic: carried out without what it needs": (
        *("HOST-12", [3, 4]),
        [{"kind": "meta", "tools": TOOLS}, requests(), responds("a"), requests(returned("a")), responds()],
    ),
    "pydantic: a result without a tool": (
        *("HOST-05", [3]),
        [
            *(requests(), responds("a")),
            *(requests({name: each for name, each in returned("a").items() if name != "tool_name"}), responds()),
        ],
    ),
    "pydantic: half of the arguments and a success": (
        *("HOST-06", [2, 3]),
        [requests(), responds("a", arguments=HALF), requests(returned("a")), responds()],
    ),
    "pydantic: an outcome that is not a text": (
        *("HOST-05", [3]),
        [requests(), responds("a"), requests({**returned("a"), "outcome": 1}), responds()],
    ),
    "chat: one id for two calls": (
        "HOST-11",
        [1, 1],
        [calls(("a", "{}"), ("a", "{}")), tool("a"), tool("a"), calls()],
    ),
}


@pytest.mark.parametrize("what", sorted(UNLAWFUL))
def test_what_a_transcript_may_not_hold_is_found_at_its_lines(what: str) -> None:
    """One law is broken, once, and the finding names the lines that prove it."""
    requirement, lines, transcript = UNLAWFUL[what]
    results = judged(transcript)
    assert set(broken(results)) == {requirement}
    (found,) = results[requirement].findings
    assert [each.source.line for each in found.finding.witness] == lines


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("chat: a call without a result", ["tool_calls of a message of the role assistant", "reply of the model"]),
        ("sdk: a call without a result", ["part tool-call", "reply of the model"]),
        ("gemini: a result of another tool", ["functionCall", "functionResponse"]),
        ("converse: two results of one call", ["toolUse", "toolResult", "toolResult"]),
    ],
)
def test_a_witness_is_called_what_it_is_in_its_form(what: str, says: list[str]) -> None:
    """Readers of a finding search the transcript for the words of its own form, not for events of a loop."""
    requirement, _, transcript = UNLAWFUL[what]
    (found,) = judged(transcript)[requirement].findings
    assert [each.says for each in found.finding.witness] == says


@pytest.mark.parametrize(
    "lines",
    [
        [assistant(prose(), use("a"), use("a")), given(answer("a"), answer("a"))],
        [{"role": "assistant", "content": [{"text": "so be it"}, *asking("a", "a")["content"]]}],
        [wants("a", "a")],
        [model(function("a"), function("a"))],
        [spans("a", "a")],
        [responds("a", "a")],
    ],
    ids=["messages", "converse", "sdk", "gemini", "otel", "pydantic"],
)
def test_a_finding_counts_all_blocks_of_a_reply(lines: Lines) -> None:
    """The numbers count all logged blocks from 0, so a text before the calls counts too."""
    assert broken(judged(lines))["HOST-11"] == ['blocks 1 and 2 of a reply are calls with one id, "a"']


def test_a_call_without_an_id_is_told_by_its_tool_and_its_number() -> None:
    """The name alone does not say which of several calls of one tool is meant."""
    lines = [ASKS, model(function(), function(tool="run")), back(response(), response(tool="run"))]
    results = judged([*lines, model(function(), function()), back(response()), model()])
    assert broken(results) == {"HOST-01": ['call "read #3" of "read" had no result when the model was called again']}


def test_what_has_neither_an_id_nor_a_name_is_not_named_for_it() -> None:
    """No name is made up: no result belongs to such a call, and such a result belongs to no call."""
    call = judged([ASKS, model({"args": {}}), ASKS, model(function("a")), back(response("a")), model()])
    assert "call null of null had no result when the model was called again" in broken(call)["HOST-01"]
    result = judged([ASKS, model(function("a")), back(response("a")), back({"response": {"output": 1}}), model()])
    assert broken(result)["HOST-01"] == ["a result names the call (not a text), which no reply before it has"]


ANTHROPIC = {"HOST-01", "HOST-05", "HOST-06", "HOST-11"}
OPENAI = {"HOST-01", "HOST-06", "HOST-11"}


@pytest.mark.parametrize(
    ("lines", "decided"),
    [
        (session(*USES, told("3", "2", answer("a"), answer("b"))), ANTHROPIC),
        ([assistant(use("a")), given(answer("a", "ok"))], ANTHROPIC),
        (
            [{"kind": "meta", "tools": TOOLS}, assistant(use("a", path="b")), given(answer("a"))],
            ANTHROPIC | {"HOST-12"},
        ),
        ([item("a"), output("a"), SPEAKS], OPENAI),
        ([calls(("a", "{}")), tool("a")], OPENAI),
        ([ai("a", "b"), done("a"), done("b"), ai()], ANTHROPIC),
        ([asking("a"), telling(block("a", "ok")), asking()], ANTHROPIC),
        ([asking("a"), telling(block("a", "ok", status=None)), asking()], OPENAI),
        ([wants("a"), parts(part("a")), wants()], ANTHROPIC),
        ([model(function()), back(response()), model()], ANTHROPIC),
        ([spans("a", arguments={}), seen("a"), spans()], OPENAI),
        ([spans("a", arguments=HALF), seen("a"), spans()], OPENAI - {"HOST-06"}),
        ([responds("a"), requests(returned("a")), responds()], ANTHROPIC),
        ([responds("a"), requests(returned("a", outcome=None)), responds()], OPENAI),
        ([responds("a", arguments=HALF), requests(returned("a", outcome="retried")), responds()], ANTHROPIC),
        (
            [
                responds("a", arguments=HALF),
                requests({"part_kind": "retry-prompt", "tool_name": "read", "tool_call_id": "a", "content": "no"}),
                responds(),
            ],
            ANTHROPIC,
        ),
        ([model(function()), back({"name": "read", "response": {"lines": 3}}), model()], OPENAI),
        # One result does not say whether its call failed.
        ([ai("a", "b"), done("a"), done("b", "ok", None), ai()], OPENAI),
        # The log does not say whether a call failed, so it does not say whether the call was carried out.
        ([{"kind": "meta", "tools": [{"name": "read", "parameters": {}}]}, item("a"), output("a")], OPENAI),
        # One call has half of its arguments, and the log does not say what came of it.
        ([item("a", HALF), item("b"), output("a"), output("b"), SPEAKS], OPENAI - {"HOST-06"}),
        ([calls(("a", HALF), ("b", "[]")), tool("a"), tool("b"), calls()], OPENAI - {"HOST-06"}),
    ],
)
def test_a_transcript_decides_what_it_shows(lines: Lines, decided: set[str]) -> None:
    """Only what a form can show counts as kept; every other law stays open and says which evidence is missing."""
    results = judged(lines)
    assert {name for name, each in results.items() if each.verdict is Verdict.PASS} == decided
    open_of = {name: each for name, each in results.items() if name not in decided}
    assert {each.verdict for each in open_of.values()} == {Verdict.INCONCLUSIVE}
    assert all(each.missing for each in open_of.values())


@pytest.mark.parametrize(
    ("lines", "lacks"),
    [
        ([item("a"), output("a"), SPEAKS], {"HOST-05": "failures", "HOST-12": "failures", "HOST-10": "details"}),
        ([calls(("a", HALF)), tool("a"), calls()], {"HOST-06": "failures", "HOST-02": "executions"}),
        ([assistant(use("a")), given(answer("a"))], {"HOST-12": "tools", "HOST-10": "details", "HOST-03": "probes"}),
    ],
)
def test_what_was_lacking_is_named(lines: Lines, lacks: dict[str, str]) -> None:
    """An undecided law names the evidence that the form of the log does not have."""
    results = judged(lines)
    assert {name: lack in results[name].missing for name, lack in lacks.items()} == dict.fromkeys(lacks, True)


def test_a_fault_is_found_though_nothing_could_be_called_kept() -> None:
    """In a form without failures, half of the arguments of one call do not excuse the fault of another call."""
    lines = [item("a", HALF), {**item("b"), "arguments": 3}, output("a"), output("b"), SPEAKS]
    assert set(broken(judged(lines))) == {"HOST-06"}


@pytest.mark.parametrize(
    ("lines", "outcome"),
    [
        *((base(name), RunOutcome.CONSISTENT) for name in TRANSCRIPTS),
        ([spoken("0", None, ASKS), *USES, told("3", "2", answer("a"))], RunOutcome.INCOMPLETE),
        ([assistant(use("a"))], RunOutcome.INCOMPLETE),
        ([assistant(use("a")), ASKS], RunOutcome.INCOMPLETE),
        ([item("a")], RunOutcome.INCOMPLETE),
        ([calls(("a", "{}"))], RunOutcome.INCOMPLETE),
        ([asking("a")], RunOutcome.INCOMPLETE),
        ([wants("a"), ASKS], RunOutcome.INCOMPLETE),
        ([spans("a")], RunOutcome.INCOMPLETE),
        ([responds("a"), requests()], RunOutcome.INCOMPLETE),
        ([model(function(), function()), back(response())], RunOutcome.INCOMPLETE),
        (SESSIONS["the user began anew, and left a call open"], RunOutcome.CONSISTENT),
        (SESSIONS["there is a hole in the file"], RunOutcome.INCOMPLETE),
        (ITEMS["a response that was cut in the middle of a call"], RunOutcome.CONSISTENT),
        (codex([item("a"), ASKS]), RunOutcome.INCOMPLETE),
        # A sub-agent may still be at work; nothing from before a compaction is.
        (session(said("1", None, "ms", use("c"), isSidechain=True)), RunOutcome.INCOMPLETE),
        (SESSIONS["a compaction, and a call before it that nobody answered"], RunOutcome.CONSISTENT),
        ([INIT, *PRINTED], RunOutcome.CONSISTENT),
        ([INIT, *PRINTED[:2]], RunOutcome.INCOMPLETE),
        ([{"type": "user", "uuid": "1", "message": given(prose())}], RunOutcome.CONSISTENT),
    ],
)
def test_a_transcript_that_ends_with_an_open_call_is_incomplete(lines: Lines, outcome: RunOutcome) -> None:
    """A call that is still running has not failed, and a call on a branch that was left is not waited for."""
    found = audit_log(PROTOCOL, log_of(lines)).run
    assert found.outcome is outcome


def test_a_transcript_names_the_calls_that_are_open() -> None:
    """The note lists the first open calls after the form; a call on a branch that was left does not count."""
    (note,) = audit_log(PROTOCOL, log_of([asking(*"abcdefg"), telling(block("b"))])).run.notes
    first = "; ".join(f'call "{each}" of "read"' for each in "acdef")
    assert note.endswith(f", details; no result yet for {first}; 1 more")
    (left,) = audit_log(PROTOCOL, log_of(SESSIONS["the user began anew, and left a call open"])).run.notes
    assert "no result yet" not in left


def test_a_turn_that_was_aborted_owes_nothing() -> None:
    """Codex records that the user stopped the model, but not what it then told the model about open calls."""
    aborted: Line = {"type": "event_msg", "payload": {"type": "turn_aborted", "reason": "interrupted"}}
    other: Line = {"type": "event_msg", "payload": {"type": "token_count"}}
    assert broken(judged([*codex([item("a")]), aborted, *codex([ASKS, SPEAKS])])) == {}
    assert set(broken(judged([*codex([item("a")]), other, *codex([ASKS, SPEAKS])]))) == {"HOST-01"}


def test_a_report_says_which_form_a_log_has_and_what_that_lacks() -> None:
    """The notes of a log name its form; a log in the loop's own form needs no note."""
    logs = [log_of(base(name)) for name in (*TRANSCRIPTS, "looped", "branched")]
    notes = [" ".join(audit_log(PROTOCOL, log).run.notes) for log in logs]
    assert "a session of Claude Code, without executions, probes, streams, driver, names, details" in notes[0]
    assert "Anthropic" in notes[1]
    assert "Responses, without executions, probes, streams, driver, names, failures, details" in notes[2]
    assert "Chat Completions, without executions, probes, streams, tools, driver, failures, details" in notes[3]
    assert "LangChain, without executions, probes, streams, driver, details" in notes[4]
    assert "Converse, without executions, probes, streams, driver, names, details" in notes[5]
    assert "the AI SDK, without executions, probes, streams, driver, details" in notes[6]
    assert "contents of Gemini's interface, without executions, probes, streams, driver, details" in notes[7]
    assert "OpenTelemetry, without executions, probes, streams, driver, names, failures, details" in notes[8]
    assert "pydantic-ai, without executions, probes, streams, driver, details" in notes[9]
    assert notes[10:] == ["", ""]


@pytest.mark.parametrize(
    "lines",
    [
        [ASKS],
        [ASKS, {"role": "assistant", "content": "so be it"}],
        [{"type": "user", "uuid": "1"}],
        [{"type": "assistant", "message": assistant(use("a"))}],
        [{"type": "note", "uuid": "1", "message": assistant(use("a"))}],
        [{"role": "assistant", "tool_calls": [{"function": {"name": "read", "arguments": {}}}]}],
        [{"type": "function_call", "name": "read"}],
        [{"type": "ai", "content": "so be it"}, {"type": "tool", "content": "ok"}],
        [{"role": "user", "content": [use("a")]}],
        [{**asking("a"), "role": "user"}, {**telling(block("a")), "role": "assistant"}],
        [{"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "result": "ok"}]}],
        [{**wants("a"), "role": "tool"}, {**parts(part("a")), "role": "assistant"}],
        [{**model(function()), "role": "user"}, {**back(response()), "role": "model"}],
        [{"role": "model", "parts": [{"functionCall": {"id": "a"}}]}],
        [{**spans("a"), "role": "tool"}, {**seen("a"), "role": "assistant"}, {"role": "assistant", "parts": "a"}],
        [{**responds("a"), "kind": "request"}, {**requests(returned("a")), "kind": "response"}],
        [{**responds("a"), "kind": "note"}, {**requests(returned("a")), "kind": "note"}],
        [{"role": "assistant", "content": [{"toolUse": {"name": "read"}}]}],
        [{"role": "assistant", "content": [{"type": "other", "toolCallId": "a", "input": {}}]}],
        [{"role": "assistant", "parts": [{"type": "tool_call", "name": "read"}]}],
        [{"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "read"}]}],
    ],
)
def test_what_no_form_has_alone_is_no_transcript(lines: Lines) -> None:
    """A log without a line that only one form has is not taken for a transcript, and not called consistent."""
    with pytest.raises(UnknownProtocol, match="messages of an agent loop"):
        protocol_of(log_of(lines))


@pytest.mark.parametrize(
    "line",
    [
        *(given(answer("a")), output("a"), tool("a"), done("a"), telling(block("a"))),
        *(parts(part("a")), back(response()), seen("a"), requests(returned("a"))),
    ],
)
def test_a_result_alone_says_which_form_a_log_has(line: Line) -> None:
    """A log that begins after the last reply with calls is still a log of an agent loop."""
    assert protocol_of(log_of([line])) is PROTOCOL
    assert audit_log(PROTOCOL, log_of([line])).run.notes


def test_a_conversation_may_have_no_messages() -> None:
    """A line without messages in a file of conversations decides nothing, and the other lines are judged."""
    whole: Line = {"messages": [ASKS, asking("a"), telling(block("a", "ok")), asking()]}
    assert broken(judged([whole, {"messages": []}])) == {}
    assert judged([whole, {"messages": []}])["HOST-01"].verdict is Verdict.PASS


@pytest.mark.parametrize("what", sorted(UNLAWFUL))
def test_findings_in_transcripts_hold_neither_inputs_nor_contents(what: str) -> None:
    """A finding names calls and tools, but nothing that they contain."""
    secret = "hunter2"
    lines: Any = json.dumps(UNLAWFUL[what][2]).replace('"ok"', f'"{secret}"').replace("so be it", secret)
    for found in judged(json.loads(lines.replace('"path": "', f'"path": "{secret}'))).values():
        assert found.verdict is not Verdict.ERROR
        assert secret not in repr(found.findings)


TURNS = 5_000


def turns(reply: str, **more: Any) -> Lines:
    """A session of 20,000 lines: each reply has two calls, and the result of the first is beside the path."""
    lines: Lines = []
    last = None
    for n in map(str, range(TURNS)):
        lines += [
            said(f"a{n}", last, f"{reply}{n}", use(f"a{n}"), **more),
            said(f"b{n}", f"a{n}", f"{reply}{n}", use(f"b{n}"), **more),
            *(told(f"c{n}", f"a{n}", answer(f"a{n}"), **more), told(f"d{n}", f"b{n}", answer(f"b{n}"), **more)),
        ]
        last = f"d{n}"
    return lines


def alone(lines: Lines) -> Lines:
    """The same lines, with every turn separate."""
    return [{**each, "parentUuid": None} if each["uuid"].startswith("a") else each for each in lines]


LONG: Mapping[str, Callable[[], Lines]] = {
    "a session": lambda: turns("m"),
    "sub-agents": lambda: alone(turns("m", isSidechain=True)),
    "one id for all replies": lambda: [
        {**each, "message": {**each["message"], "id": "always"}} for each in alone(turns("m"))
    ],
    "backwards": lambda: turns("m")[::-1],
    "messages": lambda: [each for n in range(TURNS * 2) for each in (assistant(use(f"a{n}")), given(answer(f"a{n}")))],
    "items": lambda: [*(item(f"a{n}") for n in range(TURNS * 2)), *(output(f"a{n}") for n in range(TURNS * 2))],
    "compactions": lambda: [
        each for n in range(TURNS) for each in (item(f"a{n}", HALF), output(f"a{n}"), {"type": "compaction"})
    ],
    "chat": lambda: [calls(*((f"a{n}", "{}") for n in range(TURNS * 3))), *(tool(f"a{n}") for n in range(TURNS * 3))],
}


@pytest.mark.many
@pytest.mark.parametrize("name", LONG)
def test_a_long_transcript_costs_as_much_as_it_is(name: str) -> None:
    """Each line is looked at a few times; comparing each with all others would take minutes."""
    lines = LONG[name]()
    assert len(lines) >= 15_000
    assert broken(judged(lines)) == {}


@pytest.mark.parametrize(
    ("name", "asked", "answered"),
    [
        ("messages", calls(("a", "{}")), tool("a")),
        ("messages", assistant(use("a")), given(answer("a"))),
        ("contents", model(function("a")), back(response("a"))),
        ("input", item("a"), output("a")),
    ],
    ids=["chat", "messages", "gemini", "responses"],
)
def test_each_line_may_be_a_conversation_of_its_own(name: str, asked: Line, answered: Line) -> None:
    """The next line may use the same ids again, and the findings of a line name its place."""
    end = {"role": asked.get("role", "assistant"), "content": "done"}
    whole: Line = {name: [ASKS, asked, answered, end]}
    log = log_of([whole, whole])
    assert protocol_of(log) is PROTOCOL
    assert broken(judged([whole, whole])) == {}
    results = judged([whole, {name: [ASKS, asked, {"role": "user", "content": "go on"}, end]}])
    assert set(broken(results)) == {"HOST-01"}
    (finding,) = results["HOST-01"].findings
    assert {each.source.line for each in finding.finding.witness} == {2}


def test_a_message_that_has_messages_is_no_conversation() -> None:
    """A line with a role is a message, no matter what else it has."""
    lines = [{**calls(("a", "{}")), "messages": []}, tool("a")]
    assert protocol_of(log_of(lines)) is PROTOCOL
    assert broken(judged([*lines, {"role": "assistant", "content": "done"}])) == {}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"a \ud83d b", "a \ufffd b"),
        (r"\udc26", "\ufffd"),
        (r"\uD83D\uDC26", "\U0001f426"),
        (r"\ud83d\ud83d\udc26", "\ufffd\U0001f426"),
        (r"\\ud83d", r"\ud83d"),
    ],
)
def test_half_of_a_character_is_read_as_one_that_stands_for_it(written: str, read: str) -> None:
    """A writer that counts in UTF-16 cuts characters in two; the line still counts.  An escaped sign is no escape."""
    raw = f'{{"role": "tool", "tool_call_id": "a", "content": "{written}"}}\n'.encode()
    log = entries_in(io.BytesIO(raw), "log.jsonl", "log.jsonl")
    assert log.flaws == ()
    assert log.entries[0].value["content"] == read


def test_notes_of_a_capture_alone_are_no_log_and_those_of_a_driver_are_one() -> None:
    """A capture with only notes is refused as such; a driver's note without any event means a driven, silent loop."""
    note: Line = {"kind": "meta", "tools": TOOLS}
    with pytest.raises(UnknownProtocol, match="only notes of a capture"):
        protocol_of(log_of([note]))
    driven: Line = {**note, "driven": True, "mode": "parallel", "hooks": []}
    gave_up: Line = {"kind": "probe", "probe": "gave_up"}
    assert protocol_of(log_of([driven, gave_up])) is PROTOCOL
    assert set(broken(judged([driven, gave_up]))) == {"HOST-22"}
