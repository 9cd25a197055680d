"""vault.rename and vault.delete on real folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Use = Callable[..., tuple[dict[str, Any], dict[str, Any]]]
Refused = Callable[..., str]


@pytest.fixture(autouse=True)
def vault(tmp_path: Path) -> Path:
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / "a" / "one.md").write_text("one")
    (tmp_path / "a" / "deep" / "two.md").write_text("two")
    (tmp_path / "b.md").write_text("b")
    return tmp_path


def test_a_file_moves_and_its_new_folders_are_made(vault: Path, use: Use) -> None:
    """TOOL-10, EFF-06, A25: the old path is gone, the new one exists, and its parents count as created."""
    data, effects = use("vault.rename", fromPath="b.md", toPath="new/c.md")
    assert data == {"fromPath": "b.md", "toPath": "new/c.md"}
    assert effects == {"created": [{"path": "new", "kind": "folder"}], "renamed": [{"from": "b.md", "to": "new/c.md"}]}
    assert (vault / "new/c.md").read_text() == "b"


def test_a_folder_moves_whole_as_one_rename(use: Use) -> None:
    """EFF-06: the content of the folder moves with it and is not listed."""
    _, effects = use("vault.rename", fromPath="a", toPath="z")
    assert effects == {"renamed": [{"from": "a", "to": "z"}]}


def test_an_existing_target_is_a_conflict_by_default(refused: Refused) -> None:
    """TOOL-10, ERR-02."""
    assert refused("vault.rename", fromPath="b.md", toPath="a/one.md") == "CONFLICT"
    assert refused("vault.rename", fromPath="b.md", toPath="a/one.md", dryRun=True) == "CONFLICT"
    assert refused("vault.rename", fromPath="b.md", toPath="a", collisionStrategy="overwrite") == "CONFLICT"


def test_overwriting_tells_the_loss_of_the_target(use: Use) -> None:
    """EFF-07, A91."""
    data, effects = use("vault.rename", fromPath="b.md", toPath="a/one.md", collisionStrategy="overwrite")
    assert data == {"fromPath": "b.md", "toPath": "a/one.md"}
    assert effects == {
        "deleted": [{"path": "a/one.md", "kind": "file", "trashed": False}],
        "renamed": [{"from": "b.md", "to": "a/one.md"}],
    }


def test_a_unique_name_is_found_and_told(use: Use) -> None:
    """TOOL-10: data.toPath is the path to which the file really moved."""
    data, effects = use("vault.rename", fromPath="b.md", toPath="a/one.md", collisionStrategy="create-unique")
    assert data == {"fromPath": "b.md", "toPath": "a/one 1.md"}
    assert effects == {"renamed": [{"from": "b.md", "to": "a/one 1.md"}]}


def test_a_change_of_case_or_form_is_a_rename(vault: Path, use: Use) -> None:
    """EFF-22, EFF-24: names are compared code point for code point."""
    assert use("vault.rename", fromPath="b.md", toPath="B.md")[1] == {"renamed": [{"from": "b.md", "to": "B.md"}]}
    (vault / "caf\u00e9.md").write_text("c")
    _, effects = use("vault.rename", fromPath="caf\u00e9.md", toPath="cafe\u0301.md")
    assert effects == {"renamed": [{"from": "caf\u00e9.md", "to": "cafe\u0301.md"}]}


def test_a_rename_that_cannot_be_is_refused(refused: Refused) -> None:
    """ERR-01, EFF-13: no source, a target equal to the source, or a folder moved into itself."""
    assert refused("vault.rename", fromPath="none.md", toPath="c.md") == "NOT_FOUND"
    assert refused("vault.rename", fromPath="b.md", toPath="./b.md") == "VALIDATION_ERROR"
    assert refused("vault.rename", fromPath="a", toPath="a/deep/a") == "VALIDATION_ERROR"
    assert refused("vault.rename", fromPath=".", toPath="c") == "VALIDATION_ERROR"


def test_a_file_goes_to_the_trash_by_default(vault: Path, use: Use) -> None:
    """TOOL-11, EFF-05, A69: data and effects say trashed, and the copy in the trash is no effect."""
    data, effects = use("vault.delete", path="b.md")
    assert data == {"path": "b.md", "deleted": True, "trashed": True}
    assert effects == {"deleted": [{"path": "b.md", "kind": "file", "trashed": True}]}
    assert (vault / ".trash/b.md").read_text() == "b"


def test_the_trash_keeps_both_of_two_files_with_one_name(vault: Path, use: Use) -> None:
    """EFF-05: a file that was deleted before is still in the trash afterwards."""
    use("vault.delete", path="b.md")
    (vault / "b.md").write_text("another")
    _, effects = use("vault.delete", path="b.md")
    assert effects == {"deleted": [{"path": "b.md", "kind": "file", "trashed": True}]}
    assert sorted(file.read_text() for file in (vault / ".trash").iterdir()) == ["another", "b"]


def test_a_deleted_folder_lists_what_it_held(use: Use) -> None:
    """A69."""
    _, effects = use("vault.delete", path="a", trash=False)
    assert effects == {
        "deleted": [
            {"path": "a", "kind": "folder", "trashed": False},
            {"path": "a/deep", "kind": "folder", "trashed": False},
            {"path": "a/deep/two.md", "kind": "file", "trashed": False},
            {"path": "a/one.md", "kind": "file", "trashed": False},
        ]
    }


def test_deleting_nothing_needs_to_be_allowed(use: Use, refused: Refused) -> None:
    """TOOL-11, A44."""
    assert refused("vault.delete", path="none.md") == "NOT_FOUND"
    assert use("vault.delete", path="none.md", requireExists=False) == ({"path": "none.md", "deleted": False}, {})


def test_dry_runs_move_and_delete_nothing(use: Use) -> None:
    """TOOL-18, EFF-23."""
    assert use("vault.delete", path="a", dryRun=True) == ({"path": "a", "deleted": True, "trashed": True}, {})
    assert use("vault.rename", fromPath="a", toPath="z", dryRun=True) == ({"fromPath": "a", "toPath": "z"}, {})


def test_the_vault_and_its_trash_are_out_of_reach(vault: Path, use: Use, refused: Refused) -> None:
    """A69: only vault.delete puts something into the trash, and no tool takes it out."""
    use("vault.delete", path="b.md")
    assert refused("vault.delete", path=".") == "POLICY_DENIED"
    assert refused("vault.delete", path=".trash/b.md") == "POLICY_DENIED"
    assert refused("vault.rename", fromPath="a", toPath=".trash/a") == "POLICY_DENIED"
