"""The events of a run: hard cases beyond the examples of the chapter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.records import Kind, Source
from callproof.trace.registry import registry_of
from callproof.trace.run import Flaw, FlawKind, Run
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, findings, live, patched, run_record_patched, verdict


def _without(run: Run, *places: int) -> Run:
    assert run.events is not None
    return replace(run, events=tuple(each for at, each in enumerate(run.events) if at not in places))


def test_without_events_the_chapter_is_undecided() -> None:
    """A system may capture no events; nothing about them is then called good (A36)."""
    run = base("eventless")
    chapter = ("EVT-01", "EVT-03", "EVT-06", "EVT-08", "EVT-09", "EVT-11", "EVT-14", "EVT-18", "EVT-21")
    assert {verdict(run, each) for each in chapter} == {Verdict.INCONCLUSIVE}


def test_a_start_on_a_line_that_cannot_be_read_is_not_missing() -> None:
    """The line is at fault, and nobody knows what stood there (EVT-03, LOG-03)."""
    run = _without(base("linear"), 0)
    assert findings(run, "EVT-03") == ["run.started was not recorded"]
    unread = Flaw(FlawKind.NOT_STRICT, Source("events.jsonl", 1), "names a member twice", Kind.EVENT)
    assert not findings(replace(run, flaws=(unread,)), "EVT-03")


def test_a_run_that_was_cut_off_is_not_blamed_for_its_missing_end() -> None:
    """No run.finished means incomplete, and incomplete is no violation (A35)."""
    assert verdict(base("incomplete"), "EVT-04") is Verdict.INCONCLUSIVE
    assert verdict(base("incomplete"), "EVT-08") is Verdict.PASS


def test_a_live_run_that_ended_without_saying_so_is_found() -> None:
    """Live, the suite knows that the run ended, whatever the events say."""
    run = _without(base("unconfirmed"), 7)
    assert findings(live(run), "EVT-04") == ["the run ended without run.finished"]


def test_a_retried_failure_may_be_told_at_any_level() -> None:
    """Another attempt followed, so it was not the final failure (A8, B-37)."""
    assert findings(patched(base("retried"), "events", 5, {"level": "info"}), "EVT-16") == []


def test_a_retry_that_was_due_excuses_a_warning() -> None:
    """A stop cut off the retry that was due: warn is right for a failure that did not seem final (A85)."""
    run = base("retried")
    assert run.events is not None
    cut = replace(run, calls=run.calls[:1], results=run.results[:1], events=run.events[:6])
    assert findings(cut, "EVT-16") == []
    final = patched(cut, "results", 0, {"error": {"retryable": False}})
    assert findings(final, "EVT-16") == ['the event step.failed of c1 had level "warn"']


@pytest.mark.parametrize(("level", "found"), [("error", 0), ("warn", 0), ("info", 1)])
def test_a_cancelled_call_may_be_a_warning(level: str, found: int) -> None:
    """Somebody wanted the call to be cancelled."""
    assert len(findings(patched(base("cancelled"), "events", 10, {"level": level}), "EVT-16")) == found


def test_a_cancel_that_came_too_late_leaves_the_outcome_ok() -> None:
    """Every step ended ok before the cancel took effect: both outcomes are true (B-34)."""
    run = base("unconfirmed")
    assert run.events is not None
    cancel = replace(run.events[6], value={**run.events[6].value, "type": "run.cancelled", "callId": None})
    late = replace(run, events=(*run.events[:7], cancel, run.events[7]))
    assert findings(late, "EVT-18") == []
    assert findings(patched(late, "events", 8, {"payload": {"status": "cancelled"}}), "EVT-18") == []


def test_counts_of_nothing_may_be_told_or_left_out() -> None:
    """A status that no result has counts zero, written or not."""
    run = patched(base("unconfirmed"), "events", 7, {"payload": {"results": {"ok": 2.0, "error": 0}}})
    assert findings(run, "EVT-18") == []
    assert len(findings(patched(run, "events", 7, {"payload": {"results": {"ok": "two"}}}), "EVT-18")) == 1


def test_an_end_without_an_outcome_is_advised_against() -> None:
    """run.finished has to tell its outcome (A74)."""
    assert findings(patched(base("unconfirmed"), "events", 7, {"payload": None}), "EVT-18") == [
        "run.finished had no status"
    ]


def test_progress_before_the_start_is_found() -> None:
    """Only a call that has started can make progress."""
    run = base("foreach")
    assert run.events is not None
    early = replace(run, events=(*run.events[:8], run.events[10], *run.events[8:]))
    assert findings(early, "EVT-12") == ["the event step.progress of c2 was recorded before step.started of the call"]


def test_an_empty_loop_may_be_told_without_a_call() -> None:
    """An empty loop may end with a step.finished that names the step and no call (A81)."""
    run = patched(base("foreach"), "events", 22, {"callId": None})
    assert findings(run, "EVT-13") == []
    assert findings(run, "EVT-21") == []


@pytest.mark.parametrize(("name", "found"), [("c99", 1), ("c1", 0), (5, 1), (None, 0)])
@pytest.mark.parametrize("at", [0, -1])
def test_an_event_of_the_run_names_no_call_that_nobody_recorded(at: int, name: Json, found: int) -> None:
    """If an event of any type names a call, that call is one of the run's (EVT-13)."""
    run = base("linear")
    count = len(run.events or ())
    assert len(findings(patched(run, "events", at % count, {"callId": name}), "EVT-13")) == found


