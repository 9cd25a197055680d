"""Laws of the course of a run: what an abort reaches, who waits for whom, what the model is told, and where it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import between, is_over_after, run_of
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, Turn, message_of
from callproof.protocols.agent_loop.envelopes import is_pending, texts_of
from callproof.protocols.agent_loop.forms import (
    ABORT_CALLED,
    GAVE_UP,
    LOOP_FINISHED,
    META,
    MODEL_CONTEXT,
    RUN_END,
    STEER_CALLED,
    TOOL_ABORTED,
    TOOL_CALLED,
    TOOL_RETURNED,
    TOOL_THREW,
    TOOL_WAITED,
    Moment,
)
from callproof.protocols.parts import objects_of, text_of
from callproof.values.jsontext import Json


def _aborted(loop: Loop) -> Iterator[tuple[Moment, Call]]:
    """Calls whose tool was at work when their run was aborted, beside the abort."""
    for call in loop.calls:
        left = [*call.probes(TOOL_RETURNED), *call.probes(TOOL_THREW)][:1]
        for entered in call.probes(TOOL_CALLED)[:1]:
            ends = left[0].at if left else run_of(loop, entered)[1]
            aborts = (each for each in between(loop.acts, entered.at, ends) if each.text("probe") == ABORT_CALLED)
            yield from ((each, call) for each in islice(aborts, 1) if left or is_over_after(loop, each))


@LAWS.check("HOST-18", each=_aborted, needs=("probes", "driver"))
def an_abort_reaches_what_is_at_work(_loop: Loop, pair: tuple[Moment, Call]) -> Iterator[Finding]:
    """A tool that is at work when the run is aborted is asked to stop."""
    abort, call = pair
    if not any(each.at > abort.at for each in call.probes(TOOL_ABORTED)):
        yield Finding(
            f"the run was aborted while the tool of {call.named} was at work, and it was not asked to stop",
            "a tool that is asked to stop",
            (call.probes(TOOL_CALLED)[0].witness("T"), abort.witness("A")),
        )


def _aborts(loop: Loop) -> Iterator[Moment]:
    """Every abort."""
    yield from loop.probes(ABORT_CALLED)


@LAWS.check("HOST-18", each=_aborts, needs=("probes", "driver"))
def an_aborted_run_asks_for_nothing_more(loop: Loop, abort: Moment) -> Iterator[Finding]:
    """The model is not called again in a run that was aborted."""
    for again in between(loop.contexts, abort.at, run_of(loop, abort)[1])[:1]:
        yield Finding(
            "the run was aborted, and the model was called again",
            "no more calls of the model in this run",
            (abort.witness("A"), again.witness("M")),
        )


def _one_by_one(loop: Loop) -> Iterator[Turn]:
    """Turns with several calls, in a loop that was told to carry them out one by one."""
    if loop.driving is not None and loop.driving.mode == "sequential":
        yield from (turn for turn in loop.turns if sum(bool(each.probes(TOOL_CALLED)) for each in turn.calls) > 1)


@LAWS.check("HOST-19", each=_one_by_one, needs=("probes", "executions", "driver"))
def one_by_one_is_one_by_one(_loop: Loop, turn: Turn) -> Iterator[Finding]:
    """No tool is entered before the call whose tool was entered before it has ended."""
    calls = sorted((each for each in turn.calls if each.probes(TOOL_CALLED)), key=_entered_at)
    for one, other in pairwise(calls):
        if one.ends and one.ends[0].at < _entered_at(other):
            continue
        yield Finding(
            f"the tool of {other.named} was entered while {one.named} had not ended",
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
            f"the tool of {call.named} waited for the other calls of its reply, and they were not entered",
            "calls of one reply carried out side by side, as the loop was told",
            (entered.witness("T"), waited.witness("W")),
        )


def _told_again(loop: Loop) -> Iterator[tuple[Turn, Moment]]:
    """Turns with calls that have a result, beside the call of the model that came next."""
    for turn in loop.turns:
        closing = turn.closing.moment if turn.closing is not None else None
        if closing is None or closing.text("probe") != MODEL_CONTEXT:
            continue
        if any(each.at < closing.at for call in turn.calls for each in call.results):
            yield turn, closing


@LAWS.check("HOST-21", each=_told_again, needs=("probes",))
def the_model_is_given_every_result(_loop: Loop, pair: tuple[Turn, Moment]) -> Iterator[Finding]:
    """What the model is given next holds one result for each call of its last reply, in any order."""
    turn, context = pair
    given = _results_in(context)
    ids = Counter(text_of(each, "toolCallId") for each in given)
    answered = [call for call in turn.calls if any(each.at < context.at for each in call.results)]
    if ids.keys().isdisjoint(call.id for call in answered) and len(given) >= len(answered):
        return  # the ids were rewritten for a provider
    for call in answered:
        if ids[call.id] == 0:
            yield Finding(
                f"{call.named} had its result, and the model was called again without it",
                "a result for each call of the last reply",
                (call.results[0].witness("R"), context.witness("C")),
            )


def _results_in(context: Moment) -> Sequence[Mapping[str, Json]]:
    """The results after the last reply that the model was given."""
    messages = objects_of(context.value.get("messages"))
    last = max((at for at, each in enumerate(messages) if each.get("role") == "assistant"), default=-1)
    return [each for each in messages[last + 1 :] if each.get("role") == "toolResult"]


def _given_again(loop: Loop) -> Iterator[tuple[Call, Moment, Mapping[str, Json], Moment]]:
    """Calls with their result, beside what the model was given of it when it was called next."""
    for turn, context in _told_again(loop):
        given = {text_of(each, "toolCallId"): each for each in _results_in(context)}
        for call in turn.calls:
            results = [each for each in call.results if each.at < context.at]
            if results and call.id in given and not call.shares_its_id:
                yield call, results[-1], given[call.id], context


@LAWS.check("HOST-21", each=_given_again, needs=("probes", "driver"))
def the_model_is_given_results_as_they_are(
    _loop: Loop, told: tuple[Call, Moment, Mapping[str, Json], Moment]
) -> Iterator[Finding]:
    """A result that the model is given has every text of the message that was kept, and its flag of failure."""
    call, result, given, context = told
    kept, said = message_of(result), "\n".join(texts_of(given.get("content")))
    flags = kept.get("isError"), given.get("isError")
    other = [] if all(each in said for each in texts_of(kept.get("content"))) else ["text"]
    if all(isinstance(each, bool) for each in flags) and flags[0] is not flags[1]:
        other.append("isError")
    if other:
        yield Finding(
            f"the model was given the result of {call.named} with other {' and other '.join(other)} than was kept",
            "the result as it was kept",
            (result.witness("R"), context.witness("C")),
        )


def _begun(loop: Loop) -> Iterator[tuple[Moment, str]]:
    """The first time that the model is called in a log whose driver tells what the user wrote, beside that."""
    prompts = [told for each in loop.moments if each.kind == META and (told := each.text("prompt")) is not None]
    yield from ((context, prompt) for context in loop.contexts[:1] for prompt in prompts[:1])


@LAWS.check("HOST-21", each=_begun, needs=("probes", "driver"))
def the_model_is_given_the_prompt(_loop: Loop, pair: tuple[Moment, str]) -> Iterator[Finding]:
    """What the user wrote to begin with is among what the model is given first."""
    context, prompt = pair
    if not _says(context, prompt):
        yield Finding(
            "the user wrote something to begin the run, and the model was called without it",
            "the message, in what the model is given",
            (context.witness("C"),),
        )


def _says(context: Moment, words: str) -> bool:
    """Whether some words are in a message of the user among those that the model was given."""
    messages = (each for each in objects_of(context.value.get("messages")) if each.get("role") == "user")
    return any(words in said for each in messages for said in _words_of(each.get("content")))


def _words_of(content: Json) -> Sequence[str]:
    return (content,) if isinstance(content, str) else texts_of(content)


def _steered(loop: Loop) -> Iterator[Moment]:
    """What the user wrote in the middle of a run that was not aborted."""
    aborted = {run_of(loop, each) for each in loop.probes(ABORT_CALLED)}
    for act in loop.probes(STEER_CALLED):
        told = between(loop.contexts, act.at, run_of(loop, act)[1]) or is_over_after(loop, act)
        if run_of(loop, act) not in aborted and told:
            yield act


@LAWS.check("HOST-21", each=_steered, needs=("probes", "driver"))
def the_model_is_given_what_the_user_wrote(loop: Loop, act: Moment) -> Iterator[Finding]:
    """A message by which the user steers is among those that the model is given next, in the same run."""
    said = act.text("text")
    after = between(loop.contexts, act.at, run_of(loop, act)[1])[:1]
    if not after and _is_put_off(loop, act):
        return  # the run waits for a client, and the message for the next run
    if said is not None and not any(_says(context, said) for context in after):
        yield Finding(
            "the user wrote something while the run went on, and the model was "
            + ("called again without it" if after else "not called again"),
            "the message, in what the model is given next",
            (act.witness("U"), *(each.witness("C") for each in after)),
        )


def _is_put_off(loop: Loop, act: Moment) -> bool:
    """Whether a call of the run in which the user did something is carried out by a client."""
    begins, ends = run_of(loop, act)
    of_run = (call for call in loop.calls if begins <= call.turn.reply.at < ends)
    return any(is_pending(result, call.tool) for call in of_run for result in call.results)


def _answered(loop: Loop) -> Iterator[tuple[Turn, Moment]]:
    """Turns whose calls all have their results, beside what came next, in runs that the user left alone."""
    for turn in loop.turns:
        if turn.closing is None or not turn.calls or turn.is_broken:
            continue
        in_hand = any(_is_in_hand(call) for call in turn.calls)
        if not in_hand and not between(loop.acts, *run_of(loop, turn.reply)):
            yield turn, turn.closing.moment


def _is_in_hand(call: Call) -> bool:
    """Whether a call has no result that is more than a note."""
    return not call.results or any(is_pending(each, call.tool) for each in call.results)


@LAWS.check("HOST-22", each=_answered, needs=("probes", "driver"))
def a_run_goes_on_while_there_are_results(_loop: Loop, pair: tuple[Turn, Moment]) -> Iterator[Finding]:
    """No run ends with results that the model has not been given."""
    turn, closing = pair
    if closing.kind == RUN_END or closing.text("probe") == LOOP_FINISHED:
        yield Finding(
            "every call of the reply had its result, and the run ended without calling the model again",
            "a run that goes on until a reply has no calls",
            (turn.reply.witness("M"), turn.calls[-1].results[0].witness("R"), closing.witness("E")),
        )


def _runs(loop: Loop) -> Iterator[Moment]:
    """The beginning of each run; of a log that tells of none its first line."""
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
