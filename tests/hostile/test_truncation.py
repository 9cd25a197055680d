"""A log that ends too early: it never counts as consistent, and is never accused of more than its missing end."""

from __future__ import annotations

import pytest
from callproof.auditlog.reader import captured_in, run_of
from callproof.judge.judgement import RunOutcome
from callproof.trace.run import FlawKind
from hostile.truncation import bases, broken_logs, faults, prefixes, said_of
from log_edits import BASES

pytestmark = pytest.mark.many


@pytest.mark.parametrize("base", ["interrupted"])
def test_every_prefix_of_every_file_is_told_from_the_whole(base: str) -> None:
    """Byte by byte: callproof has no error, no log without a record is consistent, findings tell only losses."""
    assert list(faults(captured_in(BASES / base))) == []


@pytest.mark.parametrize("base", ["eventless", "retried", "unconfirmed"])
def test_a_log_that_ends_at_a_line_or_in_its_middle_is_told_from_the_whole(base: str) -> None:
    """The same around the end of each line, for runs without events, with retries and without a confirmation."""
    assert list(faults(captured_in(BASES / base), "lines")) == []


def test_a_prefix_of_a_broken_log_breaks_nothing_that_the_whole_does_not() -> None:
    """Some examples of the specification that break a requirement, cut around its lines."""
    for number, (name, whole) in enumerate(broken_logs()):
        if number % 100 == 7:
            assert list(faults(whole, "lines")) == [], name


def test_every_base_and_every_file_of_it_has_prefixes() -> None:
    """A file without prefixes would be a file that no test checks."""
    for base in bases():
        names = {each.file for each in prefixes(captured_in(BASES / base), "lines")}
        assert names == {each.name for each in (BASES / base).iterdir() if each.stat().st_size}, base


def test_a_torn_line_in_a_log_without_events_makes_it_incomplete() -> None:
    """Such a run counts as ended only if nothing is missing, and a torn line shows that something is missing."""
    whole = captured_in(BASES / "eventless")
    torn = [each for each in prefixes(whole) if each.file == "calls.jsonl"][-40]
    assert [flaw.kind for flaw in run_of(torn.captured).flaws] == [FlawKind.TORN]
    assert said_of(torn.captured).outcome is RunOutcome.INCOMPLETE
