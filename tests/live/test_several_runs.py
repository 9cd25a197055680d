"""Cases of several runs, and cases in which the suite ends the system: which run gets which message, what is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import pytest
from callproof.adapters.messages import Message, Notification, Request
from callproof.checks.matters import Matter
from callproof.judge.judging import judge
from callproof.live.behaviours import echo
from callproof.live.case import Case, Companion, Cue, Hardship, Move, When
from callproof.live.scenarios.building import hosted, plan, policy, step
from callproof.live.session import CaseOutcome, LiveSession
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json
from scripted_system import ScriptedSystem

TOOL = hosted("w.tool", echo(100), takes={}, gives={})
CASE = Case("SC-00/own", "A case", plan(step("s1", "w.tool")), policy(), tools=(TOOL,), horizon_ms=1000)
OTHER = replace(CASE, id="SC-00/other")


def told(run: str, **value: Json) -> Notification:
    """An event of a run."""
    return Notification(0, "record", {"runId": run, "kind": "event", "record": {"runId": run, **value}})


def asking(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """Asks for confirmation under an id of the run's own, makes one call with the run's name in it, and ends."""
    run = system.runs[min(len(system.when("run/start")) - 1, len(system.runs) - 1)]
    number = len(system.when("run/start"))
    if method == "run/start":
        yield told(run, type="run.started")
        yield told(run, type="run.confirmationRequested", payload={"confirmationId": f"c-{run}"})
        yield Request(0, number, "tool/invoke", {"runId": run, "callId": "c1", "tool": "w.tool", "args": {"run": run}})
    if method == "answer":
        over = system.runs[int(str(params["id"])) - 1]
        yield told(over, type="run.finished")
        yield Notification(0, "run/finished", {"runId": over})


class Systems:
    """The number of systems that were started, and the one that is at work."""

    def __init__(self, runs: tuple[str, str] = ("one", "two")) -> None:
        self.made = 0
        self.runs = runs
        self.now = ScriptedSystem(asking)

    @contextmanager
    def connect(self, address: str, **_: object) -> Iterator[ScriptedSystem]:
        """Start a new system for each conversation."""
        self.made += 1
        self.now = ScriptedSystem(asking, runs=self.runs)
        yield self.now


def had(case: Case, runs: tuple[str, str] = ("one", "two")) -> tuple[CaseOutcome, Systems]:
    """The outcome of a case, and the systems that it used, each of which gives its runs these ids."""
    systems = Systems(runs)
    with LiveSession("scripted:", connect=systems.connect) as live:  # type: ignore[arg-type]
        return live.run_case(case), systems


def with_other(when: When, *moves: Move) -> Case:
    """The case with one other run."""
    return replace(CASE, company=(Companion(OTHER, when),), timeline=moves)


def test_of_two_runs_at_once_each_gets_its_own_messages() -> None:
    """What arrives belongs to the run that it names; the run beside is started first."""
    outcome, systems = had(with_other(When.BESIDE))
    assert outcome.run is not None
    (beside,) = outcome.run.siblings
    assert (beside.name, outcome.run.name) == ("SC-00/other", "SC-00/own")
    assert [deed.args for deed in beside.deeds or ()] == [{"run": "one"}]
    assert [deed.args for deed in outcome.run.deeds or ()] == [{"run": "two"}]
    assert [each.run_id for each in (beside, outcome.run)] == ["one", "two"]
    assert beside.finished
    assert outcome.run.finished
    assert systems.made == 1


@pytest.mark.parametrize(("when", "matter"), [(When.BESIDE, Matter.RUN_ID), (When.ELSEWHERE, None)])
def test_only_runs_at_once_with_one_id_have_each_others_messages(when: When, matter: Matter | None) -> None:
    """CALL-04: the second of two runs at once got the end of the first; a run elsewhere had ended before."""
    outcome, _ = had(with_other(when), ("one", "one"))
    assert outcome.run is not None
    (found,) = judge(outcome.run)["CALL-04"].findings
    assert found.finding.matter is matter


def test_runs_at_once_have_one_order_of_messages() -> None:
    """Both calls were open together, which only a count over both runs can show."""
    outcome, _ = had(with_other(When.BESIDE))
    assert outcome.run is not None
    runs = (*outcome.run.siblings, outcome.run)
    (first,), (second,) = ([(deed.arrival, deed.answer) for deed in run.deeds or ()] for run in runs)
    assert first[1] is not None
    assert first[0] < second[0] < first[1].arrival


def test_a_run_before_is_over_when_the_own_one_starts() -> None:
    """The runs come one after the other, on one conversation."""
    outcome, systems = had(with_other(When.BEFORE))
    assert outcome.run is not None
    assert [run.finished for run in (*outcome.run.siblings, outcome.run)] == [True, True]
    assert [method for _, method, _ in systems.now.sent if method in {"run/start", "answer"}] == [
        "run/start",
        "answer",
        "run/start",
        "answer",
    ]
    assert systems.made == 1


def test_a_run_elsewhere_has_a_process_of_its_own() -> None:
    """Each run is the first one of its process."""
    outcome, systems = had(with_other(When.ELSEWHERE))
    assert outcome.run is not None
    assert [run.run_id for run in (*outcome.run.siblings, outcome.run)] == ["one", "one"]
    assert systems.made == 3


def test_a_confirmation_can_carry_the_id_of_another_run() -> None:
    """The move names the run of the company whose id it borrows."""
    lent = Move(ActKind.APPROVE, Cue.CONFIRMATION, confirmation_of=0)
    outcome, systems = had(with_other(When.BEFORE, lent))
    assert outcome.run is not None
    assert [act.confirmation_id for act in outcome.run.acts or () if act.kind is ActKind.APPROVE] == ["c-one"]
    (sent,) = [params for _, method, params in systems.now.sent if method == "run/confirm"]
    assert (sent["runId"], sent["confirmationId"]) == ("two", "c-one")


def test_a_death_that_the_case_orders_is_no_error() -> None:
    """The trace is what had arrived until then, and the next case gets a new system."""
    systems = Systems()
    with LiveSession("scripted:", connect=systems.connect) as live:  # type: ignore[arg-type]
        outcome = live.run_case(replace(CASE, hardship=Hardship(kill_after=1)))
        following = live.run_case(CASE)
    assert outcome.error is None
    assert outcome.run is not None
    assert [act.kind for act in outcome.run.acts or ()] == [ActKind.START, ActKind.KILL]
    assert not outcome.run.finished
    assert following.run is not None
    assert following.run.finished
    assert systems.made == 2
