"""A small pipeline of tool calls of the kind that many teams have.  It does not know about callproof.

It carries a batch of calls from their names to their results, in parallel or one by one, and reports a record of
everything that happens on the way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from invocation import Around, Invocation, Setting, Tell, Tool

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Policy:
    """How the calls of a batch run together, in the terms of Agent Tool."""

    ordering: str
    sibling_failure: str
    context_modifier: str


@dataclass(frozen=True, slots=True)
class Surface:
    """The tools that may be called, the ids that records use for surface and batch, and the bytes of output to show."""

    tools: tuple[Tool, ...]
    labels: Mapping[str, str]
    result_bytes: int | None = None


class Pipeline:
    """One batch of calls that share a context.  The user may ``abort`` one of them, or all, at any time."""

    def __init__(self, surface: Surface, policy: Policy, around: Around, tell: Tell) -> None:
        self.context: Json = {}
        self._policy, self._tell = policy, tell
        self._deferred: list[Json] = []
        self._calls: dict[str, Invocation] = {}
        shared = surface.tools, around, tell, surface.labels, surface.result_bytes
        self._setting = Setting(*shared, on_throw=self._stop_siblings, on_modifier=self._modify)

    def add(self, invocation_id: str, name: str, model_input: Any) -> None:
        """Add a call, which the model asks for by the name of a tool."""
        self._calls[invocation_id] = Invocation(self._setting, invocation_id, name, model_input)

    async def run(self) -> None:
        """Run all calls, and report their results in the order that the policy states."""
        calls = list(self._calls.values())
        if self._policy.ordering == "serial":
            for each in calls:
                await self._finish(each)
        elif self._policy.ordering == "preserve_terminal_order":
            underway = [asyncio.create_task(each.run()) for each in calls]
            for each, result in zip(calls, underway):
                self._tell_result(each, await result)
        else:
            await asyncio.gather(*map(self._finish, calls))
        for modifier in self._deferred:
            self.context.update(modifier)

    def abort(self, invocation_id: str | None = None) -> None:
        """Stop one call, or all."""
        for name, each in self._calls.items():
            if invocation_id in {None, name}:
                each.stop("canceled")

    async def _finish(self, call: Invocation) -> None:
        self._tell_result(call, await call.run())

    def _tell_result(self, call: Invocation, result: Json) -> None:
        self._tell({"record": "result", "result_id": f"r-{call.id}", "invocation_id": call.id, **result})

    def _stop_siblings(self, thrower: Invocation) -> None:
        if self._policy.sibling_failure == "cancel_siblings":
            for each in self._calls.values():
                if each is not thrower:
                    each.stop("sibling_canceled")

    def _modify(self, modifier: Json) -> str:
        """Change the context now, when all calls are over, or not at all; return which of these."""
        rule = self._policy.context_modifier
        if rule == "defer_until_batch_complete":
            self._deferred.append(modifier)
            return "deferred"
        if rule == "allow_serial_only" and self._policy.ordering == "serial":
            self.context.update(modifier)
            return "applied"
        return "refused"
