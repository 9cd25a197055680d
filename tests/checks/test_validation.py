"""Validation in cases beyond the examples of its chapter."""

from __future__ import annotations

from dataclasses import replace

import pytest
from callproof.judge.judgement import judged_run
from callproof.judge.judging import judge
from callproof.judge.verdicts import Verdict
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from edited_runs import base, deed_of, findings, live, output, patched, verdict


def test_invalid_args_that_reach_a_tool_are_found_whatever_the_log_says() -> None:
    """VAL-01: the deeds show it."""
    run = base("unconfirmed")
    sent = deed_of(run.calls[0], output({}), args={"path": ""})
    assert len(findings(live(run, (sent,)), "VAL-01")) == 1


def with_schema(name: str, tool: str, schema: Json) -> Run:
    """A base run in which one tool has another input schema."""
    run = base(name)
    assert run.registry is not None
    changed = [dict(each.value) | ({"inputSchema": schema} if each.name == tool else {}) for each in run.registry.tools]
    return replace(run, registry=registry_of(changed))


@pytest.mark.parametrize(
    ("schema", "laws"),
    [
        ({"required": ["gone"]}, {"VAL-01"}),
        ({"properties": {"filePath": {"pattern": "^/"}}}, {"VAL-01", "VAL-03"}),
        ({"not": {"required": ["numbers"]}}, {"VAL-01", "VAL-03"}),
        ({"properties": {"numbers": {"items": {"type": "integer"}}}}, {"VAL-01", "VAL-03"}),
        ({"properties": {"names": {"additionalProperties": False}}}, {"VAL-01"}),
    ],
)
def test_every_keyword_counts(schema: Json, laws: set[str]) -> None:
    """VAL-03: nested keywords, and keywords other than type."""
    run = with_schema("references", "util.compose", schema)
    first = replace(run, calls=run.calls[:1])
    assert {law for law in ("VAL-01", "VAL-02", "VAL-03") if findings(first, law)} == laws


@pytest.mark.parametrize("schema", [{"type": "nonsense"}, {"$schema": "http://json-schema.org/draft-07/schema#"}])
def test_a_schema_that_cannot_be_used_decides_nothing_but_its_own_law(schema: Json) -> None:
    """VAL-09: a call of such a tool breaks that law, and no other law can be decided for it."""
    run = with_schema("references", "util.compose", schema)
    assert verdict(run, "VAL-09") is Verdict.FAIL
    assert verdict(run, "VAL-01") is Verdict.INCONCLUSIVE


@pytest.mark.parametrize("pattern", ["^(?!/)", "(?<=a)b", r"^(.)\1", "^(?:.b){1,10000}$"])
def test_a_pattern_that_takes_another_engine_accuses_nobody(pattern: str) -> None:
    """Such a schema is valid, and the system may have an engine for it: VAL-09 is kept, and VAL-01 undecided."""
    run = with_schema(
        "references", "util.compose", {"properties": {"filePath": {"type": "string", "pattern": pattern}}}
    )
    assert verdict(run, "VAL-09") is not Verdict.FAIL
    assert verdict(run, "VAL-01") is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("schema", "notes"),
    [
        (
            {"properties": {"names": {"pattern": "^(?=a)"}}},
            (
                "tool util.compose: callproof cannot use a pattern of its inputSchema, so its calls were not held"
                " against it",
            ),
        ),
        ({"properties": {"names": {"pattern": "^a"}}}, ()),
        ({"type": "nonsense"}, ()),
    ],
)
def test_what_no_call_was_held_against_is_noted(schema: Json, notes: tuple[str, ...]) -> None:
    """VAL-09: otherwise VAL-01 would pass by the calls of other tools, and nobody would know of the rest."""
    run = with_schema("references", "util.compose", schema)
    assert judged_run(run, judge(run)).notes == notes
    uncalled = replace(run, calls=tuple(each for each in run.calls if each.text("tool") != "util.compose"))
    assert judged_run(uncalled, judge(uncalled)).notes == ()


@pytest.mark.parametrize("schema", [{"type": "nonsense", "pattern": "(?=a)"}, {"pattern": "(?=a)("}])
def test_a_strange_pattern_excuses_no_other_fault_of_a_schema(schema: Json) -> None:
    """VAL-09: a schema that no engine accepts cannot be used, whatever else it holds."""
    assert verdict(with_schema("references", "util.compose", schema), "VAL-09") is Verdict.FAIL


def test_it_is_told_why_a_schema_cannot_be_used() -> None:
    """VAL-09: the finding says which schema it is, and what is wrong with it."""
    run = with_schema("references", "util.compose", {"$schema": "http://json-schema.org/draft-07/schema#"})
    (found, *_) = findings(run, "VAL-09")
    assert (
        "whose inputSchema names the dialect 'http://json-schema.org/draft-07/schema#'; permitted: draft 2020-12"
        in found
    )


def test_without_a_registry_nothing_is_decided() -> None:
    """Missing evidence is named and never counts as a pass."""
    assert verdict(replace(base("linear"), registry=None), "VAL-01") is Verdict.INCONCLUSIVE


@pytest.mark.parametrize(
    ("details", "blamed"),
    [({"pointer": "/title"}, True), ({"pointer": "/value"}, False), ({}, True), (None, True)],
)
def test_emptiness_is_blamed_only_where_it_was_the_reason(details: Json, blamed: bool) -> None:
    """VAL-11: a check of the tool's own may refuse what its schema accepts, for other reasons (VAL-14)."""
    run = with_schema("references", "util.compose", {"type": "object"})
    at = next(n for n, each in enumerate(run.results) if each.step_id == "s5")
    error: dict[str, Json] = {"code": "VALIDATION_ERROR", "message": "no"}
    run = patched(run, "results", at, {"error": None})
    run = patched(run, "results", at, {"error": error if details is None else error | {"details": details}})
    assert bool(findings(run, "VAL-11")) is blamed


