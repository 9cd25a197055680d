"""The observer with random folders: it loses no name, follows no link, opens nothing that may never end."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import pytest
from callproof.live.observer import snapshot, without_trash
from hypothesis import given, settings
from hypothesis import strategies as st

# Names as bytes: neither "/" nor NUL, neither "." nor "..", short enough for every file system.
NAMES = st.binary(min_size=1, max_size=40).filter(
    lambda name: b"/" not in name and b"\0" not in name and name not in {b".", b".."}
)
TREES = st.recursive(st.binary(max_size=50), lambda inner: st.dictionaries(NAMES, inner, max_size=4), max_leaves=12)


def make(folder: bytes, tree: dict[bytes, object]) -> None:
    """Make a tree of folders (dictionaries) and files (bytes)."""
    for name, content in tree.items():
        path = os.path.join(folder, name)
        if isinstance(content, dict):
            os.mkdir(path)
            make(path, content)
        else:
            Path(os.fsdecode(path)).write_bytes(content)  # type: ignore[arg-type]


def listed(tree: dict[bytes, object], prefix: bytes = b"") -> dict[str, tuple[str, str]]:
    """What a snapshot of the tree has to contain, without inodes."""
    found: dict[str, tuple[str, str]] = {}
    for name, content in tree.items():
        if isinstance(content, dict):
            found[os.fsdecode(prefix + name)] = ("folder", "")
            found.update(listed(content, prefix + name + b"/"))
        else:
            digest = hashlib.sha256(content).hexdigest()  # type: ignore[arg-type]
            found[os.fsdecode(prefix + name)] = ("file", f"sha256:{digest}")
    return found


@settings(deadline=None)  # a disk may be slow
@given(st.dictionaries(NAMES, TREES, max_size=5))
def test_every_name_and_content_is_seen(tree: dict[bytes, object]) -> None:
    """Names come back byte for byte, whatever they are; contents by their hash."""
    with tempfile.TemporaryDirectory() as folder:
        make(os.fsencode(folder), tree)
        seen = snapshot(Path(folder))
    assert {path: (entry.kind, entry.content) for path, entry in seen.items()} == listed(tree)


@settings(deadline=None)  # a disk may be slow
@given(st.dictionaries(NAMES, TREES, max_size=4))
def test_two_looks_at_one_tree_are_equal(tree: dict[bytes, object]) -> None:
    """A snapshot holds nothing that changes by itself, such as a time of access."""
    with tempfile.TemporaryDirectory() as folder:
        make(os.fsencode(folder), tree)
        assert snapshot(Path(folder)) == snapshot(Path(folder))


def test_a_link_is_read_and_not_followed(tmp_path: Path) -> None:
    """A link stays a link, with its target as written, even if it leads in a circle or to nothing."""
    (tmp_path / "circle").symlink_to(tmp_path)
    (tmp_path / "nowhere").symlink_to("../gone")
    seen = snapshot(tmp_path)
    assert {path: entry.kind for path, entry in seen.items()} == {"circle": "link", "nowhere": "link"}
    assert seen["nowhere"].content == "../gone"


def test_a_folder_that_gave_way_to_a_link_is_not_there(tmp_path: Path) -> None:
    """The files that the link leads to do not belong to the run."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "private.md").write_text("private")
    (tmp_path / "root").symlink_to(tmp_path / "elsewhere")
    assert snapshot(tmp_path / "root") == {}


def test_a_pipe_is_seen_and_not_opened(tmp_path: Path) -> None:
    """Reading a pipe may never end."""
    os.mkfifo(tmp_path / "pipe")
    assert snapshot(tmp_path)["pipe"].kind == "special"


def test_a_rename_keeps_inode_and_content(tmp_path: Path) -> None:
    """So a rename can be told from a deletion with a creation."""
    (tmp_path / "a").write_text("same")
    before = snapshot(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    assert snapshot(tmp_path)["b"] == before["a"]


def test_what_cannot_be_read_is_seen_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that a system has made unreadable, or removes at this moment, has a name and no content."""

    def refuse(*_: object) -> object:
        raise PermissionError

    (tmp_path / "closed.md").write_text("hidden", encoding="utf-8")
    (tmp_path / "link").symlink_to("closed.md")
    monkeypatch.setattr("callproof.live.observer.open", refuse, raising=False)
    monkeypatch.setattr(os, "readlink", refuse)
    told = [(entry.kind, entry.content) for entry in snapshot(tmp_path).values()]
    assert told == [("file", "unreadable"), ("link", "")]
    monkeypatch.setattr(os, "scandir", refuse)
    assert snapshot(tmp_path) == {}


def test_a_folder_that_is_not_there_is_an_empty_snapshot(tmp_path: Path) -> None:
    """A caller does not have to make the folder first."""
    assert snapshot(tmp_path / "gone") == {}


def test_the_trash_is_apart_from_the_tree(tmp_path: Path) -> None:
    """Only the trash of the root is the trash; a name that merely begins like it is not (A69)."""
    for path in (".trash/a.md", ".trashed/b.md", "Notes/.trash/c.md"):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(path)
    tree, trash = without_trash(snapshot(tmp_path))
    assert set(trash) == {".trash", ".trash/a.md"}
    assert {".trashed/b.md", "Notes/.trash/c.md"} <= set(tree)
