#!/usr/bin/env python3
"""The adapter around LangChain's agent: its model, tools and middleware ask the suite, and it reports its messages."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from contextvars import ContextVar, copy_context
from importlib.metadata import version
from itertools import count
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ToolErrorMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import BaseTool
from langgraph.config import get_stream_writer

HELLO = {
    "protocol": "agent-loop",
    "protocolVersion": "1.0",
    "implementation": {"name": "langchain", "version": version("langchain"), "language": "python"},
    # LangChain has no steering.  It ends a run by cancelling its task, which leaves no result of any call.
    "claims": {
        "features": ["parallel", "sequential", "beforeHook", "afterHook", "persistHook", "streaming", "progress"]
    },
}
# One step of a graph is a reply or its calls; no case has a tenth as many steps.
STEPS = 400
METHOD_UNKNOWN = -32601
# The id of the call that the current tool is entered for.
CALL: ContextVar[str] = ContextVar("CALL")


class Threw(Exception):
    """The suite answered a request with an error: the tool threw, or the hook failed."""


class Suite:
    """The suite at the other side of the wire: lines of JSON-RPC in both directions."""

    def __init__(self, writing: Any) -> None:
        self._writing, self._ids = writing, count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        # The listeners to the progress of tools.  They stay after a tool returns: the agent must ignore late progress.
        self.listening: dict[str, Callable[[Any], None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def _send(self, message: dict[str, Any]) -> None:
        self._writing.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._writing.flush()

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to a request.  Raises Threw if the answer is an error."""
        identity = next(self._ids)
        answered = self._waiting[identity] = asyncio.get_running_loop().create_future()
        self._send({"id": identity, "method": method, "params": params})
        answer = await answered
        if "error" in answer:
            raise Threw(answer["error"]["message"])
        return answer["result"]

    def tell(self, kind: str, **members: Any) -> None:
        """Send an event of the loop."""
        self._send({"method": "event", "params": {"event": {"type": kind, **members}}})

    def take(self, message: dict[str, Any]) -> None:
        """Handle one message of the suite."""
        method, identity = message.get("method"), message.get("id")
        params = message.get("params") or {}
        if method is None:
            self._waiting.pop(identity).set_result(message)
        elif method == "tool/update":
            self.listening[params["toolCallId"]](params["partialResult"])
        elif method == "initialize":
            self._send({"id": identity, "result": HELLO})
        elif method in {"loop/start", "shutdown"}:
            self._send({"id": identity, "result": {}})
            if method == "loop/start":
                self._begin(params)
        elif identity is not None:
            error = {"code": METHOD_UNKNOWN, "message": f"the method {method} is not known"}
            self._send({"id": identity, "error": error})

    def _begin(self, case: dict[str, Any]) -> None:
        self.listening = {}
        task = asyncio.create_task(self._run(case))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, case: dict[str, Any]) -> None:
        """Run a new agent for a case."""
        self.tell("agent_start")
        try:
            await run(self, case)
        except Exception:  # noqa: BLE001  whatever ends a run of the agent: it is over, and the next case begins
            traceback.print_exc()
        self.tell("agent_end")
        self._send({"method": "loop/finished", "params": {}})


async def run(suite: Suite, case: dict[str, Any]) -> None:
    """Run an agent over a case, and report each message when it is in the agent's state."""
    # The first middleware is the outermost.
    middleware = [
        Telling(suite, case["hooks"]),
        Asking(suite, case["hooks"]),
        ToolErrorMiddleware(lambda error, request: envelope("error", request.tool_call["name"], error=str(error))),
    ]
    tools = [SuiteTool(suite=suite, **_declared(each)) for each in case["tools"]]
    agent = create_agent(SuiteModel(suite=suite), tools, middleware=middleware)
    config: dict[str, Any] = {"recursion_limit": STEPS}
    if case["mode"] == "sequential":
        config["max_concurrency"] = 1
    # If the case wants the replies in pieces, the model streams.
    modes = ["values", "custom", *(["messages"] if case["streamed"] else [])]
    told = 0
    async for mode, seen in agent.astream(
        {"messages": [HumanMessage(case["prompt"])]}, config=config, stream_mode=modes
    ):
        if mode == "values":
            for each in seen["messages"][told:]:
                suite.tell("message_end", message=as_told(each))
            told = len(seen["messages"])
        elif mode == "custom":
            suite.tell("tool_execution_update", **seen)
        elif isinstance(seen[0], AIMessageChunk):
            for each in seen[0].tool_call_chunks:
                suite.tell("message_update", assistantMessageEvent=as_piece(each))


