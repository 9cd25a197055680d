"""The only access of the tools to the disk: what it refuses, and what it leaves behind."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from callproof_reference.tools import WORK
from callproof_reference.values import Failure
from callproof_reference.vault import Vault, normal

Refused = Callable[..., str]

ESCAPES = [
    "..",
    "../x.md",
    "a/../../x.md",
    "a/..",
    "a\\..\\x.md",
    "..\\x.md",
    "\u2025/x.md",
    "\uff0e\uff0e/x.md",
    "/etc/passwd",
    "//server/share",
    "\\\\server\\share",
    "C:\\x.md",
    "C:/x.md",
    "C:x.md",
    "file:///etc/passwd",
    "https://example.org/x.md",
    "obsidian://open",
]
INNOCENT = ["a..b.md", "..hidden", "\u2026", "a/...", "Re: beans.md", "~/x.md", "%2e%2e/x.md", ".trashed", "a/.trash"]


@pytest.mark.parametrize("path", ESCAPES)
def test_a_path_that_could_lead_out_is_denied(path: str) -> None:
    """POL-04, POL-05, POL-06, A71: this holds in every spelling; the message does not repeat the path."""
    with pytest.raises(Failure) as caught:
        normal(path)
    assert caught.value.code == "POLICY_DENIED"
    assert path not in str(caught.value)


@pytest.mark.parametrize("path", INNOCENT)
def test_an_innocent_name_is_a_name(tmp_path: Path, path: str) -> None:
    """POL-10: such names have dots, colons and other characters that do not lead out of the vault."""
    Vault(tmp_path, lambda: None).write(path, b"", replace=False)
    assert (tmp_path / path).exists()


def test_a_name_for_which_there_is_no_room_leaves_no_folder(tmp_path: Path) -> None:
    """VAL-14: the call is refused before it creates any folder."""
    with pytest.raises(Failure) as caught:
        Vault(tmp_path, lambda: None).write(f"New/{'n' * 300}", b"", replace=False)
    assert caught.value.code == "VALIDATION_ERROR"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_what_no_file_can_be_called_is_invalid(path: str) -> None:
    """VAL-14."""
    with pytest.raises(Failure, match="VALIDATION_ERROR"):
        normal(path)


def test_paths_have_one_spelling() -> None:
    """TOOL-19: empty and dot segments are removed; everything else stays, including form and case."""
    assert normal("./a//Cafe\u0301/") == "a/Cafe\u0301"
    assert normal("") == normal(".") == ""


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("vault.readFile", {"path": "{}"}),
    ("vault.writeFile", {"path": "{}", "content": "x"}),
    ("vault.writeFile", {"path": "{}", "content": "x", "mode": "append"}),
    ("vault.createFile", {"path": "{}", "content": "x", "collisionStrategy": "overwrite"}),
    ("vault.createFile", {"path": "{}", "content": "x", "collisionStrategy": "create-unique"}),
    ("vault.patchFile", {"path": "{}", "patch": {"replaceRange": {"start": 0, "end": 0, "text": "x"}}}),
    ("vault.delete", {"path": "{}", "trash": False}),
    ("vault.rename", {"fromPath": "{}", "toPath": "mine.md"}),
    ("vault.rename", {"fromPath": "own.md", "toPath": "{}", "collisionStrategy": "overwrite"}),
    ("vault.searchText", {"query": "secret", "paths": ["{}"]}),
    ("vault.ensureFolder", {"path": "{}"}),
    ("vault.listFiles", {"prefix": "{}"}),
]


def fill(args: Any, path: str) -> Any:
    if isinstance(args, list):
        return [fill(each, path) for each in args]
    return (
        {name: fill(value, path) for name, value in args.items()}
        if isinstance(args, dict)
        else (path if args == "{}" else args)
    )


@pytest.mark.parametrize(("tool", "args"), CALLS)
@pytest.mark.parametrize("path", ["out/secret.md", "out", "secret.md", "back/own.md"])
def test_no_tool_follows_a_link(tmp_path: Path, tool: str, args: dict[str, Any], path: str) -> None:
    """POL-07, POL-08: links to folders and files, outside and inside, are refused alike, and nothing is changed."""
    outside, vault = tmp_path / "outside", tmp_path / "vault"
    outside.mkdir()
    vault.mkdir()
    (outside / "secret.md").write_text("secret")
    (vault / "own.md").write_text("own")
    (vault / "out").symlink_to(outside)
    (vault / "secret.md").symlink_to(outside / "secret.md")
    (vault / "back").symlink_to(vault)
    before = sorted(os.listdir(vault))
    with pytest.raises(Failure) as caught:
        WORK[tool](Vault(vault, lambda: None), fill(args, path))
    assert caught.value.code == "POLICY_DENIED"
    assert (outside / "secret.md").read_text() == "secret"
    assert [each.name for each in outside.iterdir()] == ["secret.md"]
    assert sorted(os.listdir(vault)) == before


def test_deleting_a_folder_leaves_what_its_links_point_to(tmp_path: Path) -> None:
    """POL-07: a link in a deleted folder is removed; its target stays."""
    outside, vault = tmp_path / "outside", tmp_path / "vault"
    outside.mkdir()
    (outside / "secret.md").write_text("secret")
    (vault / "a").mkdir(parents=True)
    (vault / "a" / "out").symlink_to(outside)
    Vault(vault, lambda: None).delete("a", trash=False)
    assert (outside / "secret.md").exists()
    assert not (vault / "a").exists()


def test_a_trash_that_leads_out_is_refused(tmp_path: Path) -> None:
    """POL-07: the trash must be a real folder of the vault, if it exists."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault" / "a.md").touch()
    (tmp_path / "vault" / ".trash").symlink_to(tmp_path)
    with pytest.raises(Failure, match="POLICY_DENIED"):
        Vault(tmp_path / "vault", lambda: None).delete("a.md", trash=True)
    assert (tmp_path / "vault" / "a.md").exists()


