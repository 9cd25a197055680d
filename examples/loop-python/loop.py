"""A small agent loop of the kind that many teams have.  It does not know about callproof.

It asks a model, carries out the calls of the reply, gives the model the results, and asks again until a reply has no
calls.  Models, tools and hooks are coroutines.  A caller that wants to follow a run gets events.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from outcomes import Outcome, content
from replies import Call, Reply, Stream, whole
from schema import Unusable, breach

Json = dict[str, Any]
T = TypeVar("T")
# Takes all messages; yields the pieces of a reply, the last one with a ``stopReason``, or else one whole message.
Model = Callable[[list[Json]], AsyncIterator[Json]]
Progress = Callable[[Json], None]
# Takes the call, its arguments, and a function to report progress to.  The loop cancels it if the user aborts the run.
Run = Callable[[Call, Json, Progress], Awaitable[Json]]


class ModelFailed(Exception):
    """The model gave no reply."""


class HookFailed(Exception):
    """A hook of the operator failed."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call.  If there is no ``run``, a client carries the call out, later and elsewhere."""

    name: str
    parameters: Json
    run: Run | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a hook decides about a call before it is made: a reason to block it, or other arguments."""

    blocked: str | None = None
    arguments: Json | None = None


@dataclass(frozen=True, slots=True)
class Hooks:
    """Code of the operator; each hook is None if it is not set.  Hooks raise HookFailed."""

    before: Callable[[Call], Awaitable[Verdict]] | None = None
    after: Callable[[Call, Outcome], Awaitable[None]] | None = None
    persist: Callable[[Json], Awaitable[Json | None]] | None = None


class _Turned(Exception):
    """The loop does not carry out a call; ``outcome`` is what it tells the model instead."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


