#!/usr/bin/env python3
"""The adapter around the agent of pydantic-ai: its model, tools and hooks ask the suite; it reports its messages."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
import traceback
from collections import defaultdict
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import count
from typing import Any

from jsonschema import Draft202012Validator
from pydantic_ai import Agent, BinaryContent, CustomEvent, RunContext, Tool, ToolReturn
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import (
    FinishReason,
    FunctionToolCallEvent,
    FunctionToolResultEvent,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    ToolCallPart,
    ToolCallPartDelta,
    ToolReturnPart,
)
from pydantic_ai.models import Model, StreamedResponse

HELLO = {
    "protocol": "agent-loop",
    "protocolVersion": "1.0",
    "implementation": {"name": "pydantic-ai", "version": version("pydantic-ai-slim"), "language": "python"},
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
            "steering",
        ]
    },
}
METHOD_UNKNOWN = -32601
# How often a model may ask for a missing tool, or with arguments that a schema refuses; no case does so as often.
RETRIES = 400
FINISHED: dict[str, FinishReason] = {"toolUse": "tool_call", "length": "length"}
STOPPED = {"tool_call": "toolUse", "length": "length"}


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
        elif method in {"loop/start", "loop/abort", "loop/steer", "shutdown"}:
            self.send({"id": identity, "result": {}})
            if method == "loop/start":
                self._begin(params)
            elif method == "loop/abort" and self._run is not None:
                self._run.abort()
            elif method == "loop/steer" and self._run is not None:
                self._run.steer(params["text"])
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
        run.stop()
        self.tell("agent_end")
        self.send({"method": "loop/finished", "params": {}})


@dataclass(kw_only=True)
class Progress(CustomEvent):
    """What a tool reports while it runs."""

    partial: dict[str, Any]


class Run:
    """One run of an agent."""

    def __init__(self, suite: Suite, case: dict[str, Any]) -> None:
        self.suite, self.case = suite, case
        self.listening: defaultdict[str, asyncio.Queue[Any]] = defaultdict(asyncio.Queue)
        self.aborted = asyncio.Event()
        self._run: Any = None
        self._beside: list[asyncio.Task[None]] = []

    async def go(self) -> None:
        """Run an agent over the case, node by node."""
        tools = [SuiteTool(self, each).tool for each in self.case["tools"]]
        hooks = Hooks(run=self)
        agent = Agent(SuiteModel(self), tools=tools, retries=RETRIES, capabilities=[hooks])
        with agent.parallel_tool_call_execution_mode(self.case["mode"]):
            async with agent.iter(self.case["prompt"]) as self._run:
                async for node in self._run:
                    if Agent.is_model_request_node(node):
                        node.request = replace(node.request, parts=[hooks.kept(each) for each in node.request.parts])
                        self.tell(node.request)
                        if self.aborted.is_set():
                            return

    def beside(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task beside the tools, which ends with the run at the latest."""
        self._beside.append(asyncio.create_task(work))
        return self._beside[-1]

    def stop(self) -> None:
        """Cancel what is still running: the run is over."""
        for each in self._beside:
            each.cancel()

    def abort(self) -> None:
        """The user aborts: running tools learn it, and the agent does not ask the model again."""
        self.aborted.set()

    def steer(self, text: str) -> None:
        """The user writes another message."""
        self._run.enqueue(text)

    def tell(self, request: ModelRequest) -> None:
        """Report the messages that the model will get."""
        for each in request.parts:
            self.suite.tell("message_end", message=as_told(each))


