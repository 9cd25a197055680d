"""Laws of replies: the loop tells what the model said, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from callproof.checks.check import Finding
from callproof.protocols.agent_loop.acts import between, is_over_after, run_of
from callproof.protocols.agent_loop.arguments import came_whole
from callproof.protocols.agent_loop.calls import BROKEN, LAWS, Loop, Turn
from callproof.protocols.agent_loop.forms import ABORT_CALLED, GAVE_UP, Moment
from callproof.protocols.parts import first_listed, object_of, objects_of, text_of
from callproof.values.doubles import alike, differences
from callproof.values.jsontext import Json

# The members of a block that are compared, by its type.
_MEMBERS = {"text": ("text",), "toolCall": ("id", "name", "arguments")}


def _told(loop: Loop) -> Iterator[tuple[Turn, Moment | None]]:
    """Turns, with the reply that the model gave since the turn before; None if it gave none."""
    before = -1
    for turn in loop.turns:
        yield turn, next(reversed(between(loop.replied, before + 1, turn.reply.at)), None)
        before = turn.reply.at


def _replies(loop: Loop) -> Iterator[tuple[Turn, Moment]]:
    """Turns with the reply as the model gave it."""
    yield from ((turn, replied) for turn, replied in _told(loop) if replied is not None)


@LAWS.check("HOST-23", each=_replies, needs=("probes", "driver"))
def what_the_model_replied_is_told(loop: Loop, pair: tuple[Turn, Moment]) -> Iterator[Finding]:
    """The message of a reply has the blocks that the model gave, in their order, and the same stopReason."""
    turn, replied = pair
    given, told = replied.inner("message"), turn.reply.inner("message")
    blocks, stop = objects_of(told.get("content")), given.get("stopReason")
    if turn.is_broken and _is_aborted(loop, turn):
        # An aborted reply may have some of the calls, and a text of the loop's own.
        blocks, stop = tuple(each for each in blocks if each.get("type") == "toolCall"), told.get("stopReason")
    wrong = _differing(turn, objects_of(given.get("content")), blocks, stop)
    if stop != told.get("stopReason"):
        wrong = wrong or "another stopReason"
    if wrong:
        yield Finding(
            f"the loop reports the reply of the model with {wrong}",
            "the reply as it was; its calls may be left out if it did not end with toolUse",
            (replied.witness("G"), turn.reply.witness("M")),
        )


def _is_aborted(loop: Loop, turn: Turn) -> bool:
    """Whether the user had aborted the run before a reply was told."""
    begins, _ = run_of(loop, turn.reply)
    return any(each.text("probe") == ABORT_CALLED for each in between(loop.acts, begins, turn.reply.at))


def _without_a_reply(loop: Loop) -> Iterator[Turn]:
    """Turns for which the model gave no reply, in a log that tells what the model gave."""
    if loop.replied or loop.failed:
        yield from (turn for turn, replied in _told(loop) if replied is None)


@LAWS.check("HOST-23", each=_without_a_reply, needs=("probes", "driver"))
def no_reply_is_made_up(_loop: Loop, turn: Turn) -> Iterator[Finding]:
    """A message that the model did not give says that it was not finished, and has no calls."""
    if turn.calls or not turn.is_broken:
        yield Finding(
            "the model gave no reply, but the loop reports one" + (" with calls" if turn.calls else ""),
            "no message, or one without calls that ended with error or aborted",
            (turn.reply.witness("M"),),
        )


def _last(loop: Loop) -> Iterator[tuple[Moment, bool]]:
    """The last reply of each ended run in which the user did nothing, and whether a message came after it."""
    told, given_up = [turn.reply for turn in loop.turns], loop.probes(GAVE_UP)
    for replied in loop.replied:
        begins, ends = run_of(loop, replied)
        is_last = is_over_after(loop, replied) and not between(loop.contexts, replied.at, ends)
        if is_last and not between(loop.acts, begins, ends) and not between(given_up, begins, ends):
            yield replied, bool(between(told, replied.at, ends))


@LAWS.check("HOST-23", each=_last, needs=("probes", "driver"))
def a_reply_is_told(_loop: Loop, pair: tuple[Moment, bool]) -> Iterator[Finding]:
    """No run ends without a message for the last reply, unless that reply is refused for its ids."""
    replied, is_told = pair
    given = replied.inner("message")
    blocks, stop = objects_of(given.get("content")), given.get("stopReason")
    ids = [text_of(each, "id") for each in blocks if each.get("type") == "toolCall"]
    if not is_told and len(set(ids)) == len(ids) and not all(_may_be_left_out(each, stop) for each in blocks):
        yield Finding(
            "the model replied, but the run ended without a message of this reply",
            "the reply as it was, in a message",
            (replied.witness("G"),),
        )


def _differing(
    turn: Turn, given: Sequence[Mapping[str, Json]], told: Sequence[Mapping[str, Json]], stop: Json
) -> str | None:
    """How ``told`` differs from ``given``; None if it does not."""
    halves = {call.id for call in turn.calls if not came_whole(call)}
    left = list(given)
    for at, block in enumerate(told):
        while left and not _is_that(block, left[0], halves):
            wanted = left.pop(0)
            if not _may_be_left_out(wanted, stop):
                return f"other blocks than it gave, which differ at {_where(wanted, block, f'/content/{at}')}"
        if not left:
            return "a block that it did not give"
        left.pop(0)
    return None if all(_may_be_left_out(each, stop) for each in left) else "fewer blocks than it gave"


def _where(given: Mapping[str, Json], told: Mapping[str, Json], pointer: str) -> str:
    """Where a block that is told differs from the one that the model gave."""
    names = ("type",) if told.get("type") != given.get("type") else _MEMBERS.get(str(given.get("type")), ())
    wanted, had = ({name: each[name] for name in names if name in each} for each in (given, told))
    return first_listed(differences(wanted, had, pointer))


def _is_that(told: Mapping[str, Json], given: Mapping[str, Json], halves: set[str | None]) -> bool:
    kind = given.get("type")
    members = _MEMBERS.get(kind, ()) if isinstance(kind, str) else ()
    if text_of(given, "id") in halves:
        members = ("id", "name")
    return told.get("type") == kind and all(alike(told.get(name), given.get(name)) for name in members)


def _may_be_left_out(given: Mapping[str, Json], stop: Json) -> bool:
    if isinstance(stop, str) and stop in BROKEN:
        return True
    if given.get("type") == "text":
        return not str(object_of(given).get("text", "")).strip()
    return stop != "toolUse"
