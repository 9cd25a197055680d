"""When the suite gives up on a system, and what the report says about that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

import pytest
from callproof.adapters.claims import Claims
from callproof.adapters.conversation import Conversation
from callproof.adapters.errors import AdapterError
from callproof.driven.generating import Generating
from callproof.driven.hearing import Hearing
from callproof.driven.log import Log
from callproof.driven.session import Played, Session
from callproof.driven.suite import Seen, Suite
from callproof.judge.judging import Results
from callproof.loops.case import FEATURES, LoopCase
from callproof.loops.suite import SUITE
from loops.test_generated_cases import Deciding

REFERENCE = "stdio:callproof-reference loop"
Drive = Callable[[LoopCase, Conversation, float], Seen]


@dataclass(frozen=True)
class Shown:
    """What was seen of a case: only whether it ended."""

    over: bool
    log: Log
    unsettled: bool = False


@dataclass(slots=True)
class Careful(Deciding):
    """Decides nothing if the adapter failed."""

    def look(self, played: Played[LoopCase], claimed: frozenset[str]) -> Results:
        """The results that the case decides, if it was played."""
        return {} if played.error is not None else Deciding.look(self, played, claimed)


class Died(AdapterError):
    """The adapter has died."""


def driven(drive: Drive) -> Suite[LoopCase]:
    """The suite of loops with another way to play a case."""
    return replace(SUITE, drive=drive)


@pytest.mark.parametrize(
    ("becomes", "told"),
    [
        ("ends hangs hangs hangs", "after 3 cases in a row that did not end, "),
        ("dies dies dies", "after 3 cases in a row in which the adapter failed, "),
        ("hangs dies hangs", "after 3 cases in a row that did not end or in which the adapter failed, "),
        (
            "dies dies ends dies hangs dies",
            "after 3 cases in a row in which the adapter failed or that did not end, ",
        ),
        ("dies hangs ends dies hangs ends", ""),
    ],
)
def test_what_happened_is_told(becomes: str, told: str) -> None:
    """Three cases in a row are enough, if each did not end or its adapter failed."""
    turns = becomes.split()

    def drive(case: LoopCase, _wire: Conversation, _patience: float) -> Seen:
        become = turns.pop(0)
        if become == "dies":
            raise Died
        return Shown(become == "ends", Log(case.id, {}))

    suite = driven(drive)
    hearing = Hearing(suite, REFERENCE)
    with Session(suite, REFERENCE) as session:
        for case in suite.cases[: len(turns) + bool(told)]:
            hearing.take(session.play(case), frozenset(FEATURES))
    notes = hearing.judgement(Claims(), session.implementation).subject.notes
    said = [each.startswith(f"was given up {told}") for each in notes if "given up" in each]
    assert said == ([True] if told else [])


@pytest.mark.parametrize("dies", [True, False])
def test_trials_do_not_count(*, dies: bool) -> None:
    """Each case is played and breaks something; after three smaller ones that fail, no more of them are tried."""
    cases = (each for n in count() if (each := SUITE.generated(7, n, FEATURES)).hooks.names and each.act is None)
    wanted = [next(cases) for _ in range(4)]
    trials: list[str] = []

    def drive(case: LoopCase, _wire: Conversation, _patience: float) -> Seen:
        if case in wanted:
            return Shown(over=True, log=Log(case.id, {}))
        trials.append(case.id)
        if dies:
            raise Died
        return Shown(over=False, log=Log(case.id, {}))

    def generated(_seed: int, number: int, _claims: object) -> LoopCase:
        return wanted[number - 1]

    suite = replace(driven(drive), generated=generated)
    with Session(suite, REFERENCE) as session:
        for number in range(1, 5):
            (played,) = Generating(session, Careful(suite, REFERENCE), 7, 1).part([number])
            assert played.log is not None
            assert not played.given_up
    assert len(trials) == 4 * 3
