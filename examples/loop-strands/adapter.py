#!/usr/bin/env python3
"""The adapter around the agent of Strands Agents: its model, tools and hooks ask the suite; it reports its messages."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from importlib.metadata import version
from itertools import count
from typing import Any

from jsonschema import Draft202012Validator
from strands import Agent
from strands.agent.conversation_manager import NullConversationManager
from strands.hooks import (
    AfterModelCallEvent,
    AfterToolCallEvent,
    AfterToolsEvent,
    BeforeToolCallEvent,
    MessageAddedEvent,
)
from strands.models import Model
from strands.tools.executors import ConcurrentToolExecutor, SequentialToolExecutor
from strands.types.tools import AgentTool, ToolSpec

HELLO = {
    "protocol": "agent-loop",
    "protocolVersion": "1.0",
    "implementation": {"name": "strands-agents", "version": version("strands-agents"), "language": "python"},
    "claims": {
        "features": [
            "parallel",
            "sequential",
            "beforeHook",
            "afterHook",
            "persistHook",
            "streaming",
            "progress",
            "abort",
        ]
    },
}
METHOD_UNKNOWN = -32601
STOPS = {"toolUse": "tool_use", "length": "max_tokens", "stop": "end_turn"}
# The seconds between a tool's checks whether it must stop.
LOOKS = 0.005


class Threw(Exception):
    """The suite answered a request with an error: the tool threw, or the hook or the model failed."""


class Suite:
    """The suite at the other side of the wire: lines of JSON-RPC in both directions."""

    def __init__(self, writing: Any) -> None:
        self._writing, self._ids = writing, count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._run: Run | None = None

    def send(self, message: dict[str, Any]) -> None:
        """Write one message to the suite."""
        self._writing.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._writing.flush()

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The answer to a request.  Raises Threw if the answer is an error."""
        identity = next(self._ids)
        answered = self._waiting[identity] = asyncio.get_running_loop().create_future()
        self.send({"id": identity, "method": method, "params": params})
        answer = await answered
        if "error" in answer:
            raise Threw(answer["error"]["message"])
        return answer["result"]

    def tell(self, kind: str, **members: Any) -> None:
        """Send an event of the loop."""
        self.send({"method": "event", "params": {"event": {"type": kind, **members}}})

    def take(self, message: dict[str, Any]) -> None:
        """Handle one message of the suite."""
        identity: Any
        method, identity = message.get("method"), message.get("id")
        params = message.get("params") or {}
        if method is None:
            self._waiting.pop(identity).set_result(message)
        elif method == "tool/update" and self._run is not None:
            self._run.listening[params["toolCallId"]].put_nowait(params["partialResult"])
        elif method == "initialize":
            self.send({"id": identity, "result": HELLO})
        elif method in {"loop/start", "loop/abort", "shutdown"}:
            self.send({"id": identity, "result": {}})
            if method == "loop/start":
                self._begin(params)
            elif method == "loop/abort" and self._run is not None:
                self._run.abort()
        elif identity is not None:
            error = {"code": METHOD_UNKNOWN, "message": f"the method {method} is not known"}
            self.send({"id": identity, "error": error})

    def _begin(self, case: dict[str, Any]) -> None:
        self._run = Run(self, case)
        task = asyncio.create_task(self._carry_out(self._run))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _carry_out(self, run: Run) -> None:
        self.tell("agent_start")
        try:
            await run.go()
        except Exception:  # noqa: BLE001  whatever ends a run: it is over, and the next case begins
            traceback.print_exc()
        self.tell("agent_end")
        self.send({"method": "loop/finished", "params": {}})


