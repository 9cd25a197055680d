"""How the moments of a log are linked up: each with the call that it tells of, by its id and the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from callproof.protocols.agent_loop.calls import Call, Closing, Loop, Stray, Stream, Turn, driving_of, lacking
from callproof.protocols.agent_loop.envelopes import is_pending
from callproof.protocols.agent_loop.forms import (
    AFTERWARDS,
    END,
    EXECUTIONS,
    LOOP_FINISHED,
    MESSAGE_END,
    MESSAGE_START,
    MESSAGE_UPDATE,
    META,
    MODEL_CONTEXT,
    MODEL_REPLIED,
    PROBE,
    PROBES,
    RUN_END,
    RUN_START,
    START,
    TOOL_CALLED,
    UPDATE,
    Moment,
)
from callproof.protocols.agent_loop.reading import read
from callproof.protocols.entries import Entries
from callproof.protocols.parts import object_of, objects_of
from callproof.values.jsonvalue import as_integer, is_array


def loop_of(log: Entries) -> Loop:
    """The loop that a log tells of."""
    reading = read(log)
    linked = [_linked(each.moments) for each in reading.conversations]
    moments = tuple(moment for each in reading.conversations for moment in each.moments)
    turns = tuple(turn for each in linked for turn in each.turns)
    streamed = any(call.stream is not None and call.stream.pieces for turn in turns for call in turn.calls)
    tools = any(objects_of(each.value.get("tools")) for each in moments if each.kind == META)
    going_on = [one for one, each in zip(linked, reading.conversations, strict=True) if each.goes_on]
    return Loop(
        log.name,
        log.flaws,
        moments,
        turns,
        tuple(stray for each in linked for stray in each.strays),
        all(one.ended for one in going_on),
        tuple(call for one in going_on for turn in one.turns for call in turn.calls if call.is_open),
        lacking(moments, streamed=streamed, tools=tools, untold=reading.untold),
        reading.form,
        driving_of(moments),
    )


def _linked(moments: Sequence[Moment]) -> _Linking:
    """One conversation, linked up."""
    # A session has no end of its own; a stream ends with its run.
    linking = _Linking(ended={each.kind for each in moments} <= {MESSAGE_END, META})
    for each in moments:
        linking.take(each)
    return linking


@dataclass(eq=False, slots=True)
class _Batch:
    """The calls of one reply with one id, nearly always one; moments of several calls are given to them in order."""

    calls: list[Call]
    # How many of them have had a moment of each kind.
    had: Counter[str] = field(default_factory=Counter[str])
    answered: int = 0

    def next_of(self, kind: str) -> Call:
        """The call that a moment of a kind tells of: the first that it can belong to, or else the last one."""
        begun = len(self.calls) if kind == START else self.had[START] or len(self.calls)
        place = self.had[END if kind == UPDATE else kind]
        if place < begun and kind != UPDATE:
            self.had[kind] += 1
        return self.calls[min(place, begun - 1)]

    def unanswered(self) -> Call | None:
        """The first call without a result, counted as answered from now on; None if all calls have their results."""
        if self.answered == len(self.calls):
            return None
        self.answered += 1
        return self.calls[self.answered - 1]


@dataclass(eq=False, slots=True)
class _Linking:
    """A log while it is being linked, moment by moment."""

    turns: list[Turn] = field(default_factory=list[Turn])
    strays: list[Stray] = field(default_factory=list[Stray])
    # By id, the calls of the last turn that has this id, and the call of any turn that waits for its result.
    batches: dict[str, _Batch] = field(default_factory=dict[str, _Batch])
    pending: dict[str, Call] = field(default_factory=dict[str, Call])
    streams: dict[int, Stream] = field(default_factory=dict[int, Stream])
    # Whether the current reply was given in pieces, and whether any piece of a call was told.
    given_in_pieces: bool = False
    pieces_told: bool = False
    # Whether the model was called, and its reply is not there yet.
    replying: bool = False
    # The ids under which a tool was entered for no call that is known.
    entered_astray: set[str] = field(default_factory=set[str])
    # Whether the run has had a reply.
    replied: bool = False
    ended: bool = False

    def take(self, moment: Moment) -> None:
        """Link one moment up with what came before it."""
        if moment.kind == RUN_START:
            self.replied = self.replying = self.ended = False
            self.streams = {}
        elif moment.kind == RUN_END:
            self._end(moment)
        elif moment.kind in EXECUTIONS:
            self._tell(moment.kind, moment)
        elif moment.kind == PROBE:
            self._take_probe(moment)
        elif moment.kind in (MESSAGE_START, MESSAGE_UPDATE, MESSAGE_END):
            self._take_message(moment)

    def _take_message(self, moment: Moment) -> None:
        role = moment.inner("message").get("role")
        if moment.kind == MESSAGE_UPDATE and role in (None, "assistant"):
            self._call_the_model(moment)
            self._take_piece(moment)
        elif role == "assistant":
            self._call_the_model(moment)
            if moment.kind == MESSAGE_START:
                self.streams = {}
            elif moment.kind == MESSAGE_END:
                self._take_reply(moment)
        elif role == "toolResult" and moment.kind == MESSAGE_END:
            self._take_result(moment)

    def _take_probe(self, moment: Moment) -> None:
        name = moment.text("probe")
        if name == MODEL_CONTEXT:
            self._call_the_model(moment)
        elif name == MODEL_REPLIED:
            self.given_in_pieces, self.pieces_told = moment.value.get("streamed") is True, False
        elif name == LOOP_FINISHED:
            self._end(moment)
        elif name in PROBES:
            self._tell(name, moment)

    def _end(self, moment: Moment) -> None:
        self._close("the run ended", moment)
        self.replying, self.ended = False, True

    def _call_the_model(self, moment: Moment) -> None:
        if not self.replying:
            self._close("the model was called again", moment)
            self.replying = True
            self.streams = {}

    def _close(self, says: str, moment: Moment) -> None:
        for turn in reversed(self.turns):
            if turn.closing is not None:
                break
            turn.closing = Closing(says, moment)

    def _take_piece(self, moment: Moment) -> None:
        """One event of a streamed reply: the start, a piece or the end of the arguments of a call."""
        event = moment.inner("assistantMessageEvent")
        index, what = as_integer(event.get("contentIndex")), event.get("type")
        if index is None:
            return
        self.pieces_told = True
        if what == "toolcall_start":
            self.streams[index] = Stream(started=moment)
        elif what == "toolcall_delta" and (stream := self.streams.get(index)) is not None:
            piece = event.get("delta")
            stream.pieces.append(piece if isinstance(piece, str) else "")
            stream.whole = stream.whole and isinstance(piece, str)
        elif what == "toolcall_end" and (stream := self.streams.get(index)) is not None:
            stream.ended = moment

    def _take_reply(self, moment: Moment) -> None:
        turn = Turn(moment, in_pieces=self.given_in_pieces, pieces_told=self.pieces_told)
        content = moment.inner("message").get("content")
        blocks = enumerate(content if is_array(content) else ())
        turn.calls = tuple(
            Call(turn, index, block, self.streams.get(index))
            for index, each in blocks
            if (block := object_of(each)).get("type") == "toolCall"
        )
        fresh: dict[str, list[Call]] = {}
        for call in turn.calls:
            if call.id is not None:
                fresh.setdefault(call.id, []).append(call)
        for call in chain.from_iterable(calls for calls in fresh.values() if len(calls) > 1):
            call.shares_its_id = True
        self.batches |= {name: _Batch(calls) for name, calls in fresh.items()}
        self.turns.append(turn)
        self.streams, self.given_in_pieces, self.pieces_told = {}, False, False
        self.replying, self.replied = False, True

    def _tell(self, kind: str, moment: Moment) -> None:
        name = moment.text("toolCallId")
        if name is None:
            return  # HOST-02 checks the shape of an event
        if batch := self.batches.get(name):
            batch.next_of(kind).told.setdefault(kind, []).append(moment)
        elif kind not in AFTERWARDS or name not in self.entered_astray:
            if kind == TOOL_CALLED:
                self.entered_astray.add(name)
            self._stray(moment)

    def _take_result(self, moment: Moment) -> None:
        name = moment.inner("message").get("toolCallId")
        batch = self.batches.get(name) if isinstance(name, str) else None
        waiting = self.pending.get(name) if isinstance(name, str) else None
        # A result for which a call waits, even in an earlier turn, is not the second result of an answered call.
        found = (batch.unanswered() if batch else None) or waiting or (batch.calls[-1] if batch else None)
        if found is None:
            self._stray(moment)
            return
        found.waits = is_pending(moment, found.tool) and (found.waits or not found.results)
        found.results.append(moment)
        if found.waits and isinstance(name, str):
            self.pending[name] = found
        elif found is waiting and isinstance(name, str):
            del self.pending[name]

    def _stray(self, moment: Moment) -> None:
        """Note a moment that names no call; before the first reply of a run, it may belong to an earlier run."""
        if self.replied:
            self.strays.append(Stray(moment))
