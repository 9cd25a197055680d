"""vault.readFile, createFile, writeFile and patchFile on real files."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Use = Callable[..., tuple[dict[str, Any], dict[str, Any]]]
Refused = Callable[..., str]

UMBRELLA = "a\u00fc\u2602\U0001f327"  # characters of 1, 2, 3 and 4 bytes


def tag(content: str) -> str:
    return "sha256:" + hashlib.sha256(content.encode()).hexdigest()


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_bytes(UMBRELLA.encode())
    return path


def test_a_file_is_read_as_it_is(note: Path, use: Use) -> None:
    """TOOL-04: content, etag and time are those of the file; reading changes nothing."""
    data, effects = use("vault.readFile", path="./note.md")
    assert data == {
        "path": "note.md",
        "content": UMBRELLA,
        "etag": tag(UMBRELLA),
        "mtimeMs": note.stat().st_mtime_ns // 1_000_000,
        "truncated": False,
        "encoding": "utf-8",
    }
    assert effects == {}


def test_line_ends_and_byte_order_marks_stay(note: Path, use: Use) -> None:
    """TOOL-04: nothing is normalised."""
    note.write_bytes(b"\xef\xbb\xbfa\r\nb\rc\n")
    assert use("vault.readFile", path="note.md")[0]["content"] == "\ufeffa\r\nb\rc\n"


def test_a_guard_cuts_between_characters_and_says_so(note: Path, use: Use) -> None:
    """TOOL-04: at most maxBytes bytes, whole characters only, and the etag is still the whole file's."""
    for most, content in ((1, "a"), (2, "a"), (3, "a\u00fc"), (9, "a\u00fc\u2602"), (10, UMBRELLA), (99, UMBRELLA)):
        data, _ = use("vault.readFile", path="note.md", maxBytes=most)
        assert (data["content"], data["truncated"]) == (content, content != UMBRELLA)
        assert data["etag"] == tag(UMBRELLA)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.text(), start=st.integers(0, 20), length=st.integers(0, 20))
def test_a_range_is_in_characters_for_text_and_in_bytes_for_base64(
    tmp_path: Path, use: Use, content: str, start: int, length: int
) -> None:
    """TOOL-04: the range excludes its end, and the part past the file's end is empty."""
    raw, end = content.encode(), start + length
    (tmp_path / "n").write_bytes(raw)
    asked = {"path": "n", "range": {"start": start, "end": end}}
    assert use("vault.readFile", **asked)[0]["content"] == content[start:end]
    data, _ = use("vault.readFile", **asked, **{"as": "base64"})
    assert base64.b64decode(data["content"]) == raw[start:end]
    assert data["truncated"] is False


def test_what_cannot_be_read_says_why(note: Path, tmp_path: Path, refused: Refused) -> None:
    """ERR-01, ERR-03."""
    (tmp_path / "image.png").write_bytes(b"\x89PNG\xff")
    assert refused("vault.readFile", path="none.md") == "NOT_FOUND"
    assert refused("vault.readFile", path="note.md/below.md") == "NOT_FOUND"
    assert refused("vault.readFile", path=".") == "PRECONDITION_FAILED"
    assert refused("vault.readFile", path="image.png") == "PRECONDITION_FAILED"
    assert refused("vault.readFile", path="note.md", range={"start": 2, "end": 1}) == "VALIDATION_ERROR"


def test_bytes_that_are_no_text_are_read_as_base64(tmp_path: Path, use: Use) -> None:
    """TOOL-04: base64 decodes to the file's bytes, and maxBytes counts these bytes."""
    (tmp_path / "image.png").write_bytes(b"\x89PNG\xff")
    data, _ = use("vault.readFile", path="image.png", maxBytes=4, **{"as": "base64"})
    assert (base64.b64decode(data["content"]), data["truncated"]) == (b"\x89PNG", True)


def test_a_file_is_created_with_its_folders(tmp_path: Path, use: Use) -> None:
    """TOOL-06, EFF-02, A25."""
    data, effects = use("vault.createFile", path="a/b.md", content=UMBRELLA)
    modified = (tmp_path / "a/b.md").stat().st_mtime_ns // 1_000_000
    assert data == {"path": "a/b.md", "created": True, "etag": tag(UMBRELLA), "mtimeMs": modified}
    assert effects == {"created": [{"path": "a", "kind": "folder"}, {"path": "a/b.md", "kind": "file"}]}
    assert (tmp_path / "a/b.md").read_bytes() == UMBRELLA.encode()


@pytest.mark.parametrize(
    "guard",
    [
        {},
        {"collisionStrategy": "error"},
        {"ifNotExists": True},
        {"ifNotExists": False},
        {"ifNotExists": True, "collisionStrategy": "overwrite"},
        {"dryRun": True},
    ],
)
def test_an_existing_file_is_not_overwritten_unasked(note: Path, refused: Refused, guard: dict[str, object]) -> None:
    """TOOL-05, ERR-02."""
    assert refused("vault.createFile", path="note.md", content="new", **guard) == "CONFLICT"
    assert note.read_text("utf-8") == UMBRELLA


def test_a_folder_is_never_overwritten(tmp_path: Path, refused: Refused) -> None:
    """TOOL-05, ERR-02."""
    (tmp_path / "a").mkdir()
    assert refused("vault.createFile", path="a", content="", collisionStrategy="overwrite") == "CONFLICT"
    assert refused("vault.writeFile", path="a", content="") == "PRECONDITION_FAILED"