def test_an_event_of_a_call_that_nobody_recorded_is_found_in_a_whole_log_only() -> None:
    """In a log that was cut off, the call's line may be what was lost."""
    whole = patched(base("unconfirmed"), "events", 1, {"callId": "c9"})
    assert len(findings(whole, "EVT-13")) == 1
    assert findings(patched(base("incomplete"), "events", 3, {"callId": "c9"}), "EVT-13") == []


def test_a_start_without_an_invocation_is_found() -> None:
    """The event claims that a tool was entered, and the tool, which the suite hosts, was not (EVT-07)."""
    run = base("unconfirmed")
    assert run.registry is not None
    hosted = replace(run, registry=registry_of([{**each.value, "host": "suite"} for each in run.registry.tools]))
    both = live(hosted, tuple(deed_of(call) for call in run.calls))
    assert findings(both, "EVT-07") == []
    assert len(findings(live(hosted, (deed_of(run.calls[0]),)), "EVT-07")) == 1


def test_a_start_told_after_the_invocation_is_found() -> None:
    """On one wire the event precedes the invocation (EVT-06)."""
    run = base("unconfirmed")
    assert run.events is not None
    wired = replace(run, events=tuple(replace(each, arrival=10 + at) for at, each in enumerate(run.events)))
    assert findings(live(wired, (deed_of(run.calls[0], arrival=13),)), "EVT-06") == []
    assert len(findings(live(wired, (deed_of(run.calls[0], arrival=11),)), "EVT-06")) == 1


def test_a_closing_event_that_arrived_before_its_result_is_found() -> None:
    """Live, arrival settles what timestamps leave open (EVT-10)."""
    run = base("unconfirmed")
    assert run.events is not None
    wired = replace(
        run,
        events=tuple(replace(each, arrival=10 + at) for at, each in enumerate(run.events)),
        results=tuple(replace(each, arrival=14 + 4 * at) for at, each in enumerate(run.results)),
    )
    assert findings(live(wired), "EVT-10") == [
        "the event step.finished of c1 was message 13 on the wire, and the result message 14",
        "the event step.finished of c2 was message 16 on the wire, and the result message 18",
    ]


def test_events_that_were_shown_and_not_logged_are_found() -> None:
    """The wire and the file hold the same sequence (EVT-20)."""
    run = base("unconfirmed")
    assert findings(replace(live(run), audit=run), "EVT-20") == []
    assert findings(replace(live(run), audit=_without(run, 7)), "EVT-20") == ["8 events were shown and 7 were logged"]
    assert len(findings(replace(live(run), audit=patched(run, "events", 3, {"message": "x"})), "EVT-20")) == 1


