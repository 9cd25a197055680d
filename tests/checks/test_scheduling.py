"""Scheduling in cases beyond the examples of its chapter, and plans that can never work."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.verdicts import Verdict
from callproof.trace.plan import Plan
from callproof.trace.records import Kind, Record, Source
from callproof.trace.registry import registry_of
from callproof.trace.run import Flaw, FlawKind, Run
from callproof.trace.witnesses import ActKind, Refusal
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object
from edited_runs import (
    base,
    content_of,
    deed_of,
    findings,
    live,
    log_of,
    look,
    output,
    patched,
    run_record_patched,
    verdict,
)
from live_runs import act, witnessed

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


def test_a_plan_with_two_setters_of_one_variable_is_refused() -> None:
    """DEP-13: nobody could say whose value counts."""
    assert [findings(two_setters(name), "DEP-13") == [] for name in ("w", "v")] == [True, False]


def two_setters(name: str) -> Run:
    """A run of two steps that capture variables, of which the second has this name and the first is v."""
    steps: list[Json] = [dict(each.value) for each in (base("unconfirmed").plan or Plan({})).steps]
    captures: list[Json] = [{**dict(each), "captureAs": to} for each, to in zip(steps, ("v", name)) if is_object(each)]
    return run_record_patched(base("unconfirmed"), {"plan": {"steps": captures}})


def asked(run: Run) -> Run:
    """The run, in which the user was asked to confirm its plan."""
    event = Record(Kind.EVENT, {"type": "run.confirmationRequested", "seq": 2}, Source("events.jsonl", 2))
    return replace(run, events=(*(run.events or ()), event))


@pytest.mark.parametrize("fault", FAULTY)
def test_nobody_is_asked_about_a_plan_that_cannot_work(fault: str) -> None:
    """VAL-15: every reason to refuse the run is known before the question."""
    assert findings(started(fault), "VAL-15") == []
    assert findings(asked(started(fault)), "VAL-15") != []


def test_nobody_is_asked_about_a_plan_with_two_setters_or_an_unusable_tool() -> None:
    """VAL-15: both are reasons to refuse the run, known before the question (DEP-13, VAL-09)."""
    assert findings(asked(two_setters("w")), "VAL-15") == []
    assert len(findings(asked(two_setters("v")), "VAL-15")) == 1
    run = base("unconfirmed")
    assert run.registry is not None
    tools = [{**each.value, "inputSchema": {"type": "nonsense"}} for each in run.registry.tools]
    assert findings(asked(run), "VAL-15") == []
    assert findings(asked(replace(run, registry=registry_of(tools))), "VAL-15") != []


@pytest.mark.parametrize("limit", [0, -1, 1.5, "2", [], True])
def test_an_impossible_limit_refuses_the_run(limit: Json) -> None:
    """DEP-10: below one, not an integer, or not a number."""
    run = base("unconfirmed")
    policy: dict[str, Json] = {"limits": {"maxConcurrency": limit}}
    bare = live(replace(run, calls=(), results=(), events=()))
    assert bare.witnessed is not None
    given = replace(bare.witnessed.given, policy=policy)
    bare = replace(bare, witnessed=replace(bare.witnessed, given=given))
    assert verdict(bare, "DEP-10") is Verdict.FAIL
    assert verdict(refused(bare), "DEP-10") is Verdict.PASS


@pytest.mark.parametrize("name", ["maxConcurrency", "maxAttempts", "maxTimeoutMs"])
def test_a_limit_that_is_null_is_absent(name: str) -> None:
    """DEP-10, POL-18, A30, A67: this holds for all three limits; an absent limit is no reason to refuse a run."""
    run = base("unconfirmed")
    assert run.run_record is not None
    policy = {"confirmationsRequired": False, "sandbox": {}, "limits": {name: None}}
    run = replace(run, run_record=replace(run.run_record, value={**run.run_record.value, "policy": policy}))
    for law in ("DEP-10", "POL-18"):
        assert findings(run, law) == []


def test_open_invocations_are_counted_on_the_wire() -> None:
    """DEP-03: the tools saw what a log hides."""
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


def test_a_run_without_a_record_that_never_finishes_is_told_by_its_start() -> None:
    """DEP-12: a finding has a place, also where the system left no record."""
    run = live(base("unconfirmed"))
    assert run.witnessed is not None
    unsaid = replace(run, run_record=None, calls=(), results=(), events=None)
    unended = replace(unsaid, witnessed=replace(run.witnessed, finished_arrival=None))
    (found,) = look(unended, "DEP-12").findings
    assert [each.source for each in found.finding.witness] == [Source("wire", 0)]


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
    """DEP-05: in the diamond, d no longer depends on b, but was still skipped."""
    steps = [dict(step.value) for step in base("diamond").plan.steps] if base("diamond").plan else []
    freed: list[Json] = [step | {"dependsOn": ["c"]} if step["id"] == "d" else step for step in steps]
    assert len(findings(run_record_patched(base("diamond"), {"plan": {"steps": freed}}), "DEP-05")) == 1


def test_without_events_the_stamps_tell_how_many_calls_were_open() -> None:
    """DEP-03: calls that only touch are fine; a call that begins before the last one ended is not."""
    run = run_record_patched(base("eventless"), {"policy": {"limits": {"maxConcurrency": 1}}})
    assert findings(run, "DEP-03") == []
    touching = patched(run, "results", 1, {"startedAt": "2026-01-05T09:00:27.000Z"})
    assert findings(touching, "DEP-03") == []
    early = patched(run, "results", 1, {"startedAt": "2026-01-05T09:00:26.000Z"})
    assert findings(early, "DEP-03") == ["call c2 began while 1 other was open"]
    coarse = patched(early, "results", 0, {"endedAt": "2026-01-05T09:00:27Z"})
    assert findings(coarse, "DEP-03") == []


@pytest.mark.parametrize(
    ("began", "ended", "found"), [(".8Z", ".81Z", 0), (".800Z", ".810Z", 0), (".830Z", ".950Z", 1)]
)
def test_a_call_that_may_have_been_over_was_not_open_beside_the_next_one(began: str, ended: str, found: int) -> None:
    """DEP-03, LOOP-14: a coarse stamp leaves open when a short call began, but it began before its end (A6)."""
    run = run_record_patched(base("eventless"), {"policy": {"limits": {"maxConcurrency": 1}}})
    short = {"startedAt": f"2026-01-05T09:00:27{began}", "endedAt": f"2026-01-05T09:00:27{ended}"}
    following = patched(patched(run, "results", 0, short), "results", 1, {"startedAt": "2026-01-05T09:00:27.820Z"})
    assert len(findings(following, "DEP-03")) == found


def test_a_step_does_not_begin_beside_a_source_that_never_ended() -> None:
    """DEP-01, REF-22: the log broke off while the first call was open, and the second one had begun."""
    run = base("incomplete")
    events = tuple(each for each in run.events or () if each.call_id != "c1" or each.text("type") == "step.started")
    left = replace(run, results=(), events=events)
    assert findings(left, "REF-22") == ["call c2 of step s2 began, and step s1 never ended"]
    for kind in (Kind.RESULT, Kind.EVENT):
        unread = Flaw(FlawKind.TORN, Source("results.jsonl", 1), "the last line is cut off", kind)
        assert findings(replace(left, flaws=(unread,)), "REF-22") == []
    assert findings(replace(left, results=run.results[:1]), "REF-22") == []
    started = next(each for each in events if each.call_id == "c1")
    for closing in ("step.finished", "step.failed"):
        closed = replace(started, value={**started.value, "type": closing})
        assert findings(replace(left, events=(started, closed, *events[1:])), "REF-22") == []
    unbegun = tuple(each for each in events if each.call_id != "c1")
    assert findings(replace(left, events=unbegun), "REF-22") == []


@pytest.mark.parametrize(("type_", "found"), [("run.cancelled", 0), ("run.started", 1)])
def test_a_call_that_was_withdrawn_with_the_run_is_no_step_without_its_dependency(type_: str, found: int) -> None:
    """DEP-02: a call that waited may end cancelled if the run was cancelled, or if nothing had begun at all."""
    run = base("diamond")
    steps: list[Json] = [
        dict(each.value) | ({"dependsOn": ["b"]} if each.id == "c" else {})
        for each in (run.plan.steps if run.plan else ())
    ]
    run = withdrawn_from(run_record_patched(run, {"plan": {"steps": steps}}), 2, "2026-01-05T09:00:36.000Z")
    event = Record(Kind.EVENT, {"type": type_}, Source("events.jsonl", 99))
    assert len(findings(replace(run, events=(*(run.events or ()), event)), "DEP-02")) == found
    nothing = tuple(each for each in run.events or () if each.text("type") != "step.started")
    assert findings(replace(run, events=nothing), "DEP-02") == []


@pytest.mark.parametrize(("hour", "found"), [("08", 1), ("10", 0)], ids=["before-the-calls", "after-them"])
def test_a_step_that_could_not_be_built_stops_the_run_like_any_other(hour: str, found: int) -> None:
    """DEP-04: its onError decides (REF-04)."""
    run = base("refused")
    assert run.plan is not None
    assert findings(run, "DEP-04") == []
    (failed,) = (
        place for place, each in enumerate(run.results) if each.text("status") == "error" and each in run.unbuilt
    )
    step_id = run.results[failed].step_id
    plan = run.plan
    assert plan is not None
    steps: Json = [dict(each.value) | ({"onError": "stop"} if each.id == step_id else {}) for each in plan.steps]
    stopped = run_record_patched(run, {"plan": {"steps": steps}})
    moved = patched(stopped, "results", failed, {"endedAt": f"2026-01-05T{hour}:40:00.000Z"})
    assert len(findings(moved, "DEP-04")) == found


def test_a_step_whose_dependency_failed_is_recorded_as_skipped() -> None:
    """DEP-02: neither as a failure of its own nor as a call that was withdrawn; DEP-05 has no say in it."""
    run = base("diamond")
    (place,) = (place for place, each in enumerate(run.results) if each in run.unbuilt)
    assert findings(run, "DEP-02") == []
    steps: Json = [
        dict(each.value) | ({"args": {"path": "Notes/joined.md", "content": "x"}} if each.id == "d" else {})
        for each in (run.plan.steps if run.plan else ())
    ]
    run = run_record_patched(run, {"plan": {"steps": steps}})
    assert findings(run, "DEP-02") == []
    error: Json = {"status": "error", "error": {"code": "VALIDATION_ERROR", "message": "no"}}
    assert findings(patched(run, "results", place, error), "DEP-02") == [
        "step d, whose dependency had failed, was recorded with status error"
    ]


def test_a_call_that_waits_is_not_withdrawn_for_a_failure_that_is_tried_again() -> None:
    """DEP-06: the read failed and then succeeded, and in between the step that waited was cancelled."""
    run = base("retried")
    last = len(run.results) - 1
    stamp: Json = "2026-01-05T09:00:26.000Z"
    waiting: Json = {
        "status": "cancelled", "data": None, "startedAt": stamp, "endedAt": stamp, "durationMs": 0,
        "error": {"code": "CANCELLED", "message": "no", "details": {"reason": "sibling"}},
    }  # fmt: skip
    call_id = run.results[last].call_id
    events = tuple(each for each in run.events or () if each.call_id != call_id or each.text("type") != "step.started")
    withdrawn = patched(replace(run, events=events), "results", last, waiting)
    assert len(findings(withdrawn, "DEP-06")) == 1
    assert findings(run, "DEP-06") == []


def test_a_call_that_waits_may_be_cancelled_by_the_user_at_any_time() -> None:
    """DEP-06: if the run was cancelled or broke off, there may have been another reason."""
    run = base("retried")
    last = len(run.results) - 1
    stamp: Json = "2026-01-05T09:00:26.000Z"
    waiting: Json = {"status": "cancelled", "data": None, "startedAt": stamp, "endedAt": stamp, "durationMs": 0}
    events = tuple(
        each
        for each in run.events or ()
        if each.call_id != run.results[last].call_id or each.text("type") != "step.started"
    )
    withdrawn = patched(replace(run, events=events), "results", last, waiting)
    assert len(findings(withdrawn, "DEP-06")) == 1
    cancelled = replace(events[-1], value={**events[-1].value, "type": "run.cancelled", "payload": {"reason": "user"}})
    assert findings(replace(withdrawn, events=(*events[:-1], cancelled, events[-1])), "DEP-06") == []
    assert findings(replace(withdrawn, events=events[:-1]), "DEP-06") == []


def test_a_step_that_refers_to_what_failed_may_be_told_as_what_its_reference_came_to() -> None:
    """DEP-02, REF-04: it depends on the search and reads its output; either is a reason."""
    run = base("timeout")
    steps: Json = [
        dict(each.value) | ({"dependsOn": ["s1"]} if each.id == "s3" else {})
        for each in (run.plan.steps if run.plan else ())
    ]
    run = run_record_patched(run, {"plan": {"steps": steps}})
    (place,) = (place for place, each in enumerate(run.results) if each in run.unbuilt)
    error: Json = {"status": "error", "error": {"code": "VALIDATION_ERROR", "message": "no such output"}}
    assert findings(patched(run, "results", place, error), "DEP-02") == []


def test_a_step_that_was_never_built_has_no_call_and_one_result() -> None:
    """DEP-07, A73: two accounts of one step contradict each other."""
    run = base("diamond")
    (skipped,) = run.unbuilt
    again = replace(skipped, value={**skipped.value, "callId": "c9"})
    assert findings(replace(run, results=(*run.results, again)), "DEP-07") == [
        "step d already had a result without a call, and a result with status skipped says that it was not built"
    ]
    other = replace(skipped, value={**skipped.value, "callId": "c9", "stepId": "c", "tool": "vault.readFile"})
    assert findings(replace(run, results=(*run.results, other)), "DEP-07") == [
        "step c was called, and a result with status skipped says that it was not built"
    ]


def test_a_call_is_not_open_beside_itself() -> None:
    """DEP-03: EVT-14 reports a second start of one call."""
    run = base("unconfirmed")
    start = next(each for each in run.events or () if each.text("type") == "step.started")
    twice = replace(
        run, events=tuple(each for its in run.events or () for each in ((its, its) if its is start else (its,)))
    )
    assert findings(twice, "DEP-03") == []
    assert findings(twice, "EVT-14")


def test_a_step_is_not_skipped_for_nothing() -> None:
    """If nothing failed and nobody stopped the run, a step that was approved has to run (DEP-05)."""
    run = base("unconfirmed")
    last = run.calls[-1].call_id
    skipped = replace(
        run,
        calls=tuple(each for each in run.calls if each.call_id != last),
        events=tuple(each for each in run.events or () if each.call_id != last or each.text("type") == "step.finished"),
    )
    changed: Json = {"status": "skipped", "ok": False, "data": None, "durationMs": 0, "effects": None}
    assert findings(patched(skipped, "results", len(run.results) - 1, changed), "DEP-05")


@pytest.mark.parametrize(("status", "found"), [("ok", 1), (None, 1), ("skipped", 0)])
def test_an_event_of_no_call_stands_for_no_single_step(status: Json, found: int) -> None:
    """DEP-08, A81: a step.finished that names no call means an empty loop, not that a step did its work."""
    run = base("diamond")
    (skipped,) = run.unbuilt
    payload: Json = {} if status is None else {"status": status}
    events = tuple(
        replace(each, value={**each.value, "callId": None, "payload": payload})
        if each.call_id == skipped.call_id
        else each
        for each in run.events or ()
    )
    results = tuple(each for each in run.results if each is not skipped)
    assert len(findings(replace(run, results=results, events=events), "DEP-08")) == found


def test_a_call_that_waited_is_not_skipped_for_nothing_either() -> None:
    """Nothing that the first step needs had failed, its call was recorded, but it was skipped (DEP-05)."""
    passed_over: Json = {"status": "skipped", "error": None, "userMessage": "Skipped"}
    run = patched(base("refused"), "results", 0, passed_over)
    assert findings(run, "DEP-05") == ["step s1 was skipped, and nothing that it depends on had failed"]
    assert not findings(patched(run, "calls", 0, {"deadlineAt": "2026-01-05T09:00:20.000Z"}), "DEP-05")
    assert not findings(patched(base("stopped"), "results", 2, passed_over), "DEP-05")


def test_a_step_is_skipped_where_its_tool_is_not_available() -> None:
    """DEP-05, A51: a captured log may say so, with its reason; in a live run the tools are available."""
    unavailable: Json = {"error": {"code": "PRECONDITION_FAILED", "details": {"reason": "tool_unavailable"}}}
    skipped: Json = {"status": "skipped", "ok": False, "data": None, "userMessage": "Left out", "durationMs": 0}
    run = patched(base("unconfirmed"), "results", 1, skipped)
    run = replace(run, calls=run.calls[:1], events=tuple(e for e in run.events or () if e.call_id != "c2"))
    assert findings(run, "DEP-05") == ["step s2 was skipped, and nothing that it depends on had failed"]
    told = patched(run, "results", 1, unavailable)
    assert findings(told, "DEP-05") == []
    assert len(findings(live(told), "DEP-05")) == 1
    assert findings(patched(run, "results", 1, {"error": {"code": "TOOL_UNAVAILABLE"}}), "DEP-05") == []


@pytest.mark.parametrize("status", ["skipped", "cancelled"])
def test_a_call_whose_deadline_came_while_it_waited_is_not_left_out_for_nothing(status: str) -> None:
    """Its deadline closes it without its dispatch (TIME-12); a deadline in the future closes nothing (DEP-05)."""
    left_out: Json = {"status": status, "error": {"code": "CANCELLED", "message": "no"}, "userMessage": "Left out"}
    run = patched(base("refused"), "results", 0, left_out)
    assert len(findings(run, "DEP-05")) == 1
    assert not findings(patched(run, "calls", 0, {"deadlineAt": "2026-01-05T09:00:20.000Z"}), "DEP-05")
    assert len(findings(patched(run, "calls", 0, {"deadlineAt": "2026-01-05T09:00:40.000Z"}), "DEP-05")) == 1


def closed_late(ended: str, began: str) -> Run:
    """The run of two calls in which the first one ended at ``ended``, and is closed after the second began."""
    files = content_of("unconfirmed")
    lines = str(files["events.jsonl"]).splitlines(keepends=True)
    events = [*lines[:3], *lines[4:6], lines[3], *lines[6:]]
    run = log_of({**files, "events.jsonl": "".join(events)})
    run = patched(run, "results", 0, {"endedAt": f"2026-01-05T09:00:{ended}Z"})
    run = patched(run, "results", 1, {"startedAt": f"2026-01-05T09:00:{began}Z"})
    return patched(run, "events", 4, {"timestamp": f"2026-01-05T09:00:{began}Z"})


@pytest.mark.parametrize(
    ("ended", "began", "found"),
    [("13.900", "14.000", 0), ("14.400", "14", 0), ("14", "14.2", 0), ("14.400", "14.100", 1), ("15.400", "14", 1)],
)
def test_a_closing_event_that_is_told_late_is_no_overlap(ended: str, began: str, found: int) -> None:
    """DEP-03, REF-22: the stamps, as exact as they are spelt, show whether the call had ended (B-06, B-67)."""
    run = closed_late(ended, began)
    assert len(findings(run, "DEP-03")) == found
    assert len(findings(run, "REF-22")) == found


def test_a_call_is_dispatched_after_its_start_is_told() -> None:
    """DEP-03: it is open from its dispatch, which its result gives; ``step.started`` may come before (EVT-06)."""
    run = patched(closed_late("14.400", "14.500"), "events", 4, {"timestamp": "2026-01-05T09:00:14.100Z"})
    assert findings(run, "DEP-03") == []


def test_a_call_of_less_than_its_stamps_tell_was_never_certainly_open() -> None:
    """DEP-03: the first call lies within one second, so the second one may have begun before or after it."""
    run = run_record_patched(base("eventless"), {"policy": {"limits": {"maxConcurrency": 1}}})
    stamp = "2026-01-05T09:00:24Z"
    within = patched(run, "results", 0, {"startedAt": stamp, "endedAt": stamp, "durationMs": 300})
    beside = patched(within, "results", 1, {"startedAt": "2026-01-05T09:00:24.600Z"})
    assert findings(beside, "DEP-03") == []


def test_a_failure_that_was_never_built_gives_up_others_as_well() -> None:
    """DEP-06: the step was skipped for that failure, not for the one that was about to be retried (REF-04)."""
    run = base("recovered")
    stamp: Json = "2026-01-05T09:00:26.000Z"
    steps: list[Json] = [dict(each.value) for each in (run.plan.steps if run.plan else ())]
    steps += [{"id": "s3", "tool": "vault.readFile", "args": {"path": "$steps.s4.x"}, "dependsOn": ["s1"]}]
    steps += [{"id": "s4", "tool": "vault.readFile", "args": {"path": "{$vars.v.path}"}}]
    common: dict[str, Json] = {"startedAt": stamp, "endedAt": stamp, "durationMs": 0, "data": None}
    common |= {"ok": False, "tool": "vault.readFile", "attempt": 1}
    given_up = common | {"callId": "x3", "stepId": "s3", "status": "skipped", "userMessage": "Not reached"}
    failed = common | {"callId": "x4", "stepId": "s4", "status": "error"}
    failed["error"] = {"code": "VALIDATION_ERROR", "message": "It leads to nothing"}
    run = run_record_patched(run, {"plan": {"steps": steps}})
    unbuilt = [replace(run.results[0], value=each, source=Source("results.jsonl", 0)) for each in (failed, given_up)]
    assert len(findings(replace(run, results=(unbuilt[1], *run.results)), "DEP-06")) == 1
    no_tool = replace(unbuilt[1], value={**given_up, "userMessage": "Skipped: tool_unavailable"})
    assert findings(replace(run, results=(no_tool, *run.results)), "DEP-06") == []  # a reason of its own (DEP-05)
    assert findings(replace(run, results=(*unbuilt, *run.results)), "DEP-06") == []


@pytest.mark.parametrize(("deadline", "found"), [("09:00:25.000Z", 0), ("09:00:40.000Z", 1)])
def test_a_step_goes_without_a_call_whose_deadline_came_before_another_has_used_its_attempts(
    deadline: str, found: int
) -> None:
    """DEP-06, TIME-12: it was skipped for that call, which waited, not for the one that is to be retried."""
    run = base("recovered")
    stamp: Json = "2026-01-05T09:00:26.000Z"
    steps: list[Json] = [dict(each.value) for each in (run.plan.steps if run.plan else ())]
    steps += [{"id": "s3", "tool": "vault.readFile", "args": {}, "dependsOn": ["s1", "s4"]}]
    steps += [{"id": "s4", "tool": "vault.readFile", "args": {}}]
    run = run_record_patched(run, {"plan": {"steps": steps}})
    own: dict[str, Json] = {"callId": "x4", "stepId": "s4", "deadlineAt": f"2026-01-05T{deadline}"}
    waited = replace(run.calls[0], value={**run.calls[0].value, **own})
    common: dict[str, Json] = {"startedAt": stamp, "endedAt": stamp, "durationMs": 0, "status": "skipped", "ok": False}
    common |= {"tool": "vault.readFile", "attempt": 1, "userMessage": "Left out"}
    ends = [common | {"callId": "x4", "stepId": "s4"}, common | {"callId": "x3", "stepId": "s3"}]
    given_up = [replace(run.results[0], value=each, source=Source("results.jsonl", 0)) for each in ends]
    run = replace(run, calls=(*run.calls, waited), results=(*given_up, *run.results))
    assert len(findings(run, "DEP-06")) == found


def test_a_loop_that_went_without_something_is_not_ok_for_being_empty() -> None:
    """DEP-02, DEP-05: its dependency failed, so it was skipped, and so was the step that waits for it (A81)."""
    run = base("foreach")
    steps: list[Json] = [dict(each.value) for each in (run.plan.steps if run.plan else ())]
    waits: list[Json] = [
        {**each, "dependsOn": ["s3"]} if is_object(each) and each["id"] == "s5" else {**each, "onError": "skip"}
        for each in steps
        if is_object(each)
    ]
    run = run_record_patched(run, {"plan": {"steps": waits}})
    places = {each.step_id: place for place, each in enumerate(run.results)}
    error: Json = {"status": "error", "ok": False, "data": None, "error": {"code": "INTERNAL_ERROR", "message": "no"}}
    skipped: Json = {"status": "skipped", "ok": False, "data": None, "durationMs": 0, "userMessage": "Not reached"}
    run = patched(run, "results", places["s3"], error)
    run = patched(patched(run, "results", places["s5"], skipped), "results", places["s6"], skipped)
    kept = tuple(
        replace(each, value={name: value for name, value in each.value.items() if name != "payload"})
        for each in run.events or ()
        if each.step_id not in ("s5", "s6") or each.text("type") == "step.finished"
    )
    run = replace(run, events=kept, calls=tuple(each for each in run.calls if each.step_id != "s6"))
    assert findings(run, "DEP-05") == []
    assert findings(run, "LOOP-06") == []


def test_a_call_is_not_called_off_for_nothing() -> None:
    """A waiting call was cancelled in a live run in which nobody cancelled and nothing failed (DEP-05)."""
    off: Json = {"status": "cancelled", "ok": False, "data": None, "error": {"code": "CANCELLED", "message": "no"}}
    run = base("unconfirmed")
    events = tuple(each for each in run.events or () if each.call_id != "c2" or each.text("type") != "step.started")
    run = patched(replace(run, events=events), "results", 1, off)
    assert findings(run, "DEP-05") == []  # in a log it may have been the user's wish
    (found,) = findings(witnessed(run), "DEP-05")
    assert found == "call c2 of step s2 was cancelled before its dispatch"
    assert findings(witnessed(run, acts=(act(ActKind.CANCEL, 1),)), "DEP-05") == []


def withdrawn_from(run: Run, place: int, stamp: str) -> Run:
    """The run in which a call waited and was cancelled at a moment."""
    call_id = run.results[place].call_id
    events = tuple(each for each in run.events or () if each.call_id != call_id or each.text("type") != "step.started")
    end: Json = {"status": "cancelled", "data": None, "startedAt": stamp, "endedAt": stamp, "durationMs": 0}
    return patched(replace(run, events=events), "results", place, end)


def test_a_call_whose_deadline_came_while_it_waited_was_withdrawn_for_no_failure() -> None:
    """DEP-06, TIME-12: a failure that is to be tried again has nothing to do with it."""
    run = base("retried")
    last = len(run.results) - 1
    (at,) = (at for at, each in enumerate(run.calls) if each.call_id == run.results[last].call_id)
    run = withdrawn_from(run, last, "2026-01-05T09:00:26.000Z")
    assert len(findings(run, "DEP-06")) == 1
    assert findings(patched(run, "calls", at, {"deadlineAt": "2026-01-05T09:00:26.000Z"}), "DEP-06") == []
    assert len(findings(patched(run, "calls", at, {"deadlineAt": "2026-01-05T09:00:40.000Z"}), "DEP-06")) == 1


def test_a_call_whose_deadline_came_before_its_dependency_failed_may_end_cancelled() -> None:
    """DEP-02, TIME-12: it waited for the search, which had not failed yet, and its own time was over."""
    run = base("diamond")
    steps: list[Json] = [
        dict(each.value) | ({"dependsOn": ["b"]} if each.id == "c" else {})
        for each in (run.plan.steps if run.plan else ())
    ]
    run = withdrawn_from(run_record_patched(run, {"plan": {"steps": steps}}), 2, "2026-01-05T09:00:31.000Z")
    assert findings(run, "DEP-02") == ["step c, whose dependency had failed, was recorded with status cancelled"]
    assert findings(patched(run, "calls", 2, {"deadlineAt": "2026-01-05T09:00:31.000Z"}), "DEP-02") == []
    assert len(findings(patched(run, "calls", 2, {"deadlineAt": "2026-01-05T09:00:40.000Z"}), "DEP-02")) == 1


@pytest.mark.parametrize(("reason", "found"), [("user", False), ("sibling", True)])
def test_a_call_that_a_person_cancelled_was_withdrawn_for_no_failure(reason: str, *, found: bool) -> None:
    """DEP-02, DEP-05, DEP-06, RES-17, CANC-09: a captured log may say so of one call; live, the suite knows better."""
    error: Json = {"error": {"code": "CANCELLED", "message": "no", "details": {"reason": reason}}}
    retried = base("retried")
    last = len(retried.results) - 1
    run = patched(withdrawn_from(retried, last, "2026-01-05T09:00:26.000Z"), "results", last, error)
    assert bool(findings(run, "DEP-06")) is found
    assert findings(live(run), "DEP-06") != []
    diamond = base("diamond")
    steps: list[Json] = [dict(each.value) for each in (diamond.plan.steps if diamond.plan else ())]
    waits: list[Json] = [
        dict(each.value) | ({"dependsOn": ["b"]} if each.id == "c" else {})
        for each in (diamond.plan.steps if diamond.plan else ())
    ]
    for plan, requirement in ((waits, "DEP-02"), (steps, "DEP-05")):
        run = run_record_patched(diamond, {"plan": {"steps": plan}})
        run = patched(withdrawn_from(run, 2, "2026-01-05T09:00:31.000Z"), "results", 2, error)
        assert bool(findings(run, requirement)) is found, requirement
        assert findings(live(run), requirement) != []
        assert bool(findings(run, "RES-17")) is found


def stopped_by_the_first() -> Run:
    """The run of two calls in which the first one failed, and its step says stop."""
    error: Json = {"status": "error", "ok": False, "data": None, "error": {"code": "INTERNAL_ERROR", "message": "no"}}
    return patched(base("unconfirmed"), "results", 0, error)


def test_what_began_after_a_stop_is_known_by_lines_and_acquitted_by_instants() -> None:
    """DEP-04: a start on a later line than the closing event counts, unless its own stamp is before the end."""
    run = stopped_by_the_first()
    assert len(findings(run, "DEP-04")) == 1
    events = run.events or ()
    (at,) = (n for n, each in enumerate(events) if (each.call_id, each.text("type")) == ("c2", "step.started"))
    ended = run.results[0].text("endedAt")
    assert findings(patched(run, "events", at, {"timestamp": "2026-01-05T08:00:00.000Z"}), "DEP-04") == []
    assert len(findings(patched(run, "events", at, {"timestamp": ended}), "DEP-04")) == 1
    assert len(findings(patched(run, "events", at, {"timestamp": None}), "DEP-04")) == 1


@pytest.mark.parametrize(("began", "found"), [("14.900", 0), ("15.100", 1)])
def test_without_events_what_began_after_a_stop_is_known_by_more_than_a_second(began: str, found: int) -> None:
    """DEP-04, A34: the stamps of two calls have the same tolerance as those of two files."""
    run = replace(stopped_by_the_first(), events=None)
    run = patched(run, "results", 0, {"endedAt": "2026-01-05T09:00:14.000Z"})
    assert len(findings(patched(run, "results", 1, {"startedAt": f"2026-01-05T09:00:{began}Z"}), "DEP-04")) == found


@pytest.mark.parametrize(("arrival", "found"), [(19, 0), (21, 1)])
def test_on_one_wire_what_began_after_a_stop_came_after_its_result(arrival: int, found: int) -> None:
    """DEP-04: whatever lines and stamps say."""
    run = stopped_by_the_first()
    told = replace(run, results=(replace(run.results[0], arrival=20), *run.results[1:]))
    deed = deed_of(run.calls[1], output({}, arrival=30), arrival=arrival)
    assert len(findings(live(told, (deed,)), "DEP-04")) == found


@pytest.mark.parametrize("mark", ["/error", "/error/details", "/error/details/reason"])
def test_a_reason_to_skip_that_is_hidden_may_be_any(mark: str) -> None:
    """DEP-05: where the reason is marked, the tool may not have been there (LOG-17, B-30)."""
    error: Json = {"code": "PRECONDITION_FAILED", "message": "***", "details": {"reason": "***"}, "retryable": None}
    passed_over: Json = {"status": "skipped", "error": error, "userMessage": None}
    run = patched(base("refused"), "results", 0, passed_over)
    assert findings(run, "DEP-05")
    assert findings(patched(run, "results", 0, {"redacted": [mark]}), "DEP-05") == []
    assert findings(patched(run, "results", 0, {"redacted": ["/error/message"]}), "DEP-05")
