"""Logs of the pipeline that must have no findings, and what a log does not show."""

from __future__ import annotations

import itertools
import random

import pytest
from callproof.judge.verdicts import Verdict
from callproof.protocols.known import protocol_of
from callproof.protocols.pipeline import PROTOCOL
from callproof.trace.records import Source
from callproof.trace.run import Flaw, FlawKind
from hypothesis import given
from hypothesis import strategies as st
from pipeline_logs import (
    OTHER_TEXT,
    PHASES,
    TEXT,
    Object,
    asked,
    changing_hook,
    created,
    decision,
    entries,
    failure,
    found,
    invocation,
    modified,
    mutation,
    persistence,
    phase,
    policy,
    read,
    record,
    result,
    results,
    running,
    surface,
)

TORN = (Flaw(FlawKind.TORN, Source("log.jsonl", 99), "the last line is cut off"),)
LAWFUL: dict[str, list[Object]] = {
    "no decision at all": [invocation(), phase("execute"), created(), result()],
    "ask, and then allow": [invocation(), decision("ask"), decision("allow"), phase("execute"), created(), result()],
    "two questions": [
        invocation(), decision("ask"), decision("ask"), decision("allow"), phase("execute"), created(), result(),
    ],
    "handed on to another layer": [invocation(), decision("passthrough"), phase("execute"), created(), result()],
    "denied after a yes, and not executed": [
        invocation(), decision("allow"), decision("deny"), created(), failure("policy_blocked", "denied"),
    ],
    "a question while it runs": [
        invocation(), phase("execute", "started"), decision("ask"), decision("allow"), phase("execute"),
        created(), result(),
    ],
    "phases with a beginning and an end each": [
        invocation(),
        *(phase(each, status) for each in PHASES for status in ("started", "completed")),
        created(),
        result(),
    ],
    "two hooks in a phase": [
        invocation(), phase("pre_hooks"), phase("pre_hooks"), phase("execute"), created(), result(),
    ],
    "the result before its emission": [
        invocation(), phase("execute"), result(), phase("persist_result"), phase("emit_terminal"), created(),
    ],
    "the invocation told again at its end": [
        invocation(status="planned"), phase("execute"), created(), result(), invocation(status="succeeded"),
    ],
    "an event of the system's own after the end": [
        invocation(), phase("execute"), created(), result(), record("event", event_type="acme.billed"),
    ],
    "records of a system's own": [
        {"record": "acme.trace", "invocation_id": "i-1"}, {"note": 1}, invocation(), created(), result(),
    ],
    "members of a system's own": [
        {**each, "acme": {"x": 1}, "note": None}
        for each in (surface("notes.read"), policy(), invocation(), phase("execute"), created(), result())
    ],
    "Agent Tool's own records, which do not say their kind": [
        {"schema_version": "0.2.0", "scheduler_policy_id": "p", "ordering_policy": "serial", "max_parallel": 1},
        {"schema_version": "0.2.0", "surface_id": "s", "scope": "turn", "loaded_tools": [{"tool_id": "t"}]},
        {"schema_version": "0.2.0", "invocation_id": "i", "tool_id": "t", "surface_id": "s", "status": "planned"},
        {"schema_version": "0.2.0", "decision_id": "d", "invocation_id": "i", "behavior": "deny", "decided_at": "now"},
        {"schema_version": "0.2.0", "event_id": "e", "event_type": "tool.result.created", "invocation_id": "i"},
        {
            "schema_version": "0.2.0", "result_id": "r", "invocation_id": "i", "status": "denied", "is_error": True,
            "error": {"error_class": "permission_denied", "recoverability": "change_arguments", "retry_after": None},
        },
    ],
    "a mutation between validation and permission, and validated again": [
        asked(model_input={"a": 1}), phase("parse_schema"), phase("validate_values"), phase("pre_hooks"),
        mutation("/a"), phase("parse_schema"), phase("validate_values"), phase("permission"),
        asked(permission_input={"a": 2}, call_input={"a": 2}), phase("execute"), created(), result(),
    ],
    "changed after permission, and permitted again": [
        invocation(), phase("permission"), decision("allow"), phase("schedule"), mutation("a"), phase("permission"),
        decision("allow"), phase("execute"), created(), result(),
    ],
    "changed by the person who permits it": [
        asked(model_input={"a": 1}), decision("ask"), decision("allow", updated_input={"a": 2}),
        asked(permission_input={"a": 1}, call_input={"a": 2}), phase("execute"), created(), result(),
    ],
    "a mutation that does not list what it changed": [
        asked(model_input={"a": 1, "b": {"c": 1}}), record("mutation", mutation_id="m", source_type="runtime"),
        asked(call_input={"b": {"c": 2, "d": 3}}), created(), result(),
    ],
    "changed fields by names with dots, and by a pointer around them": [
        asked(model_input={"a": {"b": 1}, "c": {"d": 1}, "e.f": 1}), mutation("a.b", "/c", "e.f"),
        asked(call_input={"a": {"b": 2}, "c": {"d": 2}, "e.f": 2}), created(), result(),
    ],
    "the same input in other words": [
        asked(model_input={"a": 1, "b": 2}), asked(permission_input={"b": 2, "a": 1}, call_input={"a": 1.0, "b": 2}),
        created(), result(),
    ],
    "an observable input that differs as it likes": [
        asked(model_input={"a": 1}, observable_input={"path": "/x"}, call_input={"a": 1}), created(), result(),
    ],
    "an input with a member that is redacted on one side": [
        asked(
            permission_input={"a": 1, "token": "…"}, call_input={"a": 1, "token": "x"},
            redacted=["/permission_input/token"],
        ),
        created(), result(),
    ],
    "the model's input told twice alike": [
        asked(model_input={"a": 1}), asked(model_input={"a": 1}), created(), result(),
    ],
    "mapped again after a hook for failures": [
        invocation(), phase("execute", "failed"), changing_hook("post_tool_use_failure"), phase("post_hooks"),
        phase("map_result"), created(), failure("execution_failed"),
    ],
    "changed before it was mapped": [
        invocation(), phase("execute"), changing_hook(), phase("map_result"), created(), result(),
    ],
    "shown in part, and so other than it was mapped": [
        invocation(), phase("map_result", model_facing_content=[TEXT]), persistence("preview_and_persist"), created(),
        result(model_facing_content=[OTHER_TEXT], persistence_refs=["k-1"]),
    ],
    "an error in words, and so other than it was mapped": [
        invocation(), phase("map_result", model_facing_content=[TEXT]), phase("post_hooks", "failed"), created(),
        result(
            "failed", is_error=True, error={"error_class": "hook_blocked", "phase": "post_hooks"},
            model_facing_content=[OTHER_TEXT],
        ),
    ],
    "redacted with a reason": [
        invocation(), persistence("redact", reason="a token"), created(),
        result(redaction_state="partial", content=[TEXT]),
    ],
    "dropped with a reason, and told by its status": [
        invocation(), persistence("drop_with_reason", reason="no store"), created(), result("too_large"),
    ],
    "a failure that goes back to how its output was lost": [
        invocation(), persistence("drop_with_reason", reason="no store"), created(),
        {**failure("result_too_large", "too_large", phase="persist_result"), "persistence_refs": ["k-1"]},
    ],
    "a failure that goes back to its redaction": [
        invocation(), persistence("redact", redaction_state="all"), created(),
        {**failure("result_redacted", "redacted", phase="persist_result"), "persistence_refs": ["k-1"]},
    ],
    "linked by the address of what was stored": [
        invocation(), persistence("ref_only", persisted_ref={"uri": "store:1"}), created(),
        result(persistence_refs=["store:1"]),
    ],
    "too large, with nothing left but words about it": [
        invocation(), persistence("never_persist"), created(),
        {**failure("result_too_large", "too_large"), "model_facing_content": [TEXT]},
    ],
    "a hook that failed afterwards, and is called an error": [
        invocation(), phase("execute"), phase("post_hooks", "failed"), created(),
        failure("post_hook_failed", "succeeded"),
    ],
    "a hook that failed afterwards, and is not": [
        invocation(), phase("execute"), phase("post_hooks", "failed"), created(),
        result(error={"error_class": "post_hook_failed"}),
    ],
    "cancelled while it ran": [
        invocation(), phase("execute", "started"), phase("execute", "failed", error_class="canceled"), created(),
        failure("canceled", "canceled", phase="execute"),
    ],
    "redacted, and nobody says why": [invocation(), persistence("redact"), created(), result("redacted")],
    "two failures, of which the first counts": [
        invocation(), phase("execute", "failed", error_class="timeout"),
        phase("post_hooks", "failed", error_class="post_hook_failed"), created(), failure("timeout", "timed_out"),
    ],
    "results out of order, as the policy allows": [
        policy(ordering_policy="allow_unordered"), *running("i-1", "i-2"),
        created("i-2"), result(name="i-2"), created(), result(),
    ],
    "results out of order, and no policy": [
        *running("i-1", "i-2"), created("i-2"), result(name="i-2"), created(), result(),
    ],
    "results out of order, of two batches": [
        policy(ordering_policy="preserve_terminal_order"), invocation("i-1", batch_id="b-1"),
        invocation("i-2", batch_id="b-2"), created("i-2"), result(name="i-2"), created(), result(),
    ],
    "a context that is changed by one alone": [
        policy(context_modifier_policy="allow_serial_only"), *running("i-1"), *modified("i-1", "applied"),
        *running("i-2"), *modified("i-2", "applied"),
    ],
    "deferred and refused beside others": [
        policy(context_modifier_policy="forbid"), *running("i-1", "i-2"), *modified("i-1", "deferred"),
        *modified("i-2", "refused"),
    ],
    "applied when the batch was complete": [
        policy(context_modifier_policy="defer_until_batch_complete"), *running("i-1", "i-2"),
        *modified("i-1", "deferred"), *modified("i-2", "applied"),
    ],
    "a sibling that was under way at the same time": [
        invocation("i-1"), invocation("i-2"), phase("execute", "failed", "i-1"), created("i-1"),
        failure("execution_failed", name="i-1"), created("i-2"),
        failure("sibling_canceled", "canceled", "i-2", phase="execute"),
    ],
    "a sibling that was denied by a decision alone": [
        invocation("i-0"), invocation("i-1"), decision("deny", "i-0"), created("i-0"),
        failure("permission_denied", "denied", "i-0"), created("i-1"),
        failure("sibling_canceled", "canceled", "i-1", phase="schedule"),
    ],
    "a sibling whose result alone tells that it failed": [
        *running("i-0", "i-1"), created("i-0"), failure("timeout", "timed_out", "i-0"), created("i-1"),
        failure("sibling_canceled", "canceled", "i-1", phase="execute"),
    ],
    "a context that is changed when an execution was over by its result": [
        policy(context_modifier_policy="allow_serial_only"), *running("i-1"), created("i-1"), result(name="i-1"),
        *running("i-2"), *modified("i-2", "applied"),
    ],
    "a context that is changed when an execution was over, and its result was not": [
        policy(context_modifier_policy="allow_serial_only"), *running("i-1"), phase("execute"), *running("i-2"),
        *modified("i-2", "applied"), created("i-1"), result(name="i-1"),
    ],
    "a policy that orders results, and another one that is named": [
        policy(ordering_policy="serial"), policy(scheduler_policy_id="p-2", ordering_policy="allow_unordered"),
        invocation("i-1", scheduler_policy_ref="p-2"), invocation("i-2", scheduler_policy_ref="p-2"),
        created("i-2"), result(name="i-2"), created("i-1"), result(name="i-1"),
    ],
    "permitted twice, the second time with a change": [
        asked(permission_input={"a": 1}), decision("allow"), decision("allow", updated_input={"a": 2}),
        asked(call_input={"a": 2}), phase("execute"), created(), result(),
    ],
    "asked for by another name": [
        surface("notes.read"), invocation(tool_id="read"), phase("resolve_tool", tool_id="notes.read"),
        phase("execute", tool_id="notes.read"), created(), result(),
    ],
    "a surface that changes after the tool was resolved": [
        surface("notes.read"), invocation(surface_id="s-1"), phase("resolve_tool"), surface("web.fetch"),
        phase("execute"), created(), result(),
    ],
    "a surface without lists": [
        {"record": "surface", "surface_id": "s-1"}, invocation(surface_id="s-1"), phase("execute"), created(), result(),
    ],
    "a tool that is loaded": [
        {"record": "surface", "surface_id": "s-1", "loaded_tools": [{"tool_id": "notes.read"}, "web.fetch"]},
        invocation(surface_id="s-1"), phase("execute"), created(), result(),
    ],
    "a tool that is not offered, and not executed": [
        surface("web.fetch"), invocation(surface_id="s-1"), phase("resolve_tool", "failed"), created(),
        failure("unknown_tool", "synthetic_error"),
    ],
    "a result that is told again": [
        invocation(), created(), result(content=[TEXT]),
        {**result(content=[TEXT]), "is_error": False, "created_at": "now"},
    ],
    "one after the other, as the policy says": [
        policy(ordering_policy="serial"), *running("i-1"), phase("execute"), created(), result(),
        *running("i-2"), phase("execute", name="i-2"), created("i-2"), result(name="i-2"),
    ],
    "two policies that say one by one, each for itself": [
        policy(ordering_policy="serial"), policy(scheduler_policy_id="p-2", ordering_policy="serial"),
        *running("i-1"), invocation("i-2", scheduler_policy_ref="p-2"), phase("execute", "started", "i-2"),
        phase("execute"), created(), result(), phase("execute", name="i-2"), created("i-2"), result(name="i-2"),
    ],
    "a hook's progress while somebody is asked, and after a denial": [
        invocation(), decision("ask"), record("progress", sequence=1, status="running"), decision("deny"),
        record("progress", sequence=2, status="running"), created(), failure("approval_rejected", "rejected"),
    ],
    "a change by the person who permits it, told when it was permitted": [
        asked(model_input={"a": 1}), decision("ask"), decision("allow", updated_input={"a": 2}),
        mutation("/a", source_type="permission_prompt"), phase("permission"),
        asked(permission_input={"a": 1}, call_input={"a": 2}), phase("execute"), created(), result(),
    ],
    "null for what is not told": [
        invocation(model_input={"a": 1}, call_input=None), decision("allow", updated_input=None),
        invocation(model_input=None, permission_input={"a": 1}, call_input={"a": 1}), phase("execute"), created(),
        result(), invocation(status="succeeded", model_input=None, permission_input=None, call_input=None),
    ],
    "told as a success, and a hook failed afterwards": [
        invocation(status="succeeded"), phase("execute"), phase("post_hooks", "failed"), created(),
        failure("post_hook_failed", "succeeded"),
    ],
    "denied on its way, and not at its end": [
        invocation(status="validation_failed"), invocation(status="succeeded"), created(), result(),
    ],
    "denied for the sandbox, as the decision has it": [
        invocation(), decision("deny", reason={"type": "sandbox_override"}), created(),
        failure("sandbox_violation", "denied"),
    ],
    "redacted after it was handed out": [
        invocation(), created(), result(content=[TEXT]), record("event", event_type="tool.result.redacted"),
    ],
    "referred to by the result itself": [
        invocation(), persistence("ref_only"), created(),
        result(persistence_refs=["k-1"], artifact_refs=[{"uri": "store:1"}]),
    ],
    "a tool that was found and loaded": [
        surface("tool_search", deferred_tools=[{"tool_id": "notes.read"}]),
        invocation("i-0", tool_id="tool_search", surface_id="s-1"), phase("execute", "started", "i-0"),
        record("event", "i-0", event_type="tool.deferred.loaded", tool_id="notes.read"), phase("execute", name="i-0"),
        created("i-0"), result(name="i-0"),
        invocation(surface_id="s-1"), phase("resolve_tool"), phase("execute"), created(), result(),
    ],
    "named as it was asked for, and then as it is": [
        invocation(tool_id="Read", status="planned"), invocation(tool_id="notes.read", status="selected"),
        decision("allow"), record("event", event_type="tool.invocation.started", tool_id="Read"),
        invocation(tool_id="notes.read", status="running"), created(), result(),
    ],
    "a surface that an event alone tells": [
        invocation(), record("event", event_type="tool.invocation.started", tool_id="notes.read", surface_id="s-1"),
        created(), result(),
    ],
    "cancelled for a sibling whose result comes in its order": [
        policy(ordering_policy="preserve_terminal_order"), *running("i-0", "i-1"), phase("execute", "failed"),
        phase("execute", "failed", "i-0", error_class="sibling_canceled"),
        created("i-0"), failure("sibling_canceled", "canceled", "i-0", phase="execute"),
        created(), failure("execution_failed"),
    ],
    "events of invocations that other logs tell of": [invocation(), created(), result(), created("i-elsewhere")],
}  # fmt: skip


