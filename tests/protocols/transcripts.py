"""Transcripts made by hand, line by line, in each form that other programs write."""

from __future__ import annotations

import json
from typing import Any

from protocols.loops import Line, Lines

MISSING: Any = object()


def use(name: str, tool: str = "read", **arguments: Any) -> Line:
    """A call, as Anthropic's interface has it."""
    return {"type": "tool_use", "id": name, "name": tool, "input": arguments}


def answer(name: str, content: Any = MISSING, **more: Any) -> Line:
    """A result, as Anthropic's interface has it."""
    told = {} if content is MISSING else {"content": content}
    return {"type": "tool_result", "tool_use_id": name, **told, **more}


def prose(said: str = "so be it") -> Line:
    """A block of text."""
    return {"type": "text", "text": said}


def assistant(*blocks: Line, **more: Any) -> Line:
    """A message of the assistant, as Anthropic's interface has it."""
    return {"role": "assistant", "content": list(blocks), **more}


def given(*blocks: Line) -> Line:
    """A message of the user, as Anthropic's interface has it."""
    return {"role": "user", "content": list(blocks)}


def spoken(uuid: str, parent: str | None, message: Line, **more: Any) -> Line:
    """A line of a session of Claude Code with a message."""
    line = {"type": message["role"], "uuid": uuid, "parentUuid": parent, "sessionId": "s", "isSidechain": False}
    return {**line, "message": message, **more}


def said(uuid: str, parent: str | None, reply: str, *blocks: Line, **more: Any) -> Line:
    """A line of a session with some blocks of a reply."""
    return spoken(uuid, parent, assistant(*blocks, id=reply, stop_reason=None), **more)


def told(uuid: str, parent: str | None, *blocks: Line, **more: Any) -> Line:
    """A line of a session with results for the model."""
    return spoken(uuid, parent, given(*blocks), **more)


def noted(uuid: str, parent: str | None, kind: str = "system", **more: Any) -> Line:
    """A line of a session that a program noted down."""
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "isSidechain": False, **more}


def item(name: str, arguments: str = "{}", tool: str = "read", **more: Any) -> Line:
    """A call, as Responses has it."""
    return {"type": "function_call", "call_id": name, "name": tool, "arguments": arguments, **more}


def output(name: str, said: Any = "ok", **more: Any) -> Line:
    """A result, as Responses has it."""
    return {"type": "function_call_output", "call_id": name, "output": said, **more}


SPEAKS: Line = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "so be it"}]}
ASKS: Line = {"role": "user", "content": "go on"}


def codex(lines: Lines) -> Lines:
    """Items, as Codex wraps them."""
    meta: Line = {"timestamp": "t", "type": "session_meta", "payload": {"id": "s"}}
    return [meta, *({"timestamp": "t", "type": "response_item", "payload": each} for each in lines)]


def calls(*named: tuple[str, str], **more: Any) -> Line:
    """A message of the assistant with calls, ids and arguments, as Chat Completions has it."""
    made = [{"id": name, "type": "function", "function": {"name": "read", "arguments": a}} for name, a in named]
    return {"role": "assistant", "content": None, "tool_calls": made, **more}


def tool(call: str, said: Any = "ok", **more: Any) -> Line:
    """A result, as Chat Completions has it."""
    return {"role": "tool", "tool_call_id": call, "content": said, **more}


def ai(*named: str, **more: Any) -> Line:
    """A message of the model with calls, by their ids, as LangChain has it."""
    made = [{"name": "read", "args": {}, "id": name, "type": "tool_call"} for name in named]
    return {"type": "ai", "content": "so be it", "tool_calls": made, "invalid_tool_calls": [], **more}


def done(call: str, said: Any = "ok", status: str | None = "success", **more: Any) -> Line:
    """A result, as LangChain has it."""
    flag = {} if status is None else {"status": status}
    return {"type": "tool", "tool_call_id": call, "content": said, **flag, **more}