class Run:
    """One run of an agent."""

    def __init__(self, suite: Suite, case: dict[str, Any]) -> None:
        self.suite, self.case = suite, case
        self.listening: defaultdict[str, asyncio.Queue[Any]] = defaultdict(asyncio.Queue)
        self.stopped = "stop"
        self.asked: dict[str, Any] = {}
        self._begun: Counter[str] = Counter()
        tools: list[Any] = [SuiteTool(self, each) for each in case["tools"]]
        one_by_one = case["mode"] == "sequential"
        self._agent = Agent(
            model=SuiteModel(self),
            tools=tools,
            callback_handler=None,
            conversation_manager=NullConversationManager(),
            retry_strategy=None,
            tool_executor=SequentialToolExecutor() if one_by_one else ConcurrentToolExecutor(),
        )
        self._agent.add_hook(self._before, BeforeToolCallEvent)
        self._agent.add_hook(self._after, AfterToolCallEvent)
        self._agent.add_hook(self._skipped, AfterToolsEvent)
        self._agent.add_hook(self._replied, AfterModelCallEvent)
        self._agent.add_hook(self._added, MessageAddedEvent)

    async def go(self) -> None:
        """Run the agent over the case."""
        async for event in self._agent.stream_async(self.case["prompt"]):
            if "tool_stream_event" in event:
                told = event["tool_stream_event"]
                if "partial" in told["data"]:  # the last yield of a tool is its result
                    call = about(told["tool_use"])
                    self.suite.tell("tool_execution_update", **call, partialResult=told["data"]["partial"])
            elif self.case["streamed"] and (piece := as_piece(event.get("event", {}))) is not None:
                self.suite.tell("message_update", assistantMessageEvent=piece)

    def abort(self) -> None:
        """The user aborts the run."""
        self._agent.cancel()

    @property
    def is_aborted(self) -> bool:
        """Whether what is running must stop."""
        return self._agent.cancel_signal.is_set()

    async def _before(self, event: BeforeToolCallEvent) -> None:
        use = event.tool_use
        self._begun[use["toolUseId"]] += 1
        self.suite.tell("tool_execution_start", **about(use), args=use["input"])
        if "before" not in self.case["hooks"] or event.selected_tool is None:
            return
        try:
            said = await self.suite.ask("hook/before", {**about(use), "params": use["input"]})
        except Threw as error:
            event.cancel_tool = envelope("error", use["name"], error=f"a hook failed: {error}")
            return
        if said.get("block"):
            event.cancel_tool = envelope("blocked", use["name"], reason=said.get("reason", "a hook forbids it"))
        elif "params" in said:
            event.tool_use = {**use, "input": {**use["input"], **said["params"]}}

    async def _after(self, event: AfterToolCallEvent) -> None:
        use = event.tool_use
        told = as_result(event.result, use["name"])
        if "after" in self.case["hooks"] and event.selected_tool is not None:
            ended = {"result": output_of(told), "isError": told["isError"]}
            with suppress(Threw):  # this hook changes nothing, even by failing
                await self.suite.ask("hook/after", {**about(use), **ended})
        event.result = await self._ended(use, event.result)

    async def _skipped(self, event: AfterToolsEvent) -> None:
        # Only this hook reports a call that is skipped after an abort.
        results: list[Any] = list(event.message["content"])
        for block in results:
            use = self.asked[block["toolResult"]["toolUseId"]]
            if not self._begun[use["toolUseId"]]:
                self._begun[use["toolUseId"]] += 1
                self.suite.tell("tool_execution_start", **about(use), args=use["input"])
                block["toolResult"] = await self._ended(use, block["toolResult"])
            self._begun[use["toolUseId"]] -= 1

    async def _ended(self, use: Any, ended: Any) -> Any:
        told = as_result(ended, use["name"])
        kept = ended
        if "persist" in self.case["hooks"]:
            with suppress(Threw):
                said = (await self.suite.ask("hook/persist", {"message": told})).get("message")
                if said is not None:
                    kept = result(ended, said)
        self.suite.tell("tool_execution_end", **about(use), result=output_of(told), isError=told["isError"])
        return kept

    def _replied(self, event: AfterModelCallEvent) -> None:
        # A message does not say why it ended: the model's stop reason holds, unless the run was aborted.
        if event.stop_response is not None and event.stop_response.stop_reason == "cancelled":
            self.stopped = "aborted"

    def _added(self, event: MessageAddedEvent) -> None:
        for each in as_told([event.message], self.asked):
            told = {**each, "stopReason": self.stopped} if each["role"] == "assistant" else each
            self.suite.tell("message_end", message=told)


