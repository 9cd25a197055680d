"""Cancellation: races, and what still reached a tool."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run
from callproof.trace.witnesses import Act, ActKind, Answer, AnswerKind, Deed
from callproof.values.jsontext import Json
from edited_runs import base, content_of, findings, log_of, look, patched, run_record_patched, verdict
from live_runs import aborted, act, arriving, changed, invoked, witnessed

CANCELLED_AT = 1_000  # the arrival of run.cancelled in the base, whose events arrive at 100, 200 and so on
CANCEL = act(ActKind.CANCEL, 990)


def cancelled(*, first: Deed | None = None, acts: tuple[Act, ...] = (CANCEL,), more: tuple[Deed, ...] = ()) -> Run:
    """The cancelled base, live: the search was aborted, the command ran on."""
    run = arriving(base("cancelled"))
    deeds = changed(invoked(run), "c1", aborted("cancelled", 9_000, 1_010))
    late = changed(deeds, "c2", lambda deed: replace(deed, answer=_at(deed.answer, 1_300)))
    return witnessed(run, ((first or late[0]), *late[1:], *more), acts)


def _at(answer: Answer | None, arrival: int) -> Answer | None:
    return replace(answer, arrival=arrival) if answer is not None else None


@pytest.mark.parametrize("requirement", ["CANC-01", "CANC-02", "CANC-03", "CANC-10"])
def test_an_honest_cancellation_is_fine(requirement: str) -> None:
    """The cancellable call was aborted, the other one ran on, and nothing began."""
    assert verdict(cancelled(), requirement) is Verdict.PASS


def test_an_invocation_after_the_cancellation_is_found() -> None:
    """The waiting call reached its tool after run.cancelled (CANC-01)."""
    late = Deed("c3", "vault.readFile", {"path": "Notes/garden.md"}, 40_000, CANCELLED_AT + 5)
    assert findings(cancelled(more=(late,)), "CANC-01") == [
        "vault.readFile was entered for call c3 after run.cancelled"
    ]


def test_an_open_tool_that_was_not_aborted_is_found() -> None:
    """The result says cancelled, and the tool was never told (CANC-02)."""
    run = arriving(base("cancelled"))
    forgotten = replace(invoked(run)[0], answer=None)
    assert findings(cancelled(first=forgotten), "CANC-02") == [
        "vault.searchText was open when the run was cancelled, and was not aborted"
    ]


def test_an_uncancellable_tool_that_was_aborted_is_found() -> None:
    """The command cannot be cancelled, and was told to stop (CANC-03)."""
    run = cancelled()
    assert run.deeds is not None
    deeds = changed(run.deeds, "c2", aborted("cancelled", 7_000, 1_020))
    assert findings(witnessed(arriving(base("cancelled")), deeds, (CANCEL,)), "CANC-03") == [
        "commands.run is not cancellable, and was aborted"
    ]


def test_the_true_result_of_an_uncancellable_tool_is_recorded() -> None:
    """The command returned something else than the result says (CANC-03)."""
    run = cancelled()
    assert run.deeds is not None
    other = Answer(AnswerKind.OUTPUT, {"id": "app:reindex", "executed": False}, None, None, 1.0, 1_300)
    deeds = changed(run.deeds, "c2", lambda deed: replace(deed, answer=other))
    assert len(findings(witnessed(arriving(base("cancelled")), deeds, (CANCEL,)), "CANC-03")) == 1


def test_what_a_cancelled_tool_told_in_time_is_an_effect() -> None:
    """The tool said what it had changed when it was aborted (CANC-04)."""
    observed = {"modified": [{"path": "index.md", "kind": "file"}]}
    word = Answer(AnswerKind.FAILURE, None, {"code": "CANCELLED"}, observed, 1.0, 1_050)
    run = cancelled()
    assert run.deeds is not None
    told = witnessed(arriving(base("cancelled")), changed(run.deeds, "c1", lambda deed: replace(deed, answer=word)))
    assert len(findings(told, "CANC-04")) == 1
    assert not findings(patched(told, "results", 0, {"effects": observed}), "CANC-04")


def test_tools_entered_in_a_run_that_was_cancelled_before_its_approval_are_found() -> None:
    """The suite cancelled and never approved (CANC-06)."""
    assert len(findings(cancelled(acts=(act(ActKind.CANCEL, 210),)), "CANC-06")) == 2
    approved = (act(ActKind.APPROVE, 210, "confirm-cancelled"), CANCEL)
    assert verdict(cancelled(acts=approved), "CANC-06") is Verdict.INCONCLUSIVE


def test_a_second_cancellation_that_adds_a_record_is_found() -> None:
    """After the end nothing is written, however often the suite cancels (CANC-07)."""
    twice = (CANCEL, act(ActKind.CANCEL, 100_001))
    run = cancelled(acts=twice)
    assert verdict(run, "CANC-07") is Verdict.PASS
    more = replace(run, events=(*(run.events or ()), replace((run.events or ())[9], arrival=100_010)))
    assert findings(more, "CANC-07")


def test_a_tool_that_is_entered_after_the_end_is_found() -> None:
    """Nothing arrives after run/finished (CANC-10)."""
    late = Deed("c9", "vault.readFile", {}, 90_000, 100_001)
    assert findings(cancelled(more=(late,)), "CANC-10") == ["vault.readFile was entered after run/finished"]


def test_a_record_that_is_written_after_the_end_is_found() -> None:
    """The suite had asked for nothing more, and the system still wrote a record (CANC-10)."""
    run = cancelled()
    late = replace(run, results=(*run.results, replace(run.results[0], arrival=100_010)))
    assert findings(late, "CANC-10") == ["the result of c1 was written after run/finished"]


def test_a_record_that_the_suite_brought_about_after_the_end_is_for_other_laws() -> None:
    """Records that a late answer or decision causes are judged as that, not as work after the end (CANC-10)."""
    run = cancelled(acts=(CANCEL, act(ActKind.CANCEL, 100_005)))
    late = replace(run, results=(*run.results, replace(run.results[0], arrival=100_010)))
    assert not findings(late, "CANC-10")


def test_a_completion_within_a_second_beat_the_cancellation() -> None:
    """An ok result that ends right at the cancellation is true (CANC-02, B-34)."""
    ok = {"status": "ok", "ok": True, "error": None, "data": {"matches": []}}
    assert not findings(patched(base("cancelled"), "results", 0, ok), "CANC-02")
    late = {**ok, "endedAt": "2026-01-05T09:00:31.002Z"}
    assert len(findings(patched(base("cancelled"), "results", 0, late), "CANC-02")) == 1


def test_both_outcomes_of_a_race_are_found() -> None:
    """The closing event says ok and the result cancelled (CANC-08)."""
    run = patched(base("cancelled"), "events", 10, {"type": "step.finished", "payload": {"status": "ok"}})
    assert findings(run, "CANC-08") == [
        "the event step.finished of c1 reported the status ok of a call that was cancelled"
    ]


@pytest.mark.parametrize("patch", [{"details": {"reason": " "}}, {"details": None}, {"code": "ABORTED"}])
def test_a_sibling_that_was_stopped_in_silence_is_found(patch: dict[str, object]) -> None:
    """Without run.cancelled each cancelled call gives its reason (CANC-09)."""
    assert len(findings(patched(base("stopped"), "results", 1, {"error": patch}), "CANC-09")) == 1


def test_a_waiting_call_that_ends_otherwise_is_found() -> None:
    """A call that never began ends cancelled or skipped, with duration 0 and without effects (CANC-11)."""
    effects = {"created": [{"path": "a.md", "kind": "file"}]}
    run = patched(base("cancelled"), "results", 1, {"status": "error", "error": {"code": "INTERNAL_ERROR"}})
    assert findings(run, "CANC-11") == ['the result of c3 had status "error"']
    assert findings(patched(base("cancelled"), "results", 1, {"effects": effects}), "CANC-11")
    skipped = patched(base("cancelled"), "results", 1, {"status": "skipped", "error": None, "userMessage": "Cancelled"})
    assert not findings(skipped, "CANC-11")


def built_late(*, acts: tuple[Act, ...] = (CANCEL,)) -> Run:
    """The cancelled base, live: the call that was withdrawn was recorded after run.cancelled."""
    run = cancelled(acts=acts)
    late = (replace(each, arrival=CANCELLED_AT + 5) if each.call_id == "c3" else each for each in run.calls)
    return replace(run, calls=tuple(late))


def test_a_call_that_is_built_behind_a_cancellation_is_found() -> None:
    """It was recorded only to be withdrawn, while the system had nothing to do but the cancellation (CANC-11)."""
    assert findings(built_late(), "CANC-11") == ["call c3 was built after run.cancelled, at 2026-01-05T09:00:25.000Z"]
    assert findings(cancelled(), "CANC-11") == []


def test_a_call_may_be_in_the_making_when_a_run_is_cancelled() -> None:
    """Another thread may be building it if time is real, if a hook is asked, or if the suite sent something else."""
    run = built_late()
    assert run.witnessed is not None
    on_real_time = replace(run, witnessed=replace(run.witnessed, virtual_clock=False))
    hooked = replace(run, witnessed=replace(run.witnessed, expectations={"hooks": True}))
    answered = built_late(acts=(replace(CANCEL, at_ms=11_000.0),))
    for each in (on_real_time, hooked, answered):
        assert findings(each, "CANC-11") == []


def test_the_clock_tells_when_a_call_was_built() -> None:
    """Two files may differ by a second, so nobody is blamed within that second (CANC-11, A34)."""
    for moment, found in (("30.900", 0), ("31.100", 1)):
        run = patched(base("cancelled"), "calls", 2, {"createdAt": f"2026-01-05T09:00:{moment}Z"})
        assert len(findings(run, "CANC-11")) == found


def test_a_stop_cancels_nothing_that_cannot_be_cancelled() -> None:
    """Whether a person or a failure ends the run makes no difference to an open call (CANC-03, A86)."""
    run = base("stopped")
    assert not findings(run, "CANC-03")
    assert findings(patched(run, "calls", 1, {"cancellable": False}), "CANC-03")
    waiting = patched(run, "calls", 2, {"cancellable": False})
    assert not findings(waiting, "CANC-03")


def test_a_cancellation_that_came_later_excuses_no_call_that_cannot_be_cancelled() -> None:
    """The failure stopped the call; the person cancelled the run only after that (CANC-03)."""
    run = base("stopped")
    cancelled = replace(run.events_of("run.finished")[0], value={"type": "run.cancelled", "runId": run.run_id})
    later = replace(run, events=(*(run.events or ())[:-1], cancelled, *(run.events or ())[-1:]))
    assert not findings(later, "CANC-03")
    found = findings(patched(later, "calls", 1, {"cancellable": False}), "CANC-03")
    assert found == ["call c2 was open and not cancellable, and ended cancelled"]


@pytest.mark.parametrize(("at", "found"), [("12.500", 0), ("18.000", 2)])
def test_a_cancellation_that_came_later_gives_no_reason(at: str, found: int) -> None:
    """A call that a failure stopped says so, also if somebody cancelled the run some seconds later (CANC-09)."""
    run = base("stopped")
    told: dict[str, Json] = {"type": "run.cancelled", "runId": run.run_id, "timestamp": f"2026-01-05T09:00:{at}Z"}
    cancelled = replace(run.events_of("run.finished")[0], value=told)
    run = replace(run, events=(*(run.events or ())[:-1], cancelled, *(run.events or ())[-1:]))
    assert not findings(run, "CANC-09")
    for line in (1, 2):
        run = patched(run, "results", line, {"error": {"details": None}})
    assert len(findings(run, "CANC-09")) == found


def test_nobody_is_blamed_for_what_stopped_a_call() -> None:
    """The suite is the only user; if it cancelled nothing, no result gives the user as the reason (CANC-09)."""
    run = base("stopped")
    blamed: Json = {"error": {"details": {"reason": "user"}}}
    assert findings(patched(run, "results", 1, blamed), "CANC-09") == []  # a user may cancel a single call
    live = witnessed(patched(run, "results", 1, blamed))
    assert len(findings(live, "CANC-09")) == 1
    assert findings(witnessed(run), "CANC-09") == []
    assert findings(cancelled(), "CANC-09") == []


SIBLING: dict[str, Json] = {
    "status": "cancelled",
    "ok": False,
    "data": None,
    "dataHash": None,
    "error": {"code": "CANCELLED", "message": "Stopped", "details": {"reason": "sibling_failed"}},
}
AT_ONCE: dict[str, Json] = {"endedAt": "2026-01-05T09:00:14.000Z", "durationMs": 0}


def stopped_by_a_sibling(name: str, at: int, closing: int, **told: Json) -> Run:
    """A base run in which one result, and the event that closes its call, say that another call had failed."""
    run = patched(base(name), "results", at, {**SIBLING, **told})
    return patched(run, "events", closing, {"type": "step.failed", "payload": {"status": "cancelled"}})


def never_begun(run: Run, call_id: str) -> Run:
    """The run without the event that says that a call began."""
    kept = (each for each in run.events or () if (each.text("type"), each.call_id) != ("step.started", call_id))
    return replace(run, events=tuple(kept))


@pytest.mark.parametrize(
    "run",
    [
        stopped_by_a_sibling("diamond", 2, 11),
        stopped_by_a_sibling("unconfirmed", 1, 6),
        never_begun(stopped_by_a_sibling("unconfirmed", 1, 6, **AT_ONCE), "c2"),
        patched(base("stopped"), "results", 1, {"endedAt": "2026-01-05T09:00:09.000Z"}),
    ],
    ids=["skip", "nothing-failed", "nothing-failed-and-never-begun", "before-the-failure"],
)
def test_a_sibling_that_stopped_nobody_is_not_the_reason(run: Run) -> None:
    """CANC-09: `sibling_failed` says that a failure had stopped the run by then."""
    assert len(findings(run, "CANC-09")) == 1


def test_an_iteration_beside_one_that_failed_is_not_stopped_if_the_loop_goes_on() -> None:
    """CANC-09: the loop says `skip`, so that the failure of one item stopped no other."""
    failed: Json = {"status": "error", "ok": False, "data": None, "error": {"code": "NOT_FOUND", "message": "No"}}
    run = patched(patched(base("foreach"), "results", 1, failed), "results", 2, SIBLING)
    going_on: dict[str, Json] = {"onError": "skip"}
    for on_error, found in ((going_on, 1), ({"onError": "stop"}, 0)):
        assert run.run_record is not None
        assert run.plan is not None
        steps: Json = [{**each.value, **(on_error if each.foreach is not None else {})} for each in run.plan.steps]
        assert len(findings(run_record_patched(run, {"plan": {"steps": steps}}), "CANC-09")) == found


@pytest.mark.parametrize(("ended", "found"), [("11.100", 0), ("10.990", 1)], ids=["within-a-second", "before"])
def test_a_failure_may_end_a_second_after_the_call_that_it_stopped(ended: str, found: int) -> None:
    """CANC-09, A34: the failure ended at 12.000."""
    run = patched(base("stopped"), "results", 1, {"endedAt": f"2026-01-05T09:00:{ended}Z"})
    assert len(findings(run, "CANC-09")) == found


FAILED: Json = {"status": "error", "error": {"code": "NOT_FOUND", "message": "No"}}


@pytest.mark.parametrize(
    ("records", "at", "patch"),
    [
        ("results", 0, {"endedAt": None}),
        ("results", 0, {"status": "cancelled", "error": {"code": "CANCELLED", "details": {"reason": "user"}}}),
        ("results", 0, {"status": "***", "redacted": ["/status"]}),
        ("results", 3, FAILED),
        ("results", 3, {"userMessage": "Skipped: tool_unavailable"}),
        ("calls", 0, {"argsModifiedBy": "a hook"}),
        ("results", 1, {"error": {"details": {"reason": "sibling failed"}}}),
        ("results", 1, {"redacted": ["/error/details/reason"]}),
    ],
)
def test_what_may_have_failed_may_have_stopped_a_call(records: str, at: int, patch: Json) -> None:
    """CANC-09: a call is not refuted by what nobody knows: when, or whether, something failed, or what a hook did."""
    early = "2026-01-05T09:00:08.500Z"
    run = patched(base("stopped"), "results", 1, {"endedAt": early})
    run = patched(run, "results", 3, {"startedAt": early, "endedAt": early})
    assert len(findings(run, "CANC-09")) == 1
    if records == "results" and at == 0:
        run = patched(run, "results", 0, {"endedAt": early})
    assert findings(patched(run, records, at, patch), "CANC-09") == []


def test_a_call_that_was_withdrawn_for_nothing_has_one_fault() -> None:
    """CANC-09, RES-17, DEP-05: it waited, was withdrawn before the failure or beside it, and says that it failed."""
    early: Json = {"startedAt": "2026-01-05T09:00:10.000Z", "endedAt": "2026-01-05T09:00:10.000Z"}
    assert followed(patched(base("stopped"), "results", 2, early)) == {"RES-17"}
    at_once: dict[str, Json] = {"startedAt": "2026-01-05T09:00:34.200Z", "endedAt": "2026-01-05T09:00:34.200Z"}
    waited = stopped_by_a_sibling("diamond", 2, 11, **at_once, durationMs=0)
    assert followed(never_begun(waited, "c3")) == {"DEP-05"}


def followed(run: Run) -> set[str | None]:
    """The laws from which the findings of CANC-09 follow in a run."""
    found = folded(run, judge(run))["CANC-09"].findings
    return {each.root.requirement if each.root is not None else None for each in found}


def test_a_call_that_lacks_what_it_needs_was_stopped_by_a_failure() -> None:
    """CANC-09, DEP-02: its reason is true, whatever the onError of the failed step, and its status is not."""
    run = patched(base("diamond"), "results", 3, SIBLING)
    assert run.step("d") is not None
    assert findings(run, "CANC-09") == []


def test_a_failure_that_was_tried_again_had_stopped_nothing() -> None:
    """CANC-09, DEP-06: only the last attempt of a call fails for good."""
    run = patched(base("retried"), "results", 3, SIBLING)
    assert len(findings(run, "CANC-09")) == 1


@pytest.mark.parametrize("unread", ["calls", "results", "events"])
def test_a_log_with_a_hole_refutes_no_reason(unread: str) -> None:
    """CANC-09, LOG-21: a line that cannot be read may have told of the failure."""
    files = content_of("unconfirmed")
    lines = str(files["results.jsonl"]).splitlines()
    cancelled = {**json.loads(lines[1]), **SIBLING}
    told = {name: value for name, value in cancelled.items() if value is not None}
    files["results.jsonl"] = f"{lines[0]}\n{json.dumps(told)}\n"
    assert len(findings(log_of(files), "CANC-09")) == 1
    files[f"{unread}.jsonl"] = str(files[f"{unread}.jsonl"]) + "{torn"
    assert findings(log_of(files), "CANC-09") == []


def test_a_cancellation_that_no_record_tells_leaves_the_reason_open() -> None:
    """CANC-09: the suite cancelled the run, so that the call had another reason to end, which the system mistook."""
    run = arriving(stopped_by_a_sibling("unconfirmed", 1, 6))
    assert len(findings(witnessed(run, invoked(run)), "CANC-09")) == 1
    assert findings(witnessed(run, invoked(run), (act(ActKind.CANCEL, 650),)), "CANC-09") == []


def test_what_had_ended_before_the_cancellation_did_not_wait_for_it() -> None:
    """CANC-11: the deadline of a waiting call had passed before the run was cancelled (TIME-12)."""
    run = base("cancelled")
    for second, found in (("28", 0), ("31", 1)):
        stamp: Json = f"2026-01-05T09:00:{second}.000Z"
        late: Json = {"status": "timeout", "startedAt": stamp, "endedAt": stamp, "error": {"code": "TIMEOUT"}}
        assert len(findings(patched(run, "results", 1, late), "CANC-11")) == found


def test_a_call_that_lasted_and_could_not_be_cancelled_is_found_without_events() -> None:
    """CANC-03: a call of nine seconds did not wait (CANC-11), so it was open; a waiting call may end so (B-69)."""
    run = replace(base("cancelled"), events=None)
    assert not findings(run, "CANC-03")
    assert len(findings(patched(run, "calls", 0, {"cancellable": False}), "CANC-03")) == 1
    assert not findings(patched(run, "calls", 2, {"cancellable": False}), "CANC-03")


@pytest.mark.parametrize(
    ("error", "found"),
    [
        ({"code": "VALIDATION_ERROR"}, 0),
        ({"code": "POLICY_DENIED"}, 0),
        ({"code": "INTERNAL_ERROR", "details": {"reason": "hook_failed"}}, 0),
        ({"code": "INTERNAL_ERROR", "details": {"reason": "post_hook_failed"}}, 1),
        ({"code": "NOT_FOUND"}, 1),
    ],
)
def test_what_was_being_decided_about_may_be_refused_all_the_same(error: Json, found: int) -> None:
    """CANC-11, A76: a refusal is true of a call whether the run goes on or not, whoever refused it."""
    run = patched(base("cancelled"), "results", 1, {"status": "error", "error": {"details": None}})
    assert len(findings(patched(run, "results", 1, {"error": error}), "CANC-11")) == found


@pytest.mark.parametrize(("closed", "found"), [(8, 0), (11, 1)], ids=["before", "behind"])
def test_what_was_over_above_the_cancellation_did_not_wait_for_it(closed: int, found: int) -> None:
    """CANC-11: a hook failed half a second before; the lines of the events show it, two clocks do not (A34)."""
    run = base("cancelled")
    stamp: Json = "2026-01-05T09:00:29.500Z"
    failed: Json = {"status": "error", "startedAt": stamp, "endedAt": stamp, "error": {"code": "INTERNAL_ERROR"}}
    run = patched(
        patched(run, "results", 1, failed), "events", 11, {"timestamp": stamp, "payload": {"status": "error"}}
    )
    events = list(run.events or ())
    sources = [each.source for each in events]
    events.insert(closed, events.pop(11))
    ordered = tuple(replace(each, source=source) for each, source in zip(events, sources))
    assert len(findings(replace(run, events=ordered), "CANC-11")) == found


@pytest.mark.parametrize(("marks", "found"), [(["/data/executed"], 0), (["/userMessage"], 1)])
def test_a_true_result_may_hide_a_part_of_itself(marks: list[Json], found: int) -> None:
    """CANC-03: a redacted value does not make it another result (A42)."""
    run = cancelled()
    hidden = patched(run, "results", 3, {"data": {"executed": "***"}, "redacted": marks})
    assert len(findings(hidden, "CANC-03")) == found


@pytest.mark.parametrize(
    ("acts", "reason", "found"),
    [
        ((act(ActKind.APPROVE, 250, "confirm-cancelled"),), "user", 1),
        ((act(ActKind.APPROVE, 250, "confirm-cancelled"), CANCEL), "user", 0),
        ((act(ActKind.APPROVE, 250, "confirm-cancelled"),), "confirmation_expired", 0),
        ((act(ActKind.APPROVE, 250, "confirm-of-another-run"),), "user", 0),
        ((act(ActKind.APPROVE, 1_001, "confirm-cancelled"),), "user", 0),
        ((), "user", 0),
    ],
    ids=["approved", "cancelled", "expired", "approved-elsewhere", "approved-too-late", "unanswered"],
)
def test_a_run_that_was_approved_is_cancelled_by_somebody(acts: tuple[Act, ...], reason: str, found: int) -> None:
    """CANC-05: an unanswered confirmation may end a run by itself, an answered one does not."""
    run = cancelled(acts=acts)
    failing = [each for each in run.results if each.text("status") in ("error", "timeout")]
    assert failing == []
    assert len(findings(patched(run, "events", 9, {"payload": {"reason": reason}}), "CANC-05")) == found


def told_cancelled(*acts: Act, failed_at: int | None = None) -> Run:
    """A base that asks for no confirmation, live: its last call failed, and run.cancelled comes before its end."""
    error: Json = {"status": "error", "ok": False, "data": None, "error": {"code": "NOT_FOUND", "message": "no"}}
    run = patched(arriving(base("unconfirmed")), "results", 1, error)
    end = run.events_of("run.finished")[0]
    place = (run.events or ()).index(end)
    told = replace(end, value={**end.value, "type": "run.cancelled", "payload": {"reason": "user"}})
    events = (*(run.events or ())[:place], told, replace(end, arrival=(end.arrival or 0) + 10))
    results = (each if each.text("status") != "error" else replace(each, arrival=failed_at) for each in run.results)
    return witnessed(replace(run, events=events, results=tuple(results)), acts=acts)


def test_nobody_cancels_a_run_but_who_may() -> None:
    """CANC-05: the suite or a failure before the event explains it; what comes after it explains nothing."""
    assert len(findings(told_cancelled(failed_at=100_000), "CANC-05")) == 1
    assert len(findings(told_cancelled(act(ActKind.CANCEL, 99_999), failed_at=100_000), "CANC-05")) == 1
    assert findings(told_cancelled(act(ActKind.CANCEL, 90), failed_at=100_000), "CANC-05") == []
    assert findings(told_cancelled(act(ActKind.REJECT, 90), failed_at=100_000), "CANC-05") == []
    assert findings(told_cancelled(failed_at=90), "CANC-05") == []
    killed = told_cancelled(act(ActKind.KILL, 99_999), failed_at=100_000)
    assert findings(killed, "CANC-05") == []  # a log that cannot be written may end the run (LOG-15)


def test_an_aborted_call_that_ends_otherwise_is_found() -> None:
    """CANC-02: the tool was told to stop, so its call does not end as a success."""
    ok: Json = {"status": "ok", "ok": True, "error": None, "data": {"matches": []}}
    assert findings(patched(cancelled(), "results", 0, ok), "CANC-02") == [
        "vault.searchText was aborted, and the result of c1 had status ok"
    ]


def test_a_tool_that_ended_before_the_cancellation_was_not_open() -> None:
    """CANC-02, CANC-03: it had answered, its time had run out, or it was entered later, which CANC-01 reports."""
    run = arriving(base("cancelled"))
    deed = invoked(run)[0]
    early = replace(deed, answer=Answer(AnswerKind.OUTPUT, {"matches": []}, None, None, 1.0, CANCELLED_AT - 5))
    dead = aborted("timeout", 5_000, 900)(replace(deed, answer=None))
    late = replace(deed, arrival=CANCELLED_AT + 5, answer=None)
    for each in (early, dead, late):
        assert findings(cancelled(first=each), "CANC-02") == []
    assert findings(cancelled(first=replace(deed, answer=None)), "CANC-02")


@pytest.mark.parametrize(
    ("answer", "patch", "found"),
    [
        (Answer(AnswerKind.FAILURE, None, {"code": "NOT_FOUND"}, None, 1.0, 1_300), {}, 0),
        (Answer(AnswerKind.OUTPUT, {"id": "app:reindex", "executed": True}, None, None, 1.0, 1_300), {}, 0),
        (Answer(AnswerKind.OUTPUT, {"id": "app:reindex", "executed": True}, None, None, 1.0, 9_000), {}, 1),
        (Answer(AnswerKind.OUTPUT, {"id": "other"}, None, None, 1.0, 1_300), {"status": "timeout"}, 0),
        (Answer(AnswerKind.OUTPUT, {"id": "other"}, None, None, 1.0, 1_300), {"error": {"code": "INTERNAL_ERROR"}}, 0),
    ],
    ids=["failed", "as-told", "told-before-it-answered", "timed-out", "against-its-schema"],
)
def test_what_a_tool_that_ran_on_returned_is_its_result(answer: Answer, patch: Json, found: int) -> None:
    """CANC-03: a call that was not aborted has its tool's output; failures, timeouts, bad output have other laws."""
    run = cancelled()
    deeds = changed(run.deeds or (), "c2", lambda deed: replace(deed, answer=answer))
    told = patched(arriving(base("cancelled")), "results", 3, patch)
    assert len(findings(witnessed(told, deeds, (CANCEL,)), "CANC-03")) == found


