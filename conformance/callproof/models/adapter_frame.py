"""The models of a frame on the wire: a request or notification, an answer, a failure."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import JsonValue

from callproof.models.members import Document, Given, Integer, JsonObject, Refused, Text


class FrameError(Document):
    """Why a request was not answered."""

    code: Integer
    message: str
    data: JsonValue = None


class _Frame(Document):
    jsonrpc: Literal["2.0"]
    params: Given[JsonObject] = None


class Request(_Frame):
    """A request, or a notification if it has no id."""

    id: Given[str | Integer] = None
    method: Text
    result: Refused = None
    error: Refused = None


class Answer(_Frame):
    """The result of a request."""

    id: str | Integer
    method: Refused = None
    result: JsonObject
    error: Refused = None


class Failure(_Frame):
    """The refusal of a request, or of a frame that had no readable id."""

    id: str | Integer | None
    method: Refused = None
    result: Refused = None
    error: FrameError


Frame: TypeAlias = Request | Answer | Failure
