"""Sandbox and denied tools: every spelling that leads out of the roots, and harmless names that look similar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from callproof_reference.policy import Tool, breach
from reference_suite import tool

PATHS = {
    "type": "object",
    "properties": {
        "path": {"type": "string"},
        "prefix": {"type": "string"},
        "paths": {"type": "array", "items": {"type": "string"}},
        "nested": {"type": "object", "properties": {"toPath": {"type": "string"}}},
        "many": {"type": "array", "items": {"$ref": "#/$defs/entry"}},
        "frontmatter": {"type": "object"},
    },
    "$defs": {"entry": {"allOf": [{"properties": {"fromPath": {"type": "string"}}}]}},
}
DEFAULT = {"allowedRoots": ["/"], "denyPatterns": ["..", "://"]}


def denied(args: dict[str, Any], root: Path | None = None, name: str = "t", **sandbox: Any) -> bool:
    """Whether the default sandbox with these changes denies a call with these arguments."""
    policy = {"confirmationsRequired": False, "sandbox": {**DEFAULT, **sandbox}, "limits": {}}
    return breach(Tool(tool(name, inputSchema=PATHS)), args, policy, root) is not None


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "a/../../x",
        "a/..",
        "..",
        "a\\..\\x",
        "..\\x",
        "．．/x",
        "a/‥/x",
        "a／../x",
        "/etc/passwd",
        "/",
        "\\\\server\\share",
        "\\x",
        "C:\\x",
        "c:x",
        "C:/x",
        "https://x",
        "file:///x",
        "file:/x",
        "app:\\x",
        "a\0b",
    ],
)
def test_no_spelling_leads_out(path: str) -> None:
    """POL-04 to POL-06, A12, A71."""
    assert denied({"path": path})
    assert denied({"path": path}, denyPatterns=[])


@pytest.mark.parametrize(
    "path",
    [
        "a..b.md",
        "..hidden",
        "hidden..",
        "…",
        "a/...b",
        "notes/a b.md",
        "",
        ".",
        "a/./b",
        "Re: plan.md",
        "é.md",
        ".a",
    ],
)
def test_innocent_names_are_allowed(path: str) -> None:
    """POL-10."""
    assert not denied({"path": path})


@pytest.mark.parametrize(
    ("path", "outside"),
    [
        ("notes", False),
        ("notes/a", False),
        ("./notes/a", False),
        ("notes//a", False),
        ("notesx/a", True),
        ("a/notes", True),
        ("", True),
    ],
)
def test_roots_are_compared_by_whole_segments(path: str, outside: bool) -> None:
    """POL-02, POL-03."""
    assert denied({"path": path}, allowedRoots=["/notes/"]) is outside


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("secret", "a/secret/b", True),
        ("secret", "a/secrets", False),
        ("Secret", "a/secret", False),
        (".obsidian", ".obsidian/x", True),
        ("*.key", "a/b.key", True),
        ("*.key", "a/b.key.md", False),
        ("?.md", "a/b.md", True),
        ("[ab].md", "a.md", False),
        ("a/b", "x/a/b/c", True),
        ("a/b", "a//b", True),
        ("é", "e\u0301/x", True),
    ],
)
def test_deny_patterns_are_read_as_ruled(pattern: str, path: str, matches: bool) -> None:
    """POL-09, A13, A71."""
    assert denied({"path": path}, denyPatterns=[pattern]) is matches


@pytest.mark.parametrize(
    "args",
    [{"paths": ["a", "../x"]}, {"nested": {"toPath": "../x"}}, {"many": [{"fromPath": "a"}, {"fromPath": "/x"}]}],
)
def test_paths_count_at_any_declared_depth(args: dict[str, Any]) -> None:
    """POL-02, A70."""
    assert denied(args)


def test_what_an_open_object_holds_is_no_path() -> None:
    """A84."""
    assert not denied({"frontmatter": {"path": "../x", "paths": ["/etc"]}, "other": "../x"})


def test_the_prefix_of_list_files_is_a_path() -> None:
    """A70."""
    assert denied({"prefix": "../x"}, name="vault.listFiles")
    assert not denied({"prefix": "../x"})


def test_the_prefix_of_list_files_is_a_path_where_its_schema_declares_none() -> None:
    """A70: for other members the schema must declare a path, for this one it need not."""
    undeclared = Tool(tool("vault.listFiles", inputSchema={"type": "object"}))
    policy = {"confirmationsRequired": False, "sandbox": DEFAULT, "limits": {}}
    assert breach(undeclared, {"prefix": "../x"}, policy, None) is not None
    assert breach(undeclared, {"path": "../x"}, policy, None) is None


def test_links_do_not_lead_out(tmp_path: Path) -> None:
    """POL-07: links lead neither out of the folder nor out of the allowed roots, also for files that do not exist."""
    (tmp_path / "vault/notes").mkdir(parents=True)
    (tmp_path / "vault/other").mkdir()
    (tmp_path / "vault/notes/out").symlink_to(tmp_path)
    (tmp_path / "vault/notes/aside").symlink_to("../other")
    root = tmp_path / "vault"
    assert denied({"path": "notes/out/new.md"}, root)
    assert not denied({"path": "notes/aside/new.md"}, root)
    assert denied({"path": "notes/aside/new.md"}, root, allowedRoots=["notes"])
    assert not denied({"path": "notes/new/deep.md"}, root, allowedRoots=["notes"])


def test_a_sandbox_that_is_off_applies_neither_roots_nor_patterns() -> None:
    """A43: a string that is not a vault path at all stays refused."""
    off = {"enabled": False, "allowedRoots": ["notes"], "denyPatterns": ["secret"]}
    assert not denied({"path": "secret"}, **off)
    assert denied({"path": "../x"}, **off)


def test_a_denied_tool_is_denied_by_its_name_and_its_alias() -> None:
    """POL-01, A88."""
    aliased = Tool(tool("t", aliases=["u"]))
    policy = {"confirmationsRequired": False, "sandbox": {}, "limits": {}}
    assert breach(aliased, {}, {**policy, "deniedTools": ["t"]}, None)
    assert breach(aliased, {}, {**policy, "deniedTools": ["u"]}, None)
    assert breach(aliased, {}, {**policy, "deniedTools": ["v"]}, None) is None
