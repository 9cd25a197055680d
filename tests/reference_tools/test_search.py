"""vault.searchText on real files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

Use = Callable[..., tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / ".trash").mkdir()
    (tmp_path / "a" / "roses.md").write_text("# Roses\n\nDog roses, and a rose.\nSTRASSE, Straße\n", "utf-8")
    (tmp_path / "b.md").write_text("a+b\nrose\n", "utf-8")
    (tmp_path / "image.png").write_bytes(b"rose\xff")
    (tmp_path / ".trash" / "old.md").write_text("rose", "utf-8")
    return tmp_path


def found(use: Use, **args: object) -> list[tuple[str, int, str]]:
    data, effects = use("vault.searchText", **args)
    assert effects == {}
    assert data["truncated"] is False
    return [(each["path"], each["line"], each["snippet"]) for each in data["matches"]]


@pytest.mark.usefixtures("vault")
def test_plain_queries_are_literal_and_blind_to_case(use: Use) -> None:
    """TOOL-12: only the mode regex uses regular expressions; trash and binary files are not searched."""
    assert found(use, query="dog") == [("a/roses.md", 3, "Dog roses, and a rose.")]
    assert found(use, query="dog", caseSensitive=True) == []
    assert found(use, query="a+b") == [("b.md", 1, "a+b")]
    assert [line for _, line, _ in found(use, query="ROSE", paths=["a"])] == [1, 3, 3]


@pytest.mark.usefixtures("vault")
def test_regular_expressions_are_searched_line_by_line(use: Use) -> None:
    """TOOL-12: the anchors match at the start and end of a line; empty matches do not count."""
    assert found(use, query="^rose$", mode="regex") == [("b.md", 2, "rose")]
    assert found(use, query="x*", mode="regex") == []
    assert [path for path, _, _ in found(use, query=r"\brose\b", mode="regex")] == ["a/roses.md", "b.md"]


@pytest.mark.usefixtures("vault")
def test_the_scope_is_files_and_folders_each_once(use: Use, refused: Callable[..., str]) -> None:
    """TOOL-12, ERR-01."""
    assert len(found(use, query="rose", paths=["b.md", ".", "b.md"])) == 4
    assert refused("vault.searchText", query="rose", paths=["none.md"]) == "NOT_FOUND"


@pytest.mark.usefixtures("vault")
@pytest.mark.parametrize("query", ["(", r"(a)\1", "(?=a)", "a{1001}"])
def test_an_expression_that_is_not_linear_is_refused(refused: Callable[..., str], query: str) -> None:
    """VAL-14: an expression that the engine cannot match in linear time is refused."""
    assert refused("vault.searchText", query=query, mode="regex") == "VALIDATION_ERROR"


def test_an_expression_that_explodes_elsewhere_ends_here(tmp_path: Path, use: Use) -> None:
    """TOOL-12: a backtracking engine would take 2 to the power of 40 steps."""
    (tmp_path / "n.md").write_text("a" * 40 + "!")
    assert found(use, query="(a+)+$", mode="regex") == []


def test_truncated_is_true_exactly_if_a_match_was_left_out(tmp_path: Path, use: Use) -> None:
    """TOOL-12: the default limit is fifty."""
    for count, truncated in ((50, False), (51, True)):
        (tmp_path / "n.md").write_text("rose\n" * count)
        data, _ = use("vault.searchText", query="rose")
        assert (len(data["matches"]), data["truncated"]) == (50, truncated)
        data, _ = use("vault.searchText", query="rose", limit=count)
        assert (len(data["matches"]), data["truncated"]) == (count, False)


LETTERS = st.text(alphabet="ab \n\u00fc\u2602\U0001f327", max_size=60)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(before=LETTERS, after=LETTERS, width=st.integers(1, 30))
def test_offsets_lines_and_snippets_are_true(tmp_path: Path, use: Use, before: str, after: str, width: int) -> None:
    """TOOL-12, TOOL-13: start and end count characters of the file, and the snippet lies within the match's line."""
    content = f"{before}ROSE{after}"
    (tmp_path / "n.md").write_bytes(content.encode())
    data, _ = use("vault.searchText", query="ROSE", snippetLength=width, caseSensitive=True)
    (match,) = data["matches"]
    assert content[match["start"] : match["end"]] == "ROSE"
    line = content.split("\n")[match["line"] - 1]
    assert match["snippet"] in line
    assert len(match["snippet"]) == min(width, len(line))
    assert "ROSE"[:width] in match["snippet"]
