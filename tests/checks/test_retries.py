"""Retries: what hosted tools saw of the attempts, and which failures have to be retried."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, Answer, AnswerKind, Deed
from callproof.values.jsontext import Json
from edited_runs import base, findings, look, output, patched, run_record_patched, verdict
from live_runs import aborted, act, arriving, changed, invoked, witnessed

RETRIED = ("RETRY-03", "RETRY-04", "RETRY-05", "RETRY-11", "RETRY-18")


def retried() -> Run:
    """The retried base, live, with an invocation for every attempt."""
    run = arriving(base("retried"))
    return witnessed(run, invoked(run))


@pytest.mark.parametrize("requirement", RETRIED)
def test_honest_attempts_are_fine(requirement: str) -> None:
    """Attempts within the limit, after retryable failures, with their backoff."""
    assert verdict(retried(), requirement) is Verdict.PASS


def test_more_invocations_than_the_limit_are_found() -> None:
    """A tool that was entered a fourth time under a recorded call is a fourth attempt (RETRY-03)."""
    run = arriving(base("retried"))
    deeds = invoked(run)
    more = witnessed(run, (*deeds, replace(deeds[2], arrival=5_000)))
    assert findings(more, "RETRY-03") == ["vault.readFile was entered 4 times for s1"]


@pytest.mark.parametrize("most", [0, -1, -5])
def test_a_limit_of_none_at_all_is_passed_by_one_attempt(most: int) -> None:
    """The finding counts it as one attempt, and shows it (RETRY-03)."""
    run = run_record_patched(base("retried"), {"policy": {"limits": {"maxAttempts": most}}})
    assert findings(run, "RETRY-03") == ["s1 was attempted 3 times", "s3 was attempted 1 time"]
    proofs = [[proof.source.line for proof in each.finding.witness] for each in look(run, "RETRY-03").findings]
    assert proofs == [[1, 2], [5]]


def test_an_invocation_after_retryable_false_is_found() -> None:
    """The log may hide what the tool said; the deeds show it (RETRY-04)."""
    run = arriving(base("retried"))
    said: dict[str, Json] = {"code": "INTERNAL_ERROR", "message": "no", "retryable": False}
    deeds = changed(
        invoked(run), "c1", lambda deed: replace(deed, answer=Answer(AnswerKind.FAILURE, None, said, None, 1, 506))
    )
    assert findings(witnessed(run, deeds), "RETRY-04") == [
        "vault.readFile was entered again for s1 after it had answered retryable false"
    ]


@pytest.mark.parametrize(("arrival", "found"), [(550, 0), (700, 1)])
def test_a_word_that_came_after_the_next_attempt_had_begun_rules_nothing_out(arrival: int, found: int) -> None:
    """The result was a timeout, and the aborted tool answered too late (RETRY-04, RES-20)."""
    run = patched(arriving(base("retried")), "results", 0, {"status": "timeout", "error": {"code": "TIMEOUT"}})
    said: dict[str, Json] = {"code": "INTERNAL_ERROR", "message": "no", "retryable": False}
    told = Answer(AnswerKind.FAILURE, None, said, None, 4_100, 10_000)
    deeds = changed(invoked(run), "c1", lambda deed: replace(aborted("timeout", 4_000, arrival)(deed), answer=told))
    assert findings(witnessed(run, deeds), "RETRY-04") == []
    in_time = changed(deeds, "c1", lambda deed: replace(deed, answer=replace(told, arrival=580)))
    assert len(findings(witnessed(run, in_time), "RETRY-04")) == found


@pytest.mark.parametrize(("arrival", "found"), [(589, 1), (591, 0)])
def test_a_word_that_came_after_the_result_rules_nothing_out(arrival: int, found: int) -> None:
    """RETRY-04, RES-20: the tool cannot be aborted, its call was given up at its limit, and then it answered."""
    run = patched(arriving(base("retried")), "results", 0, {"status": "timeout", "error": {"code": "TIMEOUT"}})
    said: dict[str, Json] = {"code": "INTERNAL_ERROR", "message": "no", "retryable": False}
    told = Answer(AnswerKind.FAILURE, None, said, None, 4_100, arrival)
    deeds = changed(invoked(run), "c1", lambda deed: replace(deed, answer=told))
    assert len(findings(witnessed(run, deeds), "RETRY-04")) == found


def test_an_invocation_after_success_is_found() -> None:
    """RETRY-05: the tool returned, its output was taken, and it was entered again."""
    run = arriving(base("retried"))
    well: Json = {"status": "ok", "ok": True, "error": None, "data": {"content": "x"}}
    deeds = changed(invoked(run), "c1", lambda deed: replace(deed, answer=output({"content": "x"}, arrival=506)))
    again = "vault.readFile was entered again for s1 after it had returned"
    assert again not in findings(witnessed(run, deeds), "RETRY-05")
    assert again in findings(witnessed(patched(run, "results", 0, well), deeds), "RETRY-05")


def test_output_that_its_schema_refuses_is_no_success() -> None:
    """The output came in time and ended as an error; another attempt breaks RETRY-04, not RETRY-05 (A16)."""
    run = arriving(base("retried"))
    refused: Json = {"code": "INTERNAL_ERROR", "retryable": False, "details": {"reason": "output_schema"}}
    run = patched(run, "results", 0, {"error": refused})
    deeds = changed(invoked(run), "c1", lambda deed: replace(deed, answer=output({"content": 7}, arrival=506)))
    assert findings(witnessed(run, deeds), "RETRY-05") == []
    assert findings(run, "RETRY-04") == ["s1 was attempted again after retryable false"]


def test_a_backoff_cut_short_is_found() -> None:
    """The plan asks for two seconds, and the tool was entered again after one (RETRY-18)."""
    run = arriving(base("retried"))
    deeds = invoked(run, at_ms=lambda place: place * 2_000.0)
    assert findings(witnessed(run, deeds), "RETRY-18")[0] == (
        "s1 was attempted again 1000 ms after its last attempt had ended"
    )


def test_a_backoff_after_a_timeout_counts_from_the_abort() -> None:
    """The attempt was over when it was aborted, whenever its tool answered (RETRY-18, A58)."""
    run = arriving(base("recovered"))
    deeds = changed(invoked(run, at_ms=lambda place: place * 6_000.0), "c3", aborted("timeout", 4_000, 1_300))
    assert not findings(witnessed(run, deeds), "RETRY-18")


def test_a_backoff_after_a_deadline_counts_from_the_end_of_the_attempt() -> None:
    """The tool cannot be cancelled, so it was not aborted; it answered long after its call was over (RETRY-18, A27)."""
    run = arriving(base("recovered"))
    run = patched(run, "calls", 2, {"deadlineAt": "2026-01-05T09:00:32.500Z"})
    run = patched(run, "results", 2, {"startedAt": "2026-01-05T09:00:32.000Z", "endedAt": "2026-01-05T09:00:32.500Z"})
    run = patched(run, "results", 2, {"durationMs": 500})
    late = Answer(AnswerKind.OUTPUT, {}, None, None, 15_900, 1_500)
    deeds = changed(invoked(run, at_ms=lambda place: place * 6_000.0), "c3", lambda deed: replace(deed, answer=late))
    assert not findings(witnessed(run, deeds), "RETRY-18")
    soon = changed(deeds, "c4", lambda deed: replace(deed, at_ms=12_600))
    assert findings(witnessed(run, soon), "RETRY-18") == [
        "s2 was attempted again 100 ms after its last attempt had ended"
    ]


def test_a_timeout_that_the_first_attempt_used_up_is_found() -> None:
    """The second attempt was aborted after one of its four seconds (RETRY-13)."""
    run = arriving(base("recovered"))
    deeds = changed(invoked(run), "c4", aborted("timeout", 1_000, 1_600))
    assert findings(witnessed(run, deeds), "RETRY-13") == ["attempt 2 of s2 was aborted after 1000 ms"]


def test_a_late_answer_that_closes_the_next_attempt_is_found() -> None:
    """The data of the second attempt is what the first one answered after its abort (RETRY-14)."""
    run = arriving(base("recovered"))
    data = run.results[3].get("data")
    late = Answer(AnswerKind.OUTPUT, data, None, None, 50_000, 1_450)
    own = Answer(AnswerKind.OUTPUT, {"path": "other"}, None, None, 50_000, 1_460)
    deeds = changed(invoked(run), "c3", lambda deed: replace(aborted("timeout", 4_000, 1_300)(deed), answer=late))
    assert not findings(witnessed(run, deeds), "RETRY-14")
    deeds = changed(deeds, "c4", lambda deed: replace(deed, answer=own))
    told = witnessed(run, deeds)
    assert findings(told, "RETRY-14") == ["attempt 2 of s2 was closed with the answer to an earlier attempt"]
    (mixed_up,) = folded(told, judge(told))["RES-23"].findings
    assert mixed_up.root is not None
    assert mixed_up.root.requirement == "RETRY-14"


def test_a_tool_that_asks_for_another_attempt_and_gets_none_is_found() -> None:
    """The tool said retryable true below the limit, whatever the log says (RETRY-11)."""
    run = arriving(base("retried"))
    said: dict[str, Json] = {"code": "NOT_FOUND", "message": "not yet", "retryable": True}
    deeds = changed(
        invoked(run), "c5", lambda deed: replace(deed, answer=Answer(AnswerKind.FAILURE, None, said, None, 1, 1_706))
    )
    assert findings(witnessed(run, deeds), "RETRY-11") == [
        'vault.readFile answered "NOT_FOUND" with retryable true, and s3 was given up'
    ]


def test_who_records_no_events_is_not_blamed_for_a_cancelled_retry() -> None:
    """Without events only the suite's acts show whether the run was cancelled; a log alone does not (B-36)."""
    run = arriving(base("retried"))
    cut = {each.call_id for each in run.calls if each.text("stepId") == "s1" and each.integer("attempt") != 1}
    kept = replace(
        run,
        calls=tuple(each for each in run.calls if each.call_id not in cut),
        results=tuple(each for each in run.results if each.call_id not in cut),
    )
    deeds = tuple(each for each in invoked(kept) if each.call_id not in cut)
    silent = replace(kept, events=None)
    assert findings(witnessed(silent, deeds), "RETRY-11")
    assert not findings(witnessed(silent, deeds, (act(ActKind.CANCEL, 900),)), "RETRY-11")
    assert not findings(silent, "RETRY-11")


