"""How long a backtracking engine takes for a pattern, compared with engines that do backtrack."""

from __future__ import annotations

import resource
import subprocess
import sys
from itertools import product

import pytest
from callproof.lint.schemas.patterns.ambiguity import Growth, backtracking
from callproof.lint.schemas.patterns.reading import TooMuch, read_pattern
from hypothesis import given, settings
from hypothesis import strategies as st
from lint.schemas.patterns.backtracker import Backtracker, Exhausted

EXPONENTIAL = (
    "(a+)+$", "(a|a)*$", "(a|aa)+$", "(.*)*x", "^(a*)*$", "(a*)*b", "([a-zA-Z]+)*!$", r"^(\w+\s?)*$",
    "^([a-z0-9]+-?)+$", "^(a|b|ab)*c", r"^(/?[^/\\:]+)+$", r"^(([a-z])+.)+[A-Z]([a-z])+$",
    # These match every text in the end, but only after the first alternative has failed in every way.
    "^(?:(?:a|a)*b|[^]*)$", "^(?:(a+)+b)?", "^x(?:c|(?:(a+)+b|))", "(?:a|a)*b|", "^(?:x|(?:a|aa)*y|[^]*)",
    "^(?:a|b){0}c{2}(?:(a+)+b)?",
)  # fmt: skip
POLYNOMIAL = (
    r"^\S+@\S+\.\S+$",
    r"^\s*(.*?)\s*$",
    "a*a*$",
    "^[a-z]*[a-z0-9]*!$",
    "(.*a){12}$",
    "a*b",
    r"\s+$",
    r"^\s+|\s+$",
    "^a*.*a*$",
    "^(?:a*a*b|)",
)
LINEAR = (
    "^[a-z]+$", "^(a|b)*c$", "^a*b*$", "^(a|a)*", "a*", "", "^(base|pro)$", "^[a-f0-9]{64}$", r"^\d{4}-\d{2}-\d{2}$",
    r"^(?:[a-z]{1,63}\.)+[a-z]{2,63}$", r"^(?!/)(?!.*(?:^|/)\.\.(?:/|$))(?!.*://)[^\\]+$", "^[^@]+@[^@]+$", "^(a+b)+$",
    "^(?:a|b|c)+$", "(?:)", "^$", r"^[\w.+-]+@[\w-]+\.[\w.-]+$", "^(.+)/([^/]+)$",
    r"^([a-z0-9]+(-[a-z0-9]+)*\.)+[a-z]{2,}$",
    # The first alternative is tried here and matches, or is tried nowhere else.
    "a*b|", "^(?:(a+)+b)??", "^(?:|(a+)+b)", "^(?:(a+)+b){0}", "^(?:[^]*|(a+)+b)$",
    # A version, a host, a time and a duration, as real schemas have them.
    r"^(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$",
    r"^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9])$",
    r"^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d(\.\d+)?(Z|[+-]\d{2}:\d{2})$",
    r"^P(?!$)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?$",
)  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "growth"),
    [
        *((each, "exponential") for each in EXPONENTIAL),
        *((each, "polynomial") for each in POLYNOMIAL),
        *((each, "linear") for each in LINEAR),
    ],
)
def test_the_growth_of_a_known_pattern_is_decided(pattern: str, growth: Growth) -> None:
    """Each verdict is tested with well-known patterns and with patterns that only look like them."""
    found = backtracking(read_pattern(pattern))
    assert (found.growth, found.certain) == (growth, True)


def _ends_within_a_second(pattern: str, text: str) -> bool:
    ended = subprocess.run(
        [sys.executable, "-I", "-c", "import re, sys; re.search(*sys.argv[1:])", pattern, text],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 1)),
        stderr=subprocess.DEVNULL,
    )
    return ended.returncode == 0


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "^(?:(?:a|a)*b|.*)$"])
def test_an_exponential_pattern_stops_a_real_engine_with_a_short_text(pattern: str) -> None:
    """For forty rounds of the text that was found, ``re`` needs more than a second of processor time."""
    text = backtracking(read_pattern(pattern)).text
    assert text is not None
    assert not _ends_within_a_second(pattern, text.times(40))


@pytest.mark.parametrize("pattern", ["^[a-zA-Z0-9._]+(?:[-._a-zA-Z0-9]*)$"])
def test_a_polynomial_pattern_stops_a_real_engine_with_a_long_text_only(pattern: str) -> None:
    """A hundred thousand characters are too many, a hundred are not; the pattern is from the corpora."""
    text = backtracking(read_pattern(pattern)).text
    assert text is not None
    assert not _ends_within_a_second(pattern, text.times(100_000))
    assert _ends_within_a_second(pattern, text.times(100))