@dataclass(slots=True)
class Loop:
    """One run.  The user may ``abort`` it, or ``steer`` it with another message, at any time."""

    model: Model
    tools: Mapping[str, Tool]
    emit: Callable[[Json], None]
    hooks: Hooks = Hooks()
    side_by_side: bool = True
    _messages: list[Json] = field(default_factory=list[Json])
    _written: list[str] = field(default_factory=list[str])
    _at_work: set[asyncio.Task[Any]] = field(default_factory=set[asyncio.Task[Any]])
    _aborted: bool = False

    async def run(self, prompt: str) -> None:
        """Ask the model again and again until its reply has no calls."""
        self.emit({"type": "agent_start"})
        self._written.insert(0, prompt)
        going_on = True
        while going_on:
            for text in self._written:
                self._keep({"role": "user", "content": [{"type": "text", "text": text}]})
            self._written.clear()
            going_on = await self._turn() and not self._aborted
        self.emit({"type": "agent_end"})

    def steer(self, text: str) -> None:
        """Give the model a message of the user when the loop asks it next."""
        self._written.append(text)

    def abort(self) -> None:
        """Stop what is running, and begin nothing more."""
        self._aborted = True
        for task in self._at_work:
            task.cancel()

    async def _turn(self) -> bool:
        """Get a reply and carry out its calls; return whether to ask the model again."""
        try:
            reply = await self._unless_aborted(self._reply())
        except ModelFailed as failure:
            self._keep({"role": "assistant", "content": [], "stopReason": "error", "errorMessage": str(failure)})
            return False
        if reply is None:
            return False
        self._keep(reply.message)
        if self.side_by_side:
            outcomes = await asyncio.gather(*map(self._call, reply.calls))
        else:
            outcomes = [await self._call(each) for each in reply.calls]
        # If a client carries out a call, the run ends here and waits for the client.
        return bool(reply.calls or self._written) and not any(each.is_pending for each in outcomes)

    async def _reply(self) -> Reply:
        stream = Stream()
        async for piece in self.model(list(self._messages)):
            if "message" in piece:
                return whole(piece["message"])
            if "stopReason" in piece:
                return stream.end(piece["stopReason"])
            self.emit({"type": "message_update", "assistantMessageEvent": stream.take(piece)})
        raise ModelFailed("the reply broke off")

    async def _call(self, call: Call) -> Outcome:
        """Carry out a call from its start to its result; every call gets a result."""
        about = {"toolCallId": call.id, "toolName": call.name}
        self.emit({"type": "tool_execution_start", **about, "args": call.arguments})
        outcome = await self._outcome(call)
        message = {"role": "toolResult", **about, **outcome.output, "isError": outcome.is_error}
        message = await self._persisted({**message, "timestamp": int(time.time() * 1000)})
        told = {"result": outcome.output, "isError": outcome.is_error}
        self.emit({"type": "tool_execution_end", **about, **told})
        self._keep(message)
        return outcome

    async def _outcome(self, call: Call) -> Outcome:
        try:
            tool, arguments = await self._admitted(call)
        except _Turned as turned:
            return turned.outcome
        if tool.run is None:
            return Outcome.pending(call.name)
        outcome = await self._unless_aborted(self._entered(tool.run, call, arguments))
        if outcome is None:
            return Outcome.failed(call.name, "the user aborted the run")
        if self.hooks.after:
            with suppress(HookFailed):  # this hook only observes: its failure changes nothing
                await self.hooks.after(call, outcome)
        return outcome

    async def _admitted(self, call: Call) -> tuple[Tool, Json]:
        """The tool of a call, and the arguments for it.  Raises _Turned."""
        tool = self.tools.get(call.name)
        if tool is None:
            raise _Turned(Outcome.failed(call.name, f"there is no tool {call.name}"))
        if call.fault:
            raise _Turned(Outcome.failed(call.name, call.fault))
        _demand_fit(tool, call.arguments)
        arguments = call.arguments
        if self.hooks.before and not self._aborted:
            arguments = await self._permitted(self.hooks.before, call)
            _demand_fit(tool, arguments)
        if self._aborted:
            raise _Turned(Outcome.failed(call.name, "the user aborted the run"))
        return tool, arguments

    async def _permitted(self, hook: Callable[[Call], Awaitable[Verdict]], call: Call) -> Json:
        """The arguments that the hook permits.  Raises _Turned."""
        try:
            verdict = await hook(call)
        except HookFailed as failure:  # the hook could not decide, so the call is refused
            raise _Turned(Outcome.failed(call.name, f"the hook before calls failed: {failure}")) from failure
        if verdict.blocked is not None:
            raise _Turned(Outcome.blocked(call.name, verdict.blocked))
        return call.arguments if verdict.arguments is None else verdict.arguments

    async def _entered(self, run: Run, call: Call, arguments: Json) -> Outcome:
        """The outcome of a tool that is run, even if it raises."""
        about = {"toolCallId": call.id, "toolName": call.name, "args": call.arguments}
        at_work = True

        def progress(partial: Json) -> None:
            if at_work:  # progress after the tool has ended is ignored
                self.emit({"type": "tool_execution_update", **about, "partialResult": partial})

        try:
            return Outcome.of(call.name, await run(call, arguments, progress))
        except asyncio.CancelledError:
            return Outcome.failed(call.name, "the user aborted the run, and the tool was asked to stop")
        except Exception as failure:  # noqa: BLE001 - a tool may raise anything, and the model is told
            return Outcome.failed(call.name, str(failure) or type(failure).__name__)
        finally:
            at_work = False

    async def _persisted(self, message: Json) -> Json:
        """The message to keep, which the hook may rewrite."""
        try:
            rewritten = await self.hooks.persist(message) if self.hooks.persist else None
        except HookFailed:
            return message
        if rewritten is None:
            return message
        kept = {name: member for name, member in message.items() if name != "details"}
        return {**kept, **rewritten, "content": content(rewritten["content"])}

    async def _unless_aborted(self, work: Coroutine[Any, Any, T]) -> T | None:
        """The result of some work; None if an abort stopped it or came before it began."""
        task = asyncio.ensure_future(work)
        self._at_work.add(task)
        if self._aborted:
            task.cancel()
        await asyncio.wait([task])
        self._at_work.discard(task)
        return None if task.cancelled() else task.result()

    def _keep(self, message: Json) -> None:
        self._messages.append(message)
        self.emit({"type": "message_end", "message": message})


def _demand_fit(tool: Tool, arguments: Json) -> None:
    """Raise _Turned if the arguments do not fit the tool's schema, or if the schema is unusable."""
    try:
        fault = breach(tool.parameters, arguments)
    except Unusable as unusable:
        fault = str(unusable)
    if fault:
        raise _Turned(Outcome.failed(tool.name, f"the arguments do not fit the schema: {fault}"))