class SuiteTool(AgentTool):
    """A tool of the suite."""

    def __init__(self, run: Run, declared: dict[str, Any]) -> None:
        super().__init__()
        self._run, self._declared = run, declared
        self._schema = Draft202012Validator(declared["parameters"])

    @property
    def tool_name(self) -> str:
        """The name of the tool."""
        return str(self._declared["name"])

    @property
    def tool_type(self) -> str:
        """The kind of tool."""
        return "callproof"

    @property
    def tool_spec(self) -> ToolSpec:
        """The description of the tool for the model."""
        schema = {"json": self._declared["parameters"]}
        return {"name": self.tool_name, "description": self._declared["description"], "inputSchema": schema}

    async def stream(self, tool_use: Any, invocation_state: Any, **_: Any) -> AsyncGenerator[Any]:
        """Run the tool: yield its progress, and at last what it returned."""
        if (wrong := refusal(self._schema, tool_use["input"])) is not None:
            refused = [{"text": envelope("error", self.tool_name, error=wrong)}]
            yield {"toolUseId": tool_use["toolUseId"], "status": "error", "content": refused}
            return
        call = about(tool_use)
        asked = self._run.suite.ask("tool/call", {**call, "params": tool_use["input"]})
        answered = asyncio.create_task(asked)
        hearing = asyncio.create_task(self._hear(call["toolCallId"]))
        told = self._run.listening[call["toolCallId"]]
        try:
            while not answered.done() or not told.empty():
                telling = asyncio.create_task(told.get())
                await asyncio.wait({answered, telling}, return_when=asyncio.FIRST_COMPLETED)
                if telling.done():
                    yield {"partial": telling.result()}
                else:
                    telling.cancel()
        finally:
            hearing.cancel()
        returned = await answered
        status = "error" if tells_of_a_failure(self.tool_name, returned) else "success"
        yield result({"toolUseId": tool_use["toolUseId"], "status": status}, returned)

    async def _hear(self, call: str) -> None:
        while not self._run.is_aborted:
            await asyncio.sleep(LOOKS)
        self._run.suite.send({"method": "tool/abort", "params": {"toolCallId": call}})


class SuiteModel(Model):
    """A model whose replies come from the suite."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def update_config(self, **_: Any) -> None:
        """Do nothing: there is nothing to configure."""

    def get_config(self) -> Any:
        """The configuration, which is empty."""
        return {}

    def structured_output(self, *_: Any, **__: Any) -> Any:
        """Not supported: no case asks for it."""
        raise NotImplementedError

    async def stream(self, messages: Any, *_: Any, **__: Any) -> AsyncIterator[Any]:
        """A reply in the pieces in which it comes; a whole reply is cut into the pieces of its blocks."""
        answer = await self._run.suite.ask("model/call", {"messages": as_told(messages, self._run.asked)})
        pieces = answer["pieces"] if "pieces" in answer else in_pieces(answer["message"]["content"])
        self._run.stopped = (answer.get("message") or answer)["stopReason"]
        yield {"messageStart": {"role": "assistant"}}
        # Strands takes one block after the other, so models with interleaved pieces sort them first.
        for piece in sorted(pieces, key=lambda each: each["contentIndex"]):
            at = {"contentBlockIndex": piece["contentIndex"]}
            if piece["type"] == "text":
                yield {"contentBlockStart": {**at, "start": {}}}
                yield {"contentBlockDelta": {**at, "delta": {"text": piece["text"]}}}
                yield {"contentBlockStop": at}
            elif piece["type"] == "toolcall_start":
                use = {"toolUseId": piece["id"], "name": piece["name"]}
                yield {"contentBlockStart": {**at, "start": {"toolUse": use}}}
            elif piece["type"] == "toolcall_delta":
                yield {"contentBlockDelta": {**at, "delta": {"toolUse": {"input": piece["delta"]}}}}
            else:
                yield {"contentBlockStop": at}
        yield {"messageStop": {"stopReason": STOPS[self._run.stopped]}}


def in_pieces(content: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The blocks of a whole reply as pieces."""
    pieces: list[dict[str, Any]] = []
    for index, each in enumerate(content):
        at = {"contentIndex": index}
        if each["type"] == "text":
            pieces.append({"type": "text", **at, "text": each["text"]})
        else:
            pieces += [
                {"type": "toolcall_start", **at, "id": each["id"], "name": each["name"]},
                {"type": "toolcall_delta", **at, "delta": json.dumps(each["arguments"])},
                {"type": "toolcall_end", **at},
            ]
    return pieces


def refusal(schema: Draft202012Validator, params: Any) -> str | None:
    """Why the schema of a tool refuses the arguments; None if it accepts them."""
    for error in schema.iter_errors(params):
        if error.validator == "required":
            missing = next(each for each in error.validator_value if each not in error.instance)
            return f"Missing required parameter: {missing}"
        return str(error.message)
    return None


