"""What a tool call says of itself: hard cases that the examples of the chapter leave out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.verdicts import Verdict
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, findings, live, output, patched, run_record_patched, verdict


@pytest.mark.parametrize("attempt", [0, -1, 1.5, "1", True, None])
def test_an_attempt_that_is_no_count_is_found(attempt: object) -> None:
    """An attempt is an integer of at least 1; booleans and digits in quotes are not integers."""
    call = base("linear").calls[0]
    run = replace(base("linear"), calls=(replace(call, value={**call.value, "attempt": attempt}),))
    assert len(findings(run, "CALL-08")) == 1


@pytest.mark.parametrize("name", ["timeout_ms", "TimeoutMs", "timeout-ms", "TIMEOUTMS"])
def test_a_member_in_another_spelling_is_found(name: str) -> None:
    """A member that differs only in case and separators from an absent one is that one, misspelt."""
    run = patched(base("linear"), "calls", 0, {"timeoutMs": None, name: 5000})
    assert findings(run, "CALL-22") == [f'call c1 had the member "{name}" and no timeoutMs']


def test_a_foreign_member_beside_the_right_one_is_passed_over() -> None:
    """Beside the right spelling another one is simply unknown (B-02)."""
    run = patched(base("linear"), "calls", 0, {"timeout_ms": 1})
    assert verdict(run, "CALL-22") is Verdict.PASS


def test_only_a_registry_that_says_no_contradicts_a_call_that_says_yes() -> None:
    """Otherwise the call's own value counts, and a system that cannot abort may say so of every call (CALL-09)."""
    run = patched(base("cancelled"), "calls", 1, {"cancellable": True})
    assert run.registry is not None
    silent = registry_of([{k: v for k, v in each.value.items() if k != "cancellable"} for each in run.registry.tools])
    assert len(findings(run, "CALL-09")) == 1
    assert findings(replace(run, registry=silent), "CALL-09") == []
    assert findings(patched(base("cancelled"), "calls", 2, {"cancellable": False}), "CALL-09") == []


def test_an_alias_in_the_plan_is_the_tool_of_the_call() -> None:
    """A step may name an alias; the call carries the canonical name (B-54)."""
    run = base("unconfirmed")
    assert run.registry is not None
    assert run.plan is not None
    tools = [
        {**each.value, "aliases": ["read"]} if each.name == "vault.readFile" else each.value
        for each in run.registry.tools
    ]
    steps = [{**each.value, "tool": "read"} if each.id == "s1" else each.value for each in run.plan.steps]
    aliased = replace(run_record_patched(run, {"plan": {"steps": steps}}), registry=registry_of(tools))
    assert findings(aliased, "CALL-06") == []
    assert findings(replace(aliased, registry=registry_of(tools[1:])), "CALL-06") != []


def test_without_a_registry_nobody_knows_the_aliases() -> None:
    """Laws that need descriptors are undecided if the run record has none: the name may be an alias (B-54)."""
    run = base("unconfirmed")
    renamed = replace(patched(run, "calls", 0, {"tool": "vault.read"}), registry=None)
    assert findings(renamed, "CALL-06") == []
    nameless = replace(patched(run, "calls", 0, {"tool": None}), registry=None)
    assert len(findings(nameless, "CALL-06")) == 1


def test_a_preview_of_another_iteration_is_found() -> None:
    """A preview that the step's own template gives for another item belongs to that item."""
    run = base("foreach")
    assert run.plan is not None
    steps = [
        {**each.value, "preview": "Create note {position}"} if each.id == "s2" else each.value
        for each in run.plan.steps
    ]
    run = run_record_patched(run, {"plan": {"steps": steps}})
    right = patched(patched(run, "calls", 1, {"preview": "Create note 0"}), "calls", 2, {"preview": "Create note 1"})
    assert findings(right, "CALL-14") == []
    assert findings(patched(right, "calls", 2, {"preview": "Create note 0"}), "CALL-14") == [
        'call c3 had preview "Create note 0"'
    ]
    hidden = patched(right, "calls", 2, {"preview": "Create note 0", "redacted": ["/iteration/itemValue"]})
    assert findings(hidden, "CALL-14") == []  # it may have been made from what was there (A42)


