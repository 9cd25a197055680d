"""The models of ``spec/tool-call.md``."""

from __future__ import annotations

from pydantic import JsonValue

from callproof.models.members import Array, Count, Document, Given, JsonObject, Positive, Text
from callproof.models.plan import RiskLevel
from callproof.models.policy import Policy


class Iteration(Document):
    """Which item of a foreach step a record is about."""

    index: Count
    item_name: str
    item_value: JsonValue


class ArgsModification(Document):
    """Which members of the args a hook changed, and which hook (A49)."""

    by: Given[str] = None
    members: Array[str]


class ToolCall(Document):
    """One attempt to invoke one tool, with everything needed to do it again."""

    call_id: Text
    run_id: Text
    step_id: Text
    tool: Text
    attempt: Positive
    args: JsonObject
    args_hash: str | None = None
    args_modified_by: Text | ArgsModification | None = None
    timeout_ms: Positive | None = None
    deadline_at: str | None = None
    cancellable: bool
    iteration: Iteration | None = None
    loop_id: str | None = None
    created_at: str
    planner_version: str | None = None
    executor_version: Text
    tool_registry_version: Text
    preview: str | None = None
    risk_level: RiskLevel
    category: str | None = None
    policy: Policy
    confirmation_id: str | None = None
    redacted: Array[str] | None = None