@dataclass
class Hooks(AbstractCapability[Any]):
    """Asks the hooks, and reports the events."""

    run: Run
    _begun: set[str] = field(default_factory=set)
    _rewritten: dict[str, Any] = field(default_factory=dict)

    async def before_tool_validate(self, ctx: RunContext[Any], *, call: Any, tool_def: Any, args: Any) -> Any:
        """Ask the hook before the arguments are checked, so that the arguments that it changes are checked too."""
        params = arguments(args)
        if "before" not in self.run.case["hooks"] or not isinstance(params, dict):
            return args
        self._begin(call)
        try:
            said = await self.run.suite.ask("hook/before", {**about(call), "params": params})
        except Threw as error:
            raise ToolFailed(envelope("error", call.tool_name, error=f"a hook failed: {error}")) from error
        if said.get("block"):
            raise ToolFailed(envelope("blocked", call.tool_name, reason=said.get("reason", "a hook forbids it")))
        return {**params, **said["params"]} if "params" in said else args

    async def after_tool_execute(
        self, ctx: RunContext[Any], *, call: Any, tool_def: Any, args: Any, result: Any
    ) -> Any:
        """Tell the hook after the tool has returned."""
        await self._after(
            call, ToolReturnPart(call.tool_name, result.return_value, call.tool_call_id, metadata=result.metadata)
        )
        return result

    async def on_tool_execute_error(
        self, ctx: RunContext[Any], *, call: Any, tool_def: Any, args: Any, error: Exception
    ) -> Any:
        """Report a failure after the tool threw: without this hook, the run would end."""
        why = envelope("error", call.tool_name, error=str(error))
        await self._after(call, ToolReturnPart(call.tool_name, why, call.tool_call_id, outcome="failed"))
        raise ToolFailed(why) from error

    async def _after(self, call: Any, part: ToolReturnPart) -> None:
        if "after" in self.run.case["hooks"]:
            told = as_told(part)
            with suppress(Threw):  # this hook changes nothing, even by failing
                asked = {**about(call), "result": output_of(told), "isError": told["isError"]}
                await self.run.suite.ask("hook/after", asked)

    async def after_model_request(self, ctx: RunContext[Any], *, request_context: Any, response: Any) -> Any:
        """Report the model's reply."""
        self.run.suite.tell("message_end", message=as_told(response))
        return response

    async def on_event(self, ctx: RunContext[Any], *, event: Any) -> None:
        """Report an event of the agent."""
        suite = self.run.suite
        if isinstance(event, FunctionToolCallEvent):
            self._begin(event.part)
        elif isinstance(event, FunctionToolResultEvent):
            await self._end(event.part)
        elif isinstance(event, Progress):
            call = {"toolCallId": event.tool_call_id, "toolName": event.tool_name}
            suite.tell("tool_execution_update", **call, partialResult=event.partial)
        elif self.run.case["streamed"] and (piece := as_piece(event)) is not None:
            suite.tell("message_update", assistantMessageEvent=piece)

    def _begin(self, call: Any) -> None:
        # The agent reports a call after it has checked the arguments, which is after the hook.
        if call.tool_call_id not in self._begun:
            self._begun.add(call.tool_call_id)
            self.run.suite.tell("tool_execution_start", **about(call), args=arguments(call.args))

    async def _end(self, part: Any) -> None:
        self._begun.discard(part.tool_call_id)
        message = as_told(part)
        if "persist" in self.run.case["hooks"]:
            with suppress(Threw):
                said = (await self.run.suite.ask("hook/persist", {"message": message})).get("message")
                if said is not None:
                    content = as_content(said["content"])
                    kept = replace(part, content=content, metadata=said.get("details"))
                    self._rewritten[part.tool_call_id] = kept
        ended = {"result": output_of(message), "isError": message["isError"]}
        self.run.suite.tell("tool_execution_end", **about(part), **ended)

    def kept(self, part: Any) -> Any:
        """A part of what the model will get, as the persist hook rewrote it."""
        return self._rewritten.pop(part.tool_call_id, part) if isinstance(part, ToolReturnPart) else part


class SuiteTool:
    """A tool of the suite."""

    def __init__(self, run: Run, declared: dict[str, Any]) -> None:
        self._run, self._name = run, declared["name"]
        self._schema = Draft202012Validator(declared["parameters"])
        self.tool: Tool[Any] = Tool.from_schema(
            self.enter,
            declared["name"],
            declared["description"],
            declared["parameters"],
            takes_ctx=True,
            args_validator=self.hold,
        )

    async def hold(self, ctx: RunContext[Any], /, **params: Any) -> None:
        """Check the arguments against the schema, which the agent does not do for a schema given as JSON."""
        if (wrong := refusal(self._schema, params)) is not None:
            raise ToolFailed(envelope("error", self._name, error=wrong))

    async def enter(self, ctx: RunContext[Any], /, **params: Any) -> ToolReturn[Any]:
        """Run the tool."""
        call = {"toolCallId": ctx.tool_call_id, "toolName": self._name}
        # Progress after the tool has returned is passed on too: it is up to the agent to ignore it.
        self._run.beside(self._tell(ctx))
        hearing = self._run.beside(self._hear(call))
        try:
            returned = await self._run.suite.ask("tool/call", {**call, "params": params})
        finally:
            hearing.cancel()
        return ToolReturn(as_content(returned["content"]), metadata=returned.get("details"))

    async def _tell(self, ctx: RunContext[Any]) -> None:
        told = self._run.listening[str(ctx.tool_call_id)]
        while True:
            await ctx.emit(Progress(partial=await told.get()))

    async def _hear(self, call: dict[str, Any]) -> None:
        await self._run.aborted.wait()
        self._run.suite.send({"method": "tool/abort", "params": {"toolCallId": call["toolCallId"]}})