def test_an_empty_value_deep_in_a_list_is_one() -> None:
    """VAL-11: args that hold an empty value anywhere, and that the schema accepts, are not refused for it."""
    run = with_schema("references", "util.compose", {"type": "object"})
    at = next(n for n, each in enumerate(run.calls) if each.step_id == "s5")
    for title in (["x", [""]], [{"n": 0}], [[]]):
        deep = patched(
            patched(run, "calls", at, {"args": {"title": title}}), "results", 7, {"error": {"details": None}}
        )
        assert len(findings(deep, "VAL-11")) == 1, title
    full = patched(patched(run, "calls", at, {"args": {"title": [["x"]]}}), "results", 7, {"error": {"details": None}})
    assert not findings(full, "VAL-11")


def test_a_failed_check_that_saw_a_side_effect_is_found() -> None:
    """VAL-14: observed side effects count as much as lists of changes."""
    error: Json = {"code": "PRECONDITION_FAILED", "message": "The vault is read-only"}
    seen: Json = {"sideEffectsObserved": ["create-folder"], "created": None}
    run = patched(base("eventless"), "results", 2, {"status": "error", "ok": False, "data": None, "dataHash": None})
    run = patched(run, "results", 2, {"error": error, "effects": seen})
    assert len(findings(run, "VAL-14")) == 1


def test_a_side_effect_of_a_call_that_no_tool_saw_is_told_once() -> None:
    """EFF-19: no tool was entered to see it; VAL-14 is about a tool that checks in the middle of its work."""
    run = patched(base("refused"), "results", 4, {"effects": {"sideEffectsObserved": ["create-file"]}})
    assert len(findings(run, "EFF-19")) == 1
    assert findings(run, "VAL-14") == []


def test_a_schema_that_is_false_takes_no_args() -> None:
    """A schema may be a boolean; any args that are sent under ``false`` break it, empty ones too (VAL-01)."""
    run = base("unconfirmed")
    assert run.registry is not None
    for schema, found in ((False, len(run.calls)), (True, 0)):
        tools = registry_of({**each.value, "inputSchema": schema} for each in run.registry.tools)
        assert len(findings(replace(run, registry=tools), "VAL-01")) == found


@pytest.mark.parametrize(
    ("named", "laws"),
    [("readFile", {"VAL-06"}), ("vault.createFile", {"CALL-06"}), ("vault.nowhere", {"CALL-06"})],
    ids=["its-alias", "another-tool", "a-tool-that-nobody-has"],
)
def test_another_tool_is_no_other_spelling(named: str, laws: set[str]) -> None:
    """VAL-06, CALL-06: only an alias of the step's own tool is a name that should have been resolved."""
    run = base("linear")
    assert run.registry is not None
    tools = [
        dict(each.value) | ({"aliases": ["readFile"]} if each.name == "vault.readFile" else {})
        for each in run.registry.tools
    ]
    called = replace(patched(run, "calls", 0, {"tool": named}), registry=registry_of(tools))
    assert {law for law in ("CALL-06", "VAL-06") if findings(called, law)} == laws


@pytest.mark.many
def test_what_was_redacted_or_too_much_may_have_been_refused_for_that() -> None:
    """VAL-11: the schema may have refused the secret (A42), and a system need not check every size (VAL-12)."""
    run = with_schema("references", "util.compose", {"type": "object"})
    at = next(n for n, each in enumerate(run.calls) if each.step_id == "s5")
    run = patched(run, "results", 7, {"error": {"details": None}})
    assert len(findings(run, "VAL-11")) == 1
    hidden = patched(run, "calls", at, {"args": {"value": "***"}, "redacted": ["/args/value"]})
    assert findings(hidden, "VAL-11") == []
    nested: Json = ""
    for _ in range(63):
        nested = [nested]
    assert len(findings(patched(run, "calls", at, {"args": {"value": nested}}), "VAL-11")) == 1
    assert findings(patched(run, "calls", at, {"args": {"value": [nested]}}), "VAL-11") == []
    assert findings(patched(run, "calls", at, {"args": {"value": "x" * 1_000_000}}), "VAL-11") == []
    blamed = patched(run, "results", 7, {"error": {"details": {"pointer": "/title"}}})
    assert len(findings(patched(blamed, "calls", at, {"args": {"value": [nested]}}), "VAL-11")) == 1


def test_only_output_that_a_dispatched_call_was_given_is_held_against_its_schema() -> None:
    """VAL-07: a redacted value may have been valid (A42), and a call that never began was given no output."""
    run = base("linear")
    assert run.registry is not None
    bad = {"type": "object", "required": ["gone"]}
    tools = [
        {**each.value, **({"outputSchema": bad} if each.name == run.calls[0].text("tool") else {})}
        for each in run.registry.tools
    ]
    run = replace(run, registry=registry_of(tools))
    assert len(findings(run, "VAL-07")) == 2  # two steps refer to it
    assert findings(patched(run, "results", 0, {"redacted": ["/data/content"]}), "VAL-07") == []
    started = tuple(each for each in run.events or () if each.text("type") != "step.started")
    assert findings(replace(run, events=started), "VAL-07") == []
