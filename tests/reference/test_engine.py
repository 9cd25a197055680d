"""The behaviour of a run: order, values, retries, time, cancellation, confirmation. Expected values are hand-made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from callproof_reference.tools import REGISTRY, WORK
from callproof_reference.values import Failure
from reference_suite import Suite, plan, policy, step, tool


@pytest.fixture
def suite() -> Iterator[Suite]:
    """The suite's side of a conversation with the executor."""
    suite = Suite()
    yield suite
    suite.close()


def loop(source: str, **more: object) -> dict[str, object]:
    """A foreach that loops over the value of a reference."""
    return {"from": source, "itemName": "item", **more}


RETRY = {"maxAttempts": 3, "backoffMs": 100}


class TestValues:
    """References in a run."""

    def test_a_reference_hands_on_data_with_its_type(self, suite: Suite) -> None:
        """REF-01, REF-11: the whole data or a member; it keeps its type when alone and becomes text within text."""
        args = {"whole": "$steps.a", "one": "$steps.a.n", "text": "n={$steps.a.n}!"}
        suite.start(plan(step("a", args={"n": 1}), step("b", args=args)))
        suite.echo_all()
        assert suite.records("call")[1]["args"] == {"whole": {"n": 1}, "one": 1, "text": "n=1!"}
        assert suite.statuses() == [("a", "ok"), ("b", "ok")]

    def test_a_variable_is_the_output_of_the_step_that_captures_it(self, suite: Suite) -> None:
        """REF-05."""
        suite.start(plan(step("b", args={"v": "$vars.k.n"}), step("a", args={"n": [2]}, captureAs="k")))
        suite.echo_all()
        assert suite.records("call")[1]["args"] == {"v": [2]}

    def test_an_optional_field_that_is_absent_fails_its_step_before_dispatch(self, suite: Suite) -> None:
        """REF-04, A2: there is only a result, with a callId of its own."""
        suite.start(plan(step("a"), step("b", args={"v": "$steps.a.gone"})))
        suite.echo_all()
        result = suite.records("result")[1]
        assert len(suite.records("call")) == 1
        assert (result["status"], result["error"]["code"]) == ("error", "VALIDATION_ERROR")
        assert "$steps.a.gone" in result["error"]["message"]
        assert result["durationMs"] == 0

    def test_a_result_carries_what_the_host_observed(self, suite: Suite) -> None:
        """EFF-10: the result carries it completely, whatever the outcome."""
        seen = {"created": [{"path": "a.md", "kind": "file"}]}
        suite.start(plan(step("a", onError="skip"), step("b")))
        suite.fail(suite.invocation(0), observed=seen)
        suite.answer(suite.invocation(1), output={}, observed=seen)
        assert [result["effects"] for result in suite.records("result")] == [seen, seen]