def asking(*named: str) -> Line:
    """A message of the assistant with calls, by their ids, as Converse has it."""
    return {"role": "assistant", "content": [{"toolUse": {"toolUseId": n, "name": "read", "input": {}}} for n in named]}


def telling(*results: Line) -> Line:
    """A message of the user with results, as Converse has it."""
    return {"role": "user", "content": [{"toolResult": each} for each in results]}


def block(call: str, *said: Any, status: str | None = "success") -> Line:
    """A result, as Converse has it."""
    told = [{"text": each} if isinstance(each, str) else {"json": each} for each in said]
    return {"toolUseId": call, "content": told, **({} if status is None else {"status": status})}


def wants(*named: str, **more: Any) -> Line:
    """A message of the assistant with calls, by their ids, as the AI SDK has it."""
    made = [{"type": "tool-call", "toolCallId": name, "toolName": "read", "input": {}, **more} for name in named]
    return {"role": "assistant", "content": [prose(), *made]}


def parts(*results: Line) -> Line:
    """A message of the role tool, as the AI SDK has it."""
    return {"role": "tool", "content": list(results)}


def part(call: str, value: Any = "ok", kind: str = "text", tool: str = "read") -> Line:
    """A result, as the AI SDK has it."""
    output = {"type": kind, "value": value}
    return {"type": "tool-result", "toolCallId": call, "toolName": tool, "output": output}


def model(*calls: Line) -> Line:
    """A content of the model, as Gemini's interface has it."""
    return {"role": "model", "parts": [{"text": "so be it"}, *({"functionCall": each} for each in calls)]}


def function(call: str | None = None, tool: str = "read", **more: Any) -> Line:
    """A call, as Gemini's interface has it, with or without an id."""
    return {**({} if call is None else {"id": call}), "name": tool, "args": {}, **more}


def back(*responses: Line) -> Line:
    """A content of the user with results, as Gemini's interface has it."""
    return {"role": "user", "parts": [{"functionResponse": each} for each in responses]}


def response(call: str | None = None, said: Any = "ok", tool: str = "read", **more: Any) -> Line:
    """A result, as Gemini's interface has it, with or without an id."""
    return {**({} if call is None else {"id": call}), "name": tool, "response": {"output": said}, **more}


def spans(*named: str, arguments: Any = MISSING) -> Line:
    """A message of the assistant with calls, by their ids, as OpenTelemetry has it."""
    given = {} if arguments is MISSING else {"arguments": arguments}
    made = [{"type": "tool_call", "id": name, "name": "read", **given} for name in named]
    return {"role": "assistant", "parts": [{"type": "text", "content": "so be it"}, *made]}


def seen(*named: str, said: Any = "ok", **more: Any) -> Line:
    """A message with results, by the ids of their calls, as OpenTelemetry has it."""
    made = [{"type": "tool_call_response", "id": name, "response": said, **more} for name in named]
    return {"role": "tool", "parts": made}


def responds(*named: str, arguments: Any = None, **more: Any) -> Line:
    """A message of the model with calls, by their ids, as pydantic-ai has it."""
    made = [{"part_kind": "tool-call", "tool_name": "read", "args": arguments, "tool_call_id": n} for n in named]
    return {"kind": "response", "parts": [{"part_kind": "text", "content": "so be it"}, *made], **more}


def requests(*results: Line) -> Line:
    """A message with results, as pydantic-ai has it."""
    return {"kind": "request", "parts": list(results)}


def returned(call: str, said: Any = "ok", outcome: str | None = "success", **more: Any) -> Line:
    """A result, as pydantic-ai has it."""
    told = {"part_kind": "tool-return", "tool_name": "read", "content": said, "tool_call_id": call}
    return {**told, **({} if outcome is None else {"outcome": outcome}), **more}


def envelope_in(status: str, tool: str = "read", **members: Any) -> str:
    """An envelope, as the text of a result."""
    return json.dumps({"status": status, "tool": tool, **members})
