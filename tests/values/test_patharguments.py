"""Which arguments are paths: the ones that the tool's schema declares (A70, A84)."""

from __future__ import annotations

import pytest
from callproof.values.patharguments import path_arguments

TEXT = {"type": "string"}
MOVE = {
    "type": "object",
    "properties": {
        "fromPath": TEXT,
        "toPath": TEXT,
        "paths": {"type": "array", "items": TEXT},
        "content": TEXT,
        "frontmatter": {"type": "object"},
        "moves": {"type": "array", "items": {"$ref": "#/$defs/move"}},
    },
    "$defs": {"move": {"allOf": [{"properties": {"path": TEXT}}, {"$ref": "#/$defs/move"}]}},
}


def test_paths_are_found_at_any_depth_of_declared_properties() -> None:
    """Members of nested objects and arrays count, through local references and composition (A70)."""
    args = {
        "fromPath": "a",
        "toPath": "b",
        "paths": ["c", 5, "d"],
        "content": "e",
        "moves": [{"path": "f", "note": "g"}],
    }
    found = dict(path_arguments("x.move", args, MOVE))
    assert found == {"/fromPath": "a", "/toPath": "b", "/paths/0": "c", "/paths/2": "d", "/moves/0/path": "f"}


def test_paths_are_declared_in_many_ways() -> None:
    """Elements by place, members by pattern or as additional ones, and branches that a condition chooses (A70)."""
    one = {"properties": {"path": TEXT}}
    schema = {
        "properties": {"pair": {"prefixItems": [{}, one], "items": {"properties": {"toPath": TEXT}}}, "free": {}},
        "patternProperties": {"^by": one},
        "additionalProperties": {"items": one},
        "if": {},
        "then": {"properties": {"fromPath": TEXT}},
        "dependentSchemas": {"pair": {"properties": {"paths": {}}}},
    }
    args = {
        "pair": [{"path": "no"}, {"path": "a"}, {"toPath": "b"}],
        "byName": {"path": "c"},
        "other": [{"path": "d"}],
        "fromPath": "e",
        "paths": ["f"],
        "free": {"path": "no"},
    }
    found = dict(path_arguments("t", args, schema))
    assert found == {
        "/pair/1/path": "a",
        "/pair/2/toPath": "b",
        "/byName/path": "c",
        "/other/0/path": "d",
        "/fromPath": "e",
        "/paths/0": "f",
    }


def test_an_open_object_holds_no_paths() -> None:
    """A path inside front matter is the user's data (A84)."""
    assert not list(path_arguments("x.move", {"frontmatter": {"path": "/etc/passwd"}}, MOVE))


def test_the_prefix_of_list_files_is_a_path() -> None:
    """Of all tools only vault.listFiles has a path-valued prefix (A70)."""
    schema = {"properties": {"prefix": TEXT}}
    assert list(path_arguments("vault.listFiles", {"prefix": "Notes"}, schema)) == [("/prefix", "Notes")]
    assert not list(path_arguments("commands.list", {"prefix": "app:"}, schema))


def test_garbage_has_no_paths() -> None:
    """Args and schemas of any form are read without an error."""
    for args in (None, 5, [], {"path": None}, {"path": ["x"]}, {"paths": "x"}):
        for schema in (
            None,
            True,
            {"properties": 5},
            {"properties": {"path": TEXT, "paths": False}},
            {"$ref": "http://x"},
        ):
            assert not list(path_arguments("t", args, schema)), (args, schema)


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/a%20move", "#/$defs/a move", "#/allOf/1", "#/$defs/pair/prefixItems/1", "#moved", "#older", "#any"],
)
def test_a_local_reference_is_followed_in_each_of_its_forms(reference: str) -> None:
    """A pointer into objects and lists, percent-escaped or not, and a name that a schema gives itself (A70)."""
    move = {"properties": {"path": TEXT}}
    schema = {
        "properties": {"moves": {"items": {"$ref": reference}}},
        "allOf": [{}, {"$ref": "#/$defs/a%20move"}],
        "$defs": {
            "a move": move,
            "pair": {"prefixItems": [{}, move]},
            "b": {"$anchor": "moved", **move},
            "c": {"$id": "#older", **move},
            "d": {"$dynamicAnchor": "any", **move},
        },
    }
    assert dict(path_arguments("t", {"moves": [{"path": "a"}]}, schema)) == {"/moves/0/path": "a"}


@pytest.mark.parametrize(
    "reference", ["#nobody", "#/allOf/01", "#/allOf/7", "#/title/0", "other.json", "other.json#/$defs/a"]
)
def test_a_reference_that_leads_nowhere_declares_nothing(reference: str) -> None:
    """An unknown name must not stand for the whole document, which declares other members (A84, SEC-03)."""
    schema = {
        "title": "t",
        "properties": {"path": TEXT, "frontmatter": {"$ref": reference}},
        "allOf": [{"properties": {"path": TEXT}}],
        "$defs": {"a": {"properties": {"path": TEXT}}},
    }
    assert dict(path_arguments("t", {"path": "a", "frontmatter": {"path": "mine"}}, schema)) == {"/path": "a"}