def test_an_outcome_is_not_doubted_because_of_a_line_that_could_not_be_read() -> None:
    """If the unreadable line may be the only failure, the outcome is not judged (EVT-18)."""
    run = base("unconfirmed")
    unread = Flaw(FlawKind.NOT_STRICT, Source("calls.jsonl", 2), "names the member 'attempt' twice", Kind.CALL)
    lost = replace(run, calls=run.calls[:1], flaws=(unread,))
    assert findings(lost, "EVT-18") == []
    assert findings(lost, "RES-02") == []
    assert findings(lost, "CALL-21") == []
    assert len(findings(replace(lost, flaws=()), "CALL-21")) == 1
    claimed = patched(lost, "events", 7, {"payload": {"status": "cancelled"}})
    assert findings(claimed, "EVT-18") == []
    failed = patched(claimed, "results", 0, {"status": "error"})
    # All results can be read, and so can be counted.
    counted = 'run.finished counted {"ok":2}'
    assert findings(failed, "EVT-18") == ['run.finished had the status "cancelled"', counted]
    assert findings(replace(failed, flaws=(replace(unread, of=None),)), "EVT-18") == []  # it may be run.cancelled


def test_what_a_payload_tells_beside_its_status_is_the_systems_own() -> None:
    """Seed 000 leaves its structure open: a duration may be measured elsewhere, an error be a word (EVT-09, A74)."""
    own: Json = {"durationMs": 1, "attempt": 3, "ok": "well", "error": "none", "effects": 0, "callId": "c9"}
    run = base("linear")
    ends = [at for at, each in enumerate(run.events or ()) if each.text("type") == "step.finished"]
    told = patched(run, "events", ends[0], {"payload": own})
    assert judge(told) == judge(run)


def test_an_end_that_counts_nothing_is_found() -> None:
    """The end tells its outcome and how many results there are of each status (EVT-18, A74)."""
    run = base("unconfirmed")
    at = len(run.events or ()) - 1
    assert findings(patched(run, "events", at, {"payload": {"results": None}}), "EVT-18") == [
        "run.finished counted no results"
    ]


def test_a_denied_tool_that_began_is_found_under_its_alias_too() -> None:
    """The policy names the tool as the registry spells it, and the call names it by an alias (EVT-07, A88)."""
    denied: dict[str, Json] = {"status": "error", "ok": False, "data": None, "error": {"code": "POLICY_DENIED"}}
    run = patched(patched(base("references"), "calls", 0, {"tool": "util.make"}), "results", 0, denied)
    denying = run_record_patched(run, {"policy": {"deniedTools": ["util.compose"]}})
    assert findings(denying, "EVT-07") == [
        "the event step.started of c1 was recorded for a call that was not dispatched"
    ]
    assert findings(run, "EVT-07") == []


def test_events_that_broke_off_owe_the_start_of_what_has_a_result_and_not_its_end() -> None:
    """EVT-14, EVT-21: the start is told before the tool is entered, and so before the result; the end comes after."""
    run = base("retried")
    assert run.events is not None
    lost = replace(run, events=run.events[:2])
    assert findings(lost, "EVT-21") == []
    assert len(findings(lost, "EVT-14")) == sum(
        each.text("status") == "ok" or bool(each.number("durationMs")) for each in run.results
    )
    denied = base("refused")
    assert denied.events is not None
    cut = replace(denied, events=denied.events[:2])
    assert findings(cut, "EVT-21") == []


@pytest.mark.parametrize(
    ("numbers", "found"),
    [((1, 2, 3), 0), ((1, None, 9), 0), ((1, 1, 2), 1), ((7, None, 7), 1), ((3, 2, 1), 2), ((1, "0", 2), 0)],
)
def test_the_numbers_of_events_grow(numbers: tuple[Json, ...], found: int) -> None:
    """EVT-15: seq tells the order over the whole run; numbers may be left out, and so may seq."""
    run = base("unconfirmed")
    for place, number in enumerate(numbers):
        run = patched(run, "events", place + 1, {"seq": number})
    assert len(findings(run, "EVT-15")) == found


