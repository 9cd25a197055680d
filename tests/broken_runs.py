"""Runs whose records hold anything at any place, for the tests of code that has to survive them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from callproof.trace.records import Kind, Record
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, live, output
from hypothesis import strategies as st

BASES = ("linear", "retried", "foreach", "refused", "cancelled", "effects", "incomplete")
MEMBERS = {
    Kind.RUN: ("runId", "plan", "policy", "tools", "confirmation", "specVersion"),
    Kind.CALL: ("callId", "runId", "stepId", "tool", "args", "attempt", "policy", "iteration", "createdAt", "redacted"),
    Kind.RESULT: ("callId", "stepId", "tool", "attempt", "status", "data", "error", "effects", "durationMs", "endedAt"),
    Kind.EVENT: ("type", "callId", "stepId", "timestamp", "level", "payload", "seq", "message"),
}
# The values that a line may hold after it was read: the reader refuses NaN and infinite numbers (LOG-03).
JSON: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
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
    """A value in which some inner value, at any depth, is replaced by another one."""
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
