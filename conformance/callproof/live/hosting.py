"""The witness tools of one run at work: what reaches them, what they answer, when they are told to stop.

The system cannot lie about what happens here; that is the purpose of it.  The host
notes each answer in the agenda; it never waits and never reads the wire.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from callproof.adapters.messages import RequestId
from callproof.live.agenda import Agenda, Turn
from callproof.live.behaviours import Ending, OnAbort, Reply, Stage, Write, mutated
from callproof.live.case import HostedTool
from callproof.live.folders import OutsideTheFolders, put
from callproof.live.ledger import Ledger, OpenDeed
from callproof.live.wire import Wire
from callproof.trace.witnesses import Abort, Answer, AnswerKind
from callproof.values.jsontext import Json, write_json

TOOL_FAILED = -32010
TOOL_BROKE = -32011

# How long after its answer a tool writes, if it writes in the background.
_LATER_MS = 100

_STOPPED: Mapping[str, Json] = {"code": "CANCELLED", "message": "The witness tool was told to stop"}


@dataclass(slots=True, eq=False)
class _Open:
    """An invocation without an answer: the reply it will get, and its number among those of its tool, from 1."""

    request: RequestId
    deed: OpenDeed
    reply: Reply
    count: int
    held: bool
    told: int = 0


class Host:
    """The tools of a case, hosted for one run; ``on_answer`` gets every answer: tool, which invocation, when."""

    def __init__(
        self, tools: Iterable[HostedTool], wire: Wire, ledger: Ledger, agenda: Agenda, root: Path | None
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._wire = wire
        self._ledger = ledger
        self._agenda = agenda
        self._root = root
        self._counts: Counter[str] = Counter()
        self._open: list[_Open] = []
        self.on_answer: Callable[[str, int, float], None] = lambda _tool, _count, _now: None

    def invoke(self, request: RequestId, params: Mapping[str, Json], arrival: int, now_ms: float) -> tuple[str, int]:
        """Enter a tool; return its name, and the number of this invocation of it, counted from 1."""
        deed = OpenDeed(_text(params, "callId"), _text(params, "tool"), params.get("args"), now_ms, arrival)
        self._ledger.deeds.append(deed)
        reply = self._reply(deed)
        opened = _Open(request, deed, reply, self._count(deed.tool), held=bool(reply.gate))
        self._open.append(opened)
        self._write(opened, Stage.ENTRY)
        for ms in reply.progress_ms:
            self._agenda.note(now_ms + ms, Turn.BEFORE_TOOLS, partial(self._tell_progress, opened, params))
        if not opened.held and reply.ending is not Ending.SILENCE:
            self._finish_later(opened, now_ms)
        waiting = [each for each in self._open if each.held and each.deed.tool == deed.tool]
        if opened.held and len(waiting) >= reply.gate:
            self._let_go(waiting, now_ms)
        return deed.tool, opened.count

    def abort(self, params: Mapping[str, Json], arrival: int, now_ms: float) -> None:
        """Record an abort, and react to it as the tool does."""
        call_id = _text(params, "callId")
        for deed in self._ledger.deeds:
            if deed.call_id == call_id:
                deed.aborts.append(Abort(_text(params, "reason"), now_ms, arrival))
        for opened in [each for each in self._open if each.deed.call_id == call_id]:
            if opened.reply.on_abort is OnAbort.VANISH:
                self._open.remove(opened)
            elif opened.reply.on_abort is OnAbort.STOP:
                self._agenda.note(now_ms, Turn.BEFORE_TOOLS, partial(self._end_with_failure, opened, _STOPPED))

    def open_gates(self, now_ms: float) -> bool:
        """Release every held invocation, since no more are coming; return whether there was one."""
        waiting = [each for each in self._open if each.held]
        self._let_go(waiting, now_ms)
        return bool(waiting)

    def _reply(self, deed: OpenDeed) -> Reply:
        tool = self._tools.get(deed.tool)
        if tool is None:
            # Not a tool of this run: the invocation is recorded as a deed, and broken off.
            return Reply(Ending.BREAK)
        same = f"{deed.tool} with {write_json(deed.args)}" if tool.behaviour.by_args else f"any {deed.tool}"
        return tool.behaviour.reply(self._count(same) - 1)

    def _count(self, key: str) -> int:
        self._counts[key] += 1
        return self._counts[key]

    def _let_go(self, waiting: list[_Open], now_ms: float) -> None:
        for opened in reversed(waiting):
            opened.held = False
            self._finish_later(opened, now_ms)

    def _finish_later(self, opened: _Open, now_ms: float) -> None:
        self._agenda.note(now_ms + opened.reply.after_ms, Turn.TOOLS, partial(self._end, opened))

    def _write(self, opened: _Open, stage: Stage, _now_ms: float = 0.0) -> None:
        for write in opened.reply.writes if self._root is not None else ():
            if write.stage is stage and self._root is not None:
                opened.deed.writes.extend(_put(self._root, write))

    def _tell_progress(self, opened: _Open, invoked: Mapping[str, Json], now_ms: float) -> None:
        if opened not in self._open:
            return
        self._ledger.next_sent()
        about = {"runId": _text(invoked, "runId"), "callId": opened.deed.call_id}
        payload: dict[str, Json] = {"afterMs": int(now_ms - opened.deed.at_ms)}
        told: dict[str, Json] = {"message": "The witness tool goes on", "payload": payload}
        opened.told += 1  # every other time it leaves out message and payload: they are optional
        self._wire.notify("tool/progress", {**about, **(told if opened.told % 2 else {})})

    def _end(self, opened: _Open, now_ms: float) -> None:
        if opened.reply.ending is Ending.FAILURE:
            self._end_with_failure(opened, opened.reply.error or {}, now_ms)
        elif opened.reply.ending is Ending.BREAK:
            self._end_broken(opened, now_ms)
        else:
            self._end_with_output(opened, now_ms)

    def _end_with_output(self, opened: _Open, now_ms: float) -> None:
        if not self._close(opened, now_ms):
            return
        output, observed = _output(opened), opened.reply.observed
        arrival = self._ledger.next_sent()
        self._wire.answer(opened.request, {"output": output, **_observed(opened.reply)})
        opened.deed.answer = Answer(AnswerKind.OUTPUT, output, None, observed, now_ms, arrival)
        self.on_answer(opened.deed.tool, opened.count, now_ms)

    def _end_with_failure(self, opened: _Open, error: Mapping[str, Json], now_ms: float) -> None:
        if not self._close(opened, now_ms):
            return
        arrival = self._ledger.next_sent()
        data = {**error, **_observed(opened.reply)}
        self._wire.refuse(opened.request, TOOL_FAILED, str(error.get("message", "")), data)
        opened.deed.answer = Answer(AnswerKind.FAILURE, None, error, opened.reply.observed, now_ms, arrival)
        self.on_answer(opened.deed.tool, opened.count, now_ms)

    def _end_broken(self, opened: _Open, now_ms: float) -> None:
        if not self._close(opened, now_ms):
            return
        arrival = self._ledger.next_sent()
        self._wire.refuse(opened.request, TOOL_BROKE, opened.reply.message)
        opened.deed.answer = Answer(AnswerKind.BROKE, None, None, None, now_ms, arrival)
        self.on_answer(opened.deed.tool, opened.count, now_ms)

    def _close(self, opened: _Open, now_ms: float) -> bool:
        """Close the invocation and make the writes of its end; return whether it was still open."""
        if opened not in self._open:
            return False
        self._open.remove(opened)
        self._write(opened, Stage.ANSWER)
        if any(write.stage is Stage.LATER for write in opened.reply.writes):
            self._agenda.note(now_ms + _LATER_MS, Turn.TOOLS, partial(self._write, opened, Stage.LATER))
        return True


def _put(root: Path, write: Write) -> tuple[str, ...]:
    """Put a write into the folder; return its paths, or none if what the system did is in the way."""
    try:
        return put(root, write)
    except OutsideTheFolders:  # the fault of the case
        raise
    except OSError:
        return ()


def _output(opened: _Open) -> Json:
    if opened.reply.ending is Ending.ECHO:
        return opened.deed.args
    if opened.reply.text is not None:
        output: Json = json.loads(opened.reply.text)
        return output
    return mutated(opened.deed.args) if opened.reply.ending is Ending.MUTANT else opened.reply.output


def _observed(reply: Reply) -> Mapping[str, Json]:
    return {} if reply.observed is None else {"observed": reply.observed}


def _text(params: Mapping[str, Json], name: str) -> str:
    value = params.get(name)
    return value if isinstance(value, str) else ""