class TestLoops:
    """Foreach."""

    def test_each_item_is_one_call_in_order(self, suite: Suite) -> None:
        """LOOP-01, LOOP-02, LOOP-09: with concurrency one, the calls run one after the other."""
        args = {"v": "{item.n}", "at": "{index}"}
        suite.start(
            plan(step("a", args={"l": [{"n": 0}, {"n": None}]}), step("b", args=args, foreach=loop("$steps.a.l")))
        )
        suite.answer(suite.invocation(), output={"l": [{"n": 0}, {"n": None}]})
        assert len(suite.sent("tool/invoke")) == 2
        suite.answer(suite.invocation(), output={"r": 1})
        suite.answer(suite.invocation(), output={"r": 2})
        calls = suite.records("call")[1:]
        assert [call["args"] for call in calls] == [{"v": 0, "at": 0}, {"v": None, "at": 1}]
        assert calls[1]["iteration"] == {"index": 1, "itemName": "item", "itemValue": {"n": None}}
        assert calls[0]["loopId"] == calls[1]["loopId"]

    def test_the_output_of_a_loop_is_in_index_order(self, suite: Suite) -> None:
        """REF-20: the order of completion does not matter."""
        looped = step("b", args={"v": "{item}"}, foreach=loop("$steps.a.l", concurrency=3))
        suite.start(plan(step("a"), looped, step("c", args={"all": "$steps.b"})))
        suite.answer(suite.invocation(), output={"l": ["x", "y", "z"]})
        for number in (3, 1, 2):
            request = suite.invocation(number)
            suite.answer(request, output=request["params"]["args"])
        suite.echo_all()
        assert suite.records("call")[-1]["args"] == {"all": [{"v": "x"}, {"v": "y"}, {"v": "z"}]}

    def test_no_more_iterations_are_open_than_the_loop_allows(self, suite: Suite) -> None:
        """LOOP-13."""
        suite.start(plan(step("a"), step("b", foreach=loop("$steps.a.l", concurrency=2))))
        suite.answer(suite.invocation(), output={"l": [1, 2, 3]})
        assert len(suite.sent("tool/invoke")) == 3

    def test_an_empty_loop_is_skipped_and_counts_as_ok(self, suite: Suite) -> None:
        """LOOP-06, A81."""
        suite.start(plan(step("a"), step("b", foreach=loop("$steps.a.l")), step("c", args={"all": "$steps.b"})))
        suite.answer(suite.invocation(), output={"l": []})
        suite.echo_all()
        assert suite.statuses() == [("a", "ok"), ("b", "skipped"), ("c", "ok")]
        assert suite.records("event")[-1]["payload"] == {"status": "ok", "results": {"ok": 2, "skipped": 1}}

    def test_a_source_that_is_no_array_fails_the_step(self, suite: Suite) -> None:
        """REF-26."""
        suite.start(plan(step("a"), step("b", foreach=loop("$steps.a.l"))))
        suite.answer(suite.invocation(), output={"l": "text"})
        assert suite.records("result")[1]["error"]["details"]["reason"] == "foreach_source"

    def test_a_failed_iteration_stops_the_rest(self, suite: Suite) -> None:
        """LOOP-08, DEP-04, A73."""
        suite.start(plan(step("a"), step("b", foreach=loop("$steps.a.l"))))
        suite.answer(suite.invocation(), output={"l": [1, 2]})
        suite.fail(suite.invocation(), retryable=False)
        assert suite.statuses() == [("a", "ok"), ("b", "error"), ("b", "skipped")]
        assert suite.records("result")[2]["iteration"]["index"] == 1

    def test_a_failed_iteration_that_may_be_skipped_leaves_the_others_alone(self, suite: Suite) -> None:
        """LOOP-08: the step as a whole did not end ok, so its dependents are skipped."""
        looped = step("b", foreach=loop("$steps.a.l"), onError="skip")
        suite.start(plan(step("a"), looped, step("c", dependsOn=["b"]), step("d")))
        suite.answer(suite.invocation(1), output={})
        suite.answer(suite.invocation(0), output={"l": [1, 2]})
        suite.fail(suite.invocation())
        suite.answer(suite.invocation(), output={})
        assert suite.statuses() == [("d", "ok"), ("a", "ok"), ("b", "error"), ("b", "ok"), ("c", "skipped")]


class TestScheduling:
    """Dependencies, slots, onError."""

    def test_a_step_waits_for_what_it_depends_on(self, suite: Suite) -> None:
        """DEP-01."""
        suite.start(plan(step("b", dependsOn=["a"]), step("a")))
        assert [m["params"]["callId"] for m in suite.sent("tool/invoke")] == [suite.records("call")[0]["callId"]]
        suite.echo_all()
        assert suite.statuses() == [("a", "ok"), ("b", "ok")]

    def test_open_calls_never_exceed_the_slots(self, suite: Suite) -> None:
        """DEP-03, TIME-03: the third call is recorded, waits, and starts when a slot is free."""
        suite.start(plan(step("a"), step("b"), step("c")), policy=policy(maxConcurrency=2))
        assert (len(suite.records("call")), len(suite.sent("tool/invoke"))) == (3, 2)
        suite.advance(70)
        suite.answer(suite.invocation(0), output={})
        assert len(suite.sent("tool/invoke")) == 3
        suite.answer(suite.invocation(2), output={})
        call, result = suite.records("call")[2], suite.records("result")[1]
        assert call["createdAt"] == "2026-01-01T00:00:00.000Z"
        assert result["startedAt"] == "2026-01-01T00:00:00.070Z"

    def test_a_failure_stops_what_waits_and_skips_what_is_not_built(self, suite: Suite) -> None:
        """DEP-04, A86: open calls go on, queued calls end cancelled, and all other steps are skipped."""
        limited = policy(maxConcurrency=2)
        suite.start(plan(step("a"), step("b"), step("c"), step("d", dependsOn=["b"])), policy=limited)
        suite.fail(suite.invocation(0))
        suite.answer(suite.invocation(1), output={})
        assert suite.statuses() == [("a", "error"), ("c", "cancelled"), ("b", "ok"), ("d", "skipped")]
        assert suite.records("result")[1]["error"]["details"]["reason"] == "a failed"
        assert suite.records("event")[-1]["payload"]["status"] == "error"
        assert "run.cancelled" not in suite.events()

    def test_skip_lets_independent_steps_run(self, suite: Suite) -> None:
        """DEP-02, DEP-05."""
        suite.start(plan(step("a", onError="skip"), step("b", dependsOn=["a"]), step("c")))
        suite.fail(suite.invocation(0))
        suite.answer(suite.invocation(1), output={})
        assert suite.statuses() == [("a", "error"), ("b", "skipped"), ("c", "ok")]


