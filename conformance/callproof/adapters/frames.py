"""One line of the wire, and what kind of message it is.  Does not know about methods or processes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum

from callproof.schema.validator import SchemaFault, shape_validator
from callproof.values.jsontext import Json, NotStrictJson, read_json, write_json
from callproof.values.jsonvalue import is_object


class Kind(Enum):
    """The four kinds of message."""

    REQUEST = "a request"
    NOTIFICATION = "a notification"
    RESULT = "a result"
    ERROR = "an error"


class NoMessage(ValueError):
    """A line that is no message of JSON-RPC at all; ``reason`` continues *a line that …*."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class BadFrame(ValueError):
    """A message of JSON-RPC, but out of the frame's shape."""

    def __init__(self, kind: Kind, message: Mapping[str, Json], fault: SchemaFault) -> None:
        super().__init__(str(fault))
        self.kind = kind
        self.message = message
        self.fault = fault


def write_frame(message: Mapping[str, Json]) -> bytes:
    """The message as one line with its LF."""
    return write_json({"jsonrpc": "2.0", **message}).encode("utf-8") + b"\n"


def write_answer(message: Mapping[str, Json]) -> bytes:
    """The same for what a tool returned: half a character, which it may contain, becomes its escape (RES-22)."""
    try:
        return write_frame(message)
    except UnicodeEncodeError:
        text = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":"), allow_nan=False)
        return text.encode("ascii") + b"\n"


def read_frame(line: bytes) -> tuple[Kind, Mapping[str, Json]]:
    """
    The message on one line, given without its LF.

    Raises NoMessage for text that is no message, BadFrame for a message that is misshapen.
    """
    try:
        message = read_json(line)
    except NotStrictJson as error:
        raise NoMessage(error.reason if error.fault == "empty" else f"is not strict JSON: {error.reason}") from None
    if not is_object(message) or message.get("jsonrpc") != "2.0":
        raise NoMessage('is JSON but not a JSON-RPC message: "jsonrpc": "2.0" is missing')
    kind = _kind(message)
    faults = shape_validator("adapter/frame").errors(message)
    if faults:
        raise BadFrame(kind, message, faults[0])
    return kind, message


def _kind(message: Mapping[str, Json]) -> Kind:
    if "method" in message:
        return Kind.REQUEST if "id" in message else Kind.NOTIFICATION
    if "error" in message:
        return Kind.ERROR
    if "result" in message:
        return Kind.RESULT
    raise NoMessage("is JSON but not a JSON-RPC message: it has neither method nor result nor error")