def test_an_attempt_that_the_policy_denied_was_made() -> None:
    """After a hook blocked the second attempt, or failed, no third is due; otherwise it is (RETRY-11)."""
    run = arriving(run_record_patched(base("recovered"), {"plan": {"defaults": {"retry": {"maxAttempts": 3}}}}))
    said: dict[str, Json] = {"code": "INTERNAL_ERROR", "message": "again", "retryable": True}
    in_time = (run.results[0].arrival or 0) - 1
    deeds = changed(
        invoked(run), "c1", lambda deed: replace(deed, answer=Answer(AnswerKind.FAILURE, None, said, None, 1, in_time))
    )
    began = tuple(each for each in run.events or () if (each.call_id, each.text("type")) != ("c2", "step.started"))
    failed: Json = {"code": "INTERNAL_ERROR", "message": "no", "details": {"reason": "hook_failed"}}
    for error, due in (({"code": "POLICY_DENIED"}, False), (failed, False), ({"code": "INTERNAL_ERROR"}, True)):
        ended: dict[str, Json] = {"status": "error", "ok": False, "data": None, "error": error}
        held = replace(patched(run, "results", 1, ended), events=began)
        live = witnessed(held, tuple(deed for deed in deeds if deed.call_id != "c2"))
        assert bool(findings(live, "RETRY-11")) is due


