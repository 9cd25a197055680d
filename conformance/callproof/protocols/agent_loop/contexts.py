"""Laws of what the model is given: the results as they were kept, and what the user wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import between, is_over_after, run_of
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, Turn, message_of
from callproof.protocols.agent_loop.envelopes import hold, is_put_off, texts_of
from callproof.protocols.agent_loop.forms import ABORT_CALLED, META, MODEL_CONTEXT, STEER_CALLED, Moment
from callproof.protocols.parts import objects_of, text_of
from callproof.values.doubles import alike
from callproof.values.jsontext import Json


def _told_again(loop: Loop) -> Iterator[tuple[Turn, Moment]]:
    """Turns with calls that have a result, with each call of the model before it replied again."""
    replied = [turn for turn in loop.turns if not turn.is_broken]
    nexts = {id(one): other.reply.at for one, other in pairwise(replied)}
    for turn in loop.turns:
        closing = turn.closing.moment if turn.closing is not None else None
        if closing is None or closing.text("probe") != MODEL_CONTEXT:
            continue
        if any(each.at < closing.at for call in turn.calls for each in call.results):
            ends = min(nexts.get(id(turn), len(loop.moments)), run_of(loop, closing)[1])
            yield from ((turn, each) for each in between(loop.contexts, closing.at, ends))


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
        if ids[call.id] == 0 or (ids[call.id] > 1 and not call.shares_its_id):
            how = f"with {ids[call.id]} results of it" if ids[call.id] else "without it"
            yield Finding(
                f"{call.named} had its result, but the model was called again {how}",
                "a result for each call of the last reply",
                (call.results[0].witness("R"), context.witness("C")),
            )


def _results_in(context: Moment) -> Sequence[Mapping[str, Json]]:
    """The results after the last reply in what the model was given."""
    messages = objects_of(context.value.get("messages"))
    replies = (at for at, each in enumerate(messages) if each.get("role") == "assistant" and not _is_broken(each))
    last = max(replies, default=-1)
    return [each for each in messages[last + 1 :] if each.get("role") == "toolResult"]


def _is_broken(message: Mapping[str, Json]) -> bool:
    """Whether a message of the assistant says that it was not finished; the model may not have said it."""
    return message.get("stopReason") in ("error", "aborted")


def _given_again(loop: Loop) -> Iterator[tuple[Call, Moment, Mapping[str, Json], Moment]]:
    """Calls with their result, the result that the model was given when it was called next, and that moment."""
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
    kept = message_of(result)
    flags = kept.get("isError"), given.get("isError")
    other = [] if hold(given.get("content"), kept.get("content")) else ["text"]
    if all(isinstance(each, bool) for each in flags) and flags[0] is not flags[1]:
        other.append("isError")
    if other:
        yield Finding(
            f"the model was given the result of {call.named}, but not with the {' and the '.join(other)} that was kept",
            "the result as it was kept",
            (result.witness("R"), context.witness("C")),
        )


def _asked_of(loop: Loop) -> Iterator[tuple[Call, Mapping[str, Json], Moment]]:
    """Calls with an id of their own, with the form in which the model was given them when it was called next."""
    for turn, context in _told_again(loop):
        messages = objects_of(context.value.get("messages"))
        replies = [each for each in messages if each.get("role") == "assistant" and not _is_broken(each)]
        blocks = [each for reply in replies[-1:] for each in objects_of(reply.get("content"))]
        given = {text_of(each, "id"): each for each in blocks if each.get("type") == "toolCall"}
        for call in turn.calls:
            if call.id in given and not call.shares_its_id:
                yield call, given[call.id], context


@LAWS.check("HOST-21", each=_asked_of, needs=("probes", "driver"))
def the_model_is_given_its_calls_as_they_were(
    loop: Loop, told: tuple[Call, Mapping[str, Json], Moment]
) -> Iterator[Finding]:
    """A call that the model is given with its result is the one that it made, but of no tool by another name."""
    call, given, context = told
    is_offered = not loop.declared or call.tool in loop.declared
    members = [name for name in ("name", "arguments") if name in given and (is_offered or name != "name")]
    other = [name for name in members if not alike(given[name], call.block.get(name))]
    if other:
        yield Finding(
            f"the model was given {call.named}, but not with the {' and the '.join(other)} that it had asked for",
            "the call as the reply has it",
            (call.asked(), context.witness("C")),
        )


def _begun(loop: Loop) -> Iterator[tuple[Moment, str]]:
    """Each call of the model before its first reply, with what the user wrote, if a driver tells that."""
    prompts = [told for each in loop.moments if each.kind == META and (told := each.text("prompt")) is not None]
    replies = [turn.reply.at for turn in loop.turns if not turn.is_broken]
    ends = min([*replies[:1], *loop.bounds[1:2], len(loop.moments)])
    contexts = between(loop.contexts, 0, ends) or loop.contexts[:1]
    yield from ((context, prompt) for context in contexts for prompt in prompts[:1])


@LAWS.check("HOST-21", each=_begun, needs=("probes", "driver"))
def the_model_is_given_the_prompt(_loop: Loop, pair: tuple[Moment, str]) -> Iterator[Finding]:
    """What the user wrote at the beginning is in what the model is given first."""
    context, prompt = pair
    if not _says(context, prompt):
        yield Finding(
            "the user wrote something to begin the run, but the model was called without it",
            "the message of the user, in what the model is given",
            (context.witness("C"),),
        )


def _firsts(loop: Loop) -> Iterator[Moment]:
    """The first call of the model in a log that a driver wrote, if it comes before any reply."""
    replies = [turn.reply.at for turn in loop.turns]
    yield from (each for each in loop.contexts[:1] if not replies or each.at < replies[0])


@LAWS.check("HOST-21", each=_firsts, needs=("probes", "driver"))
def a_run_begins_without_results(_loop: Loop, context: Moment) -> Iterator[Finding]:
    """What the model is given first holds no result: nothing has been called yet, and earlier runs are over."""
    if any(each.get("role") == "toolResult" for each in objects_of(context.value.get("messages"))):
        yield Finding(
            "the model was called for the first time, but was given the result of a call",
            "no result from before this run",
            (context.witness("C"),),
        )


def _says(context: Moment, words: str) -> bool:
    """Whether a message of the user in what the model was given contains some words."""
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
    after = _next_contexts(loop, act)
    if _is_broken_off(loop, act) or (not after and _is_put_off(loop, act)):
        return  # the model failed, or the run waits for a client: the message waits for the next run
    if said is not None and not any(_says(context, said) for context in after):
        yield Finding(
            "the user wrote something while the run went on, but the model was "
            + ("called again without it" if after else "not called again"),
            "the message of the user, in what the model is given next",
            (act.witness("U"), *(each.witness("C") for each in after)),
        )


def _next_contexts(loop: Loop, act: Moment) -> Sequence[Moment]:
    """
    What the model is given next after the user wrote something: one context, or several if the model fails.

    If the user had written other messages since the model was last called, there is one more for each of them.
    """
    _, ends = run_of(loop, act)
    contexts = between(loop.contexts, act.at, ends)
    failed = between(loop.failed, run_of(loop, act)[0], ends)
    replied = between(loop.replied, act.at, ends)[:1]
    # A loop may repeat a failed question as it was; the first question after a reply is a new one.
    again = sum(each.at < replied[0].at for each in contexts) if failed and replied else 0
    return contexts[: again + 1 + _written_before(loop, act)]


def _written_before(loop: Loop, act: Moment) -> int:
    """How many other messages the user had written in the run since the model was last called."""
    since = [run_of(loop, act)[0], *(each.at for each in loop.contexts if each.at < act.at)]
    return len(between(loop.probes(STEER_CALLED), max(since), act.at))


def _is_broken_off(loop: Loop, act: Moment) -> bool:
    """Whether the run in which the user did something ended after the model failed."""
    bounds = run_of(loop, act)
    replied = [each.at for each in between(loop.replied, *bounds)[-1:]]
    return any([each.at] > replied for each in between(loop.failed, *bounds)[-1:])


def _is_put_off(loop: Loop, act: Moment) -> bool:
    """Whether a client carries out a call of the run in which the user did something."""
    begins, ends = run_of(loop, act)
    return any(is_put_off(loop, call) for call in loop.calls if begins <= call.turn.reply.at < ends)
