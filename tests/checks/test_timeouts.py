"""Timeouts and clocks: the edges of tolerances, and what hosted tools saw of a limit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import ActKind, Answer, AnswerKind
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, findings, live, look, output, patched, run_record_patched, verdict
from live_runs import aborted, act, arriving, changed, invoked, witnessed


def timed_out(*, after_ms: float = 4_000, answer: Answer | None = None) -> Run:
    """The timeout base, live: its first tool was aborted after so long, and answered so."""
    run = arriving(base("timeout"))
    deeds = changed(invoked(run), "c1", lambda deed: replace(aborted("timeout", after_ms, 560)(deed), answer=answer))
    return witnessed(run, deeds)


@pytest.mark.parametrize("requirement", ["TIME-01", "TIME-02", "TIME-03", "TIME-04", "TIME-11"])
def test_an_honest_timeout_is_fine(requirement: str) -> None:
    """A hanging tool is aborted at its limit, its call is closed, and no other call suffers."""
    assert verdict(timed_out(), requirement) is Verdict.PASS


@pytest.mark.parametrize(("watched_ms", "late"), [(5_002.0, False), (5_003.0, True)])
def test_a_call_that_stays_open_beyond_its_limit_is_late(watched_ms: float, *, late: bool) -> None:
    """TIME-01: without a result, it is late once it was watched beyond limit and grace; that the run hangs follows."""
    run = timed_out()
    assert run.witnessed is not None
    call = run.attempts[0].call
    hanging = replace(
        run,
        results=(),
        events=(run.events or ())[:3],
        calls=(call,),
        witnessed=replace(
            run.witnessed,
            deeds=tuple(
                replace(each, at_ms=0.0, aborts=()) for each in run.deeds or () if each.call_id == call.call_id
            ),
            finished_arrival=None,
            watched_ms=watched_ms,
            virtual_clock=True,
        ),
    )
    results = folded(hanging, judge(hanging))
    (unended,) = results["DEP-12"].findings
    assert unended.finding.observed == "the run was started and never finished, and 1 call was open"
    assert (unended.root.requirement if unended.root else None) == ("TIME-01" if late else None)
    assert len(results["TIME-01"].findings) == late


def test_a_result_that_was_lost_after_an_answer_in_time_is_no_matter_of_the_limit() -> None:
    """TIME-01: the call was over in time; that nobody recorded it, and that the run hangs, is another fault."""
    run = timed_out(answer=replace(output({}), at_ms=500.0))
    assert run.witnessed is not None
    watched = replace(run.witnessed, finished_arrival=None, watched_ms=60_000.0)
    hanging = replace(run, results=(), events=(run.events or ())[:3], calls=run.calls[:1], witnessed=watched)
    assert findings(hanging, "TIME-01") == []
    assert len(findings(hanging, "DEP-12")) == 1


def test_a_limit_that_no_call_states_is_that_of_the_plan() -> None:
    """Records may leave timeoutMs out (B-13), but a tool that outlasts the plan's limit still times out."""
    run = patched(timed_out(), "calls", 0, {"timeoutMs": None})
    assert [verdict(run, law) for law in ("TIME-01", "TIME-03")] == [Verdict.PASS] * 2
    ended: dict[str, Json] = {"status": "ok", "ok": True, "error": None, "data": {}}
    assert any(
        "did not answer within its limit" in each for each in findings(patched(run, "results", 0, ended), "TIME-01")
    )


@pytest.mark.parametrize(
    ("duration", "fits"),
    [(4000, True), (4051, True), (3949, True), (4052.9, False), (3947, False), (4052, True), (10**400, False)],
)
def test_a_duration_has_its_slack(duration: float, fits: bool) -> None:
    """50 ms and the resolution of two millisecond stamps are the slack (TIME-07, A6)."""
    assert bool(findings(patched(base("linear"), "results", 0, {"durationMs": duration}), "TIME-07")) is not fits