def test_the_numbers_of_another_run_are_its_own() -> None:
    """EVT-15: a stray event (LOG-22) has a number of its own run."""
    run = base("unconfirmed")
    for place, number in enumerate((3, 1, 4), start=1):
        run = patched(run, "events", place, {"seq": number})
    assert len(findings(run, "EVT-15")) == 1
    stray = patched(run, "events", 2, {"runId": "another", "callId": None, "stepId": None, "tool": None})
    assert findings(stray, "EVT-15") == []


def test_a_run_that_starts_twice_is_found() -> None:
    """EVT-03: exactly one start, wherever the other one stands."""
    run = base("unconfirmed")
    events = run.events or ()
    twice = replace(run, events=(events[0], events[0], *events[1:]))
    assert findings(twice, "EVT-03") == ["run.started was recorded 2 times"]
    later = replace(run, events=(*events[:4], events[0], *events[4:]))
    assert findings(later, "EVT-03") == ["run.started was recorded 2 times"]


@pytest.mark.parametrize(
    ("error", "number", "found"),
    [
        ({"code": "INTERNAL_ERROR", "retryable": None}, 1, 0),
        ({"code": "NOT_FOUND", "retryable": None}, 1, 1),
        ({"code": "NOT_FOUND", "retryable": True}, 1, 0),
        ({"code": "INTERNAL_ERROR", "retryable": False}, 1, 1),
        ({"code": "POLICY_DENIED", "retryable": True}, 1, 1),
        ({"code": "INTERNAL_ERROR", "retryable": None}, 3, 1),
    ],
    ids=["due", "not-of-itself", "asked-for", "refused", "never", "used-up"],
)
def test_a_failure_may_be_told_lightly_where_another_attempt_was_due(error: Json, number: int, found: int) -> None:
    """EVT-16: a run that was stopped before the attempt that was due was right to warn (A85, A46, A5)."""
    run = base("retried")
    alone = replace(
        run,
        calls=tuple(each for each in run.calls if each.call_id not in ("c2", "c3")),
        results=tuple(each for each in run.results if each.call_id not in ("c2", "c3")),
        events=tuple(each for each in run.events or () if each.call_id not in ("c2", "c3")),
    )
    told = patched(patched(alone, "results", 0, {"error": error}), "calls", 0, {"attempt": number})
    assert len(findings(told, "EVT-16")) == found


def test_the_failure_of_a_call_that_was_never_built_is_final() -> None:
    """EVT-16: without a call nothing can be tried again; EVT-09 reports a failed event of a call that went well."""
    refused: Json = {"error": {"code": "VALIDATION_ERROR"}, "durationMs": 0}
    run = _without(patched(base("diamond"), "results", 1, refused), 8)
    unbuilt = replace(run, calls=tuple(each for each in run.calls if each.call_id != "c2"))
    assert findings(unbuilt, "EVT-16") == []
    assert len(findings(patched(unbuilt, "events", 9, {"level": "warn"}), "EVT-16")) == 1
    well = patched(base("unconfirmed"), "events", 3, {"type": "step.failed"})
    assert findings(well, "EVT-16") == []
    assert len(findings(well, "EVT-09")) == 1


@pytest.mark.parametrize(
    ("cancelled", "status", "found"),
    [(True, "ok", 0), (True, "cancelled", 0), (True, "error", 1), (False, "ok", 0), (False, "cancelled", 1)],
)
def test_a_run_that_went_well_is_cancelled_only_where_it_says_so(cancelled: bool, status: str, found: int) -> None:
    """EVT-18: a cancellation that came too late allows both outcomes (B-34)."""
    run = patched(base("unconfirmed"), "events", 7, {"payload": {"status": status}})
    events = run.events or ()
    told = replace(events[7], value={**events[7].value, "type": "run.cancelled", "payload": {"reason": "user"}})
    late = replace(run, events=(*events[:7], told, events[7])) if cancelled else run
    assert len(findings(late, "EVT-18")) == found


def test_an_event_of_the_run_that_names_a_call_is_held_to_it() -> None:
    """EVT-13: an end that carries the id of a call has to agree with that call."""
    run = patched(base("unconfirmed"), "events", 7, {"callId": "c1", "stepId": "s1"})
    assert findings(run, "EVT-13") == []
    assert len(findings(patched(run, "events", 7, {"stepId": "s2"}), "EVT-13")) == 1


