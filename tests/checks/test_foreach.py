"""Loops in cases beyond the examples of their chapter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.verdicts import Verdict
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, findings, live, look, output, patched, run_record_patched, verdict
from live_runs import witnessed

COUNTING = ("LOOP-01", "LOOP-10", "LOOP-12")


def without(*indices: int) -> Run:
    """The halted base without any record of some iterations of its loop."""
    run = base("halted")
    gone = {each.call_id for each in (*run.calls, *run.unbuilt) if each.iteration_index in indices}
    return replace(
        run,
        calls=tuple(each for each in run.calls if each.call_id not in gone),
        results=tuple(each for each in run.results if each.call_id not in gone),
        events=tuple(each for each in run.events or () if each.call_id not in gone),
    )


@pytest.mark.parametrize(
    ("indices", "law"), [((), None), ((0,), "LOOP-01"), ((1,), "LOOP-01"), ((2,), "LOOP-10"), ((1, 2), "LOOP-10")]
)
def test_a_missing_iteration_is_a_gap_or_a_cut(indices: tuple[int, ...], law: str | None) -> None:
    """LOOP-01 below the last recorded index, LOOP-10 above it; a skipped record counts (A73)."""
    assert {each for each in COUNTING if findings(without(*indices), each)} == ({law} if law else set())


@pytest.mark.parametrize(
    ("indices", "law", "proof"),
    [
        ((0, 1), "LOOP-01", ["results.jsonl:5"]),
        ((1,), "LOOP-01", ["calls.jsonl:2", "results.jsonl:5"]),
        ((1, 2), "LOOP-10", ["calls.jsonl:2"]),
    ],
)
def test_what_a_gap_lies_between_proves_it(indices: tuple[int, ...], law: str, proof: list[str]) -> None:
    """However wide the gap is; a gap at an end has a record on one side only."""
    (located,) = look(without(*indices), law).findings
    assert [str(each.source) for each in located.finding.witness] == proof


def test_an_item_that_was_dropped_as_equal_is_proved_by_its_equal() -> None:
    """LOOP-12: wherever the equal item stands."""
    run = patched(without(0), "results", 0, {"data": {"rows": ["one", "two", "one"]}})
    skipped = next(each for each in run.unbuilt if each.iteration_index == 2)
    (located,) = look(run, "LOOP-12").findings
    assert [each.source for each in located.finding.witness] == [skipped.source]


def test_a_run_that_may_have_been_cut_short_owes_no_iterations() -> None:
    """Without events nobody knows whether the run finished (B-57)."""
    run = replace(without(2), events=None)
    assert [verdict(run, each) for each in COUNTING] == [Verdict.INCONCLUSIVE] * 3


def test_an_iteration_of_no_item_is_one_too_many_also_in_a_run_that_may_have_been_cut_short() -> None:
    """LOOP-01: it was recorded, however far the run came (B-57)."""
    two = patched(base("halted"), "results", 0, {"data": {"rows": ["one", "two"]}})
    assert any("a record for index 2" in each for each in findings(replace(two, events=None), "LOOP-01"))


def test_what_ended_before_our_eyes_owes_its_iterations_without_events() -> None:
    """LOOP-10: live, the end of the run is a message (B-36)."""
    run = replace(without(2), events=None)
    assert findings(witnessed(run), "LOOP-10") == findings(without(2), "LOOP-10") != []


def test_an_empty_loop_after_a_stop_is_left_out_rightly() -> None:
    """LOOP-06: the reason of its record is then the stop."""
    run = patched(base("halted"), "results", 0, {"data": {"rows": []}})
    assert any("was made for step s2" in each for each in findings(run, "LOOP-06"))
    assert not any("ended skipped" in each for each in findings(run, "LOOP-06"))


@pytest.mark.parametrize("index", [-1, 1.5, "0", None, True])
def test_an_index_is_an_integer_of_at_least_zero(index: object) -> None:
    """LOOP-11."""
    iteration = dict(base("foreach").calls[1].object("iteration") or {}) | {"index": index}
    calls = list(base("foreach").calls)
    calls[1] = replace(calls[1], value={**calls[1].value, "iteration": iteration})
    assert len(findings(replace(base("foreach"), calls=tuple(calls)), "LOOP-11")) == 1


def test_a_source_that_grew_is_no_excuse() -> None:
    """LOOP-07: iterations run over what the source's tool answered."""
    run = base("halted")
    source = deed_of(run.calls[0], output({"rows": ["one", "two", "three"]}))
    assert findings(live(run, (source,)), "LOOP-07") == []
    other = deed_of(run.calls[0], output({"rows": ["one", "2", "three"]}))
    assert len(findings(live(run, (other,)), "LOOP-07")) == 2
    shorter = deed_of(run.calls[0], output({"rows": ["one"]}))
    assert findings(live(run, (shorter,)), "LOOP-07") != []


