"""No record is so broken that a check throws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from broken_runs import broken_runs
from callproof.judge.judging import judge
from callproof.trace.records import Kind, Record
from callproof.trace.run import Run
from edited_runs import base, patched, run_record_patched
from hypothesis import HealthCheck, given, settings

pytestmark = pytest.mark.many


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(broken_runs())
def test_no_check_throws_whatever_the_records_hold(run: Run) -> None:
    """A check survives any garbage record: it finds something and proves it, or passes it over (records are claims)."""
    results = judge(run)
    assert {name: result.errors for name, result in results.items() if result.errors} == {}
    if run.records:  # without any record there is nothing to prove a finding with
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
    """A lookup in a set needs a hashable value, which JSON that is not a text may not be."""
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
    """A lone surrogate has no bytes to hash, and attempts that hold one have no hash in common (HASH-07)."""
    halved = patched(base("retried"), "calls", 0, {"args": {"path": "\ud800"}})
    assert [error for result in judge(halved).values() for error in result.errors] == []


@pytest.mark.parametrize("number", [2**63 - 1, 10**30, -100], ids=["of eight bytes", "of any size", "below zero"])
@pytest.mark.parametrize("events", [True, False], ids=["events", "no events"])
def test_no_check_throws_on_a_limit_of_open_calls_of_any_size(number: int, events: bool) -> None:
    """No limit may be written as the largest number there is; for loops and whole runs, by events and by stamps."""
    budget = base("budget")
    assert budget.run_record is not None
    plan: Any = budget.run_record.value["plan"]
    steps = [
        {**each, "foreach": {**each["foreach"], "concurrency": number}} if "foreach" in each else each
        for each in plan["steps"]
    ]
    limits = {"policy": {"limits": {"maxConcurrency": number}}}
    for patch in (limits, {"plan": {"steps": steps}}):
        run = run_record_patched(budget, patch)
        results = judge(run if events else replace(run, events=None))
        assert [error for result in results.values() for error in result.errors] == []
        if number > 0:
            assert [name for name in ("DEP-03", "LOOP-14") if results[name].findings] == []
