"""The driver against a system of a few lines: what it sends, when, and what it writes down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from callproof.adapters.claims import Claims
from callproof.adapters.messages import Message, Refusal, Request
from callproof.live.behaviours import (
    Behaviour,
    OnAbort,
    Reply,
    breaks,
    echo,
    fails,
    gated,
    mutant,
    returns,
    script,
    silent,
    sleeper,
    stubborn,
    writing,
)
from callproof.live.case import Case, Cue, Hook, HookAction, Move
from callproof.live.driver import Bounds, drive
from callproof.live.folders import furnish
from callproof.live.scenarios.building import closed, hosted, plan, policy, step
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, AnswerKind
from callproof.values.jsontext import Json
from scripted_system import FINISHED, REAL, VIRTUAL, ScriptedSystem, abort, invoke, record


def case_with(does: Reply | Behaviour, *moves: Move, **more: object) -> Case:
    """A case of one hosted tool."""
    tool = hosted("w.tool", does, takes={}, gives={})
    case = Case("SC-00/case", "A case", plan(step("s1", "w.tool")), policy(), tools=(tool,), timeline=moves)
    return replace(case, **more)  # type: ignore[arg-type]


def one_call(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """A system that makes one call and ends with it."""
    if method == "run/start":
        yield record("event", type="run.started")
        yield record("call", callId="c1")
        yield invoke(1, args={"a": [1]})
    if method in {"answer", "refuse"}:
        yield record("result", callId="c1")
        yield FINISHED


def test_a_tool_tells_how_far_it_is_until_it_is_over() -> None:
    """
    It does so at each instant that the reply names, about the call that was made, and not after its answer.

    The protocol makes message and payload optional, so every other report leaves them out.
    """
    system = ScriptedSystem(one_call)
    driven(case_with(replace(returns({}, after_ms=200), progress_ms=(50, 150, 250))), system)
    assert system.when("tool/progress") == [50, 150]
    told = [params for _, method, params in system.sent if method == "tool/progress"]
    first: Json = {"message": "The witness tool goes on", "payload": {"afterMs": 50}}
    assert told == [{"runId": "r", "callId": "c1", **first}, {"runId": "r", "callId": "c1"}]


def asking(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """A system that asks its hook and ends with the answer."""
    if method == "run/start":
        yield Request(0, 1, "hook/before", {"runId": "r", "callId": "c1", "tool": "w.tool", "args": {}})
    if method in {"answer", "refuse"}:
        yield FINISHED


def test_a_hook_takes_its_time() -> None:
    """It answers this long after the question, and the run can be cancelled meanwhile."""
    system = ScriptedSystem(asking)
    hook = Hook("w.tool", HookAction.BLOCK, after_ms=200)
    driven(case_with(returns({}), Move(ActKind.CANCEL, Cue.START, 100), hook=hook), system)
    assert (system.when("run/cancel"), system.when("answer")) == ([100], [200])


def calls(*numbers: int) -> object:
    """A system that makes several calls at once and ends when all are answered."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield from (invoke(number) for number in numbers)
        if method in {"answer", "refuse"} and len(system.when("answer") + system.when("refuse")) == len(numbers):
            yield FINISHED

    return react


def driven(case: Case, system: ScriptedSystem, **more: object) -> Run:
    """The trace of a case without folders."""
    return drive(case, system, None, **more)  # type: ignore[arg-type]


def test_a_deed_holds_what_arrived_and_what_was_answered() -> None:
    """It has the arguments as they came and the answer as it went, each with its place in the order of the wire."""
    run = driven(case_with(returns({"b": 2}, observed={"created": []})), ScriptedSystem(one_call))
    (deed,) = run.deeds or ()
    assert (deed.call_id, deed.tool, deed.args) == ("c1", "w.tool", {"a": [1]})
    assert deed.answer is not None
    assert (deed.answer.kind, deed.answer.output, deed.answer.observed) == (
        AnswerKind.OUTPUT,
        {"b": 2},
        {"created": []},
    )
    assert run.calls[0].arrival is not None
    assert run.calls[0].arrival < deed.arrival < deed.answer.arrival


def test_every_message_has_a_place_of_its_own() -> None:
    """No two records, deeds or answers share an arrival, and the end comes last of all."""
    run = driven(case_with(echo()), ScriptedSystem(one_call))
    (deed,) = run.deeds or ()
    assert run.witnessed is not None
    assert deed.answer is not None
    places = [each.arrival for each in run.records] + [deed.arrival, deed.answer.arrival]
    assert len(set(places)) == len(places)
    assert run.witnessed.finished_arrival is not None
    assert run.witnessed.finished_arrival > max(place for place in places if place is not None)


