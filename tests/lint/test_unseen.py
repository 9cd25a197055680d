"""Invisible characters: found wherever they hide, and let pass where a script or picture needs them."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from callproof.lint.unseen import called, may_hide, unseen
from hypothesis import given
from hypothesis import strategies as st

# Signs of Arabic and a few other scripts: Unicode counts them as format characters, but they are drawn.
DRAWN = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD, *range(0x13430, 0x13440)} - {0x70F}
FORMATS = [
    chr(code)
    for code in range(sys.maxunicode + 1)
    if unicodedata.category(chr(code)) in {"Cc", "Cf", "Zl", "Zp"} and code not in DRAWN and chr(code) not in "\t\n\r"
]


@given(st.text("abc xyz.,", max_size=8), st.sampled_from(FORMATS), st.text("abc xyz.,", max_size=8))
def test_a_format_character_among_letters_is_found(before: str, hidden: str, after: str) -> None:
    """This holds for every one in Unicode, and it is reported with its place and its name."""
    assert [*unseen(before + hidden + after)] == [len(before)]
    assert called(hidden).startswith(f"U+{ord(hidden):04X} ")


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), max_size=30))
def test_what_can_be_seen_is_let_pass(text: str) -> None:
    """Only the few letters that are drawn as blank are found."""
    blank = "\u115f\u1160\u2800\u3164\uffa0"
    assert [*unseen(text)] == [at for at, each in enumerate(text) if each in blank]


@given(st.text(max_size=30))
def test_the_quick_look_misses_nothing(text: str) -> None:
    """If the quick look finds nothing suspicious, the full look finds nothing either."""
    assert may_hide(text) or not [*unseen(text)]


@pytest.mark.parametrize(
    "text",
    [
        "a family: 👨‍👩‍👧",
        "a heart: ❤️",
        "England: 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "Persian: نمی‌خواهم",
        "Hindi: क्‍ष",
        "lines\nand\ttabs\r\n",
    ],
)
def test_a_joiner_does_its_work(text: str) -> None:
    """Pictures and scripts that are written with invisible marks are not faults."""
    assert [*unseen(text)] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ed\u200ditor", "ZERO WIDTH JOINER"),
        ("count\U000e0049\U000e0067", "TAG LATIN CAPITAL LETTER I"),
        ("😀\U000e0101\U000e0102", "VARIATION SELECTOR-19"),
        ("a\ufe01", "VARIATION SELECTOR-2"),
        ("read\u202egnp", "RIGHT-TO-LEFT OVERRIDE"),
        ("a\u3164b", "HANGUL FILLER"),
    ],
)
def test_a_mark_out_of_place_is_found(text: str, name: str) -> None:
    """Among plain letters the same marks hide something."""
    assert name in called(text[next(unseen(text))])


@pytest.mark.many
@pytest.mark.parametrize("mark", ["\u200d", "\U000e0041", "\U0001f3f4\U000e0041", "\ufe01"])
def test_a_text_of_nothing_else_is_looked_through_once(mark: str) -> None:
    """The search takes one pass, however long the text is."""
    assert sum(1 for _ in unseen(mark * 100_000)) == 100_000
