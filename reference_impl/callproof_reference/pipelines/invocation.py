"""One call on its way through the phases (pipeline, Phases)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from callproof.schema.bounds import BeyondTheEngine, UnusableSchema
from callproof.schema.validator import SchemaValidator

from callproof_reference.peers.peer import Failed
from callproof_reference.values import Json, Object, as_object, objects, present, token

if TYPE_CHECKING:
    from callproof_reference.pipelines.batch import Batch

_STATES = {"deferred": "schema_not_loaded", "blocked": "blocked_tool"}
_DENIED = {"person": ("approval_rejected", "rejected"), "policy": ("policy_blocked", "denied")}
_STATUSES = {"canceled": "canceled", "sibling_canceled": "canceled", "timeout": "timed_out"}


class Ended(Exception):
    """A call ends because a phase failed."""

    def __init__(self, error_class: str, phase: str, status: str = "") -> None:
        super().__init__(error_class)
        self.error_class, self.phase = error_class, phase
        self.status = status or _STATUSES.get(error_class, "failed")


class Invocation:
    """One call: what was asked for, and what has become of its input."""

    def __init__(self, batch: Batch, call: Object) -> None:
        self.batch, self.id, self.name = batch, str(call["invocation_id"]), str(call["name"])
        self.written: Json = call["input"]
        self.input: Json = call["input"]
        self.tool: Object = self.batch.tools.get(self.name, {})
        self.words = 0
        self.content = list[Object]()

    @property
    def tool_id(self) -> str:
        """The id of the tool, or the name that was asked for if there is no such tool."""
        return str(self.tool.get("tool_id", self.name))

    def begin(self) -> None:
        """Tell what was asked for."""
        start = self.batch.start
        policy, surface = self.batch.policy["scheduler_policy_id"], as_object(start["surface"])["surface_id"]
        told = {"surface_id": surface, "batch_id": start["batch_id"], "scheduler_policy_ref": policy}
        self.tell("invocation", tool_id=self.tool_id or "?", **told, model_input=self.written)

    def run(self) -> None:
        """Carry the call through the phases; it has a result even if a phase fails."""
        try:
            result = self.through()
        except Ended as ended:
            self.phase(ended.phase, "failed", error_class=ended.error_class)
            error = {"error_class": ended.error_class, "phase": ended.phase}
            result = {"status": ended.status, "is_error": True, "error": error}
            if ended.error_class not in ("canceled", "sibling_canceled"):
                self.batch.failed(self.id)
        self.batch.wait_for_turn(self.id)
        self.phase("emit_terminal")
        self.tell("event", event_type="tool.result.created")
        self.tell("result", result_id=f"r-{self.id}", **result)
        self.batch.over(self.id)

    def through(self) -> Object:
        """The members of its result. Raises Ended if a phase ends the call."""
        self.resolve()
        self.parse()
        self.validate()
        self.phase("prepare_observable_input")
        if not self.hooked():
            self.permitted()
        answer = self.executed()
        output = self.mapped(answer["output"])
        output = self.shown(output)
        result = self.persisted()
        if "context_modifier" in answer:
            result["context_modifier"] = {"disposition": self.batch.disposition()}
        return result

    def resolve(self) -> None:
        """Find the tool in the surface."""
        if not self.tool:
            raise Ended("unknown_tool", "resolve_tool")
        if refused := _STATES.get(str(self.tool.get("state"))):
            raise Ended(refused, "resolve_tool")
        self.phase("resolve_tool")

    def parse(self) -> None:
        """Judge the input by the schema, and again after each change (A49)."""
        try:
            accepted = SchemaValidator(as_object(self.tool["input_schema"])).accepts(self.input)
        except (UnusableSchema, BeyondTheEngine):
            accepted = False
        if not accepted:
            raise Ended("schema_validation_failed", "parse_schema")
        self.phase("parse_schema")

    def validate(self) -> None:
        """Let the tool look at the values."""
        if "validate_values" in self.batch.asks:
            try:
                self.ask("tool/validate", **self.question())
            except Failed as failed:
                raise Ended(str(failed.data["error_class"]), "validate_values") from None
            self.phase("validate_values")

    def hooked(self) -> bool:
        """Ask the hook; whether it permitted the call."""
        if "pre_hooks" not in self.batch.asks:
            return False
        try:
            says = self.ask("hook/pre", **self.question())
        except Failed:
            raise Ended("hook_failed", "pre_hooks") from None
        self.tell("hook", hook_id=f"h-{self.id}", hook_event="pre_tool_use")
        if says.get("block") is True:
            raise Ended("hook_blocked", "pre_hooks")
        self.phase("pre_hooks")
        self.change(says.get("input"), "hook")
        behavior = says.get("behavior")
        if behavior in ("allow", "deny"):
            self.decide(str(behavior))
        if behavior == "deny":
            raise Ended("permission_denied", "permission", "denied")
        return behavior == "allow"

    def permitted(self) -> None:
        """Ask for permission."""
        if "permission" not in self.batch.asks:
            return
        self.tell("invocation", tool_id=self.tool_id, permission_input=self.input)
        says = self.ask("permission/ask", **self.question())
        if says["behavior"] == "deny":
            self.decide("deny")
            raise Ended(*_refused(says))
        self.decide("allow", updated_input=says.get("updated_input"))
        self.phase("permission")
        self.change(says.get("updated_input"), "permission_prompt")

    def change(self, given: Json, source: str) -> None:
        """Replace the input by another one."""
        if given is None:
            return
        before, after = as_object(self.input), as_object(given)
        names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        fields = [f"/{token(name)}" for name in names]
        self.tell("mutation", mutation_id=f"m-{source}-{self.id}", source_type=source, changed_fields=fields)
        self.input = given
        self.parse()

    def executed(self) -> Object:
        """Enter the tool, and wait for it."""
        entered = self.batch.enter(self.id, self.question())
        self.tell("invocation", tool_id=self.tool_id, call_input=self.input)
        try:
            answer = self.batch.peer.answer_to(entered)
        except Failed as failed:
            thrown = str(failed.data["error_class"])
            why = self.batch.why_stopped(self.id) if thrown == "canceled" else None
            raise Ended(why or thrown, "execute") from None
        self.phase("execute")
        return answer

    def mapped(self, output: Json) -> Json:
        """Make the content for the model from an output, and return the output."""
        if "map_result" in self.batch.asks:
            try:
                given = self.ask("tool/map", output=output)
            except Failed:
                raise Ended("result_mapping_failed", "map_result") from None
            self.content = objects(given["content"])
        else:
            said = as_object(output).get("text")
            self.content = [{"type": "text", "text": said if isinstance(said, str) else json.dumps(output)}]
        self.phase("map_result", model_facing_content=self.content)
        return output

    def shown(self, output: Json) -> Json:
        """Show the output to the hook, and map what the hook made of it."""
        if "post_hooks" not in self.batch.asks:
            return output
        try:
            says = self.ask("hook/post", output=output)
        except Failed:
            raise Ended("post_hook_failed", "post_hooks") from None
        changed = present({"updated_output": says.get("output")})
        self.tell("hook", hook_id=f"k-{self.id}", hook_event="post_tool_use", **changed)
        if says.get("block") is True:
            raise Ended("hook_blocked", "post_hooks")
        self.phase("post_hooks")
        return self.mapped(says["output"]) if changed else output

    def persisted(self) -> Object:
        """The result, with a preview if the output is too large (PIPE-07, PIPE-20)."""
        whole = "".join(str(block.get("text", "")) for block in self.content).encode("utf-8", "surrogatepass")
        limit = self.batch.start.get("result_bytes", len(whole))
        if len(whole) <= limit:
            return {"status": "succeeded", "model_facing_content": self.content}
        kept, reason = {"decision_id": f"d-{self.id}", "preview_size_bytes": limit}, "it is too large"
        try:
            uri = self.ask("store/put", data=self.content)["uri"]
        except Failed:
            self.tell("persistence", decision_id=kept["decision_id"], strategy="drop_with_reason", reason=reason)
            raise Ended("result_too_large", "persist_result", "too_large") from None
        self.tell("persistence", **kept, strategy="preview_and_persist", persisted_ref={"uri": uri}, reason=reason)
        self.phase("persist_result")
        preview = {"type": "text", "text": whole[:limit].decode("utf-8", "ignore")}
        words = {"type": "text", "text": f"(cut: the whole is in {uri})"}
        refs = [kept["decision_id"]]
        return {"status": "succeeded", "model_facing_content": [preview, words], "persistence_refs": refs}

    def question(self) -> Object:
        """What every question about the call says."""
        return {"tool_id": self.tool_id, "input": self.input}

    def ask(self, method: str, **members: Json) -> Object:
        """The answer to a question. Raises Failed."""
        return self.batch.peer.ask(method, {"invocation_id": self.id, **members})

    def decide(self, behavior: str, **members: Json) -> None:
        """Tell the decision about permission."""
        self.tell("decision", decision_id=f"p-{self.id}", behavior=behavior, **present(members))

    def phase(self, which: str, status: str = "completed", **members: object) -> None:
        """Tell the outcome of a phase."""
        self.tell("phase", phase=which, status=status, **members)

    def tell(self, kind: str, **members: object) -> None:
        """Send a record of it."""
        self.batch.tell(kind, invocation_id=self.id, **members)


def _refused(says: Object) -> tuple[str, str, str]:
    """How a denied permission ends a call."""
    error_class, status = _DENIED.get(str(says.get("by")), ("permission_denied", "denied"))
    return error_class, "permission", status
