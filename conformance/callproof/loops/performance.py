"""Playing one case: answering everything that the loop asks, and logging it together with what it tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

from callproof.adapters.messages import Message, Notification, Request, RequestHandle
from callproof.adapters.methods import HOOK_FAILED, MODEL_FAILED, TOOL_THREW
from callproof.driven.tools import AtWork, Opened, Wait
from callproof.driven.wire import Wire
from callproof.loops.case import Act, After, Answer, Before, LoopCase, Reply
from callproof.loops.log import LoopLog
from callproof.loops.replies import as_message, as_pieces
from callproof.protocols.agent_loop import forms
from callproof.protocols.parts import object_of, text_of
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

_DONE = Reply(said="That is all.", stop="stop")
# How long the suite waits, in seconds of real time, before the user acts, and after that for what the loop makes of it.
WAITED: Final = 0.3
# How long a slow before-hook thinks: longer than a loop that goes on without its answer is likely to wait.
THOUGHT: Final = 1.0
# How long it waits for what a lawful loop does by itself, such as entering the siblings of a waiting tool.
HOPED: Final = 1.5
# If the model is called so many times more than the case has replies, the loop does not end.
_MOST_MORE_CALLS = 8


class Performance:
    """A case that is being played; ``log`` is what was seen so far; ``over`` is true once the loop says so."""

    def __init__(self, case: LoopCase, mode: str, wire: Wire) -> None:
        self._case = case
        self._mode = mode
        self._wire = wire
        self.log = LoopLog(case, mode)
        self.over = False
        self._replies = list(case.replies)
        # If the model's last reply is a failure, it goes on failing, however often the loop asks.
        self._rest = case.replies[-1] if case.replies and case.replies[-1].fails is not None else _DONE
        self._asked_for = 0
        self._reply = _DONE
        # The request for a reply that the model is working on while the user does something.
        self._held: Request | None = None
        # What slow hooks are going to say, each with how long it thinks.
        self._slow: list[tuple[float, Callable[[], None]]] = []
        self._tools = AtWork[Answer]()
        self._ended: set[str] = set()
        self._is_due = False
        # Acts of the user that the loop has to acknowledge.
        self.asked: list[RequestHandle] = []
        self._does: Mapping[str, Callable[[Request], None]] = {
            "model/call": self._call_the_model,
            "tool/call": self._enter,
            "hook/before": self._ask_before,
            "hook/after": self._ask_after,
            "hook/persist": self._ask_persist,
        }

    @property
    def unsettled(self) -> bool:
        """Whether the run was over before the end of a call whose tool the loop had entered (HOST-02)."""
        return self.over and not self._ended.issuperset(self._tools.entered)

    @property
    def endless(self) -> bool:
        """Whether the model was called so often that no end can be expected."""
        return self._asked_for > len(self._replies) + _MOST_MORE_CALLS

    @property
    def waits(self) -> float | None:
        """
        How long somebody waits for what may never come, or the user waits before the next act; None for nobody.

        Tools wait, slow hooks wait, and the model waits for the user.
        """
        if not (self._tools.open or self._slow or self._held is not None):
            return None
        if self._slow and not self._is_due and self._held is None:
            return self._slow[0][0]
        stays = any(each.does.waits is Wait.ACT for each in self._tools.open)
        return WAITED if self._is_due or self._held is not None or stays else HOPED

    def take(self, message: Message) -> None:
        """Take one message of the loop, and do what follows from it."""
        if isinstance(message, Request):
            if self.over and message.method == "model/call":  # laws judge everything else
                self._wire.out_of_turn(message.method, "the run was over, as loop/finished had said")
            self._does[message.method](message)
        elif isinstance(message, Notification):
            self._hear(message)
        self._tell_progress()
        self._let_go()
        if self._is_due and self._is_settled:
            self._act()

    def give_way(self) -> None:
        """
        Let the user do what is due, or else stop all waiting: no message has come for a while.

        The log says which tools waited in vain.
        """
        if self._is_due:
            self._act()
            return
        if self._held is not None:
            self._let_reply(self._held)
            return
        if self._slow:
            self._slow.pop(0)[1]()
            return
        for each in tuple(self._tools.open):
            if each.does.waits is Wait.SIBLINGS:
                self.log.probe(forms.TOOL_WAITED, {"toolCallId": each.call})
            self._return(each)

    def give_up(self) -> None:
        """Log that the run does not end."""
        self.log.probe(forms.GAVE_UP, {})

    def _hear(self, message: Notification) -> None:
        params = message.params
        if message.method == "event":
            event = object_of(params["event"])
            if self.over and event.get("type") not in forms.EXECUTIONS:  # laws judge these
                self._wire.out_of_turn(f"the event {event.get('type')}", "the run was over, as loop/finished had said")
            self.log.event(event)
            self._go_on_talking(event)
            if event.get("type") == forms.END:
                self._ended.add(str(event.get("toolCallId")))
        elif message.method == "tool/abort":
            self.log.probe(forms.TOOL_ABORTED, {"toolCallId": params["toolCallId"]})
            self._tools.ask_to_stop(params["toolCallId"])
        elif message.method == "loop/finished":
            if self.over:
                self._wire.out_of_turn(message.method, "the run was already over, and a run ends only once")
            self.log.probe(forms.LOOP_FINISHED, {})
            self.over = True
            if self._held is not None:
                self._wire.refuse(self._held.id, MODEL_FAILED, "the run is over")
                self._held = None
            while self._slow:
                self._slow.pop(0)[1]()

    def _call_the_model(self, request: Request) -> None:
        self.log.probe(forms.MODEL_CONTEXT, {"messages": request.params["messages"]})
        turn, self._asked_for = self._asked_for, self._asked_for + 1
        self._reply = self._replies[turn] if turn < len(self._replies) else self._rest
        self._tools.entered.clear()
        self._ended = set()
        if self._case.act is not None and self._case.act.reply == turn:
            self._held = request
            self._act()
        else:
            self._let_reply(request)

    def _let_reply(self, request: Request) -> None:
        self._held = None
        if self._reply.fails is not None:
            self.log.probe(forms.MODEL_FAILED, {})
            self._wire.refuse(request.id, MODEL_FAILED, self._reply.fails)
            return
        whole = as_message(self._reply)
        self.log.probe(forms.MODEL_REPLIED, {**whole, **({"streamed": True} if self._case.streamed else {})})
        self._wire.answer(request.id, as_pieces(self._reply) if self._case.streamed else whole)

    def _enter(self, request: Request) -> None:
        call = str(request.params["toolCallId"])
        does = self._case.answers.get(call, Answer())
        waits: Mapping[str, Json] = {} if does.waits is Wait.NOTHING else {"waits": does.waits.value}
        told: Mapping[str, Json] = {"tool": request.params["toolName"], "params": request.params["params"]}
        self.log.probe(forms.TOOL_CALLED, {"toolCallId": call, **told, **waits})
        self._tools.enter(request.id, call, does)
        if self._case.act is not None and self._case.act.when == call and not self.asked:
            self._is_due = True

    @property
    def _siblings(self) -> set[str]:
        """The calls of the reply."""
        return {each.id for each in self._reply.calls}

    @property
    def _is_settled(self) -> bool:
        """Whether all calls of the reply are at work or over: the user waits for that, so that all runs are alike."""
        return self._mode == "sequential" or self._siblings <= self._ended.union(self._tools.entered)

    def _act(self) -> None:
        self._is_due = False
        act = self._case.act or Act()
        if act.says is None:
            self.log.probe(forms.ABORT_CALLED, {})
            self.asked.append(self._wire.request("loop/abort", {}))
            return
        for says in (act.says,) if act.adds is None else (act.says, act.adds):
            self.log.probe(forms.STEER_CALLED, {"text": says})
            self.asked.append(self._wire.request("loop/steer", {"text": says}))

    def _tell_progress(self) -> None:
        """Let tools tell their progress: waiting tools do so when all are at work, so that their progress overlaps."""
        for each in self._tools.open:
            if not each.has_told and (each.does.waits is Wait.NOTHING or self._is_settled):
                each.has_told = True
                self._tell(each.call, each.does.progress)

    def _let_go(self) -> None:
        """Let everything return that has nothing left to wait for."""
        while (ready := self._tools.ready(self._siblings)) is not None:
            self._return(ready)

    def _return(self, opened: Opened[Answer]) -> None:
        self._tools.leave(opened)
        does = opened.does
        thrown = "the tool was asked to stop" if opened.stops else does.throws
        if thrown is not None:
            self.log.probe(forms.TOOL_THREW, {"toolCallId": opened.call})
            self._wire.refuse(opened.request, TOOL_THREW, thrown)
        else:
            details: Mapping[str, Json] = {} if does.details is None else {"details": does.details}
            returned: Mapping[str, Json] = {"content": list(does.content), **details}
            self.log.probe(forms.TOOL_RETURNED, {"toolCallId": opened.call, **returned})
            self._wire.answer(opened.request, returned)

    def _go_on_talking(self, event: Mapping[str, Json]) -> None:
        """Let a tool tell ``late`` when its call has ended."""
        call = text_of(event, "toolCallId")
        if event.get("type") == forms.END and call in self._tools.returned:
            self._tell(call, self._case.answers.get(call, Answer()).late)

    def _tell(self, call: str, said: Iterable[str]) -> None:
        for each in said:
            partial: Mapping[str, Json] = {"content": [{"type": "text", "text": each}]}
            self.log.probe(forms.TOOL_TOLD, {"toolCallId": call, **partial})
            self._wire.notify("tool/update", {"toolCallId": call, "partialResult": partial})

    def _ask_before(self, request: Request) -> None:
        call = str(request.params["toolCallId"])
        says = (self._case.hooks.before or {}).get(call, Before())
        told: Mapping[str, Json] = {"tool": request.params["toolName"], "args": request.params["params"]}
        seen: dict[str, Json] = {"toolCallId": call, **told, "block": False}
        if says.fails is not None:
            self.log.probe(forms.BEFORE_HOOK, {**seen, "failed": True})
            self._wire.refuse(request.id, HOOK_FAILED, says.fails)
            return
        answer: dict[str, Json] = {}
        if says.block:
            seen["block"] = answer["block"] = True
            answer |= {} if says.reason is None else {"reason": says.reason}
        if says.params is not None:
            seen["params"] = answer["params"] = says.params
        if says.slow:
            self.log.probe(forms.BEFORE_HOOK, {**seen, "slow": True})
            self._slow.append((THOUGHT, partial(self._wire.answer, request.id, answer)))
        else:
            self.log.probe(forms.BEFORE_HOOK, seen)
            self._wire.answer(request.id, answer)

    def _ask_after(self, request: Request) -> None:
        params = request.params
        told = {name: params[name] for name in ("toolCallId", "result", "isError")}
        self.log.probe(forms.AFTER_HOOK, {**told, "tool": params["toolName"]})
        says = (self._case.hooks.after or {}).get(str(params["toolCallId"]))
        if says is not None and says.slow:
            self._slow.append((WAITED, partial(self._answer_after, request, says)))
        else:
            self._answer_after(request, says or After())

    def _answer_after(self, request: Request, says: After) -> None:
        if says.fails is not None:
            self._wire.refuse(request.id, HOOK_FAILED, says.fails)
        else:
            self._wire.answer(request.id, says.answer)

    def _ask_persist(self, request: Request) -> None:
        message = request.params["message"]
        call = str(message["toolCallId"]) if is_object(message) else ""
        says = (self._case.hooks.persist or {}).get(call)
        if says is not None and says.fails is not None:
            self.log.probe(forms.PERSIST_HOOK, {"toolCallId": call, "shown": message, "failed": True})
            self._wire.refuse(request.id, HOOK_FAILED, says.fails)
            return
        answer: dict[str, Json] = {}
        if says is not None and says.content is not None:
            details: Mapping[str, Json] = {} if says.details is None else {"details": says.details}
            answer["message"] = {"content": list(says.content), **details}
        self.log.probe(forms.PERSIST_HOOK, {"toolCallId": call, "shown": message, **answer})
        self._wire.answer(request.id, answer)
