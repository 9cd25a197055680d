#!/usr/bin/env python3
"""The adapter around the runner of the OpenAI Agents SDK: its model, tools and guardrails ask the suite."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from importlib.metadata import version
from itertools import count
from typing import Any

from agents import (
    Agent,
    FunctionTool,
    ItemHelpers,
    Model,
    ModelResponse,
    RunConfig,
    RunHooks,
    Runner,
    ToolExecutionConfig,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolOutputGuardrail,
    Usage,
)
from agents.models.chatcmpl_stream_handler import ChatCmplStreamHandler
from jsonschema import Draft202012Validator
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

HELLO = {
    "protocol": "agent-loop",
    "protocolVersion": "1.0",
    "implementation": {"name": "openai-agents", "version": version("openai-agents"), "language": "python"},
    # Tools of the SDK cannot report progress.
    "claims": {"features": ["parallel", "sequential", "beforeHook", "afterHook", "persistHook", "streaming", "abort"]},
}
METHOD_UNKNOWN = -32601
# Stands between an id that came before in the run and the number of its repetition.
AGAIN = "\N{SYMBOL FOR UNIT SEPARATOR}"
FINISHED = {"toolUse": "tool_calls", "length": "length"}


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
        run.tell_the_rest()
        self.tell("agent_end")
        self.send({"method": "loop/finished", "params": {}})


class Run(RunHooks[Any]):
    """One run of an agent; the hooks of the run report what happens in it."""

    def __init__(self, suite: Suite, case: dict[str, Any]) -> None:
        self.suite, self.case = suite, case
        self.aborted = asyncio.Event()
        self.stopped = "stop"
        self._result: Any = None
        self._told = 0
        # The calls in the last reply, and the calls that have begun, by their ids.
        self.asked: dict[str, ResponseFunctionToolCall] = {}
        self.calls: dict[str, Told] = {}

    async def go(self) -> None:
        """Run an agent over the case."""
        tools: list[Any] = [Tool(self, each).function for each in self.case["tools"]]
        agent = Agent(name="callproof", model=SuiteModel(self), tools=tools)
        one_by_one = 1 if self.case["mode"] == "sequential" else None
        config = RunConfig(
            tracing_disabled=True,
            tool_not_found_behavior="return_error_to_model",
            tool_error_formatter=self.no_such_tool,
            tool_execution=ToolExecutionConfig(max_function_tool_concurrency=one_by_one),
        )
        prompt = self.case["prompt"]
        self.suite.tell("message_end", message={"role": "user", "content": as_blocks(prompt)})
        self._result = Runner.run_streamed(agent, prompt, hooks=self, run_config=config, max_turns=None)
        async for _ in self._result.stream_events():
            self.tell_the_rest()

    def abort(self) -> None:
        """The user aborts: running tools learn it from the run, and no turn follows this one."""
        self.aborted.set()
        if self._result is not None:
            self._result.cancel(mode="after_turn")

    def tell_the_rest(self) -> None:
        """Report the results of the run that have not been reported yet."""
        items = [] if self._result is None else self._result.new_items
        for each in items[self._told :]:
            if each.type == "tool_call_output_item":
                call = self.calls[each.raw_item["call_id"]]
                # The result of a call that entered no tool has no custom data.
                beside = each.custom_data or call.beside()
                self.suite.tell("message_end", message=as_result(each.raw_item, call.call.name, **beside))
        self._told = len(items)

    async def on_llm_end(self, context: Any, agent: Any, response: ModelResponse) -> None:
        """Report the model's reply."""
        items = [each.model_dump() for each in response.output]
        self.asked = {each.call_id: each for each in response.output if isinstance(each, ResponseFunctionToolCall)}
        self.suite.tell("message_end", message={**as_reply(items), "stopReason": self.stopped})

    async def no_such_tool(self, about: Any) -> str | None:
        """The text for a call of a tool that does not exist."""
        if about.kind != "tool_not_found":
            return None
        call = self.calls[about.call_id] = Told(self, self.asked[about.call_id])
        return str(await call.ended(envelope("error", about.tool_name, error="there is no such tool")))