@pytest.mark.parametrize(
    ("started", "ended", "duration", "fits"),
    [
        ("2025-12-16T18:12:01Z", "2025-12-16T18:12:01Z", 240, True),
        ("2025-12-16T18:12:01Z", "2025-12-16T18:12:02Z", 0, True),
        ("2025-12-16T18:12:01Z", "2025-12-16T18:12:01Z", 2049, True),
        ("2025-12-16T18:12:01Z", "2025-12-16T18:12:01Z", 2051, False),
        ("2025-12-16T18:12:01+01:00", "2025-12-16T17:12:05.000000Z", 4000, True),
        ("2016-12-31T23:59:59.500Z", "2016-12-31T23:59:60.500Z", 1000, True),
    ],
)
def test_stamps_of_any_spelling_are_compared(started: str, ended: str, duration: int, fits: bool) -> None:
    """Whole seconds leave a second open each; offsets and leap seconds change nothing (TIME-07, B-07, B-09)."""
    patch = {"startedAt": started, "endedAt": ended, "durationMs": duration}
    assert bool(findings(patched(base("linear"), "results", 0, patch), "TIME-07")) is not fits


@pytest.mark.parametrize(
    ("took", "told"),
    [(150.0, ["the tool took 150 ms on the suite's clock, so the stamps are of another one"]), (9.0, [])],
)
def test_stamps_of_another_clock_than_the_runs_are_told_as_such(took: float, told: list[str]) -> None:
    """TIME-07: where the tool took as long as durationMs says, the stamps are wrong."""
    at = "2026-01-05T09:00:16.000Z"
    run = patched(base("linear"), "results", 0, {"startedAt": at, "endedAt": at, "durationMs": 150})
    seen = live(run, (deed_of(run.calls[0], replace(output({}), at_ms=took)),))
    for judged, more in ((run, []), (seen, told)):
        (found,) = judge(judged)["TIME-07"].findings
        assert list(found.finding.because) == [f"it began at {at} and ended at {at}", *more]


def test_a_small_skew_between_files_is_no_reversal() -> None:
    """A second between files is tolerated, and a stamp beyond it is not (TIME-06, B-12)."""
    near, far = ("2026-01-05T09:00:24.000Z", "2026-01-05T09:00:24.003Z")
    assert not findings(patched(base("linear"), "calls", 0, {"createdAt": near}), "TIME-06")
    assert findings(patched(base("linear"), "calls", 0, {"createdAt": far}), "TIME-06")


def test_an_end_before_its_beginning_is_found() -> None:
    """Within one record the tolerance is 50 ms (TIME-06); the duration is not judged then (TIME-07)."""
    run = patched(base("linear"), "results", 0, {"endedAt": "2026-01-05T09:00:22.900Z"})
    assert findings(run, "TIME-06") == ["the result of c1 ended at 2026-01-05T09:00:22.900Z"]
    assert not findings(run, "TIME-07")


@pytest.mark.parametrize("member", ["decidedAt", "expiresAt"])
def test_the_instants_of_a_confirmation_are_instants(member: str) -> None:
    """Every record's instants are RFC 3339 (TIME-09)."""
    run = run_record_patched(base("linear"), {"confirmation": {member: "yesterday"}})
    assert findings(run, "TIME-09") == [f'the run record had {member} "yesterday"']


def test_a_timeout_at_its_deadline_is_in_time() -> None:
    """A deadline may end a call earlier than timeoutMs (TIME-02, A27)."""
    run = patched(base("timeout"), "results", 0, {"endedAt": "2026-01-05T09:00:23.000Z", "durationMs": 2000})
    assert findings(run, "TIME-02")
    assert not findings(patched(run, "calls", 0, {"deadlineAt": "2026-01-05T09:00:23.000Z"}), "TIME-02")


def test_a_duration_in_other_units_is_no_early_timeout() -> None:
    """By its stamps the call timed out at its limit; only its duration, in seconds, is wrong (TIME-07)."""
    run = patched(base("timeout"), "results", 0, {"durationMs": 4})
    assert findings(run, "TIME-02") == []
    assert len(findings(run, "TIME-07")) == 1
    early = patched(run, "results", 0, {"endedAt": "2026-01-05T09:00:23.000Z"})
    assert len(findings(early, "TIME-02")) == 1


