"""A list of items as the Responses interface takes and gives them, one per line, bare or as Codex wraps them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from callproof.protocols.agent_loop.forms import Part
from callproof.protocols.agent_loop.transcripts.telling import (
    Conversation,
    Form,
    Reply,
    Result,
    call_block,
    conversation,
    result_message,
)
from callproof.protocols.agent_loop.transcripts.texts import arguments_in
from callproof.protocols.entries import Entry
from callproof.protocols.parts import object_of
from callproof.values.jsontext import Json

_FUNCTION: Final = "function_call"
_CUSTOM: Final = "custom_tool_call"
_SHAPES: Final = {_FUNCTION: "agent-loop-function-call", _CUSTOM: "agent-loop-custom-call"}
_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output")
# The kinds that replace everything before them, in the log of Codex and in the list itself.
_COMPACTED: Final = ("compacted", "compaction")
_ABORTED: Final = "turn_aborted"


def _item(entry: Entry) -> Entry:
    """The item in a line, without its wrapping; of Codex's notes about itself, only that a turn was aborted counts."""
    kind, payload = entry.value.get("type"), object_of(entry.value.get("payload"))
    if kind == "response_item" or (kind == "event_msg" and payload.get("type") == _ABORTED):
        return Entry(payload, entry.source)
    return entry


def _is_known_by(entry: Entry) -> bool:
    item = _item(entry)
    return item.value.get("type") in (_FUNCTION, _CUSTOM, *_OUTPUTS) and item.text("call_id") is not None


def _read(entries: Sequence[Entry]) -> Iterator[Conversation]:
    reading = _Reading()
    for each in entries:
        item = _item(each)
        if item.value.get("type") in _COMPACTED:
            yield reading.conversation(goes_on=False)
            # A later result for a call before it belongs to no call: the model is no longer given that call.
            reading.others.update(reading.called)
            reading = _Reading(others=reading.others)
        else:
            reading.take(item)
    yield reading.conversation()


@dataclass(eq=False, slots=True)
class _Reading:
    """A list of items being read: a reply is everything that the model made until it was given something."""

    told: list[Reply | Result] = field(default_factory=list[Reply | Result])
    # The calls that are told, and those that are skipped together with their results.
    called: set[str] = field(default_factory=set[str])
    others: set[str] = field(default_factory=set[str])
    # The current reply, and the latest one, which may turn out to have been aborted.
    reply: Reply | None = None
    last: Reply | None = None
    # Whether the model was given something before its first reply.
    is_asked: bool = False

    def conversation(self, *, goes_on: bool = True) -> Conversation:
        """The conversation up to here."""
        return conversation(self.told, begins_amid_a_reply=not self.is_asked, goes_on=goes_on)

    def take(self, item: Entry) -> None:
        """Take one item by its kind; kinds without calls are skipped."""
        kind = item.value.get("type")
        # A call that runs beside the model may be answered at any time.
        is_judged = kind in (_FUNCTION, _CUSTOM) and item.value.get("async") is not True
        if kind == _ABORTED and self.last is not None:
            self.last.is_broken = True
        elif kind in _OUTPUTS and item.text("call_id") not in self.others:
            self.told.append(_result(item))
        elif is_judged:
            self._made(item).blocks.append(_call(item))
            self.called.update(_id_of(item))
            self.others.difference_update(_id_of(item))
        elif _is_made(item):
            self._made(item)
            self.others.update(_id_of(item))
        if _is_given(item):
            self.reply = None
            self.is_asked |= self.last is None

    def _made(self, item: Entry) -> Reply:
        """The reply that an item belongs to."""
        if self.reply is None:
            self.reply = self.last = Reply(item.source)
            self.told.append(self.reply)
        # The last item of a response that was cut is half a call, which is not carried out.
        self.reply.is_broken |= item.value.get("status") == "incomplete"
        return self.reply


def _is_made(item: Entry) -> bool:
    """Whether the model made an item: a message, its reasoning, or a call of any kind."""
    kind = item.value.get("type")
    if kind in (None, "message"):
        return item.value.get("role") == "assistant"
    return isinstance(kind, str) and (kind == "reasoning" or kind.endswith("_call"))


def _is_given(item: Entry) -> bool:
    """Whether the model was given an item: a message of another role, or an output."""
    kind = item.value.get("type")
    if kind in (None, "message"):
        return item.value.get("role") not in (None, "assistant")
    return isinstance(kind, str) and kind.endswith("_output")


def _id_of(item: Entry) -> tuple[str, ...]:
    found = item.text("call_id")
    return () if found is None else (found,)


def _call(item: Entry) -> tuple[Mapping[str, Json], Part]:
    kind, given = str(item.value.get("type")), item.value.get("arguments")
    is_function = kind == _FUNCTION
    text = given if is_function and isinstance(given, str) else None
    part = Part(item.value, _SHAPES[kind], item.source, kind, "/arguments" if is_function else "", text)
    # A custom tool is given a text, and no law here is about that text.
    return call_block(
        item.value.get("call_id"), item.value.get("name"), arguments_in(given) if is_function else {}
    ), part


def _result(item: Entry) -> Result:
    message = result_message({"toolCallId": item.value.get("call_id")}, item.value.get("output"))
    return Result(message, Part(item.value, "agent-loop-output-item", item.source, str(item.value.get("type"))))


FORM: Final = Form("items of Responses", _is_known_by, _read)
