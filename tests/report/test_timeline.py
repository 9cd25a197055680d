"""A run of a log on a line of time: it has names, kinds and instants, but no values."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from callproof.auditlog.reader import read_run
from callproof.report.timeline import timeline
from callproof.resources import SPEC
from callproof.schema.validator import shape_validator
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import Run

BASES = sorted(each.name for each in (Path(str(SPEC)) / "examples").iterdir() if each.is_dir())


def base(name: str) -> Run:
    """One of the runs of the specification."""
    return read_run(Path(str(SPEC)) / "examples" / name)


def changed(record: Record, **members: Any) -> Record:
    """The record with other members."""
    return replace(record, value={**record.value, **members})


@pytest.mark.parametrize("name", BASES)
def test_every_run_of_the_specification_has_one(name: str) -> None:
    """It has the shape of the specification, leaves nothing out, and has nothing before its first instant."""
    told: dict[str, Any] = timeline(base(name))
    assert shape_validator("timeline").errors(told) == ()
    assert told["left"] == 0
    instants = [each.get("atMs", 0) for each in told["moments"]]
    instants += [each[end] for each in told["calls"] for end in ("madeMs", "fromMs", "toMs") if end in each]
    assert min(instants) == 0


def test_a_call_is_told_by_its_attempt_and_its_instants() -> None:
    """It goes from the record of the call to the end of its tool, with the places of its records."""
    told: Any = timeline(base("retried"))
    assert told["calls"][0] == {
        "name": "s1 attempt 1",
        "tool": "vault.readFile",
        "status": "error",
        "code": "INTERNAL_ERROR",
        "madeMs": 20_000,
        "fromMs": 21_000,
        "toMs": 25_000,
        "sources": ["calls.jsonl:1", "results.jsonl:1"],
    }
    assert {"says": "approved", "atMs": 15_000, "source": "run.json:1"} in told["moments"]
    assert {"says": "step.started", "atMs": 21_000, "call": 0, "source": "events.jsonl:5"} in told["moments"]


def test_no_value_of_the_run_is_in_it() -> None:
    """A value in the place of a name is left out, because it has blanks, is long, or is not a text."""
    run = base("retried")
    secret = "s3cret with a blank"
    calls = tuple(changed(each, tool=secret, stepId=secret, args={"x": secret}) for each in run.calls)
    results = tuple(changed(each, status=secret, error={"code": secret, "message": secret}) for each in run.results)
    events = tuple(changed(each, type=secret, message=secret) for each in run.events or ())
    text = json.dumps(timeline(replace(run, calls=calls, results=results, events=events)))
    assert "s3cret" not in text
    assert "a call attempt 1" in text


def test_a_result_without_a_call_has_its_place() -> None:
    """The result of a step that was never built is a moment."""
    run = base("retried")
    told: Any = timeline(replace(run, calls=run.calls[:-1]))
    assert "s3 attempt 1: error without a call" in [each["says"] for each in told["moments"]]


def test_records_without_instants_are_told_without() -> None:
    """The suite does not invent an instant that a record lacks."""
    run = base("retried")
    calls = tuple(changed(each, createdAt="yesterday") for each in run.calls)
    results = tuple(changed(each, startedAt=None, endedAt=5) for each in run.results)
    events = tuple(changed(each, timestamp="") for each in run.events or ())
    told: Any = timeline(replace(run, calls=calls, results=results, events=events))
    assert shape_validator("timeline").errors(told) == ()
    assert "madeMs" not in told["calls"][0]


def test_a_long_run_is_cut_around_what_is_marked() -> None:
    """The first calls stay, and the one that proves a finding; what is left out is counted."""
    run = base("retried")
    calls = tuple(
        Record(Kind.CALL, {"callId": f"c{number}", "stepId": f"s{number}"}, Source("calls.jsonl", number))
        for number in range(1, 1_001)
    )
    told: Any = timeline(replace(run, calls=calls, results=(), events=()), {calls[-1].source})
    names = [each["name"] for each in told["calls"]]
    assert (len(names), names[0], names[-1]) == (101, "s1", "s1000")
    assert told["left"] == 899