def test_a_linear_pattern_ends_with_a_long_text() -> None:
    """A pattern that is called linear ends in the same engine under the same limit."""
    for pattern in ("^[a-z]+$", "^(a|b)*c$", "^a*b*$"):
        assert _ends_within_a_second(pattern, "a" * 100_000 + "!")


@pytest.mark.parametrize(
    ("pattern", "limit"),
    [
        (r"(a)\1", "references back to a group"),
        ("^(a{1,1000}){1,1000}$", "states of a pattern"),
        ("^(([a-z]{1,30}){1,30})+$", "steps over a pattern"),
        ("a" * 1_001, "characters of a pattern"),
        ("(" * 100 + ")" * 100, "nesting of a pattern"),
    ],
)
def test_what_is_too_much_is_named(pattern: str, limit: str) -> None:
    """The verdict is not guessed: the error names the limit."""
    with pytest.raises(TooMuch) as raised:
        backtracking(read_pattern(pattern))
    assert raised.value.limit == limit


@pytest.mark.parametrize("pattern", ["(?:a(?:(?:))*)*$", "(?:a(?:(?:)|(?:))*)*$", "(?:a(?:(?:))?)*$"])
def test_rounds_of_nothing_are_no_second_way(pattern: str) -> None:
    """An engine gives up an empty round, however often the pattern permits it."""
    assert backtracking(read_pattern(f"^{pattern}")).growth == "linear"


def test_a_verdict_over_a_part_that_was_left_out_is_not_certain() -> None:
    """A lookahead may forbid exactly the texts on which the rest is slow."""
    found = backtracking(read_pattern("^(?!a{3})(a+)+$"))
    assert (found.growth, found.certain) == ("exponential", False)


@pytest.mark.parametrize("pattern", [r"^(\p{L}+)+$", r"^\p{L}+\p{L}+$", r"^[\p{L}]*[\p{L}]*$", r"^(a*)*(?!b)"])
def test_a_part_that_was_left_out_may_be_what_fails(pattern: str) -> None:
    """If any character counts as in a Unicode class, the pattern always matches; the real pattern may fail."""
    found = backtracking(read_pattern(pattern))
    assert (found.growth, found.certain) == ("linear", False)


@pytest.mark.parametrize("pattern", [r"^\p{L}+$", r"^(?!a)[a-z]+$", r"^[\p{L}\p{N} _-]{1,80}$"])
def test_a_part_that_was_left_out_makes_one_way_no_two(pattern: str) -> None:
    """If a text is matched in one way only, the part that was left out adds no second way."""
    found = backtracking(read_pattern(pattern))
    assert (found.growth, found.certain) == ("linear", True)


ATOMS = st.sampled_from(["a", "b", "[ab]", ".", "ab", "a?", "a*", "b+", "(?:)"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format),
        st.tuples(inner, st.sampled_from("*+?")).map("(?:{0[0]}){0[1]}".format),
    ),
    max_leaves=5,
)
TEXTS = [beginning + middle for beginning in ("", "b") for middle in ("a", "b", "ab", "aab", "c")]


def _steps(pattern: str, text: str) -> int | None:
    matcher = Backtracker(20_000)
    try:
        matcher.search(read_pattern(pattern), text)
    except Exhausted:
        return None
    return matcher.steps


@settings(max_examples=25, deadline=None)
@given(pattern=PATTERNS, start=st.sampled_from(["", "^"]), end=st.sampled_from(["", "$", "c$"]))
def test_the_verdict_agrees_with_a_matcher_that_counts(pattern: str, start: str, end: str) -> None:
    """Exponential: the text that was found exhausts it.  Linear: a text twice as long takes about twice the steps."""
    whole = f"{start}(?:{pattern}){end}"
    found = backtracking(read_pattern(whole))
    if found.growth == "exponential":
        assert found.text is not None
        assert _steps(whole, found.text.times(30)) is None
    elif found.growth == "linear" and start:
        for word, last in product(TEXTS, ("", "d", "c")):
            few, many = _steps(whole, word * 12 + last), _steps(whole, word * 24 + last)
            assert few is not None
            assert many is not None
            assert many <= 3 * few + 50
