"""Runs whose calls end, or are tried again, against a law: none of them is proved, and both ways blame the same."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from auditing.mutations import Records, changed_in, compact, hash_again
from callproof.auditing.audited import Rules
from callproof.auditing.one_run import audit_run
from callproof.auditing.prover import prove
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.folder import captured_in
from callproof.resources import SPEC

Change = Callable[[Records], None]

BY_CHECKS = Rules(fast_path=False)
EXAMPLES = Path(str(SPEC / "examples"))


def example(name: str, change: Change) -> CapturedRun:
    """An example run after a change, with the hashes that belong to it."""

    def changed(records: Records) -> None:
        change(records)
        hash_again(records)

    return changed_in(compact(captured_in(EXAMPLES / name)), changed)


def blamed(name: str, change: Change) -> set[str]:
    """The laws that an example run breaks after a change, the same both ways; if it breaks any, it is not proved."""
    run = example(name, change)
    audited = audit_run(run)
    assert audited == audit_run(run, BY_CHECKS)
    assert (prove(run) is None) is bool(audited.broken)
    return set(audited.broken)


def result_of(records: Records, call_id: str) -> Any:
    return next(each for each in records["result"] if each["callId"] == call_id)


def step_of(records: Records, result: Any) -> Any:
    return next(each for each in records["run"][0]["plan"]["steps"] if each["id"] == result["stepId"])


def tried_again(records: Records, call_id: str, **error: Any) -> None:
    """The same call again in the same moment, with the same end, under a plan that permits it."""
    first = result_of(records, call_id)
    first["error"] |= error
    step_of(records, first)["retry"] = {"maxAttempts": 2}
    for name in ("call", "result", "event"):
        own = [each for each in records[name] if each.get("callId") == call_id]
        again = [copy.deepcopy(each) | {"callId": "again"} for each in own]
        for each in again if name != "event" else ():
            each["attempt"] = 2
        at = records[name].index(own[-1]) + 1
        records[name][at:at] = again
    records["event"][-1]["payload"]["results"]["error"] += 1


@pytest.mark.parametrize("call_id", ["c1", "c2", "c5", "c6"])
def test_what_was_refused_is_not_tried_again(call_id: str) -> None:
    """Arguments and policies stay as they were, whatever the error says of a retry (RETRY-06)."""
    assert blamed("refused", partial(tried_again, call_id=call_id)) == {"RETRY-06"}
    assert blamed("refused", partial(tried_again, call_id=call_id, retryable=True)) == {"RETRY-06"}


@pytest.mark.parametrize("code", ["VALIDATION_ERROR", "POLICY_DENIED", "NOT_FOUND", "CONFLICT"])
def test_a_code_that_ends_a_call_is_followed_by_no_other_attempt(code: str) -> None:
    """This holds for a dispatched call, too: no attempt follows, unless the tool asks for one (RETRY-04, RETRY-06)."""

    def change(records: Records) -> None:
        error = records["result"][0]["error"]
        error.update(code=code, message="It ended so")
        del error["retryable"]

    refused = code in {"VALIDATION_ERROR", "POLICY_DENIED"}
    assert blamed("retried", change) == {"RETRY-06" if refused else "RETRY-04"}


def told_as_a_warning(records: Records, call_id: str, **error: Any) -> None:
    """Give the step.failed of a failure the level of a failure that is tried again."""
    result = result_of(records, call_id)
    result["error"] |= error
    if error.get("retryable", ...) is None:
        del result["error"]["retryable"]
    step_of(records, result).setdefault("retry", {"maxAttempts": 2})
    closing = next(each for each in records["event"] if each.get("callId") == call_id and each["type"] == "step.failed")
    closing["level"] = "warn"


@pytest.mark.parametrize(
    ("name", "call_id", "error"),
    [
        ("refused", "c1", {"retryable": True}),
        ("refused", "c5", {"retryable": True}),
        ("refused", "c6", {}),
        ("retried", "c5", {}),
        ("retried", "c5", {"retryable": None}),
        ("retried", "c5", {"retryable": None, "code": "CONFLICT"}),
    ],
)
def test_the_last_failure_is_no_warning(name: str, call_id: str, error: dict[str, Any]) -> None:
    """No attempt follows it, and none would have been lawful (EVT-16, A85)."""
    assert blamed(name, partial(told_as_a_warning, call_id=call_id, **error)) == {"EVT-16"}


def limited_by_a_deadline(records: Records, seconds: float) -> None:
    """Calls without a limit; the one that timed out has a deadline so many seconds after its end."""
    for record in (*records["run"], *records["call"]):
        record["policy"]["limits"].pop("maxTimeoutMs")
        record.pop("timeoutMs", None)
    for step in records["run"][0]["plan"]["steps"]:
        step.pop("timeoutMs", None)
    result = next(each for each in records["result"] if each["status"] == "timeout")
    call = next(each for each in records["call"] if each["callId"] == result["callId"])
    deadline = datetime.fromisoformat(result["endedAt"]) + timedelta(seconds=seconds)
    call["deadlineAt"] = deadline.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.mark.parametrize(("seconds", "broken"), [(60.0, {"TIME-02"}), (1.5, {"TIME-02"}), (-2.0, {"TIME-12"})])
def test_a_deadline_alone_is_no_reason_to_time_out_before_it(seconds: float, broken: set[str]) -> None:
    """A call that has no limit but its deadline runs until then, and no longer (TIME-02, TIME-12)."""
    assert blamed("timeout", partial(limited_by_a_deadline, seconds=seconds)) == broken


def stops_at_the_timeout(records: Records) -> None:
    """The step that ran out of time stops the run, but others began later."""
    step_of(records, next(each for each in records["result"] if each["status"] == "timeout"))["onError"] = "stop"


def withdrawn_too_early(records: Records) -> None:
    """A call that was withdrawn before anything had failed."""
    result = next(each for each in records["result"] if each["status"] == "cancelled" and not each["durationMs"])
    first = min(each["startedAt"] for each in records["result"])
    for each in (*records["call"], *records["result"], *records["event"]):
        if each.get("callId") == result["callId"]:
            each |= {name: first for name in ("createdAt", "startedAt", "endedAt", "timestamp") if name in each}
    for name in ("call", "event"):
        records[name].sort(key=lambda each: each.get("createdAt") or each["timestamp"])


def never_closed(records: Records) -> None:
    """A call that failed, without an event that says so."""
    records["event"] = [
        each for each in records["event"] if (each["type"], each.get("callId")) != ("step.failed", "c5")
    ]


def skipped_too_early(records: Records, call_id: str) -> None:
    """A result of a call given up for a failed one, written before the last attempt of the failed one had ended."""
    results = records["result"]
    skipped = result_of(records, call_id)
    results.remove(skipped)
    results.insert(results.index(result_of(records, "c4")), skipped)


def skipped_before_it_was_cancelled(records: Records) -> None:
    """A step that was skipped long before anybody cancelled the run."""
    first = min(each["startedAt"] for each in records["result"])
    for each in (each for each in records["result"] if each["status"] == "skipped"):
        each.update(startedAt=first, endedAt=first)


@pytest.mark.parametrize(
    ("name", "change", "broken"),
    [
        ("timeout", stops_at_the_timeout, {"DEP-04"}),
        ("stopped", withdrawn_too_early, {"RES-17", "CANC-09"}),
        ("retried", never_closed, {"EVT-08"}),
        ("halted", partial(skipped_too_early, call_id="c5"), {"DEP-06"}),
        ("halted", partial(skipped_too_early, call_id="c6"), {"DEP-06"}),
        ("cancelled", skipped_before_it_was_cancelled, {"RES-17"}),
    ],
)
def test_an_end_that_does_not_fit_the_others_is_found(name: str, change: Change, broken: set[str]) -> None:
    """A timeout stops a run like any failure, nothing is given up before a failure, and what began is closed."""
    assert blamed(name, change) == broken


@pytest.mark.parametrize("limit", [10**15 - 1, 10**15, 10**15 + 1])
def test_a_limit_that_is_no_duration_is_counted_as_by_the_checks(limit: int) -> None:
    """Beyond thirty thousand years a number of milliseconds limits nothing (TIME-01)."""

    def change(records: Records) -> None:
        for record in (*records["run"], *records["call"]):
            record["policy"]["limits"].pop("maxTimeoutMs")
        for call in records["call"]:
            call["timeoutMs"] = limit
        hash_again(records)

    run = changed_in(compact(captured_in(EXAMPLES / "effects")), change)
    audited = audit_run(run)
    assert audited == audit_run(run, BY_CHECKS)
    assert ("TIME-01" in audited.kept) is (limit < 10**15)


@pytest.mark.parametrize(
    ("told", "broken"),
    [
        ({"type": "step.scheduled", "stepId": "s5"}, {"EVT-21"}),
        ({"type": "step.finished", "stepId": "s2"}, {"EVT-13", "EVT-21"}),
    ],
)
def test_only_the_end_of_its_own_loop_tells_of_an_empty_one(told: dict[str, Any], broken: set[str]) -> None:
    """
    Only the end of its own step can report a result that has no event of its own (EVT-21, A81).

    If the loop made calls, such an end belongs to none of them (EVT-13).
    """

    def change(records: Records) -> None:
        place = next(at for at, each in enumerate(records["event"]) if each.get("callId") == "c7")
        event = records["event"][place]
        records["event"][place] = {name: event[name] for name in event if name not in ("callId", "tool")} | told

    assert blamed("foreach", change) == broken


def unbuilt_row(records: Records, row: Any) -> None:
    """The last iteration, over this row, refused as one that could not be built; nothing stops the run."""
    loop = records["run"][0]["plan"]["steps"][1]
    loop["onError"] = "skip"
    loop["args"]["value"] = "{row.v}"
    rows = records["result"][0]["data"]["rows"] = [{"v": "one"}, {"v": "two"}, row]
    for call in records["call"][1:]:
        call["iteration"]["itemValue"] = rows[call["iteration"]["index"]]
    refused = records["result"][4]
    refused |= {"status": "error", "iteration": {"index": 2, "itemName": "row", "itemValue": row}}
    refused["error"] = {"code": "VALIDATION_ERROR", "message": "{row.v} leads to nothing"}
    closing = next(each for each in records["event"] if each.get("callId") == refused["callId"])
    closing |= {"type": "step.failed", "level": "error", "payload": {"status": "error"}}
    records["event"][-1]["payload"]["results"] = {"ok": 2, "error": 3, "skipped": 1}


@pytest.mark.parametrize(
    ("row", "broken"), [({"v": "three"}, {"REF-21"}), ({"v": 0}, {"REF-18"}), ({"v": []}, {"REF-18"}), ({}, set())]
)
def test_an_iteration_is_not_refused_for_what_is_there(row: Any, broken: set[str]) -> None:
    """An iteration is refused only for a value that is not there (REF-18, REF-21)."""
    assert blamed("halted", partial(unbuilt_row, row=row)) == broken


def withdrawn_after_a_wish(records: Records, reason: str) -> None:
    """A call that waited, withdrawn for this reason after a person had cancelled another call that it needs."""
    first = result_of(records, "c1")
    first |= {"status": "cancelled", "error": {"code": "CANCELLED", "message": "Stop", "details": {"reason": "user"}}}
    step_of(records, result_of(records, "c3"))["dependsOn"] = ["s1"]
    result_of(records, "c3")["error"]["details"]["reason"] = reason
    closing = next(e for e in records["event"] if (e["type"], e.get("callId")) == ("step.failed", "c1"))
    closing["payload"]["status"] = "cancelled"
    records["event"][-1]["payload"]["results"] = {"cancelled": 3, "skipped": 1}


@pytest.mark.parametrize(("reason", "laws"), [("sibling_failed", ["DEP-02"]), ("user", [])])
def test_a_call_without_its_dependency_is_skipped_where_nothing_failed_either(reason: str, laws: list[str]) -> None:
    """A cancelled step did not end ok; a step that needs it is skipped, unless the user cancelled it too (DEP-02)."""
    assert blamed("stopped", partial(withdrawn_after_a_wish, reason=reason)) == set(laws)


def kept(name: str, change: Change) -> set[str]:
    """The laws that an example run keeps after a change that leaves it proved, the same both ways."""
    run = example(name, change)
    audited = audit_run(run)
    assert prove(run) is not None
    assert audited == audit_run(run, BY_CHECKS)
    return set(audited.kept)


def failed_with(records: Records, reason: str) -> None:
    """Let the one call that took time begin and fail for this reason."""
    result_of(records, "c1")["error"] |= {"code": "INTERNAL_ERROR", "details": {"reason": reason}}
    other = result_of(records, "c2")
    other |= {"startedAt": other["endedAt"], "durationMs": 0}
    records["event"] = [e for e in records["event"] if (e["type"], e.get("callId")) != ("step.started", "c2")]


@pytest.mark.parametrize(("reason", "evident"), [("hook_failed", False), ("no_memory", True)])
def test_a_hook_that_failed_is_no_sign_of_a_dispatch(reason: str, *, evident: bool) -> None:
    """A call whose result says that its hook failed was refused, however long it took (EVT-14, A76)."""
    assert ("EVT-14" in kept("stopped", partial(failed_with, reason=reason))) is evident


def given_up_for(records: Records, told: Any) -> None:
    """Let what the failed loop left undone be given up for this reason."""
    for call_id in ("c5", "c6"):
        result_of(records, call_id).update(copy.deepcopy(told))


@pytest.mark.parametrize(
    ("told", "for_the_failure"),
    [
        ({}, True),
        ({"userMessage": "Skipped: tool_unavailable"}, False),
        ({"error": {"code": "TOOL_UNAVAILABLE", "message": "It was removed"}}, False),
        ({"error": {"code": "GONE", "message": "It was removed", "details": {"reason": "tool_unavailable"}}}, False),
    ],
)
def test_who_went_without_a_tool_waited_for_no_attempt(told: Any, *, for_the_failure: bool) -> None:
    """A step that was skipped since its tool was not there was not given up because of a failure (DEP-06, A51)."""
    assert ("DEP-06" in kept("halted", partial(given_up_for, told=told))) is for_the_failure


def test_a_step_that_could_not_be_built_stops_the_run_when_its_record_says_so() -> None:
    """What begins after the moment in the record comes too late, whatever the time of the event (DEP-04)."""

    def change(records: Records) -> None:
        refused = result_of(records, "c4")
        step_of(records, refused)["onError"] = "stop"
        refused |= dict.fromkeys(("startedAt", "endedAt"), "2026-01-05T09:00:20.000Z")

    assert "DEP-04" in blamed("refused", change)


@pytest.mark.parametrize(("message", "broken"), [("{row.v} leads to nothing", set()), ("no value", {"REF-24"})])
def test_a_failure_that_names_no_reference_is_not_proved(message: str, broken: set[str]) -> None:
    """An iteration or a step whose reference leads to nothing says which one (REF-24)."""

    def iteration(records: Records) -> None:
        unbuilt_row(records, {})
        records["result"][4]["error"]["message"] = message

    def step(records: Records) -> None:
        error = result_of(records, "c4")["error"]
        del error["details"]
        error["message"] = message.replace("{row.v}", "$steps.s3.filePath")

    assert blamed("halted", iteration) == broken
    assert blamed("refused", step) == broken


@pytest.mark.parametrize(
    ("reason", "broken"),
    [
        ("UNKNOWN_TOOL", {"ERR-10"}),
        ("Hook_Failed", set()),
        ("FILE_NOT_FOUND", {"ERR-01"}),
        ("NO_MEMORY", set()),
    ],
)
def test_a_failure_name_in_another_case_is_judged_alike(reason: str, broken: set[str]) -> None:
    """A name in details.reason is the same name in any case (ERR-10)."""
    assert blamed("stopped", partial(failed_with, reason=reason)) == broken


@pytest.mark.parametrize(
    ("name", "expires", "broken"),
    [
        ("expired", "2026-01-05T10:00:00.000Z", {"CONF-06"}),
        ("expired", "2026-01-05T09:00:30.000Z", set()),
        ("rejected", "2026-01-05T09:01:05.000Z", {"CONF-06"}),
        ("rejected", "2026-01-05T09:00:15.000Z", set()),
    ],
)
def test_a_run_that_expired_before_its_time_is_not_proved(name: str, expires: str, broken: set[str]) -> None:
    """Nobody failed to answer while there was still time (CONF-06)."""

    def change(records: Records) -> None:
        records["run"][0]["confirmation"]["expiresAt"] = expires
        cancelled = next(each for each in records["event"] if each["type"] == "run.cancelled")
        cancelled["payload"]["reason"] = "confirmation_expired"

    assert blamed(name, change) == broken
