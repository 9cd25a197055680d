"""Cases that a seed makes: lawful loops keep every law in them, broken ones are found, and a case can be made small."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from callproof.adapters.errors import AdapterError
from callproof.checks.check import Finding
from callproof.driven.generating import Generating
from callproof.driven.hearing import Hearing, broken_in
from callproof.driven.log import Log
from callproof.driven.reducing import smallest
from callproof.driven.session import Played, Session
from callproof.judge.judging import Located, Result, Results, gather
from callproof.judge.verdicts import Verdict
from callproof.loops.case import FEATURES, Hooks, LoopCase
from callproof.loops.generated import generated
from callproof.loops.reducing import smaller
from callproof.loops.suite import SUITE
from callproof.spec.registry import protocol_named

REFERENCE = "stdio:callproof-reference loop"
SERVE = f"stdio:{sys.executable} {Path(__file__).parents[1] / 'live_loops' / 'serve.py'}"
ALL = frozenset(FEATURES)


@pytest.mark.many
def test_a_lawful_loop_keeps_every_law_in_cases_that_nobody_wrote() -> None:
    """There are no findings in 150 cases, and these decide every requirement."""
    hearing = Hearing(SUITE, REFERENCE)
    with Session(SUITE, REFERENCE) as session:
        for number in range(150):
            hearing.take(session.play(generated(11, number, session.claims.features)), ALL)
    results = gather(hearing.results)
    assert hearing.errors == []
    assert {name: each.verdict for name, each in results.items() if each.verdict is not Verdict.PASS} == {}
    assert set(results) == set(protocol_named("agent-loop").requirements)


@pytest.mark.many
@pytest.mark.parametrize("name", ["cautious", "filling", "results-as-they-come", "steerable"])
def test_a_varied_loop_keeps_them_too(name: str) -> None:
    """What the protocol leaves open is not a finding, in any combination."""
    hearing = Hearing(SUITE, name)
    with Session(SUITE, f"{SERVE} {name}") as session:
        for number in range(60):
            hearing.take(session.play(generated(12, number, session.claims.features)), ALL)
    found = {name: each for name, each in gather(hearing.results).items() if each.verdict is not Verdict.PASS}
    assert [each.findings for each in found.values() if each.findings] == []
    assert hearing.errors == []


def test_a_case_is_the_same_one_each_time() -> None:
    """A seed and a number always make the same case, other numbers make others; a case needs only claimed features."""
    assert generated(3, 5, ALL) == generated(3, 5, ALL)
    assert len({repr(generated(3, number, ALL)) for number in range(50)}) == 50
    bare = [generated(3, number, {"sequential"}) for number in range(100)]
    assert {each.mode for each in bare} == {"sequential"}
    assert not any(each.streamed or each.act or each.hooks.names for each in bare)
    assert not any(answer.progress or answer.late for each in bare for answer in each.answers.values())


def test_what_breaks_a_law_is_made_small() -> None:
    """A fault that only a blocked call shows is reported with a case of one reply, one call and one hook."""
    hearing = Hearing(SUITE, "unheeded")
    with Session(SUITE, f"{SERVE} unheeded") as session:
        played = list(Generating(session, hearing, 1, 60).played())
        broken = [each.case for each in played if broken_in(hearing.look(each, ALL))]
    first = broken[0]
    assert [len(each.calls) for each in first.replies] == [1]
    assert first.hooks.names == ("before",)
    assert first.act is None
    assert not first.streamed


def test_a_loop_that_breaks_everything_is_not_had_again_and_again() -> None:
    """After eight failed cases no more are made, and the report says so."""
    hearing = Hearing(SUITE, "without-ends")
    with Session(SUITE, f"{SERVE} without-ends") as session:
        played = list(Generating(session, hearing, 1, 200).played())
    assert len(played) < 30
    left = f"failed in so many generated cases that {200 - len(played)} more were not made"
    assert left in hearing.judgement(session.claims, session.implementation).subject.notes


class Scripted(Session[LoopCase]):
    """A session whose system does not run, since the case alone decides the results."""

    def play(self, case: LoopCase, *, is_trial: bool = False) -> Played[LoopCase]:
        """The case, played, with an empty log."""
        del is_trial
        return Played(case, Log(case.id, {}))


@dataclass(slots=True)
class Deciding(Hearing[LoopCase]):
    """Finds HOST-11, which is advice, broken in a case with hooks, and HOST-03 in a case in which the user acts."""

    def look(self, played: Played[LoopCase], claimed: frozenset[str]) -> Results:
        """The results for two independent faults."""
        shown = {"HOST-11": bool(played.case.hooks.names), "HOST-03": played.case.act is not None}
        laws = protocol_named("agent-loop").requirements
        finding = Finding("it was broken", "not that", ())
        return {
            name: Result(laws[name], Verdict.FAIL, (Located(played.case.id, finding),), 1)
            for name, broken in shown.items()
            if broken
        }


def scripted(case: LoopCase) -> Scripted:
    """A session in which every generated case is this one."""

    def again(_seed: int, _number: int, _claims: Collection[str]) -> LoopCase:
        return case

    return Scripted(replace(SUITE, generated=again), "scripted")


def test_a_case_that_breaks_two_laws_is_told_with_both() -> None:
    """Making the case small for one law must not lose the finding of the other, which may be the binding one."""
    both = next(each for n in range(500) if (each := generated(7, n, ALL)).act is not None and each.hooks.names)
    hearing = Deciding(SUITE, "scripted")
    (told,) = Generating(scripted(both), hearing, 7, 1).played()
    assert set(hearing.look(told, ALL)) == {"HOST-03", "HOST-11"}
    assert len(told.case.replies) == 1


def test_advice_does_not_end_the_cases() -> None:
    """The next case may break a binding law; with --strict, advice counts as binding."""
    session = scripted(replace(SUITE.cases[0], hooks=Hooks({}), act=None))
    assert len(list(Generating(session, Deciding(SUITE, "scripted"), 7, 30).played())) == 30
    assert len(list(Generating(session, Deciding(SUITE, "scripted", strict=True), 7, 30).played())) == 8


def test_a_case_is_made_smaller_by_what_it_does_not_need() -> None:
    """Everything that is not needed goes, and what shows the fault stays."""
    big = next(each for number in range(500) if (each := generated(7, number, ALL)).act and len(each.replies) > 1)

    def shows(case: LoopCase) -> bool:
        return case.act is not None

    small = smallest(big, smaller, shows)
    assert small.act == big.act
    assert len(small.replies) == 1
    assert len(small.replies[0].calls) == 1
    assert small.hooks.names == ()


def test_a_program_that_is_no_loop_is_an_error_of_the_adapter() -> None:
    """If nothing answers, no case is played."""
    with pytest.raises(AdapterError), Session(SUITE, f"stdio:{sys.executable} -c pass"):
        pass