def test_a_fifo_is_no_file_and_hangs_nobody(tmp_path: Path, refused: Refused) -> None:
    """ERR-03: neither reading nor searching waits for a writer."""
    os.mkfifo(tmp_path / "pipe.md")
    assert refused("vault.readFile", path="pipe.md") == "PRECONDITION_FAILED"
    assert WORK["vault.searchText"](Vault(tmp_path, lambda: None), {"query": "x"})["matches"] == []


def test_a_name_that_is_too_long_is_refused(refused: Refused) -> None:
    """VAL-14."""
    assert refused("vault.createFile", path="x" * 256, content="") == "VALIDATION_ERROR"


def test_a_failed_write_leaves_no_draft(tmp_path: Path) -> None:
    """A25: a draft beside the file is removed at the end, whatever the outcome."""
    vault = Vault(tmp_path, lambda: None)
    vault.write("a.md", b"a", replace=False)
    with pytest.raises(Failure, match="CONFLICT"):
        vault.write("a.md", b"b", replace=False)
    (tmp_path / "folder").mkdir()
    with pytest.raises(Failure, match="CONFLICT"):
        vault.write("folder", b"b", replace=True)
    assert sorted(os.listdir(tmp_path)) == ["a.md", "folder"]


@pytest.mark.parametrize(("tool", "args"), CALLS)
def test_a_call_that_was_told_to_stop_changes_nothing(tmp_path: Path, tool: str, args: dict[str, Any]) -> None:
    """CANC-02, TIME-04: the abort is checked before every change and inside every long walk."""
    (tmp_path / "own.md").write_text("own")
    (tmp_path / "mine").mkdir()
    path = "mine" if tool in {"vault.listFiles", "vault.ensureFolder"} else "own.md"
    if args.get("fromPath") == "own.md":
        path = "new.md"
    args = fill(args, path)
    args["toPath" if tool == "vault.rename" else "note"] = args.get("toPath", "why")

    def told_to_stop() -> None:
        raise Failure("CANCELLED", "the call was told to stop")

    with pytest.raises(Failure, match="CANCELLED"):
        WORK[tool](Vault(tmp_path, told_to_stop), args)
    assert sorted(os.listdir(tmp_path)) == ["mine", "own.md"]
    assert (tmp_path / "own.md").read_text() == "own"
