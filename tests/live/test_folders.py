"""The folders of a case: made as the case says, apart from each other, and gone afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from callproof.live.case import Item, ItemKind
from callproof.live.folders import furnish, scratch


def test_a_case_starts_with_what_it_was_given(tmp_path: Path) -> None:
    """The folder has files with their parents, empty folders, and links as written."""
    items = (Item("a/b.md", text="b"), Item("empty", ItemKind.FOLDER), Item("up", ItemKind.LINK, "../outside"))
    folders = furnish(tmp_path, items)
    tree, trash = folders.look()
    assert {path: entry.kind for path, entry in tree.items()} == {
        "a": "folder",
        "a/b.md": "file",
        "empty": "folder",
        "up": "link",
    }
    assert trash == {}


def test_what_lies_beside_the_root_is_watched_too(tmp_path: Path) -> None:
    """A file outside shows under a path that leads out, so that an escape is a change like any other (POL-07)."""
    folders = furnish(tmp_path, (Item("../outside/secret.md", text="not yours"),))
    assert list(folders.look()[0]) == ["../outside/secret.md"]
    (folders.beside / "planted.md").write_text("x")
    assert "../outside/planted.md" in folders.look()[0]


def test_the_audit_folder_is_empty_and_apart_from_the_root(tmp_path: Path) -> None:
    """A log is not part of the world (A68)."""
    folders = furnish(tmp_path, ())
    (folders.audit / "run.json").write_text("{}")
    assert folders.look() == ({}, {})


def test_the_scratch_folder_is_gone_afterwards() -> None:
    """It is removed with everything that was left in it."""
    with scratch() as folder:
        furnish(Path(folder), (Item("a/b/c.md", text="c"),))
    assert not Path(folder).exists()


def test_folders_that_a_system_nested_beyond_measure_are_seen_and_gone_afterwards() -> None:
    """A tool that makes folders without end is at fault, but must harm neither the suite nor the disk."""
    with scratch() as folder:
        folders = furnish(Path(folder), ())
        deep = str(folders.root)
        for _ in range(1_500):
            deep += "/a"
            os.mkdir(deep)
        tree, _ = folders.look()
        assert len(tree) == 1_500
    assert not Path(folder).exists()


def test_tmpdir_has_the_last_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user whose machine has little memory can name another folder."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    with scratch() as folder:
        assert Path(folder).parent == tmp_path
