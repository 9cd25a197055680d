"""The models of ``spec/protocols/agent-loop.md``."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, JsonValue

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
    """What a tool returns, and what an end event tells."""

    content: LoopContent
    details: JsonValue = None


class LoopResult(Document):
    """What the model is told about a call."""

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


class Foreign(Document):
    """A shape of a model's interface: its members are spelt in snake case, and null means the same as absent."""

    model_config = ConfigDict(alias_generator=None)


class LoopToolUse(Foreign):
    """A call in messages of Anthropic's interface, and in a session of Claude Code."""

    type: Literal["tool_use"]
    id: Text
    name: Text
    input: JsonObject


class LoopToolResult(Foreign):
    """A result in messages of Anthropic's interface, and in a session of Claude Code."""

    type: Literal["tool_result"]
    tool_use_id: Text
    content: str | Array[JsonObject] | None = None
    is_error: bool | None = None


class LoopFunctionCall(Foreign):
    """A call of a function in items of Responses."""

    type: Literal["function_call"]
    call_id: Text
    name: Text
    arguments: str


class LoopCustomCall(Foreign):
    """A call in items of Responses whose input is a text in a language of its own."""

    type: Literal["custom_tool_call"]
    call_id: Text
    name: Text
    input: str


class LoopOutputItem(Foreign):
    """A result in items of Responses."""

    type: Literal["function_call_output", "custom_tool_call_output"]
    call_id: Text
    output: str | Array[JsonObject]


class LoopChatFunction(Foreign):
    """The function that a call in messages of Chat Completions calls."""

    name: Text
    arguments: str | JsonObject


class LoopChatCall(Foreign):
    """A call of a function in messages of Chat Completions."""

    id: Text
    function: LoopChatFunction


class LoopChatResult(Foreign):
    """A result in messages of Chat Completions."""

    role: Literal["tool"]
    tool_call_id: Text
    content: str | Array[JsonObject]


class LoopChainCall(Foreign):
    """A call in messages of LangChain."""

    id: Text
    name: Text
    args: JsonObject


class LoopChainResult(Foreign):
    """A result in messages of LangChain."""

    type: Literal["tool", "ToolMessageChunk"]
    tool_call_id: Text
    content: str | Array[str | JsonObject]
    status: Given[Literal["success", "error"]] = None


class LoopConverseUse(Document):
    """A call in messages of Converse."""

    tool_use_id: Text
    name: Text
    input: JsonObject


class LoopConverseResult(Document):
    """A result in messages of Converse."""

    tool_use_id: Text
    content: Array[JsonObject]
    status: Given[Literal["success", "error"]] = None


class LoopSdkCall(Document):
    """A call in messages of the AI SDK."""

    type: Literal["tool-call"]
    tool_call_id: Text
    tool_name: Text
    input: JsonObject


class LoopSdkOutput(Document):
    """The part of a result in messages of the AI SDK that is for the model."""

    type: Text


class LoopSdkResult(Document):
    """A result in messages of the AI SDK."""

    type: Literal["tool-result"]
    tool_call_id: Text
    tool_name: Text
    output: LoopSdkOutput


class LoopGeminiCall(Foreign):
    """A call in contents of Gemini's interface, which need not have an id."""

    id: Text | None = None
    name: Text
    args: JsonObject | None = None


class LoopGeminiResponse(Foreign):
    """A result in contents of Gemini's interface."""

    id: Text | None = None
    name: Text
    response: JsonObject


class LoopOtelCall(Foreign):
    """A call in messages of OpenTelemetry."""

    type: Literal["tool_call"]
    id: Text
    name: Text
    arguments: JsonObject | str | None = None


class LoopOtelResponse(Foreign):
    """A result in messages of OpenTelemetry."""

    type: Literal["tool_call_response"]
    id: Text


class LoopPydanticCall(Foreign):
    """A call in messages of pydantic-ai."""

    part_kind: Literal["tool-call"]
    tool_call_id: Text
    tool_name: Text
    args: JsonObject | str | None = None


class LoopPydanticReturn(Foreign):
    """A result in messages of pydantic-ai."""

    part_kind: Literal["tool-return", "retry-prompt"]
    tool_call_id: Text
    tool_name: Text
    content: JsonValue
    outcome: Text | None = None
