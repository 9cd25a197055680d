"""The models of every message of ``spec/invocation-adapter.md``: params and answers."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import JsonValue

from callproof.models.adapter_messages import Implementation, ProtocolVersion, SuiteIdentity, WireLimits
from callproof.models.members import Array, Document, Given, JsonObject, Text

FailureKind: TypeAlias = Literal["execution_error", "timeout", "http_error", "network_error", "invalid_response"]


class InvocationInitialize(Document):
    """The first request, to a system under the contract."""

    protocol: Literal["invocation"]
    protocol_version: ProtocolVersion
    suite: SuiteIdentity
    limits: WireLimits


class InvocationClaims(Document):
    """What such a system says that it does."""

    features: Array[str]


class InvocationInitializeAnswer(Document):
    """The answer of such a system to the first request."""

    protocol: Literal["invocation"]
    protocol_version: ProtocolVersion
    implementation: Implementation
    claims: InvocationClaims


class ToolOfResponse(Document):
    """A tool of a response, and whether the response can do without it."""

    tool_name: Text
    optional: bool


class Profile(Document):
    """A profile, and the tools that it can use."""

    name: Text
    tools: Array[str]


class SelectedProfile(Document):
    """Which profile is chosen."""

    profile: Text
    by: Literal["user", "planner", "default"]
    may_reroute: bool


class InvocationStart(Document):
    """A response to give."""

    question: str
    contract: Literal["v1", "2026-05"]
    tools_by: Literal["runtime", "provider"]
    tools: Array[ToolOfResponse]
    profiles: Array[Profile]
    selected: SelectedProfile


class PlannerPlan(Document):
    """The question to the planner."""

    question: str


class PlannedIntent(Document):
    """What the planner wants of one tool."""

    tool_name: Text
    requested: bool
    input: Given[JsonObject] = None


class PlannerPlanAnswer(Document):
    """What the planner wants of all tools."""

    intents: Array[PlannedIntent]


class RuntimeCall(Document):
    """A tool that the runtime uses."""

    profile: Text
    tool_name: Text
    input: Given[JsonObject] = None


class GivenOutput(Document):
    """What the tool returned."""

    output: JsonValue


class ToolFailureKind(Document):
    """How the tool failed."""

    kind: FailureKind


class OfferedInvocation(Document):
    """A tool that a provider may use."""

    tool_name: Text
    input: Given[JsonObject] = None


class ToolYield(Document):
    """What a tool returned, as the provider is told it."""

    tool_name: Text
    output: JsonValue


class ProviderGenerate(Document):
    """The request to a provider for an answer."""

    profile: Text
    offered: Array[OfferedInvocation]
    results: Array[ToolYield]


class UsedTool(Document):
    """A tool that the provider used."""

    tool_name: Text
    status: Literal["executed", "failed"]
    failure: Given[FailureKind] = None


class ProviderGenerateAnswer(Document):
    """What the provider answers."""

    text: Text
    used: Given[Array[UsedTool]] = None
    links: Given[Array[str]] = None


class ToldRecord(Document):
    """A record of the contract, of any shape."""

    record: JsonObject


class InvocationFinished(Document):
    """The end of a response."""

    text: Given[str] = None
