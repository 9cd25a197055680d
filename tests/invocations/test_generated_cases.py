"""Cases that a seed makes: lawful systems keep every law in them, and a case that breaks one is made small."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from callproof.driven.generating import Generating
from callproof.driven.hearing import Hearing, broken_in
from callproof.driven.reducing import smallest
from callproof.driven.session import Session
from callproof.invocations.case import FEATURES, LATER, InvocationCase
from callproof.invocations.generated import generated
from callproof.invocations.reducing import smaller
from callproof.invocations.suite import SUITE
from callproof.judge.judging import gather
from callproof.judge.verdicts import Verdict
from callproof.spec.registry import protocol_named

REFERENCE = "stdio:callproof-reference invocation"
SERVE = f"stdio:{sys.executable} {Path(__file__).parents[1] / 'live_invocations' / 'serve.py'}"
ALL = frozenset(FEATURES)


def played(address: str, seed: int, cases: int) -> Hearing[InvocationCase]:
    """A number of generated cases, played."""
    hearing = Hearing(SUITE, address)
    with Session(SUITE, address) as session:
        claimed = frozenset(session.claims.features)
        for number in range(cases):
            hearing.take(session.play(generated(seed, number, claimed)), claimed)
    return hearing


@pytest.mark.many
def test_a_lawful_system_keeps_every_law_in_cases_that_nobody_wrote() -> None:
    """There are no findings in 300 cases, and these decide every requirement."""
    hearing = played(REFERENCE, 11, 300)
    results = gather(hearing.results)
    assert hearing.errors == []
    assert {name: each.verdict for name, each in results.items() if each.verdict is not Verdict.PASS} == {}
    assert set(results) == set(protocol_named("invocation").requirements)


@pytest.mark.many
@pytest.mark.parametrize("name", ["plain", "finds-out", "revising", "half-moved", "of-few-words", "by-provider"])
def test_a_varied_system_keeps_them_too(name: str) -> None:
    """What the contract leaves open is not a finding, in any combination."""
    hearing = played(f"{SERVE} {name}", 12, 300 if name in ("plain", "finds-out") else 100)
    found = {law: each for law, each in gather(hearing.results).items() if each.findings or each.errors}
    assert {law: [one.finding.observed for one in each.findings] for law, each in found.items()} == {}
    assert hearing.errors == []


def test_a_case_is_the_same_one_each_time() -> None:
    """A seed and a number always make the same case, other numbers make others; a case needs only claimed features."""
    assert generated(3, 5, ALL) == generated(3, 5, ALL)
    assert len({repr(generated(3, number, ALL)) for number in range(50)}) == 50
    bare = [generated(3, number, {"byProvider"}) for number in range(100)]
    assert {each.user for each in bare} == {"provider"}
    assert {each.contract for each in bare} == {None}
    assert not any(each.chosen.may_reroute or len(each.tools) > 1 for each in bare)
    assert all(tool.optional for each in bare for tool in each.tools)


def test_a_case_is_lawful() -> None:
    """No other profile may be used under v1, and each tool has one intent."""
    for number in range(300):
        case = generated(4, number, ALL)
        assert case.contract == LATER or not case.chosen.may_reroute
        assert [each.tool for each in case.intents] == [each.name for each in case.tools]
        assert case.chosen.profile in {each.name for each in case.profiles}


def test_what_breaks_a_law_is_made_small() -> None:
    """A fault that only a failure shows is reported with a case of one tool, one answer and no other profile."""
    hearing = Hearing(SUITE, "swallows")
    with Session(SUITE, f"{SERVE} swallows") as session:
        had = list(Generating(session, hearing, 1, 60).played())
        (first, *_) = [each.case for each in had if broken_in(hearing.look(each, ALL))]
    assert len(first.tools) == len(first.answers) == len(first.profiles) == 1
    assert next(iter(first.gives.values())).fails is not None
    assert first.intents[0].input is None


def test_a_case_is_made_smaller_by_what_it_does_not_need() -> None:
    """Everything that is not needed goes, and what shows the fault stays."""
    big = next(
        each for number in range(500) if len((each := generated(7, number, ALL)).tools) > 2 and len(each.profiles) > 2
    )
    small = smallest(big, smaller, lambda case: any(each.name == "forecast" for each in case.tools))
    assert [each.name for each in small.tools] == ["forecast"]
    assert [each.name for each in small.profiles] == [big.chosen.profile]
