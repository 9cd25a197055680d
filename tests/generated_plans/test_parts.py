"""Generated cases in parts: each part is an item, and none depends on how the parts are shared out."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from callproof.adapters.deadlines import Deadlines
from callproof.generated.running import Generating
from callproof.generated.wanted import Wanted
from callproof.judge.baseline import class_of
from callproof.live.judged import JudgedScenario
from callproof.live.session import LiveSession
from callproof.values.parts import parts_of
from hypothesis import given
from hypothesis import strategies as st
from miniatures.driving import REFERENCE, RUN_MINIATURE

pytestmark = pytest.mark.many

BROKEN = f"stdio:{sys.executable} {RUN_MINIATURE} one-attempt-more"
TWO_PARTS = Wanted(50)


@given(count=st.integers(0, 400))
def test_every_case_is_in_one_part(count: int) -> None:
    """The cases are in order, from the first to the last, and the name of a part says which cases it has."""
    parts = parts_of(count)
    assert [place for part in parts.values() for place in part] == [*range(1, count + 1)]
    assert [*parts] == [f"{part[0]}-{part[-1]}" for part in parts.values()]


def essence(judged: JudgedScenario) -> object:
    """The result of a part, without the cases made small in it, and without ids."""
    found = {
        name: (result.verdict, result.exercised, [class_of(each) for each in result.findings])
        for name, result in judged.results.items()
    }
    return found, judged.tally, [replace(each, notes=()) for each in judged.runs]


@pytest.fixture(scope="module")
def session() -> Iterator[LiveSession]:
    """An executor that makes one attempt more than it may."""
    with LiveSession(BROKEN) as opened:
        yield opened


@pytest.fixture(scope="module")
def together(session: LiveSession) -> list[JudgedScenario]:
    """Two parts that one process played."""
    whole = Generating(TWO_PARTS)
    return [whole.had(session, places) for places in parts_of(TWO_PARTS.count).values()]


def test_a_part_comes_to_the_same_after_any_other(session: LiveSession, together: list[JudgedScenario]) -> None:
    """A worker that played another part before reports the same as a fresh one, even the words for a baseline."""
    apart = Generating(TWO_PARTS).had(session, range(26, 51))
    assert essence(together[1]) == essence(apart)
    assert apart.results["RETRY-03"].findings


def test_a_requirement_is_made_small_once(together: list[JudgedScenario]) -> None:
    """The first part that breaks the requirement makes its case small; later parts tell the case as generated."""
    first, second = (each.smallest["RETRY-03"].case.id for each in together)
    assert first.endswith("-small")
    assert not second.endswith("-small")


def test_whatever_is_told_is_told_of_a_case_by_its_name(together: list[JudgedScenario]) -> None:
    """This holds also for a small case, and for each run of a sequence that was made small."""
    told = [each for part in together for result in part.results.values() for each in result.findings]
    assert told
    assert [each.run for each in told if not re.fullmatch(r"GEN/0-\d+(-small)?(\.\d+)?", each.run)] == []


def test_a_system_that_breaks_every_case_is_asked_for_a_few_of_each_part() -> None:
    """After a few broken cases, enough is known about the system."""
    with LiveSession(f"stdio:{sys.executable} {RUN_MINIATURE} run-finished-untold") as opened:
        judged = Generating(Wanted(25)).had(opened, range(1, 26))
    assert judged.tally is not None
    assert (judged.tally.cases, judged.tally.broke) == (8, True)


def test_an_adapter_that_failed_often_enough_is_asked_for_no_more() -> None:
    """Neither this part nor the next asks it again, so that the report comes in bounded time."""
    with LiveSession(REFERENCE, deadlines=Deadlines(start=30, answer=0.000001)) as opened:
        whole = Generating(TWO_PARTS)
        first, second = (whole.had(opened, places) for places in parts_of(TWO_PARTS.count).values())
    assert first.errors
    assert second.tally is not None
    assert (second.tally.cases, second.errors) == (0, ())
