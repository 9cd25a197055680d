"""Logs of a driven pipeline, made by hand, that break the laws that only a driver can decide."""

from __future__ import annotations

import json
from typing import Any

from callproof.values.jsontext import Json
from pipeline_logs import Object, created, decision, invocation, mutation, persistence, phase, record, result

Lines = list[Object]
GIVEN: Object = {"path": "a.md"}
OTHER: Object = {"path": "b.md"}
TEXT: Json = [{"type": "text", "text": "ok"}]
LARGE: Object = {"text": "swift " * 1_000}
WORDS: Json = [{"type": "text", "text": "swift (and more)"}]
FINISHED: Object = {"record": "probe", "probe": "finished"}
_SCHEMA: Object = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}


def case(*names: str, asks: tuple[str, ...] = (), **members: Json) -> Lines:
    """The note of a driver, with a call of `notes.read` for each name, and the pipeline's first records of them."""
    rules: Object = {
        "scheduler_policy_id": "p-1",
        "ordering_policy": "allow_unordered",
        "sibling_failure_policy": "ignore",
        "context_modifier_policy": "allow_serial_only",
    }
    for name in [name for name in members if name in rules]:
        rules[name] = members.pop(name)
    tools: Json = [
        {"tool_id": "notes.read", "names": ["read"], "input_schema": _SCHEMA},
        {"tool_id": "shell.run", "input_schema": {}, "state": "blocked"},
    ]
    calls: Json = [{"invocation_id": name, "name": "notes.read", "input": GIVEN} for name in names]
    note: Object = {"record": "case", "driven": True, "surface": {"surface_id": "s-1", "tools": tools}}
    told: Object = {"policy": rules, "asks": list(asks), "batch_id": "b-1", "calls": calls}
    return [note | told | members, {"record": "policy", **rules}, *(invocation(name) for name in names)]


def seen(probe: str, name: str = "i-1", **members: Json) -> Object:
    """A probe: what the driver saw of a call."""
    return {"record": "probe", "probe": probe, "invocation_id": name, **members}


def asked(probe: str, name: str = "i-1", given: Json = None, **members: Json) -> Object:
    """A probe: a hook or a person is asked about a call, or a tool is entered."""
    return seen(probe, name, tool_id="notes.read", input=GIVEN if given is None else given, **members)


def executed(name: str = "i-1", given: Json = None, **members: Json) -> Object:
    """A tool is entered."""
    return asked("tool_executed", name, given, **members)


def returned(name: str = "i-1", **members: Json) -> Object:
    """A tool returns."""
    return seen("tool_returned", name, **{"output": {"text": "ok"}, **members})


def threw(name: str = "i-1", error_class: str = "execution_failed") -> Object:
    """A tool throws."""
    return seen("tool_threw", name, error_class=error_class)


def mapped(name: str = "i-1", **members: Json) -> Object:
    """An output is mapped."""
    return seen("output_mapped", name, **{"output": {"text": "ok"}, "content": TEXT, **members})


def hook(event: str, name: str = "i-1", **members: Json) -> Object:
    """The record that a hook has run."""
    return record("hook", name, hook_id=f"h-{event}", hook_event=event, **members)


def done(name: str = "i-1", **members: Any) -> Lines:
    """A call that was executed has its result."""
    return [executed(name), returned(name), *ended(name, **members)]


def ended(name: str = "i-1", status: str = "succeeded", **members: Json) -> Lines:
    """A call has its result."""
    return [created(name), result(status, name, **members)]


def failed(error_class: str, which: str | None = None, name: str = "i-1", status: str = "failed") -> Lines:
    """A call has a result that is an error."""
    named: Object = {} if which is None else {"phase": which}
    return ended(name, status, is_error=True, error={"error_class": error_class, **named})


ABORTED = [seen("abort_called"), seen("abort_taken")]
for _each in ABORTED:
    del _each["invocation_id"]
