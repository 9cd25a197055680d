"""Laws that the scenario's own facts decide: a finding if broken, none if kept, no subject in captured logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from callproof.checks import all_checks, scenario_facts
from callproof.checks.check import Finding
from callproof.checks.matters import Matter
from callproof.trace.records import Kind, Record, Source
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import Deed, Given, Refusal, Witnessed
from callproof.values.jsontext import Json

TOOL: Mapping[str, Json] = {"name": "w.tool", "aliases": ["w.t"], "inputSchema": {}, "outputSchema": {}}


def run_of(facts: Mapping[str, Json], *values: tuple[Kind, Mapping[str, Json]], deeds: tuple[Deed, ...] = ()) -> Run:
    """A live run with these facts, records and deeds."""
    records = [Record(kind, value, Source("wire", place), place) for place, (kind, value) in enumerate(values)]
    plan: Json = {"steps": [{"id": "s1", "tool": "w.t", "args": {}}]}
    given = Given(plan, {"confirmationsRequired": True}, (TOOL,))
    return Run(
        "SC-00/case",
        None,
        tuple(each for each in records if each.kind is Kind.CALL),
        tuple(each for each in records if each.kind is Kind.RESULT),
        tuple(each for each in records if each.kind is Kind.EVENT),
        registry_of([TOOL]),
        witnessed=Witnessed(given, deeds, (), None, 99, True, expectations=facts),
    )


def found(run: Run, requirement: str) -> list[Finding]:
    """The findings of this module's laws on one requirement; a law must have a subject."""
    checks = [
        each
        for each in all_checks()
        if each.requirement == requirement and each.examine.__module__ == scenario_facts.__name__
    ]
    subjects = [(check, subject) for check in checks for subject in check.each(run)]
    assert subjects, f"{requirement} was not exercised"
    return [finding for check, subject in subjects for finding in check.examine(run, subject)]


CALL = (Kind.CALL, {"callId": "c1", "stepId": "s1", "tool": "w.tool", "args": {"a": 1}})
STARTED = (Kind.EVENT, {"type": "step.started", "callId": "c1"})


def result(status: str, code: str | None = None, **more: Json) -> tuple[Kind, Mapping[str, Json]]:
    """The result of c1."""
    error = {} if code is None else {"error": {"code": code, "message": "so it is"}}
    return Kind.RESULT, {"callId": "c1", "stepId": "s1", "status": status, **error, **more}


def deed(args: Json) -> Deed:
    """The invocation of c1."""
    return Deed("c1", "w.tool", args, 0, 50)


BLOCK: Mapping[str, Json] = {"hook": {"tool": "w.tool", "action": "block"}}
MODIFY: Mapping[str, Json] = {"hook": {"tool": "w.tool", "action": "modify", "args": {"a": 2}}}


def test_what_the_hook_blocks_has_to_be_denied() -> None:
    """A denial keeps the law; a dispatch or another code breaks it."""
    assert found(run_of(BLOCK, CALL, result("error", "POLICY_DENIED")), "POL-16") == []
    assert len(found(run_of(BLOCK, CALL, result("error", "VALIDATION_ERROR")), "POL-16")) == 1
    assert len(found(run_of(BLOCK, CALL, STARTED, result("ok"), deeds=(deed({"a": 1}),)), "POL-16")) == 1


def test_what_the_hook_let_pass_once_it_is_asked_about_again() -> None:
    """The second attempt must not reach its tool; the law says nothing about the first (RETRY-16)."""
    facts: Mapping[str, Json] = {"hook": {"tool": "w.tool", "action": "block-later"}}
    again: tuple[Kind, Mapping[str, Json]] = (Kind.CALL, {**CALL[1], "callId": "c2", "attempt": 2})
    first, second = deed({"a": 1}), replace(deed({"a": 1}), call_id="c2")
    assert found(run_of(facts, CALL, again, deeds=(first,)), "RETRY-16") == []
    assert len(found(run_of(facts, CALL, again, deeds=(first, second)), "RETRY-16")) == 1


@pytest.mark.parametrize(
    ("logged", "sent", "count"), [({"a": 2}, {"a": 2}, 0), ({"a": 1}, {"a": 2}, 1), ({"a": 1}, {"a": 1}, 1)]
)
def test_what_the_hook_changes_has_to_be_sent_and_logged(logged: Json, sent: Json, count: int) -> None:
    """The changed arguments must be in the record and reach the tool."""
    call = (Kind.CALL, {**CALL[1], "args": logged, "argsModifiedBy": "hook"})
    assert len(found(run_of(MODIFY, call, result("ok"), deeds=(deed(sent),)), "POL-17")) == count


def test_what_the_hook_changes_in_a_later_attempt_is_on_record_where_it_is_refused() -> None:
    """The hook let the first attempt pass and was asked again: the second is recorded as it was judged (POL-17)."""
    facts: Mapping[str, Json] = {"hook": {"tool": "w.tool", "action": "modify-later", "args": {"a": 2}}}
    second: Mapping[str, Json] = {**CALL[1], "callId": "c2", "attempt": 2}
    changed: Mapping[str, Json] = {**second, "args": {"a": 2}, "argsModifiedBy": "hook"}
    first = deed({"a": 1})
    assert found(run_of(facts, CALL, (Kind.CALL, changed), deeds=(first,)), "POL-17") == []
    assert len(found(run_of(facts, CALL, (Kind.CALL, second), deeds=(first,)), "POL-17")) == 1


