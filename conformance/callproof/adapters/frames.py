"""One line of the wire, and what kind of message it is.  Knows no method and no process."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import Enum

from callproof.schema.validator import SchemaFault, shape_validator
from callproof.values.jsontext import Json, NotStrictJson, read_json, write_json
from callproof.values.jsonvalue import is_array, is_object

# What stands for an infinity until the text is made, and then.
_INFINITE = "\0infinite\0"
_TOO_LARGE = "1e999"


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

    def __init__(self, kind: Kind, fault: SchemaFault) -> None:
        super().__init__(str(fault))
        self.kind = kind
        self.fault = fault


def write_frame(message: Mapping[str, Json]) -> bytes:
    """The message as one line with its LF."""
    return write_json({"jsonrpc": "2.0", **message}).encode("utf-8") + b"\n"


def write_answer(message: Mapping[str, Json]) -> bytes:
    """
    The same for what a tool returned, which may be what JSON cannot hold (RES-22).

    An infinity becomes a number that is too large to be read, a lone surrogate its escape.  Raises ValueError for NaN.
    """
    try:
        return write_frame(message)
    except ValueError:
        marked = _marked({"jsonrpc": "2.0", **message})
        text = json.dumps(marked, separators=(",", ":"), allow_nan=False)
        return text.replace(json.dumps(_INFINITE), _TOO_LARGE).encode("ascii") + b"\n"


def _marked(value: Json) -> Json:
    if isinstance(value, float) and math.isinf(value):
        return _INFINITE
    if is_object(value):
        return {name: _marked(inner) for name, inner in value.items()}
    return [_marked(inner) for inner in value] if is_array(value) else value


def read_frame(line: bytes) -> tuple[Kind, Mapping[str, Json]]:
    """
    The message on one line, its LF left off.

    Raises NoMessage for text that is no message, BadFrame for a message that is misshapen.
    """
    try:
        message = read_json(line)
    except NotStrictJson as error:
        raise NoMessage(f"is no strict JSON: {error.reason}") from None
    if not is_object(message) or message.get("jsonrpc") != "2.0":
        raise NoMessage('is JSON but no JSON-RPC message: "jsonrpc": "2.0" is missing')
    kind = _kind(message)
    faults = shape_validator("adapter/frame").errors(message)
    if faults:
        raise BadFrame(kind, faults[0])
    return kind, message


def _kind(message: Mapping[str, Json]) -> Kind:
    if "method" in message:
        return Kind.REQUEST if "id" in message else Kind.NOTIFICATION
    if "error" in message:
        return Kind.ERROR
    if "result" in message:
        return Kind.RESULT
    raise NoMessage("is JSON but no JSON-RPC message: it has neither method nor result nor error")
