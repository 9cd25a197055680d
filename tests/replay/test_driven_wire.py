"""Every case that the reader accepts can be played: each message that the suite sends for it has the wire's shape."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

import pytest
from callproof.adapters.claims import Claims
from callproof.adapters.messages import Notification, Request, RequestHandle, RequestId
from callproof.adapters.methods import Method
from callproof.invocations import driver as invocations
from callproof.invocations.performance import Performance as Invocation
from callproof.loops import driver as loops
from callproof.loops.cases import CASES
from callproof.loops.performance import Performance as Loop
from callproof.pipelines.log import start_of
from callproof.pipelines.performance import Performance as Pipeline
from callproof.replay.codec import Misfit
from callproof.replay.drivenfile import shaped
from callproof.schema.validator import shape_validator
from callproof.suites import SUITES
from callproof.values.jsontext import Json
from replay.test_driven_shapes import MORE, WORDS, whole
from replay.test_shape import places


class Overheard:
    """A wire on which a system asks everything that it may ask, and which checks each message against its shape."""

    def __init__(self, word: str) -> None:
        self.dialect = SUITES[word].dialect
        self.faults: list[object] = []
        self.sent = 0
        self._asked: list[str] = []

    def ask(self, performance: Any, method: str, **params: Json) -> None:
        """Let the system ask something."""
        self._asked.append(method)
        performance.take(Request(0, len(self._asked) - 1, method, params))

    def tell(self, performance: Any, method: str, **params: Json) -> None:
        """Let the system tell something."""
        performance.take(Notification(0, method, params))

    def let_go(self, performance: Any) -> None:
        """Let the system stay silent until the performance waits for nothing."""
        while performance.waits is not None:
            performance.give_way()

    def request(self, method: str, params: Mapping[str, Json]) -> RequestHandle:
        self._hold(self.dialect.to_system[method].params, params)
        return RequestHandle(0, method)

    def notify(self, method: str, params: Mapping[str, Json]) -> None:
        self._hold(self.dialect.to_system[method].params, params)

    def answer(self, request_id: RequestId, result: Mapping[str, Json]) -> None:
        self._hold(self._method(request_id).answer, result)

    def refuse(self, request_id: RequestId, code: int, message: str, data: Json = None) -> None:
        refusals = self._method(request_id).refusals or {}
        if refusals[code] is not None:
            self._hold(refusals[code], data)

    def out_of_turn(self, what: str, reason: str) -> NoReturn:
        raise AssertionError(what, reason)

    def _method(self, request_id: RequestId) -> Method:
        return self.dialect.to_suite[self._asked[int(request_id)]]

    def _hold(self, shape: str | None, message: Any) -> None:
        assert shape is not None
        self.sent += 1
        self.faults += shape_validator(shape).errors(message)


def loop(wire: Overheard, case: Any) -> None:
    """A loop that makes every call that it is asked to, and asks every hook."""
    mode = case.mode or "parallel"
    wire.request("loop/start", loops.start_of(case, mode))
    performance = Loop(case, mode, wire)
    for reply in (*case.replies, None):
        wire.ask(performance, "model/call", messages=[])
        for call in () if reply is None else reply.calls:
            about: dict[str, Json] = {"toolCallId": call.id, "toolName": call.tool}
            wire.ask(performance, "hook/before", **about, params=call.arguments)
            wire.ask(performance, "tool/call", **about, params=call.arguments)
            wire.let_go(performance)
            wire.ask(performance, "hook/after", **about, result={}, isError=False)
            wire.ask(performance, "hook/persist", message={"toolCallId": call.id})
            wire.tell(performance, "event", event={"type": "tool_execution_end", "toolCallId": call.id})
            wire.let_go(performance)
    wire.tell(performance, "loop/finished")


def pipeline(wire: Overheard, case: Any) -> None:
    """A pipeline that asks everything about every call: validation, hooks, permission, execution."""
    start = start_of(case, case.ordering or "allow_unordered")
    wire.request("pipeline/start", start)
    performance = Pipeline(case, start, wire)
    for call in case.calls:
        about: dict[str, Json] = {"invocation_id": call.id, "tool_id": call.name, "input": call.input}
        for method in ("tool/validate", "hook/pre", "permission/ask", "tool/execute"):
            wire.ask(performance, method, **about)
            wire.let_go(performance)
        given = case.answers[call.id].output if call.id in case.answers else None
        wire.ask(performance, "tool/map", invocation_id=call.id, output=given)
        wire.ask(performance, "hook/post", invocation_id=call.id, output=given)
        wire.ask(performance, "store/put", invocation_id=call.id, data=given)
        wire.tell(performance, "record", record={"record": "result", "invocation_id": call.id})
    wire.tell(performance, "pipeline/finished")


def invocation(wire: Overheard, case: Any) -> None:
    """A system that uses each tool under each profile, and takes every answer of a provider."""
    start = invocations.start_of(case, Claims())
    wire.request("invocation/start", start)
    performance = Invocation(case, start, wire)
    wire.ask(performance, "planner/plan", question="q")
    profiles = [each.name for each in case.profiles[:5]]
    offered: Json = [{"toolName": each.name} for each in case.tools]
    for profile in profiles:
        for tool in case.tools[:5]:
            wire.ask(performance, "tool/call", profile=profile, toolName=tool.name)
    for _ in case.answers[:5]:
        profile = case.chosen.profile
        wire.ask(performance, "provider/generate", profile=profile, offered=offered, results=[])
    wire.tell(performance, "invocation/finished")


PLAYS = {"loop": loop, "pipeline": pipeline, "invocation": invocation}


def overheard(word: str, case: Any) -> Overheard:
    """The messages of a case that the suite sends to a system that asks everything."""
    wire = Overheard(word)
    PLAYS[word](wire, case)
    return wire


@WORDS
def test_everything_that_the_suites_send_has_its_shape(word: str) -> None:
    """This holds for written cases and for generated ones."""
    suite = SUITES[word]
    made = (suite.generated(9, number, suite.features) for number in range(100))
    told = {case.id: overheard(word, case) for case in (*suite.cases, *made)}
    assert {name: wire.faults for name, wire in told.items() if wire.faults} == {}
    assert all(wire.sent for wire in told.values())


@pytest.mark.many
@WORDS
def test_a_file_that_is_taken_has_nothing_that_cannot_be_sent(word: str) -> None:
    """Each member in turn gets another value: if the reader accepts it, the wire accepts it too."""
    value = whole(word)
    taken = 0
    for holder, key in places(value["case"]):
        before = holder[key]
        for suspect in MORE:
            holder[key] = copy.deepcopy(suspect)
            try:
                case = shaped(value, SUITES).case
            except Misfit:
                continue
            taken += 1
            assert overheard(word, case).faults == [], (key, suspect)
        holder[key] = before
    assert taken > 50


def test_a_call_without_an_id_would_be_heard() -> None:
    """This shows that the checks of this file find such a fault."""
    one = next(each for each in CASES if each.id == "AL-01/one")
    without = replace(one.replies[0], calls=(replace(one.replies[0].calls[0], id=""),))
    assert overheard("loop", replace(one, replies=(without,))).faults
