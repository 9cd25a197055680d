"""Calls that blame a sibling, or come after the run was cancelled: none is proved against a law (CANC-09, RETRY-07)."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from auditing.mutations import Records
from auditing.test_prover_endings import BY_CHECKS, Change, blamed, example, result_of
from callproof.auditing.one_run import audit_run


def blames_its_siblings(records: Records, call_id: str, **times: Any) -> None:
    """Let this call, in the records of a run, be cancelled because another one failed, as it says."""
    told = result_of(records, call_id)
    for name in ("data", "dataHash"):
        told.pop(name, None)
    error = {"code": "CANCELLED", "message": "Another step failed", "details": {"reason": "sibling_failed"}}
    told |= {"status": "cancelled", "ok": False, "error": error, "userMessage": "Stopped"} | times
    closing = next(e for e in records["event"] if (e["type"], e.get("callId")) == ("step.finished", call_id))
    closing |= {"type": "step.failed", "level": "error", "payload": {"status": "cancelled"}}
    last = records["event"][-1]
    counts = last["payload"]["results"]
    counts["ok"] -= 1
    counts["cancelled"] = counts.get("cancelled", 0) + 1
    last["payload"]["status"] = "error"
    last["level"] = "error"


def never_begun(records: Records, call_id: str, **times: Any) -> None:
    """The same of a call that was still waiting."""
    blames_its_siblings(records, call_id, **times)
    records["event"] = [e for e in records["event"] if (e["type"], e.get("callId")) != ("step.started", call_id)]


WAITED: dict[str, Any] = {"endedAt": "2026-01-05T09:00:14.000Z", "durationMs": 0}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("diamond", partial(blames_its_siblings, call_id="c3")),
        ("unconfirmed", partial(blames_its_siblings, call_id="c2")),
        ("unconfirmed", partial(never_begun, call_id="c2", **WAITED)),
        ("foreach", partial(blames_its_siblings, call_id="c2")),
    ],
    ids=["beside-a-failure-that-stops-nothing", "nothing-failed", "nothing-failed-and-it-waited", "in-a-loop"],
)
def test_who_blames_a_sibling_is_proved_only_if_one_stopped_it(name: str, change: Change) -> None:
    """The reason `sibling_failed` is refuted if no failure had stopped the run by then (CANC-09)."""
    assert "CANC-09" in blamed(name, change)


@pytest.mark.parametrize(
    ("ended", "broken"),
    [("09.000", {"CANC-09"}), ("11.500", set()), ("12.020", set())],
    ids=["early", "nearly", "then"],
)
def test_a_failure_stops_others_when_it_has_ended(ended: str, broken: set[str]) -> None:
    """The failure ended at 12.000, and two stamps may lie a second apart (CANC-09, A34)."""

    def change(records: Records) -> None:
        began = datetime.fromisoformat("2026-01-05T09:00:08+00:00")
        took = datetime.fromisoformat(f"2026-01-05T09:00:{ended}+00:00") - began
        told = {"endedAt": f"2026-01-05T09:00:{ended}Z", "durationMs": took // timedelta(milliseconds=1)}
        result_of(records, "c2").update(told)

    run = example("stopped", change)
    audited = audit_run(run)
    assert audited == audit_run(run, BY_CHECKS)
    assert set(audited.broken) == broken


@pytest.mark.parametrize("waits", [True, False])
def test_an_attempt_is_not_made_after_the_run_was_cancelled(waits: bool) -> None:
    """The run is cancelled, and a second attempt follows, which begins or waits in vain (RETRY-07)."""

    def change(records: Records) -> None:
        at = next(n for n, e in enumerate(records["event"]) if (e["type"], e.get("callId")) == ("step.failed", "c1"))
        told = {"type": "run.cancelled", "runId": "run-recovered", "timestamp": "2026-01-05T09:00:26.000Z"}
        records["event"].insert(
            at + 1, {**told, "level": "warn", "message": "Cancelled", "payload": {"reason": "user"}}
        )
        if waits:
            records["event"] = [e for e in records["event"] if (e["type"], e.get("callId")) != ("step.started", "c2")]

    assert "RETRY-07" in blamed("recovered", change)