@pytest.mark.parametrize("name", LAWFUL)
def test_a_lawful_log_is_spotless(name: str) -> None:
    """What the chapter permits has no finding."""
    assert found(LAWFUL[name]) == {}


@pytest.mark.many
def test_phases_may_be_left_out() -> None:
    """The law demands the order of phases, not their presence: every choice of phases in order has no finding."""
    for told in itertools.chain.from_iterable(itertools.combinations(PHASES, size) for size in range(len(PHASES) + 1)):
        assert found([invocation(), *map(phase, told), created(), result()]) == {}, told


@pytest.mark.many
@given(st.randoms(use_true_random=False))
def test_invocations_mix_as_they_like(chance: random.Random) -> None:
    """The records of the base logs' invocations, mixed at random but each in its own order, have no findings."""
    for base in ("piped", "declined"):
        lines = [
            {**line, "ordering_policy": "allow_unordered"} if line["record"] == "policy" else line
            for line in read(base)
        ]
        queues: dict[object, list[Object]] = {}
        for line in lines[2:]:
            # Calls that ran in parallel stay together: a batch is mixed as a whole.
            name = line["invocation_id"]
            queues.setdefault("batch" if name in BATCHES[base] else name, []).append(line)
        waiting = list(queues.values())
        mixed = lines[:2]
        while waiting:
            queue = chance.choice(waiting)
            mixed.append(queue.pop(0))
            waiting = [each for each in waiting if each]
        assert found(mixed) == {}


