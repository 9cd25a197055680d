"""The common result of reading a transcript: replies and results of a conversation, as the loop itself tells them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from callproof.protocols.agent_loop.forms import MESSAGE_END, META, Moment, Part
from callproof.protocols.entries import Entries, Entry
from callproof.trace.records import Source
from callproof.values.jsontext import Json

# The stop reason of a reply that was not finished, in the words of the loop.
BROKEN_OFF: Final = "aborted"


@dataclass(eq=False, slots=True)
class Reply:
    """One reply of a model: its blocks, whether it broke off, and the ids of calls in it that nobody judges."""

    source: Source
    blocks: list[tuple[Mapping[str, Json], Part] | None] = field(
        default_factory=list[tuple[Mapping[str, Json], Part] | None]
    )
    is_broken: bool = False
    others: set[str] = field(default_factory=set[str])

    @property
    def ids(self) -> frozenset[str]:
        """The ids of its calls."""
        return frozenset(name for each in self.blocks if each is not None and isinstance(name := each[0]["id"], str))

    @property
    def message(self) -> Mapping[str, Json]:
        """The reply as the loop tells it; a block that is no call of a tool by the host is empty."""
        content: list[Json] = [{} if each is None else each[0] for each in self.blocks]
        message: dict[str, Json] = {"role": "assistant", "content": content}
        return {**message, "stopReason": BROKEN_OFF} if self.is_broken else message


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """One result: as the loop tells it, and as the log has it."""

    message: Mapping[str, Json]
    part: Part


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one model was told and answered, in order; ``goes_on`` if the end of the log may have cut it."""

    moments: tuple[Moment, ...]
    goes_on: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """
    A form of a log: its name, the line by which it is known, how it is read, and the evidence that its results give.

    ``gives`` names what each of its results has: the name of the tool, whether the call failed, or details.
    """

    name: str
    is_known_by: Callable[[Entry], bool]
    read: Callable[[Sequence[Entry]], Iterable[Conversation]]
    gives: frozenset[str] = frozenset()


def call_block(name: Json, tool: Json, arguments: Json) -> Mapping[str, Json]:
    """A call as the loop tells it, from its id, its tool and its arguments."""
    return {"type": "toolCall", "id": name, "name": tool, "arguments": arguments}


def result_message(members: Mapping[str, Json], content: Json) -> Mapping[str, Json]:
    """A result as the loop tells it; nothing is filled in that the form lacks."""
    told: dict[str, Json] = {"role": "toolResult", **members}
    if content is not None:
        told["content"] = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return told


def conversation(
    told: Iterable[Reply | Result], *, begins_amid_a_reply: bool = False, goes_on: bool = True
) -> Conversation:
    """
    What was told, in order, without results for calls that nobody judges.

    If the first reply began before the log, results for its unseen calls are left out, too.
    """
    judged = _judged(told)
    known = _known(judged) if begins_amid_a_reply else judged
    return Conversation(tuple(_moment(each, at) for at, each in enumerate(known)), goes_on)


def _judged(told: Iterable[Reply | Result]) -> Iterator[Reply | Result]:
    """What was told, without results that name a call which nobody judges, as long as no other call has its id."""
    others: set[str] = set()
    for each in told:
        if isinstance(each, Reply):
            others.update(each.others)
            others.difference_update(each.ids)
        elif isinstance(name := each.message.get("toolCallId"), str) and name in others:
            continue
        yield each


def _known(told: Iterable[Reply | Result]) -> Iterator[Reply | Result]:
    """What was told, without results for calls that are missing from the visible part of the first reply."""
    replies = 0
    ids: frozenset[str] = frozenset()
    for each in told:
        if isinstance(each, Reply):
            replies += 1
            ids = each.ids if replies == 1 else ids
        elif replies == 1 and isinstance(name := each.message.get("toolCallId"), str) and name not in ids:
            continue
        yield each


def notes_of_a_capture(log: Entries) -> Conversation:
    """The lines that a capture put beside a transcript, with the schemas of its tools."""
    told = (each for each in log.entries if each.value.get("kind") == META)
    return Conversation(tuple(Moment(META, each.value, each.source, at) for at, each in enumerate(told)))


def _moment(told: Reply | Result, at: int) -> Moment:
    if isinstance(told, Result):
        return Moment(MESSAGE_END, {"message": told.message}, told.part.source, at, (told.part,))
    parts = tuple(None if each is None else each[1] for each in told.blocks)
    return Moment(MESSAGE_END, {"message": told.message}, told.source, at, parts, "reply of the model")