SIGNS = 'the "key" is é\n' * 100
LIMITED: Any = {"asks": ("persist_result",), "result_bytes": 100}
SIBLINGS: Any = {"sibling_failure_policy": "cancel_siblings"}
STORED = seen("output_stored", data=LARGE, uri="store:1")
KEPT = persistence("preview_and_persist", persisted_ref={"uri": "store:1"}, preview_size_bytes=100)
CUT: Any = {"model_facing_content": WORDS, "persistence_refs": ["k-1"]}
YES = [asked("permission_asked"), seen("permission_answered", behavior="allow")]
NO = [asked("permission_asked"), seen("permission_answered", behavior="deny", by="person")]
CHANGED = seen("post_hook", output={"text": "ok"}, updated_output={"text": "better"})

# For each check, by its name: the requirement, and a log that breaks only this requirement.
DRIVEN: dict[str, tuple[str, Lines]] = {
    "what_was_turned_away_is_not_executed": (
        "PIPE-10",
        [
            *case("i-1"),
            asked("pre_hook", block=True),
            executed(),
            threw(),
            *failed("hook_blocked", "pre_hooks"),
            FINISHED,
        ],
    ),
    "what_is_still_asked_is_not_executed": (
        "PIPE-10",
        [
            *case("i-1", asks=("permission",)),
            asked("permission_asked"),
            executed(),
            seen("permission_answered", behavior="deny"),
            returned(),
            *failed("permission_denied", "permission", status="denied"),
            FINISHED,
        ],
    ),
    "what_nobody_asked_for_is_not_executed": ("PIPE-10", [*case("i-1"), executed("i-9"), *done(), FINISHED]),
    "what_nothing_stood_against_is_executed": (
        "PIPE-11",
        [*case("i-1"), *failed("permission_denied", status="denied"), FINISHED],
    ),
    "a_call_is_executed_once": ("PIPE-11", [*case("i-1"), executed(), returned(), *done(), FINISHED]),
    "what_succeeded_was_executed": ("PIPE-11", [*case("i-1"), *ended(), executed(), returned(), FINISHED]),
    "the_tool_is_the_one_that_was_asked_for": (
        "PIPE-12",
        [*case("i-1"), {**executed(), "tool_id": "shell.run"}, returned(), *ended(), FINISHED],
    ),
    "the_tool_is_given_what_was_allowed": (
        "PIPE-12",
        [*case("i-1"), *YES[:1], {**YES[1], "updated_input": OTHER}, *done(), FINISHED],
    ),
    "the_tool_is_given_what_was_asked_for": (
        "PIPE-12",
        [*case("i-1"), asked("pre_hook", updated_input=OTHER), *done(), FINISHED],
    ),
    "who_is_asked_is_shown_the_whole_input": (
        "PIPE-12",
        [*case("i-1"), asked("pre_hook", given={"file": "a.md"}), *done(), FINISHED],
    ),
    "whoever_is_set_is_asked": ("PIPE-13", [*case("i-1", asks=("pre_hooks",)), *done(), FINISHED]),
    "questions_come_in_their_order": ("PIPE-13", [*case("i-1"), *YES, asked("pre_hook"), *done(), FINISHED]),
    "nobody_is_asked_about_what_is_over": (
        "PIPE-13",
        [
            *case("i-1"),
            asked("tool_validated", error_class="sandbox_violation"),
            asked("pre_hook"),
            *failed("sandbox_violation"),
            FINISHED,
        ],
    ),
    "the_hook_after_a_call_is_asked": ("PIPE-13", [*case("i-1", asks=("post_hooks",)), *done(), FINISHED]),
    "what_went_wrong_is_told": (
        "PIPE-14",
        [*case("i-1"), *NO, *failed("policy_blocked", status="denied"), FINISHED],
    ),
    "nothing_else_is_told": (
        "PIPE-14",
        [*case("i-1"), executed(), returned(), *failed("execution_failed"), FINISHED],
    ),
    "a_status_tells_of_no_other_cause": (
        "PIPE-14",
        [*case("i-1"), executed(), threw(), *failed("execution_failed", status="timed_out"), FINISHED],
    ),
    "what_was_not_executed_is_an_error": (
        "PIPE-14",
        [*case("i-1"), *ABORTED, *failed("execution_failed"), FINISHED],
    ),
    "an_abort_reaches_what_is_at_work": (
        "PIPE-15",
        [*case("i-1"), executed(), *ABORTED, threw(), *failed("canceled", "execute"), FINISHED],
    ),
    "what_was_aborted_does_not_begin": (
        "PIPE-15",
        [*case("i-1"), *ABORTED, executed(), threw(), *failed("canceled", "execute"), FINISHED],
    ),
    "an_abort_of_one_stops_no_other": (
        "PIPE-15",
        [
            *case("i-1", "i-2"),
            executed("i-2"),
            *({**each, "invocation_id": "i-1"} for each in ABORTED),
            seen("tool_aborted", "i-2"),
            returned("i-2"),
            *ended("i-2"),
            *failed("canceled", "schedule"),
            FINISHED,
        ],
    ),
    "a_failure_reaches_siblings_at_work": (
        "PIPE-16",
        [
            *case("i-1", "i-2", **SIBLINGS),
            executed(),
            executed("i-2", waits="stop"),
            threw(),
            *failed("execution_failed"),
            seen("tool_waited", "i-2", waits="stop"),
            returned("i-2"),
            *ended("i-2"),
            FINISHED,
        ],
    ),
    "siblings_of_a_failure_do_not_begin": (
        "PIPE-16",
        [
            *case("i-1", "i-2", ordering_policy="serial", **SIBLINGS),
            executed(),
            threw(),
            *failed("execution_failed"),
            *done("i-2"),
            FINISHED,
        ],
    ),
    "a_failure_is_ignored_where_it_is_to_be": (
        "PIPE-16",
        [
            *case("i-1", "i-2"),
            executed(),
            executed("i-2"),
            threw(),
            *failed("execution_failed"),
            seen("tool_aborted", "i-2"),
            returned("i-2"),
            *ended("i-2"),
            FINISHED,
        ],
    ),
    "the_model_reads_what_was_mapped": (
        "PIPE-17",
        [
            *case("i-1", asks=("map_result",)),
            executed(),
            returned(),
            mapped(),
            *ended(model_facing_content=WORDS),
            FINISHED,
        ],
    ),
    "what_is_mapped_is_what_the_tool_gave": (
        "PIPE-17",
        [*case("i-1"), executed(), returned(), mapped(output="ok"), *ended(model_facing_content=TEXT), FINISHED],
    ),
    "an_output_is_seen_to_be_mapped_once": (
        "PIPE-17",
        [*case("i-1"), executed(), returned(), mapped(), mapped(), *ended(model_facing_content=TEXT), FINISHED],
    ),
    "what_a_hook_took_out_is_not_shown": (
        "PIPE-17",
        [
            *case("i-1"),
            executed(),
            returned(output="the key is under the mat"),
            seen("post_hook", output="the key is under the mat", updated_output="(taken out)"),
            *ended(content=[{"type": "text", "text": "He says that the key is under the mat."}]),
            FINISHED,
        ],
    ),
    "what_is_told_as_data_is_what_the_tool_gave": (
        "PIPE-17",
        [*case("i-1"), *done(structured_content={"text": "no"}), FINISHED],
    ),
    "every_call_has_its_result_in_time": ("PIPE-18", [*case("i-1"), executed(), returned(), FINISHED, *ended()]),
    "nothing_is_done_when_all_is_over": ("PIPE-18", [*case("i-1"), executed(), *ended(), FINISHED, returned()]),
    "a_case_comes_to_its_end": ("PIPE-18", [*case("i-1"), *done(), {**FINISHED, "probe": "gave_up"}]),
    "inputs_are_told_as_they_were": ("PIPE-19", [*case("i-1"), invocation(model_input=OTHER), *done(), FINISHED]),
    "a_no_is_told_as_one": (
        "PIPE-19",
        [*case("i-1"), *NO, decision("passthrough"), *failed("approval_rejected", status="rejected"), FINISHED],
    ),
    "a_yes_that_is_told_was_given": (
        "PIPE-19",
        [*case("i-1", asks=("permission",)), decision("allow"), *YES, *done(), FINISHED],
    ),
    "a_call_is_told_under_what_it_was_given": (
        "PIPE-19",
        [*case("i-1"), invocation(scheduler_policy_ref="p-9"), *done(), FINISHED],
    ),
    "the_policy_is_told_as_it_was_given": (
        "PIPE-19",
        [
            *case("i-1"),
            {"record": "policy", "scheduler_policy_id": "p-1", "context_modifier_policy": "acme.merge"},
            *done(),
            FINISHED,
        ],
    ),
    "the_tool_is_told_as_it_was_called": (
        "PIPE-19",
        [*case("i-1"), invocation(tool_id="clock"), *done(), FINISHED],
    ),
    "a_hook_that_is_told_was_asked": (
        "PIPE-19",
        [*case("i-1"), hook("pre_tool_use"), asked("pre_hook"), *done(), FINISHED],
    ),
    "a_changed_output_that_is_told_was_changed": (
        "PIPE-19",
        [
            *case("i-1"),
            executed(),
            returned(),
            seen("post_hook", output={"text": "ok"}),
            hook("post_tool_use", updated_output=1),
            *ended(),
            FINISHED,
        ],
    ),
    "who_is_told_to_have_changed_the_input_did": (
        "PIPE-19",
        [*case("i-1"), asked("pre_hook"), mutation("/lines"), *done(), FINISHED],
    ),
    "what_failed_is_not_told_as_completed": (
        "PIPE-19",
        [
            *case("i-1", asks=("map_result",)),
            executed(),
            returned(),
            seen("output_mapped", output={"text": "ok"}, failed=True),
            phase("map_result"),
            *failed("result_mapping_failed"),
            FINISHED,
        ],
    ),
    "what_is_told_as_executed_was": (
        "PIPE-19",
        [*case("i-1"), executed(), phase("execute"), returned(), *ended(), FINISHED],
    ),
    "what_a_mapping_gave_is_told": (
        "PIPE-19",
        [
            *case("i-1", asks=("map_result",)),
            executed(),
            returned(),
            mapped(),
            phase("map_result", model_facing_content=TEXT),
            seen("post_hook", output={"text": "ok"}, updated_output={"text": "ok"}),
            {**phase("post_hooks")},
            hook("post_tool_use", updated_output=1),
            mapped(content=WORDS),
            phase("map_result", model_facing_content=TEXT),
            *ended(model_facing_content=WORDS, redaction_state="cut"),
            FINISHED,
        ],
    ),
    "what_is_too_large_is_not_shown_whole": (
        "PIPE-20",
        [
            *case("i-1", **LIMITED),
            executed(),
            returned(output=LARGE),
            STORED,
            KEPT,
            *ended(**{**CUT, "model_facing_content": [{"type": "text", "text": LARGE["text"]}]}),
            FINISHED,
        ],
    ),
    "no_character_is_shown_in_half": (
        "PIPE-20",
        [
            *case("i-1", **LIMITED),
            executed(),
            returned(output=LARGE),
            STORED,
            KEPT,
            *ended(**{**CUT, "model_facing_content": [{"type": "text", "text": "swift \N{REPLACEMENT CHARACTER}"}]}),
            FINISHED,
        ],
    ),
    "what_is_left_out_is_said": (
        "PIPE-20",
        [
            *case("i-1", **LIMITED),
            executed(),
            returned(output=LARGE),
            STORED,
            *ended(model_facing_content=WORDS),
            FINISHED,
        ],
    ),
    "what_is_too_large_is_stored_whole": (
        "PIPE-20",
        [
            *case("i-1", **LIMITED),
            executed(),
            returned(output=LARGE),
            {**STORED, "data": WORDS},
            KEPT,
            *ended(**CUT),
            FINISHED,
        ],
    ),
    "what_is_too_large_is_offered_to_the_store": (
        "PIPE-20",
        [
            *case("i-1", **LIMITED),
            executed(),
            returned(output=LARGE),
            *ended(status="too_large", model_facing_content=WORDS),
            FINISHED,
        ],
    ),
    "what_is_told_as_stored_was": (
        "PIPE-20",
        [*case("i-1", **LIMITED), executed(), returned(), KEPT, *ended(**CUT), FINISHED],
    ),
    "what_is_told_as_too_large_may_have_been": (
        "PIPE-20",
        [*case("i-1", result_bytes=1_000), *done(status="too_large"), FINISHED],
    ),
    "where_it_is_stored_is_where_it_was_put": (
        "PIPE-20",
        [
            *case("i-1", "i-2", **LIMITED),
            executed(),
            returned(output=LARGE),
            STORED,
            KEPT,
            *ended(**CUT),
            executed("i-2"),
            returned("i-2", output=LARGE),
            {**STORED, "invocation_id": "i-2", "uri": "store:2"},
            {**KEPT, "invocation_id": "i-2"},
            *ended("i-2", **CUT),
            FINISHED,
        ],
    ),
    "what_became_of_a_modifier_is_told": (
        "PIPE-21",
        [*case("i-1"), executed(), returned(context_modifier={"folder": "/"}), *ended(), FINISHED],
    ),
    "nobody_elses_modifier_is_told": (
        "PIPE-21",
        [*case("i-1"), *done(context_modifier={"disposition": "applied"}), FINISHED],
    ),
    "one_by_one_is_seen_to_be_one_by_one": (
        "PIPE-22",
        [
            *case("i-1", "i-2", ordering_policy="serial"),
            executed(),
            executed("i-2"),
            returned(),
            returned("i-2"),
            *ended(),
            *ended("i-2"),
            FINISHED,
        ],
    ),
    "side_by_side_is_at_once": (
        "PIPE-23",
        [
            *case("i-1", "i-2"),
            executed(waits="siblings"),
            seen("tool_waited", waits="siblings"),
            returned(),
            *ended(),
            *done("i-2"),
            FINISHED,
        ],
    ),
}

