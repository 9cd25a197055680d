"""No record is so broken that a check throws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from callproof.judge.judging import judge
from callproof.trace.records import Kind, Record
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, live, output, patched
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

BASES = ("linear", "retried", "foreach", "refused", "cancelled", "effects", "incomplete")
MEMBERS = {
    Kind.RUN: ("runId", "plan", "policy", "tools", "confirmation", "specVersion"),
    Kind.CALL: ("callId", "runId", "stepId", "tool", "args", "attempt", "policy", "iteration", "createdAt", "redacted"),
    Kind.RESULT: ("callId", "stepId", "tool", "attempt", "status", "data", "error", "effects", "durationMs", "endedAt"),
    Kind.EVENT: ("type", "callId", "stepId", "timestamp", "level", "payload", "seq", "message"),
}
JSON: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(
        ["ok", "error", "s1", "c1", "step.started", "2026-01-05T09:00:23Z", "$steps.s1", "\ud800", 10**400]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "code", "args", "x", "", "path"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def with_another_inside(draw: st.DrawFn, value: Any) -> Any:
    """A value in which some inner value, at any depth, is another one."""
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 5)) == 0:
        return draw(JSON)
    if isinstance(value, list):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], draw(with_another_inside(value[at])), *value[at + 1 :]]
    name = draw(st.sampled_from(sorted(value)))
    return {**value, name: draw(with_another_inside(value[name]))}


@st.composite
def broken_records(draw: st.DrawFn, records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records with some members replaced, removed, or the record repeated, dropped or moved."""
    broken = list(records)
    for _ in range(draw(st.integers(0, 3))):
        if not broken:
            break
        at = draw(st.integers(0, len(broken) - 1))
        record = broken[at]
        name = draw(st.sampled_from(MEMBERS[record.kind]))
        match draw(st.sampled_from(["set", "deep", "deep", "drop", "twice", "gone", "move"])):
            case "set":
                broken[at] = replace(record, value={**record.value, name: draw(JSON)})
            case "deep":
                inner = draw(with_another_inside(record.value.get(name)))
                broken[at] = replace(record, value={**record.value, name: inner})
            case "drop":
                broken[at] = replace(record, value={k: v for k, v in record.value.items() if k != name})
            case "twice":
                broken.insert(at, record)
            case "gone":
                del broken[at]
            case _:
                broken.append(broken.pop(at))
    return tuple(broken)


@st.composite
def broken_runs(draw: st.DrawFn) -> Run:
    """A base run with broken records, sometimes live, sometimes without events or run record."""
    run = base(draw(st.sampled_from(BASES)))
    heads = draw(broken_records((run.run_record,) if run.run_record else ()))
    broken = replace(
        run,
        calls=draw(broken_records(run.calls)),
        results=draw(broken_records(run.results)),
        events=draw(st.none() | broken_records(run.events or ())),
        registry=draw(st.sampled_from([run.registry, None])),
    )
    if draw(st.booleans()) and heads:
        broken = live(
            replace(broken, run_record=heads[0]), tuple(deed_of(each, output(draw(JSON))) for each in run.calls)
        )
        broken = replace(broken, audit=draw(st.sampled_from([None, run])))
    return replace(broken, run_record=heads[0] if heads else None)


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