def test_a_hanging_tool_whose_call_ends_ok_is_found() -> None:
    """The tool never answered, and the result says ok (TIME-01)."""
    run = patched(arriving(base("timeout")), "results", 0, {"status": "ok", "ok": True, "data": {}, "error": None})
    live = witnessed(run, changed(invoked(run), "c1", lambda deed: replace(deed, answer=None)))
    assert findings(live, "TIME-01") == [
        "vault.searchText did not answer within its limit, and the result of c1 had status ok"
    ]


def told_as_cancelled(run: Run, reason: str | None = "deadline_exceeded") -> Run:
    """The run, whose first call ended cancelled for this reason."""
    error: Json = {"code": "CANCELLED", "message": "x", "details": {"reason": reason}}
    return patched(run, "results", 0, {"status": "cancelled", "error": error})


TOLD_AS_CANCELLED = ["vault.searchText was aborted for the reason timeout, and the result of c1 had status cancelled"]


@pytest.mark.parametrize("reason", ["deadline_exceeded", "sibling_canceled", "timeout", "user", None])
def test_a_timeout_that_is_told_as_a_cancellation_is_found(reason: str | None) -> None:
    """The tool was aborted at its limit, and nobody cancelled anything; the other findings follow from it (TIME-01)."""
    run = told_as_cancelled(timed_out(), reason)
    results = folded(run, judge(run))
    assert [each.finding.observed for each in results["TIME-01"].findings] == TOLD_AS_CANCELLED
    blamed = {law: [each.root for each in results[law].findings] for law in ("TIME-01", "ERR-10", "CANC-09")}
    assert blamed["TIME-01"] == [None]
    assert all(root and root.requirement == "TIME-01" for law in ("ERR-10", "CANC-09") for root in blamed[law])
    assert [law for law in ("ERR-10", "CANC-09") if blamed[law]] == {
        "deadline_exceeded": [],
        "sibling_canceled": [],
        "timeout": ["ERR-10"],
        "user": ["CANC-09"],
        None: ["CANC-09"],
    }[reason]


def test_a_call_that_something_cancelled_may_end_so_although_its_time_was_up() -> None:
    """TIME-01: a user cancelled the run, another call failed for good, or an answer or a cancellation came first."""
    run = told_as_cancelled(timed_out())
    assert run.witnessed is not None
    for kind in (ActKind.CANCEL, ActKind.REJECT):
        assert findings(replace(run, witnessed=replace(run.witnessed, acts=(act(kind, 570),))), "TIME-01") == []
    failure: dict[str, Json] = {"status": "error", "ok": False, "data": None, "error": {"code": "NOT_FOUND"}}
    assert findings(patched(run, "results", 1, failure), "TIME-01") == []
    word = Answer(AnswerKind.FAILURE, None, {"code": "CANCELLED"}, None, 3_990, 559)
    assert findings(told_as_cancelled(timed_out(answer=word)), "TIME-01") == []
    assert findings(told_as_cancelled(timed_out(answer=replace(word, arrival=561))), "TIME-01") == TOLD_AS_CANCELLED
    deeds = changed(run.witnessed.deeds, "c1", aborted("cancelled", 3_000, 550))
    assert findings(replace(run, witnessed=replace(run.witnessed, deeds=deeds)), "TIME-01") == []


def test_a_failure_that_was_retried_cancels_no_other_call() -> None:
    """TIME-01, A86: what stops a run is a step that failed for good."""
    run = told_as_cancelled(timed_out())
    failed: dict[str, Json] = {"status": "error", "ok": False, "data": None, "error": {"code": "INTERNAL_ERROR"}}
    call, result = run.calls[1], run.results[1]
    again = (replace(call, value={**call.value, "callId": "c2b", "attempt": 2}), replace(result, arrival=9_999))
    retried = replace(run, calls=(*run.calls, again[0]), results=(*run.results, again[1]))
    named = patched(retried, "results", len(retried.results) - 1, {"callId": "c2b", "attempt": 2})
    assert findings(patched(named, "results", 1, failed), "TIME-01") == TOLD_AS_CANCELLED


