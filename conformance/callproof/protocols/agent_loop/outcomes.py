"""Laws of what a tool returned: its call ends with that, and the message of the call contains it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import interfered, is_let_go
from callproof.protocols.agent_loop.arguments import came_whole
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, message_of
from callproof.protocols.agent_loop.envelopes import envelope_in, texts_of
from callproof.protocols.agent_loop.forms import (
    AFTER_HOOK,
    MESSAGE_END,
    PERSIST_HOOK,
    TOOL_RETURNED,
    Moment,
)
from callproof.protocols.agent_loop.schemas import declared
from callproof.protocols.parts import first_listed, object_of, objects_of
from callproof.values.doubles import differences
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

# No more differing places of details are looked for than are shown.
_MOST: Final = 6


def _returned(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls whose tool returned what the log tells, with the return and the moment that tells what came of it."""
    for call in loop.calls:
        returned = [each for each in call.probes(TOOL_RETURNED)[:1] if "content" in each.value]
        if returned and not call.shares_its_id:
            came = (each for each in _became(call) if each.at > returned[0].at and not is_let_go(loop, call, each))
            yield from ((call, returned[0], each) for each in came if not call.is_left_to_the_loop(each))


def _became(call: Call) -> list[Moment]:
    """The moment that tells what came of a tool: after-hook, or else the end; not a message that a hook may rewrite."""
    told = [each for each in (*call.probes(AFTER_HOOK), *call.ends) if "result" in each.value]
    return (told or ([] if call.probes(PERSIST_HOOK) else call.results))[:1]


@LAWS.check("HOST-24", each=_returned, needs=("probes", "driver"))
def a_call_ends_with_what_its_tool_returned(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """Every text that a tool returned, and its details, are in what came of it; HOST-04 handles what hooks change."""
    call, returned, end = told
    lost = lost_of(returned.value, message_of(end) if end.kind == MESSAGE_END else end.inner("result"))
    if lost:
        yield Finding(
            f"{call.named} ended without {first_listed(lost)} of what its tool returned",
            "every text that the tool returned, and its details",
            (returned.witness("T"), end.witness("E")),
        )


def _kept(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls whose tool returned in time, with their end and their message, if no persist hook was asked about it."""
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
            f"the message of {call.named} does not have {first_listed(lost)} of what the call ended with",
            "what the call ended with",
            (end.witness("E"), result.witness("R")),
        )


def _well(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """
    Calls whose tool got lawful arguments and returned no envelope, with the return and what tells what came of it.

    If the user interfered, a loop may have dropped what was returned; HOST-04 handles what comes after an after-hook.
    """
    for call, schema in declared(loop):
        asked = schema.accepts(call.block.get("arguments")) and came_whole(call) and not call.shares_its_id
        for returned in call.probes(TOOL_RETURNED)[:1] if asked and not interfered(loop, call) else ():
            if objects_of(returned.value.get("content")) and envelope_in(returned.value, call.tool) is None:
                told = call.probes(AFTER_HOOK)[:1] or (*call.ends[:1], *(() if call.is_rewritten else call.results[:1]))
                came = (each for each in told if each.at > returned.at and not call.is_left_to_the_loop(each))
                yield from ((call, returned, each) for each in came)


@LAWS.check("HOST-24", each=_well, needs=("probes", "driver"))
def what_was_returned_is_no_failure(_loop: Loop, told: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """A call is not told as a failure if its tool returned and did not say that it failed."""
    call, returned, end = told
    if (message_of(end) if end.kind == MESSAGE_END else end.value).get("isError") is True:
        yield Finding(
            f"the tool of {call.named} returned, but the call has isError true",
            "isError false: a tool fails by throwing, or by the envelope of a failure",
            (returned.witness("T"), end.witness("E")),
        )


def returned_in_time(call: Call) -> bool:
    """Whether a tool returned before its call ended."""
    returned = call.probes(TOOL_RETURNED)[:1]
    return bool(returned and call.ends) and returned[0].at < call.ends[0].at


def lost_of(wanted: Mapping[str, Json], had: Mapping[str, Json]) -> list[str]:
    """The places in ``wanted`` whose content or details are missing from ``had``."""
    content = [*_lost_texts(had.get("content"), wanted.get("content"))]
    content += _lost_images(had.get("content"), wanted.get("content"))
    return [*content, *islice(_lost_details(had.get("details"), wanted.get("details")), _MOST)]


def _lost_texts(had: Json, wanted: Json) -> Iterator[str]:
    """The first text of ``wanted`` that ``had`` does not contain after the texts before it."""
    whole, after = "\n".join(texts_of(had)), 0
    for at, block in enumerate(objects_of(wanted)):
        for each in texts_of([block]):
            found = whole.find(each, after)
            if found < 0:
                yield f"/content/{at}/text"
                return
            after = found + len(each)


def _lost_images(had: Json, wanted: Json) -> Iterator[str]:
    """The first image of a format in ``wanted``, if ``had`` has an image of that format that was not returned."""
    data: dict[str, list[Json]] = {}
    for at, each in enumerate(objects_of(wanted)):
        if each.get("type") == "image":
            data.setdefault(str(each.get("mimeType")), [at]).append(each.get("data"))
    for each in objects_of(had):
        if each.get("type") == "image" and str(each.get("mimeType")) in data:
            first, *known = data[str(each.get("mimeType"))]
            if each.get("data") not in known:
                yield f"/content/{first}/data"
                return


def _lost_details(details: Json, wanted: Json) -> Iterator[str]:
    """The places where details differ from what they should be; a loop may have added members of its own."""
    if is_object(wanted):
        had = object_of(details)
        yield from differences(wanted, {name: had[name] for name in wanted if name in had}, "/details")
    elif wanted is not None:
        yield from differences(wanted, details, "/details")