@pytest.mark.parametrize(("reason", "due"), [("hook_failed", False), ("something else", True)])
def test_an_attempt_whose_hook_failed_was_made(*, reason: str, due: bool) -> None:
    """It never reached the tool, but counts as one of two attempts; the second may be given up (RETRY-11)."""
    run = arriving(base("recovered"))
    again: dict[str, Json] = {"code": "INTERNAL_ERROR", "message": "again", "retryable": True}
    ended: dict[str, Json] = {"status": "error", "ok": False, "data": None}
    first: dict[str, Json] = {**ended, "error": {**again, "details": {"reason": reason}}}
    held = patched(patched(run, "results", 1, {**ended, "error": again}), "results", 0, first)
    in_time = min(each.arrival or 0 for each in run.results) - 1
    answer = Answer(AnswerKind.FAILURE, None, again, None, 1, in_time)
    began = tuple(each for each in run.events or () if (each.call_id, each.text("type")) != ("c1", "step.started"))
    live = witnessed(
        replace(held, events=began),
        tuple(replace(each, answer=answer) for each in invoked(run) if each.call_id == "c2"),
    )
    assert bool(findings(live, "RETRY-11")) is due


@pytest.mark.parametrize(
    ("error", "due"),
    [
        ({"code": "INTERNAL_ERROR", "retryable": None}, True),
        ({"code": "INTERNAL_ERROR", "retryable": None, "details": {"reason": "hook_failed"}}, False),
        ({"code": "INTERNAL_ERROR", "retryable": True, "details": {"reason": "hook_failed"}}, True),
        ({"code": "ACME.BUSY", "retryable": None}, True),
        ({"code": "NOT_FOUND", "retryable": None}, False),
        ({"code": "CONFLICT", "retryable": None}, False),
        ({"code": "CONFLICT", "retryable": True}, True),
        ({"code": "INTERNAL_ERROR", "retryable": False}, False),
        ({"code": "VALIDATION_ERROR", "retryable": True}, False),
        ({"code": "POLICY_DENIED", "retryable": True}, False),
        ({"code": "INTERNAL_ERROR", "retryable": None, "details": {"reason": "output_schema"}}, False),
    ],
)
def test_which_failures_are_due_for_a_retry(error: dict[str, Json], due: bool) -> None:
    """A5, A16, A46 and A66 decide (RETRY-11, B-63)."""
    run = patched(base("retried"), "results", 4, {"error": error})
    assert bool(findings(run, "RETRY-11")) is due