def test_a_call_that_was_dispatched_after_all_was_not_built_in_vain() -> None:
    """CANC-11, CANC-01: a call that began after the cancellation has one fault: that it began."""
    run = patched(base("cancelled"), "calls", 1, {"createdAt": "2026-01-05T09:00:35.000Z"})
    assert findings(run, "CANC-11") == []


def test_a_tool_may_speak_of_a_user() -> None:
    """CANC-09: the law is about cancelled calls; any other failure has its reason from its tool."""
    run = patched(base("stopped"), "results", 0, {"error": {"details": {"reason": "user"}}})
    assert run.results[0].text("status") == "error"
    assert findings(witnessed(run), "CANC-09") == []


def test_a_run_that_asks_nobody_may_run_until_it_is_cancelled() -> None:
    """CANC-06: if no confirmation is required, tools are entered without one."""
    run = arriving(base("unconfirmed"))
    assert findings(witnessed(run, invoked(run), (act(ActKind.CANCEL, 650),)), "CANC-06") == []


def _written_at(arrival: int, *acts: Act) -> Run:
    """The cancelled base, live, with one more record on the wire."""
    run = cancelled(acts=acts)
    return replace(run, results=(*run.results, replace(run.results[0], arrival=arrival)))


@pytest.mark.parametrize(
    ("arrival", "cancels", "found"),
    [
        (100_010, (990,), 0),
        (100_010, (990, 995), 1),
        (100_010, (100_005,), 1),
        (100_002, (100_005,), 0),
        (99_990, (990, 995), 0),
    ],
    ids=["one-in-time", "a-second-one", "one-too-late", "written-before-it", "before-the-end"],
)
def test_a_useless_cancellation_brings_no_record_about(arrival: int, cancels: tuple[int, ...], found: int) -> None:
    """CANC-07: useless is a second one, or one after the end; CANC-10 reports what was written before it."""
    run = _written_at(arrival, *(act(ActKind.CANCEL, each) for each in cancels))
    assert len(findings(run, "CANC-07")) == found


