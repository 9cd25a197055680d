"""The number of findings of one law that are kept, and that every other finding is counted."""

from __future__ import annotations

import pytest
from callproof import limits
from callproof.checks.check import Finding, Witness
from callproof.judge.capping import Kept
from callproof.judge.judging import Located, Root
from callproof.trace.records import Source
from hypothesis import given
from hypothesis import strategies as st

SOURCE = Source("calls.jsonl", 1)
MOST = 3


def located(number: int, *, follows: bool) -> Located:
    """One finding, which follows from another one if ``follows`` is true."""
    finding = Finding(f"call {number} was wrong", "a right one", (Witness("C", "call", SOURCE),))
    return Located("run", finding, Root("CALL-02", SOURCE, "it is the same call") if follows else None)


@pytest.fixture(autouse=True, scope="module")
def few() -> object:
    """A limit so low that a test can reach it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(limits, "FINDINGS_SHOWN_PER_REQUIREMENT", MOST)
        yield


@given(st.lists(st.booleans()))
def test_every_finding_is_kept_or_counted(follows: list[bool]) -> None:
    """The first roots and the first consequences are kept in their order; the others are counted exactly."""
    findings = [located(number, follows=each) for number, each in enumerate(follows)]
    kept = Kept(findings)
    assert len(kept.findings) + kept.more == len(findings)
    for wanted in (True, False):
        of_kind = [each for each in findings if (each.root is None) is wanted]
        assert [each for each in kept.findings if (each.root is None) is wanted] == of_kind[:MOST]
    assert [each for each in findings if each in kept.findings] == kept.findings


@given(st.lists(st.booleans()), st.integers(0, 10))
def test_it_makes_no_difference_in_how_many_pieces_they_come(follows: list[bool], cut: int) -> None:
    """The same findings are kept whether they are added run by run or all at once."""
    findings = [located(number, follows=each) for number, each in enumerate(follows)]
    pieces = Kept(findings[:cut])
    pieces.add(findings[cut:])
    assert (pieces.findings, pieces.more) == (Kept(findings).findings, Kept(findings).more)
