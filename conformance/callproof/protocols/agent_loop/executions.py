"""Laws of executions: the order of events, their ids, and what a cut output has to say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise

from callproof.checks.check import Finding, excerpt
from callproof.protocols.agent_loop.arguments import came_whole
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, Stray, message_of
from callproof.protocols.agent_loop.envelopes import texts_of
from callproof.protocols.agent_loop.forms import (
    AFTER_HOOK,
    AFTERWARDS,
    BEFORE_HOOK,
    EXECUTIONS,
    MESSAGE_END,
    PERSIST_HOOK,
    TOOL_CALLED,
    Moment,
)
from callproof.protocols.parts import object_of
from callproof.protocols.shapes import FEW, all_told, faults_of
from callproof.values.doubles import alike
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

_SHAPES = {event: event.removeprefix("tool_execution_") for event in EXECUTIONS}


def _carried_out(loop: Loop) -> Iterator[Call]:
    """Calls that were begun, entered, ended or answered."""
    told = ((each, (*each.starts, *each.ends, *each.results, *each.probes(TOOL_CALLED))) for each in loop.calls)
    yield from (call for call, moments in told if moments)


@LAWS.check("HOST-02", each=_carried_out, needs=("executions",))
def a_call_starts_once_and_ends_once(_loop: Loop, call: Call) -> Iterator[Finding]:
    """A call that was carried out has one start and one end."""
    for what, found in (("start", call.starts), ("end", call.ends)):
        if len(found) > 1:
            yield Finding(
                f"{call.named} has {len(found)} {what} events",
                "one",
                (found[0].witness("E1"), found[1].witness("E2")),
            )
    if not call.starts:
        other = (*call.ends, *call.results, *call.probes(TOOL_CALLED))[0]
        yield Finding(f"{call.named} has no start event", "one, before all else", (call.asked(), other.witness("E")))
    if call.starts and not call.ends and (call.results or call.closed):
        yield Finding(
            f"{call.named} has no end event",
            "one, before its result message",
            (call.starts[0].witness("S"), *(each.witness("R") for each in call.results[:1])),
        )


@LAWS.check("HOST-02", each=_carried_out, needs=("executions",))
def start_end_and_message_come_in_order(_loop: Loop, call: Call) -> Iterator[Finding]:
    """The start comes before the end, and the end before the result message."""
    told = (("start", call.starts[:1]), ("end", call.ends[:1]), ("result message", call.results[:1]))
    yield from _disorder(call, [each for each in told if each[1]])


def _started(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Calls with an id of their own and whole arguments, with their start."""
    for call in loop.calls:
        if not call.shares_its_id and is_object(call.block.get("arguments")) and came_whole(call):
            yield from ((call, each) for each in call.starts[:1] if "args" in each.value)