def test_a_loop_over_elements_is_not_told_as_one_over_nothing() -> None:
    """LOOP-10: neither by an event of its own nor by a skipped result with the reason empty (A81)."""
    run = base("foreach")
    assert findings(run, "LOOP-10") == []
    full = patched(run, "results", 0, {"data": {"items": [{"text": "Alpha", "raw": "- Alpha", "depth": 0}]}})
    bare = replace(full, calls=full.calls[:1], results=(full.results[0], *full.unbuilt))
    steps: Json = [
        dict(each.value) | ({"foreach": {"from": "$steps.s1.items", "itemName": "each"}} if each.id == "s5" else {})
        for each in (run.plan.steps if run.plan else ())
    ]
    told = findings(run_record_patched(bare, {"plan": {"steps": steps}}), "LOOP-10")
    assert told == ["step s5 ran over 1 element and was recorded as a loop over nothing"]


def test_a_loop_id_is_on_all_calls_of_an_expansion_or_on_none() -> None:
    """LOOP-05: a call without it cannot be grouped with the others."""
    run = base("foreach")
    named = next(place for place, each in enumerate(run.calls) if each.text("loopId"))
    assert findings(run, "LOOP-05") == []
    assert len(findings(patched(run, "calls", named, {"loopId": None}), "LOOP-05")) == 1


@pytest.mark.parametrize(
    ("iteration", "requirement"),
    [
        ({"itemName": "other"}, "LOOP-04"),
        ({"itemValue": {"text": "other"}}, "LOOP-03"),
        ({"index": -3}, "LOOP-11"),
        ({"index": 7}, "RES-03"),
    ],
)
def test_a_result_tells_of_its_item_what_its_call_tells(iteration: Json, requirement: str) -> None:
    """Results are read without their calls (RES-03, LOOP-03, LOOP-04, LOOP-11)."""
    run = base("foreach")
    at = next(number for number, each in enumerate(run.results) if _call_of(run, each).has("iteration"))
    own = _call_of(run, run.results[at]).get("iteration")
    told = patched(run, "results", at, {"iteration": own})
    assert not findings(told, requirement)
    assert findings(patched(told, "results", at, {"iteration": iteration}), requirement)


def _call_of(run: Run, result: Record) -> Record:
    return next(each for each in run.calls if each.call_id == result.call_id)


def narrowed(run: Run, concurrency: int | None, at_once: int = 8) -> Run:
    """The base under a wider policy, whose loop asks for this many iterations at once."""
    steps = [dict(each.value) for each in run.plan.steps] if run.plan else []
    for each in steps:
        if isinstance(each.get("foreach"), dict):
            loop = {name: value for name, value in dict(each["foreach"]).items() if name != "concurrency"}
            each["foreach"] = loop if concurrency is None else {**loop, "concurrency": concurrency}
    return run_record_patched(run, {"plan": {"steps": steps}, "policy": {"limits": {"maxConcurrency": at_once}}})


