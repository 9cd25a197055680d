"""The adapter around loop.py: callproof's messages on one side, the loop's own words on the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from loop import HookFailed, Hooks, Loop, ModelFailed, Progress, Tool, Verdict
from outcomes import Outcome
from replies import Call
from wire import Refused, Wire

Json = dict[str, Any]
_FEATURES = [
    *("parallel", "sequential", "beforeHook", "afterHook", "persistHook"),
    *("streaming", "progress", "abort", "steering", "clientTools"),
]
_HELLO: Json = {
    "protocol": "agent-loop",
    "protocolVersion": "1.0",
    "implementation": {"name": "small-loop", "version": "1", "language": "python"},
    "claims": {"features": _FEATURES},
}


class Case:
    """One run of the loop; the suite stands in for everything around it."""

    def __init__(self, wire: Wire, start: Json) -> None:
        self._wire, self._prompt = wire, start["prompt"]
        self._listeners: dict[str, Progress] = {}
        self.loop = Loop(
            model=self._model,
            tools={each["name"]: self._tool(each) for each in start["tools"]},
            emit=lambda event: wire.tell("event", event=event),
            hooks=self._hooks(start["hooks"]),
            side_by_side=start["mode"] == "parallel",
        )

    async def run(self) -> None:
        """Run the loop, and report that it is finished."""
        await self.loop.run(self._prompt)
        self._wire.tell("loop/finished")

    def progress(self, call: str, partial: Json) -> None:
        """Pass on the progress of a tool if the loop still listens to that tool."""
        if call in self._listeners:
            self._listeners[call](partial)

    async def _model(self, messages: list[Json]) -> AsyncIterator[Json]:
        try:
            answer = await self._wire.ask("model/call", messages=messages)
        except Refused as failure:
            raise ModelFailed(str(failure)) from failure
        if "message" in answer:
            yield {"message": answer["message"]}
            return
        for piece in answer["pieces"]:
            yield piece
        yield {"stopReason": answer["stopReason"]}

    def _tool(self, offered: Json) -> Tool:
        by_client = offered.get("host") == "client"
        return Tool(offered["name"], offered["parameters"], None if by_client else self._run)

    async def _run(self, call: Call, arguments: Json, progress: Progress) -> Json:
        self._listeners[call.id] = progress
        try:
            return await self._wire.ask("tool/call", toolCallId=call.id, toolName=call.name, params=arguments)
        except asyncio.CancelledError:
            self._wire.tell("tool/abort", toolCallId=call.id)
            raise
        finally:
            self._listeners.pop(call.id, None)

    def _hooks(self, names: list[str]) -> Hooks:
        return Hooks(
            before=self._before if "before" in names else None,
            after=self._after if "after" in names else None,
            persist=self._persist if "persist" in names else None,
        )

    async def _before(self, call: Call) -> Verdict:
        about = {"toolCallId": call.id, "toolName": call.name, "params": call.arguments}
        said = await self._hook("before", **about)
        if said.get("block"):
            return Verdict(blocked=said.get("reason", "the operator does not allow it"))
        return Verdict(arguments=said.get("params"))

    async def _after(self, call: Call, outcome: Outcome) -> None:
        about = {"toolCallId": call.id, "toolName": call.name}
        await self._hook("after", **about, result=outcome.output, isError=outcome.is_error)

    async def _persist(self, message: Json) -> Json | None:
        rewritten: Json | None = (await self._hook("persist", message=message)).get("message")
        return rewritten

    async def _hook(self, name: str, **about: Any) -> Json:
        try:
            return await self._wire.ask(f"hook/{name}", **about)
        except Refused as failure:
            raise HookFailed(str(failure)) from failure


class Adapter:
    """Begins a case when the suite says so, and passes the user's actions on to the current case."""

    def __init__(self) -> None:
        self._wire = Wire()
        self._case: Case | None = None
        self._run: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serve until the suite has nothing more to say.  An exception in a case ends the program, so it is seen."""
        async with asyncio.TaskGroup() as runs:

            def start(params: Json) -> Json:
                self._case = Case(self._wire, params)
                self._run = runs.create_task(self._case.run())
                return {}

            await self._wire.listen(
                {
                    "initialize": lambda _: _HELLO,
                    "loop/start": start,
                    "loop/abort": self._abort,
                    "loop/steer": self._steer,
                    "tool/update": self._update,
                    "shutdown": lambda _: {},
                }
            )
            if self._run:
                self._run.cancel()

    def _abort(self, _: Json) -> Json:
        if self._case:
            self._case.loop.abort()
        return {}

    def _steer(self, params: Json) -> Json:
        if self._case:
            self._case.loop.steer(params["text"])
        return {}

    def _update(self, params: Json) -> Json:
        if self._case:
            self._case.progress(params["toolCallId"], params["partialResult"])
        return {}


if __name__ == "__main__":
    asyncio.run(Adapter().serve())
