"""What a tool result says about itself: an envelope of the status error, blocked or pending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from callproof.protocols.agent_loop.calls import Call, Loop, message_of
from callproof.protocols.agent_loop.forms import Moment
from callproof.protocols.parts import object_of, objects_of
from callproof.schema.validator import shape_validator
from callproof.values.jsontext import Json, NotStrictJson, read_json

STATUSES: Final = ("error", "blocked", "pending")


@dataclass(frozen=True, slots=True, eq=False)
class Envelope:
    """One envelope: its status, the tool that it names, and the member of the message that holds it."""

    status: str
    tool: Json
    where: str


def envelope_of(moment: Moment, tool: str | None) -> Envelope | None:
    """
    The envelope of a tool result message; None if it has none, so that its details and text are the tool's own.

    ``tool`` is the tool of its call, which counts if the message itself names none.
    """
    message = message_of(moment)
    return envelope_in(message, message.get("toolName", tool))


def envelope_in(told: Mapping[str, Json], tool: Json) -> Envelope | None:
    """The envelope in content or details (of a message or an output) for a call of a tool; None if there is none."""
    return next(_envelopes(told, tool), None)


def is_pending(moment: Moment, tool: str | None) -> bool:
    """Whether a tool result message says that the result is still to come."""
    found = envelope_of(moment, tool)
    return found is not None and found.status == "pending"


def is_put_off(loop: Loop, call: Call) -> bool:
    """Whether a result of a call said that a client carries it out, or a hook may have rewritten such a result."""
    of_client = loop.declared.get(str(call.tool), {}).get("host") == "client"
    return any(is_pending(each, call.tool) for each in call.results) or (of_client and call.is_rewritten)


def texts_of(value: Json) -> tuple[str, ...]:
    """The texts of the blocks of some content."""
    return tuple(
        text for each in objects_of(value) if each.get("type") == "text" and isinstance(text := each.get("text"), str)
    )


def hold(said: Json, wanted: Json) -> bool:
    """Whether the texts of some content contain those of another, in their order; other text may stand between them."""
    whole, at = "\n".join(texts_of(said)), 0
    for each in texts_of(wanted):
        found = whole.find(each, at)
        if found < 0:
            return False
        at = found + len(each)
    return True


def _envelopes(message: Mapping[str, Json], tool: Json) -> Iterator[Envelope]:
    details = object_of(message.get("details"))
    if _is_envelope(details):
        yield Envelope(str(details["status"]), details.get("tool"), "details")
    texts = texts_of(message.get("content"))
    told = object_of(_object_in(texts[0]) if len(texts) == 1 else None)
    # A tool may print any JSON: it is an envelope only if it names the tool.
    if _is_envelope(told) and isinstance(told.get("tool"), str) and told.get("tool") == tool:
        yield Envelope(str(told["status"]), told.get("tool"), "content")


def _is_envelope(value: Mapping[str, Json]) -> bool:
    status = value.get("status")
    return status in STATUSES and shape_validator(f"protocols/agent-loop-{status}").accepts(value)


def _object_in(text: str) -> Json:
    if not text.lstrip().startswith("{") or '"status"' not in text:
        return None
    try:
        return read_json(text.encode("utf-8", "surrogatepass"))
    except NotStrictJson:
        return None
