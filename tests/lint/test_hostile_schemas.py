"""Schemas written to stop their reader: the linter names the limit that they exceed, and raises nothing."""

from __future__ import annotations

from typing import Any

import pytest
from callproof.lint.breaking.catalogues import changes
from callproof.lint.definition import Catalogue
from callproof.lint.document import document_of
from callproof.lint.running import held
from callproof.lint.settings import Settings
from callproof.lint.sources.files import gathered

pytestmark = pytest.mark.many


def _doubled(levels: int, keyword: str) -> dict[str, Any]:
    """Each level refers twice to the next one, so that a reader of every way takes two to the power of the levels."""
    named: dict[str, Any] = {}
    for level in range(levels):
        below = {"$ref": f"#/$defs/n{level + 1}"}
        named[f"n{level}"] = (
            {keyword: [below, dict(below)]} if keyword != "properties" else {keyword: {"a": below, "b": below}}
        )
    return {"type": "object", "$ref": "#/$defs/n0", "$defs": {**named, f"n{levels}": {"type": "object"}}}


def _nested(levels: int, keyword: str) -> Any:
    schema: Any = {"type": "string"}
    for _ in range(levels):
        schema = {keyword: [schema] if keyword == "allOf" else schema}
    return schema


def _chained(links: int) -> dict[str, Any]:
    named = {f"n{link}": {"$ref": f"#/$defs/n{link + 1}"} for link in range(links)}
    return {"type": "object", "$ref": "#/$defs/n0", "$defs": {**named, f"n{links}": {}}}


LIMITED: list[tuple[str, Any, str]] = [
    ("40 levels of doubled references", _doubled(40, "allOf"), "references of a schema"),
    ("40 levels of doubled alternatives", _doubled(40, "anyOf"), "references of a schema"),
    ("40 levels of doubled members", _doubled(40, "properties"), "references of a schema"),
    ("5,000 references in a row", _chained(5_000), "depth of references"),
    ("100 levels", _nested(100, "items"), "depth of a schema"),
    ("200,000 enumerated values", {"enum": [str(number) for number in range(200_000)]}, "nodes of a schema"),
    ("a default of 60,000 items", {"default": [*range(60_000)], "uniqueItems": True}, "nodes of a schema"),
    (
        "conditions that multiply",
        {"allOf": [{"anyOf": [{"required": [f"a{n}{m}"]} for m in range(4)]} for n in range(12)]},
        "cases of a schema",
    ),
    (
        "alternatives that are held against each other",
        {
            "anyOf": [
                {"properties": {f"a{n}_{m}": {"minLength": n, "maxLength": m + n} for m in range(80)}}
                for n in range(80)
            ],
            "not": {"type": "string"},
        },
        "alternatives of a schema",
    ),
    ("a pattern of 5,000 characters", {"properties": {"a": {"pattern": "a" * 5_000}}}, "characters of a pattern"),
    ("a pattern of 5,000 groups in each other", {"pattern": "(" * 5_000 + ")" * 5_000}, "characters of a pattern"),
    (
        "a pattern of a million states",
        {"properties": {"a": {"pattern": "^(a{1,1000}){1,1000}$"}}},
        "states of a pattern",
    ),
    ("a pattern with a group again", {"properties": {"a": {"pattern": r"^(a+)\1$"}}}, "references back to a group"),
]
JUDGED: list[tuple[str, Any]] = [
    (
        "thousands of distinct items",
        {"uniqueItems": True, "type": "array", "default": [{"a": n} for n in range(9_000)]},
    ),
    (
        "a catastrophic pattern over its own default",
        {"pattern": "^(a+)+$", "type": "string", "default": "a" * 400 + "!"},
    ),
    ("a default deep inside recursion", {"properties": {"a": {"$ref": "#"}}, "default": {"a": {"a": {"a": {}}}}}),
    ("a number of 1,000 digits", {"type": "integer", "minimum": 10**1_000, "default": 1}),
    ("a smallest step", {"type": "number", "multipleOf": 1e-300, "default": 1e300}),
    ("a reference to itself", {"$ref": "#"}),
    ("no schema at all", ["not", "a", "schema"]),
    (
        "keywords of every wrong shape",
        dict.fromkeys(("properties", "allOf", "items", "enum", "required", "$ref", "pattern", "if"), 1),
    ),
    ("controls and bidi marks", {"properties": {"a\u202eb\x1b[31m": {"type": "str\u0007ing", "default\u200b": 1}}}),
    ("null everywhere", dict.fromkeys(("type", "properties", "$defs", "anyOf", "$ref", "$schema", "format"))),
]


def _catalogue(schema: Any) -> Catalogue:
    tool = {"name": "a.b", "inputSchema": schema, "outputSchema": schema}
    read = gathered([document_of("tools.json", {"tools": [tool]})])
    return Catalogue(read.documents, read.found)


@pytest.mark.parametrize(
    ("schema", "limit"), [(s, limit) for _, s, limit in LIMITED], ids=[name for name, _, _ in LIMITED]
)
def test_what_passes_a_limit_is_unknown_and_the_limit_is_named(schema: Any, limit: str) -> None:
    """The linter gives no verdict and does not crash."""
    outcome = held(_catalogue(schema), Settings(select=("SCH",)))
    assert outcome.problems == ()
    assert {finding.fault.unknown for finding in outcome.findings} - {""} == {limit}


@pytest.mark.parametrize("schema", [each for _, each in JUDGED], ids=[name for name, _ in JUDGED])
def test_what_stays_within_the_limits_is_judged(schema: Any) -> None:
    """Every rule ends without a problem."""
    assert held(_catalogue(schema), Settings(select=("SCH",))).problems == ()


@pytest.mark.parametrize(
    "schema",
    [schema for _, schema, _ in LIMITED[:9]] + [each for _, each in JUDGED],
    ids=[name for name, _, _ in LIMITED[:9]] + [name for name, _ in JUDGED],
)
def test_what_cannot_be_compared_is_for_review(schema: Any) -> None:
    """Compared with an ordinary schema, in both directions: a change is reported, and nothing is raised."""
    plain = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}, "required": ["a"]}
    for old, new in ((schema, plain), (plain, schema)):
        assert [*changes(_catalogue(old), _catalogue(new))]


def test_depth_beyond_all_measure_is_refused_by_the_reader() -> None:
    """21,000 levels, which would stop Python itself."""
    from callproof.lint.document import NotReadable, read_document

    with pytest.raises(NotReadable, match="nested deeper"):
        read_document(
            "tools.json", b'{"name": "a.b", "inputSchema": {"default": ' + b"[" * 21_000 + b"]" * 21_000 + b"}}"
        )