class SuiteModel(Model):
    """A model whose replies come from the suite."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run

    @property
    def model_name(self) -> str:
        """The name of the model."""
        return "callproof"

    @property
    def system(self) -> str:
        """The provider of the model."""
        return "callproof"

    async def request(self, messages: Any, model_settings: Any, model_request_parameters: Any) -> ModelResponse:
        """A whole reply."""
        message = (await self._asked(messages))["message"]
        parts = [as_part(each) for each in message["content"]]
        return ModelResponse(parts=parts, finish_reason=FINISHED.get(message["stopReason"], "stop"))

    @asynccontextmanager
    async def request_stream(
        self, messages: Any, model_settings: Any, model_request_parameters: Any, run_context: Any = None
    ) -> AsyncGenerator[StreamedResponse]:
        """A reply in pieces, or a whole reply."""
        answer = await self._asked(messages)
        yield Pieces(model_request_parameters=model_request_parameters, answer=answer)

    async def _asked(self, messages: Any) -> Any:
        told = [
            as_told(each)
            for message in messages
            for each in ([message] if isinstance(message, ModelResponse) else message.parts)
        ]
        return await self._run.suite.ask("model/call", {"messages": told})


@dataclass
class Pieces(StreamedResponse):
    """A reply that pydantic-ai's own code puts together."""

    answer: dict[str, Any]
    begun: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def model_name(self) -> str:
        """The model's name."""
        return "callproof"

    @property
    def provider_name(self) -> None:
        """The model's provider."""
        return None

    @property
    def provider_url(self) -> None:
        """The provider's address."""
        return None

    @property
    def timestamp(self) -> datetime:
        """When the reply began."""
        return self.begun

    async def _get_event_iterator(self) -> AsyncIterator[Any]:
        put = self._parts_manager
        whole = self.answer.get("message")
        stopped = (whole or self.answer)["stopReason"]
        self.finish_reason = FINISHED.get(stopped, "stop")
        for index, each in enumerate(whole["content"] if whole else ()):
            yield put.handle_part(vendor_part_id=index, part=as_part(each))
        for piece in self.answer.get("pieces", ()):
            index = piece["contentIndex"]
            if piece["type"] == "text":
                events = put.handle_text_delta(vendor_part_id=index, content=piece["text"])
            elif piece["type"] == "toolcall_start":
                events = put.handle_tool_call_delta_events(
                    vendor_part_id=index, tool_name=piece["name"], args="", tool_call_id=piece["id"]
                )
            elif piece["type"] == "toolcall_delta":
                events = put.handle_tool_call_delta_events(vendor_part_id=index, args=piece["delta"])
            else:
                continue
            for event in events:
                yield event


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


def arguments(args: Any) -> Any:
    """The arguments of a call; streamed ones are a text, which stays a text if it is not JSON."""
    if not isinstance(args, str):
        return args or {}
    try:
        return json.loads(args) if args else {}
    except ValueError:
        return args


def about(call: Any) -> dict[str, str]:
    """The id and the tool of a call."""
    return {"toolCallId": call.tool_call_id, "toolName": call.tool_name}


def output_of(message: dict[str, Any]) -> dict[str, Any]:
    """The output that a call ended with."""
    return {name: message[name] for name in ("content", "details") if name in message}


def as_part(block: dict[str, Any]) -> Any:
    """A block of a whole reply as a part."""
    if block["type"] == "text":
        return TextPart(block["text"])
    return ToolCallPart(block["name"], block["arguments"], block["id"])


def as_content(blocks: list[dict[str, Any]]) -> Any:
    """Content in the form that pydantic-ai takes: texts are plain strings."""
    content = [
        each["text"]
        if each["type"] == "text"
        else BinaryContent(base64.b64decode(each["data"]), media_type=each["mimeType"])
        for each in blocks
    ]
    return content[0] if len(content) == 1 else content


def as_told(message: Any) -> dict[str, Any]:
    """A reply, or a part of what the model gets, in the form of the protocol."""
    if isinstance(message, ModelResponse):
        stop = STOPPED.get(message.finish_reason or "stop", "stop")
        return {"role": "assistant", "content": [as_block(each) for each in message.parts], "stopReason": stop}
    if not isinstance(message, ToolReturnPart):
        return {"role": "user", "content": as_blocks(message.content)}
    told = {
        "role": "toolResult",
        **about(message),
        # pydantic-ai gives the model a text even if there is no content.
        "content": as_blocks(message.content or message.model_response_str()),
        "isError": message.outcome != "success",
        "timestamp": int(message.timestamp.timestamp() * 1000),
    }
    return told if message.metadata is None else {**told, "details": message.metadata}


def as_block(part: Any) -> dict[str, Any]:
    """A part of a reply as a block."""
    if isinstance(part, ToolCallPart):
        read = arguments(part.args)
        # Streamed arguments are a text; the protocol takes only an object.
        params = read if isinstance(read, dict) else {}
        return {"type": "toolCall", "id": part.tool_call_id, "name": part.tool_name, "arguments": params}
    return {"type": "text", "text": part.content}


def as_blocks(content: Any) -> list[dict[str, Any]]:
    """Content in the form of the protocol."""
    blocks = []
    for each in content if isinstance(content, list) else [content]:
        if isinstance(each, BinaryContent):
            data = base64.b64encode(each.data).decode()
            blocks.append({"type": "image", "mimeType": each.media_type, "data": data})
        else:
            blocks.append({"type": "text", "text": each if isinstance(each, str) else json.dumps(each)})
    return blocks


def as_piece(event: Any) -> dict[str, Any] | None:
    """A piece of a call in the form of the protocol."""
    if isinstance(event, PartStartEvent) and isinstance(event.part, ToolCallPart):
        part = event.part
        return {"type": "toolcall_start", "contentIndex": event.index, "id": part.tool_call_id, "name": part.tool_name}
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, ToolCallPartDelta):
        return {"type": "toolcall_delta", "contentIndex": event.index, "delta": event.delta.args_delta}
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
