"""No record is so broken that a check throws."""

from __future__ import annotations

from dataclasses import replace

import pytest
from broken_runs import broken_runs
from callproof.judge.judging import judge
from callproof.trace.records import Kind, Record
from callproof.trace.run import Run
from edited_runs import base, patched
from hypothesis import HealthCheck, given, settings

pytestmark = pytest.mark.many


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(broken_runs())
def test_no_check_throws_whatever_the_records_hold(run: Run) -> None:
    """A check survives any garbage record: it finds something and proves it, or passes it over (records are claims)."""
    results = judge(run)
    assert {name: result.errors for name, result in results.items() if result.errors} == {}
    if run.records:  # where nothing is on record, nothing proves that
        assert [name for name, result in results.items() for each in result.findings if not each.finding.witness] == []


@pytest.mark.parametrize("records", ["calls", "results", "events"])
def test_no_check_throws_on_empty_records(records: str) -> None:
    """Records without any member are the least that can be written."""
    run = base("linear")
    kind = {"calls": Kind.CALL, "results": Kind.RESULT, "events": Kind.EVENT}[records]
    empty = tuple(Record(kind, {}, each.source) for each in getattr(run, records))
    errors = {name: result.errors for name, result in judge(replace(run, **{records: empty})).items() if result.errors}
    assert errors == {}


def test_no_check_throws_on_a_reason_that_is_no_text() -> None:
    """What a set is asked for has to have a hash, and JSON that is no text need not."""
    whole = base("recovered")
    given_up = replace(
        whole,
        calls=tuple(each for each in whole.calls if each.call_id != "c2"),
        results=tuple(each for each in whole.results if each.call_id != "c2"),
        events=tuple(each for each in whole.events or () if each.call_id != "c2"),
    )
    run = patched(given_up, "results", 0, {"error": {"details": {"reason": []}, "retryable": None}})
    assert [error for result in judge(run).values() for error in result.errors] == []


def test_no_check_throws_on_attempts_whose_args_have_no_canonical_form() -> None:
    """Half a character has no bytes to be hashed, and attempts that hold one have no hash in common (HASH-07)."""
    halved = patched(base("retried"), "calls", 0, {"args": {"path": "\ud800"}})
    assert [error for result in judge(halved).values() for error in result.errors] == []