@pytest.mark.parametrize("action", ["modify", "modify-first"])
@pytest.mark.parametrize(
    ("mark", "count"), [(None, 1), (True, 1), ({"by": ""}, 1), ("hook", 0), ({"members": ["/a"]}, 0)]
)
def test_what_the_hook_changed_is_marked_as_changed(action: str, mark: Json, count: int) -> None:
    """The mark says who changed the arguments or which of them; a value that says neither is no mark (POL-17, A49)."""
    facts: Mapping[str, Json] = {"hook": {"tool": "w.tool", "action": action, "args": {"a": 2}}}
    call = (Kind.CALL, {**CALL[1], "args": {"a": 2}, "argsModifiedBy": mark})
    told = found(run_of(facts, call, result("ok"), deeds=(deed({"a": 2}),)), "POL-17")
    assert [each.matter for each in told] == [Matter.ARGS_MODIFIED_BY] * count


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [({"a": 2}, {"a": 1}, 0), ({"a": 2}, {"a": 2}, 1), ({"a": 1}, {"a": 1}, 1), ({"a": 1}, {"a": 2}, 2)],
)
def test_what_the_hook_changed_in_the_first_attempt_is_sent_with_no_other(
    first: Json, second: Json, count: int
) -> None:
    """The hook let the second attempt go on, with the arguments that it was asked about (POL-17)."""
    facts: Mapping[str, Json] = {"hook": {"tool": "w.tool", "action": "modify-first", "args": {"a": 2}}}
    again: tuple[Kind, Mapping[str, Json]] = (Kind.CALL, {**CALL[1], "callId": "c2", "attempt": 2})
    sent = (deed(first), replace(deed(second), call_id="c2"))
    assert len(found(run_of(facts, CALL, again, deeds=sent), "POL-17")) == count


@pytest.mark.parametrize(("message", "count"), [("$steps.s0.x leads nowhere", 0), ("no x in 'a private word'", 1)])
def test_a_failed_resolution_may_not_quote_the_data(message: str, count: int) -> None:
    """The private text in the result is the finding."""
    unbuilt = (
        Kind.RESULT,
        {"callId": "c9", "status": "error", "error": {"code": "VALIDATION_ERROR", "message": message}},
    )
    assert len(found(run_of({"private": ["a private word"]}, unbuilt), "REF-24")) == count


@pytest.mark.parametrize(("requirement", "code"), [("ERR-01", "NOT_FOUND"), ("ERR-02", "CONFLICT")])
def test_the_folder_dooms_a_step_to_its_code(requirement: str, code: str) -> None:
    """The step must end with the code that the folder dooms it to; another code or a success is a finding."""
    doomed: Mapping[str, Json] = {"codes": {"s1": code}}
    assert found(run_of(doomed, CALL, result("error", code)), requirement) == []
    assert len(found(run_of(doomed, CALL, result("error", "INTERNAL_ERROR")), requirement)) == 1
    assert len(found(run_of(doomed, CALL, result("ok")), requirement)) == 1


def test_nobody_is_asked_about_a_plan_that_is_to_be_refused() -> None:
    """To ask the user about such a plan is a finding."""
    asked = (Kind.EVENT, {"type": "run.confirmationRequested"})
    assert found(run_of({"refused": True}), "VAL-15") == []
    assert len(found(run_of({"refused": True}, asked), "VAL-15")) == 1


def test_a_plan_with_an_alias_is_not_refused() -> None:
    """An alias is a name of its tool (VAL-06)."""
    run = run_of({"refused": False})
    assert run.witnessed is not None
    assert found(run, "VAL-06") == []
    refused = replace(run.witnessed, refusal=Refusal("VALIDATION_ERROR", "unknown tool w.t", {}, 1))
    assert len(found(replace(run, witnessed=refused), "VAL-06")) == 1


@pytest.mark.parametrize("requirement", ["ERR-06", "RES-22", "DEP-12"])
def test_a_death_that_repeats_breaks_what_it_proves(requirement: str) -> None:
    """A death breaks nothing else (A78)."""
    assert len(found(run_of({"died": [requirement]}, CALL, deeds=(deed({}),)), requirement)) == 1
    with pytest.raises(AssertionError, match="not exercised"):
        found(run_of({"died": []}), requirement)


def test_a_captured_log_has_no_such_facts() -> None:
    """No law of this module has a subject in a run that the suite did not witness."""
    captured = replace(run_of({**BLOCK, "refused": True, "died": ["ERR-06"]}, CALL, result("ok")), witnessed=None)
    for each in all_checks():
        if each.examine.__module__ == scenario_facts.__name__:
            assert list(each.each(captured)) == []