def test_what_is_written_before_the_suite_speaks_again_is_work_after_the_end() -> None:
    """CANC-10: the first message of the suite after the end excuses what follows it, and nothing before it."""
    words = (CANCEL, act(ActKind.CANCEL, 100_005), act(ActKind.CANCEL, 100_020))
    assert len(findings(_written_at(100_003, *words), "CANC-10")) == 1
    assert findings(_written_at(100_010, *words), "CANC-10") == []


EARLY = {"startedAt": "2026-01-05T09:00:25.500Z", "endedAt": "2026-01-05T09:00:25.500Z"}
# By law, a run in which it was kept in deed, if the suite cancelled it.
UNTOLD = {
    "RETRY-11": patched(base("retried"), "results", 4, {"error": {"retryable": True}}),
    "RETRY-12": patched(base("budget"), "results", 3, {"error": {"code": "INTERNAL_ERROR", "retryable": True}}),
    "DEP-05": base("expired"),
    "DEP-06": patched(base("halted"), "results", 4, EARLY),
    "CONF-08": base("expired"),
    "EVT-18": base("cancelled"),
}


@pytest.mark.parametrize(("law", "run"), UNTOLD.items(), ids=UNTOLD)
def test_a_finding_says_that_a_cancellation_is_told_by_no_record(law: str, run: Run) -> None:
    """The records of a run that was cancelled and does not say so break laws that were kept in deed."""
    told = "the suite cancelled the run at wire:5, which no record tells"
    bare = replace(run, events=tuple(each for each in run.events or () if each.text("type") != "run.cancelled"))
    for acts, is_told in (((act(ActKind.CANCEL, 5),), True), ((), False), ((act(ActKind.CANCEL, 200_000),), False)):
        found = look(witnessed(bare, (), acts), law).findings
        assert found
        assert {told in each.finding.because for each in found} == {is_told}
