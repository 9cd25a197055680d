"""Many cases over one conversation: what is skipped, what is tried again, and when a fresh conversation is made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import pytest
from callproof.adapters.deadlines import Deadlines
from callproof.adapters.errors import AdapterError, DiedInRun, GarbageOnStdout, NoRoom, OutlivedShutdown, Silent
from callproof.adapters.messages import Message
from callproof.live.behaviours import echo
from callproof.live.canaries import CANARIES
from callproof.live.case import Case, Companion, Hardship, Scenario, When
from callproof.live.driver import Bounds, Stage
from callproof.live.scenarios.building import hosted, plan, policy, step
from callproof.live.session import CaseOutcome, LiveSession
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object
from scripted_system import FINISHED, React, ScriptedSystem, invoke, record

TOOL = hosted("w.tool", echo(), takes={}, gives={})
CASE = Case("SC-00/case", "A case", plan(step("s1", "w.tool")), policy(), tools=(TOOL,), horizon_ms=200)


def honest(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """Calls the tool of the case once and ends."""
    if method == "run/start":
        tools = params["tools"]
        assert is_array(tools)
        assert is_object(tools[0])
        yield record("event", type="run.started")
        yield invoke(1, str(tools[0]["name"]))
    if method == "answer":
        yield FINISHED


def deadly(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message | AdapterError]:
    """Makes one call and dies when the answer comes."""
    if method == "answer":
        yield DiedInRun("while it waited", 1, ("KeyError",))
    else:
        yield from honest(system, method, params)


def dead_at_start(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[AdapterError]:
    """Dies when it gets a run."""
    yield DiedInRun("after it had answered run/start", 1)


def garbled(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message | AdapterError]:
    """Makes one call and writes a broken line when the answer comes."""
    if method == "answer":
        yield GarbageOnStdout("while it waited", "is not strict JSON", "{NaN")
    else:
        yield from honest(system, method, params)


def endless(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """Makes one call and never ends."""
    if method == "run/start":
        yield invoke(1)


def broken_off_by_the_user(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """The user presses Ctrl-C while the system works."""
    if method == "answer":
        raise KeyboardInterrupt
    yield from honest(system, method, params)


def ended_by_a_plugin(system: ScriptedSystem, method: str, params: Mapping[str, Json]) -> Iterable[Message]:
    """A plugin of pytest ends the test item while the system works, as a plugin for timeouts does by a signal."""
    if method == "answer":
        pytest.fail("Timeout (>1.0s) from a plugin")
    yield from honest(system, method, params)


class Connections:
    """Conversations with systems that behave like these, in turn; the last one again and again."""

    def __init__(self, *reacts: React, ends_badly: bool = False, has_process: bool = True) -> None:
        self.reacts = list(reacts)
        self.made = 0
        self.ended = 0
        self.seen: dict[str, str] = {}
        self.now = ScriptedSystem(honest)
        self.ends_badly = ends_badly
        self.has_process = has_process

    @contextmanager
    def connect(self, address: str, **_: object) -> Iterator[ScriptedSystem]:
        """One conversation."""
        self.seen = dict(os.environ)
        react = self.reacts[min(self.made, len(self.reacts) - 1)]
        self.made += 1
        self.now = ScriptedSystem(react, has_process=self.has_process)
        try:
            yield self.now
        finally:
            self.ended += 1
            if self.ends_badly:
                raise OutlivedShutdown(1.0, ("adapter",))


def session(connections: Connections) -> LiveSession:
    """A session over these conversations."""
    return LiveSession("scripted:", connect=connections.connect)  # type: ignore[arg-type]


def cases_of(live: LiveSession, cases: tuple[Case, ...]) -> list[CaseOutcome]:
    """The outcome of each case, one after the other."""
    return [live.run_case(case) for case in cases]


def test_one_conversation_serves_many_cases() -> None:
    """After a run that ends, the conversation can serve the next case."""
    connections = Connections(honest)
    with session(connections) as live:
        outcomes = cases_of(live, (CASE, CASE, CASE))
    assert [outcome.run is not None and outcome.run.finished for outcome in outcomes] == [True, True, True]
    assert (connections.made, connections.ended) == (1, 1)


def test_a_case_outside_the_claims_is_not_run() -> None:
    """The outcome names what is not claimed, and nothing is sent."""
    with session(Connections(honest)) as live:
        outcome = live.run_case(replace(CASE, requires=("events", "foreach", "files")))
    assert (outcome.run, outcome.error, outcome.skipped_features) == (None, None, ("foreach", "files"))


def test_a_case_that_needs_a_process_is_not_run_where_there_is_none() -> None:
    """A conversation over HTTP has no process to kill; a system then need not show what only such cases aim at."""
    killed = replace(CASE, id="SC-00/killed", hardship=Hardship(kill_after=1), provokes=("LOG-15",))
    scenario = Scenario("SC-00", "One that needs a process, and one that does not", (CASE, killed))
    with session(Connections(honest, has_process=False)) as live:
        had, skipped = cases_of(live, scenario.cases)
        lacks = live.lacks
    assert had.run is not None
    assert (skipped.run, skipped.error, skipped.skipped_features) == (None, None, ("a process that the suite started",))
    assert (scenario.aims_within(frozenset()), scenario.aims_within(frozenset(), lacks)) == ({"LOG-15"}, frozenset())


@pytest.mark.parametrize("react", [honest, deadly])
def test_nobody_is_accused_of_what_a_full_disk_left_out(react: React, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk, failed writes and a death prove nothing about a system; the error names the folder."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    with (
        session(Connections(react)) as live,
        pytest.raises(NoRoom, match=r"the adapter had no room to write: 0 bytes left in .*; make room, or name"),
    ):
        live.run_case(replace(CASE, death_proves=("RES-22",)))


@pytest.mark.parametrize("when", When)
def test_a_hardship_of_a_companion_counts_for_nothing(when: When) -> None:
    """Only the hardship of the case itself is applied to the system's process."""
    other = replace(CASE, id="SC-00/other", hardship=Hardship(kill_after=1, file_bytes=0))
    with session(Connections(honest)) as live:
        outcome = live.run_case(replace(CASE, company=(Companion(other, when),)))
    assert outcome.error is None
    assert outcome.run is not None
    assert [each.cut_short for each in outcome.run.siblings] == [False]