def test_a_prompt_tool_whose_call_times_out_is_found() -> None:
    """The tool answered after a second of four, and the result says timeout (TIME-02)."""
    prompt = Answer(AnswerKind.OUTPUT, {"matches": []}, None, None, 1_000, 505)
    assert findings(timed_out(answer=prompt), "TIME-02") == [
        "vault.searchText answered after 1000 ms, and the result of c1 had status timeout"
    ]


def test_an_abort_before_the_limit_is_found() -> None:
    """The limit was counted from somewhere before the dispatch (TIME-03)."""
    assert findings(timed_out(after_ms=1_500), "TIME-03") == ["vault.searchText was aborted 1500 ms after its dispatch"]


@pytest.mark.parametrize(
    ("deadline", "found"),
    [("09:00:25.000Z", 1), ("09:00:24.999Z", 0), ("soon", 0)],
    ids=["at-the-limit", "before-the-limit", "unreadable"],
)
def test_only_a_deadline_before_the_limit_excuses_an_early_abort(deadline: str, found: int) -> None:
    """The call began at second 21 with a limit of four seconds (A27, TIME-03)."""
    run = patched(timed_out(after_ms=1_500), "calls", 0, {"deadlineAt": f"2026-01-05T{deadline}"})
    assert len(findings(run, "TIME-03")) == found


@pytest.mark.parametrize(("virtual", "found"), [(True, 1), (False, 0)])
def test_a_virtual_clock_is_exact_and_a_real_one_is_not(*, virtual: bool, found: int) -> None:
    """A tenth of a second too early is too early if no message is ever late (TIME-03)."""
    run = timed_out(after_ms=3_900)
    assert run.witnessed is not None
    told = replace(run, witnessed=replace(run.witnessed, virtual_clock=virtual))
    assert len(findings(told, "TIME-03")) == found


def test_a_limit_that_nobody_knows_is_counted_from_nowhere() -> None:
    """The call was aborted after a second, under a limit of the system's own (TIME-03, B-13)."""
    run = patched(timed_out(after_ms=1_000), "calls", 0, {"timeoutMs": None})
    assert run.plan is not None
    steps: Json = [{name: each.value[name] for name in each.value if name != "timeoutMs"} for each in run.plan.steps]
    unlimited = run_record_patched(run, {"plan": {"steps": steps}, "policy": {"limits": {"maxTimeoutMs": None}}})
    assert run.witnessed is not None
    assert unlimited.run_record is not None
    given = replace(run.witnessed.given, policy=unlimited.run_record.get("policy"))
    held = replace(unlimited, witnessed=replace(run.witnessed, given=given))
    assert verdict(held, "TIME-03") is Verdict.PASS


def test_a_beginning_in_whole_seconds_leaves_a_deadline_in_doubt() -> None:
    """The call may have begun up to a second later than it says (A20, A27)."""
    run = patched(timed_out(after_ms=1_500), "calls", 0, {"deadlineAt": "2026-01-05T09:00:25.500Z"})
    assert not findings(patched(run, "results", 0, {"startedAt": "2026-01-05T09:00:21Z"}), "TIME-03")


def test_a_timeout_without_an_abort_is_found() -> None:
    """To stop waiting is not to stop the tool (TIME-04)."""
    run = arriving(base("timeout"))
    assert findings(witnessed(run, invoked(run)), "TIME-04") == [
        "the result of c1 had status timeout, and vault.searchText was not aborted"
    ]


def test_a_tool_that_cannot_be_aborted_is_given_up_and_not_aborted() -> None:
    """A tool that the registry calls not cancellable runs on when its limit has passed (CALL-09)."""
    run = timed_out()
    tools = [{**each.value, "cancellable": False} for each in run.registry.by_name.values()] if run.registry else []
    assert findings(replace(run, registry=registry_of(tools)), "CALL-09")[-1] == (
        "vault.searchText is not cancellable, and was aborted when it ran out of time"
    )
    assert not findings(run, "CALL-09")


