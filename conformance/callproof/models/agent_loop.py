"""The models of ``spec/protocols/agent-loop.md``."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue

from callproof.models.members import Array, Document, Given, JsonObject, Number, Text


class LoopCall(Document):
    """A block of a reply that asks for a tool."""

    type: Literal["toolCall"]
    id: Text
    name: Text
    arguments: JsonObject


class LoopText(Document):
    """A block of content that is a text."""

    type: Literal["text"]
    text: str


class LoopImage(Document):
    """A block of content that is an image."""

    type: Literal["image"]
    data: str
    mime_type: Text


LoopContent: TypeAlias = Annotated[Array[LoopText | LoopImage], Field(min_length=1)]


class LoopOutput(Document):
    """What a tool returns, and an end event tells."""

    content: LoopContent
    details: JsonValue = None


class LoopResult(Document):
    """What the model is told of a call."""

    role: Literal["toolResult"]
    tool_call_id: Text
    tool_name: Text
    content: LoopContent
    details: JsonValue = None
    is_error: bool
    timestamp: Number


class LoopStart(Document):
    """A call is begun."""

    type: Literal["tool_execution_start"]
    tool_call_id: Text
    tool_name: Text
    args: JsonValue


class LoopUpdate(Document):
    """A tool tells its progress."""

    type: Literal["tool_execution_update"]
    tool_call_id: Text
    tool_name: Text
    partial_result: JsonObject


class LoopEnd(Document):
    """A call came to its end."""

    type: Literal["tool_execution_end"]
    tool_call_id: Text
    tool_name: Text
    result: JsonValue = None
    is_error: bool


class LoopError(Document):
    """The envelope of a call that failed."""

    status: Literal["error"]
    tool: Text
    error: str


class LoopBlocked(Document):
    """The envelope of a call that a before-hook blocked."""

    status: Literal["blocked"]
    tool: Given[Text] = None
    reason: str


class LoopPending(Document):
    """The envelope of a call that a client carries out."""

    status: Literal["pending"]
    tool: Text
    message: str
