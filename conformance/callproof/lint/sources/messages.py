"""The messages of MCP that a client needs to ask for a list of tools, written and read one at a time.

Read as leniently as JSON allows: the rules judge what a definition holds, and they find
a member named twice or a huge number.  This module knows nothing about transports.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from callproof import __version__, limits
from callproof.values.jsontext import Json, write_json
from callproof.values.jsonvalue import is_object

# The revision that this client asks for; a server answers with the one that it speaks.
REVISION = "2025-11-25"
# From this revision on there is no initialize: every request says what initialize said once.
STATELESS_REVISION = "2026-07-28"
METHOD_NOT_FOUND = -32601
_CLIENT: Mapping[str, Json] = {"name": "callproof", "version": __version__}


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the server: its ``text`` as it was sent, and the members that a client looks at."""

    text: str
    id: Json
    method: str | None
    result: Mapping[str, Json] | None
    error: Mapping[str, Json] | None

    @property
    def error_code(self) -> Json:
        """The code of its error, if it is an error."""
        return None if self.error is None else self.error.get("code")

    @property
    def error_text(self) -> str:
        """Its error in a few words."""
        error = self.error or {}
        return f"error {write_json(error.get('code'))}: {error.get('message')!r}"


class TooDeep(ValueError):
    """A message is nested so deeply that it cannot be read."""


def read_message(line: bytes) -> Message | None:
    """
    The message in these bytes; None if they hold none.

    Raises TooDeep, and nothing else.
    """
    try:
        text = line.decode("utf-8")
        value: Json = json.loads(text, parse_int=_integer)
    except RecursionError:
        raise TooDeep("a message is nested too deeply to be read") from None
    except ValueError:
        return None
    if not is_object(value) or "jsonrpc" not in value:
        return None
    method, result, error = value.get("method"), value.get("result"), value.get("error")
    return Message(
        text=text,
        id=value.get("id"),
        method=method if isinstance(method, str) else None,
        result=result if is_object(result) else None,
        error=error if is_object(error) else None,
    )


def write_message(message: Mapping[str, Json]) -> bytes:
    """The message as UTF-8 text without a line end."""
    return write_json({"jsonrpc": "2.0", **message}).encode("utf-8")


def opening() -> Mapping[str, Json]:
    """What ``initialize`` says about this client: it has no capabilities."""
    return {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": _CLIENT}


def stateless() -> Mapping[str, Json]:
    """The ``_meta`` with which a request of the stateless revision says the same."""
    prefix = "io.modelcontextprotocol/"
    return {
        f"{prefix}protocolVersion": STATELESS_REVISION,
        f"{prefix}clientInfo": _CLIENT,
        f"{prefix}clientCapabilities": {},
    }


def _integer(digits: str) -> int:
    # Only small numbers matter here, and the interpreter refuses the longest ones.
    return int(digits) if len(digits) <= limits.DIGITS else 0
