"""Laws of what a tool returned: that it is what its call ends with, and what the message of the call holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import interfered, is_let_go
from callproof.protocols.agent_loop.arguments import came_whole
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, message_of
from callproof.protocols.agent_loop.envelopes import envelope_in, hold
from callproof.protocols.agent_loop.forms import (
    AFTER_HOOK,
    MESSAGE_END,
    PERSIST_HOOK,
    TOOL_RETURNED,
    Moment,
)
from callproof.protocols.agent_loop.schemas import declared
from callproof.protocols.parts import object_of, objects_of
from callproof.values.doubles import alike
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object


def _returned(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls whose tool returned what the log tells, with that and what tells what came of it."""
    for call in loop.calls:
        returned = [each for each in call.probes(TOOL_RETURNED)[:1] if "content" in each.value]
        if returned and not call.shares_its_id:
            came = (each for each in _became(call) if each.at > returned[0].at and not is_let_go(loop, call, each))
            yield from ((call, returned[0], each) for each in came)


def _became(call: Call) -> list[Moment]:
    """What tells what came of a tool: an after-hook, or else the end; a message that a hook may rewrite does not."""
    told = [each for each in (*call.probes(AFTER_HOOK), *call.ends) if "result" in each.value]
    return (told or ([] if call.probes(PERSIST_HOOK) else call.results))[:1]


@LAWS.check("HOST-24", each=_returned, needs=("probes", "driver"))
def a_call_ends_with_what_its_tool_returned(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """Every text that a tool returned, and its details, are in what came of it; what hooks change is HOST-04's."""
    call, returned, end = told
    lost = lost_of(returned.value, message_of(end) if end.kind == MESSAGE_END else end.inner("result"))
    if lost:
        yield Finding(
            f"the tool of {call.named} returned other {' and other '.join(lost)} than came of it",
            "every text that the tool returned, and its details",
            (returned.witness("T"), end.witness("E")),
        )


def _kept(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls whose tool returned in time, with their end, and the message that no persist hook was asked about."""
    for call in loop.calls:
        if not call.shares_its_id and not call.probes(PERSIST_HOOK) and returned_in_time(call):
            yield from ((call, call.ends[0], each) for each in call.results[:1])


@LAWS.check("HOST-24", each=_kept, needs=("probes", "executions", "driver"))
def a_message_has_what_its_call_ended_with(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """Every text and the details with which a call ended are in its message."""
    call, end, result = told
    lost = lost_of(end.inner("result"), message_of(result))
    if lost:
        yield Finding(
            f"{call.named} ended with other {' and other '.join(lost)} than its message has",
            "what the call ended with",
            (end.witness("E"), result.witness("R")),
        )


def _well(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """
    Calls whose tool had what it asks for and returned no envelope, with that, and with what tells what came of it.

    Where the user meddled, a loop may have let go what was returned; what comes behind an after-hook is HOST-04's.
    """
    for call, schema in declared(loop):
        asked = schema.accepts(call.block.get("arguments")) and came_whole(call) and not call.shares_its_id
        for returned in call.probes(TOOL_RETURNED)[:1] if asked and not interfered(loop, call) else ():
            if objects_of(returned.value.get("content")) and envelope_in(returned.value, call.tool) is None:
                told = call.probes(AFTER_HOOK)[:1] or (*call.ends[:1], *(() if call.is_rewritten else call.results[:1]))
                yield from ((call, returned, each) for each in told if each.at > returned.at)


@LAWS.check("HOST-24", each=_well, needs=("probes", "driver"))
def what_was_returned_is_no_failure(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """A call whose tool returned, and did not say that it failed, is not told as a failure."""
    call, returned, end = told
    if (message_of(end) if end.kind == MESSAGE_END else end.value).get("isError") is True:
        yield Finding(
            f"the tool of {call.named} returned, and the call has isError true",
            "isError false: a tool fails by throwing, or by the envelope of a failure",
            (returned.witness("T"), end.witness("E")),
        )


def returned_in_time(call: Call) -> bool:
    """Whether a tool returned before its call ended."""
    returned = call.probes(TOOL_RETURNED)[:1]
    return bool(returned and call.ends) and returned[0].at < call.ends[0].at


def lost_of(wanted: Mapping[str, Json], had: Mapping[str, Json]) -> list[str]:
    """What of content and details is not in what became of them."""
    lost = [] if hold(had.get("content"), wanted.get("content")) else ["text"]
    if not _are_of(had.get("content"), wanted.get("content")):
        lost.append("images")
    if not _holds(had.get("details"), wanted.get("details")):
        lost.append("details")
    return lost


def _are_of(had: Json, wanted: Json) -> bool:
    """Whether all images in some content are those that were returned, as far as they have the format of one."""
    data: dict[str, list[Json]] = {}
    for each in objects_of(wanted):
        if each.get("type") == "image":
            data.setdefault(str(each.get("mimeType")), []).append(each.get("data"))
    told = (each for each in objects_of(had) if each.get("type") == "image" and str(each.get("mimeType")) in data)
    return all(each.get("data") in data[str(each.get("mimeType"))] for each in told)


def _holds(details: Json, wanted: Json) -> bool:
    """Whether details have all that they should; a loop may have added members of its own."""
    if is_object(wanted):
        had = object_of(details)
        return all(name in had and alike(had[name], each) for name, each in wanted.items())
    return wanted is None or alike(details, wanted)