@pytest.mark.parametrize(("concurrency", "found"), [(None, 2), (1, 2), (2, 0), (3, 0)])
def test_a_loop_has_no_more_open_than_it_asks_for(concurrency: int | None, found: int) -> None:
    """LOOP-14: of three iterations the first is open while the others begin, and two at most are open at once."""
    told = findings(narrowed(base("foreach"), concurrency), "LOOP-14")
    assert told == ["an iteration of step s2 began while 1 other of its loop was open"] * found


def test_iterations_are_counted_on_the_wire() -> None:
    """LOOP-14: the tools saw what a log hides; RETRY-08 reports another attempt of the same iteration."""
    run = narrowed(base("foreach"), 1)
    calls = {each.call_id: each for each in run.calls}
    one = deed_of(calls["c2"], output({}, arrival=30), arrival=10)
    beside = deed_of(calls["c3"], output({}, arrival=40), arrival=20)
    after = deed_of(calls["c3"], output({}, arrival=40), arrival=31)
    quiet = replace(run, events=None)
    assert len(findings(live(quiet, (one, beside)), "LOOP-14")) == 1
    assert findings(live(quiet, (one, after)), "LOOP-14") == []
    assert findings(live(quiet, (one, replace(one, arrival=20))), "LOOP-14") == []


def test_without_events_the_stamps_tell_how_many_iterations_were_open() -> None:
    """LOOP-14: stamps that touch are no overlap."""
    eventless = replace(base("foreach"), events=None)
    assert len(findings(narrowed(eventless, 1), "LOOP-14")) == 2
    assert findings(narrowed(eventless, 2), "LOOP-14") == []


def test_the_event_that_gives_the_reason_may_be_the_one_that_a_crash_took() -> None:
    """LOOP-06: the closing event of the empty loop would have given it, but the log broke off (A81, B-57)."""
    run = base("foreach")
    (place,) = (place for place, each in enumerate(run.results) if each.step_id == "s5")
    told = patched(run, "results", place, {"userMessage": "Nothing to do"})
    closing = next(at for at, each in enumerate(told.events or ()) if each.call_id == told.results[place].call_id)
    assert findings(told, "LOOP-06") == []
    silent = patched(told, "events", closing, {"payload": {"reason": None}})
    assert len(findings(silent, "LOOP-06")) == 1
    broken_off = replace(told, events=(told.events or ())[:closing])
    assert findings(broken_off, "LOOP-06") == []


@pytest.mark.parametrize("iteration", [1, "second", [0], True])
def test_what_is_no_object_is_no_iteration(iteration: Json) -> None:
    """It says nothing, so no law finds an index of it wrong (LOOP-02, REF-08)."""
    run = patched(base("foreach"), "calls", 2, {"iteration": iteration})
    assert len(findings(run, "LOOP-02")) == 1
    assert not findings(run, "REF-08")
    assert not findings(run, "LOG-06")


@pytest.mark.parametrize("count", [3, 3.0])
def test_the_item_of_another_iteration_is_known_however_a_number_is_spelt(count: Json) -> None:
    """The value comes from the item of that iteration, whether the log writes 3 or 3.0 beside it (LOOP-13, B-48)."""
    texts = ("Alpha", "Beta", "éAlpha")
    items: list[Json] = [{"text": each, "raw": f"- {each}", "depth": 0} for each in texts]
    run = patched(base("foreach"), "results", 0, {"data": {"items": items, "count": count}})
    held = [each for each in findings(run, "LOOP-13") if "/args/content" in each]
    assert len(held) == 1
    assert not findings(run, "REF-07")


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_call_that_calls_itself_an_iteration_is_still_an_attempt_of_its_step(at: int) -> None:
    """LOOP-02: only the plan makes a loop; else one member would hide every retry, or the outcome of the step."""
    iteration: Json = {"iteration": {"index": 0, "itemName": "item", "itemValue": None}}
    run = patched(base("retried"), "calls", at, iteration)
    assert len(findings(run, "LOOP-02")) == 1
    assert [each for each in ("RETRY-01", "RETRY-11", "RETRY-12", "REF-02") if findings(run, each)] == []
    ruled_out = patched(run, "results", 0, {"error": {"retryable": False}})
    assert len(findings(ruled_out, "RETRY-04")) == 1
    limited = run_record_patched(run, {"policy": {"limits": {"maxAttempts": 1}}})
    assert findings(limited, "RETRY-03") != []


