"""The linter over 2,367 real definitions: no rule fails, few findings go beyond the conventions, fixes are safe."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from callproof.commands.lint import fix, lint, linter
from callproof.lint.configuring import Configured
from callproof.lint.document import Document, read_document, value_at
from callproof.lint.fixing.applying import Fixed
from callproof.lint.page import pages
from callproof.lint.running import Linted
from callproof.lint.settings import CONVENTIONS, Settings
from callproof.lint.sources.files import from_files, gathered
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, Draft202012Validator
from shared import SHARED
from suppressions import TODAY

pytestmark = pytest.mark.many

# A busy machine must not fail these tests: they do not judge how long a case takes.
UNHURRIED = settings(deadline=None, suppress_health_check=list(HealthCheck))

FILES = sorted((SHARED / "corpora" / "tools").glob("*.json"))
LINTING = linter(Configured(Settings()), TODAY)


@cache
def judged(file: Path) -> Linted:
    """What the linter says about a file."""
    return lint(from_files([str(file)]), LINTING)


@cache
def mended(file: Path, *, unsafe: bool) -> Fixed:
    """The file after the fixes; nothing is written."""
    return fix(from_files([str(file)]), LINTING, unsafe=unsafe)


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.stem)
def test_every_real_definition_is_judged(file: Path) -> None:
    """No rule fails on one, and each finding is where its pointer says."""
    linted = judged(file)
    listed = json.loads(file.read_text(encoding="utf-8"))["tools"]
    assert len(linted.catalogue.definitions) == len(listed)
    assert linted.problems == ()
    for each in linted.outcome.findings:
        span = each.document.span(each.pointer)
        assert json.loads(each.document.text[span.start : span.end]) == value_at(each.document.value, each.pointer)


def test_little_is_said_beyond_what_the_conventions_demand() -> None:
    """At most three findings per tool on average, since people switch off a noisy linter."""
    found: Counter[str] = Counter(each.rule for file in FILES for each in judged(file).outcome.findings)
    tools = sum(len(judged(file).catalogue.definitions) for file in FILES)
    demanded = {name for name, each in pages().items() if each.group in CONVENTIONS and each.level == "MUST"}
    assert sum(number for name, number in found.items() if name not in demanded) <= 3 * tools


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("file", FILES, ids=lambda each: each.stem)
def test_fixes_are_made_once_and_for_all(file: Path, unsafe: bool) -> None:
    """A second run has nothing to do, no schema that was valid becomes invalid, and no new error appears."""
    done = mended(file, unsafe=unsafe)
    again = fix(done.gathered, LINTING, unsafe=unsafe)
    assert (again.made, again.changed) == (0, ())
    before, after = from_files([str(file)]).documents[0], done.gathered.documents[0]
    for old, new in zip(schemas(before), schemas(after), strict=True):
        assert old == new or is_schema(new) or not is_schema(old)
    errors = Counter(
        each.rule for each in lint(done.gathered, LINTING).outcome.findings if each.severity.value == "error"
    )
    assert errors <= Counter(each.rule for each in judged(file).outcome.findings)


@pytest.mark.parametrize("file", FILES, ids=lambda each: each.stem)
def test_a_safe_fix_leaves_a_closed_schema_as_strict_as_it_was(file: Path) -> None:
    """If a schema was closed, every call that was valid stays valid and every other one stays refused."""
    before, after = from_files([str(file)]).documents[0], mended(file, unsafe=False).gathered.documents[0]
    for old, new in zip(schemas(before), schemas(after), strict=True):
        if not isinstance(old, dict) or old.get("additionalProperties") is not False or old == new:
            continue
        for name in old.get("properties", {}):
            assert wanting(old, name) == wanting(new, name)
        assert {**new, "required": [], "type": "object"} == {**old, "required": [], "type": "object"}


def wanting(schema: Any, name: str) -> bool:
    """Whether a call must give an argument, except for those that a planner does not give."""
    return name in schema.get("required", []) and name not in {"dryRun", "note", "requestId"}


@UNHURRIED
@given(st.data())
def test_single_fixes_change_only_their_own_place(data: st.DataObject) -> None:
    """In any layout of a definition, the fixes of one rule leave every other member as it was."""
    file = data.draw(st.sampled_from(FILES))
    listed = json.loads(file.read_text(encoding="utf-8"))["tools"]
    tool = data.draw(st.sampled_from(listed))
    layout: Any = data.draw(st.sampled_from([{"indent": 2}, {"separators": (",", ":")}, {"indent": "\t"}, {}]))
    rule = data.draw(st.sampled_from(sorted(name for name, each in pages().items() if each.fix == "safe")))
    start = gathered([read_document("tool.json", json.dumps(tool, **layout).encode())])
    done = fix(start, linter(Configured(Settings(select=(rule,))), TODAY), unsafe=False)
    value: Any = done.gathered.documents[0].value
    assert list(value)[: len(tool)] == list(tool)
    for name in tool:
        if name not in {"inputSchema", "outputSchema"}:
            assert value[name] == tool[name]
    again = lint(done.gathered, linter(Configured(Settings(select=(rule,))), TODAY))
    assert [each for each in again.outcome.findings if each.fault.fix is not None and each.fault.fix.safe] == []


def schemas(document: Document) -> list[Any]:
    """The input and output schemas of a document, in order."""
    value: Any = document.value
    return [tool.get(name) for tool in value["tools"] for name in ("inputSchema", "outputSchema")]


def is_schema(schema: Any) -> bool:
    """Whether a schema is valid by the metaschema of its dialect."""
    validator = Draft7Validator if "draft-07" in str(schema) else Draft202012Validator
    return not any(validator(validator.META_SCHEMA).iter_errors(schema))