def _declared(tool: dict[str, Any]) -> dict[str, Any]:
    # The schema is passed unchanged, as LangChain gets the schemas of tools from MCP servers.
    return {"name": tool["name"], "description": tool["description"], "args_schema": tool["parameters"]}


class SuiteModel(BaseChatModel):
    """A chat model whose replies are those of the suite."""

    suite: Any

    @property
    def _llm_type(self) -> str:
        return "callproof"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Any:
        """Return the model unchanged: the suite knows the tools already."""
        return self

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        answer = await self._asked(messages)
        content = answer["message"]["content"]
        calls = [
            {"name": each["name"], "args": each["arguments"], "id": each["id"]}
            for each in content
            if each["type"] == "toolCall"
        ]
        message = AIMessage(
            "".join(each["text"] for each in content if each["type"] == "text"),
            tool_calls=calls,
            response_metadata={"finish_reason": answer["message"]["stopReason"]},
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _astream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        answer = await self._asked(messages)
        for piece in answer.get("pieces", ()):
            at = {"index": piece["contentIndex"], "type": "tool_call_chunk"}
            if piece["type"] == "text":
                chunk = AIMessageChunk(piece["text"])
            elif piece["type"] == "toolcall_start":
                called = {**at, "id": piece["id"], "name": piece["name"], "args": ""}
                chunk = AIMessageChunk("", tool_call_chunks=[called])
            elif piece["type"] == "toolcall_delta":
                more = {**at, "id": None, "name": None, "args": piece["delta"]}
                chunk = AIMessageChunk("", tool_call_chunks=[more])
            else:
                continue
            yield ChatGenerationChunk(message=chunk)
        ended = AIMessageChunk("", response_metadata={"finish_reason": answer["stopReason"]}, chunk_position="last")
        yield ChatGenerationChunk(message=ended)

    async def _asked(self, messages: list[BaseMessage]) -> Any:
        return await self.suite.ask("model/call", {"messages": [as_told(each) for each in messages]})


class SuiteTool(BaseTool):
    """A tool of the suite."""

    suite: Any
    response_format: str = "content_and_artifact"

    def _run(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError

    async def _arun(self, **params: Any) -> Any:
        call, write = CALL.get(), get_stream_writer()
        about = {"toolCallId": call, "toolName": self.name}
        # Progress arrives from the wire, outside the tool, so the listener runs in a copy of the tool's context.
        within = copy_context()
        self.suite.listening[call] = lambda partial: within.run(write, {**about, "partialResult": partial})
        returned = await self.suite.ask("tool/call", {**about, "params": params})
        return returned["content"], returned.get("details")


class Telling(AgentMiddleware):
    """The outermost middleware: reports when a call begins and how it ends."""

    def __init__(self, suite: Suite, hooks: list[str]) -> None:
        super().__init__()
        self._suite, self._persists = suite, "persist" in hooks

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Report one call, and return the result to keep."""
        call = request.tool_call
        about = {"toolCallId": call["id"], "toolName": call["name"]}
        CALL.set(call["id"])
        self._suite.tell("tool_execution_start", **about, args=call["args"])
        message = await handler(request)
        kept = await self._rewritten(message) if self._persists else message
        told = as_told(message)
        result = {name: told[name] for name in ("content", "details") if name in told}
        self._suite.tell("tool_execution_end", **about, result=result, isError=told["isError"])
        return kept

    async def _rewritten(self, message: ToolMessage) -> ToolMessage:
        try:
            kept = (await self._suite.ask("hook/persist", {"message": as_told(message)})).get("message")
        except Threw:
            return message
        if kept is None:
            return message
        return message.model_copy(update={"content": kept["content"], "artifact": kept.get("details")})


class Asking(AgentMiddleware):
    """Asks the hooks around a tool."""

    def __init__(self, suite: Suite, hooks: list[str]) -> None:
        super().__init__()
        self._suite, self._hooks = suite, hooks

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Carry out one call unless a hook forbids it; a hook that fails forbids it too."""
        if request.tool is None:
            return await handler(request)
        call = request.tool_call
        about = {"toolCallId": call["id"], "toolName": call["name"]}
        if "before" in self._hooks:
            try:
                said = await self._suite.ask("hook/before", {**about, "params": call["args"]})
            except Threw as error:
                return refused(call, envelope("error", call["name"], error=f"a hook failed: {error}"))
            if said.get("block"):
                reason = said.get("reason", "a hook forbids it")
                return refused(call, envelope("blocked", call["name"], reason=reason))
            if "params" in said:
                request = request.override(tool_call={**call, "args": {**call["args"], **said["params"]}})
        message = await handler(request)
        if "after" in self._hooks:
            told = as_told(message)
            result = {name: told[name] for name in ("content", "details") if name in told}
            with suppress(Threw):  # this hook changes nothing, even by failing
                await self._suite.ask("hook/after", {**about, "result": result, "isError": told["isError"]})
        return message


def refused(call: dict[str, Any], why: str) -> ToolMessage:
    """The result of a call whose tool was not entered."""
    return ToolMessage(why, tool_call_id=call["id"], name=call["name"], status="error")


def envelope(status: str, tool: str, **why: str) -> str:
    """The text for the model about a call that did not succeed; an operator's middleware may write any text."""
    return json.dumps({"status": status, **why, "tool": tool})


def as_told(message: BaseMessage) -> dict[str, Any]:
    """A message in the form of the protocol."""
    if isinstance(message, AIMessage):
        calls = [
            {"type": "toolCall", "id": each["id"], "name": each["name"], "arguments": _object(each["args"])}
            for each in (*message.tool_calls, *message.invalid_tool_calls)
        ]
        stop = message.response_metadata.get("finish_reason", "stop")
        return {"role": "assistant", "content": [*_blocks(message.content), *calls], "stopReason": stop}
    if isinstance(message, ToolMessage):
        told = {
            "role": "toolResult",
            "toolCallId": message.tool_call_id,
            "toolName": message.name,
            "content": _blocks(message.content),
            "isError": message.status == "error",
            # LangChain does not record times.
            "timestamp": int(time.time() * 1000),
        }
        return told if message.artifact is None else {**told, "details": message.artifact}
    return {"role": "user", "content": _blocks(message.content)}


def as_piece(chunk: Any) -> dict[str, Any]:
    """A piece of a call in the form of the protocol."""
    if chunk["id"] is not None:
        return {"type": "toolcall_start", "contentIndex": chunk["index"], "id": chunk["id"], "name": chunk["name"]}
    return {"type": "toolcall_delta", "contentIndex": chunk["index"], "delta": chunk["args"]}


def _object(args: Any) -> dict[str, Any]:
    # The arguments of an invalid call are a text; the protocol takes only an object.
    return args if isinstance(args, dict) else {}


def _blocks(content: Any) -> list[Any]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [{"type": "text", "text": each} if isinstance(each, str) else each for each in content]


async def main() -> None:
    """Handle the lines of the suite until there are no more."""
    suite = Suite(sys.stdout.buffer)
    reading = asyncio.get_running_loop()
    while line := await reading.run_in_executor(None, sys.stdin.buffer.readline):
        message = json.loads(line)
        suite.take(message)
        if message.get("method") == "shutdown":
            return


if __name__ == "__main__":
    asyncio.run(main())
