"""The effects that the witness sees: hand-written cases, and random histories against a model of every identity."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from callproof_reference.vault import effects, snapshot
from hypothesis import event, given, settings
from hypothesis import strategies as st


def seen(root: Path, change: Callable[[], object]) -> dict[str, Any]:
    before = snapshot(root)
    change()
    observed: dict[str, Any] = effects(before, snapshot(root))
    return {name: listed for name, listed in observed.items() if listed and name != "sideEffectsObserved"}


def tag(content: str) -> str:
    return "sha256:" + hashlib.sha256(content.encode()).hexdigest()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "x").write_text("x")
    (tmp_path / "a" / "b" / "y").write_text("y")
    (tmp_path / "z").write_text("z")
    return tmp_path


def test_nothing_changed_is_told_by_empty_lists(root: Path) -> None:
    """EFF-20, A26: the lists say that the folder was observed and did not change."""
    empty = {"sideEffectsObserved": [], "created": [], "modified": [], "deleted": [], "renamed": []}
    assert effects(snapshot(root), snapshot(root)) == empty


def test_a_rewrite_of_the_same_size_and_time_is_seen(root: Path) -> None:
    """EFF-03, EFF-04: content is compared by its hash, since sizes and times can mislead."""

    def rewrite() -> None:
        times = (root / "z").stat()
        (root / "z").write_text("Z")
        os.utime(root / "z", ns=(times.st_atime_ns, times.st_mtime_ns))

    change = {"path": "z", "kind": "file", "beforeEtag": tag("z"), "afterEtag": tag("Z")}
    assert seen(root, rewrite) == {"modified": [change]}


def test_touching_and_identical_rewrites_are_no_change(root: Path) -> None:
    """EFF-25, A25: this holds also if the file was replaced by an equal one."""
    assert seen(root, (root / "z").touch) == {}
    (root / "copy").write_text("z")
    assert seen(root, lambda: (root / "copy").replace(root / "z")) == {
        "deleted": [{"path": "z", "kind": "file", "trashed": False}],
        "renamed": [{"from": "copy", "to": "z"}],
    }
    assert seen(root, lambda: ((root / "t").write_text("z"), (root / "t").replace(root / "z"))) == {}


def test_files_that_come_and_go_meanwhile_are_not_told(root: Path) -> None:
    """A25: only the net change is told."""
    assert seen(root, lambda: ((root / "t").write_text("t"), (root / "t").unlink())) == {}


def test_names_are_told_code_point_for_code_point(root: Path) -> None:
    """EFF-22, B-43: forms, right-to-left text, blanks and dots stay as they are; bytes that are no text are escaped."""
    names = ["cafe\u0301", "caf\u00e9", "\u05d0\u05d1", "ends ", "..hidden", "\U0001f327"]

    def create() -> None:
        for name in names:
            (root / name).touch()
        (root / os.fsdecode(b"caf\xe9")).touch()

    paths = [each["path"] for each in seen(root, create)["created"]]
    assert paths == sorted([*names, "caf\\xe9"])


def test_links_are_seen_as_links_and_never_followed(root: Path) -> None:
    """EFF-11, POL-07: a link to a folder is a file entry, and another target of the link is a modification."""
    assert seen(root, lambda: (root / "l").symlink_to("a")) == {"created": [{"path": "l", "kind": "file"}]}

    def turn() -> None:
        (root / "l").unlink()
        (root / "l").symlink_to("/")

    assert seen(root, turn) == {"modified": [{"path": "l", "kind": "file"}]}


def test_what_is_neither_file_nor_folder_does_not_hang_the_witness(root: Path) -> None:
    """EFF-11: a FIFO is listed, but not read."""
    assert seen(root, lambda: os.mkfifo(root / "pipe")) == {"created": [{"path": "pipe", "kind": "file"}]}


def test_a_moved_folder_whose_content_changed_is_told_file_by_file(root: Path) -> None:
    """EFF-06, EFF-08: entries with unchanged content were renamed; the others were deleted and created."""

    def move_and_edit() -> None:
        (root / "a").rename(root / "c")
        (root / "c" / "x").write_text("new")

    assert seen(root, move_and_edit) == {
        "created": [{"path": "c", "kind": "folder"}, {"path": "c/x", "kind": "file"}],
        "deleted": [
            {"path": "a", "kind": "folder", "trashed": False},
            {"path": "a/x", "kind": "file", "trashed": False},
        ],
        "renamed": [{"from": "a/b", "to": "c/b"}],
    }


def test_two_files_that_change_places_are_two_renames(root: Path) -> None:
    """EFF-06: no content was lost, so no file counts as deleted."""

    def swap() -> None:
        (root / "z").rename(root / "t")
        (root / "a" / "x").rename(root / "z")
        (root / "t").rename(root / "a" / "x")

    assert seen(root, swap) == {"renamed": [{"from": "a/x", "to": "z"}, {"from": "z", "to": "a/x"}]}


def test_a_new_file_in_the_old_place_of_a_moved_one_is_created(root: Path) -> None:
    """EFF-02, EFF-06."""

    def move_and_create() -> None:
        (root / "z").rename(root / "new")
        (root / "z").write_text("another")

    expected = {"created": [{"path": "z", "kind": "file"}], "renamed": [{"from": "z", "to": "new"}]}
    assert seen(root, move_and_create) == expected


def test_the_trash_counts_only_for_what_came_from_there_now(root: Path) -> None:
    """EFF-05, A69: an equal file that lay in the trash before proves nothing."""
    (root / ".trash").mkdir()
    (root / ".trash" / "z").write_text("z")
    assert seen(root, (root / "z").unlink) == {"deleted": [{"path": "z", "kind": "file", "trashed": False}]}
    assert seen(root, lambda: (root / "a").rename(root / ".trash" / "a")) == {
        "deleted": [
            {"path": path, "kind": kind, "trashed": True}
            for path, kind in (("a", "folder"), ("a/b", "folder"), ("a/b/y", "file"), ("a/x", "file"))
        ]
    }
    assert seen(root, lambda: (root / ".trash" / "z").rename(root / "z")) == {
        "created": [{"path": "z", "kind": "file"}]
    }


# --- random histories ------------------------------------------------------------------------------------------------

FOLDER = "folder"


@dataclass
class Model:
    """A folder on disk and the truth about it: path to (identity, content); the content of a folder is FOLDER."""

    root: Path
    nodes: dict[str, tuple[int, str]] = field(default_factory=dict)
    trash: set[tuple[int, str]] = field(default_factory=set)
    fresh: count[int] = field(default_factory=count)

    def is_open(self, path: str) -> bool:
        """Whether an entry can be created at this path."""
        above = path.rpartition("/")[0]
        return not above or self.nodes.get(above, (0, ""))[1] == FOLDER

    def subtree(self, path: str) -> list[str]:
        return [each for each in self.nodes if f"{each}/".startswith(f"{path}/")]

    def write(self, path: str, _other: str) -> None:
        """Create a file, or edit it in place, which keeps its identity."""
        if self.is_open(path) and self.nodes.get(path, (0, ""))[1] != FOLDER:
            identity = self.nodes[path][0] if path in self.nodes else next(self.fresh)
            self.nodes[path] = (identity, f"content {next(self.fresh)}")
            (self.root / path).write_text(self.nodes[path][1])

    def replace(self, path: str, _other: str) -> None:
        """Replace an old file by a new one with another identity."""
        if path in self.nodes and self.nodes[path][1] != FOLDER:
            self.nodes[path] = (next(self.fresh), f"content {next(self.fresh)}")
            (self.root / "draft").write_text(self.nodes[path][1])
            (self.root / "draft").replace(self.root / path)

    def mkdir(self, path: str, _other: str) -> None:
        if self.is_open(path) and path not in self.nodes:
            self.nodes[path] = (next(self.fresh), FOLDER)
            (self.root / path).mkdir()

    def rename(self, path: str, other: str) -> None:
        over = self.nodes.get(other)
        is_file = path in self.nodes and self.nodes[path][1] != FOLDER
        possible = over is None or (is_file and over[1] != FOLDER)
        if path in self.nodes and possible and self.is_open(other) and not f"{other}/".startswith(f"{path}/"):
            for each in self.subtree(path):
                self.nodes[other + each[len(path) :]] = self.nodes.pop(each)
            (self.root / path).rename(self.root / other)

    def delete(self, path: str, _other: str) -> None:
        if path in self.nodes:
            is_folder = self.nodes[path][1] == FOLDER
            for each in self.subtree(path):
                del self.nodes[each]
            shutil.rmtree(self.root / path) if is_folder else (self.root / path).unlink()

    def throw(self, path: str, _other: str) -> None:
        if path in self.nodes:
            self.trash |= {self.nodes.pop(each) for each in self.subtree(path)}
            (self.root / ".trash").mkdir(exist_ok=True)
            (self.root / path).rename(self.root / ".trash" / str(next(self.fresh)))


PATHS = st.sampled_from(["a", "b", "c", "d", "a/a", "a/b", "b/a", "b/b", "a/b/c"])
CHANGES = ["write", "replace", "mkdir", "rename", "rename", "rename", "delete", "throw"]
STEPS = st.lists(st.tuples(st.sampled_from(CHANGES), PATHS, PATHS), max_size=8)
PLANTED = [("mkdir", "a"), ("mkdir", "b"), ("mkdir", "a/b"), ("write", "a/a"), ("write", "a/b/c"), ("write", "c")]


def applied(effects: Any, before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    """The tree that `before` becomes if the effects are complete and true."""
    moves = {each["from"]: each["to"] for each in effects["renamed"]}
    deleted = {each["path"] for each in effects["deleted"]}
    tree: dict[str, str] = {}
    for path, content in before.items():
        source = next((each for each in moves if f"{path}/".startswith(f"{each}/")), None)
        if source is not None:
            tree[moves[source] + path[len(source) :]] = content
        elif path not in deleted:
            tree.setdefault(path, content)
    for each in effects["created"]:
        assert each["path"] not in tree
        assert (each["kind"] == FOLDER) == (after[each["path"]] == FOLDER)
        tree[each["path"]] = after[each["path"]]
    for each in effects["modified"]:
        old, new = tree[each["path"]], after[each["path"]]
        etags = {"beforeEtag": old, "afterEtag": new}  # a file that became a folder, or the reverse, has only one
        assert each == {
            "path": each["path"],
            "kind": "file",
            **{name: tag(content) for name, content in etags.items() if content != FOLDER},
        }
        assert old != new
        tree[each["path"]] = new
    return tree


@pytest.mark.many
@settings(deadline=None, max_examples=300)
@given(first=STEPS, then=STEPS)
def test_effects_are_complete_true_and_without_contradiction(first: Any, then: Any) -> None:
    """EFF-02 to EFF-08, EFF-13: applied to the old tree, they give the new one; kept identities are renames."""
    with tempfile.TemporaryDirectory() as folder:
        model = Model(Path(folder))
        for name, path, other in [*((name, path, path) for name, path in PLANTED), *first]:
            getattr(model, name)(path, other)
        old, old_nodes, _ = snapshot(model.root), dict(model.nodes), model.trash.clear()
        for name, path, other in then:
            getattr(model, name)(path, other)
        found: Any = effects(old, snapshot(model.root))
        assert found == effects(old, snapshot(model.root))
    before, after = ({path: node[1] for path, node in nodes.items()} for nodes in (old_nodes, model.nodes))
    assert applied(found, before, after) == after
    lists = {name: [each["path"] for each in found[name]] for name in ("created", "modified", "deleted")}
    targets = {each["to"] for each in found["renamed"]}
    for name, paths in lists.items():
        event(f"{name}: {min(len(paths), 2)}")
        assert paths == sorted(set(paths))
    assert not set(lists["created"]) & set(lists["modified"])
    for path in set(lists["deleted"]) & after.keys():
        assert any(f"{path}/".startswith(f"{each}/") for each in targets)
    for each in found["deleted"]:
        if before[each["path"]] != FOLDER:
            assert each["trashed"] == (old_nodes[each["path"]] in model.trash)
    check_renames(found["renamed"], old_nodes, model.nodes)


def check_renames(renamed: Any, old: dict[str, tuple[int, str]], new: dict[str, tuple[int, str]]) -> None:
    """Check that a file counts as renamed exactly if it kept its identity and content and lost its place."""
    kept = {node: path for path, node in new.items() if node[1] != FOLDER}
    expected = {path: kept[node] for path, node in old.items() if kept.get(node, path) != path}
    told: dict[str, str] = {}
    for path, node in old.items():
        for each in renamed:
            if node[1] != FOLDER and f"{path}/".startswith(f"{each['from']}/"):
                told[path] = each["to"] + path[len(each["from"]) :]
    event(f"renamed files: {min(len(told), 2)}")
    assert told == expected