def test_a_stop_elsewhere_excuses_a_missing_retry() -> None:
    """After another step stopped the run, no attempt is due (B-27)."""
    run = patched(base("retried"), "results", 4, {"error": {"retryable": True}})
    stopped = patched(run, "results", 3, {"status": "error", "ok": False, "data": None, "error": {"code": "CONFLICT"}})
    assert findings(run, "RETRY-11")
    assert not findings(stopped, "RETRY-11")


def test_a_stop_by_a_call_that_was_never_built_excuses_a_missing_retry_too() -> None:
    """A reference that leads to nothing fails its step without a call, and may stop the run as well (REF-04, A2)."""
    run = patched(base("retried"), "results", 4, {"error": {"retryable": True}})
    missing: dict[str, Json] = {"code": "VALIDATION_ERROR", "message": "$steps.s1.missing leads to nothing"}
    failed = patched(run, "results", 3, {"status": "error", "ok": False, "data": None, "error": missing})
    unbuilt = replace(failed, calls=tuple(each for each in failed.calls if each.step_id != "s2"))
    assert findings(replace(run, calls=unbuilt.calls), "RETRY-11")
    assert not findings(unbuilt, "RETRY-11")


def test_attempts_that_touch_do_not_overlap() -> None:
    """The end of one attempt may be the beginning of the next (RETRY-08, B-61)."""
    run = patched(base("retried"), "results", 0, {"endedAt": "2026-01-05T09:00:29.000Z"})
    assert not findings(run, "RETRY-08")
    assert findings(patched(base("retried"), "results", 0, {"endedAt": "2026-01-05T09:00:29.002Z"}), "RETRY-08")


def test_what_the_executor_adds_is_no_difference() -> None:
    """requestId and note may differ from attempt to attempt (RETRY-09, A47)."""
    run = patched(base("retried"), "calls", 1, {"args": {"requestId": "r2", "note": "again"}})
    assert not findings(run, "RETRY-09")
    guarded = patched(base("retried"), "calls", 1, {"args": {"expectedEtag": "e"}})
    assert set(findings(guarded, "RETRY-09")) == {"an attempt of s1 had other args at /expectedEtag"}


@pytest.mark.parametrize(
    ("mark", "found"),
    [
        ({"argsModifiedBy": "a-hook"}, False),
        ({"argsModifiedBy": {"members": ["/as"]}}, False),
        ({"argsModifiedBy": {"members": ["/path"]}}, True),
        ({"redacted": ["/args/as"]}, False),
        ({"redacted": ["/args/path", "/preview"]}, True),
    ],
)
def test_a_mark_excuses_the_arguments_that_it_names(mark: dict[str, Json], *, found: bool) -> None:
    """A hook that changed one member explains nothing about another (RETRY-09, A42, A49)."""
    run = patched(base("retried"), "calls", 1, {"args": {"as": "base64"}, "argsHash": None, **mark})
    assert set(findings(run, "RETRY-09")) == ({"an attempt of s1 had other args at /as"} if found else set())