def test_a_tool_may_refuse_args_that_fit_its_schema() -> None:
    """EVT-07: an entered tool may give VALIDATION_ERROR itself; args that break the schema never enter a tool."""
    refused: Json = {"status": "error", "ok": False, "data": None, "error": {"code": "VALIDATION_ERROR"}}
    run = patched(base("unconfirmed"), "results", 0, refused)
    assert findings(run, "EVT-07") == []
    assert len(findings(patched(run, "calls", 0, {"args": {"path": 7}}), "EVT-07")) == 1


def _as(run: Run, at: int, kind: str) -> Run:
    return patched(run, "events", at, {"type": kind, "payload": None})


@pytest.mark.parametrize(("name", "at", "call"), [("timeout", 9, "c3"), ("refused", 9, "c5"), ("rejected", 3, "c1")])
def test_what_never_began_is_closed_once(name: str, at: int, call: str) -> None:
    """EVT-08: a skipped or refused call has no start and one end; EVT-21 reports it if there is no event at all."""
    run = base(name)
    events = run.events or ()
    assert findings(run, "EVT-08") == []
    assert findings(_as(run, at, "step.scheduled"), "EVT-08") == [f"the result of {call} had no closing event"]
    twice = replace(run, events=(*events[: at + 1], *events[at:]))
    assert findings(twice, "EVT-08") == [f"the result of {call} had 2 closing events"]
    silent = replace(run, events=(*events[:at], *events[at + 1 :]))
    assert (findings(silent, "EVT-08"), len(findings(silent, "EVT-21"))) == ([], 1)


def test_what_never_began_may_be_open_where_the_events_broke_off() -> None:
    """EVT-08, B-57: its closing event comes after its result, and may be missing; a second one is too many."""
    scheduled = _as(base("timeout"), 9, "step.scheduled")
    cut = replace(scheduled, events=(scheduled.events or ())[:-1])
    assert findings(cut, "EVT-08") == []
    unread = Flaw(FlawKind.NOT_JSON, Source("events.jsonl", 11), "it breaks off", Kind.EVENT)
    assert findings(replace(scheduled, flaws=(unread,)), "EVT-08") == []  # nobody knows what stood there
    events = base("timeout").events or ()
    assert len(findings(replace(base("timeout"), events=(*events[:10], events[9])), "EVT-08")) == 1


def test_a_loop_over_nothing_may_be_scheduled_under_an_id_and_closed_without_one() -> None:
    """EVT-08, A81: the closing event of an empty loop may have no callId."""
    run = base("foreach")
    events = run.events or ()
    at = next(n for n, each in enumerate(events) if "empty" in str(each.get("payload")))
    scheduled = _as(run, at, "step.scheduled")
    assert len(findings(scheduled, "EVT-08")) == 1
    untied = patched(run, "events", at, {"callId": None})
    both = replace(scheduled, events=(*(scheduled.events or ())[: at + 1], *(untied.events or ())[at:]))
    assert findings(both, "EVT-08") == []


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ({}, []),
        ({"stepId": None, "tool": None}, []),
        ({"tool": None}, []),
        ({"stepId": "s99"}, ['the event step.scheduled had stepId "s99"']),
        ({"stepId": 2, "tool": None}, ["the event step.scheduled had stepId 2"]),
        ({"tool": "vault.delete"}, ['the event step.scheduled had tool "vault.delete"']),
    ],
)
def test_a_loop_is_announced_under_its_step_and_its_tool(changed: dict[str, Json], found: list[str]) -> None:
    """EVT-13: an event without a call names a step of the plan; without the registry nobody knows the aliases."""
    announced: Json = {"callId": None, "stepId": "s2", "tool": "vault.createFile", **changed}
    run = patched(base("foreach"), "events", 6, announced)
    assert (run.events or ())[6].text("type") == "step.scheduled"
    assert findings(run, "EVT-13") == found
    unknown = findings(replace(run, registry=None), "EVT-13")
    assert unknown == [each for each in found if "stepId" in each]