BATCHES = {"piped": ("i-3", "i-4"), "declined": ("i-5", "i-6")}


@pytest.mark.parametrize(
    "told", [[invocation()], [invocation(), phase("permission", "failed")], [invocation(), decision("ask")]]
)
def test_what_is_torn_off_is_not_missing(told: list[Object]) -> None:
    """If the last line of a log is cut off, nothing counts as missing at its end."""
    assert found(told, TORN) == {}
    assert found(told) != {}


def test_what_a_log_does_not_show_is_not_decided() -> None:
    """A log without phases, inputs, events and surfaces leaves open what only these show: no such law passes."""
    verdicts = {name: one.verdict for name, one in results([invocation(), result()]).items()}
    assert verdicts == {
        "PIPE-01": Verdict.PASS,
        "PIPE-02": Verdict.PASS,
        "PIPE-03": Verdict.INCONCLUSIVE,
        "PIPE-04": Verdict.INCONCLUSIVE,
        "PIPE-05": Verdict.INCONCLUSIVE,
        "PIPE-06": Verdict.PASS,
        "PIPE-07": Verdict.INCONCLUSIVE,
        "PIPE-08": Verdict.INCONCLUSIVE,
        "PIPE-09": Verdict.INCONCLUSIVE,
        **{f"PIPE-{number}": Verdict.INCONCLUSIVE for number in range(10, 24)},
    }


def test_its_logs_are_recognised() -> None:
    """Any record of the pipeline identifies its log, even one without its kind; nothing else does."""
    for told in (LAWFUL["records of a system's own"], LAWFUL["Agent Tool's own records, which do not say their kind"]):
        assert protocol_of(entries(told)) is PROTOCOL
    for stranger in ({"record": "result", "run": 1}, {"type": "message", "id": "i-1"}, {"tool_id": "x"}, {}):
        assert not PROTOCOL.recognises(entries([stranger]))