def test_a_retry_of_the_step_is_the_plans_word() -> None:
    """A retry on the step permits a blind second write, one in the defaults does not (RETRY-15, A66)."""
    run = patched(base("recovered"), "results", 2, {"effects": None})
    assert findings(run, "RETRY-15") == ["s2 was attempted again after a timeout with unknown effects"]
    assert run.plan is not None
    steps: list[Json] = [{**step.value, "retry": {"maxAttempts": 2}} for step in run.plan.steps]
    assert not findings(run_record_patched(run, {"plan": {"steps": steps}}), "RETRY-15")
    guarded = patched(run, "calls", 2, {"args": {"expectedEtag": "etag-journal-0"}})
    assert not findings(guarded, "RETRY-15")


def test_a_dry_run_needs_no_guard() -> None:
    """It changes nothing, however often it is attempted (RETRY-15, POL-11)."""
    run = patched(base("recovered"), "results", 2, {"effects": None})
    assert findings(patched(run, "calls", 2, {"args": {"dryRun": False}}), "RETRY-15")
    assert findings(patched(run, "calls", 2, {"args": {"dryRun": True}}), "RETRY-15") == []


def test_a_run_that_was_cancelled_after_its_last_attempt_is_no_failure_of_it() -> None:
    """All its steps ended ok, and the cancellation that came too late for them is its outcome (RETRY-10, B-34)."""
    run = base("recovered")
    *before, end = run.events or ()
    told = replace(end, value={**end.value, "payload": {**(end.object("payload") or {}), "status": "cancelled"}})
    assert findings(replace(run, events=(*before, told)), "RETRY-10")
    cancelled = replace(end, value={**end.value, "type": "run.cancelled", "payload": {"reason": "user"}})
    assert findings(replace(run, events=(*before, cancelled, told)), "RETRY-10") == []


def test_clamping_may_be_told_at_the_start_or_in_the_run_record() -> None:
    """run.started or run.json may say it instead of step.scheduled (RETRY-17, A74)."""
    silent = patched(base("retried"), "events", 3, {"payload": None})
    assert findings(silent, "RETRY-17") == ["the attempts of s1 were clamped from 4 to 3 in silence"]
    assert not findings(patched(silent, "events", 0, {"payload": {"clamped": {"maxAttempts": 3}}}), "RETRY-17")
    assert not findings(run_record_patched(silent, {"clamped": [{"steps": ["s1"]}]}), "RETRY-17")


def test_a_failure_is_tried_again_whatever_it_would_have_stopped() -> None:
    """Siblings that were cancelled because of it are no reason to give it up (RETRY-11)."""
    plan = base("stopped").plan
    assert plan is not None
    steps = [{**each.value, **({"retry": {"maxAttempts": 3}} if each.id == "s1" else {})} for each in plan.steps]
    again: Json = {"error": {"retryable": True}}
    due = run_record_patched(patched(base("stopped"), "results", 0, again), {"plan": {"steps": steps}})
    assert findings(due, "RETRY-11")
    sooner: Json = {"endedAt": "2026-01-05T09:00:10.000Z"}
    assert not findings(patched(due, "results", 1, sooner), "RETRY-11")


@pytest.mark.parametrize("retryable", [True, None])
def test_a_write_that_timed_out_is_left_alone_by_default(retryable: Json) -> None:
    """RETRY-11 does not ask for what RETRY-15 advises against, whatever the timeout says of retries (A5, A66)."""
    run = patched(base("recovered"), "results", 2, {"error": {"retryable": retryable}, "effects": None})
    given_up = replace(
        run,
        calls=run.calls[:3],
        results=run.results[:3],
        events=tuple(each for each in run.events or () if each.call_id != "c4"),
    )
    assert findings(given_up, "RETRY-11") == []
    steps: list[Json] = [
        {**each.value, "retry": {"maxAttempts": 2}} if each.id == "s2" else dict(each.value)
        for each in (run.plan.steps if run.plan else ())
    ]
    assert len(findings(run_record_patched(given_up, {"plan": {"steps": steps}}), "RETRY-11")) == 1


