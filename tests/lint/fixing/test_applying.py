"""Fixes, round after round: what they mend, what they leave alone, and that a second run changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from callproof.commands.lint import fix, lint, linter
from callproof.lint.configuring import Configured
from callproof.lint.document import read_document
from callproof.lint.fixing.applying import Fixed
from callproof.lint.page import pages
from callproof.lint.rule import Drop, Fix, Put, Rename, Replace, all_rules
from callproof.lint.settings import Settings
from callproof.lint.sources.files import Gathered, gathered
from jsonschema.validators import validator_for
from suppressions import LATER, TODAY, suppressing

BAD = {
    "name": "notes.append",
    "description": "Put a line at the end of a note.",
    "inputSchema": {
        "properties": {"path": {"type": "string", "examples": ["a\\b.md"]}, "note": {"type": "string"}},
        "required": ["path", "note"],
    },
    "outputSchema": {"properties": {"tookMs": {"type": "number"}}},
    "riskLevel": "writes",
}


def read(value: Any, dialect: Any = "json", indent: int | None = 2) -> Gathered:
    """A file with some definitions."""
    return gathered([read_document("tools.json", json.dumps(value, indent=indent).encode(), dialect)])


def mended(start: Gathered, settings: Settings | None = None, *, unsafe: bool = False) -> Fixed:
    """The file after the fixes."""
    return fix(start, linter(Configured(settings or Settings()), TODAY), unsafe=unsafe)


def test_safe_fixes_mend_what_needs_no_second_thought() -> None:
    """They change nothing else."""
    done = mended(read(BAD))
    value: Any = done.gathered.documents[0].value
    assert value["inputSchema"]["type"] == "object"
    assert value["inputSchema"]["additionalProperties"] is False
    assert value["inputSchema"]["required"] == ["path"]
    assert value["inputSchema"]["properties"]["path"]["examples"] == ["a/b.md"]
    assert value["outputSchema"]["properties"]["tookMs"] == {"type": "integer"}
    assert "sideEffects" not in value
    assert "dryRun" not in value["inputSchema"]["properties"]


@pytest.mark.parametrize(
    ("hint", "adds"),
    [
        (True, {"riskLevel": "read-only", "sideEffects": []}),
        (False, {"riskLevel": "writes"}),
        ("yes", {}),
        (None, {}),
    ],
)
def test_what_only_its_author_knows_of_a_tool_is_written_for_whoever_has_looked(hint: Any, adds: Any) -> None:
    """TD001, TD003, TD005: an input without arguments, the level that a hint states, no effects of a read-only tool."""
    bare = {"name": "notes.count", "annotations": {"readOnlyHint": hint}}
    assert mended(read(bare)).gathered.documents[0].value == bare
    value: Any = mended(read(bare), unsafe=True).gathered.documents[0].value
    takes = {"type": "object", "additionalProperties": False, "required": [], "properties": {}}
    assert value == {**bare, "inputSchema": takes, **adds}


def test_a_keyword_with_a_letter_wrong_is_renamed_where_it_stands() -> None:
    """SCH003: it keeps its value and its position."""
    takes: Any = {"type": "object", "properties": {"a": {"maxLenght": 3, "type": "string"}}}
    value: Any = mended(read({"name": "a.b", "inputSchema": takes}), Settings(select=("SCH003",)), unsafe=True)
    assert list(value.gathered.documents[0].value["inputSchema"]["properties"]["a"].items()) == [
        ("maxLength", 3),
        ("type", "string"),
    ]


@pytest.mark.parametrize(("level", "hint"), [("read-only", False), ("writes", True), ("commands", True)])
def test_a_hint_that_contradicts_the_level_is_mended_for_whoever_has_looked(level: str, hint: bool) -> None:
    """TD008: systems go by the level, so the hint is changed; lint cannot know which of the two is the slip."""
    tool = {"name": "notes.count", "riskLevel": level, "annotations": {"readOnlyHint": hint}}
    only = Settings(select=("TD008",))
    assert mended(read(tool), only).gathered.documents[0].value == tool
    value: Any = mended(read(tool), only, unsafe=True).gathered.documents[0].value
    assert value["annotations"] == {"readOnlyHint": not hint}


def test_unsafe_fixes_come_beside_the_safe_ones() -> None:
    """A user who asks for them has looked at them."""
    value: Any = mended(read(BAD), unsafe=True).gathered.documents[0].value
    assert value["inputSchema"]["properties"]["dryRun"]["type"] == "boolean"
    assert value["inputSchema"]["additionalProperties"] is False


@pytest.mark.parametrize("unsafe", [False, True])
def test_a_second_run_has_nothing_to_do(unsafe: bool) -> None:
    """What a fix has mended stays as it is."""
    done = mended(read([BAD, BAD]), unsafe=unsafe)
    assert done.made
    again = mended(done.gathered, unsafe=unsafe)
    assert (again.made, again.changed) == (0, ())


def test_what_somebody_lets_pass_is_not_mended() -> None:
    """A rule that is not chosen mends nothing either."""
    passing = Settings(select=("IN002", "IN004"), suppressions=(suppressing("IN002", LATER),))
    value: Any = mended(read(BAD), passing).gathered.documents[0].value
    assert "additionalProperties" not in value["inputSchema"]
    assert "type" not in value["inputSchema"]


def test_yaml_and_answers_of_servers_are_left_alone() -> None:
    """Lint does not edit YAML, and the answer of a server is not a file."""
    start = gathered([read_document("tools.yaml", json.dumps(BAD).encode(), "yaml")])
    assert mended(start).made == 0


def test_plans_are_mended_too() -> None:
    """A step that sets requestId loses it."""
    plan = {"steps": [{"id": "a", "tool": "notes.append", "args": {"path": "a.md", "requestId": "7"}}]}
    value: Any = mended(read({"tools": [BAD], "plan": plan})).gathered.documents[0].value
    assert value["plan"]["steps"][0]["args"] == {"path": "a.md"}


@pytest.mark.parametrize("name", ["dryRun", "note", "requestId", "expectedEtag", "ifNotExists", "other"])
def test_a_default_of_null_is_mended_once_and_for_all(name: str) -> None:
    """Libraries write optional arguments so; the default is removed if the conventions fix the type of the argument."""
    kind = "boolean" if name in ("dryRun", "ifNotExists") else "string"
    properties = {name: {"type": kind, "default": None}}
    schema = {"type": "object", "additionalProperties": False, "required": [], "properties": properties}
    done = mended(read({**BAD, "riskLevel": "read-only", "inputSchema": schema}), unsafe=True)
    value: Any = done.gathered.documents[0].value
    left = value["inputSchema"]["properties"].get(name)
    other = {"type": [kind, "null"], "default": None}
    assert left == ({"dryRun": None, "other": other}.get(name, {"type": kind}))
    assert mended(done.gathered, unsafe=True).made == 0


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "null", "not": {}},
        {"type": "string", "allOf": [{"type": "string"}]},
        {"type": "string", "anyOf": [{"type": "string"}]},
        {"type": "string", "oneOf": [{"type": "string"}]},
        {"type": "string", "not": {"type": "null"}},
        {"type": "string", "if": {"type": "null"}, "then": False},
        {"type": "string", "enum": ["a"]},
        {"type": "string", "const": "a"},
        {"type": "string", "$ref": "#/$defs/text"},
        {"type": "string", "$dynamicRef": "#/$defs/text"},
        {"type": "string", "$recursiveRef": "#"},
    ],
    ids=json.dumps,
)
def test_a_default_of_null_is_left_where_another_type_would_not_help(schema: dict[str, Any]) -> None:
    """Another keyword beside the type would still refuse null, and no type is listed twice."""
    properties = {"other": {**schema, "default": None}}
    whole = {**BAD["inputSchema"], "properties": properties, "required": [], "$defs": {"text": {"type": "string"}}}
    draft = "2019-09" if "$recursiveRef" in schema else "2020-12"
    whole["$schema"] = f"https://json-schema.org/draft/{draft}/schema"
    done = mended(read({**BAD, "riskLevel": "read-only", "inputSchema": whole}), unsafe=True)
    value: Any = done.gathered.documents[0].value
    assert value["inputSchema"]["properties"] == properties


@pytest.mark.parametrize("dialect", ["draft-04", "draft-07"])
@pytest.mark.parametrize("names", [["note"], ["expectedEtag"], ["dryRun", "note", "requestId"], ["path", "note"]])
def test_a_list_of_required_names_stays_one_that_its_draft_permits(dialect: str, names: list[str]) -> None:
    """Draft-04 permits no empty list (json-schema-validation 5.4.3.1), so the list goes with its last name."""
    kinds = {"dryRun": "boolean"}
    schema = {
        "$schema": f"http://json-schema.org/{dialect}/schema#",
        "type": "object",
        "additionalProperties": False,
        "required": names,
        "properties": {name: {"type": kinds.get(name, "string")} for name in names},
    }
    done: Any = mended(read({**BAD, "inputSchema": schema})).gathered.documents[0].value
    left = done["inputSchema"].get("required")
    validator_for(schema).check_schema(done["inputSchema"])
    assert (left or []) == [name for name in names if name == "path"]


def _member(name: str, told: Any, *, role: str = "inputSchema", **beside: Any) -> Any:
    """A tool with one member in its input or its output."""
    closed = {"type": "object", "additionalProperties": False, "required": [name], "properties": {name: told}}
    takes = {"properties": {"path": {"type": "string"}}, "required": ["path"]}
    return {**BAD, "inputSchema": takes, role: {**closed, **beside}}


def _text(**beside: Any) -> Any:
    return {"type": "string", **beside}


_BACKSLASHED = r"^Inbox\\[a-z.]+$"
_EITHER = r"^Inbox[/\\][a-z.]+$"


@pytest.mark.parametrize(
    "tool",
    [
        _member("path", {"type": "string", "enum": ["Inbox\\a.md"], "pattern": _BACKSLASHED}),
        _member("path", {"type": "string", "default": "Inbox\\a.md", "pattern": _BACKSLASHED}),
        _member("path", {"type": "string", "examples": ["Inbox\\a.md"], "pattern": _BACKSLASHED}),
        _member("path", {"type": "string", "examples": ["Inbox\\a.md"], "enum": ["Inbox\\a.md"]}, default={"path": ""}),
        _member("tookMs", {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, role="outputSchema"),
        _member("tookMs", {"type": "number"}, role="outputSchema", examples=[{"tookMs": 1.5}]),
        {**BAD, "inputSchema": {"properties": {"path": {"type": "string"}}, "required": [], "enum": ["a"]}},
        {**BAD, "inputSchema": {"properties": {"path": {"type": "string"}}, "required": [], "default": "a"}},
    ],
    ids=json.dumps,
)
def test_no_safe_fix_makes_a_schema_that_refuses_itself(tool: Any) -> None:
    """Otherwise a working tool would become one that no call satisfies, or that refuses its own default or example."""
    watched = ("SCH001", "SCH008", "SCH009", "SCH011")
    settings = Settings(extend_select=watched)

    def faults(start: Gathered) -> list[str]:
        found = lint(start, linter(Configured(settings), TODAY)).outcome.findings
        return sorted(each.rule for each in found if each.rule in watched)

    start = read(tool)
    before = faults(start)
    assert [each for each in faults(mended(start, settings).gathered) if each not in before] == []


@pytest.mark.parametrize(
    ("tool", "role", "name", "becomes"),
    [
        (_member("path", _text(enum=["Inbox\\a.md"], pattern=_EITHER)), "input", "enum", ["Inbox/a.md"]),
        (_member("path", _text(default="Inbox\\a.md", pattern=".md$")), "input", "default", "Inbox/a.md"),
        # The default is refused before as well as after.
        (_member("path", _text(default="Inbox\\a", pattern=".md$")), "input", "default", "Inbox/a"),
        (_member("tookMs", {"type": "number", "minimum": 0}, role="outputSchema"), "output", "type", "integer"),
    ],
    ids=json.dumps,
)
def test_a_safe_fix_that_does_no_harm_is_still_made(tool: Any, role: str, name: str, becomes: Any) -> None:
    """A pattern or a bound that takes what the fix writes does not stop it."""
    value: Any = mended(read(tool)).gathered.documents[0].value
    (member,) = value[f"{role}Schema"]["properties"].values()
    assert member[name] == becomes


def test_of_several_fixes_of_one_tool_only_the_harmful_one_is_left_out() -> None:
    """The others are made, and a second run has nothing to do."""
    members = {
        "path": {
            "type": "string",
            "examples": ["a\\b", "Inbox\\c"],
            "anyOf": [{"maxLength": 3}, {"pattern": "Inbox.c"}],
        },
        "filePath": {"type": "string", "examples": [f"Inbox\\{each}" for each in "abc"], "pattern": _BACKSLASHED},
    }
    done = mended(read({**BAD, "inputSchema": {"properties": members, "required": []}}))
    value: Any = done.gathered.documents[0].value
    assert value["inputSchema"]["properties"]["path"]["examples"] == ["a/b", "Inbox/c"]
    assert value["inputSchema"]["properties"]["filePath"] == members["filePath"]
    assert value["inputSchema"]["type"] == "object"
    assert mended(done.gathered).made == 0


def bad_examples() -> Iterator[Any]:
    """The bad examples of every page whose rule has a fix."""
    known = {each.id for each in all_rules()}
    for each in pages().values():
        if each.fix != "none" and each.id in known:
            for example in each.examples:
                if "bad" in example.words:
                    yield pytest.param(each, example, id=each.id)


@pytest.mark.parametrize(("page", "example"), [*bad_examples()])
def test_the_fix_of_a_page_mends_its_bad_example(page: Any, example: Any) -> None:
    """A rule may have no fix for some example; no fix makes a definition that another rule calls an error."""
    profiles = ("seed", *example.profiles)
    settings = Settings(extend_select=(page.id,), profiles=profiles)
    start = gathered([read_document("example.json", example.text.encode())])
    linting = linter(Configured(settings), TODAY)
    offered = [each.fault.fix for each in lint(start, linting).outcome.findings if each.rule == page.id]
    fixes = [each for each in offered if each is not None]
    assert all(each.safe == (page.fix == "safe") for each in fixes)
    done = mended(start, settings, unsafe=True)
    left = lint(done.gathered, linting).outcome.findings
    if fixes and len(fixes) == len(offered):
        assert [each.rule for each in left if each.rule == page.id or each.severity.value == "error"] == []


@pytest.mark.parametrize("rule", [each for each in all_rules() if each.id in pages()], ids=lambda each: each.id)
def test_a_page_says_whether_its_rule_has_fixes(rule: Any) -> None:
    """If the page says that there are fixes, some bad example shows one; if it says none, no example does."""
    page = pages()[rule.id]
    kinds: set[str] = set()
    for example in page.examples:
        start = gathered([read_document("example.json", example.text.encode())])
        settings = Settings(select=(page.id,), profiles=("seed", *example.profiles))
        for each in lint(start, linter(Configured(settings), TODAY)).outcome.findings:
            if each.rule == page.id and each.fault.fix is not None:
                kinds.add("safe" if each.fault.fix.safe else "unsafe")
                assert all(isinstance(edit, Put | Replace | Rename | Drop) for edit in each.fault.fix.edits)
                assert isinstance(each.fault.fix, Fix)
    assert kinds == ({page.fix} - {"none"})