def test_a_reference_that_came_from_data_may_stand_in_a_preview() -> None:
    """Text that the arguments hold may be shown, whatever it looks like (B-45)."""
    text = "{$steps.s2.items[0].text}"
    run = patched(base("linear"), "calls", 2, {"preview": f"Create {text}", "args": {"path": text}})
    assert findings(run, "CALL-14") == []


def test_a_deadline_in_whole_seconds_is_read_with_the_doubt_of_a_second() -> None:
    """18:12:30 may be any instant of that second; only what lies before it for certain is too early."""
    run = patched(base("linear"), "calls", 0, {"timeoutMs": 5000, "createdAt": "2026-01-05T09:00:20.600Z"})
    assert findings(patched(run, "calls", 0, {"deadlineAt": "2026-01-05T09:00:25Z"}), "CALL-19") == []
    assert len(findings(patched(run, "calls", 0, {"deadlineAt": "2026-01-05T09:00:24Z"}), "CALL-19")) == 1


def test_a_policy_that_no_call_shares_with_the_run_is_compared_among_the_calls() -> None:
    """One call in three differs: that one is reported, even if it is the first."""
    run = patched(base("linear"), "calls", 0, {"policy": {"limits": {"maxTimeoutMs": 1}}})
    assert findings(run, "CALL-17") == [
        "call c1 was made under another policy than call c2: they differ at /limits/maxTimeoutMs"
    ]


def test_a_tool_that_received_other_arguments_than_recorded_is_found() -> None:
    """What is logged is what was sent; the places that differ are named (CALL-20)."""
    run = base("unconfirmed")
    first, second = run.calls
    honest = live(run, (deed_of(first), deed_of(second)))
    assert findings(honest, "CALL-20") == []
    lying = live(run, (deed_of(first), deed_of(second, args={"title": "Notes/garden.md", "maxLength": 19})))
    assert "which differ at /maxLength" in findings(lying, "CALL-20")[0]


def test_a_redacted_argument_is_not_compared() -> None:
    """A marked place stands for a value that the log does not show (A42)."""
    run = patched(base("unconfirmed"), "calls", 1, {"args": {"title": "…"}, "redacted": ["/args/title"]})
    told = deed_of(run.calls[1], args={"title": "Notes/garden.md", "maxLength": 20})
    assert findings(live(run, (told,)), "CALL-20") == []


def _hosted(run: Run) -> Run:
    assert run.registry is not None
    return replace(run, registry=registry_of([{**each.value, "host": "suite"} for each in run.registry.tools]))


def test_an_answer_that_no_tool_gave_is_found() -> None:
    """A call of a hosted tool that is recorded ok must have reached the tool (CALL-20)."""
    run = _hosted(base("unconfirmed"))
    first, second = run.calls
    assert verdict(live(run, (deed_of(first), deed_of(second))), "CALL-20") is Verdict.PASS
    assert findings(live(run, (deed_of(first),)), "CALL-20") == [
        "call c2 of util.slugifyTitle was recorded ok, but no invocation of it reached the tool"
    ]
    assert len(findings(live(run), "CALL-20")) == 2
    assert findings(live(base("unconfirmed")), "CALL-20") == []  # nobody else sees the system's own tools


@pytest.mark.parametrize(("status", "found"), [("timeout", 1), ("error", 0), ("cancelled", 0), ("skipped", 0)])
def test_only_what_needs_an_invocation_is_held_to_have_had_one(status: str, found: int) -> None:
    """A call that was refused, skipped or stopped beforehand claims no invocation (CALL-20, A2)."""
    run = patched(_hosted(base("unconfirmed")), "results", 1, {"status": status})
    assert len(findings(live(run, (deed_of(run.calls[0]),)), "CALL-20")) == found


def test_each_attempt_is_held_to_its_own_invocation() -> None:
    """A retry that is recorded ok must have been made as well (CALL-20)."""
    run = _hosted(base("retried"))
    made = tuple(deed_of(call) for call in run.calls)
    assert findings(live(run, made), "CALL-20") == []
    well = next(each.call_id for each in run.results if each.text("status") == "ok")
    assert len(findings(live(run, tuple(each for each in made if each.call_id != well)), "CALL-20")) == 1