def test_an_outcome_is_told_as_it_comes() -> None:
    """The caller gets each outcome at once, so that it can show progress."""
    told: list[CaseOutcome] = []
    with session(Connections(honest)) as live:
        outcome = live.run_case(CASE, told.append)
    assert told == [outcome]


def test_after_an_error_the_next_case_gets_a_fresh_conversation() -> None:
    """The error is the outcome of its own case only, without a trace: an error judges nothing."""
    connections = Connections(deadly, honest)
    with session(connections) as live:
        first, second = cases_of(live, (CASE, CASE))
    assert isinstance(first.error, DiedInRun)
    assert first.run is None
    assert second.run is not None
    assert second.error is None
    assert connections.made == connections.ended == 2


def test_after_a_run_that_did_not_end_the_next_case_gets_a_fresh_conversation() -> None:
    """What is left of the old run cannot reach the new one."""
    connections = Connections(endless, honest)
    with session(connections) as live:
        first, second = cases_of(live, (CASE, CASE))
    assert first.run is not None
    assert not first.run.finished
    assert "it hangs" in first.last_words
    assert second.run is not None
    assert second.run.finished
    assert second.last_words == ""
    assert connections.made == 2


def test_a_system_that_never_ends_a_run_is_given_up_in_bounded_time() -> None:
    """Ten runs in a row without an end are evidence enough; the other cases are errors, and start no system."""
    connections = Connections(endless)
    with session(connections) as live:
        outcomes = cases_of(live, (CASE,) * 12)
    assert [outcome.error is not None for outcome in outcomes] == [False] * 10 + [True] * 2
    assert connections.made == 10
    assert str(outcomes[-1].error).splitlines() == [
        "the adapter was given up: 10 runs in a row sent no run/finished, so this one was not begun",
        "awaited: run/finished within 30 s of real time, and no 1.5 s of its own clock without a message",
        "help: give a slow system more time with --timeout",
    ]


