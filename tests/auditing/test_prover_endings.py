"""Runs whose calls end, or are tried again, as no law has it: none of them is proved, and both ways blame the same."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from auditing.mutations import Records, changed_in, compact, hash_again
from callproof.auditing.one_run import Rules, audit_run
from callproof.auditing.prover import prove
from callproof.auditlog.folder import captured_in
from callproof.resources import SPEC

Change = Callable[[Records], None]

BY_CHECKS = Rules(fast_path=False)
EXAMPLES = Path(str(SPEC / "examples"))


def blamed(name: str, change: Change) -> set[str]:
    """The laws that an example run breaks after a change; both ways, and nothing of it is proved."""

    def changed(records: Records) -> None:
        change(records)
        hash_again(records)

    run = changed_in(compact(captured_in(EXAMPLES / name)), changed)
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
    """Arguments and policies are what they were, whatever the word on it (RETRY-06)."""
    assert blamed("refused", partial(tried_again, call_id=call_id)) == {"RETRY-06"}
    assert blamed("refused", partial(tried_again, call_id=call_id, retryable=True)) == {"RETRY-06"}


@pytest.mark.parametrize("code", ["VALIDATION_ERROR", "POLICY_DENIED", "NOT_FOUND", "CONFLICT"])
def test_a_code_that_ends_a_call_is_followed_by_no_other_attempt(code: str) -> None:
    """Of a call that was dispatched, too: no attempt follows, unless the tool asks for one (RETRY-04, RETRY-06)."""

    def change(records: Records) -> None:
        error = records["result"][0]["error"]
        error.update(code=code, message="It ended so")
        del error["retryable"]

    refused = code in {"VALIDATION_ERROR", "POLICY_DENIED"}
    assert blamed("retried", change) == {"RETRY-06" if refused else "RETRY-04"}


def told_as_a_warning(records: Records, call_id: str, **error: Any) -> None:
    """A failure whose step.failed has the level of one that is tried again."""
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
    """No attempt follows it, and none would have been right (EVT-16, A85)."""
    assert blamed(name, partial(told_as_a_warning, call_id=call_id, **error)) == {"EVT-16"}


def limited_by_a_deadline(records: Records, seconds: float) -> None:
    """Calls without a limit, of which the one that timed out has a deadline so long after its end."""
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
