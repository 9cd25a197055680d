"""Runs whose loops, whose frame of events or whose decision breaks a law: none of them is proved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from auditing.mutations import Records
from auditing.test_prover_endings import blamed, result_of

Change = Callable[[Records], None]


def event_of(records: Records, kind: str, call_id: str | None = None) -> Any:
    return next(each for each in records["event"] if each["type"] == kind and each.get("callId") == call_id)


def above_the_policy(records: Records) -> None:
    """A call with the limit of its step, which is above that of the policy."""
    for holder in (records["run"][0]["plan"]["steps"][0], records["call"][0]):
        holder["timeoutMs"] = 40_000
        holder.pop("deadlineAt", None)


def progress_of_nothing(records: Records) -> None:
    """Progress of a step, without a call."""
    event = event_of(records, "step.started", "c1")
    told = {name: value for name, value in event.items() if name != "callId"} | {"type": "step.progress"}
    records["event"].insert(records["event"].index(event) + 1, told)


def started_second(records: Records) -> None:
    """A run that starts after its first call was scheduled."""
    started, first = records["event"][:2]
    first["timestamp"] = started["timestamp"]
    records["event"][:2] = [first, started]
    records["call"][0]["createdAt"] = max(records["call"][0]["createdAt"], started["timestamp"])


def decided_for_nobody(records: Records) -> None:
    """A decision in the run record that no policy asks for."""
    told = {"confirmationId": "c", "decision": "approved", "decidedAt": records["event"][0]["timestamp"]}
    records["run"][0]["confirmation"] = told


def asked_for_nothing(records: Records, kind: str) -> None:
    """A question, or an answer, that no policy asks for."""
    started = records["event"][0]
    records["event"].insert(1, started | {"type": kind, "payload": {"confirmationId": "c"}})


def answered_first(records: Records) -> None:
    """An answer that stands before its question, both of the same moment."""
    asked, confirmed = event_of(records, "run.confirmationRequested"), event_of(records, "run.confirmed")
    asked["timestamp"] = confirmed["timestamp"]
    one, other = records["event"].index(asked), records["event"].index(confirmed)
    records["event"][one], records["event"][other] = confirmed, asked


def decided_otherwise(records: Records) -> None:
    """A decision in the run record that differs from the answer in the events."""
    records["run"][0]["confirmation"]["decision"] = "rejected"


def skipped_though_empty(records: Records) -> None:
    """A loop over nothing that was skipped for a reason of its own."""
    result_of(records, "c7")["userMessage"] = "Skipped"
    event_of(records, "step.finished", "c7")["payload"] = {"status": "skipped"}


def no_instant(records: Records, name: str) -> None:
    """A text in the run record that should be an instant, but is not one."""
    record = records["run"][0]
    (record if name == "createdAt" else record["confirmation"])[name] = "2026-01-05 09:00"


def second_attempt_alone(records: Records) -> None:
    """A call that was never built, recorded as a second attempt."""
    result_of(records, "c3")["attempt"] = 2


def failed_while_it_waited(records: Records) -> None:
    """A call that was waiting when the run was cancelled, and ended as if it had run."""
    result = result_of(records, "c3")
    result |= {"status": "error", "error": {"code": "INTERNAL_ERROR", "message": "It failed"}}
    event_of(records, "step.failed", "c3").update(payload={"status": "error"}, level="error")
    records["event"][-1]["payload"]["results"] = {"ok": 1, "error": 1, "cancelled": 1, "skipped": 1}


def built_afterwards(records: Records) -> None:
    """A call that was built two seconds after the run was cancelled."""
    for each in (*records["call"], *records["result"]):
        if each["callId"] == "c3":
            names = ("createdAt", "startedAt", "endedAt")
            each.update({name: "2026-01-05T09:00:32.020Z" for name in names if name in each})
    records["call"].sort(key=lambda each: str(each["createdAt"]))
    closing = event_of(records, "step.failed", "c3")
    closing["timestamp"] = "2026-01-05T09:00:32.030Z"
    records["event"].sort(key=lambda each: str(each["timestamp"]))


def marked_nowhere(records: Records, kind: str) -> None:
    """A mark of redaction that leads to no place of its record."""
    records[kind][0]["redacted"] = ["/nowhere"]


def one_at_a_time(records: Records) -> None:
    """A loop that asks for one iteration at a time."""
    for step in records["run"][0]["plan"]["steps"]:
        if "foreach" in step:
            step["foreach"]["concurrency"] = 1


@pytest.mark.parametrize(
    ("name", "change", "broken"),
    [
        ("linear", above_the_policy, {"TIME-10"}),
        ("unconfirmed", progress_of_nothing, {"EVT-13"}),
        ("unconfirmed", started_second, {"EVT-03"}),
        ("unconfirmed", decided_for_nobody, {"CONF-09"}),
        ("unconfirmed", partial(asked_for_nothing, kind="run.confirmationRequested"), {"CONF-09"}),
        ("unconfirmed", partial(asked_for_nothing, kind="run.confirmed"), {"CONF-09"}),
        ("effects", answered_first, {"CONF-08"}),
        ("effects", decided_otherwise, {"CONF-04"}),
        ("foreach", skipped_though_empty, {"LOOP-06", "DEP-05"}),
        ("effects", partial(no_instant, name="createdAt"), {"TIME-09"}),
        ("effects", partial(no_instant, name="decidedAt"), {"TIME-09"}),
        ("effects", partial(no_instant, name="expiresAt"), {"TIME-09"}),
        ("linear", partial(marked_nowhere, kind="run"), {"LOG-17"}),
        ("linear", partial(marked_nowhere, kind="event"), {"LOG-17"}),
        ("timeout", second_attempt_alone, {"RES-02"}),
        ("cancelled", failed_while_it_waited, {"CANC-11"}),
        ("cancelled", built_afterwards, {"CANC-11"}),
        ("foreach", one_at_a_time, {"LOOP-09", "LOOP-14"}),
    ],
)
def test_what_a_law_refuses_is_not_proved(name: str, change: Change, broken: set[str]) -> None:
    """One place of a run is changed, with all that depends on it, so that little but this law is broken."""
    assert blamed(name, change) == broken
