"""The adapter around pipeline.py: callproof's messages on one side, the pipeline's own words on the other."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from invocation import Around, Broke, Progress, Question, Tool
from pipeline import Pipeline, Policy, Surface
from wire import Refused, Wire

Json = dict[str, Any]
_FEATURES = [
    *("concurrent", "serial", "ordered", "siblings", "otherNames", "deferred", "blocked", "validate", "preHook"),
    *("hookDecisions", "permission", "updatedInput", "mapping", "postHook", "persistence", "progress", "abort"),
    "contextModifiers",
]
_HELLO: Json = {
    "protocol": "pipeline",
    "protocolVersion": "1.0",
    "implementation": {"name": "small-pipeline", "version": "1", "language": "python"},
    "claims": {"features": _FEATURES},
}


class Case:
    """One batch of the pipeline; the suite stands in for everything that the pipeline asks."""

    def __init__(self, wire: Wire, start: Json) -> None:
        self._wire = wire
        self._listeners: dict[str, Progress] = {}
        self.pipeline = Pipeline(_surface(start), _policy(start["policy"]), self._around(start["asks"]), self._tell)
        for each in start["calls"]:
            self.pipeline.add(each["invocation_id"], each["name"], each["input"])

    async def run(self) -> None:
        """Run all calls, and report that they are finished."""
        await self.pipeline.run()
        self._wire.tell("pipeline/finished")

    def progress(self, call: str, message: str) -> None:
        """Pass on the progress of a tool if the pipeline still listens to that tool."""
        if call in self._listeners:
            self._listeners[call](message)

    def _tell(self, record: Json) -> None:
        self._wire.tell("record", record=record)

    def _around(self, asks: list[str]) -> Around:
        return Around(
            execute=self._execute,
            validate=self._validate if "validate_values" in asks else None,
            before=self._before if "pre_hooks" in asks else None,
            permit=self._permit if "permission" in asks else None,
            map_output=self._map if "map_result" in asks else None,
            after=self._after if "post_hooks" in asks else None,
            store=self._store if "persist_result" in asks else None,
        )

    async def _execute(self, question: Question, progress: Progress) -> Json:
        self._listeners[question.invocation_id] = progress
        try:
            return await self._ask("tool/execute", **asdict(question))
        except asyncio.CancelledError:
            self._wire.tell("tool/abort", invocation_id=question.invocation_id)
            raise
        finally:
            del self._listeners[question.invocation_id]

    async def _validate(self, question: Question) -> None:
        await self._ask("tool/validate", **asdict(question))

    async def _before(self, question: Question) -> Json:
        return await self._ask("hook/pre", **asdict(question))

    async def _permit(self, question: Question) -> Json:
        return await self._ask("permission/ask", **asdict(question))

    async def _map(self, call: str, output: Any) -> list[Json]:
        content: list[Json] = (await self._ask("tool/map", invocation_id=call, output=output))["content"]
        return content

    async def _after(self, call: str, output: Any) -> Json:
        return await self._ask("hook/post", invocation_id=call, output=output)

    async def _store(self, call: str, data: Any) -> str:
        uri: str = (await self._ask("store/put", invocation_id=call, data=data))["uri"]
        return uri

    async def _ask(self, method: str, **params: Any) -> Json:
        try:
            return await self._wire.ask(method, **params)
        except Refused as failure:
            raise Broke(str(failure), failure.data.get("error_class", "execution_failed")) from failure


def _surface(start: Json) -> Surface:
    tools = tuple(map(_tool, start["surface"]["tools"]))
    policy = start["policy"]["scheduler_policy_id"]
    labels = {
        "surface_id": start["surface"]["surface_id"],
        "batch_id": start["batch_id"],
        "scheduler_policy_ref": policy,
    }
    return Surface(tools, labels, start.get("result_bytes"))


def _tool(told: Json) -> Tool:
    return Tool(told["tool_id"], tuple(told.get("names", [])), told["input_schema"], told.get("state", "visible"))


def _policy(told: Json) -> Policy:
    return Policy(told["ordering_policy"], told["sibling_failure_policy"], told["context_modifier_policy"])


class Adapter:
    """Begins a case when the suite says so, and passes the user's aborts on to the current case."""

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
                    "pipeline/start": start,
                    "pipeline/abort": self._abort,
                    "tool/progress": self._progress,
                    "shutdown": lambda _: {},
                }
            )
            if self._run:
                self._run.cancel()

    def _abort(self, params: Json) -> Json:
        if self._case:
            self._case.pipeline.abort(params.get("invocation_id"))
        return {}

    def _progress(self, params: Json) -> Json:
        if self._case:
            self._case.progress(params["invocation_id"], params["message"])
        return {}


if __name__ == "__main__":
    asyncio.run(Adapter().serve())