def test_what_a_dead_tool_told_in_time_is_an_effect() -> None:
    """TIME-05, A58: the tool's last word came before the result.  If no result waited for one, the run lacks that."""
    observed = {"created": [{"path": "half.md", "kind": "file"}]}
    word = Answer(AnswerKind.FAILURE, None, {"code": "CANCELLED"}, observed, 4_100, 570)
    run = timed_out(answer=word)
    for law in ("TIME-05", "EFF-10"):
        assert findings(run, law) == ["the result of c1, status timeout, had no effects"]
    assert not findings(patched(run, "results", 0, {"effects": observed}), "TIME-05")
    late = timed_out(answer=replace(word, arrival=5_000))
    assert verdict(late, "TIME-05") is Verdict.INCONCLUSIVE
    waited = "call whose result waited for what the tool reported after its abort (abortGraceMs)"
    assert look(late, "TIME-05").missing == (f"a timed-out {waited}",)
    assert look(late, "CANC-04").missing == (f"a cancelled {waited}",)


def test_an_innocent_step_that_was_not_dispatched_after_a_timeout_is_found() -> None:
    """The timed-out step says skip, and a step that does not need it was skipped as well (TIME-11)."""
    run = timed_out()
    started = tuple(each for each in run.events or () if each.call_id != "c2")
    skipped = patched(run, "results", 1, {"status": "skipped", "ok": False, "data": None, "durationMs": 0})
    assert run.witnessed is not None
    lost = replace(skipped, events=started, witnessed=replace(run.witnessed, deeds=run.witnessed.deeds[:1]))
    assert findings(lost, "TIME-11") == ["step s2 was not dispatched after s1 had timed out"]
    # Its own deadline came while it waited; the specification is silent on calls that need it (TIME-12).
    expired = patched(lost, "calls", 1, {"deadlineAt": "2026-01-05T09:00:33.000Z"})
    assert findings(expired, "TIME-11") == []
    assert len(findings(patched(lost, "calls", 1, {"deadlineAt": "2026-01-05T09:00:40.000Z"}), "TIME-11")) == 1


@pytest.mark.parametrize(("recorded", "found"), [(10_000, 0), (1, 1)], ids=["the-last-word", "survived"])
def test_what_an_error_may_have_ended_is_laid_to_no_timeout(recorded: int, found: int) -> None:
    """TIME-11: b failed, c timed out beside it, and d, which needs neither, was skipped; both of them say skip."""
    run = arriving(base("diamond"))
    assert run.plan is not None
    a, b, c, d = (dict(each.value) for each in run.plan.steps)
    alone: dict[str, Json] = {"args": {"path": "Notes/joined.md", "content": "x"}, "dependsOn": []}
    steps: Json = [a, b, {**c, "onError": "skip"}, {**d, **alone}]
    late: dict[str, Json] = {"status": "timeout", "ok": False, "data": None, "error": {"code": "TIMEOUT"}}
    timed = patched(run_record_patched(run, {"plan": {"steps": steps}}), "results", 2, late)
    told = tuple(replace(each, arrival=recorded) if each.call_id == "c2" else each for each in timed.results)
    assert findings(witnessed(replace(timed, results=told), invoked(run)), "TIME-11") == (
        ["step d was not dispatched after c had timed out"] * found
    )


def test_an_open_call_that_a_timeout_ended_is_found() -> None:
    """The timed-out step says skip, but a call that was open beside it ended cancelled for no reason (TIME-11)."""
    ended: Json = {"code": "CANCELLED", "message": "x", "details": {"reason": "sibling_canceled"}}
    run = patched(timed_out(), "results", 1, {"status": "cancelled", "ok": False, "data": None, "error": ended})
    assert findings(run, "TIME-11") == ["call c2 ended cancelled with the code CANCELLED, and s1 had timed out"]
    assert run.witnessed is not None
    called_off = replace(run.witnessed, acts=(act(ActKind.CANCEL, 1),))
    assert findings(replace(run, witnessed=called_off), "TIME-11") == []