def test_an_invocation_before_its_record_is_found() -> None:
    """On one wire, the record comes first (CALL-21)."""
    run = base("unconfirmed")
    late = replace(run, calls=tuple(replace(call, arrival=7) for call in run.calls))
    assert findings(live(late, (deed_of(run.calls[0], arrival=8),)), "CALL-21") == []
    assert len(findings(live(late, (deed_of(run.calls[0], arrival=6),)), "CALL-21")) == 1
    assert len(findings(live(late, (deed_of(run.calls[0], call_id="c9"),)), "CALL-21")) == 1


def test_a_policy_other_than_the_given_one_is_found() -> None:
    """The policy on the calls is the one that the suite handed over."""
    run = live(base("unconfirmed"), (deed_of(base("unconfirmed").calls[0], output({})),))
    assert findings(run, "CALL-17") == []
    assert run.witnessed is not None
    other = replace(run.witnessed, given=replace(run.witnessed.given, policy={}))
    assert len(findings(replace(run, witnessed=other), "CALL-17")) == 2


@pytest.mark.parametrize(
    ("name", "records", "at", "patch", "found"),
    [
        ("diamond", "results", 1, {"error": {"Retryable": False}}, 1),
        ("retried", "results", 0, {"error": {"Retryable": False}}, 0),
        ("effects", "results", 0, {"effects": {"side_effects_observed": [], "sideEffectsObserved": None}}, 1),
        ("foreach", "calls", 2, {"iteration": {"item_value": 1, "itemValue": None}}, 1),
        ("foreach", "calls", 2, {"error": {"Code": "X"}, "iteration": {"total": 3}}, 0),
        ("linear", "events", 4, {"iteration": {"Index": 1}}, 0),
    ],
)
def test_members_are_spelt_right_inside_too(name: str, records: str, at: int, patch: Json, found: int) -> None:
    """CALL-22: in an error, in effects and in an iteration, if the record has such a part (B-02)."""
    assert len(findings(patched(base(name), records, at, patch), "CALL-22")) == found


def test_effects_without_a_call_show_that_a_tool_was_entered() -> None:
    """CALL-21: a failure that took no time, and left a file behind."""
    run = base("diamond")
    (place,) = (place for place, each in enumerate(run.results) if each in run.unbuilt)
    failed: dict[str, Json] = {"status": "error", "error": {"code": "INTERNAL_ERROR", "message": "no"}}
    assert findings(patched(run, "results", place, failed), "CALL-21") == []
    left: dict[str, Json] = {"effects": {"created": [{"path": "Notes/a.md", "kind": "file"}]}}
    assert len(findings(patched(run, "results", place, failed | left), "CALL-21")) == 1


@pytest.mark.parametrize(
    ("ended", "found"),
    [
        ({"status": "ok"}, 1),
        ({"status": "error", "durationMs": 1}, 1),
        ({"status": "error", "durationMs": 0}, 0),
        ({"status": "skipped", "durationMs": 9}, 0),
    ],
)
def test_what_took_time_was_called(ended: dict[str, Json], found: int) -> None:
    """CALL-21: an answer, or time that passed, shows that a tool was entered; RES-19 covers skipped calls."""
    run = base("unconfirmed")
    lost = replace(run, calls=run.calls[:1], events=())
    assert len(findings(patched(lost, "results", 1, {"effects": None, **ended}), "CALL-21")) == found


def test_progress_shows_that_a_tool_was_entered() -> None:
    """CALL-21: step.started does not show it, since a process may die between it and the record."""
    run = base("unconfirmed")
    started = next(e for e in run.events or () if e.call_id == "c2" and e.text("type") == "step.started")
    lost = replace(run, calls=run.calls[:1], results=run.results[:1])
    for kind, found in (("step.started", 0), ("step.progress", 1)):
        told = replace(started, value={**started.value, "type": kind})
        assert len(findings(replace(lost, events=(told,)), "CALL-21")) == found