@LAWS.check("HOST-02", each=_started, needs=("executions",))
def a_start_tells_what_was_asked_for(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """The start event has the arguments of the call, as the model gave them."""
    call, start = pair
    if not alike(start.value["args"], call.block["arguments"]):
        yield Finding(
            f"the start of {call.named} has other arguments than the call",
            "the arguments as the model gave them",
            (call.asked(), start.witness("S")),
        )


def _watched(loop: Loop) -> Iterator[Call]:
    """Calls with a start or an end, and with hooks or a tool that were seen."""
    hooks = (BEFORE_HOOK, TOOL_CALLED, AFTER_HOOK, PERSIST_HOOK)
    yield from (each for each in loop.calls if (each.starts or each.ends) and any(map(each.probes, hooks)))


@LAWS.check("HOST-02", each=_watched, needs=("executions", "probes"))
def hooks_and_tool_lie_between_start_and_end(_loop: Loop, call: Call) -> Iterator[Finding]:
    """The start comes before the hook, the hook before the tool, then the hooks afterwards, and the end last."""
    told = (
        ("start", call.starts[:1]),
        ("before-hook", call.probes(BEFORE_HOOK)),
        ("tool", call.probes(TOOL_CALLED)),
        ("after-hook", call.probes(AFTER_HOOK)),
        ("persist hook", call.probes(PERSIST_HOOK)),
        ("end", call.ends[:1]),
    )
    yield from _disorder(call, [each for each in told if each[1]])


def _disorder(call: Call, due: list[tuple[str, list[Moment]]]) -> Iterator[Finding]:
    """What came too early: several hooks of one kind all come before the next kind."""
    for (first, ones), (second, others) in pairwise(due):
        if ones[-1].at > others[0].at:
            yield Finding(
                f"the {second} of {call.named} came before its {first}",
                f"the {first} before the {second}",
                (others[0].witness("E1"), ones[-1].witness("E2")),
            )


def _events(loop: Loop) -> Iterator[Moment]:
    """Every start, update and end."""
    yield from (each for each in loop.moments if each.kind in EXECUTIONS)


@LAWS.check("HOST-02", each=_events, needs=("executions",))
def an_event_has_its_shape(_loop: Loop, event: Moment) -> Iterator[Finding]:
    """An execution event has its members; another law checks what a tool returned."""
    faults = faults_of(event.value, f"agent-loop-{_SHAPES[event.kind]}", FEW)
    if faults:
        yield Finding(
            f"a {event.kind} has the wrong shape: {all_told(faults)}",
            f"the shape protocols/agent-loop-{_SHAPES[event.kind]}",
            (event.witness("E"),),
        )


def _named(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Everything between start and end that names a tool, with its call."""
    for call in loop.calls:
        kinds = (*EXECUTIONS, TOOL_CALLED, BEFORE_HOOK, AFTER_HOOK)
        yield from ((call, each) for kind in kinds for each in call.told.get(kind, []))


@LAWS.check("HOST-07", each=_named)
def what_tells_of_a_call_names_its_tool(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """An event or a deed under the id of a call names the call's tool."""
    call, moment = pair
    name = moment.value.get("tool" if moment.text("probe") else "toolName")
    if isinstance(name, str) and name != call.tool:
        yield Finding(
            f"a {moment.text('probe') or moment.kind} under the id of {call.named} names the tool {excerpt(name)}",
            f"the tool {excerpt(call.tool)}",
            (call.asked(), moment.witness("E")),
        )


def _stray_events(loop: Loop) -> Iterator[Stray]:
    """Events and deeds that name no call; what a tool did after its entry, only where the whole log was driven."""
    for each in loop.strays:
        is_later = each.moment.text("probe") in AFTERWARDS
        if each.moment.kind != MESSAGE_END and (loop.driving is not None or not is_later):
            yield each


@LAWS.check("HOST-07", each=_stray_events)
def what_is_carried_out_was_asked_for(_loop: Loop, stray: Stray) -> Iterator[Finding]:
    """Every event and every deed has the id of a call of some reply before it."""
    name = excerpt(stray.id) if isinstance(stray.id, str) else "(not a text)"
    yield Finding(
        f"a {stray.moment.text('probe') or stray.moment.kind} names the call {name}, which no reply before it has",
        "the id of a call",
        (stray.moment.witness("E"),),
    )


def _siblings(loop: Loop) -> Iterator[list[Call]]:
    """The ended calls of a reply, if there are several."""
    ended = ([each for each in turn.calls if each.ends] for turn in loop.turns)
    yield from (each for each in ended if len({call.id for call in each}) > 1)


@LAWS.check("HOST-07", each=_siblings, needs=("executions",))
def no_call_has_the_result_of_its_neighbour(_loop: Loop, calls: list[Call]) -> Iterator[Finding]:
    """The message of a call does not hold what the end of another call of the same reply holds instead of its own."""
    by_end = {_said(each.ends[0].inner("result")): each for each in calls}
    for one in (each for each in calls if each.results):
        said = _said(message_of(one.results[0]))
        other = by_end.get(said)
        if other is None or other.id == one.id or said == _said(one.ends[0].inner("result")):
            continue
        yield Finding(
            f"the result message of {one.named} holds what the end of {other.named} holds",
            "what its own end holds: results are matched by id, whatever the order of completion",
            (one.ends[0].witness("E1"), other.ends[0].witness("E2"), one.results[0].witness("R")),
        )


def _said(value: Mapping[str, Json]) -> str:
    """Content and details as one text; it is the same for equal values."""
    return json.dumps([value.get("content"), value.get("details")], sort_keys=True)


def _recorded(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Results with a record of truncation."""
    for call in loop.calls:
        for result in call.results:
            if object_of(message_of(result).get("details")).get("truncation") is not None:
                yield call, result


@LAWS.check("HOST-10", each=_recorded, needs=("details",))
def what_was_cut_says_so(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """If a result's record says that it was cut, its text holds more than what was kept; and the record adds up."""
    call, result = pair
    message = message_of(result)
    record = object_of(object_of(message.get("details")).get("truncation"))
    text = "\n".join(texts_of(message.get("content")))
    if record.get("truncated") is True and text and _is_only_what_was_kept(text, record):
        yield Finding(
            f"the output of {call.named} was cut, but its text ends at the cut and does not say so",
            "a text that says so, since the model reads no details",
            (result.witness("R"),),
        )
    less = [what for what in ("Lines", "Bytes") if _less(record.get(f"output{what}"), record.get(f"total{what}"))]
    if record.get("truncated") is False and less:
        yield Finding(
            f"the output of {call.named} has fewer {' and fewer '.join(less).lower()} than there were,"
            " but its record says that it was not cut",
            "truncated true",
            (result.witness("R"),),
        )


def _is_only_what_was_kept(text: str, record: Mapping[str, Json]) -> bool:
    kept, size = record.get("content"), record.get("outputBytes")
    if isinstance(kept, str):
        return kept.rstrip().startswith(text.rstrip())
    return size == len(text.encode("utf-8", "surrogatepass"))


def _less(one: Json, other: Json) -> bool:
    numbers = (int, float)
    return isinstance(one, numbers) and isinstance(other, numbers) and one < other


def _shortened(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls whose message has less text than their end."""
    for call in loop.calls:
        if call.ends and call.results and not call.shares_its_id:
            end, result = call.ends[0], call.results[0]
            if len(_text_of(message_of(result))) < len(_text_of(end.inner("result"))):
                yield call, end, result


@LAWS.check("HOST-10", each=_shortened, needs=("executions",))
def what_is_cut_on_its_way_to_the_message_says_so(
    _loop: Loop, shortened: tuple[Call, Moment, Moment]
) -> Iterator[Finding]:
    """A message does not hold only the beginning of what its tool returned."""
    call, end, result = shortened
    held = _text_of(message_of(result))
    if held and _text_of(end.inner("result")).startswith(held):
        yield Finding(
            f"the message of {call.named} holds only the beginning of the text of its end, but does not say so",
            "the whole text, or a text that says that it was cut",
            (end.witness("E"), result.witness("R")),
        )


def _text_of(value: Mapping[str, Json]) -> str:
    return "\n".join(texts_of(value.get("content"))).rstrip()