@pytest.mark.parametrize(
    ("guard", "due"),
    [
        ({"expectedEtag": "etag-journal-0"}, True),
        ({"ifNotExists": True}, True),
        ({"collisionStrategy": "error"}, True),
        ({"ifNotExists": False}, False),
        ({"collisionStrategy": "overwrite"}, False),
        ({"dryRun": True}, False),
    ],
)
def test_a_guarded_write_that_timed_out_is_tried_again(guard: dict[str, Json], *, due: bool) -> None:
    """RETRY-15 advises only against blind writes; with a guard the plan's defaults apply as usual (RETRY-11, A5)."""
    run = patched(base("recovered"), "results", 2, {"effects": None})
    given_up = replace(
        patched(run, "calls", 2, {"args": guard}),
        results=run.results[:3],
        events=tuple(each for each in run.events or () if each.call_id != "c4"),
    )
    given_up = replace(given_up, calls=given_up.calls[:3])
    assert bool(findings(given_up, "RETRY-11")) is due


def test_what_stands_in_for_a_secret_is_neither_invalid_nor_no_guard() -> None:
    """RETRY-15, RETRY-16: what a mark names is not the value that the tool received (A42)."""
    run = base("recovered")
    marked: Json = {"args": {"mode": "***"}, "redacted": ["/args/mode"]}
    assert len(findings(patched(run, "calls", 3, {"args": {"mode": "***"}}), "RETRY-16")) == 1
    assert findings(patched(run, "calls", 3, marked), "RETRY-16") == []
    blind = patched(run, "results", 2, {"effects": None})
    assert len(findings(blind, "RETRY-15")) == 1
    assert findings(patched(blind, "calls", 2, marked), "RETRY-15") == []


def by_alias(number: int, made: int) -> Run:
    """The retried base, whose first step says ``maxRetries`` and was given up after ``made`` attempts."""
    run = base("retried")
    steps: list[Json] = [dict(each.value) for each in (run.plan.steps if run.plan else ())]
    steps[0] = {**(run.plan.steps[0].value if run.plan else {}), "retry": {"maxRetries": number}}
    run = run_record_patched(run, {"plan": {"steps": steps}})
    calls = tuple(each for each in run.calls if each.step_id != "s1" or (each.integer("attempt") or 0) <= made)
    left = {each.call_id for each in calls}
    silent = tuple(replace(each, value={**each.value, "payload": {"status": "error"}}) for each in run.events or ())
    return replace(run, calls=calls, results=tuple(each for each in run.results if each.call_id in left), events=silent)


@pytest.mark.parametrize(("number", "made", "broken"), [(1, 3, {"RETRY-03"}), (2, 3, set()), (9, 3, {"RETRY-17"})])
def test_an_older_word_for_attempts_counts_those_after_the_first(number: int, made: int, broken: set[str]) -> None:
    """``maxRetries: 2`` means three attempts, as many as were made and as the policy permits (A4)."""
    run = by_alias(number, made)
    assert {each for each in ("RETRY-03", "RETRY-11", "RETRY-17", "RETRY-19") if findings(run, each)} == broken


@pytest.mark.parametrize(("made", "found"), [(1, 0), (2, 1)])
def test_an_older_word_for_attempts_is_owed_by_who_takes_it(made: int, found: int) -> None:
    """No system has to accept ``maxRetries``; a second attempt shows that this one does (RETRY-11, A65)."""
    run = by_alias(9, made)
    assert len(findings(run, "RETRY-11")) == found
    assert len(findings(run, "RETRY-17")) == found


@pytest.mark.parametrize("step", [None, 7])
def test_a_call_of_no_step_may_have_failed_the_run(step: Json) -> None:
    """No record shows whose last attempt it was, so nobody knows that all went well (RETRY-10)."""
    assert not findings(patched(base("budget"), "calls", 3, {"stepId": step}), "RETRY-10")


def test_what_stands_in_for_a_secret_is_no_other_iteration() -> None:
    """RETRY-02, A42: each record may have a stand-in of its own for one item."""
    run = patched(base("halted"), "calls", 3, {"iteration": {"itemValue": "***"}})
    assert len(findings(run, "RETRY-02")) == 1
    for at in (2, 3):
        assert findings(patched(run, "calls", at, {"redacted": ["/iteration/itemValue"]}), "RETRY-02") == []
    assert len(findings(patched(run, "calls", 3, {"redacted": ["/args"]}), "RETRY-02")) == 1


