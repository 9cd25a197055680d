"""One call on its way through the phases, and everything that the pipeline asks on that way."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from results import Failed, Preview, plain
from schema import Unusable, breach, same

Json = dict[str, Any]
Tell = Callable[[Json], None]
Progress = Callable[[str], None]


class Broke(Exception):
    """A tool, or something else that the pipeline asked, failed; ``error_class`` is the class of failure."""

    def __init__(self, message: str, error_class: str = "execution_failed") -> None:
        super().__init__(message)
        self.error_class = error_class


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that may be called by its id or another name; ``state`` is visible, deferred or blocked."""

    id: str
    names: tuple[str, ...]
    schema: Json
    state: str = "visible"


@dataclass(frozen=True, slots=True)
class Question:
    """The call that a hook or a person is asked about, or that a tool gets."""

    invocation_id: str
    tool_id: str
    input: Any


@dataclass(frozen=True, slots=True)
class Around:
    """The functions that a call meets on its way; None for one that is not asked.  They raise Broke."""

    execute: Callable[[Question, Progress], Awaitable[Json]]
    validate: Callable[[Question], Awaitable[None]] | None = None
    before: Callable[[Question], Awaitable[Json]] | None = None
    permit: Callable[[Question], Awaitable[Json]] | None = None
    map_output: Callable[[str, Any], Awaitable[list[Json]]] | None = None
    after: Callable[[str, Any], Awaitable[Json]] | None = None
    store: Callable[[str, Any], Awaitable[str]] | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """What the calls of a batch share."""

    tools: tuple[Tool, ...]
    around: Around
    tell: Tell
    labels: Mapping[str, str]
    result_bytes: int | None
    # Takes the invocation whose tool threw.
    on_throw: Callable[[Invocation], None]
    # Takes a change of the context that a tool asks for; returns what became of it.
    on_modifier: Callable[[Json], str]