class Told:
    """One call; reports when the call begins and how it ends."""

    def __init__(self, run: Run, call: ResponseFunctionToolCall) -> None:
        self._run, self.call = run, call
        self.about = {"toolCallId": as_given(call.call_id), "toolName": call.name}
        self.params: Any = arguments(call.arguments)
        self.details: Any = None
        self._failed = False
        run.suite.tell("tool_execution_start", **self.about, args=self.params)

    def beside(self) -> dict[str, Any]:
        """What the SDK keeps beside the call's result and does not give to the model."""
        return {"failed": self._failed, "details": self.details}

    def shown(self, content: Any) -> dict[str, Any]:
        """The result of the call as a message."""
        self._failed = tells_of_a_failure(self.call.name, content, self.details)
        return as_result(ItemHelpers.tool_call_output_item(self.call, content), self.call.name, **self.beside())

    async def ended(self, content: Any) -> Any:
        """Report the end of the call; return the content to keep, which the persist hook may replace."""
        message = self.shown(content)
        kept = content
        if "persist" in self._run.case["hooks"]:
            with suppress(Threw):
                said = (await self._run.suite.ask("hook/persist", {"message": message})).get("message")
                if said is not None:
                    kept, self.details = as_words(said["content"]), said.get("details")
        result = {name: message[name] for name in ("content", "details") if name in message}
        self._run.suite.tell("tool_execution_end", **self.about, result=result, isError=message["isError"])
        return kept


class Tool:
    """A tool of the suite."""

    def __init__(self, run: Run, declared: dict[str, Any]) -> None:
        self._run, self._schema = run, Draft202012Validator(declared["parameters"])
        self.function = FunctionTool(
            name=declared["name"],
            description=declared["description"],
            params_json_schema=declared["parameters"],
            strict_json_schema=False,
            on_invoke_tool=self.invoke,
            tool_input_guardrails=[ToolInputGuardrail(self.before)],
            tool_output_guardrails=[ToolOutputGuardrail(self.after), ToolOutputGuardrail(self.persist)],
            custom_data_extractor=self.beside,
        )

    async def before(self, data: Any) -> ToolGuardrailFunctionOutput:
        """Ask the hook before the tool is entered; a hook that fails forbids it too."""
        call = data.context.tool_call
        told = self._run.calls[call.call_id] = Told(self._run, call)
        if "before" not in self._run.case["hooks"] or not isinstance(told.params, dict):
            return ToolGuardrailFunctionOutput.allow()
        try:
            said = await self._run.suite.ask("hook/before", {**told.about, "params": told.params})
        except Threw as error:
            why = envelope("error", call.name, error=f"a hook failed: {error}")
            return ToolGuardrailFunctionOutput.reject_content(await told.ended(why))
        if said.get("block"):
            why = envelope("blocked", call.name, reason=said.get("reason", "a hook forbids it"))
            return ToolGuardrailFunctionOutput.reject_content(await told.ended(why))
        told.params = {**told.params, **said.get("params", {})}
        return ToolGuardrailFunctionOutput.allow()

    async def invoke(self, context: Any, _: str) -> Any:
        """Run the tool, after checking its arguments against its schema."""
        told = self._run.calls[context.tool_call_id]
        if not isinstance(told.params, dict):
            return envelope("error", context.tool_name, error="the arguments are not a whole JSON object")
        if (wrong := refusal(self._schema, told.params)) is not None:
            return envelope("error", context.tool_name, error=wrong)
        heard = asyncio.create_task(self._hear(told.about["toolCallId"]))
        try:
            returned = await self._run.suite.ask("tool/call", {**told.about, "params": told.params})
        except Threw as error:
            return envelope("error", context.tool_name, error=str(error))
        finally:
            heard.cancel()
        told.details = returned.get("details")
        return as_output(returned["content"])

    async def _hear(self, call: str) -> None:
        # The SDK has no abort signal for tools, so this adapter waits for the run's own event.
        await self._run.aborted.wait()
        self._run.suite.send({"method": "tool/abort", "params": {"toolCallId": call}})

    async def after(self, data: Any) -> ToolGuardrailFunctionOutput:
        """Tell the hook after the tool has returned."""
        told = self._run.calls[data.context.tool_call_id]
        if "after" in self._run.case["hooks"]:
            shown = told.shown(data.output)
            result = {name: shown[name] for name in ("content", "details") if name in shown}
            with suppress(Threw):  # this hook changes nothing, even by failing
                asked = {**told.about, "result": result, "isError": shown["isError"]}
                await self._run.suite.ask("hook/after", asked)
        return ToolGuardrailFunctionOutput.allow()

    async def persist(self, data: Any) -> ToolGuardrailFunctionOutput:
        """Let the persist hook replace the result before it is kept."""
        kept = await self._run.calls[data.context.tool_call_id].ended(data.output)
        if kept is data.output:
            return ToolGuardrailFunctionOutput.allow()
        return ToolGuardrailFunctionOutput.reject_content(kept)

    def beside(self, data: Any) -> dict[str, Any]:
        """What the SDK keeps beside the result of a tool and does not give to the model."""
        return self._run.calls[data.tool_context.tool_call_id].beside()