def test_a_word_that_came_after_the_result_asks_for_no_other_attempt() -> None:
    """RETRY-11, RES-20: what a tool says once its call is over is in no result, and decides nothing."""
    run = arriving(base("retried"))
    said: dict[str, Json] = {"code": "NOT_FOUND", "message": "not yet", "retryable": True}
    (told,) = (each.arrival for each in run.results if each.call_id == "c5")
    assert told is not None
    for arrival, found in ((told - 1, 1), (told + 1, 0)):
        late = Answer(AnswerKind.FAILURE, None, said, None, 1, arrival)
        deeds = changed(invoked(run), "c5", lambda deed, late=late: replace(deed, answer=late))
        assert len(findings(witnessed(run, deeds), "RETRY-11")) == found


@pytest.mark.parametrize(
    ("mark", "found"),
    [
        ("/error", 0),
        ("/error/details", 0),
        ("/error/details/reason", 0),
        ("/error/message", 1),
        ("/error/details/at", 1),
    ],
)
def test_a_word_on_another_attempt_may_be_what_was_redacted(mark: str, found: int) -> None:
    """RETRY-11, A42: output that its schema refused is not retried; the log hides whether that was the reason (A16)."""
    hidden: Json = {"code": "INTERNAL_ERROR", "retryable": None, "details": {"reason": "***", "at": "***"}}
    run = patched(base("retried"), "results", 4, {"error": hidden})
    assert len(findings(run, "RETRY-11")) == 1
    assert len(findings(patched(run, "results", 4, {"redacted": [mark]}), "RETRY-11")) == found


def test_output_against_its_schema_is_not_asked_for_again() -> None:
    """RETRY-04, A16: the tool has already acted, whatever the error says of another attempt."""
    run = base("retried")
    assert findings(run, "RETRY-04") == []
    for word in (None, True):
        bad: Json = {"error": {"retryable": word, "details": {"reason": "output_schema"}}}
        assert len(findings(patched(run, "results", 0, bad), "RETRY-04")) == 1


def asking_again(code: str = "NOT_FOUND") -> tuple[Run, tuple[Deed, ...]]:
    """The retried base, whose last tool answered retryable true below the limit and was not entered again."""
    run = arriving(base("retried"))
    said: dict[str, Json] = {"code": code, "message": "not yet", "retryable": True}
    told = Answer(AnswerKind.FAILURE, None, said, None, 1, 1_706)
    return run, changed(invoked(run), "c5", lambda deed: replace(deed, answer=told))


def test_a_tool_is_not_entered_again_once_anything_else_stopped_the_run() -> None:
    """RETRY-11: a cancellation, another failure, an abort, a limit that is reached, or a run without an end."""
    run, deeds = asking_again()
    assert len(findings(witnessed(run, deeds), "RETRY-11")) == 1
    assert findings(witnessed(run, deeds, (act(ActKind.CANCEL, 1_710),)), "RETRY-11") == []
    assert len(findings(witnessed(run, deeds, (act(ActKind.APPROVE, 100),)), "RETRY-11")) == 1
    assert findings(witnessed(run, changed(deeds, "c5", aborted("cancelled", 10, 1_705))), "RETRY-11") == []
    failed: Json = {"status": "error", "ok": False, "data": None, "error": {"code": "CONFLICT", "retryable": False}}
    assert findings(witnessed(patched(run, "results", 3, failed), deeds), "RETRY-11") == []
    limited = run_record_patched(run, {"policy": {"limits": {"maxAttempts": 1}}})
    assert findings(witnessed(limited, deeds), "RETRY-11") == []
    endless = witnessed(replace(run, events=(run.events or ())[:-1]), deeds)
    assert endless.witnessed is not None
    endless = replace(endless, witnessed=replace(endless.witnessed, finished_arrival=None))
    assert findings(endless, "RETRY-11") == []


@pytest.mark.parametrize("code", ["VALIDATION_ERROR", "POLICY_DENIED", "CANCELLED"])
def test_some_codes_are_never_tried_again_whatever_the_tool_says(code: str) -> None:
    """RETRY-11: the first line of its table."""
    assert findings(witnessed(*asking_again(code)), "RETRY-11") == []


