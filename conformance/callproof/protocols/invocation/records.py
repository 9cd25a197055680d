"""Laws of the records themselves: their shapes, that each is about one tool, and what was not requested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from callproof.checks.check import Finding, Witness
from callproof.protocols.invocation.codes import CODES, NOT_REQUESTED, OF_AVAILABILITY, V1
from callproof.protocols.invocation.log import LAWS, Invocations, every
from callproof.protocols.invocation.trace import SOURCES, Invocation
from callproof.protocols.parts import brief, excerpt, some
from callproof.protocols.shapes import all_told
from callproof.values.jsontext import Json

_STATUSES = ("executed", "skipped", "failed")
_USED = ("executed", "failed")
_CODES_OF_TOOLS = frozenset[str]().union(*CODES.values())


def _unrequested(log: Invocations) -> Iterator[Invocation]:
    """Invocations that the planner did not ask for."""
    yield from (each for each in log.invocations if each.intent.get("requested") is False)


@LAWS.check("INT-01", each=_unrequested)
def what_nobody_asked_for_is_not_used(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """The request says that nobody asked, and why it is not eligible; an outcome is skipped, and no tool was used."""
    request = one.request
    wanted: dict[str, Json] = {"requested": False, "reasonCode": NOT_REQUESTED}
    if one.contract == V1:
        wanted["eligible"] = False
    wrong = [f"{name} {excerpt(request.get(name))}" for name in wanted if request.get(name) != wanted[name]]
    if one.request and wrong:
        yield Finding(
            f"the planner did not request {one.named}, but the request has {', '.join(wrong)}",
            ", ".join(f"{name} {excerpt(value)}" for name, value in wanted.items()),
            (one.witness("I", "intent"), one.witness("Q", "request")),
        )
    if one.told.get("status") in _USED:
        yield Finding(
            f"the planner did not request {one.named}, but the outcome is {one.told['status']}",
            "the status skipped, or no outcome",
            (one.witness("I", "intent"), one.what_came_of_it),
        )
    for source in ("orchestrator", "runtime") if not one.told else ():
        if (report := one.reported.get(source, {})).get("status") in _USED:
            yield Finding(
                f"the planner did not request {one.named}, but the {source} reported {report['status']}",
                "the status skipped, or no report",
                (one.witness("I", "intent"), Witness("R", f"the report of the {source}", one.entry.source)),
            )


def _with_status(one: Invocation) -> Iterator[tuple[str, Mapping[str, Json]]]:
    """The parts of a record that have a status, each with its name."""
    if one.outcome:
        yield "the outcome", one.outcome
    yield from ((f"the report of the {name}", each) for name, each in one.reported.items())
    yield from ((f"execution event {index}", each) for index, each in enumerate(one.execution or ()))


def _told(log: Invocations) -> Iterator[Invocation]:
    """Invocations with some part that has a status."""
    yield from (each for each in log.invocations if any(_with_status(each)))


@LAWS.check("INT-02", each=_told)
def a_status_is_one_of_three(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """Outcomes, reports and execution events have the status executed, skipped or failed."""
    wrong = [
        f"{part} has the status {excerpt(each.get('status'))}"
        for part, each in _with_status(one)
        if each.get("status") not in _STATUSES
    ]
    if wrong:
        yield Finding(
            f"in the record of {one.named}, {some(wrong, '; ')}",
            ", ".join(_STATUSES),
            (one.witness("O", "outcome"),),
        )


@LAWS.check("INT-07", each=every)
def a_record_has_its_shape(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """A record has the shape of an invocation; other laws check statuses and durations."""
    found = [each for each in one.faults if not each.pointer.endswith(("/status", "/durationMs"))]
    if found:
        yield Finding(
            f"the record of {one.named} has the wrong shape: {all_told(found)}",
            "the shape protocols/invocation",
            (Witness("R", "the record", one.entry.source),),
            help="see schemas/protocols/invocation.json",
        )


@LAWS.check("INT-07", each=every)
def its_records_are_about_one_tool(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """Intent, request, reports and outcome name the same tool."""
    parts = {"intent": one.intent, "request": one.request, "outcome": one.outcome}
    parts |= {f"report of the {name}": one.reported[name] for name in SOURCES if name in one.reported}
    names = {part: value["toolName"] for part, value in parts.items() if isinstance(value.get("toolName"), str)}
    if len(set(names.values())) > 1:
        yield Finding(
            f"one record of {brief(one.response or '?')} is about several tools: "
            + ", ".join(f"{part} {excerpt(tool)}" for part, tool in names.items()),
            "one toolName in all parts of a record",
            (one.witness("I", "intent"), one.witness("Q", "request"), one.witness("O", "outcome")),
        )


def _again(log: Invocations) -> Iterator[tuple[Invocation, Invocation]]:
    """Every invocation together with the first one of its response and tool."""
    first: dict[tuple[str, str], Invocation] = {}
    for each in log.invocations:
        if each.response is not None and isinstance(each.tool, str):
            yield first.setdefault((each.response, each.tool), each), each


@LAWS.check("INT-07", each=_again)
def a_response_has_one_record_of_a_tool(_log: Invocations, pair: tuple[Invocation, Invocation]) -> Iterator[Finding]:
    """No two records are of one response and one tool."""
    one, other = pair
    if one is not other:
        yield Finding(
            f"there are two records of {one.named}",
            "one record for each tool of a response",
            (Witness("R1", "the first", one.entry.source), Witness("R2", "another one", other.entry.source)),
        )


@LAWS.check("INT-07", each=every, needs=("outcome", "execution"))
def the_metadata_say_what_the_outcome_says(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """There is one event for what was requested, with the outcome's status and code, and no different duration."""
    events = one.events
    witness = (one.witness("O", "outcome"), Witness("E", "execution", one.entry.source))
    if len(events) > 1:
        yield Finding(
            f"the metadata of {one.named} have {len(events)} events of the tool",
            "at most one",
            witness,
        )
    if one.outcome and one.execution is not None and one.intent.get("requested") is True and not events:
        yield Finding(
            f"{one.named} has an outcome, but its metadata have no event of the tool",
            "an event for every tool that was requested",
            witness,
        )
    for event in events if one.outcome else ():
        told_by_both = [name for name in ("durationMs",) if name in event and name in one.outcome]
        differing = [
            name for name in ("status", "reasonCode", *told_by_both) if event.get(name) != one.outcome.get(name)
        ]
        if differing:
            yield Finding(
                f"the event of {one.named} has {_members(event, differing)},"
                f" but the outcome {_members(one.outcome, differing)}",
                "the event says what the outcome says",
                witness,
            )