class TestRetries:
    """Attempts."""

    def test_attempts_follow_each_other_after_the_backoff(self, suite: Suite) -> None:
        """RETRY-01, RETRY-02, RETRY-11, RETRY-18: each attempt has equal args and a fresh callId."""
        suite.start(plan(step("a", args={"n": 1}, retry=RETRY)))
        suite.fail(suite.invocation(), retryable=True)
        suite.advance(99)
        assert len(suite.sent("tool/invoke")) == 1
        suite.advance(1)
        suite.answer(suite.invocation(), output={})
        first, second = suite.records("call")
        assert (first["attempt"], second["attempt"]) == (1, 2)
        assert first["callId"] != second["callId"]
        assert first["argsHash"] == second["argsHash"]
        assert [event["level"] for event in suite.records("event") if event["type"] == "step.failed"] == ["warn"]
        assert suite.statuses() == [("a", "error"), ("a", "ok")]

    def test_backoff_holds_no_slot(self, suite: Suite) -> None:
        """RETRY-18."""
        suite.start(plan(step("a", retry=RETRY), step("b")), policy=policy(maxConcurrency=1))
        suite.fail(suite.invocation(), retryable=True)
        suite.answer(suite.invocation(), output={})
        assert suite.statuses() == [("a", "error"), ("b", "ok")]

    def test_the_policy_lowers_the_attempts_and_says_so(self, suite: Suite) -> None:
        """RETRY-03, RETRY-17."""
        suite.start(plan(step("a", retry=RETRY)), policy=policy(maxAttempts=2, other=1))
        for _ in range(2):
            suite.fail(suite.invocation(), retryable=True)
            suite.advance(100)
        assert suite.statuses() == [("a", "error"), ("a", "error")]
        clamped = [{"member": "retry.maxAttempts", "from": 3, "to": 2, "steps": ["a"]}]
        assert suite.records("event")[0]["payload"] == {"clamped": clamped, "unknownLimits": ["other"]}
        levels = [event["level"] for event in suite.records("event") if event["type"] == "step.failed"]
        assert levels == ["warn", "error"]

    @pytest.mark.parametrize(
        ("code", "retryable", "attempts"),
        [
            ("INTERNAL_ERROR", True, 2),
            ("INTERNAL_ERROR", None, 2),
            ("INTERNAL_ERROR", False, 1),
            ("NOT_FOUND", None, 1),
            ("NOT_FOUND", True, 2),
            ("CONFLICT", None, 1),
            ("VALIDATION_ERROR", True, 1),
            ("POLICY_DENIED", True, 1),
        ],
    )
    def test_the_tools_word_and_the_code_decide(
        self, suite: Suite, code: str, retryable: bool | None, attempts: int
    ) -> None:
        """RETRY-04, RETRY-06, A5, A46, A66."""
        suite.start(plan(step("a", retry={"maxAttempts": 2, "backoffMs": 0})))
        suite.fail(suite.invocation(), code, **({} if retryable is None else {"retryable": retryable}))
        assert len(suite.sent("tool/invoke")) == attempts
        error = suite.records("result")[0]["error"]
        assert (error["code"], error.get("retryable")) == (code, retryable)

    def test_without_retry_there_is_one_attempt(self, suite: Suite) -> None:
        """RETRY-19, A66."""
        suite.start(plan(step("a", onError="retry")), policy=policy(maxAttempts=5))
        suite.fail(suite.invocation(), retryable=True)
        suite.advance(10_000)
        assert suite.statuses() == [("a", "error")]


