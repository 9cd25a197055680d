"""The prover's shortcuts, each compared with the law that it replaces."""

from __future__ import annotations

import json

import pytest
from callproof.auditing.prover.policies import policy_facts
from callproof.auditing.prover.stamps import instants, stamp
from callproof.auditing.prover.unproved import Unproved, is_modest
from callproof.auditing.prover.wording import prove_texts
from callproof.checks.wording import unfit
from callproof.values.instants import parse_instant
from callproof.values.vaultpaths import Sandbox, breach, is_innocent, normalise, resembles_a_root
from hypothesis import given
from hypothesis import strategies as st

DIGITS = st.integers(0, 9).map(str)
FRACTIONS = st.sampled_from(["", ".0", ".001", ".999", ".000001", ".123456789"])
ZONES = st.sampled_from(["Z", "z", "+00:00", "+02:00", "-00:00", "+0000", ""])
HOURS = st.sampled_from(["00:00:00", "09:59:60", "23:59:60", "24:00:00", "12:30:59"])
STAMPS = st.builds(
    lambda day, sign, hour, fraction, zone: f"2026-0{day}{sign}{hour}{fraction}{zone}",
    st.sampled_from(["1-05", "2-29", "2-30", "3-01"]),
    st.sampled_from(["T", "T", "T", " ", "t"]),
    HOURS,
    FRACTIONS,
    ZONES,
)


@given(st.lists(STAMPS, min_size=1, max_size=3))
def test_instants_that_are_proved_are_ordered_like_their_texts(texts: list[str]) -> None:
    """A text that is proved by its shape is an instant, and the order of the texts is that of the instants."""
    try:
        found = instants(texts)
    except Unproved:
        return
    read = [parse_instant(text) for text in texts]
    assert None not in read
    ordered = sorted(range(len(texts)), key=lambda place: texts[place])
    assert [read[place] for place in ordered] == sorted(each for each in read if each is not None)
    assert [found[place] for place in ordered] == sorted(found)


@given(st.lists(STAMPS, min_size=2, max_size=3))
def test_instants_of_any_spelling_are_ordered_like_the_texts_in_their_place(texts: list[str]) -> None:
    """A text rewritten in the one spelling is the same instant, and is ordered like the instant."""
    read = [parse_instant(text) for text in texts]
    if None in read:
        with pytest.raises(Unproved):
            [stamp(text) for text in texts]
        return
    stamps = [stamp(text) for text in texts]
    known = [each for each in read if each is not None]
    assert [parse_instant(each.text) for each in stamps] == known
    assert [each.resolution for each in stamps] == [each.resolution for each in known]
    assert sorted(each.text for each in stamps) == [each.text for each in sorted(stamps, key=lambda one: one[1])]
    instants([each.text for each in stamps])


@pytest.mark.parametrize("text", ["0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "0001-01-01T00:00:00+01:00"])
def test_an_instant_beyond_the_years_of_four_digits_is_handed_over(text: str) -> None:
    """Its text in the one spelling would not be ordered like the instant."""
    assert parse_instant(text) is not None
    with pytest.raises(Unproved):
        stamp(text)


PIECES = st.sampled_from(
    ["a", " ", "/", "/home/x", "home/", "C:", "\\", "\\\\host\\x", "file:///", "(", "at f(a.py:3)", "at async /x:3:4",
     "at /x:3:4",
     "at n (3:4)", "at a/b(Native Method)", "://u:p@h", "://:p@h",
     "eyJ" + "a" * 10 + ".eyJ" + "b" * 10 + "." + "c" * 10,
     'File "x", line 3',
     "goroutine 1 [", "AKIA" + "A" * 16, "ASIA" + "A1" * 8, "ghp_" + "a" * 36, "sk-" + "a1B" * 12, "sk-proj-",
     "a1B" * 12, "github_pat_" + "a" * 60, "glpat-", "AIza", "npm_", "xoxb-1", "-----BEGIN PRIVATE KEY-----",
     "\n", "\x85", "é", "1", '"', "."]
)  # fmt: skip


@given(st.lists(st.lists(PIECES, max_size=5).map("".join), max_size=4))
def test_texts_that_are_passed_together_are_fit_one_by_one(texts: list[str]) -> None:
    """No text that is unfit for people passes because it is judged together with others."""
    try:
        prove_texts(texts)
    except Unproved:
        return
    assert all(unfit(text) is None for text in texts)


NAMES = st.sampled_from(
    ["Notes", "notes", "a.md", "..", ".", "", "é", "A b", "C:", "x:", "https:", "Note", "a\\b", "sec*"]
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
ROOTS = st.lists(st.sampled_from(["/", "Notes", "Note", "Notes/", "/Notes", "A b", "é", ""]), max_size=3)
PATTERNS = st.lists(st.sampled_from(["..", "://", "Notes", "note", "*.md", "a", ".", " ", "é", "b/a"]), max_size=3)


@given(PATHS, ROOTS, PATTERNS)
def test_what_is_said_of_a_path_is_what_the_law_says(path: str, roots: list[str], patterns: list[str]) -> None:
    """A path that the shortcut passes would have passed every question of the law."""
    sandbox = {"enabled": True, "allowedRoots": roots, "denyPatterns": patterns}
    policy = {"confirmationsRequired": False, "sandbox": sandbox, "limits": {}}
    try:
        facts = policy_facts(json.dumps(policy).encode())
    except Unproved:
        return
    found, law = facts.path(path), Sandbox(tuple(roots), tuple(patterns))
    assert found.breach is breach(path, law)
    assert found.innocent is is_innocent(path, law)
    assert found.lookalike is any(each in normalise(path) for each in (*patterns, ".."))
    assert bool(found.met & ~facts.path("a").met) >= (resembles_a_root(path, law) and not resembles_a_root("a", law))


@pytest.mark.parametrize(
    "value", [[[]] * 1_001, {str(each): each for each in range(1_001)}, json.loads("[" * 30 + "]" * 30)]
)
def test_what_the_reader_may_refuse_for_its_size_is_not_modest(value: object) -> None:
    """Large and deep values are left to the strict reader and its limits."""
    assert not is_modest(value)
    assert is_modest([1, {"a": []}])
