"""The models of every message of ``spec/adapter-protocol.md``: params, answers and refusals."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue, StringConstraints

from callproof.models.effects import Effects
from callproof.models.members import (
    Array,
    Count,
    DistinctTexts,
    Document,
    Given,
    Integer,
    JsonObject,
    Positive,
    Refused,
    Text,
)
from callproof.models.tool_descriptor import ToolDescriptor

ProtocolVersion: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[0-9]+\.[0-9]+$")]
Instant: TypeAlias = Annotated[
    str,
    StringConstraints(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$"
    ),
]


class SuiteIdentity(Document):
    """Which suite is asking."""

    name: Text
    version: Text


class WireLimits(Document):
    """The most that the suite reads."""

    frame_bytes: Positive


class Initialize(Document):
    """The first request."""

    protocol_version: ProtocolVersion
    suite: SuiteIdentity
    limits: WireLimits


class Implementation(Document):
    """Which system is answering."""

    name: Text
    version: Text
    language: Text
    homepage: Given[str] = None


class Postures(Document):
    """What a system chooses if the law permits more than one behaviour."""

    abort_grace_ms: Given[Annotated[Integer, Field(ge=0, le=1000)]] = None


class Claims(Document):
    """What a system says that it does."""

    profiles: DistinctTexts[Text]
    features: DistinctTexts[Text]
    postures: Given[Postures] = None


class InitializeAnswer(Document):
    """The answer to the first request."""

    protocol_version: ProtocolVersion
    implementation: Implementation
    claims: Claims


class RunStart(Document):
    """A plan to run."""

    plan: JsonObject
    policy: JsonObject
    tools: Array[ToolDescriptor]
    root: Given[Text] = None
    audit_dir: Given[Text] = None
    confirmation_timeout_ms: Given[Positive] = None
    hooks: Given[bool] = None


class RunReference(Document):
    """A run, by its id and nothing else."""

    run_id: Text


class RunRefusal(Document):
    """Why a run must not start."""

    code: Text
    message: Text
    details: Given[JsonObject] = None


class RunConfirm(Document):
    """A decision."""

    run_id: Text
    confirmation_id: Text
    decision: Literal["approved", "rejected"]


class RunCancel(Document):
    """The request to stop a run."""

    run_id: Text
    reason: Given[str] = None


class Empty(Document):
    """A message that says nothing more."""


class ClockAdvance(Document):
    """Virtual time that passes."""

    ms: Count


class ClockAdvanceAnswer(Document):
    """The time after that."""

    now: Instant


class RecordMessage(Document):
    """A record, when the system writes it."""

    run_id: Text
    kind: Literal["run", "call", "result", "event"]
    record: JsonObject


class ToolInvoke(Document):
    """A call of a tool that the suite hosts; also the call about which a hook is asked."""

    run_id: Text
    call_id: Text
    tool: Text
    args: JsonObject


class ToolInvokeAnswer(Document):
    """What the tool returned."""

    output: JsonValue
    observed: Given[Effects] = None


class ToolFailure(Document):
    """What the tool reported instead."""

    code: Text
    message: str
    retryable: Given[bool] = None
    details: Given[JsonObject] = None
    observed: Given[Effects] = None


class ToolAbort(Document):
    """A call that is over for the system."""

    run_id: Text
    call_id: Text
    reason: Literal["timeout", "cancelled"]


class ToolProgress(Document):
    """A sign of life of an open call."""

    run_id: Text
    call_id: Text
    message: Given[str] = None
    payload: Given[JsonObject] = None


class HookVerdict(Document):
    """A hook that lets a call pass, or blocks it."""

    action: Literal["continue", "block"]
    args: Refused = None
    reason: Given[str] = None


class HookModification(Document):
    """A hook that changes the args."""

    action: Literal["modify"]
    args: JsonObject
    reason: Given[str] = None


HookBeforeAnswer: TypeAlias = Annotated[HookVerdict | HookModification, Field(discriminator="action")]