@pytest.mark.parametrize("limits", [{"steps": True}, {"policy": True}], ids=["of-the-step", "of-the-policy"])
def test_a_call_without_its_limit_is_held_to_that_of_the_plan_and_the_policy(limits: dict[str, bool]) -> None:
    """The read ran for four seconds under a limit of two that its record leaves out (TIME-01, A67)."""
    run = patched(base("linear"), "calls", 0, {"timeoutMs": None})
    assert run.plan is not None
    steps: Json = [dict(each.value) | ({"timeoutMs": 2_000} if each.id == "s1" else {}) for each in run.plan.steps]
    plan: Json = {"plan": {"steps": steps}} if "steps" in limits else {"policy": {"limits": {"maxTimeoutMs": 2_000}}}
    found = findings(run_record_patched(run, plan), "TIME-01")
    assert found[0] == "call c1 ended ok after 4000 ms"
    assert len(found) == (1 if "steps" in limits else 3)


@pytest.mark.parametrize(
    ("deadline", "found"),
    [("09:00:31.000Z", 1), ("09:00:25.900Z", 0), ("09:00:25.000Z", 0)],
    ids=["later", "in the other file's clock", "reached"],
)
def test_a_deadline_alone_is_a_limit_of_which_a_timeout_speaks(deadline: str, found: int) -> None:
    """The result says that the search timed out at second 25 (TIME-02)."""
    run = run_record_patched(base("timeout"), {"policy": {"limits": {"maxTimeoutMs": None}}})
    assert run.plan is not None
    steps: Json = [{name: its for name, its in each.value.items() if name != "timeoutMs"} for each in run.plan.steps]
    run = patched(run_record_patched(run, {"plan": {"steps": steps}}), "calls", 0, {"timeoutMs": None})
    assert verdict(run, "TIME-02") is Verdict.PASS  # the read has a limit; which limit the search had is unknown
    assert len(findings(patched(run, "calls", 0, {"deadlineAt": f"2026-01-05T{deadline}"}), "TIME-02")) == found


def test_a_call_from_before_the_run_is_found() -> None:
    """A call that was made before the run began was not made by the run (TIME-13)."""
    run = base("linear")
    assert not findings(run, "TIME-13")
    assert findings(patched(run, "calls", 0, {"createdAt": "2026-01-05T08:58:00.000Z"}), "TIME-13")


def test_whoever_has_a_deadline_may_be_done_before_it() -> None:
    """TIME-02 is about timeouts only (B-14)."""
    run = run_record_patched(base("unconfirmed"), {"policy": {"limits": {"maxTimeoutMs": None}}})
    later: Json = {"timeoutMs": None, "deadlineAt": "2026-01-05T09:00:40.000Z"}
    assert verdict(patched(run, "calls", 1, later), "TIME-02") is Verdict.PASS


def test_what_a_call_that_ended_well_did_is_not_told_as_of_a_dead_one() -> None:
    """EFF-01, not TIME-05, reports that its effects are not what was observed."""
    run = arriving(base("effects"))
    other: dict[str, Json] = {"created": [{"path": "Notes/other.md", "kind": "file"}]}
    deeds = changed(
        invoked(run),
        "c2",
        lambda deed: replace(deed, answer=replace(deed.answer, observed=other) if deed.answer else None),
    )
    assert findings(witnessed(run, deeds), "EFF-01")
    assert findings(witnessed(run, deeds), "TIME-05") == []


def test_a_call_that_states_more_than_its_limit_is_held_to_its_limit_on_the_wire_too() -> None:
    """TIME-02, TIME-03: the limit is the least of what record, step and policy say, and the plan has four seconds."""
    stated = patched(timed_out(), "calls", 0, {"timeoutMs": 20_000})
    assert findings(stated, "TIME-02") == findings(stated, "TIME-03") == []
    late = Answer(AnswerKind.OUTPUT, {"matches": []}, None, None, 6_000, 505)
    answered = patched(timed_out(answer=late), "calls", 0, {"timeoutMs": 20_000})
    assert findings(answered, "TIME-02") == []
    ended: dict[str, Json] = {"status": "ok", "ok": True, "error": None, "data": {}}
    hanging = patched(stated, "results", 0, ended)
    assert "its limit was 4000 ms" in str(look(hanging, "TIME-01").findings)
    early = patched(timed_out(after_ms=1_500), "calls", 0, {"timeoutMs": 20_000})
    assert findings(early, "TIME-03") == ["vault.searchText was aborted 1500 ms after its dispatch"]