class TestErrors:
    """Failures of a tool."""

    def test_a_tool_that_breaks_is_not_quoted(self, suite: Suite) -> None:
        """ERR-05, MSG-07."""
        suite.start(plan(step("a")))
        suite.error(suite.invocation(), -32011)
        assert suite.records("result")[0]["error"]["code"] == "INTERNAL_ERROR"
        assert "secret" not in str(suite.heard)

    def test_a_code_that_nobody_knows_is_kept_in_details(self, suite: Suite) -> None:
        """ERR-09, RES-13."""
        suite.start(plan(step("a")))
        suite.fail(suite.invocation(), "TIMEOUT")
        error = suite.records("result")[0]["error"]
        assert (error["code"], error["details"]["toolCode"]) == ("INTERNAL_ERROR", "TIMEOUT")

    @pytest.mark.parametrize("output", [{"n": "1"}, {"n": 1, "m": 2}, [], "text"])
    def test_output_against_the_schema_is_an_error(self, suite: Suite, output: object) -> None:
        """RES-07, A16."""
        schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
        suite.start(plan(step("a")), tool(outputSchema=schema))
        suite.answer(suite.invocation(), output=output, observed={"created": []})
        result = suite.records("result")[0]
        assert (result["status"], result["error"]["code"], result["error"]["retryable"]) == (
            "error",
            "INTERNAL_ERROR",
            False,
        )
        assert result["error"]["details"]["reason"] == "output_schema"
        assert result["effects"] == {"created": []}

    @pytest.mark.parametrize("output", [{"n": float("nan")}, {"s": "\ud800"}, {"b": b"x"}])
    def test_output_that_json_cannot_hold_is_an_error(self, suite: Suite, output: object) -> None:
        """RES-22, A28."""
        suite.start(plan(step("a")))
        suite.answer(suite.invocation(), output=output)
        assert suite.records("result")[0]["error"]["details"]["reason"] == "unserialisable"

    def test_no_output_is_an_empty_object(self, suite: Suite) -> None:
        """RES-06, A24."""
        suite.start(plan(step("a")))
        suite.answer(suite.invocation(), output=None)
        assert suite.records("result")[0]["data"] == {}

    def test_arguments_against_the_schema_are_refused(self, suite: Suite) -> None:
        """VAL-01, A2: there is a call, a result and a step.failed, but no step.started."""
        suite.start(
            plan(step("a", args={"n": "$steps.b.n"}), step("b")),
            tool(inputSchema={"properties": {"n": {"type": "integer"}}}),
        )
        suite.answer(suite.invocation(), output={"n": "1"})
        assert suite.records("call")[1]["args"] == {"n": "1"}
        assert suite.records("result")[1]["error"]["code"] == "VALIDATION_ERROR"
        about_a = [event["type"] for event in suite.records("event") if event.get("stepId") == "a"]
        assert about_a == ["step.failed"]


class TestTime:
    """Timeouts."""

    def test_a_call_past_its_limit_is_closed_at_the_limit(self, suite: Suite) -> None:
        """TIME-01, TIME-04, A58: the grace period adds what was observed, but changes no time."""
        suite.start(plan(step("a", timeoutMs=50)))
        suite.advance(50)
        assert suite.sent("tool/abort")[0]["params"]["reason"] == "timeout"
        assert suite.statuses() == []
        suite.advance(10)
        suite.answer(suite.invocation(), output={"late": 1}, observed={"created": []})
        result = suite.records("result")[0]
        assert (result["status"], result["error"]["code"], result["durationMs"]) == ("timeout", "TIMEOUT", 50)
        assert result["effects"] == {"created": []}
        assert "data" not in result

    def test_a_tool_that_ignores_its_abort_is_left_behind(self, suite: Suite) -> None:
        """RES-20: a late answer of the tool changes nothing."""
        suite.start(plan(step("a", timeoutMs=50)))
        suite.advance(200)
        suite.answer(suite.invocation(), output={"late": 1})
        assert suite.statuses() == [("a", "timeout")]
        assert suite.records("event")[-1]["type"] == "run.finished"

    def test_a_call_that_ends_in_time_is_ok(self, suite: Suite) -> None:
        """TIME-02."""
        suite.start(plan(step("a", timeoutMs=50)))
        suite.advance(49)
        suite.answer(suite.invocation(), output={})
        suite.advance(1000)
        assert suite.statuses() == [("a", "ok")]

    def test_a_limit_that_begins_at_once_is_told_as_a_deadline(self, suite: Suite) -> None:
        """CALL-19, TIME-12: a call that has to wait, or whose limit is unreachably late, gets no deadline."""
        limits = [step("a", timeoutMs=50), step("b", timeoutMs=50), step("c", timeoutMs=10**18)]
        suite.start(plan(*limits), policy=policy(maxConcurrency=1))
        suite.echo_all()
        deadlines = [call.get("deadlineAt") for call in suite.records("call")]
        assert deadlines == ["2026-01-01T00:00:00.050Z", None, None]

    def test_the_policy_bounds_the_timeout_and_is_its_default(self, suite: Suite) -> None:
        """TIME-10, A67."""
        suite.start(plan(step("a", timeoutMs=5000), step("b")), policy=policy(maxTimeoutMs=100))
        assert [call["timeoutMs"] for call in suite.records("call")] == [100, 100]

    def test_a_tool_that_cannot_be_aborted_is_not(self, suite: Suite) -> None:
        """CALL-09."""
        suite.start(plan(step("a", timeoutMs=50)), tool(cancellable=False))
        suite.advance(50)
        assert suite.sent("tool/abort") == []
        assert suite.statuses() == [("a", "timeout")]

    def test_an_unguarded_write_is_not_retried_by_default_after_a_timeout(self, suite: Suite) -> None:
        """RETRY-15: but the step's own retry settings apply."""
        defaults = {"retry": {"maxAttempts": 2, "backoffMs": 0}, "onError": "skip"}
        steps = step("a", timeoutMs=50), step("b", timeoutMs=50, retry=defaults["retry"])
        suite.start(plan(*steps, defaults=defaults), tool(riskLevel="writes"))
        suite.advance(1000)
        assert sorted(suite.statuses()) == [("a", "timeout"), ("b", "timeout"), ("b", "timeout")]


