"""Laws of ids: which call is which."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding, excerpt
from callproof.protocols.agent_loop.calls import LAWS, Call, Loop, Turn
from callproof.protocols.agent_loop.forms import MODEL_CONTEXT, PROBE, Moment
from callproof.protocols.parts import objects_of


def _several(loop: Loop) -> Iterator[Turn]:
    """Replies with calls."""
    yield from (each for each in loop.turns if each.calls)


@LAWS.check("HOST-11", each=_several)
def calls_of_a_reply_have_ids_of_their_own(loop: Loop, turn: Turn) -> Iterator[Finding]:
    """No two calls of one reply have the same id, unless the driver itself gave the loop such a reply."""
    if loop.driving is not None and "HOST-11" in loop.driving.excused:
        return
    first: dict[str, Call] = {}
    for call in turn.calls:
        if call.id is not None and first.setdefault(call.id, call) is not call:
            yield Finding(
                f"blocks {first[call.id].index} and {call.index} of a reply are calls with one id, {excerpt(call.id)}",
                "a different id for each call of a reply",
                (first[call.id].asked(), call.asked()) if call.part else (turn.reply.witness("M"),),
            )


def _contexts(loop: Loop) -> Iterator[Moment]:
    """What the model was given, as seen from inside."""
    yield from (each for each in loop.moments if each.kind == PROBE and each.text("probe") == MODEL_CONTEXT)


@LAWS.check("HOST-11", each=_contexts, needs=("probes",))
def what_the_model_is_given_pairs_up(_loop: Loop, context: Moment) -> Iterator[Finding]:
    """Every result that the model is given has the id of a call that it is given, even if ids were rewritten for it."""
    called: set[str] = set()
    for message in objects_of(context.value.get("messages")):
        blocks = objects_of(message.get("content")) if message.get("role") == "assistant" else ()
        called |= {str(each.get("id")) for each in blocks if each.get("type") == "toolCall"}
        name = message.get("toolCallId")
        if message.get("role") == "toolResult" and str(name) not in called:
            yield Finding(
                f"the model was given a result of the call {excerpt(name) if isinstance(name, str) else '?'},"
                " but no such call before it",
                "the same id in a call and in its result, also where ids are rewritten",
                (context.witness("C"),),
            )
