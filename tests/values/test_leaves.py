"""The leaves of a value: every text in all its spellings, and every number as it is written."""

from __future__ import annotations

from callproof.values.leaves import leaves_of


def test_texts_are_found_wherever_they_stand() -> None:
    """SEC-11: member names count as texts, and so do strings in arrays of objects."""
    found = leaves_of([{"name": ["one", {"inner": "two"}], "flag": True, "none": None}, "three"])
    assert found.texts == {"name", "one", "inner", "two", "flag", "none", "three"}
    assert not found.numbers


def test_a_text_is_told_in_every_spelling() -> None:
    """SEC-11: as JSON and as a pointer escape it, and a path also by its parts; surrounding blanks are dropped."""
    assert leaves_of(['say "so"']).texts == {'say "so"', 'say \\"so\\"'}
    assert leaves_of(["a~b"]).texts == {"a~b", "a~0b"}
    assert leaves_of(["/Notes/a.md"]).texts == {"/Notes/a.md", "~1Notes~1a.md", "", "Notes", "a.md", "Notes/a.md"}
    assert leaves_of([" around "]).texts == {"around"}


def test_numbers_are_told_as_they_are_written() -> None:
    """SEC-11: 1000 and 1000.0 are one number in two spellings, and a boolean is not a number."""
    assert set(leaves_of([1000, 1000.0, True, [2.5, 2.5]]).numbers) == {"1000", "1000.0", "2.5"}
    assert set(leaves_of([1000, 1000.0, 7], frozenset({1000})).numbers) == {"7"}
