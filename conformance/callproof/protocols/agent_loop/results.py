"""Laws of results: each call has one, it has its shape, and it says what it is."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding, excerpt
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, Stray, every, message_of
from callproof.protocols.agent_loop.envelopes import envelope_of, is_pending
from callproof.protocols.agent_loop.forms import MESSAGE_END, TOOL_CALLED, TOOL_THREW, Moment
from callproof.protocols.shapes import FEW, all_told, faults_of
from callproof.schema.validator import SchemaFault
from callproof.values.jsontext import Json

# The places where a result names its call and its tool, in any form.
_OF_ANOTHER_LAW = frozenset(
    ("/toolCallId", "/toolName", "/tool_use_id", "/call_id", "/tool_call_id", "/toolUseId", "/id", "/name")
)


def _due(loop: Loop) -> Iterator[Call]:
    """Calls that have a result, or should have one by now."""
    for turn in loop.turns:
        due = turn.closing is not None and not turn.is_broken and not turn.is_refused
        yield from (each for each in turn.calls if due or each.results)


@LAWS.check("HOST-01", each=_due)
def a_call_has_one_result_in_time(_loop: Loop, call: Call) -> Iterator[Finding]:
    """A call has a result before the model is called again or the run ends, and no more than one that is terminal."""
    closed = call.closed
    late = [each for each in call.results if closed is not None and each.at > closed.moment.at]
    if closed is not None and len(late) == len(call.results) and not call.turn.is_broken:
        yield Finding(
            f"{call.named} had no result when {closed.says}" + (", and it came later" if late else ""),
            "one tool result message before the model is called again",
            (call.asked(), closed.moment.witness("C"), *(each.witness("R") for each in late[:1])),
        )
    terminal = [each for each in call.results if not is_pending(each, call.tool)]
    if len(terminal) > 1:
        yield Finding(
            f"{call.named} had {len(terminal)} results",
            "one result that is not pending",
            (call.asked(), terminal[0].witness("R1"), terminal[1].witness("R2")),
        )


def _broken(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Calls of replies that were not finished, with the first entry of their tool."""
    for turn in loop.turns:
        if turn.is_broken:
            yield from ((call, each) for call in turn.calls for each in call.probes(TOOL_CALLED)[:1])


