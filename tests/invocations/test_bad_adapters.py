"""Adapters that break the wire's rules: their mistakes are errors, and a response that does not end is a finding."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from callproof.driven.hearing import Hearing
from callproof.driven.playing import PATIENCE
from callproof.driven.session import Session
from callproof.invocations.cases import CASES
from callproof.invocations.suite import SUITE
from callproof.judge.judgement import Judgement, Outcome
from callproof.judge.verdicts import Verdict

BAD = Path(__file__).parent / "bad.py"


def judged(how: str, beginning: str = "IV-0", patience: float = PATIENCE) -> Judgement:
    """The judgement of the cases whose ids begin in this way, with an adapter that is bad in one way."""
    address = f"stdio:{sys.executable} {BAD} {how}"
    hearing = Hearing(SUITE, address)
    session = Session(SUITE, address, patience=patience)
    with session:
        for case in CASES:
            if case.id.startswith(beginning):
                hearing.take(session.play(case), frozenset(session.claims.features))
    return hearing.judgement(session.claims, session.implementation)


def broken(judgement: Judgement) -> set[str]:
    """The requirements that were broken."""
    return {name for name, each in judgement.results.items() if each.verdict is Verdict.FAIL}


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("finishes-twice", "invocation/finished out of turn: the response was over"),
        ("tells-after-the-end", "record out of turn: the response was over"),
        ("asks-after-the-end", "planner/plan out of turn: the response was over"),
        ("begins-too-early", "it had not answered invocation/start yet"),
        ("garbage", "standard output carries JSON-RPC messages only"),
        ("misshapen", "provider/generate"),
        ("record-of-no-object", "record"),
    ],
)
def test_what_is_wrong_on_the_wire_is_an_error_and_three_in_a_row_are_enough(how: str, says: str) -> None:
    """The adapter must be mended first, so no finding blames the system, and the rest is not played."""
    judgement = judged(how)
    assert judgement.outcome is Outcome.ERROR
    assert len(judgement.errors) == 3
    assert all(says in each for each in judgement.errors), judgement.errors
    assert broken(judgement) == set()


@pytest.mark.parametrize("how", ["silent", "without-end", "flood", "again-and-again"])
def test_a_response_without_an_end_is_a_finding_and_three_of_them_are_enough(how: str) -> None:
    """The suite gives up on it, no matter what it sends meanwhile; a malformed record is found as such."""
    judgement = judged(how, patience=0.3)
    assert judgement.errors == ()
    assert broken(judgement) <= {"INT-10", "INT-07"}
    assert "INT-10" in broken(judgement)
    assert len(judgement.runs) == 3


def test_a_response_that_is_over_at_once_has_no_records_and_no_answer() -> None:
    """No tool was used and no record was sent, and both are found."""
    assert broken(judged("finishes-at-once", "IV-01/wanted")) == {"INT-10", "INT-13", "INT-15"}


def test_a_record_that_is_like_a_note_begins_no_response() -> None:
    """Everything that a system records is a record, and is judged by a record's shape."""
    assert broken(judged("strange-records", "IV-01/wanted")) == {"INT-07"}