# What a driven pipeline may do; no finding may come of it.
LAWFUL: dict[str, Lines] = {
    "nobody is waited for, and the call is turned away in other words": [
        *case("i-1", asks=("permission",)),
        asked("permission_asked"),
        *failed("hook_blocked", "pre_hooks"),
        FINISHED,
        seen("permission_answered", behavior="deny", by="person"),
    ],
    "a hook that takes its time is not waited for, and the call is turned away in other words": [
        *case("i-1", asks=("pre_hooks",)),
        asked("pre_hook", block=True, held=True),
        *failed("permission_denied", "permission", status="denied"),
        FINISHED,
    ],
    "the hook allows the call, and somebody is asked as well and not waited for": [
        *case("i-1", asks=("pre_hooks", "permission")),
        asked("pre_hook", behavior="allow"),
        asked("permission_asked"),
        *done(),
        FINISHED,
        seen("permission_answered", behavior="allow"),
    ],
    "a call is executed": [*case("i-1"), *done(), FINISHED],
    "a tool that threw is entered again": [*case("i-1"), executed(), threw(), *done(), FINISHED],
    "a policy's no is permission_denied": [
        *case("i-1"),
        asked("permission_asked"),
        seen("permission_answered", behavior="deny", by="policy"),
        *failed("permission_denied", status="denied"),
        FINISHED,
    ],
    "a hook's no is told as a block": [
        *case("i-1"),
        asked("pre_hook", behavior="deny"),
        *failed("hook_blocked", "pre_hooks"),
        FINISHED,
    ],
    "a class of the system's own": [*case("i-1"), *NO, *failed("acme.no", "permission", status="denied"), FINISHED],
    "the runtime fills in what is not there, and tells": [
        *case("i-1"),
        mutation("/lines", source_type="runtime"),
        executed(given={**GIVEN, "lines": 3}),
        returned(),
        *ended(),
        FINISHED,
    ],
    "a hook that allows makes permission needless": [
        *case("i-1", asks=("pre_hooks", "permission")),
        asked("pre_hook", behavior="allow"),
        *done(),
        FINISHED,
    ],
    "a hook wants somebody asked, and nobody is there": [
        *case("i-1", asks=("pre_hooks",)),
        asked("pre_hook", behavior="ask"),
        *failed("permission_denied", status="denied"),
        FINISHED,
    ],
    "what the hook made is refused by the schema": [
        *case("i-1", asks=("pre_hooks",)),
        asked("pre_hook", updated_input={"path": 7}),
        *failed("schema_validation_failed"),
        FINISHED,
    ],
    "what the hook made is executed though the schema refuses it": [
        *case("i-1", asks=("pre_hooks",)),
        asked("pre_hook", updated_input={"path": 7}),
        executed(given={"path": 7}),
        returned(),
        *ended(),
        FINISHED,
    ],
    "values that somebody is shown are put in order": [
        *case("i-1"),
        asked("pre_hook", given={"path": "/notes/a.md"}),
        *done(),
        FINISHED,
    ],
    "permission is asked twice": [*case("i-1"), *YES, *YES, *done(), FINISHED],
    "the tool looks at what was permitted in place of the input": [
        *case(calls=[{"invocation_id": "i-1", "name": "notes.read", "input": {"path": "a.md", "lines": 3}}]),
        invocation(model_input={"path": "a.md", "lines": 3}),
        asked("tool_validated", given={"path": "a.md", "lines": 3}),
        asked("permission_asked", given={"path": "a.md", "lines": 3}),
        seen("permission_answered", behavior="allow", updated_input=OTHER),
        asked("tool_validated", given=OTHER),
        executed(given=OTHER),
        returned(),
        *ended(),
        FINISHED,
    ],
    "a number is rounded to a double": [
        *case(calls=[{"invocation_id": "i-1", "name": "notes.read", "input": {"path": "a", "n": 12345678901234567}}]),
        invocation(model_input={"path": "a", "n": 12345678901234568}),
        asked("permission_asked", given={"path": "a", "n": 12345678901234568}),
        seen("permission_answered", behavior="allow"),
        executed(given={"path": "a", "n": 12345678901234567.0}),
        returned(output={"n": 9007199254740993}),
        mapped(output={"n": 9007199254740992}),
        *ended(structured_content={"n": 9007199254740992}),
        FINISHED,
    ],
    "what no store took is told as lost, beside its beginning": [
        *case("i-1", **LIMITED),
        executed(),
        returned(output=LARGE),
        seen("output_stored", data=LARGE, failed=True),
        persistence("drop_with_reason", reason="the store is full"),
        *ended(status="too_large", **CUT),
        FINISHED,
    ],
    "a hook after calls fails, and nobody minds": [
        *case("i-1", asks=("post_hooks",)),
        executed(),
        returned(),
        seen("post_hook", output={"text": "ok"}, failed=True),
        *ended(),
        FINISHED,
    ],
    "what listens to no abort is left behind": [
        *case("i-1"),
        executed(),
        *ABORTED,
        seen("tool_aborted"),
        *failed("canceled", "execute", status="canceled"),
        FINISHED,
        returned(),
    ],
    "a tool comes back before the abort is taken": [
        *case("i-1"),
        executed(),
        ABORTED[0],
        returned(),
        ABORTED[1],
        *ended(),
        FINISHED,
    ],
    "what was on its way when the user aborted": [
        *case("i-1"),
        ABORTED[0],
        executed(),
        ABORTED[1],
        threw(error_class="canceled"),
        *failed("canceled", "execute", status="canceled"),
        FINISHED,
    ],
    "a tool that was asked to stop for a sibling is not asked again for the user": [
        *case("i-1", "i-2", **SIBLINGS),
        executed(),
        executed("i-2"),
        threw(),
        seen("tool_aborted", "i-2"),
        *failed("execution_failed"),
        *ABORTED,
        *failed("sibling_canceled", "execute", "i-2", status="canceled"),
        FINISHED,
    ],
    "a sibling was permitted before the failure was told": [
        *case("i-1", "i-2", **SIBLINGS),
        executed(),
        asked("permission_asked", "i-2"),
        seen("permission_answered", "i-2", behavior="allow"),
        threw(),
        *failed("execution_failed"),
        *done("i-2"),
        FINISHED,
    ],
    "a sibling of a denial goes on, or does not": [
        *case("i-1", "i-2", "i-3", **SIBLINGS),
        *NO,
        *failed("approval_rejected", status="rejected"),
        *done("i-2"),
        *failed("sibling_canceled", "schedule", "i-3", status="canceled"),
        FINISHED,
    ],
    "a sibling of what the hook spoiled does not begin": [
        *case("i-1", "i-2", **SIBLINGS),
        asked("pre_hook", updated_input={"path": 7}),
        *failed("schema_validation_failed"),
        *failed("sibling_canceled", "schedule", "i-2", status="canceled"),
        FINISHED,
    ],
    "blocks have members of the system's own": [
        *case("i-1", asks=("map_result",)),
        executed(),
        returned(),
        mapped(),
        *ended(model_facing_content=[{"type": "text", "text": "ok", "cache": True}]),
        FINISHED,
    ],
    "a mapping is tried again": [
        *case("i-1", asks=("map_result",)),
        executed(),
        returned(),
        seen("output_mapped", output={"text": "ok"}, failed=True),
        mapped(),
        *ended(model_facing_content=TEXT),
        FINISHED,
    ],
    "what is too large is dropped, and told": [
        *case("i-1", **LIMITED),
        executed(),
        returned(output=LARGE),
        seen("output_stored", data=LARGE, failed=True),
        *failed("result_too_large", status="too_large"),
        FINISHED,
    ],
    "what is too large is dropped where there is no store": [
        *case("i-1", result_bytes=100),
        executed(),
        returned(output=LARGE),
        *failed("result_too_large", status="too_large"),
        FINISHED,
    ],
    "what is too large is stored as the tool gave it": [
        *case("i-1", **LIMITED),
        executed(),
        returned(output=LARGE),
        STORED,
        KEPT,
        *ended(**CUT),
        FINISHED,
    ],
    "what is too large is stored as JSON in a text, with escapes": [
        *case("i-1", **LIMITED),
        executed(),
        returned(output={"text": SIGNS}),
        {**STORED, "data": [{"type": "text", "text": json.dumps({"text": SIGNS})}]},
        KEPT,
        *ended(**CUT),
        FINISHED,
    ],
    "what is not too large is cut by a rule of its own": [
        *case("i-1", asks=("map_result",), result_bytes=5),
        executed(),
        returned(),
        mapped(),
        *ended(model_facing_content=WORDS),
        FINISHED,
    ],
    "a tool that is called by another name is told by that or by its own": [
        *case(calls=[{"invocation_id": "i-1", "name": "read", "input": GIVEN}]),
        invocation(tool_id="read"),
        phase("resolve_tool", tool_id="notes.read"),
        *done(),
        FINISHED,
    ],
    "what has no name is told by some word": [
        *case(calls=[{"invocation_id": "i-1", "name": "", "input": GIVEN}]),
        invocation(tool_id="(unnamed)"),
        *failed("unknown_tool", status="synthetic_error"),
        FINISHED,
    ],
    "a system's own policy stands beside that of the case": [
        *case("i-1"),
        {"record": "policy", "scheduler_policy_id": "acme-1", "ordering_policy": "serial"},
        invocation(scheduler_policy_ref="p-1", batch_id="b-1", surface_id="s-1"),
        *done(),
        FINISHED,
    ],
    "a yes of the system's own where permission is not to be asked": [
        *case("i-1"),
        decision("allow"),
        *done(),
        FINISHED,
    ],
    "another layer is to say, and somebody says yes": [
        *case("i-1", asks=("permission",)),
        decision("passthrough"),
        *YES,
        decision("allow"),
        *done(),
        FINISHED,
    ],
    "a hook's no is told by no decision": [
        *case("i-1", asks=("pre_hooks", "permission")),
        asked("pre_hook", behavior="deny"),
        *failed("hook_blocked", "pre_hooks"),
        FINISHED,
    ],
    "nobody waits for the no to a call that was aborted": [
        *case("i-1", asks=("permission",)),
        decision("ask"),
        asked("permission_asked"),
        *ABORTED,
        *failed("canceled", "schedule", status="canceled"),
        FINISHED,
        seen("permission_answered", behavior="deny", by="person"),
    ],
    "many numbers are too large, though they have no text": [
        *case("i-1", result_bytes=500),
        executed(),
        returned(output=[*range(200)]),
        *failed("result_too_large", status="too_large"),
        FINISHED,
    ],
    "a hook hears of a tool that threw": [
        *case("i-1", asks=("post_hooks",)),
        executed(),
        threw(),
        seen("post_hook", output="it threw"),
        hook("post_tool_use_failure"),
        *failed("execution_failed"),
        FINISHED,
    ],
    "a hook of another event is the system's own": [
        *case("i-1"),
        hook("permission_request"),
        hook("result_persistence"),
        *done(),
        FINISHED,
    ],
    "a tool that was asked to stop has come to its end": [
        *case("i-1"),
        executed(),
        *ABORTED,
        seen("tool_aborted"),
        threw(error_class="canceled"),
        phase("execute"),
        *failed("canceled", "execute", status="canceled"),
        FINISHED,
    ],
    "a tool that threw once and then returned is told as completed": [
        *case("i-1"),
        executed(),
        threw(),
        executed(),
        returned(),
        phase("execute"),
        *ended(),
        FINISHED,
    ],
    "a tool throws by a timeout, and then by something else": [
        *case("i-1"),
        executed(),
        threw(error_class="timeout"),
        executed(),
        threw(),
        *failed("execution_failed", status="timed_out"),
        FINISHED,
    ],
    "what does not answer in time is unavailable": [
        *case("i-1"),
        executed(),
        threw(error_class="dependency_unavailable"),
        *failed("dependency_unavailable", status="timed_out"),
        FINISHED,
    ],
    "who says no has cancelled it": [
        *case("i-1"),
        *NO,
        *failed("approval_rejected", status="canceled"),
        FINISHED,
    ],
    "the system has places of its own": [
        *case("i-1", **LIMITED),
        executed(),
        returned(output=LARGE),
        STORED,
        {**KEPT, "persisted_ref": {"uri": "acme:17"}},
        *ended(**CUT),
        FINISHED,
    ],
    "one store is given two outputs in one place": [
        *case("i-1", "i-2", **LIMITED),
        executed(),
        returned(output=LARGE),
        STORED,
        KEPT,
        *ended(**CUT),
        executed("i-2"),
        returned("i-2", output=LARGE),
        {**STORED, "invocation_id": "i-2"},
        {**KEPT, "invocation_id": "i-2"},
        *ended("i-2", **CUT),
        FINISHED,
    ],
    "what is mapped to more than the tool gave is too large": [
        *case("i-1", asks=("map_result",), result_bytes=500),
        executed(),
        returned(),
        mapped(content=[{"type": "text", "text": "ok " * 200}]),
        *failed("result_too_large", status="too_large"),
        FINISHED,
    ],
    "what was redacted is not compared": [
        *case("i-1"),
        invocation(model_input="(redacted)", redacted=["/model_input"]),
        *done(),
        FINISHED,
    ],
    "calls that share an id are not told apart": [
        *case("i-1", "i-1"),
        executed(),
        executed(given=OTHER),
        returned(),
        returned(),
        *ended(),
        FINISHED,
    ],
}
