"""Scheduling in cases beyond the examples of its chapter, and plans that can never work."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run
from callproof.trace.witnesses import Refusal
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, findings, live, output, patched, run_record_patched, verdict

FAULTY: dict[str, Json] = {
    "VAL-05": {"id": "s1", "tool": "util.none", "args": {}},
    "REF-03": {"id": "s1", "tool": "util.slugifyTitle", "args": {"title": "$steps.z.slug"}},
    "REF-23": {"id": "s1", "tool": "util.slugifyTitle", "args": {"title": "$steps.s1.slug"}},
    "REF-26": {"id": "s1", "tool": "util.slugifyTitle", "args": {}, "foreach": {"from": "rows", "itemName": "row"}},
    "DEP-09": {"id": "s1", "tool": "util.slugifyTitle", "args": {}, "dependsOn": ["s1"]},
    "VAL-08": {"id": "", "tool": "util.slugifyTitle", "args": {}},
}


def started(fault: str) -> Run:
    """A live run of a plan that can never work, with nothing recorded yet."""
    run = run_record_patched(base("unconfirmed"), {"plan": {"steps": [FAULTY[fault]]}})
    bare = live(replace(run, calls=(), results=(), events=()))
    assert bare.witnessed is not None
    assert run.registry is not None
    given = replace(bare.witnessed.given, tools=tuple(dict(tool.value) for tool in run.registry.tools))
    return replace(bare, witnessed=replace(bare.witnessed, given=given))


def refused(run: Run) -> Run:
    """The same run, refused."""
    assert run.witnessed is not None
    refusal = Refusal("VALIDATION_ERROR", "no", {}, 2)
    return replace(run, run_record=None, witnessed=replace(run.witnessed, refusal=refusal, finished_arrival=None))


@pytest.mark.parametrize("fault", FAULTY)
def test_a_plan_that_cannot_work_is_refused_or_blamed(fault: str) -> None:
    """A refusal proves the law, an acceptance breaks it."""
    assert verdict(started(fault), fault) is Verdict.FAIL
    assert verdict(refused(started(fault)), fault) is Verdict.PASS


@pytest.mark.parametrize("limit", [0, -1, 1.5, "2", None, True])
def test_an_impossible_limit_refuses_the_run(limit: Json) -> None:
    """DEP-10: below one, no integer, no number."""
    run = base("unconfirmed")
    policy: dict[str, Json] = {"limits": {"maxConcurrency": limit}}
    bare = live(replace(run, calls=(), results=(), events=()))
    assert bare.witnessed is not None
    given = replace(bare.witnessed.given, policy=policy)
    bare = replace(bare, witnessed=replace(bare.witnessed, given=given))
    assert verdict(bare, "DEP-10") is Verdict.FAIL
    assert verdict(refused(bare), "DEP-10") is Verdict.PASS


def test_open_invocations_are_counted_on_the_wire() -> None:
    """DEP-03: what a log hides, the tools saw."""
    run = base("unconfirmed")
    first = deed_of(run.calls[0], output({}, arrival=30), arrival=10)
    beside = deed_of(run.calls[1], output({}, arrival=40), arrival=20)
    after = deed_of(run.calls[1], output({}, arrival=40), arrival=31)
    assert len(findings(live(run, (first, beside)), "DEP-03")) == 1
    assert findings(live(run, (first, after)), "DEP-03") == []


def test_one_call_reaches_its_tool_once() -> None:
    """DEP-07."""
    run = base("unconfirmed")
    once = deed_of(run.calls[0], output({}))
    assert findings(live(run, (once,)), "DEP-07") == []
    assert len(findings(live(run, (once, replace(once, arrival=9))), "DEP-07")) == 1


def test_a_tool_that_no_step_names_is_not_invoked() -> None:
    """DEP-14."""
    run = base("unconfirmed")
    stray = deed_of(run.calls[0], output({}), tool="vault.delete")
    assert len(findings(live(run, (stray,)), "DEP-14")) == 1


def test_a_run_that_never_finishes_is_found() -> None:
    """DEP-12."""
    run = live(base("unconfirmed"))
    assert run.witnessed is not None
    assert verdict(run, "DEP-12") is Verdict.PASS
    assert verdict(replace(run, witnessed=replace(run.witnessed, finished_arrival=None)), "DEP-12") is Verdict.FAIL


def test_a_dependency_without_events_is_judged_by_instants() -> None:
    """DEP-01: beyond the tolerance, the stamps of the results decide (A34)."""
    run = run_record_patched(base("diamond"), {"plan": {"steps": _crossed(base("diamond"))}})
    assert len(findings(replace(run, events=None), "DEP-01")) == 1
    near = patched(replace(run, events=None), "results", 2, {"endedAt": "2026-01-05T09:00:29.900Z"})
    assert findings(near, "DEP-01") == []


def _crossed(run: Run) -> list[Json]:
    steps = [dict(step.value) for step in run.plan.steps] if run.plan else []
    return [step | {"dependsOn": ["a", "c"]} if step["id"] == "b" else step for step in steps]


def test_what_follows_a_stop_is_left_out_rightly() -> None:
    """DEP-05, LOOP-08: only onError skip promises that the others run."""
    assert verdict(base("halted"), "DEP-05") is Verdict.INCONCLUSIVE
    assert verdict(base("stopped"), "DEP-05") is Verdict.INCONCLUSIVE
    assert verdict(base("diamond"), "DEP-05") is Verdict.PASS


def test_an_independent_step_that_was_skipped_is_found() -> None:
    """DEP-05: in the diamond, d no longer depends on b and was skipped all the same."""
    steps = [dict(step.value) for step in base("diamond").plan.steps] if base("diamond").plan else []
    freed: list[Json] = [step | {"dependsOn": ["c"]} if step["id"] == "d" else step for step in steps]
    assert len(findings(run_record_patched(base("diamond"), {"plan": {"steps": freed}}), "DEP-05")) == 1