@pytest.mark.parametrize(("answer", "seconds", "quiet_ms"), [(1, 10, 5_000), (30, 30, 5_000), (60, 60, 10_000)])
def test_a_run_gets_the_time_that_an_answer_gets(
    answer: float, seconds: float, quiet_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one deadline that a user sets also limits how long a run may take, and how long it may be silent."""
    given: list[Bounds] = []

    def stage(cast: object, wire: object, bounds: Bounds) -> Stage:
        given.append(bounds)
        return Stage(cast, wire, bounds)  # type: ignore[arg-type]

    monkeypatch.setattr("callproof.live.session.Stage", stage)
    connect, deadlines = Connections(honest).connect, Deadlines(answer=answer)
    with LiveSession("scripted:", deadlines=deadlines, connect=connect) as live:  # type: ignore[arg-type]
        live.run_case(CASE)
    assert [(each.seconds, each.idle_ms) for each in given] == [(seconds, quiet_ms)]


def test_a_death_that_repeats_is_evidence() -> None:
    """If a case says what a death proves, the second death makes a trace and not an error (A78)."""
    connections = Connections(deadly, deadly, honest)
    with session(connections) as live:
        outcome = live.run_case(replace(CASE, death_proves=("ERR-06",)))
    assert outcome.error is None
    assert outcome.run is not None
    assert outcome.run.witnessed is not None
    assert (outcome.run.witnessed.expectations or {})["died"] == ["ERR-06"]
    assert [deed.call_id for deed in outcome.run.deeds or ()] == ["c1"]
    assert outcome.last_words.splitlines() == ["SC-00/case did not end; last lines of standard error:", "  | KeyError"]
    assert connections.made == 3  # the third one plays the case that provokes nothing


def test_a_death_is_no_evidence_against_a_system_that_dies_of_everything() -> None:
    """A system that does not outlive a case that provokes nothing has a fault of another kind (A78)."""
    with session(Connections(deadly)) as live:
        outcome = live.run_case(replace(CASE, death_proves=("ERR-06",)))
    assert outcome.run is None
    assert isinstance(outcome.error, DiedInRun)


@pytest.mark.parametrize(("hardship", "is_evidence"), [(Hardship(), False), (Hardship(file_bytes=0), True)])
def test_a_death_before_anything_provoked_it_is_no_evidence(hardship: Hardship, is_evidence: bool) -> None:
    """Until a tool has answered, only files that cannot grow provoke a system (A78)."""
    with session(Connections(dead_at_start, dead_at_start, honest)) as live:
        outcome = live.run_case(replace(CASE, death_proves=("DEP-15",), hardship=hardship))
    assert (outcome.error is None, outcome.run is not None) == (is_evidence, is_evidence)


def test_a_case_that_a_system_outlived_shows_that_it_lives() -> None:
    """The case that provokes nothing is played only where no other run has ended after a tool had answered (A78)."""
    runs = 0

    def deadly_from_the_second_run_on(
        system: ScriptedSystem, method: str, params: Mapping[str, Json]
    ) -> Iterable[Message | AdapterError]:
        nonlocal runs
        runs += method == "run/start"
        return (honest if runs < 2 else deadly)(system, method, params)

    connections = Connections(deadly_from_the_second_run_on)
    with session(connections) as live:
        _, outcome = cases_of(live, (CASE, replace(CASE, death_proves=("ERR-06",))))
    assert outcome.run is not None
    assert (runs, connections.made) == (3, 2)


def test_a_broken_line_that_repeats_is_evidence_where_output_is_beyond_json() -> None:
    """In other cases a line that is not JSON stays an error of the adapter (RES-22)."""
    with session(Connections(garbled, garbled, honest)) as live:
        tempted = live.run_case(replace(CASE, death_proves=("RES-22",)))
    with session(Connections(garbled, garbled, honest)) as live:
        other = live.run_case(replace(CASE, death_proves=("ERR-06",)))
    assert tempted.run is not None
    assert tempted.run.witnessed is not None
    assert (tempted.run.witnessed.expectations or {})["garbled"] == ["RES-22"]
    assert isinstance(other.error, GarbageOnStdout)


def test_a_death_that_does_not_repeat_is_forgiven() -> None:
    """The second try counts."""
    with session(Connections(deadly, honest)) as live:
        outcome = live.run_case(replace(CASE, death_proves=("ERR-06",)))
    assert outcome.error is None
    assert outcome.run is not None
    assert outcome.run.finished


def test_a_conversation_that_ends_badly_after_an_error_is_no_second_error() -> None:
    """One fault is reported only once."""
    connections = Connections(deadly, ends_badly=True)
    live = session(connections)
    live.__enter__()
    assert isinstance(live.run_case(CASE).error, DiedInRun)


def test_a_conversation_that_cannot_be_had_is_raised() -> None:
    """Without a conversation no case can run."""

    @contextmanager
    def never(address: str, **_: object) -> Iterator[ScriptedSystem]:
        raise Silent("initialize", 1.0)
        yield

    with pytest.raises(AdapterError), LiveSession("scripted:", connect=never):  # type: ignore[arg-type]
        raise AssertionError("it cannot be entered")


def test_secrets_are_planted_in_the_environment_of_the_system_and_nowhere_else() -> None:
    """The system inherits them; the suite's own environment is as before (LOG-16)."""
    connections = Connections(honest)
    before = dict(os.environ)
    with session(connections) as live:
        run = live.run_case(CASE).run
    assert {name: connections.seen[name] for name in CANARIES} == dict(CANARIES)
    assert dict(os.environ) == before
    assert run is not None
    assert run.witnessed is not None
    assert set(CANARIES.values()) <= set(run.witnessed.canaries)


def test_a_user_who_breaks_off_waits_for_no_goodbye() -> None:
    """The suite ends the system at once, and marks it so that it sends it nothing more."""
    connections = Connections(broken_off_by_the_user)
    with session(connections) as live:
        with pytest.raises(KeyboardInterrupt):
            live.run_case(CASE)
        assert (connections.made, connections.ended) == (1, 1)
        assert connections.now.broken


def test_nothing_of_a_case_that_was_ended_is_met_by_the_next_one() -> None:
    """Late messages of the ended case would count as the next one's, and the system would be blamed for them."""
    connections = Connections(ended_by_a_plugin, honest)
    with session(connections) as live:
        with pytest.raises(pytest.fail.Exception):
            live.run_case(CASE)
        assert (connections.made, connections.ended) == (1, 1)
        assert connections.now.broken
        assert live.run_case(CASE).run is not None
        assert connections.made == 2
