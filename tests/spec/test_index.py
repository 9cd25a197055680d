"""The index of the chapters gives what reading them gives, and nothing for a chapter of which it was not made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from callproof.schema import generate
from callproof.spec import index
from callproof.spec.chapters import read_chapter
from callproof.spec.index import index_of, indexed
from callproof.spec.registry import whole_specification
from spec.test_chapters import CHAPTER

INDENTED = CHAPTER.replace("*Why.* Because.", "*Why.* Because.\n\n1. In a list:\n\n   ```text\n   inside\n   ```", 1)


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of chapters whose index nobody has read yet."""
    monkeypatch.setattr(index, "SPEC", tmp_path)
    index._entries.cache_clear()
    yield tmp_path
    index._entries.cache_clear()


@pytest.mark.parametrize("name", [each.name for each in whole_specification().chapters])
def test_a_chapter_from_the_index_is_the_chapter_that_is_read(name: str) -> None:
    """Every text, place, level and example of every chapter; the reader of Markdown says what they are."""
    text = next(each.text for each in whole_specification().chapters if each.name == name)
    assert indexed(name, text) == read_chapter(name, text)


@pytest.mark.parametrize("text", [CHAPTER + "\n```text\nnever closed", CHAPTER.replace("\n", "\r\n"), INDENTED])
def test_a_chapter_comes_back_whole_or_not_at_all(spec: Path, text: str) -> None:
    """Unclosed blocks, other ends of lines, indented blocks."""
    chapter = read_chapter("one", text)
    (spec / index.NAME).write_text(index_of([chapter]))
    assert indexed("one", text) in {chapter, None}


def test_an_edited_chapter_is_not_in_the_index(spec: Path) -> None:
    """Whoever edits a chapter sees the edit at once; the index would tell the old law."""
    (spec / index.NAME).write_text(index_of([read_chapter("one", CHAPTER)]))
    assert indexed("one", CHAPTER.replace("one thing", "two things")) is None
    assert indexed("two", CHAPTER) is None


def test_a_chapter_that_would_come_back_otherwise_stays_out(spec: Path) -> None:
    """The text of an indented block is not the lines between its fences."""
    (spec / index.NAME).write_text(index_of([read_chapter("list", INDENTED), read_chapter("one", CHAPTER)]))
    assert read_chapter("list", INDENTED).requirements[0].fences[0].text == "inside\n"
    assert indexed("list", INDENTED) is None
    assert indexed("one", CHAPTER) == read_chapter("one", CHAPTER)


@pytest.mark.parametrize("text", [None, "", "<<<<<<< ours\n{}\n", '{"name": "one"}\n', "\xff"])
def test_without_a_usable_index_every_chapter_is_read(spec: Path, text: str | None) -> None:
    """Otherwise a merge that failed half-way would keep the command that makes the index from running."""
    if text is not None:
        (spec / index.NAME).write_text(text, encoding="latin-1")
    assert indexed("one", CHAPTER) is None


@pytest.mark.many
def test_drift_of_the_index_is_found_and_mended(
    spec: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A chapter that is committed without its index is read at each start; CI says so, with the command that helps."""
    monkeypatch.setattr(generate, "SPEC", spec)
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().out == "spec/index.jsonl differs from the chapters: run `nox -s generate`\n"
    assert generate.main([]) == 0
    assert capsys.readouterr().out == "wrote spec/index.jsonl\n"
    assert generate.main(["--check"]) == 0
    assert (spec / index.NAME).read_bytes() == (Path(__file__).parents[2] / "spec" / index.NAME).read_bytes()