class Invocation:
    """One call.  It may be stopped until its tool has returned."""

    def __init__(self, setting: Setting, invocation_id: str, name: str, model_input: Any) -> None:
        self.id, self._name, self._input = invocation_id, name, model_input
        self._setting, self._around = setting, setting.around
        self._tool = _found(setting.tools, name)
        self._numbers = itertools.count(1)
        self._cause: str | None = None
        self._underway: asyncio.Task[Json] | None = None
        self._entered = self._over = False

    def stop(self, cause: str) -> None:
        """Begin nothing more, and stop what is running; ``cause`` is the class of failure."""
        if self._cause or self._over:
            return
        self._cause = cause
        if self._underway:
            self._underway.cancel()

    async def run(self) -> Json:
        """The result, without its ids.  Everything else is reported on the way."""
        about = {"tool_id": self._tool.id if self._tool else self._name or "(no name)"}
        self._tell("invocation", **about, **self._setting.labels, model_input=self._input)
        try:
            return await self._presented(await self._unless_stopped())
        except Failed as failure:
            self._over = True
            self._tell("phase", phase=failure.phase, status="failed", error_class=failure.error_class)
            return failure.result()

    async def _unless_stopped(self) -> Json:
        """What the tool returned.  An abort takes effect at once, even while a question is open."""
        if self._cause is None:
            self._underway = asyncio.create_task(self._executed())
            await asyncio.wait([self._underway])
            if not self._underway.cancelled():
                return self._underway.result()
        raise Failed("execute" if self._entered else "schedule", self._cause or "canceled", "the call was stopped")

    async def _executed(self) -> Json:
        """Go through all phases up to the execution, in order; return what the tool returned."""
        tool = self._resolved()
        self._demand_fit(tool)
        await self._validated(tool)
        decided = await self._hooked(tool)
        if decided != "allow":
            await self._permitted(tool, decided)
        self._tell("invocation", tool_id=tool.id, call_input=self._input)
        self._tell("phase", phase="execute", status="started", tool_id=tool.id)
        self._entered = True
        try:
            returned = await self._around.execute(self._question(tool), self._progress)
        except Broke as failure:
            self._setting.on_throw(self)
            raise Failed("execute", failure.error_class, f"the tool failed: {failure}") from failure
        finally:
            self._over = True
        self._passed("execute")
        return returned

    def _resolved(self) -> Tool:
        tool = self._tool
        if tool is None:
            raise Failed("resolve_tool", "unknown_tool", f"there is no tool {self._name!r}")
        if tool.state == "blocked":
            raise Failed("resolve_tool", "blocked_tool", f"{tool.id} may not be called here")
        if tool.state == "deferred":
            raise Failed("resolve_tool", "schema_not_loaded", f"the schema of {tool.id} is not loaded yet")
        self._passed("resolve_tool", tool_id=tool.id)
        return tool

    def _demand_fit(self, tool: Tool) -> None:
        try:
            fault = breach(tool.schema, self._input)
        except Unusable as unusable:
            raise Failed("parse_schema", "schema_not_loaded", f"the schema cannot be used: {unusable}") from unusable
        if fault:
            raise Failed("parse_schema", "schema_validation_failed", f"the input does not fit the schema: {fault}")
        self._passed("parse_schema")

    async def _validated(self, tool: Tool) -> None:
        if self._around.validate is None:
            return
        try:
            await self._around.validate(self._question(tool))
        except Broke as refusal:
            raise Failed("validate_values", refusal.error_class, f"the tool refuses the input: {refusal}") from refusal
        self._passed("validate_values")

    async def _hooked(self, tool: Tool) -> str | None:
        """What the hook before calls decides about permission; None if it does not decide."""
        if self._around.before is None:
            return None
        try:
            said = await self._around.before(self._question(tool))
        except Broke as failure:
            raise Failed("pre_hooks", "hook_failed", f"the hook before calls failed: {failure}") from failure
        self._tell("hook", hook_id=self._number("h"), hook_event="pre_tool_use")
        if said.get("block"):
            raise Failed("pre_hooks", "hook_blocked", said.get("reason", "a hook stopped the call"))
        self._passed("pre_hooks")
        if "input" in said:
            await self._change(tool, said["input"], "hook")
        decided: str | None = said.get("behavior")
        if decided in {"allow", "deny"}:
            self._tell("decision", decision_id=self._number("d"), behavior=decided)
        if decided == "deny":
            raise Failed("permission", "permission_denied", said.get("reason", "a hook denied the call"))
        return decided

    async def _permitted(self, tool: Tool, decided: str | None) -> None:
        if self._around.permit is None:
            if decided == "ask":
                raise Failed("permission", "permission_denied", "somebody is to be asked, and nobody is there")
            return
        self._tell("invocation", tool_id=tool.id, permission_input=self._input)
        said = await self._around.permit(self._question(tool))
        updated = {"updated_input": said["updated_input"]} if "updated_input" in said else {}
        self._tell("decision", decision_id=self._number("d"), behavior=said["behavior"], **updated)
        if said["behavior"] != "allow":
            refusals = {"person": "approval_rejected", "policy": "policy_blocked"}
            error_class = refusals.get(said.get("by", ""), "permission_denied")
            raise Failed("permission", error_class, said.get("reason", "permission was denied"))
        self._passed("permission")
        if updated:
            await self._change(tool, said["updated_input"], "permission_prompt")

    async def _change(self, tool: Tool, changed: Any, by: str) -> None:
        """Take another input from a hook or a person, and check it as the first one was checked."""
        if not same(changed, self._input):
            self._input = changed
            self._tell("mutation", mutation_id=self._number("m"), source_type=by)
            self._demand_fit(tool)
            await self._validated(tool)

    async def _presented(self, returned: Json) -> Json:
        """The result: what the model reads of the tool's output, and everything else that a result has."""
        output = returned["output"]
        content = await self._mapped(output)
        if self._around.after:
            changed = await self._observed(self._around.after, output)
            content = content if changed is None else await self._mapped(changed)
        result = await self._persisted(content)
        if modifier := returned.get("context_modifier"):
            result["context_modifier"] = {**modifier, "disposition": self._setting.on_modifier(modifier)}
        return result

    async def _mapped(self, output: Any) -> list[Json]:
        if self._around.map_output is None:
            return plain(output)
        try:
            content = await self._around.map_output(self.id, output)
        except Broke as failure:
            raise Failed("map_result", "result_mapping_failed", f"the output was not mapped: {failure}") from failure
        self._passed("map_result", model_facing_content=content)
        return content

    async def _observed(self, hook: Callable[[str, Any], Awaitable[Json]], output: Any) -> Any:
        """The output that the hook after calls puts in place of the tool's; None if it leaves that unchanged."""
        try:
            said = await hook(self.id, output)
        except Broke as failure:  # the hook may remove secrets: without it, nothing is shown
            raise Failed("post_hooks", "post_hook_failed", f"the hook after calls failed: {failure}") from failure
        changed = said.get("output")
        told = {} if changed is None else {"updated_output": changed}
        self._tell("hook", hook_id=self._number("h"), hook_event="post_tool_use", **told)
        if said.get("block"):
            raise Failed("post_hooks", "hook_blocked", said.get("reason", "a hook stopped the call when it had run"))
        self._passed("post_hooks")
        return changed

    async def _persisted(self, content: list[Json]) -> Json:
        """The result with the content, or with its beginning and where all of it is stored."""
        preview = Preview.of(content, self._setting.result_bytes)
        if preview is None:
            return {"status": "succeeded", "is_error": False, "model_facing_content": content}
        number = self._number("k")
        try:
            uri = await self._around.store(self.id, content) if self._around.store else None
        except Broke:
            uri = None
        if uri is None:
            status, where = "too_large", "the rest was not kept"
            self._tell("persistence", decision_id=number, strategy="drop_with_reason", reason="nothing stored it")
        else:
            status, where = "succeeded", f"all of it is at {uri}"
            told = {"preview_size_bytes": preview.shown, "persisted_ref": {"uri": uri}}
            self._tell("persistence", decision_id=number, strategy="preview_and_persist", **told)
        self._passed("persist_result")
        shown = preview.noted(where)
        return {"status": status, "is_error": False, "model_facing_content": shown, "persistence_refs": [number]}

    def _progress(self, message: str) -> None:
        if not self._over:  # progress after the tool has ended is ignored
            self._tell("progress", sequence=next(self._numbers), message=message)

    def _question(self, tool: Tool) -> Question:
        return Question(self.id, tool.id, self._input)

    def _passed(self, phase: str, **more: Any) -> None:
        self._tell("phase", phase=phase, status="completed", **more)

    def _tell(self, record: str, **members: Any) -> None:
        self._setting.tell({"record": record, "invocation_id": self.id, **members})

    def _number(self, kind: str) -> str:
        return f"{kind}-{self.id}-{next(self._numbers)}"


def _found(tools: tuple[Tool, ...], name: str) -> Tool | None:
    """The tool with this id, or else with this other name; None if there is none."""
    named = [each for each in tools if each.id == name] or [each for each in tools if name in each.names]
    return named[0] if named else None
