"""vault.ensureFolder and vault.listFiles on real folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Use = Callable[..., tuple[dict[str, Any], dict[str, Any]]]


def plant(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, "utf-8")


def test_a_folder_is_made_with_its_parents_and_found_the_second_time(use: Use) -> None:
    """TOOL-01: created says whether the call made the folder, and a repetition changes nothing."""
    assert use("vault.ensureFolder", path="a/b") == (
        {"path": "a/b", "created": True},
        {"created": [{"path": "a", "kind": "folder"}, {"path": "a/b", "kind": "folder"}]},
    )
    assert use("vault.ensureFolder", path="./a//b/") == ({"path": "a/b", "created": False}, {})


def test_a_dry_run_makes_no_folder(use: Use) -> None:
    """TOOL-18, A90: the data say what would be made, but nothing changes."""
    assert use("vault.ensureFolder", path="a/b", dryRun=True) == ({"path": "a/b", "created": True}, {})
    use("vault.ensureFolder", path="a")
    assert use("vault.ensureFolder", path="a", dryRun=True) == ({"path": "a", "created": False}, {})


def test_a_file_in_the_place_of_the_folder_is_a_conflict(tmp_path: Path, refused: Callable[..., str]) -> None:
    """ERR-02: the file at this path is no folder, and it stays."""
    plant(tmp_path, "a")
    assert refused("vault.ensureFolder", path="a") == "CONFLICT"
    assert refused("vault.ensureFolder", path="a", dryRun=True) == "CONFLICT"
    assert refused("vault.ensureFolder", path="a/b") == "NOT_FOUND"


def test_listing_honours_prefix_depth_and_extensions(tmp_path: Path, use: Use) -> None:
    """TOOL-03: paths are relative to the vault; the listing contains neither the trash nor links."""
    plant(tmp_path, "a/x.md", "a/b/y.MD", "a/b/z.txt", "c.md", ".trash/old.md")
    (tmp_path / "link.md").symlink_to(tmp_path / "c.md")

    def paths(**args: object) -> list[str]:
        return [item["path"] for item in use("vault.listFiles", **args)[0]["items"]]

    assert paths() == ["a", "c.md"]
    assert paths(recursive=True) == ["a", "a/b", "a/b/y.MD", "a/b/z.txt", "a/x.md", "c.md"]
    assert paths(prefix="a") == ["a/b", "a/x.md"]
    assert paths(prefix="a/", recursive=True, extensions=["md"]) == ["a/b/y.MD", "a/x.md"]
    assert paths(extensions=[".md", "txt"], recursive=True) == ["a/b/y.MD", "a/b/z.txt", "a/x.md", "c.md"]


def test_a_listed_file_has_its_size_and_time(tmp_path: Path, use: Use) -> None:
    """TOOL-03, SCH-11: the size is in bytes, the time in milliseconds since the epoch."""
    plant(tmp_path, "c.md")
    modified = (tmp_path / "c.md").stat().st_mtime_ns // 1_000_000
    (item,) = use("vault.listFiles")[0]["items"]
    assert item == {"path": "c.md", "kind": "file", "sizeBytes": 4, "mtimeMs": modified}


def test_listing_what_is_no_folder_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    """ERR-01: a missing folder is not an empty one."""
    plant(tmp_path, "c.md")
    assert refused("vault.listFiles", prefix="nowhere") == "NOT_FOUND"
    assert refused("vault.listFiles", prefix="c.md") == "PRECONDITION_FAILED"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50, deadline=None)
@given(page=st.integers(1, 8))
def test_pages_meet_without_gap_or_overlap(tmp_path: Path, use: Use, page: int) -> None:
    """TOOL-02: following nextOffset gives the whole listing, and truncated is true exactly before the end."""
    plant(tmp_path, *(f"{number}.md" for number in range(6)))
    whole = use("vault.listFiles")[0]["items"]
    pages: list[Any] = []
    data: dict[str, Any] = {"nextOffset": 0, "truncated": True}
    while data["truncated"]:
        data, _ = use("vault.listFiles", limit=page, offset=data["nextOffset"])
        assert data["truncated"] == ("nextOffset" in data)
        pages += data["items"]
    assert pages == whole
