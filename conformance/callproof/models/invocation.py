"""The models of ``spec/protocols/invocation.md``."""

from __future__ import annotations

from typing import Literal, TypeAlias

from callproof.models.members import Array, ClosedDocument, Count, Document, Given, JsonObject, Text

InvocationStatus: TypeAlias = Literal["executed", "skipped", "failed"]


class InvocationIntent(Document):
    """What the planner wanted of a tool."""

    tool_name: Text
    requested: bool
    input: Given[JsonObject] = None


class InvocationRequest(Document):
    """What the orchestrator made of an intent."""

    tool_name: Text
    requested: bool
    eligible: bool
    reason_code: Given[Text] = None


class InvocationOutcome(Document):
    """The outcome of a request."""

    tool_name: Text
    status: InvocationStatus
    reason_code: Given[Text] = None
    duration_ms: Given[Count] = None


class InvocationEvent(Document):
    """One entry of the metadata of a response."""

    kind: Literal["planner", "evaluator", "generation", "tool"]
    status: InvocationStatus
    tool_name: Given[Text] = None
    reason_code: Given[Text] = None
    duration_ms: Given[Count] = None


class InvocationReports(ClosedDocument):
    """What each source told about an outcome, if it told anything."""

    orchestrator: Given[InvocationOutcome] = None
    runtime: Given[InvocationOutcome] = None
    inferred: Given[InvocationOutcome] = None


class Invocation(Document):
    """What three parties say about one tool and one response."""

    response_id: Text
    contract: Given[Literal["v1", "2026-05"]] = None
    optional: Given[bool] = None
    intent: InvocationIntent
    request: InvocationRequest
    reported: Given[InvocationReports] = None
    outcome: Given[InvocationOutcome] = None
    execution: Given[Array[InvocationEvent]] = None