class TestCancellation:
    """Cancelling in every phase of a run."""

    def cancel(self, suite: Suite) -> None:
        assert suite.ask("run/cancel", runId=suite.run_id, reason="enough")["result"] == {}
        suite.barrier()

    def test_open_calls_end_and_waiting_ones_never_begin(self, suite: Suite) -> None:
        """CANC-01 to CANC-05, CANC-11: the call that cannot be cancelled runs on."""
        limited = policy(maxConcurrency=2)
        steps = step("a"), step("b", "stubborn"), step("c"), step("d", dependsOn=["a"])
        suite.start(plan(*steps), tool(), tool("stubborn", cancellable=False), policy=limited)
        self.cancel(suite)
        self.cancel(suite)
        assert [m["params"]["reason"] for m in suite.sent("tool/abort")] == ["cancelled"]
        suite.answer(suite.invocation(0), output={"too": "late"}, observed={"deleted": []})
        suite.answer(suite.invocation(1), output={"true": 1})
        results = {result["stepId"]: result for result in suite.records("result")}
        assert {name: r["status"] for name, r in results.items()} == {
            "a": "cancelled",
            "b": "ok",
            "c": "cancelled",
            "d": "skipped",
        }
        assert results["a"]["effects"] == {"deleted": []}
        assert results["c"]["durationMs"] == 0
        assert suite.events().count("run.cancelled") == 1
        assert suite.records("event")[-1]["payload"]["status"] == "cancelled"
        assert len(suite.sent("run/finished")) == 1

    def test_a_cancel_during_backoff_ends_the_retries(self, suite: Suite) -> None:
        """RETRY-07."""
        suite.start(plan(step("a", retry={"maxAttempts": 3})))
        suite.fail(suite.invocation(), retryable=True)
        self.cancel(suite)
        suite.advance(10_000)
        assert suite.statuses() == [("a", "error")]

    def test_a_cancel_after_the_end_changes_nothing(self, suite: Suite) -> None:
        """CANC-07."""
        suite.start(plan(step("a")))
        suite.echo_all()
        self.cancel(suite)
        assert suite.events()[-1] == "run.finished"
        assert "run.cancelled" not in suite.events()

    def test_an_answer_before_the_cancel_wins(self, suite: Suite) -> None:
        """CANC-08."""
        suite.start(plan(step("a")))
        suite.answer(suite.invocation(), output={"n": 1})
        self.cancel(suite)
        assert suite.statuses() == [("a", "ok")]

    def test_progress_counts_only_while_the_call_is_open(self, suite: Suite) -> None:
        """EVT-12."""
        suite.start(plan(step("a", timeoutMs=50)))
        call = suite.records("call")[0]["callId"]
        suite.ask("tool/progress", runId=suite.run_id, callId=call, message="half", payload={"n": 1})
        suite.advance(50)
        suite.ask("tool/progress", runId=suite.run_id, callId=call)
        told = [event for event in suite.records("event") if event["type"] == "step.progress"]
        assert [(event["message"], event["payload"]) for event in told] == [("half", {"n": 1})]


