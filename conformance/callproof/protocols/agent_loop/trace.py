"""How the moments of a log are linked up: each with the call that it tells of, by its id and the turn."""

from __future__ import annotations

from dataclasses import dataclass, field

from callproof.protocols.agent_loop.calls import Call, Closing, Loop, Stray, Stream, Turn, lacking
from callproof.protocols.agent_loop.envelopes import is_pending
from callproof.protocols.agent_loop.forms import (
    END,
    EXECUTIONS,
    MESSAGE_END,
    MESSAGE_START,
    MESSAGE_UPDATE,
    META,
    MODEL_CONTEXT,
    PROBE,
    PROBES,
    RUN_END,
    RUN_START,
    START,
    UPDATE,
    Moment,
    as_object,
    moments_of,
    objects_of,
)
from callproof.protocols.entries import Entries
from callproof.values.jsonvalue import is_array


def loop_of(log: Entries) -> Loop:
    """The loop that a log tells of."""
    moments = moments_of(log)
    # A session file has no end of its own; a stream ends with its run.
    linking = _Linking(ended={each.kind for each in moments} <= {MESSAGE_END, META})
    for each in moments:
        linking.take(each)
    streamed = any(call.stream is not None and call.stream.pieces for turn in linking.turns for call in turn.calls)
    tools = any(objects_of(each.value.get("tools")) for each in moments if each.kind == META)
    return Loop(
        log.name,
        log.flaws,
        moments,
        tuple(linking.turns),
        tuple(linking.strays),
        linking.ended and not any(map(_is_open, (call for turn in linking.turns for call in turn.calls))),
        lacking(moments, streamed=streamed, tools=tools),
    )


@dataclass(eq=False, slots=True)
class _Linking:
    """A log on its way through, moment by moment."""

    turns: list[Turn] = field(default_factory=list[Turn])
    strays: list[Stray] = field(default_factory=list[Stray])
    # The calls of the last turn that has an id, by the id, and the call of any turn that waits for its result.
    batches: dict[str, list[Call]] = field(default_factory=dict[str, list[Call]])
    pending: dict[str, Call] = field(default_factory=dict[str, Call])
    streams: dict[int, Stream] = field(default_factory=dict[int, Stream])
    # Whether the model was called, and its reply is not there yet.
    replying: bool = False
    # Whether the run has had a reply.
    replied: bool = False
    ended: bool = False

    def take(self, moment: Moment) -> None:
        """Link one moment up with what came before it."""
        if moment.kind == RUN_START:
            self.replied = self.replying = self.ended = False
            self.streams = {}
        elif moment.kind == RUN_END:
            self._close("the run ended", moment)
            self.replying, self.ended = False, True
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
        elif name in PROBES:
            self._tell(name, moment)

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
        index, what = event.get("contentIndex"), event.get("type")
        if not isinstance(index, int) or isinstance(index, bool):
            return
        if what == "toolcall_start":
            self.streams[index] = Stream(started=moment)
        elif what == "toolcall_delta" and (stream := self.streams.get(index)) is not None:
            piece = event.get("delta")
            stream.pieces.append(piece if isinstance(piece, str) else "")
            stream.whole = stream.whole and isinstance(piece, str)
        elif what == "toolcall_end" and (stream := self.streams.get(index)) is not None:
            stream.ended = moment

    def _take_reply(self, moment: Moment) -> None:
        turn = Turn(moment)
        content = moment.inner("message").get("content")
        blocks = enumerate(content if is_array(content) else ())
        turn.calls = tuple(
            Call(turn, index, block, self.streams.get(index))
            for index, each in blocks
            if (block := as_object(each)).get("type") == "toolCall"
        )
        fresh: dict[str, list[Call]] = {}
        for call in turn.calls:
            if call.id is not None:
                fresh.setdefault(call.id, []).append(call)
        self.batches |= fresh
        self.turns.append(turn)
        self.streams = {}
        self.replying, self.replied = False, True

    def _tell(self, kind: str, moment: Moment) -> None:
        name = moment.text("toolCallId")
        if name is None:
            return  # of an event, its shape is HOST-02's matter
        if batch := self.batches.get(name):
            _of(batch, kind).told.setdefault(kind, []).append(moment)
        else:
            self._stray(moment)

    def _take_result(self, moment: Moment) -> None:
        name = moment.inner("message").get("toolCallId")
        batch = self.batches.get(name, []) if isinstance(name, str) else []
        waiting = self.pending.get(name) if isinstance(name, str) else None
        first = next((each for each in batch if not each.results), None) or next(filter(_waiting, batch), None)
        # What a call of an earlier turn waits for is not the second result of a call that has had one.
        found = first or waiting or (batch[-1] if batch else None)
        if found is None:
            self._stray(moment)
            return
        found.results.append(moment)
        if (name := _waiting(found)) is not None:
            self.pending[name] = found
        elif found is waiting and found.id is not None:
            del self.pending[found.id]

    def _stray(self, moment: Moment) -> None:
        """Note what names no call; before the first reply of a run, it may tell of an earlier one."""
        if self.replied:
            self.strays.append(Stray(moment))


def _of(batch: list[Call], kind: str) -> Call:
    """The call of several with one id that a moment tells of: the first one that it can be about, in order."""
    if kind == START:
        return next((each for each in batch if not each.starts), batch[-1])
    begun = [each for each in batch if each.starts] or batch
    if kind == END:
        return next((each for each in begun if not each.ends), begun[-1])
    if kind == UPDATE:
        return next((each for each in begun if not each.ends), begun[-1])
    return next((each for each in begun if not each.probes(kind)), begun[-1])


def _is_open(call: Call) -> bool:
    """Whether a result is still to come, and may come."""
    return (
        not call.turn.is_broken and all(map(is_pending, call.results)) and (call.closed is None or bool(call.results))
    )


def _waiting(call: Call) -> str | None:
    """The id of a call that has been put off, and has no other result yet."""
    return call.id if call.results and all(map(is_pending, call.results)) else None
