"""The models of every message of ``spec/loop-adapter.md``: params and answers."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import JsonValue

from callproof.models.adapter_messages import Implementation, ProtocolVersion, SuiteIdentity, WireLimits
from callproof.models.members import Array, Count, Document, Given, JsonObject, Refused, Text

StopReason: TypeAlias = Literal["stop", "length", "toolUse"]


class LoopInitialize(Document):
    """The first request, to a loop."""

    protocol: Literal["agent-loop"]
    protocol_version: ProtocolVersion
    suite: SuiteIdentity
    limits: WireLimits


class LoopClaims(Document):
    """What a loop says that it does."""

    features: Array[str]


class LoopInitializeAnswer(Document):
    """The answer of a loop to the first request."""

    protocol: Literal["agent-loop"]
    protocol_version: ProtocolVersion
    implementation: Implementation
    claims: LoopClaims


class OfferedTool(Document):
    """A tool that the model may call."""

    name: Text
    description: str
    parameters: JsonObject
    host: Given[Literal["suite", "client"]] = None


class LoopStart(Document):
    """A case to play."""

    prompt: str
    tools: Array[OfferedTool]
    mode: Literal["parallel", "sequential"]
    hooks: Array[Literal["before", "after", "persist"]]
    streamed: bool


class LoopSteer(Document):
    """What the user writes in the middle of a run."""

    text: str


class GivenMessage(Document):
    """A message that the model is given."""

    role: str
    content: JsonValue = None


class ModelCall(Document):
    """The request to the model for a reply."""

    messages: Array[GivenMessage]


class ReplyBlock(Document):
    """A text or a call; the other members of either are kept too."""

    id: Given[Text] = None
    name: Given[Text] = None


class ReplyMessage(Document):
    """A reply in one piece."""

    role: Literal["assistant"]
    content: Array[ReplyBlock]
    stop_reason: StopReason


class ReplyPiece(Document):
    """A piece of a reply."""

    type: Literal["text", "toolcall_start", "toolcall_delta", "toolcall_end"]
    content_index: Count
    text: Given[str] = None
    id: Given[Text] = None
    name: Given[Text] = None
    delta: Given[str] = None


class WholeReply(Document):
    """What the model replies, in one piece."""

    message: ReplyMessage
    pieces: Refused = None


class StreamedReply(Document):
    """What the model replies, in pieces."""

    message: Refused = None
    stop_reason: StopReason
    pieces: Array[ReplyPiece]


ModelCallAnswer: TypeAlias = WholeReply | StreamedReply


class EnteredTool(Document):
    """A tool that a loop enters; also the call about which the hook before it is asked."""

    tool_call_id: Text
    tool_name: Text
    params: JsonValue


class ToolOutput(Document):
    """What a tool returned, or what a hook made of it."""

    content: Array[JsonObject]
    details: JsonValue = None


class PartialResult(Document):
    """The part of a result that exists so far."""

    content: Array[JsonObject]


class ToolUpdate(Document):
    """What a tool tells while it runs."""

    tool_call_id: Text
    partial_result: PartialResult


class CallReference(Document):
    """A call, by its id alone."""

    tool_call_id: Text


class HookBeforeSays(Document):
    """What the hook before a call says."""

    block: Given[bool] = None
    reason: Given[str] = None
    params: Given[JsonObject] = None


class HookAfter(Document):
    """What the hook after a call is told."""

    tool_call_id: Text
    tool_name: Text
    result: JsonObject
    is_error: bool


class HookPersist(Document):
    """A result message that the hook may rewrite."""

    message: CallReference


class HookPersistAnswer(Document):
    """What the hook makes of it."""

    message: Given[ToolOutput] = None


class ToldEvent(Document):
    """An event of a run."""

    type: Text


class LoopEvent(Document):
    """An event, when it happens."""

    event: ToldEvent