class SuiteModel(Model):
    """A model whose replies come from the suite."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._ids: Counter[str] = Counter()

    async def get_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> ModelResponse:  # noqa: A002
        """A whole reply."""
        answer = await self._asked(input)
        return ModelResponse(output=as_items(answer["message"]["content"]), usage=Usage(), response_id=None)

    async def stream_response(self, system_instructions: Any, input: Any, *_: Any, **__: Any) -> AsyncIterator[Any]:  # noqa: A002
        """A reply in pieces, which the SDK's own handler puts together, or a whole reply."""
        answer = await self._asked(input)
        if "message" in answer:
            whole = response(as_items(answer["message"]["content"]))
            yield ResponseCompletedEvent(type="response.completed", response=whole, sequence_number=0)
            return
        async for event in ChatCmplStreamHandler.handle_stream(response([]), as_chunks(answer)):  # type: ignore[arg-type]
            for piece in self._pieces(event):
                self._run.suite.tell("message_update", assistantMessageEvent=piece)
            yield event

    def _pieces(self, event: Any) -> Iterable[dict[str, Any]]:
        if event.type == "response.output_item.added" and event.item.type == "function_call":
            at = {"contentIndex": event.output_index, "id": as_given(event.item.call_id), "name": event.item.name}
            yield {"type": "toolcall_start", **at}
        elif event.type == "response.function_call_arguments.delta":
            yield {"type": "toolcall_delta", "contentIndex": event.output_index, "delta": event.delta}

    async def _asked(self, items: Any) -> Any:
        answer = await self._run.suite.ask("model/call", {"messages": as_messages(items)})
        self._run.stopped = (answer.get("message") or answer)["stopReason"]
        for each in answer["message"]["content"] if "message" in answer else answer["pieces"]:
            if each["type"] in {"toolCall", "toolcall_start"}:
                each["id"] = self._of_its_own(each["id"])
        return answer

    def _of_its_own(self, identity: str) -> str:
        # The SDK requires that each call has an id that no other call of the run has.
        self._ids[identity] += 1
        return identity if self._ids[identity] == 1 else f"{identity}{AGAIN}{self._ids[identity]}"


def response(output: list[Any]) -> Response:
    """A response in the form that the SDK uses internally."""
    return Response(
        id="callproof",
        created_at=time.time(),
        model="callproof",
        object="response",
        output=output,
        tool_choice="auto",
        tools=[],
        parallel_tool_calls=True,
    )


def as_items(content: list[dict[str, Any]]) -> list[Any]:
    """The blocks of a whole reply, as items."""
    return [
        ResponseFunctionToolCall(
            type="function_call", call_id=each["id"], name=each["name"], arguments=json.dumps(each["arguments"])
        )
        if each["type"] == "toolCall"
        else ResponseOutputMessage(
            id="callproof",
            type="message",
            role="assistant",
            status="completed",
            content=[ResponseOutputText(type="output_text", text=each["text"], annotations=[], logprobs=[])],
        )
        for each in content
    ]


async def as_chunks(answer: dict[str, Any]) -> AsyncIterator[ChatCompletionChunk]:
    """The pieces of a reply, as Chat Completions streams them."""
    places: dict[int, int] = {}
    for piece in answer["pieces"]:
        if piece["type"] == "text":
            yield chunk({"content": piece["text"]})
        elif piece["type"] == "toolcall_start":
            place = places[piece["contentIndex"]] = len(places)
            function = {"name": piece["name"], "arguments": ""}
            yield chunk({"tool_calls": [{"index": place, "id": piece["id"], "type": "function", "function": function}]})
        elif piece["type"] == "toolcall_delta":
            more = {"index": places[piece["contentIndex"]], "function": {"arguments": piece["delta"]}}
            yield chunk({"tool_calls": [more]})
    yield chunk({}, FINISHED.get(answer["stopReason"], "stop"))


