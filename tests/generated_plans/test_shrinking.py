"""A failing case is made as small as possible, and stays lawful and failing on the way."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from callproof.adapters.claims import FEATURES
from callproof.generated.cases import case_by
from callproof.generated.lawful import is_lawful
from callproof.generated.reductions import smaller
from callproof.generated.shrinking import made_small
from callproof.generated.styles import styles_for
from callproof.live.behaviours import Reply, echo
from callproof.live.case import Case, Cue, Move
from callproof.trace.plan import Plan
from callproof.trace.witnesses import ActKind

from generated_plans import making

pytestmark = pytest.mark.many

STYLES = tuple(styles_for(FEATURES))
TOOLS = ("t.a", "t.b", "t.c")


def _loops_and_retries(case: Case) -> bool:
    steps = Plan(case.plan).steps
    return any(step.foreach is not None and step.max_attempts > 1 for step in steps)


def _cancels_beside_two_steps(case: Case) -> bool:
    return bool(case.timeline) and len(Plan(case.plan).steps) > 1


def _first(fails: object) -> Case:
    assert callable(fails)
    return next(case for seed in range(999) if fails(case := case_by(Random(seed), STYLES)))


@pytest.mark.parametrize("fails", [_loops_and_retries, _cancels_beside_two_steps])
def test_nothing_is_left_that_could_be_left_out(fails: object) -> None:
    """No part of the small case can be left out, at most two steps are left, and the case is lawful."""
    assert callable(fails)
    small = made_small(_first(fails), fails)
    assert fails(small)
    assert is_lawful(small)
    assert len(Plan(small.plan).steps) <= 2
    assert [path for path, less in smaller(small) if fails(less)] == []


def _cancels_before_the_last_step(case: Case) -> bool:
    """Like a system that needs three calls before a cancellation comes, or two if the first one is slow."""
    slow = all(reply.after_ms > move.after_ms for move in case.timeline for reply in _replies(case))
    return bool(case.timeline) and len(Plan(case.plan).steps) >= (2 if slow else 3)


def _replies(case: Case) -> list[Reply]:
    return [reply for tool in case.tools for reply in tool.behaviour.replies]


def test_a_third_step_that_only_takes_time_is_not_left() -> None:
    """Two steps are enough if the first of them takes the time."""
    at_once = (Move(ActKind.CANCEL, Cue.START),)
    quick = replace(making.STOPPED, timeline=at_once, tools=tuple(making.tool(name, echo()) for name in TOOLS))
    assert _cancels_before_the_last_step(quick)
    small = made_small(quick, _cancels_before_the_last_step)
    assert len(Plan(small.plan).steps) == 2
    assert is_lawful(small)


def test_every_case_that_is_tried_is_lawful() -> None:
    """A system must not be asked for anything that the law leaves open."""
    seen: list[Case] = []

    def fails(case: Case) -> bool:
        seen.append(case)
        return _loops_and_retries(case)

    made_small(_first(_loops_and_retries), fails, most_runs=120)
    assert seen
    assert all(map(is_lawful, seen))


def test_no_more_runs_are_had_than_permitted() -> None:
    """A report must come in bounded time."""
    runs: list[Case] = []

    def fails(case: Case) -> bool:
        runs.append(case)
        return True

    made_small(_first(_loops_and_retries), fails, most_runs=5)
    assert len(runs) == 5
