"""Whatever a definition is, no rule fails on it: every rule runs over values that no author would write."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from callproof.lint.definition import Catalogue
from callproof.lint.document import read_document
from callproof.lint.forms.report import report
from callproof.lint.forms.text import finding_lines
from callproof.lint.profiles.loading import NAMES
from callproof.lint.rule import all_rules
from callproof.lint.running import Linted, held
from callproof.lint.settings import Settings
from callproof.lint.sources.files import gathered
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_catalogues import plan, step, writing

pytestmark = pytest.mark.many

# A busy machine must not fail these tests: they do not judge how long a case takes.
UNHURRIED = settings(deadline=None, suppress_health_check=list(HealthCheck))

WORDS = st.sampled_from(
    [
        "#", "#/$defs/a", "$defs", "$ref", "$steps.a.b", "additionalProperties", "allOf", "anyOf", "const", "default",
        "description", "dryRun", "enum", "errors", "format", "items", "mode", "mtime", "mtimeMs", "name", "not",
        "object", "ok", "oneOf", "path", "paths", "pattern", "properties", "required", "string", "type",
    ]
)  # fmt: skip
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS | st.text()
)
GARBAGE: Any = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=5), max_leaves=12
)
TOOL = writing(
    "vault.writeFile",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["path"],
        "properties": {
            "path": {"type": "string", "pattern": "^a", "examples": ["a"]},
            "pattern": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/a"}]},
        },
        "$defs": {"a": {"type": "array", "items": {"type": "string"}}},
    },
    {"type": "object", "properties": {"mtimeMs": {"type": "number"}, "items": {"type": "array", "items": {}}}},
    "modify-file",
    annotations={"readOnlyHint": True},
    errors=["NOT_FOUND"],
)
PLAN = plan(step("a", "vault.writeFile", {"path": "$steps.a.path", "requestId": 1}, preview="Write {item.path}"))


def judged(tools: Any, steps: Any) -> Linted:
    """The findings of all rules in all profiles."""
    read = gathered([read_document("a.json", json.dumps({"tools": tools, "plan": steps}).encode("utf-8"))])
    catalogue = Catalogue(read.documents, read.found, read.plans, NAMES)
    outcome = held(catalogue, Settings(select=("ALL",), profiles=NAMES))
    return Linted(catalogue, outcome, outcome.problems, 1)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container inside a value, with each of its names or indexes."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [each for name, below in inner for each in ((value, name), *places(below))]


@UNHURRIED
@given(GARBAGE)
def test_any_value_can_be_a_definition(value: Any) -> None:
    """The linter judges it, and no rule fails."""
    assert judged([value, TOOL], value).problems == ()


@UNHURRIED
@given(st.data())
def test_any_value_can_stand_anywhere_in_a_definition(data: st.DataObject) -> None:
    """The same holds for a plan, and every finding can be reported."""
    tool, steps = copy.deepcopy(TOOL), copy.deepcopy(PLAN)
    for _ in range(data.draw(st.integers(1, 3))):
        container, name = data.draw(st.sampled_from([*places(tool), *places(steps)]))
        container[name] = data.draw(GARBAGE)
    linted = judged([tool], steps)
    assert linted.problems == ()
    assert len(report(linted)["findings"]) == len(linted.outcome.findings)
    assert all([*finding_lines(each)] for each in linted.outcome.findings)


@pytest.mark.parametrize("rule", all_rules(), ids=lambda each: each.id)
def test_a_rule_has_one_sentence_of_law(rule: Any) -> None:
    """The name of its function says the law, too."""
    assert rule.law.endswith(".")
    assert "_" in rule.examine.__name__