def chunk(delta: dict[str, Any], finished: str | None = None) -> ChatCompletionChunk:
    """One chunk of Chat Completions."""
    choice = {"index": 0, "delta": delta, "finish_reason": finished}
    about = {"id": "callproof", "created": 0, "model": "callproof", "object": "chat.completion.chunk"}
    return ChatCompletionChunk.model_validate({**about, "choices": [choice]})


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


def arguments(text: str) -> Any:
    """The arguments of a call, or the text itself if it is not JSON."""
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return text


def as_given(identity: str) -> str:
    """The id of a call as the model gave it."""
    return identity.partition(AGAIN)[0]


def as_output(content: list[dict[str, Any]]) -> Any:
    """What a tool returned, in the form that the SDK takes."""
    return [
        {"type": "text", "text": each["text"]}
        if each["type"] == "text"
        else {"type": "image", "image_url": f"data:{each['mimeType']};base64,{each['data']}"}
        for each in content
    ]


def as_words(content: list[dict[str, Any]]) -> str:
    """The text of a result that a hook rewrote: a guardrail can replace a result only with a text."""
    return "\n".join(each["text"] for each in content if each["type"] == "text")


def as_blocks(content: Any) -> list[dict[str, Any]]:
    """Content in the form of the protocol."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    blocks = []
    for each in content:
        if each["type"] == "input_image":
            kind, _, data = each["image_url"].removeprefix("data:").partition(";base64,")
            blocks.append({"type": "image", "mimeType": kind, "data": data})
        else:
            blocks.append({"type": "text", "text": each["text"]})
    return blocks


def as_result(item: Any, tool: str, failed: bool, details: Any) -> dict[str, Any]:
    """A result in the form of the protocol: content and call come from the item, the rest from the custom data."""
    told = {
        "role": "toolResult",
        "toolCallId": as_given(item["call_id"]),
        "toolName": tool,
        "content": as_blocks(item["output"]),
        "isError": failed,
        # The SDK does not record times.
        "timestamp": int(time.time() * 1000),
    }
    return told if details is None else {**told, "details": details}


def tells_of_a_failure(tool: str, content: Any, details: Any) -> bool:
    """Whether a result reports a failure by an envelope that names the tool; the SDK has no flag for failures."""
    with suppress(ValueError, TypeError):
        (text,) = [content] if isinstance(content, str) else [each.get("text") for each in content]
        return any(is_a_failure_of(tool, each) for each in (details, json.loads(text)))
    return is_a_failure_of(tool, details)


def is_a_failure_of(tool: str, told: Any) -> bool:
    """Whether a value is the envelope of a failure; a tool may print any JSON, so the envelope must name the tool."""
    return isinstance(told, dict) and told.get("status") in {"error", "blocked"} and told.get("tool") == tool


def as_reply(items: list[Any]) -> dict[str, Any]:
    """The items of one reply as its message."""
    content: list[Any] = []
    for each in items:
        if each["type"] == "function_call":
            read = arguments(each["arguments"])
            # The arguments of an item are a text; the protocol takes only an object.
            params = read if isinstance(read, dict) else {}
            called = {"id": as_given(each["call_id"]), "name": each["name"], "arguments": params}
            content.append({"type": "toolCall", **called})
        else:
            content += [{"type": "text", "text": part["text"]} for part in each["content"]]
    return {"role": "assistant", "content": content}


def as_messages(items: Any) -> list[dict[str, Any]]:
    """What the model is given, in the form of the protocol: items of one reply are one message."""
    messages: list[dict[str, Any]] = []
    for each in items:
        if each.get("type") == "function_call_output":
            content = as_blocks(each["output"])
            messages.append({"role": "toolResult", "toolCallId": as_given(each["call_id"]), "content": content})
        elif each.get("role") == "user":
            messages.append({"role": "user", "content": as_blocks(each["content"])})
        elif messages[-1]["role"] == "assistant":
            messages[-1]["content"] += as_reply([each])["content"]
        else:
            messages.append(as_reply([each]))
    return messages


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
