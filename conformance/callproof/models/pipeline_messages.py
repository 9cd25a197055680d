"""The models of every message of ``spec/pipeline-adapter.md``, whose members are spelt as the records spell them."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, JsonValue

from callproof.models.adapter_messages import Implementation, ProtocolVersion, SuiteIdentity, WireLimits
from callproof.models.members import Array, Document, Given, JsonObject, Positive, Text


class _Message(Document):
    model_config = ConfigDict(alias_generator=None)


class PipelineInitialize(Document):
    """The first request, to a pipeline."""

    protocol: Literal["pipeline"]
    protocol_version: ProtocolVersion
    suite: SuiteIdentity
    limits: WireLimits


class PipelineClaims(Document):
    """What a pipeline says that it does."""

    features: Array[str]


class PipelineInitializeAnswer(Document):
    """The answer of a pipeline to the first request."""

    protocol: Literal["pipeline"]
    protocol_version: ProtocolVersion
    implementation: Implementation
    claims: PipelineClaims


class SurfaceTool(_Message):
    """A tool of the surface."""

    tool_id: Text
    names: Given[Array[str]] = None
    description: Given[str] = None
    input_schema: JsonObject
    state: Given[Literal["visible", "deferred", "blocked"]] = None


class StartSurface(_Message):
    """The tools that may be called."""

    surface_id: Text
    tools: Array[SurfaceTool]


class StartPolicy(_Message):
    """How calls run beside each other."""

    scheduler_policy_id: Text
    ordering_policy: Literal["preserve_terminal_order", "allow_unordered", "serial"]
    sibling_failure_policy: Literal["ignore", "cancel_siblings"]
    context_modifier_policy: Literal["allow_serial_only", "defer_until_batch_complete", "forbid"]


class StartCall(_Message):
    """A call that the model asks for."""

    invocation_id: Text
    name: str
    input: JsonValue


class PipelineStart(_Message):
    """A case to play."""

    surface: StartSurface
    policy: StartPolicy
    asks: Array[Literal["validate_values", "pre_hooks", "permission", "map_result", "post_hooks", "persist_result"]]
    result_bytes: Given[Positive] = None
    batch_id: Text
    calls: Array[StartCall]


class PipelineAbort(_Message):
    """The user aborts one call, or all."""

    invocation_id: Given[Text] = None


class Question(_Message):
    """A call with its tool and its input, about which somebody is asked, or which a tool is given."""

    invocation_id: Text
    tool_id: Text
    input: JsonValue


class ToolFailureData(_Message):
    """Why a tool does not accept values, or why it threw."""

    error_class: Literal[
        "invalid_arguments",
        "setup_required",
        "sandbox_violation",
        "execution_failed",
        "timeout",
        "dependency_unavailable",
        "canceled",
    ]


class HookPreAnswer(_Message):
    """What the hook before a call says."""

    block: Given[bool] = None
    reason: Given[str] = None
    input: Given[JsonObject] = None
    behavior: Given[Literal["allow", "ask", "deny"]] = None


class PermissionAskAnswer(_Message):
    """The decision about permission."""

    behavior: Literal["allow", "deny"]
    by: Given[Literal["person", "policy"]] = None
    updated_input: Given[JsonObject] = None
    reason: Given[str] = None


class ToolExecuteAnswer(_Message):
    """What a tool returned."""

    output: JsonValue
    context_modifier: Given[JsonObject] = None


class ExecutedCall(_Message):
    """A call that is being executed, by its id alone."""

    invocation_id: Text


class ToolProgressWord(_Message):
    """What a tool tells while it runs."""

    invocation_id: Text
    message: str


class GivenOutput(_Message):
    """An output that is mapped, or that a hook is shown."""

    invocation_id: Text
    output: JsonValue


class ToolMapAnswer(_Message):
    """What the mapping gave."""

    content: Array[JsonObject]


class HookPostAnswer(_Message):
    """What the hook after a call says."""

    block: Given[bool] = None
    reason: Given[str] = None
    output: JsonValue = None


class StorePut(_Message):
    """What is stored."""

    invocation_id: Text
    data: JsonValue


class StorePutAnswer(_Message):
    """Where the data is stored."""

    uri: Text


class ToldRecord(_Message):
    """A record of the protocol."""

    record: Text


class PipelineRecord(_Message):
    """A record, sent when it is made."""

    record: ToldRecord