def answered_at(at_ms: float, *, virtual: bool = True) -> Run:
    """The timeout base, live: its first tool was not aborted, and answered after ``at_ms`` of its four seconds."""
    run = arriving(base("timeout"))
    told = Answer(AnswerKind.OUTPUT, {"matches": []}, None, None, at_ms, 505)
    live = witnessed(run, changed(invoked(run), "c1", lambda deed: replace(deed, answer=told)))
    assert live.witnessed is not None
    return replace(live, witnessed=replace(live.witnessed, virtual_clock=virtual))


@pytest.mark.parametrize(
    ("at_ms", "virtual", "found"), [(3_990, True, 1), (3_999, True, 0), (3_990, False, 0), (3_700, False, 1)]
)
def test_an_answer_just_before_the_limit_may_have_been_late(at_ms: float, *, virtual: bool, found: int) -> None:
    """TIME-02: the suite's clock is not the system's, and on real time a message takes a while."""
    told = [each for each in findings(answered_at(at_ms, virtual=virtual), "TIME-02") if " answered after " in each]
    assert len(told) == found


@pytest.mark.parametrize(
    ("at_ms", "virtual", "found"), [(5_001, True, 0), (5_010, True, 1), (5_010, False, 0), (5_300, False, 1)]
)
def test_an_answer_just_after_the_grace_may_have_been_in_time(at_ms: float, *, virtual: bool, found: int) -> None:
    """TIME-01: four seconds, a second of grace, and what the clocks may differ by."""
    ended: dict[str, Json] = {"status": "ok", "ok": True, "error": None, "data": {"matches": []}}
    run = patched(answered_at(at_ms, virtual=virtual), "results", 0, ended)
    told = [each for each in findings(run, "TIME-01") if "did not answer within its limit" in each]
    assert len(told) == found
    assert run.witnessed is not None
    cancelled = replace(run, witnessed=replace(run.witnessed, acts=(act(ActKind.CANCEL, 503),)))
    assert [each for each in findings(cancelled, "TIME-01") if "did not answer within its limit" in each] == []


def test_a_prompt_answer_may_have_come_after_the_deadline() -> None:
    """TIME-02: a deadline is a limit too, and may come earlier (A27)."""
    run = answered_at(2_000)
    assert any(" answered after " in each for each in findings(run, "TIME-02"))
    early = patched(run, "calls", 0, {"deadlineAt": "2026-01-05T09:00:22.000Z"})
    assert not any(" answered after " in each for each in findings(early, "TIME-02"))


@pytest.mark.parametrize(("ran", "found"), [(5_000, 0), (5_001, 1)])
def test_a_call_that_is_closed_at_the_end_of_the_grace_is_closed_in_time(ran: int, found: int) -> None:
    """TIME-01: no later than a second after its limit of four seconds (B-31)."""
    assert len(findings(patched(base("timeout"), "results", 0, {"durationMs": ran}), "TIME-01")) == found


def test_a_call_without_a_duration_ran_as_long_as_its_stamps_tell() -> None:
    """TIME-01: RES-17 reports that the duration is absent."""
    run = patched(base("timeout"), "results", 0, {"durationMs": None})
    assert findings(run, "TIME-01") == []
    assert len(findings(patched(run, "results", 0, {"endedAt": "2026-01-05T09:00:27.000Z"}), "TIME-01")) == 1
    assert findings(patched(run, "results", 0, {"startedAt": None}), "TIME-01") == []


def test_a_result_from_before_the_run_is_found() -> None:
    """TIME-13: also if its call was never built."""
    run = base("timeout")
    (place,) = (place for place, each in enumerate(run.results) if each in run.unbuilt)
    assert findings(run, "TIME-13") == []
    early: Json = {"startedAt": "2026-01-05T08:00:00.000Z"}
    assert len(findings(patched(run, "results", place, early), "TIME-13")) == 1
