"""The adapter around backend.py: callproof's messages on one side, the backend's own words on the other."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from backend import Answer, Around, Backend, Profile, ProviderFailed, Terms, Tool, ToolFailed
from contract import Intent
from wire import Refused, Wire

Json = dict[str, Any]
_FEATURES = ["byRuntime", "byProvider", "v1", "2026-05", "rerouting", "requiredTools", "severalTools", "reports"]
_HELLO: Json = {
    "protocol": "invocation",
    "protocolVersion": "1.0",
    "implementation": {"name": "small-backend", "version": "1", "language": "python"},
    "claims": {"features": _FEATURES},
}


class Case:
    """One response of the backend; the suite stands in for everything that the backend asks."""

    def __init__(self, wire: Wire, start: Json) -> None:
        self._wire, self._question = wire, start["question"]
        self._backend = Backend(Around(self._plan, self._use, self._generate), _terms(start))

    async def run(self) -> None:
        """Make the response, and send its records and the message that it is finished."""
        response = await self._backend.respond(self._question)
        for record in response.records:
            self._wire.tell("record", record=record)
        self._wire.tell("invocation/finished", text=response.text)

    async def _plan(self, question: str) -> list[Intent]:
        planned = await self._wire.ask("planner/plan", question=question)
        return [Intent(each["toolName"], each["requested"], each.get("input")) for each in planned["intents"]]

    async def _use(self, profile: str, intent: Intent) -> Any:
        try:
            answer = await self._wire.ask("tool/call", profile=profile, **_named(intent))
        except Refused as failure:
            raise ToolFailed(failure.data.get("kind", "execution_error")) from failure
        return answer["output"]

    async def _generate(self, profile: str, offered: Sequence[Intent], outputs: Sequence[tuple[str, Any]]) -> Answer:
        results = [{"toolName": tool, "output": output} for tool, output in outputs]
        asked = {"profile": profile, "offered": list(map(_named, offered)), "results": results}
        try:
            answer = await self._wire.ask("provider/generate", **asked)
        except Refused as failure:
            raise ProviderFailed(str(failure)) from failure
        return Answer(answer["text"], _used(answer["used"]) if "used" in answer else None)


def _terms(start: Json) -> Terms:
    chosen = start["selected"]
    profiles = [Profile(each["name"], frozenset(each["tools"])) for each in start["profiles"]]
    return Terms(
        contract=start["contract"],
        by_runtime=start["toolsBy"] == "runtime",
        tools=[Tool(each["toolName"], each["optional"]) for each in start["tools"]],
        profiles=sorted(profiles, key=lambda each: each.name != chosen["profile"]),
        may_reroute=chosen["mayReroute"],
    )


def _named(intent: Intent) -> Json:
    return {"toolName": intent.tool, **({} if intent.input is None else {"input": intent.input})}


def _used(told: list[Json]) -> dict[str, str | None]:
    """For each tool that the provider used, how it failed; None if it did not."""
    failed = {each["toolName"]: each.get("failure", "execution_error") for each in told if each["status"] == "failed"}
    return {each["toolName"]: failed.get(each["toolName"]) for each in told}


class Adapter:
    """Begins a case when the suite says so."""

    def __init__(self) -> None:
        self._wire = Wire()
        self._run: asyncio.Task[None] | None = None

    async def serve(self) -> None:
        """Serve until the suite has nothing more to say.  An exception in a case ends the program, so it is seen."""
        async with asyncio.TaskGroup() as runs:

            def start(params: Json) -> Json:
                self._run = runs.create_task(Case(self._wire, params).run())
                return {}

            await self._wire.listen(
                {"initialize": lambda _: _HELLO, "invocation/start": start, "shutdown": lambda _: {}}
            )
            if self._run:
                self._run.cancel()


if __name__ == "__main__":
    asyncio.run(Adapter().serve())