def envelope(status: str, tool: str, **why: str) -> str:
    """The text for the model about a call that did not succeed; each operator chooses this text."""
    return json.dumps({"status": status, **why, "tool": tool})


def tells_of_a_failure(tool: str, returned: dict[str, Any]) -> bool:
    """Whether what a tool returned is the envelope of a failure; in Strands the tool itself reports its failure."""
    told = [returned.get("details")]
    with suppress(ValueError, TypeError, KeyError):
        (block,) = returned["content"]
        told.append(json.loads(block["text"]))
    # A tool may print any JSON: only an envelope that names the tool counts.
    return any(isinstance(each, dict) and (each.get("status"), each.get("tool")) == ("error", tool) for each in told)


def about(use: Any) -> dict[str, str]:
    """The id and the tool of a call."""
    return {"toolCallId": use["toolUseId"], "toolName": use["name"]}


def output_of(message: dict[str, Any]) -> dict[str, Any]:
    """The output that a call ended with."""
    return {name: message[name] for name in ("content", "details") if name in message}


def result(ended: Any, returned: dict[str, Any]) -> Any:
    """A result with what a tool returned or a hook rewrote; the details go where MCP's metadata go."""
    content = [
        {"text": each["text"]}
        if each["type"] == "text"
        else {
            "image": {
                "format": each["mimeType"].removeprefix("image/"),
                "source": {"bytes": base64.b64decode(each["data"])},
            }
        }
        for each in returned["content"]
    ]
    made = {"toolUseId": ended["toolUseId"], "status": ended["status"], "content": content}
    return made if returned.get("details") is None else {**made, "metadata": returned["details"]}


def as_told(messages: Any, asked: dict[str, Any]) -> list[dict[str, Any]]:
    """Messages in the form of the protocol: each result is a message, and names the tool of its call."""
    told: list[dict[str, Any]] = []
    for message in messages:
        blocks = message["content"]
        if message["role"] == "assistant":
            told.append({"role": "assistant", "content": [as_block(each) for each in blocks]})
            asked |= {each["toolUse"]["toolUseId"]: each["toolUse"] for each in blocks if "toolUse" in each}
            continue
        for each in blocks:
            if "toolResult" in each:
                told.append(as_result(each["toolResult"], asked[each["toolResult"]["toolUseId"]]["name"]))
        if texts := [as_block(each) for each in blocks if "text" in each]:
            told.append({"role": "user", "content": texts})
    return told


def as_result(ended: Any, tool: str) -> dict[str, Any]:
    """A result in the form of the protocol."""
    told = {
        "role": "toolResult",
        "toolCallId": ended["toolUseId"],
        "toolName": tool,
        "content": [as_block(each) for each in ended["content"]],
        "isError": ended["status"] == "error",
        # Strands does not record times.
        "timestamp": int(time.time() * 1000),
    }
    return {**told, "details": ended["metadata"]} if "metadata" in ended else told


def as_block(block: Any) -> dict[str, Any]:
    """A block in the form of the protocol."""
    if "toolUse" in block:
        use = block["toolUse"]
        params = use["input"] if isinstance(use["input"], dict) else {}
        return {"type": "toolCall", "id": use["toolUseId"], "name": use["name"], "arguments": params}
    if "image" in block:
        image = block["image"]
        data = base64.b64encode(image["source"]["bytes"]).decode()
        return {"type": "image", "mimeType": f"image/{image['format']}", "data": data}
    return {"type": "text", "text": block["text"]}


def as_piece(event: Any) -> dict[str, Any] | None:
    """A piece of a call in the form of the protocol."""
    if "contentBlockStart" in event and "toolUse" in event["contentBlockStart"]["start"]:
        began = event["contentBlockStart"]
        use = began["start"]["toolUse"]
        named = {"id": use["toolUseId"], "name": use["name"]}
        return {"type": "toolcall_start", "contentIndex": began["contentBlockIndex"], **named}
    if "contentBlockDelta" in event and "toolUse" in event["contentBlockDelta"]["delta"]:
        came = event["contentBlockDelta"]
        return {
            "type": "toolcall_delta",
            "contentIndex": came["contentBlockIndex"],
            "delta": came["delta"]["toolUse"]["input"],
        }
    return None


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
