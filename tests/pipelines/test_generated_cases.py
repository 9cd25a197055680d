"""Cases that a seed makes: lawful pipelines keep every law in them, broken ones are found, and a case is made small."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from callproof.driven.generating import Generating
from callproof.driven.hearing import Hearing, broken_in
from callproof.driven.reducing import smallest
from callproof.driven.session import Session
from callproof.judge.judging import gather
from callproof.judge.verdicts import Verdict
from callproof.pipelines.case import FEATURES, PipelineCase
from callproof.pipelines.generated import generated
from callproof.pipelines.reducing import smaller
from callproof.pipelines.suite import SUITE

REFERENCE = "stdio:callproof-reference pipeline"
SERVE = f"stdio:{sys.executable} {Path(__file__).parents[1] / 'live_pipelines' / 'serve.py'}"
ALL = frozenset(FEATURES)
# Only tools that wait for each other show this, and no generated case has such tools.
NEVER_MADE = {"PIPE-23"}


@pytest.mark.many
def test_a_lawful_pipeline_keeps_every_law_in_cases_that_nobody_wrote() -> None:
    """There are no findings in 300 cases, and these decide every other requirement."""
    hearing = Hearing(SUITE, REFERENCE)
    with Session(SUITE, REFERENCE) as session:
        for number in range(300):
            hearing.take(session.play(generated(11, number, session.claims.features)), ALL)
    results = gather(hearing.results)
    assert hearing.errors == []
    assert {name for name, each in results.items() if each.verdict is not Verdict.PASS} == NEVER_MADE


@pytest.mark.many
@pytest.mark.parametrize("name", ["results-alone", "tries-again", "abandoning"])
def test_a_varied_pipeline_keeps_them_too(name: str) -> None:
    """What the protocol leaves open is not a finding, in any combination."""
    hearing = Hearing(SUITE, name)
    with Session(SUITE, f"{SERVE} {name}") as session:
        for number in range(100):
            hearing.take(session.play(generated(12, number, session.claims.features)), ALL)
    assert [each.findings for each in gather(hearing.results).values() if each.findings] == []
    assert hearing.errors == []


def test_a_case_is_the_same_one_each_time() -> None:
    """A seed and a number always make the same case, other numbers make others; a case needs only claimed features."""
    assert generated(3, 5, ALL) == generated(3, 5, ALL)
    assert len({repr(generated(3, number, ALL)) for number in range(50)}) == 50
    for number in range(100):
        assert set(SUITE.needs(generated(3, number, {"serial"}))) <= {"serial"}


def test_what_breaks_a_law_is_made_small() -> None:
    """A fault that only a changed input shows is reported with a case of one call and one hook."""
    hearing = Hearing(SUITE, "deaf")
    with Session(SUITE, f"{SERVE} deaf") as session:
        played = list(Generating(session, hearing, 1, 60).played())
        broken = [each.case for each in played if "PIPE-12" in broken_in(hearing.look(each, ALL))]
    first = broken[0]
    assert len(first.calls) == 1
    assert first.asking.phases == ("pre_hooks",)
    assert first.act is None


def test_a_case_is_made_smaller_by_what_it_does_not_need() -> None:
    """Everything that is not needed goes, and what shows the fault stays."""
    big = next(each for number in range(500) if (each := generated(7, number, ALL)).act and len(each.calls) > 2)

    def shows(case: PipelineCase) -> bool:
        return case.act is not None

    small = smallest(big, smaller, shows)
    assert small.act == big.act
    assert len(small.calls) == 1
    assert small.asking.phases == ()
