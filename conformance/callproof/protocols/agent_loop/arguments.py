"""Laws of arguments: the call has the arguments that were streamed, and incomplete arguments are not used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import NoReturn

from callproof.checks.check import Finding, Witness
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, Stream, Turn, message_of
from callproof.protocols.agent_loop.forms import TOOL_CALLED, Moment
from callproof.protocols.parts import first_listed
from callproof.protocols.shapes import faults_of
from callproof.values.doubles import as_doubles, differences
from callproof.values.jsontext import Json, NotStrictJson, refuse_depth
from callproof.values.jsonvalue import equal, is_object


def came_whole(call: Call) -> bool:
    """Whether the arguments of a call are a whole object as streamed, or were not streamed at all."""
    stream = call.stream
    return stream is None or not stream.pieces or (stream.whole and _read(stream.text) is not None)


def _streamed(loop: Loop) -> Iterator[tuple[Call, Stream]]:
    """Calls whose arguments were streamed in pieces from the start on, each with its stream."""
    for call in loop.calls:
        if call.stream is not None and call.stream.pieces and call.stream.whole and not _is_beyond_us(call.stream.text):
            yield call, call.stream


@LAWS.check("HOST-06", each=_streamed, needs=("streams",))
def arguments_are_what_was_streamed(_loop: Loop, pair: tuple[Call, Stream]) -> Iterator[Finding]:
    """The pieces of a stream, put together, are the arguments in the call and in the end of the stream."""
    call, stream = pair
    streamed = _read(stream.text)
    if streamed is None:
        return
    told = [("the reply", call.turn.reply, call.block)]
    if stream.ended is not None:
        told.append(("the end of the stream", stream.ended, stream.call))
    for what, moment, block in told:
        if not equal(arguments := as_doubles(block.get("arguments")), streamed[0]):
            yield Finding(
                f"the arguments of {call.named} in {what} differ from those that were streamed, at"
                f" {first_listed(differences(streamed[0], arguments, '/arguments'))}",
                "the pieces of the stream, put together",
                (_first(call, stream.started), moment.witness("A")),
            )


@LAWS.check("HOST-06", each=_streamed, needs=("streams",))
def the_end_of_a_stream_tells_of_its_call(_loop: Loop, pair: tuple[Call, Stream]) -> Iterator[Finding]:
    """The end of a stream has the id and the tool of the call in the reply."""
    call, stream = pair
    ended = stream.ended
    differing = [name for name in ("id", "name") if not equal(stream.call.get(name), call.block.get(name))]
    if ended is not None and differing:
        yield Finding(
            f"the stream of block {call.index} ended with another {' and another '.join(differing)} than {call.named}",
            "the id and the tool of the call",
            (ended.witness("A"), call.asked()),
        )


def _in_pieces(loop: Loop) -> Iterator[Turn]:
    """Finished replies with calls that were given in pieces."""
    yield from (turn for turn in loop.turns if turn.in_pieces and turn.calls and not turn.is_broken)


@LAWS.check("HOST-06", each=_in_pieces, needs=("probes", "driver"))
def what_came_in_pieces_is_told_in_pieces(_loop: Loop, turn: Turn) -> Iterator[Finding]:
    """If a reply was given in pieces, the log tells the pieces of its calls."""
    if turn.pieces_are_missing:
        yield Finding(
            "the reply was given in pieces, but no message_update has the pieces of its calls",
            "a message_update for each piece, with toolcall_start, toolcall_delta or toolcall_end in its"
            " assistantMessageEvent",
            (turn.reply.witness("M"),),
        )


def _half(loop: Loop) -> Iterator[tuple[Call, Stream]]:
    """Calls whose stream is no whole object, each with its stream."""
    yield from ((call, stream) for call, stream in _streamed(loop) if _read(stream.text) is None)


@LAWS.check("HOST-06", each=_half, needs=("streams", "failures"))
def half_of_the_arguments_are_a_failure(_loop: Loop, pair: tuple[Call, Stream]) -> Iterator[Finding]:
    """A call whose arguments are incomplete, or no JSON object, is not carried out, and its result is a failure."""
    call, stream = pair
    entered = call.probes(TOOL_CALLED)[:1]
    passed = [each for each in call.results[:1] if message_of(each).get("isError") is False]
    if entered or passed:
        yield Finding(
            f"the streamed arguments of {call.named} are not a whole JSON object, but "
            + ("its tool was entered" if entered else "its result has isError false"),
            "a failure, and no execution",
            (_first(call, stream.started), *(each.witness("R") for each in entered or passed)),
        )


def _given(loop: Loop) -> Iterator[Call]:
    """
    Calls whose arguments the log has as a value, or as a text that contains one.

    If the text of a call contains no whole object, only a failed result keeps the law. A form without failures cannot
    show that, so no call is judged as keeping the law then; only values that are no object are yielded.  The same
    holds for a call of a driven loop that was not streamed: whoever drove the loop gave it as an object.
    """
    driven = loop.driving is not None
    calls = [each for each in loop.calls if each.shape[2] and (each.stream or not driven or _is_faulty(each))]
    is_open = "failures" in loop.lacking and any(each.results for each in calls if _is_half(each))
    yield from (each for each in calls if not _is_half(each) and (not is_open or _is_faulty(each)))


@LAWS.check("HOST-06", each=_given)
def arguments_are_an_object(_loop: Loop, call: Call) -> Iterator[Finding]:
    """The arguments of a call in a reply are an object, or a text in a form that has them as a text."""
    if _is_faulty(call):
        yield Finding(f"the arguments of {call.named} are not an object", "an object", (call.asked(),))


def _written(loop: Loop) -> Iterator[Call]:
    """Calls whose arguments the log has as a text that is no whole object, and that have a result."""
    yield from (each for each in loop.calls if _is_half(each) and each.results)


@LAWS.check("HOST-06", each=_written, needs=("failures",))
def half_of_a_text_is_a_failure(_loop: Loop, call: Call) -> Iterator[Finding]:
    """If the log has the arguments of a call as a text that is no whole JSON object, the result says that it failed."""
    passed = next((each for each in call.results if message_of(each).get("isError") is False), None)
    if passed is not None:
        yield Finding(
            f"the arguments of {call.named} are not a whole JSON object, but its result says that it did not fail",
            "a failure, and no execution",
            (call.asked(), passed.witness("R")),
        )


def _is_faulty(call: Call) -> bool:
    value, shape, arguments = call.shape
    return any(each.pointer == arguments for each in faults_of(value, shape))


def _is_half(call: Call) -> bool:
    """Whether a log has the arguments of a call as a text that is no whole object."""
    text = call.part.text if call.part else None
    return text is not None and not _is_beyond_us(text) and _read(text) is None


def _first(call: Call, started: Moment | None) -> Witness:
    return started.witness("S") if started is not None else call.asked()


def _read(text: str) -> tuple[Json] | None:
    """
    The object in a stream, with its numbers as doubles, in a one-tuple; None if there is no object.

    An empty stream stands for an object without members.
    """
    try:
        value: Json = json.loads(text, parse_int=float, parse_constant=_refuse) if text.strip() else {}
    except (ValueError, RecursionError):
        return None
    return (value,) if is_object(value) else None


def _is_beyond_us(text: str) -> bool:
    """Whether a stream is nested deeper than this code reads values, so that no finding is made about it."""
    try:
        refuse_depth(text.encode("utf-8", "surrogatepass"))
    except NotStrictJson:
        return True
    return False


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