class TestConfirmation:
    """Asking for confirmation before the run."""

    def asked(self, suite: Suite, **more: object) -> str:
        suite.start(plan(step("a"), step("b")), policy=policy(confirm=True), **more)
        assert suite.sent("tool/invoke") == []
        identity = suite.records("event")[1]["payload"]["confirmationId"]
        assert isinstance(identity, str)
        return identity

    def confirm(self, suite: Suite, identity: str, decision: str = "approved") -> None:
        suite.ask("run/confirm", runId=suite.run_id, confirmationId=identity, decision=decision)
        suite.barrier()

    def test_nothing_runs_before_approval_and_every_call_names_it(self, suite: Suite) -> None:
        """CONF-01 to CONF-04, CONF-11."""
        identity = self.asked(suite)
        self.confirm(suite, "another")
        assert suite.sent("tool/invoke") == []
        self.confirm(suite, identity)
        self.confirm(suite, identity, "rejected")
        suite.echo_all()
        assert [call["confirmationId"] for call in suite.records("call")] == [identity, identity]
        confirmation = suite.records("run")[-1]["confirmation"]
        assert (confirmation["confirmationId"], confirmation["decision"]) == (identity, "approved")
        assert suite.events()[:3] == ["run.started", "run.confirmationRequested", "run.confirmed"]
        assert suite.statuses() == [("a", "ok"), ("b", "ok")]

    def test_rejection_ends_the_run(self, suite: Suite) -> None:
        """CONF-06, CONF-12, A11."""
        identity = self.asked(suite)
        self.confirm(suite, identity, "rejected")
        self.confirm(suite, identity)
        assert suite.records("run")[-1]["confirmation"]["decision"] == "rejected"
        assert suite.statuses() == [("a", "skipped"), ("b", "skipped")]
        cancelled = next(event for event in suite.records("event") if event["type"] == "run.cancelled")
        assert cancelled["payload"] == {"reason": "confirmation_rejected", "confirmationId": identity}
        assert suite.records("event")[-1]["payload"] == {"status": "cancelled", "results": {"skipped": 2}}

    def test_silence_is_rejection(self, suite: Suite) -> None:
        """CONF-07, A72."""
        identity = self.asked(suite, confirmationTimeoutMs=1000)
        suite.advance(999)
        assert "run.cancelled" not in suite.events()
        suite.advance(1)
        self.confirm(suite, identity)
        confirmation = suite.records("run")[-1]["confirmation"]
        assert (confirmation["decision"], confirmation["decidedAt"]) == ("rejected", "2026-01-01T00:00:01.000Z")
        assert suite.sent("tool/invoke") == []

    def test_a_cancel_before_the_decision_leaves_no_decision(self, suite: Suite) -> None:
        """CANC-06, A83."""
        identity = self.asked(suite)
        suite.ask("run/cancel", runId=suite.run_id)
        self.confirm(suite, identity)
        assert "confirmation" not in suite.records("run")[-1]
        assert suite.events().count("run.cancelled") == 1
        assert suite.sent("tool/invoke") == []


class TestHooks:
    """hook/before."""

    def hooked(self, suite: Suite, **answer: object) -> None:
        schema = {"type": "object", "properties": {"path": {"type": "string"}}}
        suite.start(plan(step("a", args={"path": "a.md"})), tool(inputSchema=schema), hooks=True)
        suite.answer(suite.sent("hook/before")[0], **answer)

    def test_a_hook_that_goes_on_changes_nothing(self, suite: Suite) -> None:
        """A76."""
        self.hooked(suite, action="continue")
        assert suite.invocation()["params"]["args"] == {"path": "a.md"}
        assert "argsModifiedBy" not in suite.records("call")[0]

    def test_a_hook_that_blocks_denies(self, suite: Suite) -> None:
        """POL-16."""
        self.hooked(suite, action="block", reason="no")
        assert suite.records("result")[0]["error"]["code"] == "POLICY_DENIED"
        assert suite.sent("tool/invoke") == []

    def test_changed_arguments_are_logged_marked_and_sent(self, suite: Suite) -> None:
        """POL-17, A49."""
        self.hooked(suite, action="modify", args={"path": "b.md"})
        call = suite.records("call")[0]
        assert call["args"] == suite.invocation()["params"]["args"] == {"path": "b.md"}
        assert call["argsModifiedBy"] == {"by": "hook/before", "members": ["/path"]}

    @pytest.mark.parametrize(("args", "code"), [({"path": 1}, "VALIDATION_ERROR"), ({"path": "../x"}, "POLICY_DENIED")])
    def test_changed_arguments_are_judged_again(self, suite: Suite, args: object, code: str) -> None:
        """POL-17."""
        self.hooked(suite, action="modify", args=args)
        assert suite.records("result")[0]["error"]["code"] == code
        assert suite.records("call")[0]["args"] == args
        assert suite.sent("tool/invoke") == []

    def test_a_hook_that_fails_lets_nothing_through(self, suite: Suite) -> None:
        """POL-20, A51."""
        suite.start(plan(step("a")), hooks=True)
        suite.error(suite.sent("hook/before")[0], -32000)
        assert suite.records("result")[0]["error"]["details"]["reason"] == "hook_failed"
        assert suite.sent("tool/invoke") == []


