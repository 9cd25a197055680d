"""Laws of replies: what the model said is what the loop tells that it said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import between
from callproof.protocols.agent_loop.arguments import came_whole
from callproof.protocols.agent_loop.calls import LAWS, Loop, Turn
from callproof.protocols.agent_loop.forms import Moment
from callproof.protocols.parts import object_of, objects_of, text_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal

# What there is to compare of a block, by its type.
_MEMBERS = {"text": ("text",), "toolCall": ("id", "name", "arguments")}


def _replies(loop: Loop) -> Iterator[tuple[Turn, Moment]]:
    """Turns with the reply as the model gave it."""
    before = -1
    for turn in loop.turns:
        yield from ((turn, each) for each in between(loop.replied, before + 1, turn.reply.at)[-1:])
        before = turn.reply.at


@LAWS.check("HOST-23", each=_replies, needs=("probes", "driver"))
def what_the_model_replied_is_told(_loop: Loop, pair: tuple[Turn, Moment]) -> Iterator[Finding]:
    """The message of a reply has the blocks that the model gave, in their order, and ends as it ended."""
    turn, replied = pair
    given = replied.inner("message")
    told = turn.reply.inner("message")
    wrong = _differing(turn, objects_of(given.get("content")), objects_of(told.get("content")), given.get("stopReason"))
    if given.get("stopReason") != told.get("stopReason"):
        wrong = wrong or "another stopReason"
    if wrong:
        yield Finding(
            f"the model replied, and the loop tells {wrong}",
            "the reply as it was; calls of one that did not end toolUse may be left out",
            (replied.witness("G"), turn.reply.witness("M")),
        )


def _differing(
    turn: Turn, given: Sequence[Mapping[str, Json]], told: Sequence[Mapping[str, Json]], stop: Json
) -> str | None:
    """How what is told differs from what was given; None where it does not."""
    halves = {call.id for call in turn.calls if not came_whole(call)}
    left = list(given)
    for block in told:
        while left and not _is_that(block, left[0], halves):
            if not _may_be_left_out(left.pop(0), stop):
                return "other blocks than it gave"
        if not left:
            return "a block that it did not give"
        left.pop(0)
    return None if all(_may_be_left_out(each, stop) for each in left) else "fewer blocks than it gave"


def _is_that(told: Mapping[str, Json], given: Mapping[str, Json], halves: set[str | None]) -> bool:
    kind = given.get("type")
    members = _MEMBERS.get(kind, ()) if isinstance(kind, str) else ()
    if text_of(given, "id") in halves:
        members = ("id", "name")
    return told.get("type") == kind and all(equal(told.get(name), given.get(name)) for name in members)


def _may_be_left_out(given: Mapping[str, Json], stop: Json) -> bool:
    if given.get("type") == "text":
        return not str(object_of(given).get("text", "")).strip()
    return stop != "toolUse"
