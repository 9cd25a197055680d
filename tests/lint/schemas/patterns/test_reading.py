"""Patterns read as ECMA-262 defines them."""

from __future__ import annotations

import re

import pytest
from callproof.lint.schemas.patterns.automaton import automaton
from callproof.lint.schemas.patterns.failing import matching_text
from callproof.lint.schemas.patterns.inclusion import text_between
from callproof.lint.schemas.patterns.reading import NotAPattern, TooMuch, read_pattern
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(", "not closed"),
        (")", "without an opening one"),
        ("[a", "not closed"),
        ("a**", "quantifier on a quantifier"),
        ("*", "a stray"),
        ("a{2,1}", "out of order"),
        ("[b-a]", "out of order"),
        (r"\_", "does not have"),
        ("(?P<year>a)", "kind of group"),
        ("(?i)a", "kind of group"),
        ("(?>a)", "kind of group"),
        ("^*", "no length"),
        ("\\", "nothing after it"),
        (r"\k", "without a name"),
        (r"\p{", "without a name"),
        (r"[\d-z]", "from one character to another"),
        ("a{", "a stray"),
    ],
)
def test_what_is_no_pattern_is_refused_with_the_place(pattern: str, reason: str) -> None:
    """The refusal gives the reason, and the character at which the pattern is wrong."""
    with pytest.raises(NotAPattern, match=f"{reason}.* at character \\d"):
        read_pattern(pattern)


@pytest.mark.parametrize("pattern", [r"\_", "a{", "}", "]", r"[\d-z]", r"\@"])
def test_without_the_flag_some_more_is_a_pattern(pattern: str) -> None:
    """Browsers still read patterns that were written before the ``u`` flag existed."""
    read_pattern(pattern, unicode=False)


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "a|",
        r"\u{1F600}",
        r"\x41\u0041\cA\0",
        "(?:a)(?<n>b)(?=c)(?!d)(?<=e)(?<!f)",
        r"[\]\\^-]",
        "a{2}b{2,}c{2,3}?",
        "a{12345678901}b{2,12345678901}",
        "[]",
        "[^]",
        r"\p{L}[\p{Lu}\d]",
    ],
)
def test_what_is_a_pattern_is_read(pattern: str) -> None:
    """The patterns have every form of a group, an escape, a set and a count."""
    read_pattern(pattern)


PIECES = st.lists(
    st.sampled_from(["a", "b", "[ab]", "(?:a|bc)", ".", r"\d", "a?", "b*", "(?:ab)+", "c{2,3}"]), max_size=5
)


@settings(max_examples=150, deadline=None)
@given(
    pieces=PIECES, start=st.sampled_from(["", "^"]), end=st.sampled_from(["", "$"]), text=st.text("abc1\n", max_size=6)
)
def test_an_automaton_matches_what_the_pattern_matches(pieces: list[str], start: str, end: str, text: str) -> None:
    """``re`` matches the text that the automaton makes, and agrees about any other text; ``\\Z`` is its ``$``."""
    pattern = start + "".join(pieces) + end
    mine = matching_text(automaton(read_pattern(pattern)))
    theirs = re.compile(pattern.replace("$", r"\Z"))
    assert mine is not None
    assert theirs.search(mine)
    literal = "^" + "".join(re.escape(each) if each != "\n" else "\\n" for each in text) + "$"
    assert (text_between(literal, pattern) is None) == (theirs.search(text) is not None)


@pytest.mark.parametrize(
    ("one", "other", "included"),
    [
        ("^[0-9]+$", r"^[0-9]+$|^x", True),
        ("^[0-9]$", r"^\d$", True),
        ("^a$", "a", True),
        ("a", "^a$", False),
        ("^(a|b)*$", "^[ab]*$", True),
        ("^[a-z0-9]+$", "^[a-z]+$", False),
        ("^(?!x)a$", "^a$", True),
    ],
)
def test_a_text_between_two_patterns_is_found_where_there_is_one(one: str, other: str, included: bool) -> None:
    """The one pattern matches it, the other does not."""
    text = text_between(one, other)
    assert (text is None) == included
    assert text is None or (re.search(one, text) and not re.search(other, text))


def test_a_pattern_that_cannot_be_read_exactly_decides_nothing() -> None:
    """Lookarounds are left out when a pattern is read, so the other pattern would match too much."""
    with pytest.raises(TooMuch, match="left out"):
        text_between("^a$", "^(?!a)a$")