class TestOwnFlaws:
    """Failures of the executor itself."""

    def own(self, suite: Suite, tmp_path: Path, *steps: dict[str, Any]) -> None:
        descriptors = [{**tool} for tool in REGISTRY.values()]
        suite.start(plan(*steps), *descriptors, root=str(tmp_path))

    def test_a_flaw_in_the_middle_of_a_call_closes_the_call(
        self, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """DEP-15, RES-01: the run still finishes."""
        monkeypatch.setattr("callproof_reference.steps.snapshot", lambda root: 1 / 0)
        self.own(suite, tmp_path, step("a", "vault.listFiles", onError="skip"), step("b", "vault.listFiles"))
        assert suite.statuses() == [("a", "error"), ("b", "error")]
        results = suite.records("result")
        assert [result["error"]["details"]["reason"] for result in results] == ["executor", "executor"]
        assert [result["callId"] for result in results] == [call["callId"] for call in suite.records("call")]
        assert suite.events()[-1] == "run.finished"

    def test_a_flaw_before_a_call_ends_its_iteration(self, suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
        """DEP-15."""
        monkeypatch.setattr("callproof_reference.steps.breach", lambda tool, args, *_: 1 // args["n"] and None)
        looped = step("a", args={"n": "{item}"}, foreach=loop("$steps.b.l"), onError="skip")
        suite.start(plan(looped, step("b", args={"n": 1})))
        suite.answer(suite.invocation(), output={"l": [0, 2]})
        suite.echo_all()
        assert suite.statuses() == [("b", "ok"), ("a", "error"), ("a", "ok")]

    def test_a_tool_of_ours_that_breaks_is_not_quoted(
        self, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """ERR-06: this holds for any exception."""

        def leave(*_: object) -> None:
            raise SystemExit("secret")

        monkeypatch.setitem(WORK, "vault.listFiles", leave)
        self.own(suite, tmp_path, step("a", "vault.listFiles"))
        assert suite.records("result")[0]["error"]["details"]["reason"] == "execution_failed"
        assert "secret" not in str(suite.heard)

    def test_without_a_folder_our_own_tools_are_not_there(self, suite: Suite) -> None:
        """A69."""
        descriptors = [{**tool} for tool in REGISTRY.values()]
        assert suite.refusal(plan(step("a", "vault.listFiles")), *descriptors)["details"]["reason"] == "unknown_tool"

    def test_output_is_limited_to_what_the_schema_declares(self, suite: Suite, tmp_path: Path) -> None:
        """A69."""
        (tmp_path / "a.md").write_text("x")
        entry = {"type": "object", "properties": {"path": {}}, "additionalProperties": False}
        items = {"type": "array", "items": entry}
        output = {"type": "object", "properties": {"items": items}, "additionalProperties": False}
        descriptor = {**REGISTRY["vault.listFiles"], "outputSchema": output}
        suite.start(plan(step("a", "vault.listFiles")), descriptor, root=str(tmp_path))
        assert suite.records("result")[0]["data"] == {"items": [{"path": "a.md"}]}

    def test_arguments_over_the_limit_never_become_a_call(self, suite: Suite) -> None:
        """VAL-12: arguments that cannot be sent or recorded are refused, and the executor goes on."""
        suite.start(plan(step("b"), step("a", args={"x": ["$steps.b", "$steps.b", "$steps.b"]})))
        suite.answer(suite.invocation(), output={"text": "é" * 1_000_000})
        assert suite.statuses() == [("b", "ok"), ("a", "error")]
        assert suite.records("result")[1]["error"]["details"]["reason"] == "too_big"

    @pytest.mark.parametrize(
        "effects", [{"created": [{"path": "other/x", "kind": "file"}]}, {"renamed": [{"from": "notes/a", "to": "b"}]}]
    )
    def test_effects_outside_the_sandbox_are_flagged(self, suite: Suite, effects: dict[str, Any]) -> None:
        """POL-15: they are listed like any others, and a warning tells of them."""
        suite.start(plan(step("a")), policy=policy(sandbox={"allowedRoots": ["notes"]}))
        suite.answer(suite.invocation(), output={}, observed=effects)
        assert suite.records("result")[0]["effects"] == effects
        assert [event["level"] for event in suite.records("event") if event["type"] == "step.finished"] == ["warn"]

    def test_output_over_the_limit_is_an_error(self, suite: Suite) -> None:
        """VAL-12: such an output could not be recorded in one line."""
        suite.start(plan(step("a")))
        suite.answer(suite.invocation(), output={"text": "é" * 3_000_000})
        assert suite.records("result")[0]["error"]["details"]["reason"] == "result_too_large"

    def test_a_failure_that_json_cannot_hold_is_a_broken_tool(self, suite: Suite) -> None:
        """RES-15, RES-22."""
        suite.start(plan(step("a")))
        suite.fail(suite.invocation(), "NOT_FOUND", details={"n": float("inf")})
        assert suite.records("result")[0]["error"]["details"]["reason"] == "execution_failed"

    def test_a_flaw_in_a_loops_source_ends_the_step(self, suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
        """DEP-15."""
        suite.start(plan(step("a", foreach=loop("$steps.b.l")), step("b")))
        monkeypatch.setattr("callproof_reference.steps.Slots", lambda *_: 1 / 0)
        suite.answer(suite.invocation(), output={"l": [1]})
        assert suite.records("result")[1]["error"]["details"]["reason"] == "executor"
        assert suite.events()[-1] == "run.finished"

    def test_a_loop_without_its_source_fails_before_dispatch(self, suite: Suite) -> None:
        """REF-04, REF-26."""
        suite.start(plan(step("a", foreach=loop("$steps.b.l")), step("b")))
        suite.answer(suite.invocation(), output={})
        assert suite.records("result")[1]["error"]["details"]["reason"] == "missing_reference"

    def test_a_failure_of_our_own_tool_is_told_in_its_words(self, suite: Suite, tmp_path: Path) -> None:
        """ERR-01, EFF-20."""
        self.own(suite, tmp_path, step("a", "vault.readFile", args={"path": "none.md"}))
        result = suite.records("result")[0]
        assert result["error"]["code"] == "NOT_FOUND"
        assert result["effects"]["created"] == []

    def test_our_own_tool_that_is_told_to_stop_ends_cancelled(
        self, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """CANC-02: the tool is interrupted while it works, and the run is cancelled before the call is closed."""

        def stopped(*_: object) -> None:
            raise Failure("CANCELLED", "the call was told to stop")

        monkeypatch.setitem(WORK, "vault.listFiles", stopped)
        self.own(suite, tmp_path, step("a", "vault.listFiles"))
        assert suite.statuses() == [("a", "cancelled")]
        assert suite.events()[-3:] == ["run.cancelled", "step.failed", "run.finished"]


class TestDepth:
    """Deeply nested values."""

    def nested(self, levels: int) -> Any:
        value: Any = 1
        for _ in range(levels):
            value = [value]
        return value

    def test_what_is_nested_within_the_limit_goes_through(self, suite: Suite) -> None:
        """VAL-12."""
        suite.start(plan(step("a", args={"x": self.nested(95)})))
        suite.answer(suite.invocation(), output={"x": self.nested(99)})
        assert suite.statuses() == [("a", "ok")]

    @pytest.mark.parametrize("levels", [100, 400])
    def test_what_is_nested_deeper_is_an_error(self, suite: Suite, levels: int) -> None:
        """VAL-12, RES-22: the plan is refused, the output becomes an error, and the executor goes on."""
        data = suite.refusal(plan(step("a", args={"x": self.nested(levels)})))
        assert "nested" in data["message"]
        suite.start(plan(step("a")))
        suite.answer(suite.invocation(), output={"x": self.nested(levels)})
        assert suite.records("result")[0]["error"]["details"]["reason"] == "unserialisable"

    def test_arguments_that_grow_too_deep_never_become_a_call(self, suite: Suite) -> None:
        """VAL-12: each part is within the limit, but their sum is not."""
        suite.start(plan(step("b"), step("a", args={"x": [["$steps.b.x"]]})))
        suite.answer(suite.invocation(), output={"x": self.nested(99)})
        assert suite.records("result")[1]["error"]["details"]["reason"] == "too_big"


class TestPreviews:
    """The text by which a call says what it is about to do."""

    @pytest.mark.parametrize(
        ("template", "previews"),
        [
            ("Echo {item} at {index}", ["Echo x at 0", "Echo y at 1"]),
            ("$steps.a.l", ['["x","y"]', '["x","y"]']),
            ("Read $steps.z.gone", [None, None]),
            ("{item}" * 600, [None, None]),
        ],
    )
    def test_a_preview_is_resolved_or_left_out(self, suite: Suite, template: str, previews: list[str | None]) -> None:
        """CALL-14: a preview holds no unresolved template, and is not too long to be read."""
        looped = step("b", args={"v": "{item}"}, preview=template, foreach=loop("$steps.a.l", concurrency=2))
        suite.start(plan(step("a"), looped))
        suite.answer(suite.invocation(), output={"l": ["x", "y"]})
        assert [call.get("preview") for call in suite.records("call")[1:]] == previews


class TestHookRaces:
    """A hook that has not answered yet when the run stops."""

    def test_a_cancel_while_the_hook_thinks_ends_the_call(self, suite: Suite) -> None:
        """CANC-01, A86."""
        suite.start(plan(step("a")), hooks=True)
        suite.ask("run/cancel", runId=suite.run_id)
        suite.barrier()
        suite.answer(suite.sent("hook/before")[0], action="continue")
        assert suite.statuses() == [("a", "cancelled")]
        assert suite.sent("tool/invoke") == []