def test_what_a_step_without_a_loop_gave_is_known_though_its_call_calls_itself_an_iteration() -> None:
    """LOG-06: a step that reads from it has to use its value."""
    iteration: Json = {"iteration": {"index": 0, "itemName": "item", "itemValue": None}}
    run = patched(base("linear"), "calls", 0, iteration)
    assert findings(run, "LOG-06") == []
    changed = patched(run, "calls", 1, {"args": {"note": "Of nobody"}})
    assert findings(changed, "LOG-06") == ['call c2 had "Of nobody" at /args/note']


def test_what_stands_in_for_a_secret_is_no_other_item() -> None:
    """LOOP-03, A42: a mark on the item takes it out of the comparison, and one elsewhere does not."""
    run = patched(base("foreach"), "calls", 2, {"iteration": {"itemValue": "***"}})
    assert len(findings(run, "LOOP-03")) == 1
    assert findings(patched(run, "calls", 2, {"redacted": ["/iteration/itemValue"]}), "LOOP-03") == []
    assert len(findings(patched(run, "calls", 2, {"redacted": ["/args/path"]}), "LOOP-03")) == 1


def going_on() -> Run:
    """The halted base whose loop says skip: an iteration failed, and the next one was skipped."""
    run = base("halted")
    steps: list[Json] = [
        dict(each.value) | ({"onError": "skip"} if each.id == "s2" else {})
        for each in (run.plan.steps if run.plan else ())
    ]
    return run_record_patched(run, {"plan": {"steps": steps}})


def test_an_iteration_is_skipped_for_a_failure_only_where_one_failed() -> None:
    """LOOP-08: if no iteration of the loop failed, the skip had another reason."""
    run = going_on()
    assert len(findings(run, "LOOP-08")) == 1
    well: Json = {"status": "ok", "ok": True, "error": None, "data": {}}
    assert findings(patched(run, "results", 3, well), "LOOP-08") == []
    timed_out: Json = {"status": "timeout", "error": {"code": "TIMEOUT"}}
    assert len(findings(patched(run, "results", 3, timed_out), "LOOP-08")) == 1


def test_an_iteration_is_skipped_rightly_where_a_need_of_its_step_failed() -> None:
    """LOOP-08, DEP-02: the step depends on another step as well, which failed."""
    run = going_on()
    steps: list[Json] = [
        dict(each.value) | ({"dependsOn": ["s4"]} if each.id == "s2" else {})
        for each in (run.plan.steps if run.plan else ())
    ]
    steps += [{"id": "s4", "tool": "util.compose", "args": {}, "onError": "skip"}]
    failed = replace(run.results[-1], value={**run.results[-1].value, "callId": "c9", "stepId": "s4"})
    waits = replace(run_record_patched(run, {"plan": {"steps": steps}}), results=(*run.results, failed))
    assert findings(waits, "LOOP-08") == []


def test_an_iteration_may_be_skipped_for_want_of_its_tool() -> None:
    """LOOP-08, DEP-05, A51: a captured log may say so, whatever happened to another iteration."""
    run = patched(going_on(), "results", 4, {"userMessage": "Skipped: tool_unavailable"})
    assert findings(run, "LOOP-08") == []
    assert len(findings(witnessed(run), "LOOP-08")) == 1