@pytest.mark.parametrize("ms", [50, 100, 250, 1000])
def test_a_sleeper_answers_at_its_very_instant(ms: int) -> None:
    """The virtual clock is exactly at the sleeper's end when its answer goes out."""
    system = ScriptedSystem(one_call)
    driven(case_with(sleeper(ms, {})), system)
    assert system.when("answer") == [ms]


def test_no_step_of_time_is_longer_than_the_quantum_while_the_run_lasts() -> None:
    """An answer or a move that is due at a multiple of the quantum then happens at exactly that instant."""
    system = ScriptedSystem(one_call)
    driven(case_with(sleeper(1000, {})), system)
    steps = [int(str(params["ms"])) for _, method, params in system.sent if method == "clock/advance"]
    answered = [method for _, method, _ in system.sent].index("answer")
    assert max(steps[:answered], default=0) == 50


def test_a_run_that_never_ends_is_a_trace_without_an_end() -> None:
    """The suite stops waiting at the horizon; nothing is raised."""
    run = driven(case_with(silent(), horizon_ms=500), ScriptedSystem(one_call))
    assert not run.finished
    assert run.deeds is not None
    assert run.deeds[0].answer is None


def test_a_run_in_which_nothing_more_happens_is_not_waited_for() -> None:
    """After the idle time of its clock, and not only at the horizon, the suite gives up."""
    system = ScriptedSystem(one_call)
    run = driven(case_with(silent()), system, bounds=Bounds(idle_ms=1000))
    assert not run.finished
    assert system.now <= 2000


def test_a_system_that_calls_again_at_every_answer_is_not_heard_for_ever() -> None:
    """A limit of records ends a run that has no end and whose clock stands still, because all have to be judged."""

    def again(_system: ScriptedSystem, method: str, _params: Mapping[str, Json]) -> Iterable[Message]:
        if method in {"run/start", "answer"}:
            yield record("call", callId="c1")
            yield invoke(1)

    run = driven(case_with(returns({})), ScriptedSystem(again), bounds=Bounds(records=50))
    assert not run.finished
    assert 50 < len(run.calls) < 60


def test_a_case_that_still_has_something_to_do_is_not_idle() -> None:
    """A tool that answers after the idle time keeps the run going."""
    assert driven(case_with(sleeper(2000, {})), ScriptedSystem(one_call), bounds=Bounds(idle_ms=1000)).finished


def test_a_refusal_is_written_down_with_its_reasons() -> None:
    """A run that did not start has no records and says why."""
    refusal = Refusal(-32001, "no", {"code": "VALIDATION_ERROR", "message": "a cycle", "details": {"reason": "cycle"}})
    run = driven(case_with(echo()), ScriptedSystem(lambda *_: (), refusal=refusal))
    assert run.witnessed is not None
    assert run.witnessed.refusal is not None
    assert (run.witnessed.refusal.code, run.witnessed.refusal.details) == ("VALIDATION_ERROR", {"reason": "cycle"})
    assert run.records == ()


def test_what_a_refused_run_does_all_the_same_is_seen() -> None:
    """An invocation after the refusal is a deed."""
    refusal = Refusal(-32001, "no", {"code": "VALIDATION_ERROR", "message": "no"})
    run = driven(case_with(echo()), ScriptedSystem(one_call, refusal=refusal))
    assert [deed.call_id for deed in run.deeds or ()] == ["c1"]


def test_a_move_comes_so_long_after_its_cue() -> None:
    """A cancel 100 ms after the first invocation is sent at 100 ms, before the tool ends at 300 ms."""
    cancel = Move(ActKind.CANCEL, Cue.INVOCATION, 100, tool="w.tool")
    system = ScriptedSystem(one_call)
    run = driven(case_with(sleeper(300, {}), cancel), system)
    assert system.when("run/cancel") == [100]
    assert [(act.kind, act.at_ms) for act in run.acts or ()] == [(ActKind.START, 0), (ActKind.CANCEL, 100)]