def test_a_cancellation_may_cut_a_later_attempt_short() -> None:
    """RETRY-13: only an abort for a timeout shows the limit of the attempt."""
    run = arriving(base("recovered"))
    assert findings(witnessed(run, changed(invoked(run), "c4", aborted("cancelled", 1_000, 1_600))), "RETRY-13") == []
    whole = changed(invoked(run), "c4", aborted("timeout", 4_000, 1_600))
    assert findings(witnessed(run, whole), "RETRY-13") == []


def cancelled_before_the_second_attempt(stamp: str, *, place: int) -> Run:
    """The recovered base, where the run was cancelled at this time, above this line of its events."""
    run = base("recovered")
    events = list(run.events or ())
    told: dict[str, Json] = {"type": "run.cancelled", "runId": run.run_id, "timestamp": f"2026-01-05T09:00:{stamp}Z"}
    events.insert(place, replace(events[-1], value=told))
    sources = (replace(events[0].source, line=line) for line in range(1, len(events) + 1))
    return replace(run, events=tuple(replace(each, source=source) for each, source in zip(events, sources)))


def test_an_attempt_after_the_run_was_cancelled_is_found_and_follows_from_its_start() -> None:
    """RETRY-07, CANC-01: each later attempt began after run.cancelled, as the lines show."""
    run = cancelled_before_the_second_attempt("26.000", place=6)
    results = folded(run, judge(run))
    again = "was attempted again after the run had been cancelled"
    assert findings(run, "RETRY-07") == [f"s1 {again}", f"s2 {again}"]
    assert {each.root.requirement if each.root else None for each in results["RETRY-07"].findings} == {"CANC-01"}
    (first, *others) = results["CANC-01"].findings
    assert first.root is None
    assert all(each.root is not None for each in others)


@pytest.mark.parametrize(("stamp", "found"), [("27.100", 0), ("26.900", 1)], ids=["within-a-second", "before"])
def test_an_attempt_that_was_only_built_after_the_cancellation_is_found_by_the_clock(stamp: str, found: int) -> None:
    """RETRY-07, CANC-11: the second attempt was built at 28.000; two files may differ by a second (A34)."""
    run = cancelled_before_the_second_attempt(stamp, place=6)
    began = {"c2", "c3", "c4"}
    held = (each for each in run.events or () if each.text("type") != "step.started" or each.call_id not in began)
    kept = tuple(each for each in run.calls if each.call_id in ("c1", "c2"))
    run = replace(run, events=tuple(held), calls=kept)
    assert len(findings(run, "RETRY-07")) == found
    built = [each for each in findings(run, "CANC-11") if "was built after run.cancelled" in each]
    assert len(built) == found


def test_an_attempt_before_the_cancellation_is_fine() -> None:
    """RETRY-07: the run was cancelled after its last attempt had begun."""
    assert verdict(cancelled_before_the_second_attempt("47.000", place=15), "RETRY-07") is Verdict.PASS


BROKEN_OFF = ("RETRY-08", "RETRY-14", "EFF-17")


@pytest.mark.parametrize("requirement", BROKEN_OFF)
def test_attempts_without_their_results_show_nothing(requirement: str) -> None:
    """The log broke off before the second attempt, or the first one, had a result: nothing can have been broken."""
    assert verdict(base("interrupted"), requirement) is Verdict.INCONCLUSIVE
    assert verdict(base("recovered"), requirement) is Verdict.PASS
    for answered in ({"c1"}, set[str]()):
        run = base("recovered")
        kept = tuple(each for each in run.results if each.call_id in answered)
        assert verdict(replace(run, results=kept), requirement) is Verdict.INCONCLUSIVE


def test_only_both_intervals_show_that_attempts_do_not_overlap() -> None:
    """RETRY-08: a later attempt has a result, and the one before it has none, or no time at which it ended."""
    run = base("recovered")
    pair = replace(run, calls=run.calls[:2], results=run.results[:2])
    assert verdict(pair, "RETRY-08") is Verdict.PASS
    assert verdict(replace(pair, results=run.results[1:2]), "RETRY-08") is Verdict.INCONCLUSIVE
    assert verdict(patched(pair, "results", 0, {"endedAt": None}), "RETRY-08") is Verdict.INCONCLUSIVE
    assert verdict(patched(pair, "results", 1, {"startedAt": "soon"}), "RETRY-08") is Verdict.INCONCLUSIVE
