"""Records of other runs among those of a run: what shows that they belong to another run, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.trace.run import Run
from callproof.trace.strays import parted
from callproof.values.jsontext import Json
from edited_runs import base


def _beside(run: Run, *values: dict[str, Json]) -> Run:
    """The run with more events, each a copy of its first event with these members changed."""
    assert run.events is not None
    first = run.events[0]
    return replace(run, events=(*run.events, *(replace(first, value={**first.value, **each}) for each in values)))


@pytest.mark.parametrize(
    ("told", "strays"),
    [
        ({"type": "run.started"}, 1),
        ({"type": "run.finished"}, 1),
        ({"type": "run.confirmed"}, 0),
        ({"type": None}, 0),
        ({"type": "step.started", "stepId": "s1"}, 0),
    ],
)
def test_of_events_a_second_beginning_or_end_shows_another_run(told: dict[str, Json], strays: int) -> None:
    """An event that a run may repeat, or that has no type, may just as well be mislabelled (LOG-22)."""
    run = _beside(base("linear"), {"type": "run.confirmed"}, {"runId": "another", **told})
    assert len(parted(run).strays) == strays


@pytest.mark.parametrize(
    ("told", "strays"),
    [
        ({"stepId": "elsewhere"}, 1),  # of a step that the plan does not have
        ({}, 1),  # a call that this run also made
        ({"attempt": 7}, 0),
        ({"callId": "c1"}, 0),  # the call of this run, mislabelled (CALL-03)
        ({"callId": "c1", "stepId": "elsewhere"}, 0),
    ],
)
@pytest.mark.parametrize("name", ["linear", "eventless"])
def test_a_call_shows_another_run_by_what_this_one_cannot_have_made(
    name: str, told: dict[str, Json], strays: int
) -> None:
    """LOG-22: the call is a stray together with its result, in a run with events or without."""
    run = base(name)
    strange: dict[str, Json] = {"runId": "another", "callId": "x1", **told}
    call, result = (replace(each[0], value={**each[0].value, **strange}) for each in (run.calls, run.results))
    found = parted(replace(run, calls=(*run.calls, call), results=(*run.results, result)))
    assert found.strays == ((call, result) if strays else ())


@pytest.mark.many
def test_many_runs_in_one_folder_cost_as_much_as_they_are() -> None:
    """A folder with a run in every line is parted in one pass; comparing each line with all others would take days."""
    run = _beside(base("linear"), *({"runId": f"run-{number}"} for number in range(100_000)))
    found = parted(run)
    assert len(found.strays) == 100_000
    assert found.events == base("linear").events


def test_an_untouched_run_stays_as_it_is() -> None:
    """No record is copied if there is nothing to part."""
    run = base("linear")
    assert parted(run) is run
