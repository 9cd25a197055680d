"""Laws of the course of a run: what an abort reaches, which call waits for which, and where the run ends."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import between, is_over_after, run_of
from callproof.protocols.agent_loop.calls import LAWS, Call, Closing, Loop, Turn
from callproof.protocols.agent_loop.envelopes import is_put_off
from callproof.protocols.agent_loop.forms import (
    ABORT_CALLED,
    GAVE_UP,
    LOOP_FINISHED,
    RUN_END,
    RUN_START,
    TOOL_ABORTED,
    TOOL_CALLED,
    TOOL_RETURNED,
    TOOL_THREW,
    TOOL_WAITED,
    Moment,
)


def _aborted(loop: Loop) -> Iterator[tuple[Moment, Call]]:
    """Calls whose tool was at work when their run was aborted, or was entered after that, with the abort."""
    aborts = loop.probes(ABORT_CALLED)
    for call in loop.calls:
        left = [*call.probes(TOOL_RETURNED), *call.probes(TOOL_THREW)][:1]
        for entered in call.probes(TOOL_CALLED)[:1]:
            begins, ends = run_of(loop, entered)
            until = max(left[0].at, entered.at) if left else ends
            for abort in between(aborts, begins, until)[:1]:
                # A tool that was just entered may be asked to stop shortly, unless the log goes on to the run's end.
                if (left and abort.at > entered.at) or is_over_after(loop, max(abort, entered, key=_at)):
                    yield abort, call


def _at(moment: Moment) -> int:
    return moment.at


@LAWS.check("HOST-18", each=_aborted, needs=("probes", "driver"))
def an_abort_reaches_what_is_at_work(_loop: Loop, pair: tuple[Moment, Call]) -> Iterator[Finding]:
    """A tool that is at work when the run is aborted, or entered after that, is asked to stop."""
    abort, call = pair
    entered = call.probes(TOOL_CALLED)[0]
    if not any(each.at > entered.at for each in call.probes(TOOL_ABORTED)):
        how = "while the tool was at work" if abort.at > entered.at else "before the tool was entered"
        yield Finding(
            f"the run was aborted {how}, but the tool of {call.named} was not asked to stop",
            "the tool is asked to stop",
            (entered.witness("T"), abort.witness("A")),
        )


def _aborts(loop: Loop) -> Iterator[Moment]:
    """Every abort."""
    yield from loop.probes(ABORT_CALLED)


@LAWS.check("HOST-18", each=_aborts, needs=("probes", "driver"))
def an_aborted_run_asks_for_nothing_more(loop: Loop, abort: Moment) -> Iterator[Finding]:
    """The model is not called again in a run that was aborted."""
    for again in between(loop.contexts, abort.at, run_of(loop, abort)[1])[:1]:
        yield Finding(
            "the run was aborted, but the model was called again",
            "no more calls of the model in this run",
            (abort.witness("A"), again.witness("M")),
        )


def _one_by_one(loop: Loop) -> Iterator[Turn]:
    """Turns with several calls, in a loop that was told to carry them out one by one."""
    if loop.driving is not None and loop.driving.mode == "sequential":
        yield from (turn for turn in loop.turns if sum(bool(each.probes(TOOL_CALLED)) for each in turn.calls) > 1)


@LAWS.check("HOST-19", each=_one_by_one, needs=("probes", "executions", "driver"))
def one_by_one_is_one_by_one(_loop: Loop, turn: Turn) -> Iterator[Finding]:
    """No tool is entered until the call whose tool was entered before it has ended."""
    calls = sorted((each for each in turn.calls if each.probes(TOOL_CALLED)), key=_entered_at)
    for one, other in pairwise(calls):
        if one.ends and one.ends[0].at < _entered_at(other):
            continue
        yield Finding(
            f"the tool of {other.named} was entered before {one.named} had ended",
            "one call after the other, as the loop was told",
            (one.probes(TOOL_CALLED)[0].witness("T1"), other.probes(TOOL_CALLED)[0].witness("T2")),
        )


def _entered_at(call: Call) -> int:
    return call.probes(TOOL_CALLED)[0].at


def _side_by_side(loop: Loop) -> Iterator[tuple[Call, Moment]]:
    """Calls whose tool waits for its siblings, in a loop that was told to carry them out side by side."""
    if loop.driving is not None and loop.driving.mode == "parallel":
        for call in loop.calls:
            entered = call.probes(TOOL_CALLED)[:1]
            yield from ((call, each) for each in entered if each.text("waits") == "siblings")


@LAWS.check("HOST-20", each=_side_by_side, needs=("probes", "driver"))
def side_by_side_is_at_once(_loop: Loop, pair: tuple[Call, Moment]) -> Iterator[Finding]:
    """A tool that waits for the other calls of its reply does not wait in vain."""
    call, entered = pair
    for waited in call.probes(TOOL_WAITED)[:1]:
        yield Finding(
            f"the tool of {call.named} waited for the other calls of its reply, but their tools were not entered",
            "calls of one reply carried out side by side, as the loop was told",
            (entered.witness("T"), waited.witness("W")),
        )


def _answered(loop: Loop) -> Iterator[tuple[Turn, Closing]]:
    """Turns whose calls all have their results, with what came next, in runs in which the user did nothing."""
    for turn in loop.turns:
        if turn.closing is None or not turn.calls or turn.is_broken:
            continue
        in_hand = any(not call.results or is_put_off(loop, call) for call in turn.calls)
        if not in_hand and not between(loop.acts, *run_of(loop, turn.reply)):
            yield turn, turn.closing


@LAWS.check("HOST-22", each=_answered, needs=("probes", "driver"))
def a_run_goes_on_while_there_are_results(_loop: Loop, pair: tuple[Turn, Closing]) -> Iterator[Finding]:
    """No run ends with results that the model has not been given."""
    turn, closing = pair
    if closing.is_an_end:
        yield Finding(
            "every call of the reply had its result, but the run ended without calling the model again",
            "a run that goes on until a reply has no calls",
            (turn.reply.witness("M"), turn.calls[-1].results[0].witness("R"), closing.moment.witness("E")),
        )


def _runs(loop: Loop) -> Iterator[Moment]:
    """The beginning of each run; in a log without such events, its first line."""
    yield from (loop.moments[at] for at in loop.bounds or range(min(1, len(loop.moments))))


@LAWS.check("HOST-22", each=_runs, needs=("probes", "driver"))
def a_run_comes_to_its_end(loop: Loop, begin: Moment) -> Iterator[Finding]:
    """No run goes on when nothing is asked for any more."""
    for gave_up in between(loop.probes(GAVE_UP), *run_of(loop, begin))[:1]:
        yield Finding(
            "the run did not end",
            "an end, when a reply has no calls or the user aborts",
            (begin.witness("B"), gave_up.witness("G")),
        )


def _told_runs(loop: Loop) -> Iterator[tuple[Moment, Moment]]:
    """Each run whose log tells its beginning and shows that it is over, with what shows it: that word or a next run."""
    finished, given_up = loop.probes(LOOP_FINISHED), loop.probes(GAVE_UP)
    for begin in _runs(loop):
        first, following = run_of(loop, begin)
        # Of a run that its driver gave up, it is told already that it did not end; a line that is lost may be the end.
        unsure = loop.flaws or between(given_up, first, following)
        next_run = () if unsure else loop.moments[following : following + 1]
        over = [*between(finished, first, following), *next_run][:1]
        yield from ((begin, each) for each in over if begin.kind == RUN_START)


@LAWS.check("HOST-22", each=_told_runs, needs=("probes", "driver"))
def a_run_that_was_told_to_begin_is_told_to_end(loop: Loop, pair: tuple[Moment, Moment]) -> Iterator[Finding]:
    """Between the event that begins a run and what shows that it is over, there is exactly one event that ends it."""
    begin, over = pair
    ends = [each for each in between(loop.endings, begin.at, over.at) if each.kind == RUN_END]
    if len(ends) != 1:
        yield Finding(
            "an event says that the run began, and the run is over, but "
            + (f"{len(ends)} events say that it ended" if ends else "no event says that it ended"),
            "one event agent_end, before the run is over",
            (begin.witness("B"), *(each.witness("E") for each in ends[1:2] or [over])),
        )
