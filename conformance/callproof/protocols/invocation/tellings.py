"""Laws of the records of a driven response: one for each tool, with what the planner wanted and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from callproof.checks.check import Finding, Witness
from callproof.protocols.invocation.codes import (
    CODES,
    NO_FALLBACK,
    NOT_PERMITTED,
    NOT_REQUESTED,
    NOT_USED,
    OF_AVAILABILITY,
    OF_FAILURES,
    REROUTED,
    UNSPECIFIED,
    V1,
    says_why,
)
from callproof.protocols.invocation.driven import GAVE_UP, Came, Response
from callproof.protocols.invocation.log import LAWS, Invocations, ended
from callproof.protocols.invocation.trace import Invocation
from callproof.protocols.parts import brief, excerpt, object_of, text_of
from callproof.values.doubles import alike
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer

# A told duration may exceed the measured one by so many milliseconds: there are two clocks, and one may be set.
_SLACK: Final = 1_000

# When a code of availability is true for a tool that the chosen profile does not have.
_TRUE: Final[Mapping[str, Callable[[Response, str], bool]]] = {
    NOT_PERMITTED: lambda response, _tool: not response.may_reroute,
    NO_FALLBACK: lambda response, tool: not response.elsewhere(tool),
}


def _all(log: Invocations) -> Iterator[Response]:
    yield from log.responses


@LAWS.check("INT-10", each=_all, needs=("driver",))
def a_response_comes_to_an_end(_log: Invocations, response: Response) -> Iterator[Finding]:
    """The suite that drove the system did not have to give up waiting for the end."""
    gave_up = next((each for each in response.probes if each.name == GAVE_UP), None)
    if gave_up is not None:
        yield Finding("the response did not end", "an end", (response.noted(), gave_up.witness("G")))


def _tools(log: Invocations) -> Iterator[tuple[Response, str]]:
    """Every tool of a response that is over."""
    for response in ended(log):
        yield from ((response, each) for each in response.tools)


@LAWS.check("INT-10", each=_tools, needs=("driver",))
def each_tool_has_its_record(_log: Invocations, pair: tuple[Response, str]) -> Iterator[Finding]:
    """There is one record of each tool, with the metadata, and it tells what came of a tool that was requested."""
    response, tool = pair
    records = response.by_tool.get(tool, ())
    if len(records) != 1:
        observed = f"the response has {len(records) or 'no'} record{'s' if records else ''} of {brief(tool)}"
    elif records[0].execution is None:
        observed = f"the record of {brief(tool)} has no metadata of the response"
    elif response.requested(tool) and not records[0].told:
        observed = f"{brief(tool)} was requested, but its record has no outcome"
    else:
        return
    yield Finding(
        observed,
        "one record of each tool, with the metadata, and with an outcome if the tool was requested",
        (response.noted(), *(Witness("R", "the record", each.entry.source) for each in records[:2])),
    )


@LAWS.check("INT-10", each=ended, needs=("driver",))
def its_records_are_of_one_response(_log: Invocations, response: Response) -> Iterator[Finding]:
    """All records of a response have the same responseId."""
    ids = {name: each for each in response.records if (name := each.response) is not None}
    if len(ids) > 1:
        first, other = list(ids.values())[:2]
        yield Finding(
            f"the records of one response have {len(ids)} ids",
            "one responseId",
            (Witness("R1", "a record", first.entry.source), Witness("R2", "another one", other.entry.source)),
        )


def _records(log: Invocations) -> Iterator[tuple[Response, Invocation]]:
    """The first record of each tool of a driven response; INT-10 checks that there is no other one."""
    for response in log.responses:
        yield from ((response, each[0]) for tool, each in response.by_tool.items() if tool in response.tools)


@LAWS.check("INT-11", each=_records, needs=("driver",))
def the_intent_on_record_is_the_planners(_log: Invocations, pair: tuple[Response, Invocation]) -> Iterator[Finding]:
    """Whether the tool was requested, and with what input, is on record as the planner said."""
    response, one = pair
    wanted = response.intents.get(str(one.tool))
    if wanted is None:
        return
    other = [name for name in ("requested",) if one.intent.get(name) != wanted.get(name)]
    if "input" in one.intent and "input" in wanted and not alike(one.intent["input"], wanted["input"]):
        other.append("input")
    if other:
        yield Finding(
            f"the recorded intent of {one.named} has another {' and another '.join(other)} than the planner gave",
            "the intent of the planner; its input may be left out",
            (response.noted(), one.witness("I", "intent")),
        )


@LAWS.check("INT-11", each=_records, needs=("driver",))
def the_record_is_under_the_contract(_log: Invocations, pair: tuple[Response, Invocation]) -> Iterator[Finding]:
    """The contract, and whether the response can do without the tool, are as the start says."""
    response, one = pair
    for name, told, wanted in (
        ("contract", one.contract, response.contract),
        ("optional", one.optional, response.tools[str(one.tool)]),
    ):
        if told != wanted:
            yield Finding(
                f"the record of {one.named} has the {name} {excerpt(told)}, but the response began with another",
                f"{name} {excerpt(wanted)}",
                (response.noted(), Witness("R", "the record", one.entry.source)),
            )


def _seen(log: Invocations) -> Iterator[tuple[Response, Invocation, str]]:
    """Records of responses that are over, with what came of a requested tool, and the status that the suite saw."""
    for response, one in _records(log):
        status = response.status(str(one.tool))
        if response.end is not None and one.told and response.requested(str(one.tool)) and status is not None:
            yield response, one, status


@LAWS.check("INT-14", each=_seen, needs=("driver", "outcome"))
def what_came_of_it_is_what_is_told(_log: Invocations, seen: tuple[Response, Invocation, str]) -> Iterator[Finding]:
    """The status of the outcome is what was seen."""
    response, one, status = seen
    told = one.told.get("status")
    if told in ("executed", "skipped", "failed") and told != status:
        uses = response.uses.get(str(one.tool), ())
        happened = {"executed": "was executed", "failed": "was used and failed", "skipped": "was not used"}[status]
        yield Finding(
            f"{one.named} {happened}, but the outcome is {told}",
            f"the status {status}",
            (uses[-1].probe.witness("P") if uses else response.noted(), one.what_came_of_it),
        )


@LAWS.check("INT-14", each=_seen, needs=("driver", "outcome"))
def the_code_is_true(_log: Invocations, seen: tuple[Response, Invocation, str]) -> Iterator[Finding]:
    """The code of the outcome says what was seen."""
    response, one, status = seen
    code = text_of(one.told, "reasonCode")
    if code not in CODES[one.contract] or code == NOT_REQUESTED or one.told.get("status") != status:
        return  # INT-03, INT-07 or the law of the status checks that
    uses = response.uses.get(str(one.tool), ())
    if (why := _untrue(response, str(one.tool), status, code)) is not None:
        yield Finding(
            f"the outcome of {one.named} has the reasonCode {excerpt(code)}, but {why}",
            f"a code that says what happened: {' or '.join(_so(response, one, status))}",
            (uses[-1].probe.witness("P") if uses else response.noted(), one.what_came_of_it),
        )


def _refused(log: Invocations) -> Iterator[tuple[Response, Invocation]]:
    """Records of tools that were requested and are not there, with a code of availability in the request."""
    for response, one in _records(log):
        tool = str(one.tool)
        # A system that changed the profile because of another tool had other reasons.
        settled = response.end is not None and (not response.moved or tool in response.uses)
        refused = response.requested(tool) and text_of(one.request, "reasonCode") in OF_AVAILABILITY
        if settled and refused and not response.is_there(tool):
            yield response, one


@LAWS.check("INT-14", each=_refused, needs=("driver",))
def the_code_of_the_request_is_true(_log: Invocations, pair: tuple[Response, Invocation]) -> Iterator[Finding]:
    """What the code of the request says about other profiles is true."""
    response, one = pair
    code = str(one.request["reasonCode"])
    if not _TRUE.get(code, _always)(response, str(one.tool)):
        yield Finding(
            f"the request of {one.named} has the reasonCode {excerpt(code)}, but that is not true",
            "a code that says why the tool could not be used",
            (response.noted(), one.witness("Q", "request")),
        )


def _so(response: Response, one: Invocation, status: str) -> list[str]:
    """The codes that would be true."""
    fitting = (each for each in CODES[one.contract] - {NOT_REQUESTED} if says_why(each, status, one.contract))
    return sorted(each for each in fitting if _untrue(response, str(one.tool), status, each) is None)


def _untrue(response: Response, tool: str, status: str, code: str) -> str | None:
    """Why a code is not true; None if it may be true."""
    uses = response.uses.get(tool, ())
    if code == REROUTED:
        elsewhere = any(each.profile != response.selected for each in uses)
        return None if elsewhere else "no other profile was used for it"
    if status == "failed":
        kinds = {OF_FAILURES.get(each.failure or "") for each in uses}
        other = code in OF_FAILURES.values() and code != OF_FAILURES["execution_error"] and code not in kinds
        return "the tool failed in another way" if other else None
    having = response.having.get(tool, frozenset())
    if status != "skipped" or (not uses and (response.is_there(tool) or response.moved)):
        return None  # INT-13 checks that what is there is used; a system that changed the profile had other reasons
    if any(each.profile in having for each in uses):
        return None if code in (NOT_USED, UNSPECIFIED) else "the tool was offered and not used"
    if code not in OF_AVAILABILITY:
        return "the tool was not available" if code in (NOT_USED, UNSPECIFIED) else None
    return None if _TRUE.get(code, _always)(response, tool) else "that is not true"


def _always(_response: Response, _tool: str) -> bool:
    return True


def _moved(log: Invocations) -> Iterator[tuple[Response, Invocation]]:
    """Records of tools executed under another profile than the chosen one, if the contract has a code for that."""
    for response, one in _records(log):
        uses = response.uses.get(str(one.tool), ())
        moved = any(each.came is Came.EXECUTED and each.profile != response.selected for each in uses)
        if response.contract != V1 and moved and one.told.get("status") == "executed":
            yield response, one


@LAWS.check("INT-18", each=_moved, needs=("driver", "outcome"))
def what_was_sent_elsewhere_says_so(_log: Invocations, pair: tuple[Response, Invocation]) -> Iterator[Finding]:
    """The outcome has the code that says that the call was sent to another profile."""
    response, one = pair
    if one.told.get("reasonCode") is None:
        yield Finding(
            f"{one.named} was executed under another profile than the chosen one, but the outcome does not say so",
            f"the reasonCode {REROUTED}",
            (response.noted(), one.what_came_of_it),
        )


def _with_metadata(log: Invocations) -> Iterator[tuple[Response, Invocation]]:
    """Records of responses that are over, with events of the generation."""
    for response, one in _records(log):
        if response.end is not None and one.of_kind("generation"):
            yield response, one


@LAWS.check("INT-19", each=_with_metadata, needs=("driver", "execution"))
def what_is_told_of_the_generation_is_true(_log: Invocations, pair: tuple[Response, Invocation]) -> Iterator[Finding]:
    """The events of the generation say what came of the generation."""
    response, one = pair
    told = [each.get("status") for each in one.of_kind("generation")]
    failed = any("text" not in each.value for each in response.generations)
    wrong = None
    if "executed" in told and not response.answers:
        wrong = "executed, but no provider gave an answer"
    elif "failed" in told and not failed:
        wrong = "failed, but no provider did"
    elif "executed" not in told and response.answers and not response.missed:
        wrong = "not executed, but a provider gave an answer"
    if wrong is not None:
        yield Finding(
            f"in the metadata of {one.named} the generation is {wrong}",
            "what came of the generation",
            (response.noted(), Witness("E", "execution", one.entry.source)),
        )


@LAWS.check("INT-20", each=_seen, needs=("driver", "outcome"))
def a_failure_is_told_by_its_kind(_log: Invocations, seen: tuple[Response, Invocation, str]) -> Iterator[Finding]:
    """If the contract has a code for the way in which a tool failed, the outcome has that code."""
    response, one, status = seen
    failures = {each.failure for each in response.uses.get(str(one.tool), ())}
    if response.contract == V1 or not status == one.told.get("status") == "failed" or len(failures) != 1:
        return
    wanted, usual = OF_FAILURES.get(failures.pop() or ""), OF_FAILURES["execution_error"]
    code = one.told.get("reasonCode")
    if wanted not in (None, usual) and code in (usual, UNSPECIFIED):
        yield Finding(
            f"{one.named} failed in a way that has its own code, but the outcome has {excerpt(code)}",
            f"the reasonCode {wanted}",
            (response.uses[str(one.tool)][-1].probe.witness("P"), one.what_came_of_it),
        )


@LAWS.check("INT-21", each=_records, needs=("driver",))
def nothing_took_longer_than_the_response(_log: Invocations, pair: tuple[Response, Invocation]) -> Iterator[Finding]:
    """No duration is longer than the time that the suite saw the whole response take."""
    response, one = pair
    took = None if response.end is None else as_integer(response.end.value.get("tookMs"))
    if took is None:
        return
    parts = [one.outcome, *one.reported.values(), *(one.execution or ())]
    if any(_longer(object_of(each).get("durationMs"), took + _SLACK) for each in parts):
        yield Finding(
            f"a recorded duration of {one.named} is longer than the whole response, which took {took} ms",
            "no part of a response takes longer than the whole response",
            (response.noted(), Witness("R", "the record", one.entry.source)),
        )


def _longer(duration: Json, bound: int) -> bool:
    return (told := as_integer(duration)) is not None and told > bound
