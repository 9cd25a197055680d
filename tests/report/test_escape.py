"""The function that all output passes: it leaves nothing in a text from outside that could act on a terminal."""

from __future__ import annotations

import unicodedata

import pytest
from callproof.report.escape import safe
from hypothesis import given
from hypothesis import strategies as st

# What a terminal, a CI log or a bidirectional renderer acts on, by Unicode's own categories.
ACTIVE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@given(st.text(st.characters(), max_size=300))
def test_no_active_character_passes(text: str) -> None:
    """Control, format, surrogate and separator characters never reach the output; the format characters of scripts
    that need them (Arabic number signs and the like) are harmless and may."""
    harmless = {"\u0600", "\u0601", "\u0602", "\u0603", "\u0604", "\u0605", "\u06dd", "\u070f", "\u0890", "\u0891"}
    passed = [each for each in safe(text) if unicodedata.category(each) in {"Cc", "Cs", "Zl", "Zp"}]
    assert passed == []
    assert all(each in harmless or unicodedata.category(each) != "Cf" or ord(each) > 0x10FFF for each in safe(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nFAILED fake::test", "a\\nFAILED fake::test"),
        ("\x9b31m", "\\x9b31m"),
        ("user\u202etxt.exe", "user\\u202etxt.exe"),
        ("a\u2028b", "a\\u2028b"),
        ("\ud800", "\\ud800"),
        ("naïve 東京 🚀", "naïve 東京 🚀"),
    ],
)
def test_hostile_text_is_shown_as_what_it_is(text: str, shown: str) -> None:
    """Escapes are readable, and ordinary text of every script stays as it is."""
    assert safe(text) == shown


def test_a_long_text_is_cut_and_says_so() -> None:
    """The cut is marked by an ellipsis and counts as a character."""
    assert safe("x" * 50, most=10) == "x" * 9 + "…"