@LAWS.check("INT-07", each=every, needs=("execution",))
def an_event_is_of_one_kind(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """An event of a tool names the tool, and an event of another kind has no code of a tool."""
    for event in one.execution or ():
        code = event.get("reasonCode")
        if event.get("kind") == "tool" and "toolName" not in event:
            wrong = "names no tool"
        elif event.get("kind") != "tool" and _is_one_of(code, _CODES_OF_TOOLS):
            wrong = f"has the reasonCode {excerpt(code)}"
        else:
            continue
        yield Finding(
            f"in the metadata of {one.named}, an event of the kind {excerpt(event.get('kind'))} {wrong}",
            "a toolName in every event of a tool, and codes of tools only in such events",
            (Witness("E", "execution", one.entry.source),),
        )


def _requested(log: Invocations) -> Iterator[Invocation]:
    """Invocations that the planner asked for."""
    yield from (each for each in log.invocations if each.intent.get("requested") is True)


@LAWS.check("INT-07", each=_requested)
def its_parts_say_one_thing(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """If the tool was requested, no part says that it was not, and no code calls an eligible tool unavailable."""
    request, code = one.request, one.request.get("reasonCode")
    if request.get("requested") is False or NOT_REQUESTED in (code, one.told.get("reasonCode")):
        yield Finding(
            f"the planner requested {one.named}, but another part of the record says that it was not requested",
            f"requested true, and no {NOT_REQUESTED}",
            (one.witness("I", "intent"), one.witness("Q", "request"), one.what_came_of_it),
        )
    if request.get("eligible") is True and _is_one_of(code, OF_AVAILABILITY):
        yield Finding(
            f"the request of {one.named} is eligible, but has the reasonCode {excerpt(code)}",
            "no code of availability if the tool may be used",
            (one.witness("Q", "request"),),
        )


def _is_one_of(code: Json, codes: frozenset[str]) -> bool:
    return isinstance(code, str) and code in codes


def _members(part: Mapping[str, Json], names: Iterable[str]) -> str:
    return ", ".join(f"{name} {excerpt(part.get(name))}" for name in names)


def _timed(log: Invocations) -> Iterator[Invocation]:
    """Invocations with a duration in some part."""
    for each in log.invocations:
        if any("durationMs" in part for _, part in _with_status(each)):
            yield each


@LAWS.check("INT-09", each=_timed)
def a_duration_is_a_whole_number(_log: Invocations, one: Invocation) -> Iterator[Finding]:
    """No durationMs is negative, or has a fraction."""
    wrong = [each for each in one.faults if each.pointer.endswith("/durationMs")]
    if wrong:
        where = some([each.pointer for each in wrong], " and ")
        yield Finding(
            f"the duration of {one.named} at {where} is negative or not a whole number",
            "whole milliseconds, 0 or more",
            (Witness("R", "the record", one.entry.source),),
        )
