"""The models of ``spec/protocols/pipeline.md``, whose members are spelt in snake case as Agent Tool spells them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import ConfigDict, JsonValue

from callproof.models.members import Array, Count, Document, Given, Integer, JsonObject, Text

Phase: TypeAlias = Literal[
    "resolve_tool",
    "parse_schema",
    "validate_values",
    "prepare_observable_input",
    "pre_hooks",
    "permission",
    "schedule",
    "execute",
    "map_result",
    "post_hooks",
    "persist_result",
    "emit_terminal",
]


class _Record(Document):
    model_config = ConfigDict(alias_generator=None)


class PipelineSurface(_Record):
    """The tools that may be called from here on, under an id."""

    record: Given[Literal["surface"]] = None
    surface_id: Text
    tool_refs: Given[Array[str]] = None
    loaded_tools: Given[Array[JsonValue]] = None
    deferred_tools: Given[Array[JsonValue]] = None
    blocked_tools: Given[Array[JsonValue]] = None
    excluded_tools: Given[Array[JsonValue]] = None


class PipelinePolicy(_Record):
    """How invocations that name it run beside each other."""

    record: Given[Literal["policy"]] = None
    scheduler_policy_id: Text
    ordering_policy: Given[Literal["preserve_terminal_order", "allow_unordered", "serial"]] = None
    sibling_failure_policy: Given[Literal["ignore", "cancel_siblings", "cancel_dependent"]] = None
    context_modifier_policy: Given[Text] = None


InvocationState: TypeAlias = Literal[
    "planned",
    "selected",
    "schema_parse_failed",
    "arguments_ready",
    "validation_failed",
    "pre_hooks_running",
    "awaiting_approval",
    "approved",
    "denied",
    "queued",
    "running",
    "needs_input",
    "partial_result",
    "post_hooks_running",
    "yielded",
    "succeeded",
    "failed",
    "canceled",
    "timed_out",
    "blocked",
]


class PipelineInvocation(_Record):
    """One call that was asked for."""

    record: Given[Literal["invocation"]] = None
    invocation_id: Text
    tool_id: Text
    surface_id: Given[Text] = None
    batch_id: Given[Text] = None
    scheduler_policy_ref: Given[Text] = None
    status: Given[InvocationState] = None
    model_input: JsonValue = None
    observable_input: JsonValue = None
    permission_input: JsonValue = None
    call_input: JsonValue = None
    redacted: Given[Array[str]] = None


class PipelinePhase(_Record):
    """One thing that happened to an invocation in one phase."""

    record: Given[Literal["phase"]] = None
    invocation_id: Text
    phase: Phase
    status: Literal["started", "completed", "failed"]
    error_class: Given[Text] = None
    tool_id: Given[Text] = None
    surface_id: Given[Text] = None
    model_facing_content: Given[Array[JsonValue]] = None


class PipelineDecision(_Record):
    """The decision of one authority about permission."""

    record: Given[Literal["decision"]] = None
    decision_id: Text
    invocation_id: Text
    behavior: Literal["allow", "ask", "deny", "passthrough"]
    updated_input: JsonValue = None
    tool_id: Given[Text] = None
    surface_id: Given[Text] = None


class PipelineMutation(_Record):
    """A change of the input."""

    record: Given[Literal["mutation"]] = None
    mutation_id: Text
    invocation_id: Text
    source_type: Literal["hook", "permission_prompt", "adapter", "migration", "runtime"]
    changed_fields: Given[Array[str]] = None


HookEvent: TypeAlias = Literal[
    "pre_tool_use",
    "post_tool_use",
    "post_tool_use_failure",
    "permission_request",
    "permission_decision",
    "result_persistence",
]


class PipelineHook(_Record):
    """A hook that ran, and what it returned."""

    record: Given[Literal["hook"]] = None
    hook_id: Text
    invocation_id: Given[Text] = None
    hook_event: HookEvent
    updated_output: JsonValue = None


class PipelineProgress(_Record):
    """A message from a tool that is running."""

    record: Given[Literal["progress"]] = None
    invocation_id: Text
    sequence: Integer


Strategy: TypeAlias = Literal[
    "inline", "preview_and_persist", "ref_only", "redact", "drop_with_reason", "never_persist"
]


class PipelinePersistence(_Record):
    """What became of the output on its way to the model."""

    record: Given[Literal["persistence"]] = None
    decision_id: Text
    invocation_id: Text
    strategy: Strategy
    preview_size_bytes: Given[Count] = None
    persisted_ref: Given[JsonObject] = None
    redaction_state: Given[str] = None
    reason: Given[Text] = None


class PipelineError(_Record):
    """Why an invocation failed."""

    error_class: Given[Text] = None
    phase: Given[Phase] = None
    message: Given[str] = None


class ContextModifier(_Record):
    """A change of the context that an invocation asked for."""

    disposition: Literal["applied", "deferred", "refused"]


ResultStatus: TypeAlias = Literal[
    "succeeded",
    "partial_succeeded",
    "failed",
    "denied",
    "rejected",
    "redacted",
    "too_large",
    "canceled",
    "timed_out",
    "synthetic_error",
    "discarded",
]


class PipelineResult(_Record):
    """The outcome of an invocation."""

    record: Given[Literal["result"]] = None
    result_id: Text
    invocation_id: Text
    status: ResultStatus
    is_error: Given[bool] = None
    content: Given[Array[JsonValue]] = None
    structured_content: JsonValue = None
    model_facing_content: Given[Array[JsonValue]] = None
    persistence_refs: Given[Array[str]] = None
    resource_refs: Given[Array[JsonValue]] = None
    artifact_refs: Given[Array[JsonValue]] = None
    redaction_state: Given[Text] = None
    error: Given[PipelineError] = None
    context_modifier: Given[ContextModifier] = None


class PipelineEvent(_Record):
    """What listeners are told about an invocation."""

    record: Given[Literal["event"]] = None
    event_type: Text
    invocation_id: Given[Text] = None
    tool_id: Given[Text] = None


PipelineRecord: TypeAlias = (
    PipelineSurface
    | PipelinePolicy
    | PipelineInvocation
    | PipelinePhase
    | PipelineDecision
    | PipelineMutation
    | PipelineHook
    | PipelineProgress
    | PipelinePersistence
    | PipelineResult
    | PipelineEvent
)