@pytest.mark.parametrize("first", [True, False])
def test_a_move_at_the_instant_of_an_answer_goes_before_or_after_it_as_told(first: bool) -> None:
    """``first`` decides the order of a cancel and an answer that are due together."""
    cancel = Move(ActKind.CANCEL, Cue.INVOCATION, 200, tool="w.tool", first=first)
    system = ScriptedSystem(one_call)
    driven(case_with(sleeper(200, {}), cancel), system)
    order = [method for _, method, _ in system.sent if method in {"answer", "run/cancel"}]
    assert order == (["run/cancel", "answer"] if first else ["answer", "run/cancel"])


def test_a_move_after_the_end_is_made_all_the_same() -> None:
    """The suite makes moves that wait for run/finished while it still listens after the end."""
    system = ScriptedSystem(one_call)
    driven(case_with(echo(), Move(ActKind.CANCEL, Cue.FINISH, 50)), system)
    assert system.when("run/cancel") == [50]


def aborting(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """A system that aborts its one call as soon as time passes."""
    yield from one_call(system, method, params)
    if method == "clock/advance" and system.now == 50 and params["ms"] != 0:
        yield abort(1, "timeout")


def test_an_obedient_tool_stops_at_once_and_says_what_it_had_done() -> None:
    """The answer to an abort is a failure with what was observed."""
    system = ScriptedSystem(aborting)
    run = driven(case_with(writing(sleeper(500, {}), "a.md", "a")), system)
    (deed,) = run.deeds or ()
    assert [each.reason for each in deed.aborts] == ["timeout"]
    assert deed.answer is not None
    assert (deed.answer.kind, deed.answer.at_ms) == (AnswerKind.FAILURE, 50)
    assert deed.answer.observed is not None


def test_a_stubborn_tool_works_on_and_answers_late() -> None:
    """An ignored abort changes neither the answer nor its instant."""
    system = ScriptedSystem(aborting)
    run = driven(case_with(stubborn(300, {"late": True})), system)
    (deed,) = run.deeds or ()
    assert deed.answer is not None
    assert (deed.answer.output, deed.answer.at_ms) == ({"late": True}, 300)


def test_a_vanishing_tool_never_answers_after_its_abort() -> None:
    """The suite sends no answer for it any more."""
    system = ScriptedSystem(aborting)
    driven(case_with(replace(sleeper(300, {}), on_abort=OnAbort.VANISH), horizon_ms=600), system)
    assert system.when("answer") == system.when("refuse") == []


def test_late_answers_are_given_after_the_end_of_the_run() -> None:
    """A tool that is still at work when the run ends answers in its time."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield from (invoke(1), FINISHED)

    system = ScriptedSystem(react)
    run = driven(case_with(stubborn(400, {})), system)
    assert system.when("answer") == [400]
    assert run.finished


def test_a_gate_holds_calls_until_enough_are_open_and_lets_the_last_go_first() -> None:
    """Three calls at a gate for three end in reverse order."""
    system = ScriptedSystem(calls(1, 2, 3))  # type: ignore[arg-type]
    driven(case_with(gated(echo(), 3)), system)
    assert [params["id"] for _, method, params in system.sent if method == "answer"] == [3, 2, 1]


def test_a_gate_opens_when_no_more_calls_come() -> None:
    """A system that runs one call at a time must not get stuck (B-21)."""
    system = ScriptedSystem(calls(1))  # type: ignore[arg-type]
    assert driven(case_with(gated(echo(), 3)), system).finished


def test_replies_follow_the_script_by_invocation() -> None:
    """The n-th invocation gets the n-th reply, and the last reply repeats."""
    system = ScriptedSystem(calls(1, 2, 3, 4))  # type: ignore[arg-type]
    run = driven(case_with(script(fails("NOT_FOUND"), breaks(), echo())), system)
    kinds = [deed.answer.kind for deed in run.deeds or () if deed.answer is not None]
    assert kinds == [AnswerKind.FAILURE, AnswerKind.BROKE, AnswerKind.OUTPUT, AnswerKind.OUTPUT]


def test_invocations_are_counted_apart_for_each_arguments_where_asked() -> None:
    """Every item of a loop meets the same flaky tool."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield from (invoke(number, args={"item": number % 2}) for number in (1, 2, 3, 4))
        if len(system.when("answer")) == len(system.when("refuse")) == 2:
            yield FINISHED

    run = driven(case_with(script(fails("NOT_FOUND"), echo(), by_args=True)), ScriptedSystem(react))
    kinds = [deed.answer.kind.value for deed in run.deeds or () if deed.answer is not None]
    assert kinds == ["failure", "failure", "output", "output"]


def test_a_mutant_alters_every_value_and_keeps_the_shape() -> None:
    """Its output has the types of its input, but none of the values."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield invoke(1, args={"a": [1, "x", True, None]})
        if method == "answer":
            yield FINISHED

    run = driven(case_with(mutant()), ScriptedSystem(react))
    (deed,) = run.deeds or ()
    assert deed.answer is not None
    assert deed.answer.output == {"a": [2, "x (altered)", False, None]}


def test_a_tool_that_is_none_of_the_run_is_a_deed_and_breaks() -> None:
    """The trace shows that an executor called a tool that it invented."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield invoke(1, tool="w.invented")
        if method == "refuse":
            yield FINISHED

    run = driven(case_with(echo()), ScriptedSystem(react))
    assert [deed.tool for deed in run.deeds or ()] == ["w.invented"]


def test_an_approval_carries_the_id_that_the_run_asked_with() -> None:
    """The confirmation is the one of the payload of run.confirmationRequested."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield record("event", type="run.confirmationRequested", payload={"confirmationId": "k-7"})
        if method == "run/confirm":
            yield FINISHED

    system = ScriptedSystem(react)
    approve = Move(ActKind.APPROVE, Cue.CONFIRMATION, 100)
    run = driven(case_with(echo(), approve), system)
    (told,) = (params for _, method, params in system.sent if method == "run/confirm")
    assert (told["confirmationId"], told["decision"]) == ("k-7", "approved")
    assert [act.confirmation_id for act in run.acts or ()] == [None, "k-7"]


@pytest.mark.parametrize("timeout", [300, None])
def test_a_trace_says_when_the_time_for_an_answer_was_up_and_how_long_it_was_watched(timeout: int | None) -> None:
    """The time counts from the first question; CONF-07 asks whether the suite watched longer than that."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield invoke(1)
        if method == "answer":
            yield record("event", type="run.confirmationRequested", payload={"confirmationId": "k-7"})

    run = driven(case_with(sleeper(50, {}), confirmation_timeout_ms=timeout, horizon_ms=2_000), ScriptedSystem(react))
    assert run.witnessed is not None
    assert run.deeds is not None
    assert run.deeds[0].answer is not None
    assert run.witnessed.expires_ms == (None if timeout is None else run.deeds[0].answer.at_ms + timeout)
    assert (run.witnessed.watched_ms or 0) >= 2_000


@pytest.mark.parametrize("payload", [{}, {"confirmationId": ""}, {"confirmationId": 7}])
def test_who_asks_without_an_id_gets_no_answer(payload: Mapping[str, Json]) -> None:
    """Without an id the protocol cannot carry a decision, and that is the system's fault."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield record("event", type="run.confirmationRequested", payload=payload)

    system = ScriptedSystem(react)
    run = driven(case_with(echo(), Move(ActKind.APPROVE, Cue.CONFIRMATION, 100)), system)
    assert "run/confirm" not in {method for _, method, _ in system.sent}
    assert [act.kind for act in run.acts or ()] == [ActKind.START]


@pytest.mark.parametrize(
    ("hook", "answer"),
    [
        (None, {"action": "continue"}),
        (Hook("other.tool", HookAction.BLOCK), {"action": "continue"}),
        (Hook("w.tool", HookAction.BLOCK), {"action": "block", "reason": "the scenario says so"}),
        (
            Hook("w.tool", HookAction.MODIFY, {"a": 2}),
            {"action": "modify", "args": {"a": 2}, "reason": "the scenario says so"},
        ),
    ],
)
def test_a_hook_answers_about_its_own_tool_only(hook: Hook | None, answer: Mapping[str, Json]) -> None:
    """A hook lets calls of other tools pass."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield Request(0, 9, "hook/before", {"runId": "r", "callId": "c1", "tool": "w.tool", "args": {}})
        if method == "answer":
            yield FINISHED

    system = ScriptedSystem(react)
    driven(case_with(echo(), hook=hook), system)
    (told,) = (params for _, method, params in system.sent if method == "answer")
    assert told == {"id": 9, **answer}


def test_a_hook_lets_as_many_pass_as_it_is_told_to() -> None:
    """The first question about its tool is answered with continue, the next with a block; others do not count."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            for number, tool in enumerate(("other.tool", "w.tool", "w.tool"), 7):
                yield Request(0, number, "hook/before", {"runId": "r", "callId": "c1", "tool": tool, "args": {}})
            yield FINISHED

    system = ScriptedSystem(react)
    driven(case_with(echo(), hook=Hook("w.tool", HookAction.BLOCK, lets_pass=1)), system)
    told = [params["action"] for _, method, params in system.sent if method == "answer"]
    assert told == ["continue", "continue", "block"]


def test_a_hook_can_act_on_one_question_alone() -> None:
    """The second question about its tool is answered with a block, the first and the third with continue."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            for number in (7, 8, 9):
                yield Request(0, number, "hook/before", {"runId": "r", "callId": "c1", "tool": "w.tool", "args": {}})
            yield FINISHED

    system = ScriptedSystem(react)
    driven(case_with(echo(), hook=Hook("w.tool", HookAction.BLOCK, lets_pass=1, times=1)), system)
    told = [params["action"] for _, method, params in system.sent if method == "answer"]
    assert told == ["continue", "block", "continue"]


def test_messages_of_an_earlier_run_are_not_this_runs() -> None:
    """The suite answers messages of a run that is over, and leaves them out of the trace."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield invoke(1, run="old")
            yield FINISHED

    system = ScriptedSystem(react)
    run = driven(case_with(echo()), system, bounds=Bounds(earlier=frozenset({"old"})))
    assert run.deeds == ()
    assert len(system.when("refuse")) == 1


def test_a_run_on_real_time_comes_to_its_end_too() -> None:
    """Without a virtual clock nothing is advanced, and the tool still answers."""
    system = ScriptedSystem(one_call, claims=REAL)
    run = driven(case_with(sleeper(50, {"b": 2})), system)
    assert run.finished
    assert system.when("clock/advance") == []
    assert run.witnessed is not None
    assert not run.witnessed.virtual_clock


@pytest.mark.parametrize("claims", [VIRTUAL, REAL], ids=["virtual", "real"])
def test_what_arrives_right_after_the_end_belongs_to_the_run(claims: Claims) -> None:
    """An invocation and a record that follow run/finished at once are in the trace, whatever the clock (CANC-10)."""

    def react(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
        if method == "run/start":
            yield FINISHED
            yield invoke(1)
            yield record("result", callId="c1")

    run = driven(case_with(echo()), ScriptedSystem(react, claims=claims))
    assert run.witnessed is not None
    assert run.witnessed.finished_arrival is not None
    late = [each.arrival for each in (*(run.deeds or ()), *run.results)]
    assert len(late) == 2
    assert all(arrival is not None and arrival > run.witnessed.finished_arrival for arrival in late)


def test_a_gate_opens_on_real_time_too() -> None:
    """Calls that come together are held together, whatever the clock."""
    system = ScriptedSystem(calls(1, 2), claims=REAL)  # type: ignore[arg-type]
    assert driven(case_with(gated(echo(), 3)), system).finished
    assert [params["id"] for _, method, params in system.sent if method == "answer"] == [2, 1]


def test_the_world_is_seen_before_and_after(tmp_path: Path) -> None:
    """What a witness tool writes on entry is only in the later snapshot."""
    folders = furnish(tmp_path, ())
    run = drive(case_with(writing(echo(), "Out/a.md", "a")), ScriptedSystem(one_call), folders)
    assert run.world is not None
    assert set(run.world.after) - set(run.world.before) == {"Out", "Out/a.md"}


def test_a_folder_is_not_given_to_a_system_that_claims_none(tmp_path: Path) -> None:
    """The suite sends root and auditDir only to a system that claims files and auditLog."""
    system = ScriptedSystem(one_call)
    drive(case_with(echo()), system, furnish(tmp_path, ()))
    (told,) = (params for _, method, params in system.sent if method == "run/start")
    assert "root" not in told
    assert "auditDir" not in told


def test_the_descriptors_travel_as_they_are() -> None:
    """The run has the registry of the case, both the tools of the suite and those of the system."""
    own = {"name": "vault.x", "inputSchema": closed(), "outputSchema": closed(), "host": "system"}
    case = case_with(echo(), system_tools=(own,))
    system = ScriptedSystem(one_call)
    run = driven(case, system)
    (told,) = (params for _, method, params in system.sent if method == "run/start")
    assert told["tools"] == list(case.descriptors)
    assert run.registry is not None
    assert set(run.registry.by_name) == {"w.tool", "vault.x"}
