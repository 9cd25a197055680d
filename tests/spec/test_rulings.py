"""The list of rulings and variations: every id that a chapter names can be looked up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from callproof.cli import cli
from callproof.resources import SPEC
from callproof.spec.rulings import rulings
from click.testing import CliRunner

ROOT = Path(str(SPEC))
CHAPTERS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for pattern in ("*.md", "protocols/*.md", "tools/*.md")
    for path in ROOT.glob(pattern)
    if path.name != "rulings.md"
}
# How a chapter names a ruling or a variation; a ruling has no leading zero, and a variation always two digits.
NAME = re.compile(r"\b(A[1-9][0-9]?|B-[0-9]{2})\b")
# The first id and the last one, by which a chapter means all of them.
ALL = re.compile(r"`(?:A1|B-01)` to `(?:A91|B-69)`")


def told(name: str) -> tuple[int, str]:
    """The exit code of ``callproof explain``, and what it prints."""
    ran = CliRunner().invoke(cli, ["explain", name])
    return ran.exit_code, ran.output


def test_whatever_a_chapter_names_is_listed_with_the_chapter() -> None:
    """The list has no other ids, and each row names every chapter in which its id stands."""
    named: dict[str, set[str]] = {}
    for chapter, text in CHAPTERS.items():
        for name in NAME.findall(ALL.sub("", text)):
            named.setdefault(name, set()).add(f"spec/{chapter}")
    assert {name: set(each.places.split(", ")) for name, each in rulings().items()} == named


def test_ids_are_counted_without_a_gap_in_the_order_of_the_list() -> None:
    """A1 to A91, as the introduction says, and B-01 to B-69."""
    assert [*rulings()] == [*(f"A{n}" for n in range(1, 92)), *(f"B-{n:02}" for n in range(1, 70))]


@pytest.mark.parametrize("name", ["A62", "a62", "A062"])
def test_a_ruling_is_explained_with_the_requirements_that_name_it(name: str) -> None:
    """The case of its letter and leading zeros do not matter."""
    code, text = told(name)
    assert code == 0
    assert text.startswith(f"### A62\n\n{rulings()['A62'].sentence}\n")
    assert "Requirements that name it: REF-11" in text
    assert "spec/references.md" in text


@pytest.mark.parametrize("name", ["B-05", "b-5", "B05"])
def test_a_variation_is_explained(name: str) -> None:
    """The case of its letter, the hyphen and the leading zero do not matter."""
    code, text = told(name)
    assert (code, text.splitlines()[0]) == (0, "### B-05")


@pytest.mark.parametrize("name", ["A92", "B-70", "A100"])
def test_an_id_that_is_none_is_told_with_those_that_are(name: str) -> None:
    """The message names the ids that exist, and the file with the list."""
    code, text = told(name)
    assert code == 2
    assert f"There is no {name}." in text
    assert "A1 to A91" in text
    assert "B-01 to B-69" in text
