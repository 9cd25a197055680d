"""Logs of the pipeline that must each have one finding: they show that every check can fail."""

from __future__ import annotations

import itertools

import pytest
from callproof.protocols.pipeline import PROTOCOL
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
    record,
    result,
    running,
    surface,
)
from protocols.driven_pipelines import DRIVEN

EVENTS = [record("event", event_type=f"tool.invocation.{each}") for each in ("failed", "canceled")]
UNLAWFUL: dict[str, tuple[str, list[Object]]] = {
    "a hook's failure that is not an error": (
        "PIPE-01",
        [invocation(), phase("pre_hooks", "failed"), created(), result(error={"error_class": "hook_failed"})],
    ),
    "a denial by a decision alone, without a result": ("PIPE-01", [invocation(), decision("deny")]),
    "a denial by a decision alone, and a result that is not an error": (
        "PIPE-01", [invocation(), decision("deny"), created(), result("redacted")],
    ),
    "a success while the question stands": (
        "PIPE-03", [invocation(), decision("ask"), created(), result()],
    ),
    "cancelled for a sibling, and never heard of again": (
        "PIPE-01",
        [invocation(), phase("schedule", "failed", error_class="sibling_canceled")],
    ),
    "an error that succeeded": ("PIPE-01", [invocation(), created(), failure("timeout", "succeeded")]),
    "an invocation without a tool": (
        "PIPE-01", [record("invocation"), created(), result()],
    ),
    "a phase that nobody knows": ("PIPE-02", [invocation(), phase("dream"), created(), result()]),
    "a decision after the end": ("PIPE-02", [invocation(), created(), result(), decision("allow")]),
    "a phase after the result": ("PIPE-02", [invocation(), created(), result(), phase("execute")]),
    "progress after the end": ("PIPE-02", [invocation(), created(), result(), record("progress", sequence=1)]),
    "progress without a number": ("PIPE-02", [invocation(), record("progress", sequence="1"), created(), result()]),
    "validated again for nothing": (
        "PIPE-02",
        [invocation(), phase("parse_schema"), phase("pre_hooks"), phase("parse_schema"), created(), result()],
    ),
    "validated a third time for nothing": (
        "PIPE-02",
        [
            invocation(), phase("parse_schema"), mutation("/a"), phase("pre_hooks"), phase("parse_schema"),
            phase("pre_hooks"), phase("parse_schema"), created(), result(),
        ],
    ),
    "validated again when it had run": (
        "PIPE-02",
        [invocation(), phase("parse_schema"), mutation(), phase("execute"), phase("parse_schema"), created(), result()],
    ),
    "tried again in the same invocation": (
        "PIPE-02",
        [invocation(), phase("execute", "failed"), phase("execute"), created(), failure("execution_failed")],
    ),
    "executed after a deny that a yes preceded": (
        "PIPE-03",
        [invocation(), decision("deny"), decision("allow"), phase("execute"), created(), failure("timeout")],
    ),
    "another input than the person put in": (
        "PIPE-03",
        [
            asked(permission_input={"a": 1}), decision("allow", updated_input={"a": 2}), asked(call_input={"a": 1}),
            created(), result(),
        ],
    ),
    "a member more than was permitted": (
        "PIPE-03",
        [asked(permission_input={"a": 1}, call_input={"a": 1, "force": True}), created(), result()],
    ),
    "changed when it was running": (
        "PIPE-03",
        [invocation(), decision("allow"), phase("execute"), mutation("/a"), created(), result()],
    ),
    "permitted again when it had run already": (
        "PIPE-03",
        [
            invocation(), decision("allow"), mutation("/a"), phase("execute"), decision("allow"), created(), result(),
        ],
    ),
    "the model's input rewritten": (
        "PIPE-03",
        [asked(model_input={"a": 1}), asked(model_input={"a": 2}), created(), result()],
    ),
    "a change of the input without a mutation": (
        "PIPE-03",
        [asked(model_input={"a": 1}), asked(call_input={"a": 2}), created(), result()],
    ),
    "a mutation by nobody": ("PIPE-03", [invocation(), record("mutation", mutation_id="m"), created(), result()]),
    "a behavior that is none": ("PIPE-03", [invocation(), decision("maybe"), created(), result()]),
    "a hook of no event": ("PIPE-04", [{"record": "hook", "hook_id": "h"}, invocation(), created(), result()]),
    "mapped once more than it was changed": (
        "PIPE-04",
        [
            invocation(), phase("map_result"), changing_hook(), phase("map_result"), phase("map_result"),
            created(), result(),
        ],
    ),
    "nobody states a rule": (
        "PIPE-05", [*running("i-1", "i-2"), *modified("i-1", "applied"), *modified("i-2", "refused")],
    ),
    "a modifier that the policy forbids, of one alone": (
        "PIPE-05", [policy(context_modifier_policy="forbid"), *running("i-1"), *modified("i-1", "applied")],
    ),
    "applied before the batch was complete": (
        "PIPE-05",
        [
            policy(context_modifier_policy="defer_until_batch_complete"), *running("i-1", "i-2"),
            *modified("i-1", "applied"), *modified("i-2", "applied"),
        ],
    ),
    "a rule that is not a text": ("PIPE-05", [policy(context_modifier_policy=7), invocation(), created(), result()]),
    "persistence failed, and there is no result": (
        "PIPE-06", [invocation(), phase("execute"), phase("persist_result", "failed")],
    ),
    "a hook blocked it, and there is no result": ("PIPE-06", [invocation(), phase("pre_hooks", "failed")]),
    "nothing came of it": ("PIPE-06", [invocation()]),
    "a result without an event": ("PIPE-06", [invocation(), created("i-0"), result()]),
    "two events of its end": ("PIPE-06", [invocation(), created(), created(), result()]),
    "an end by two names": ("PIPE-06", [invocation(), *EVENTS, failure("timeout")]),
    "an event of success beside an error": (
        "PIPE-06", [invocation(), record("event", event_type="tool.invocation.succeeded"), failure("timeout")],
    ),
    "an event of failure beside a success": ("PIPE-06", [invocation(), EVENTS[0], result()]),
    "a replay that is an error now": (
        "PIPE-06",
        [invocation(), created(), result(error={"error_class": "post_hook_failed"}), {
            **failure("post_hook_failed", "succeeded"), "result_id": "r-i-1"}],
    ),
    "an event without a class": ("PIPE-06", [record("event"), invocation(), created(), result()]),
    "a preview that shows nothing": (
        "PIPE-07",
        [invocation(), persistence("preview_and_persist"), created(), result(persistence_refs=["k-1"], content=[])],
    ),
    "dropped without a reason": (
        "PIPE-07", [invocation(), persistence("drop_with_reason"), created(), result("redacted")],
    ),
    "dropped, and the result succeeded": (
        "PIPE-07",
        [invocation(), persistence("drop_with_reason", reason="no store"), created(), result(content=[TEXT])],
    ),
    "a reference to the record of another invocation": (
        "PIPE-07",
        [
            invocation("i-0"), persistence("inline", "i-0"), created("i-0"), result(name="i-0"),
            invocation(), created(), result(persistence_refs=["k-1"]),
        ],
    ),
    "too large, with all of its data": (
        "PIPE-07",
        [invocation(), created(), {**failure("result_too_large", "too_large"), "structured_content": {"lines": 3}}],
    ),
    "too large, with a place where it is": (
        "PIPE-07",
        [invocation(), created(), {**failure("result_too_large", "too_large"), "resource_refs": [{"uri": "store:1"}]}],
    ),
    "redacted, with what was made": (
        "PIPE-07",
        [invocation(), created(), {**failure("result_redacted", "redacted"), "artifact_refs": [{"uri": "store:1"}]}],
    ),
    "a strategy that is none": ("PIPE-07", [invocation(), persistence("forget"), created(), result()]),
    "a class that is none": ("PIPE-08", [invocation(), created(), failure("bad_luck", phase="execute")]),
    "blocked by a hook, before or after": ("PIPE-08", [invocation(), created(), failure("hook_blocked")]),
    "a phase that its class does not end": (
        "PIPE-08", [invocation(), created(), failure("timeout", phase="permission")],
    ),
    "an execution that failed for want of permission": (
        "PIPE-08",
        [
            invocation(), phase("execute", "failed", error_class="permission_denied"), created(),
            failure("execution_failed"),
        ],
    ),
    "changed, and not mapped again": ("PIPE-04", [
        invocation(), phase("map_result"), changing_hook(), created(), result(),
    ]),
    "given on otherwise than it was mapped": (
        "PIPE-04",
        [
            invocation(), phase("map_result", model_facing_content=[TEXT]), created(),
            result(model_facing_content=[OTHER_TEXT]),
        ],
    ),
    "results that overtake": (
        "PIPE-02",
        [
            policy(ordering_policy="serial"), *running("i-1", "i-2"), created("i-2"), result(name="i-2"), created(),
            result(),
        ],
    ),
    "progress that stands still": (
        "PIPE-02",
        [invocation(), *(record("progress", sequence=1) for _ in range(2)), created(), result()],
    ),
    "executed while somebody is asked": (
        "PIPE-03", [invocation(), decision("allow"), decision("ask"), phase("execute"), created(), result()],
    ),
    "a second result": (
        "PIPE-06", [invocation(), created(), result(), {**result(), "result_id": "r-9"}],
    ),
    "stored, and no word of it": (
        "PIPE-07", [invocation(), persistence("ref_only"), created(), result(content=[TEXT])],
    ),
    "a context that is whoever was last": (
        "PIPE-05",
        [
            policy(context_modifier_policy="allow_serial_only"), *running("i-1", "i-2"), *modified("i-1", "applied"),
            *modified("i-2", "refused"),
        ],
    ),
    "a tool that is blocked": (
        "PIPE-09",
        [
            surface("notes.read", blocked_tools=[{"tool_id": "notes.read"}]), invocation(surface_id="s-1"),
            phase("execute"), created(), result(),
        ],
    ),
    "a phase that failed by a class that is none": (
        "PIPE-08",
        [
            invocation(), phase("execute", "failed", error_class="bad_luck"), created(),
            failure("bad_luck.acme", phase="execute"),
        ],
    ),
    "a class of no phase, at another phase than the one that failed": (
        "PIPE-08",
        [invocation(), phase("execute", "failed"), created(), failure("rate_limited", phase="permission")],
    ),
    "a sibling that succeeded": (
        "PIPE-08",
        [
            *running("i-0", "i-1"), created("i-0"), result(name="i-0"), created(),
            failure("sibling_canceled", "canceled", phase="execute"),
        ],
    ),
    "a sibling that was at its end before": (
        "PIPE-08",
        [
            invocation("i-0"), created("i-0"), failure("execution_failed", name="i-0"),
            invocation(), invocation("i-0", status="failed"), created(),
            failure("sibling_canceled", "canceled", phase="schedule"),
        ],
    ),
    "a failure of another phase than the one that failed": (
        "PIPE-08",
        [invocation(), phase("execute", "failed"), created(), failure("result_mapping_failed")],
    ),
    "another class of the same phase": (
        "PIPE-08",
        [invocation(), phase("execute", "failed", error_class="timeout"), created(), failure("execution_failed")],
    ),
    "a hook's failure that the result forgets": (
        "PIPE-08", [invocation(), phase("execute"), phase("post_hooks", "failed"), created(), result()],
    ),
    "denied by the result, and executed": (
        "PIPE-08",
        [
            invocation(), phase("execute"), phase("post_hooks", "failed"), created(),
            failure("hook_blocked", "denied", phase="post_hooks"),
        ],
    ),
    "a schema that refused what was executed": (
        "PIPE-08", [invocation(), phase("execute"), created(), failure("schema_validation_failed")],
    ),
    "a sibling's failure that the policy ignores": (
        "PIPE-08",
        [
            policy(sibling_failure_policy="ignore"), *running("i-0", "i-1"), phase("execute", "failed", "i-0"),
            created("i-0"), failure("execution_failed", name="i-0"),
            created(), failure("sibling_canceled", "canceled", phase="execute"),
        ],
    ),
    "siblings that were cancelled for each other": (
        "PIPE-08",
        [
            invocation("i-0"), invocation("i-1"),
            created("i-0"), failure("sibling_canceled", "canceled", "i-0", phase="schedule"),
            created("i-1"), failure("sibling_canceled", "canceled", "i-1", phase="schedule"),
        ],
    ),
    "an error of the end": ("PIPE-08", [invocation(), phase("emit_terminal", "failed"), created(), result()]),
    "a status that is none": ("PIPE-08", [invocation(), created(), result("fine")]),
    "permission asked for in another surface": (
        "PIPE-09",
        [invocation(surface_id="s-1"), decision("allow", surface_id="s-2"), phase("execute"), created(), result()],
    ),
    "another tool executed": (
        "PIPE-09",
        [invocation(), phase("resolve_tool"), phase("execute", tool_id="notes.write"), created(), result()],
    ),
    "a tool that came later": (
        "PIPE-09",
        [
            surface("web.fetch"), invocation(surface_id="s-1"), phase("resolve_tool"), surface("notes.read"),
            phase("execute"), created(), result(),
        ],
    ),
    "progress after the event of its end": (
        "PIPE-02",
        [
            invocation(), record("event", event_type="tool.invocation.succeeded"), record("progress", sequence=1),
            result(),
        ],
    ),
    "two at once where the policy says one by one": (
        "PIPE-02",
        [
            policy(ordering_policy="serial"), *running("i-1", "i-2"), phase("execute"), created(), result(),
            phase("execute", name="i-2"), created("i-2"), result(name="i-2"),
        ],
    ),
    "denied, and running by its status": (
        "PIPE-03",
        [invocation(), decision("deny"), invocation(status="running"), created(), failure("policy_blocked", "denied")],
    ),
    "denied, and started by its event": (
        "PIPE-03",
        [
            invocation(), decision("deny"), record("event", event_type="tool.invocation.started"), created(),
            failure("policy_blocked", "denied"),
        ],
    ),
    "executed after a deny that a status came before": (
        "PIPE-03",
        [
            invocation(status="running"), decision("deny"), phase("execute", "failed"), created(),
            failure("execution_failed"),
        ],
    ),
    "changed by a person after a yes that had no change": (
        "PIPE-03",
        [
            invocation(), decision("allow"), mutation(source_type="permission_prompt"), phase("execute"), created(),
            result(),
        ],
    ),
    "told as denied, and no error": ("PIPE-06", [invocation(), created(), result(), invocation(status="denied")]),
    "told as a success, and an error": (
        "PIPE-06", [invocation(status="succeeded"), created(), failure("execution_failed")],
    ),
    "timed out by its event, and cancelled by its result": (
        "PIPE-06",
        [
            invocation(), record("event", event_type="tool.invocation.timed_out"),
            failure("canceled", "canceled", phase="execute"),
        ],
    ),
    "referred to, and nobody says where": (
        "PIPE-07", [invocation(), persistence("ref_only"), created(), result(persistence_refs=["k-1"])],
    ),
    "redacted by an event alone": (
        "PIPE-07",
        [invocation(), record("event", event_type="tool.result.redacted"), created(), result(content=[TEXT])],
    ),
    "denied, and a class of the execution": ("PIPE-08", [invocation(), created(), failure("timeout", "denied")]),
    "denied by a decision, and called a bug": (
        "PIPE-08", [invocation(), decision("deny"), created(), failure("execution_failed")],
    ),
    "denied by a decision, and called unknown": (
        "PIPE-08", [invocation(), decision("deny"), created(), failure("unknown_tool")],
    ),
    "cancelled for a sibling that failed later": (
        "PIPE-08",
        [
            *running("i-0", "i-1"), phase("execute", "failed", error_class="sibling_canceled"), created(),
            failure("sibling_canceled", "canceled", phase="execute"),
            phase("execute", "failed", "i-0"), created("i-0"), failure("execution_failed", name="i-0"),
        ],
    ),
    "cancelled for a sibling of no batch that failed later": (
        "PIPE-08",
        [
            invocation("i-0"), invocation(), phase("execute", "failed", error_class="sibling_canceled"), created(),
            failure("sibling_canceled", "canceled", phase="execute"),
            phase("execute", "failed", "i-0"), created("i-0"), failure("execution_failed", name="i-0"),
        ],
    ),
    "a tool that is left out": (
        "PIPE-09",
        [
            surface("notes.read", excluded_tools=[{"tool_id": "notes.read", "reason": "role_not_allowed"}]),
            invocation(surface_id="s-1"), phase("execute"), created(), result(),
        ],
    ),
    "a tool whose schema was not loaded": (
        "PIPE-09",
        [
            surface("notes.read", loaded_tools=["tool_search"], deferred_tools=[{"tool_id": "notes.read"}]),
            invocation(surface_id="s-1"), phase("execute"), created(), result(),
        ],
    ),
    "a tool that is loaded when it is late": (
        "PIPE-09",
        [
            surface("tool_search", deferred_tools=["notes.read"]), invocation(surface_id="s-1"),
            {"record": "event", "event_type": "tool.deferred.loaded", "tool_id": "notes.read"}, phase("execute"),
            created(), result(),
        ],
    ),
    "a tool that is not offered, and succeeded without phases": (
        "PIPE-09", [surface("web.fetch"), invocation(surface_id="s-1"), created(), result()],
    ),
    "another tool by the status": (
        "PIPE-09",
        [invocation(), decision("allow"), invocation(tool_id="notes.write", status="running"), created(), result()],
    ),
    "another tool by the event": (
        "PIPE-09",
        [
            invocation(), record("event", event_type="tool.invocation.started", tool_id="notes.write"), created(),
            result(),
        ],
    ),
    "another surface by the status": (
        "PIPE-09",
        [
            invocation(surface_id="s-1"), decision("allow"), invocation(surface_id="s-2", status="running"),
            created(), result(),
        ],
    ),
    "a surface without an id": ("PIPE-09", [{"record": "surface", "tool_refs": []}, invocation(), created(), result()]),
}  # fmt: skip


@pytest.mark.parametrize("name", UNLAWFUL)
def test_an_unlawful_log_is_found(name: str) -> None:
    """What the chapter forbids is found under the law that forbids it, and under no other."""
    requirement, told = UNLAWFUL[name]
    assert set(found(told)) == {requirement}


def test_every_check_can_fail() -> None:
    """Each check finds something in one of these logs."""
    traces = [PROTOCOL.trace(entries(told)) for _, told in (*UNLAWFUL.values(), *DRIVEN.values())]
    silent = [
        (requirement, check.name, check.each)
        for requirement, checks in PROTOCOL.laws.by_requirement.items()
        for check in checks
        if not any(True for trace in traces for subject in check.each(trace) for _ in check.examine(trace, subject))
    ]
    assert silent == []


@pytest.mark.parametrize(("later", "earlier"), [(b, a) for a, b in itertools.combinations(PHASES, 2)])
def test_no_phase_comes_after_a_later_one(later: str, earlier: str) -> None:
    """Any two phases in the wrong order are found."""
    assert set(found([invocation(), phase(later), phase(earlier), created(), result()])) == {"PIPE-02"}