def test_overwriting_when_asked_is_a_modification(use: Use, note: Path) -> None:
    """EFF-03, EFF-04: created is false, and the two etags are those of the file before and after."""
    note.chmod(0o600)
    data, effects = use("vault.createFile", path="note.md", content="new", collisionStrategy="overwrite")
    assert data["created"] is False
    assert effects == {
        "modified": [{"path": "note.md", "kind": "file", "beforeEtag": tag(UMBRELLA), "afterEtag": tag("new")}]
    }
    assert note.stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("note")
def test_a_unique_name_is_the_first_free_one(use: Use) -> None:
    """TOOL-06: data.path is where the file really is."""
    for path in ("note 1.md", "note 2.md"):
        data, effects = use("vault.createFile", path="note.md", content="x", collisionStrategy="create-unique")
        assert (data["path"], data["created"]) == (path, True)
        assert effects == {"created": [{"path": path, "kind": "file"}]}


def test_frontmatter_is_read_back_as_it_was_given(tmp_path: Path, use: Use) -> None:
    """TOOL-06: the properties stand before the content, as YAML."""
    properties = {"tags": ["a", "b: c"], "no": False, "weird: key": {"deep": None}, "\u2602": "---\n"}
    use("vault.createFile", path="n.md", content="text\n", frontmatter=properties)
    _, head, body = (tmp_path / "n.md").read_text("utf-8").split("---\n", 2)
    assert yaml.safe_load(head) == properties
    assert body == "text\n"


def test_frontmatter_is_not_put_before_frontmatter(refused: Refused) -> None:
    """VAL-14: the call is refused before anything is written."""
    code = refused("vault.createFile", path="n.md", content="---\na: 1\n---\n", frontmatter={"b": 2})
    assert code == "VALIDATION_ERROR"


def test_writing_replaces_and_appending_appends(note: Path, use: Use) -> None:
    """TOOL-08: bytesWritten counts the bytes of the given content."""
    data, _ = use("vault.writeFile", path="note.md", content="\u2602\n")
    assert (data["bytesWritten"], data["etag"]) == (4, tag("\u2602\n"))
    data, effects = use("vault.writeFile", path="note.md", content="\u00fc", mode="append")
    assert (data["bytesWritten"], data["etag"]) == (2, tag("\u2602\n\u00fc"))
    assert [each["path"] for each in effects["modified"]] == ["note.md"]
    assert note.read_text("utf-8") == "\u2602\n\u00fc"


@pytest.mark.parametrize("mode", ["overwrite", "append"])
def test_writing_a_missing_file_creates_it(use: Use, mode: str) -> None:
    """A69."""
    _, effects = use("vault.writeFile", path="new.md", content="x", mode=mode)
    assert effects == {"created": [{"path": "new.md", "kind": "file"}]}


def test_identical_bytes_are_no_modification(use: Use, note: Path) -> None:
    """EFF-25, A25."""
    data, effects = use("vault.writeFile", path="note.md", content=UMBRELLA)
    assert data["bytesWritten"] == len(note.read_bytes())
    assert effects == {}


def test_a_stale_etag_changes_nothing(note: Path, use: Use, refused: Refused) -> None:
    """TOOL-07, ERR-02: this holds also for a file that no longer exists."""
    patch = {"replaceRange": {"start": 0, "end": 1, "text": "x"}}
    assert refused("vault.writeFile", path="note.md", content="x", expectedEtag=tag("old")) == "CONFLICT"
    assert refused("vault.writeFile", path="none.md", content="x", expectedEtag=tag("old")) == "CONFLICT"
    assert refused("vault.patchFile", path="note.md", patch=patch, expectedEtag=tag("old")) == "CONFLICT"
    use("vault.writeFile", path="note.md", content="x", expectedEtag=tag(UMBRELLA))
    assert note.read_text() == "x"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(parts=st.tuples(st.text(), st.text(), st.text()), new=st.text())
def test_a_patch_replaces_exactly_its_range(tmp_path: Path, use: Use, parts: tuple[str, str, str], new: str) -> None:
    """TOOL-09: counted in characters; applied is false exactly if nothing changed."""
    head, old, tail = parts
    (tmp_path / "n").write_bytes("".join(parts).encode())
    place = {"start": len(head), "end": len(head + old), "text": new}
    data, effects = use("vault.patchFile", path="n", patch={"replaceRange": place})
    assert (tmp_path / "n").read_bytes() == (head + new + tail).encode()
    assert data["applied"] == (old != new) == bool(effects)


def test_a_range_that_the_file_does_not_have_is_refused(note: Path, refused: Refused) -> None:
    """VAL-14, TOOL-09: the file has four characters, but ten bytes."""
    assert len(note.read_bytes()) == 10
    for start, end in ((0, 5), (5, 5), (3, 2)):
        patch = {"replaceRange": {"start": start, "end": end, "text": "x"}}
        assert refused("vault.patchFile", path="note.md", patch=patch) == "PRECONDITION_FAILED"


def test_dry_runs_write_nothing_and_give_the_same_data(note: Path, use: Use) -> None:
    """TOOL-18, A90: all data are equal except the time, since the file does not exist yet."""
    patch = {"replaceRange": {"start": 0, "end": 1, "text": "x"}}
    for tool, args in (
        ("vault.createFile", {"path": "new.md", "content": "x"}),
        ("vault.createFile", {"path": "note.md", "content": "x", "collisionStrategy": "create-unique"}),
        ("vault.writeFile", {"path": "note.md", "content": "x", "mode": "append"}),
        ("vault.patchFile", {"path": "note.md", "patch": patch}),
    ):
        would, effects = use(tool, **args, dryRun=True)
        assert effects == {}
        did, effects = use(tool, **args)
        assert effects != {}
        assert did.pop("mtimeMs") > 0
        assert did == would
