"""Playing one case: answering everything that the pipeline asks, and logging it together with what it tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from callproof.adapters.messages import Message, Notification, Request, RequestHandle, RequestId
from callproof.adapters.methods import HOOK_FAILED, NOT_DONE, TOOL_ENDED_THE_CALL
from callproof.driven.tools import AtWork, Opened, Wait
from callproof.driven.wire import Wire
from callproof.pipelines.case import SERIAL, Answer, Permit, PipelineCase, Post, Pre
from callproof.pipelines.log import PipelineLog, policy_of
from callproof.pipelines.outputs import mapped, output_of
from callproof.protocols.parts import object_of, text_of
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.trace import KINDS
from callproof.values.jsontext import Json

# How long the suite waits, in seconds of real time, before the user acts, and after that for what comes of it.
_WAITED: Final = 0.3
# How long it waits for what a lawful pipeline does by itself, such as entering the siblings of a waiting tool.
_HOPED: Final = 1.5
# How long somebody thinks who takes time to answer, in seconds of real time.
_HELD: Final = 1.0
# If calls are executed more often than this on average, no end is expected.
_MOST_EXECUTIONS: Final = 20
ACT: Final = "act"


def _no_time() -> float:
    return 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """A question for permission that has not been answered yet."""

    request: RequestId
    call: str
    says: Permit


class Performance:
    """
    A case that is being played; ``log`` is what was seen so far; ``over`` is true once the pipeline says so.

    By the ``clock`` somebody who thinks finds an answer even if the pipeline never is silent; no time passes where a
    case is played again from its log, which says when the answer came.
    """

    def __init__(
        self, case: PipelineCase, start: Mapping[str, Json], wire: Wire, clock: Callable[[], float] = _no_time
    ) -> None:
        self._case = case
        self._clock = clock
        self._serial = policy_of(case, start)["ordering_policy"] == SERIAL
        self._wire = wire
        self.log = PipelineLog(case, start)
        self.over = False
        self._tools = AtWork[Answer]()
        self._questions: list[_Question] = []
        # What the hook is going to answer to requests that it thinks about, and since when somebody thinks.
        self._thoughts: list[tuple[RequestId, Mapping[str, Json]]] = []
        self._thinks_since: float | None = None
        self._told: set[str] = set()
        self._is_due = False
        self._taken = False
        # Acts of the user that the pipeline has to acknowledge.
        self.asked: list[RequestHandle] = []
        self._does: Mapping[str, Callable[[Request], None]] = {
            "tool/validate": self._validate,
            "hook/pre": self._ask_pre,
            "permission/ask": self._ask_permission,
            "tool/execute": self._enter,
            "tool/map": self._map,
            "hook/post": self._ask_post,
            "store/put": self._store,
        }

    @property
    def unsettled(self) -> bool:
        """Whether the pipeline was over before every call had its result (PIPE-18)."""
        return self.over and not self._siblings <= self._told

    @property
    def endless(self) -> bool:
        """Whether tools were executed so often that no end can be expected."""
        return len(self._tools.entered) > _MOST_EXECUTIONS * len(self._case.calls)

    @property
    def waits(self) -> float | None:
        """How long somebody waits for something that may never come; None if nobody waits."""
        if self._thoughts or any(each.says.held for each in self._questions):
            return _HELD
        if not self._tools.open and not self._questions:
            return None
        between = self._is_due or self.asked or any(each.does.waits is Wait.ACT for each in self._tools.open)
        return _WAITED if between else _HOPED

    def take(self, message: Message) -> None:
        """Take one message of the pipeline, and do what follows from it."""
        if isinstance(message, Request):
            self._does[message.method](message)
        elif isinstance(message, Notification):
            self._hear(message)
        elif message.handle in self.asked:
            self.log.probe(probes.ABORT_TAKEN, {})
            self._taken = True
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
        for each in tuple(self._tools.open):
            if each.does.waits in (Wait.SIBLINGS, Wait.STOP):
                waits: Json = each.does.waits.value
                self.log.probe(probes.TOOL_WAITED, {"invocation_id": each.call, "waits": waits})
            self._return(each)
        self._answer_all()

    def give_up(self) -> None:
        """Log that the pipeline does not finish."""
        self.log.probe(probes.GAVE_UP, {})

    def _hear(self, message: Notification) -> None:
        if message.method == "record":
            self._write_down(object_of(message.params["record"]))
        elif message.method == "tool/abort":
            call = message.params["invocation_id"]
            self.log.probe(probes.TOOL_ABORTED, {"invocation_id": call})
            self._tools.ask_to_stop(call)
        elif message.method == "pipeline/finished":
            self._finish(message.method)

    def _write_down(self, record: Mapping[str, Json]) -> None:
        if record.get("record") not in KINDS:
            return  # a system's own record; only the suite writes probes
        self.log.line(record)
        call = text_of(record, "invocation_id")
        if record.get("record") == "result" and call is not None:
            self._told.add(call)
            if call in self._tools.returned:
                self._tell(call, self._answer_of(call).late)

    def _finish(self, told: str) -> None:
        if self.over:
            self._wire.out_of_turn(told, "the case was already over, and a case ends only once")
        self.log.probe(probes.FINISHED, {})
        self.over = True
        # End what nobody waits for any more.
        for each in tuple(self._tools.open):
            self._return(each)
        self._answer_all()

    def _think(self) -> None:
        if self._thinks_since is None:
            self._thinks_since = self._clock()

    @property
    def _has_thought(self) -> bool:
        return self._thinks_since is not None and self._clock() - self._thinks_since >= _HELD

    def _answer_all(self) -> None:
        """Give the answers that are still owed."""
        for request, answer in self._thoughts:
            self._wire.answer(request, answer)
        self._thoughts.clear()
        for question in tuple(self._questions):
            self._permit(question)

    def _answer_of(self, call: str) -> Answer:
        return self._case.answers.get(call, Answer())

    def _probe(self, name: str, request: Request, members: Mapping[str, Json]) -> str:
        """Log what the pipeline asks about a call, and return the id of the call."""
        asked = {each: request.params[each] for each in ("invocation_id", "tool_id", "input") if each in request.params}
        self.log.probe(name, {**asked, **members})
        return str(request.params["invocation_id"])

    def _validate(self, request: Request) -> None:
        refused = (self._case.asking.refused or {}).get(str(request.params["invocation_id"]))
        if refused is None:
            self._probe(probes.TOOL_VALIDATED, request, {})
            self._wire.answer(request.id, {})
        else:
            self._probe(probes.TOOL_VALIDATED, request, {"error_class": refused})
            data: Json = {"error_class": refused}
            self._wire.refuse(request.id, TOOL_ENDED_THE_CALL, "the tool does not take these values", data)

    def _ask_pre(self, request: Request) -> None:
        says = (self._case.asking.pre or {}).get(str(request.params["invocation_id"]), Pre())
        if says.fails is not None:
            self._probe(probes.PRE_HOOK, request, {"failed": True})
            self._wire.refuse(request.id, HOOK_FAILED, says.fails)
            return
        answer: dict[str, Json] = {}
        if says.block:
            answer["block"] = True
            answer |= {} if says.reason is None else {"reason": says.reason}
        answer |= {} if says.input is None else {"input": says.input}
        answer |= {} if says.behavior is None else {"behavior": says.behavior}
        told = {"updated_input" if name == "input" else name: each for name, each in answer.items()}
        told |= {"held": True} if says.held else {}
        self._probe(probes.PRE_HOOK, request, told)
        if says.held:
            self._think()
            self._thoughts.append((request.id, answer))
        else:
            self._wire.answer(request.id, answer)

    def _ask_permission(self, request: Request) -> None:
        call = self._probe(probes.PERMISSION_ASKED, request, {})
        says = (self._case.asking.permits or {}).get(call, Permit())
        if says.held:
            self._think()
        self._questions.append(_Question(request.id, call, says))
        self._watch(call, "permission")

    def _permit(self, question: _Question) -> None:
        self._questions.remove(question)
        says = question.says
        answer: dict[str, Json] = {"behavior": "allow" if says.denied_by is None else "deny"}
        answer |= {} if says.denied_by is None else {"by": says.denied_by}
        answer |= {} if says.updated_input is None else {"updated_input": says.updated_input}
        self.log.probe(probes.PERMISSION_ANSWERED, {"invocation_id": question.call, **answer})
        self._wire.answer(question.request, answer)

    def _enter(self, request: Request) -> None:
        does = self._answer_of(str(request.params["invocation_id"]))
        waits: Mapping[str, Json] = {} if does.waits is Wait.NOTHING else {"waits": does.waits.value}
        call = self._probe(probes.TOOL_EXECUTED, request, waits)
        self._tools.enter(request.id, call, does)
        self._tell(call, does.progress)
        self._watch(call, "execute")

    def _watch(self, call: str, where: str) -> None:
        """Note that the user has to act if a call has come to the place of the act."""
        act = self._case.act
        if act is not None and (act.when, act.at) == (call, where) and not self.asked:
            self._is_due = True

    @property
    def _siblings(self) -> set[str]:
        """The calls of the batch."""
        return {each.id for each in self._case.calls}

    @property
    def _is_settled(self) -> bool:
        """Whether all calls are at work, waited with or over: the user waits for that, so that all runs are alike."""
        at_work = {each.call for each in self._tools.open} | {each.call for each in self._questions}
        return self._serial or self._siblings <= at_work | self._told

    def _act(self) -> None:
        self._is_due = False
        call = None if self._case.act is None else self._case.act.call
        params: Mapping[str, Json] = {} if call is None else {"invocation_id": call}
        self.log.probe(probes.ABORT_CALLED, params)
        self.asked.append(self._wire.request("pipeline/abort", params))

    def _let_go(self) -> None:
        """Let everything go on that has nothing left to wait for."""
        while (ready := self._tools.ready(self._siblings)) is not None:
            self._return(ready)
        if self._has_thought:
            self._answer_all()
        for question in tuple(self._questions):
            if self._is_decided(question.says):
                self._permit(question)

    def _is_decided(self, says: Permit) -> bool:
        """Whether an answer to a question for permission has nothing left to wait for."""
        if says.held or says.after is None:
            return not says.held
        return self._taken if says.after == ACT else says.after in self._told

    def _return(self, opened: Opened[Answer]) -> None:
        self._tools.leave(opened)
        does = opened.does
        thrown = "canceled" if opened.stops else does.fails
        if thrown is not None:
            self.log.probe(probes.TOOL_THREW, {"invocation_id": opened.call, "error_class": thrown})
            self._wire.refuse(opened.request, TOOL_ENDED_THE_CALL, "the tool threw", {"error_class": thrown})
        else:
            modifier: Mapping[str, Json] = {} if does.modifier is None else {"context_modifier": does.modifier}
            returned: Mapping[str, Json] = {"output": output_of(opened.call, does), **modifier}
            self.log.probe(probes.TOOL_RETURNED, {"invocation_id": opened.call, **returned})
            self._wire.answer(opened.request, returned)

    def _tell(self, call: str, said: Iterable[str]) -> None:
        for each in said:
            self._wire.notify("tool/progress", {"invocation_id": call, "message": each})

    def _map(self, request: Request) -> None:
        call, output = str(request.params["invocation_id"]), request.params["output"]
        seen: Mapping[str, Json] = {"output": output}
        if call in (self._case.asking.unmapped or ()):
            self._probe(probes.OUTPUT_MAPPED, request, {**seen, "failed": True})
            self._wire.refuse(request.id, NOT_DONE, "the output cannot be mapped")
        else:
            content = mapped(output)
            self._probe(probes.OUTPUT_MAPPED, request, {**seen, "content": content})
            self._wire.answer(request.id, {"content": content})

    def _ask_post(self, request: Request) -> None:
        says = (self._case.asking.post or {}).get(str(request.params["invocation_id"]), Post())
        seen: Mapping[str, Json] = {"output": request.params["output"]}
        if says.fails is not None:
            self._probe(probes.POST_HOOK, request, {**seen, "failed": True})
            self._wire.refuse(request.id, HOOK_FAILED, says.fails)
            return
        answer: dict[str, Json] = {"block": True} if says.block else {}
        told = dict(answer)
        if says.output is not None:
            answer["output"] = told["updated_output"] = says.output
        self._probe(probes.POST_HOOK, request, {**seen, **told})
        self._wire.answer(request.id, answer)

    def _store(self, request: Request) -> None:
        call, seen = str(request.params["invocation_id"]), {"data": request.params["data"]}
        if call in (self._case.asking.unstored or ()):
            self._probe(probes.OUTPUT_STORED, request, {**seen, "failed": True})
            self._wire.refuse(request.id, NOT_DONE, "the store is full")
        else:
            uri = f"store:{call}"
            self._probe(probes.OUTPUT_STORED, request, {**seen, "uri": uri})
            self._wire.answer(request.id, {"uri": uri})