@LAWS.check("HOST-01", each=_broken, needs=("probes",))
def nothing_of_a_broken_reply_is_carried_out(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """No tool is entered for a call of a reply that ended in an error, or was aborted."""
    call, entered = pair
    yield Finding(
        f"the reply of {call.named} ended with {excerpt(call.turn.stop)}, but its tool was entered",
        "no execution: the reply was not finished",
        (call.asked(), entered.witness("T")),
    )


def _results(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Every result with its call."""
    yield from ((call, each) for call in loop.calls for each in call.results)


def _naming(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Every result that has to name its tool, with its call; in a form not the loop's own, only results that do."""
    told = _results(loop)
    yield from (each for each in told if each[1].part is None or "toolName" in message_of(each[1]))


@LAWS.check("HOST-01", each=_naming, needs=("names",))
def a_result_names_the_tool_of_its_call(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """A result has the name of the tool that the call has."""
    call, result = pair
    name = message_of(result).get("toolName")
    if name != call.tool:
        yield Finding(
            f"the result of {call.named} has the toolName {_text(name)}",
            f"{excerpt(call.tool)}, as the call has it",
            (call.asked(), result.witness("R")),
        )


def _stray_results(loop: Loop) -> Iterator[Stray]:
    """Results that name no call."""
    yield from (each for each in loop.strays if each.moment.kind == MESSAGE_END)


@LAWS.check("HOST-01", each=_stray_results)
def a_result_is_of_a_call(_loop: Loop, stray: Stray) -> Iterator[Finding]:
    """There is no result without a call that was asked for."""
    yield Finding(
        f"a result names the call {_text(stray.id)}, which no reply before it has",
        "the id of a call",
        (stray.moment.witness("R"),),
    )


@LAWS.check("HOST-01", each=every)
def a_call_has_its_shape(_loop: Loop, call: Call) -> Iterator[Finding]:
    """A call has an id and the name of a tool."""
    value, shape, arguments = call.shape
    faults = [each for each in faults_of(value, shape, FEW) if not arguments or each.pointer != arguments]
    if faults:
        yield Finding(
            f"block {call.index} of a reply is a call with the wrong shape: {all_told(faults)}",
            f"the shape protocols/{shape}",
            (call.asked(),),
        )


def _messages(loop: Loop) -> Iterator[Moment]:
    """
    Every tool result message, of any call.

    If the results of a form do not tell whether a call failed, a result with the right shape shows only half of the
    law. Half is not enough to call the law kept, so only results with faults are yielded then.
    """
    told = [result for _, result in _results(loop)] + [each.moment for each in _stray_results(loop)]
    is_half = "failures" in loop.lacking
    yield from (each for each in told if not is_half or _faults_of_a_result(each)[0])


@LAWS.check("HOST-05", each=_messages)
def a_result_has_its_shape(_loop: Loop, result: Moment) -> Iterator[Finding]:
    """A tool result has its members, and as much content as its form asks for."""
    faults, shape = _faults_of_a_result(result)
    if faults:
        yield Finding(
            f"the result of call {_text(message_of(result).get('toolCallId'))} has the wrong shape: {all_told(faults)}",
            f"the shape protocols/{shape}" + ("" if result.part else ", with at least one block of content"),
            (result.witness("R"),),
            help=f"see schemas/protocols/{shape}.json",
        )


def _faults_of_a_result(result: Moment) -> tuple[list[SchemaFault], str]:
    """The faults of a result by the shape of its form, and that shape; another law checks its id and its tool."""
    shape = result.part.shape if result.part else "agent-loop-result"
    faults = faults_of(result.part.value if result.part else message_of(result), shape, FEW)
    return [each for each in faults if each.pointer not in _OF_ANOTHER_LAW], shape


def _unheard(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """The ends of calls that have no result message."""
    yield from ((call, end) for call in loop.calls if not call.results for end in call.ends)


@LAWS.check("HOST-05", each=_unheard)
def an_end_has_a_result(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """What a tool returned has the shape of an output if only the end of its call tells it, and no message."""
    call, end = pair
    found = end.value.get("result")
    faults = faults_of(found, "agent-loop-output", FEW) if "result" in end.value else ()
    if faults or "result" not in end.value:
        observed = f"has a result with the wrong shape: {all_told(faults)}" if faults else "has no result"
        yield Finding(
            f"the end of {call.named} {observed}",
            "the shape protocols/agent-loop-output, with at least one block of content",
            (end.witness("E"),),
        )


@LAWS.check("HOST-05", each=_results, needs=("failures",))
def a_failure_is_told_as_one(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """A result whose envelope says error or blocked has isError true, and an envelope names the tool of its result."""
    call, result = pair
    message, envelope = message_of(result), envelope_of(result, call.tool)
    if envelope is None:
        return
    if envelope.status != "pending" and message.get("isError") is False:
        yield Finding(
            f"the result of {call.named} says {envelope.status} in its {envelope.where}, but has isError false",
            "isError true",
            (result.witness("R"),),
            because=("failures are counted by isError",),
        )
    if envelope.tool is not None and envelope.tool != message.get("toolName", call.tool):
        yield Finding(
            f"the {envelope.where} of the result of {call.named} named the tool {_text(envelope.tool)}",
            "the tool of the message",
            (result.witness("R"),),
        )


def _ended(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls with an id of their own, their end and the first of their results, unless a hook has a say in it."""
    for call in loop.calls:
        told = call.ends and call.results and not call.shares_its_id
        if told and not call.is_rewritten and not call.is_left_to_the_loop(call.results[0]):
            yield call, call.ends[0], call.results[0]


@LAWS.check("HOST-05", each=_ended, needs=("executions",))
def end_and_message_agree_on_failure(_loop: Loop, told_twice: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """The end of a call and its result message agree on whether it failed."""
    call, end, result = told_twice
    flags = end.value.get("isError"), message_of(result).get("isError")
    if all(isinstance(each, bool) for each in flags) and flags[0] is not flags[1]:
        yield Finding(
            f"the end of {call.named} has isError {excerpt(flags[0])}, but its result has {excerpt(flags[1])}",
            "the same in both",
            (end.witness("E"), result.witness("R")),
        )


def _thrown(loop: Loop) -> Iterator[tuple[Call, Moment, Moment]]:
    """Calls whose tool threw, with the probe and each result."""
    for call in (each for each in loop.calls if not each.shares_its_id):
        yield from ((call, probe, result) for probe in call.probes(TOOL_THREW)[:1] for result in call.results)


@LAWS.check("HOST-05", each=_thrown, needs=("probes",))
def what_was_thrown_is_a_failure(_loop: Loop, thrown: tuple[Call, Moment, Moment]) -> Iterator[Finding]:
    """A tool that threw gave an error result."""
    call, probe, result = thrown
    if message_of(result).get("isError") is False:
        yield Finding(
            f"the tool of {call.named} threw, but the result has isError false",
            "isError true",
            (probe.witness("T"), result.witness("R")),
        )


def _put_off(loop: Loop) -> Iterator[Call]:
    """Calls with a pending result."""
    yield from (each for each in loop.calls if any(_pending(each)))


@LAWS.check("HOST-08", each=_put_off)
def what_is_pending_is_told_once_and_comes_first(_loop: Loop, call: Call) -> Iterator[Finding]:
    """A call is pending once, before its terminal result, and pending is no failure."""
    first, pending = call.results[0], _pending(call)
    again = next((each for each in pending if each is not first), None)
    if again is not None:
        before = "was pending already" if pending[0] is first else "had its result"
        yield Finding(
            f"{call.named} {before}, but another result of it is pending",
            "one pending result, and after it only the terminal one",
            (first.witness("R1"), again.witness("R2")),
        )
    failed = next((each for each in pending if message_of(each).get("isError") is True), None)
    if failed is not None:
        yield Finding(
            f"a result of {call.named} is pending, but has isError true",
            "isError false: what is still to come has not failed",
            (failed.witness("R"),),
        )


def _pending(call: Call) -> list[Moment]:
    """The results of a call that say that it is pending."""
    return [each for each in call.results if is_pending(each, call.tool)]


def _text(value: Json) -> str:
    """A name or an id as it is; for anything else only the words that it is none."""
    return excerpt(value) if isinstance(value, str) else "(not a text)"
