"""Vault paths: what a sandbox refuses, what it accepts, and what it leaves to the host."""

from __future__ import annotations

import unicodedata

import pytest
from callproof.values.vaultpaths import (
    Breach,
    Sandbox,
    breach,
    contains,
    is_innocent,
    is_normal,
    normalise,
    resembles_a_root,
)
from hypothesis import given, settings
from hypothesis import strategies as st

VAULT = Sandbox(("/",), ("..", "://"))
SIGNS = st.characters(exclude_characters="/\\:", exclude_categories=["Cs", "Cc"])
NAMES = st.text(SIGNS, min_size=1).filter(lambda name: is_plain(unicodedata.normalize("NFKC", name)))


def is_plain(name: str) -> bool:
    """Whether a name has no separator in it and is not made of dots alone."""
    return bool(name.strip(".")) and not set("/\\:") & set(name)


PATHS = st.lists(NAMES, min_size=1, max_size=5).map("/".join)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("..", Breach.PARENT),
        ("../secret.md", Breach.PARENT),
        ("Notes/..", Breach.PARENT),
        ("Notes/../a.md", Breach.PARENT),
        ("a/../../x", Breach.PARENT),
        ("Notes\\..\\..\\x", Breach.PARENT),
        ("..\\x", Breach.PARENT),
        ("Notes/．．/x", Breach.PARENT),
        ("Notes/‥/x", Breach.PARENT),
        ("/etc/passwd", Breach.ABSOLUTE),
        ("\\\\server\\share", Breach.ABSOLUTE),
        ("//server/share", Breach.ABSOLUTE),
        ("C:\\Windows", Breach.ABSOLUTE),
        ("c:notes.md", Breach.ABSOLUTE),
        ("file:///etc/passwd", Breach.URI),
        ("FILE:/etc/passwd", Breach.URI),
        ("obsidian://open?vault=x", Breach.URI),
    ],
)
def test_an_escape_is_refused_in_every_spelling(path: str, why: Breach) -> None:
    """Parents, absolute paths and URIs are refused on every host (POL-04, POL-05, POL-06, A12, A71)."""
    assert breach(path, VAULT) is why
    assert not is_innocent(path, VAULT)


@pytest.mark.parametrize(
    "path",
    [
        "a..b.md",
        "..hidden",
        "hidden..",
        "…",
        "...",
        ". .",
        "Notes/…/a.md",
        "%2e%2e/x",
        "Notes/.obsidian/a",
        "a/./b",
        "",
        "12:30.md",
    ],
)
def test_innocent_dots_are_taken(path: str) -> None:
    """Dots inside a name are part of the name (POL-10, A13, B-43)."""
    assert is_innocent(path, VAULT)


@pytest.mark.parametrize("path", ["Re: plan.md", "Notes/a://b"])
def test_a_word_and_a_colon_is_left_to_the_host(path: str) -> None:
    """Whether such a name is a URI depends on the host: no executor is blamed for either answer (POL-06)."""
    assert not is_innocent(path, VAULT)
    assert breach(path, Sandbox()) is None


@pytest.mark.parametrize("path", ["Notes2/a.md", "Notes-private/a.md", "NotesX", "a/Notes/b"])
def test_roots_are_compared_by_whole_segments(path: str) -> None:
    """A name that begins like a root is not under it (POL-03)."""
    assert breach(path, Sandbox(("Notes",))) is Breach.OUTSIDE


@pytest.mark.parametrize(("root", "path"), [("Notes", "Notes2/a.md"), ("/A/B/", "A/Bc/d.md")])
def test_a_look_alike_of_a_root_is_recognised(root: str, path: str) -> None:
    """A finding can tell a root that was compared by characters from a root that was ignored (POL-03)."""
    assert resembles_a_root(path, Sandbox((root,)))
    assert not resembles_a_root("Other/a.md", Sandbox((root, "/")))


@pytest.mark.parametrize("root", ["Notes", "/Notes", "Notes/", "./Notes", "/", "Notes//"])
def test_a_root_has_many_spellings(root: str) -> None:
    """Slashes around a root do not change which folder it is (A12)."""
    assert is_innocent("Notes/a.md", Sandbox((root,)))


def test_case_and_backslashes_are_left_to_the_host() -> None:
    """A path under a root in another case, or behind a backslash, is neither refused nor innocent (A13, B-44)."""
    for path in ("notes/a.md", "Notes\\a.md"):
        assert breach(path, Sandbox(("Notes",))) is None
        assert not is_innocent(path, Sandbox(("Notes",)))


def test_roots_are_compared_in_one_unicode_form() -> None:
    """A decomposed name lies under its composed root (A13)."""
    assert is_innocent("Cafe\u0301/a.md", Sandbox(("Caf\u00e9",)))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (".obsidian", "Notes/.obsidian/app.json"),
        ("*.key", "Notes/id.key"),
        ("?.md", "Notes/a.md"),
        ("**", "x"),
        ("Private/", "Work/Private/a.md"),
        ("Private/Diary", "Private//Diary/a.md"),
        ("~", "Notes/~tmp"),
    ],
)
def test_a_deny_pattern_refuses(pattern: str, path: str) -> None:
    """Words match segments, wildcards are globs on segments, slashed patterns and bare signs substrings (A13, A71)."""
    assert breach(path, Sandbox(("/",), (pattern,))) is Breach.PATTERN


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (".obsidian", "Notes/my.obsidian.md"),
        ("secret", "Notes/secretary.md"),
        ("*.key", "Notes/id.keys"),
        ("*.key", "id.key.d/readme"),
        ("?.md", "Notes/ab.md"),
        ("[ab].md", "a.md"),
        ("Private/", "Private.md"),
    ],
)
def test_a_deny_pattern_spares_what_merely_resembles_it(pattern: str, path: str) -> None:
    """A plain word is never looked for inside a name (POL-10, A13)."""
    assert is_innocent(path, Sandbox(("/",), (pattern,)))


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("Private", "private/a.md"),
        ("C++", "C++ notes.md"),
        ("*/secret", "x/y"),
        ("Notes//Private", "Notes//Private/a.md"),
        ("./", "./Notes/a.md"),
        ("Private\\Diary", "Private\\Diary"),
    ],
)
def test_some_patterns_are_left_to_the_host(pattern: str, path: str) -> None:
    """Case on an unknown volume, mixed patterns, and patterns that match only before normalisation (A13, A71)."""
    assert breach(path, Sandbox(("/",), (pattern,))) is None
    assert not is_innocent(path, Sandbox(("/",), (pattern,)))


def test_many_stars_end_soon() -> None:
    """A pattern from outside cannot make the matcher backtrack for hours."""
    assert breach("a" * 4000, Sandbox(("/",), ("*a" * 60 + "b",))) is None


@given(PATHS)
def test_plain_names_are_innocent(path: str) -> None:
    """A vault without patterns accepts names of any script, in any Unicode form (B-43)."""
    assert is_innocent(path, Sandbox())
    assert breach(path, Sandbox()) is None


@given(PATHS)
def test_to_normalise_twice_is_to_normalise_once(path: str) -> None:
    """The normal form is its own normal form, and lies under itself."""
    once = normalise(path)
    assert normalise(once) == once
    assert contains(path, path + "/x")


@given(st.text(), st.lists(st.text(min_size=1)), st.lists(st.text(min_size=1)))
def test_refused_and_innocent_exclude_each_other(path: str, roots: list[str], patterns: list[str]) -> None:
    """No path is both refused by all hosts and accepted by all, and no text makes the judge raise."""
    sandbox = Sandbox(tuple(roots), tuple(patterns))
    assert not (breach(path, sandbox) and is_innocent(path, sandbox))


# Texts near the border between the paths that all hosts judge alike and the others.
PIECES = st.lists(
    st.sampled_from(["a", "B", "Notes", "/", "/", "..", "..", ".", " ", "-", ":", "\\", "*", "é"]), max_size=5
)
TEXTS = PIECES.map("".join)


@pytest.mark.many
@settings(max_examples=1_000)
@given(TEXTS, st.just(["/"]) | st.lists(TEXTS), st.just(list[str]()) | st.lists(TEXTS))
def test_a_path_that_nobody_doubts_is_judged_like_any_other(path: str, roots: list[str], patterns: list[str]) -> None:
    """A pattern that no such path can match turns the short way off, and must not change a verdict."""
    short, long = (Sandbox(tuple(roots), tuple(each)) for each in (patterns, [*patterns, "☠"]))
    assert breach(path, short) is breach(path, long)
    assert is_innocent(path, short) is is_innocent(path, long)


@pytest.mark.parametrize("path", ["Notes/a.md", "..hidden", "a b/c ", "Cafe\u0301.md", ".trash/x"])
def test_a_normal_path_is_one(path: str) -> None:
    """Records hold vault-relative paths with forward slashes (EFF-12)."""
    assert is_normal(path)


@pytest.mark.parametrize("path", ["", "/a", "a/", "a//b", "./a", "a/../b", "C:\\a", "file:///a"])
def test_a_path_that_is_not_normal_is_none(path: str) -> None:
    """Absolute, empty, doubled, dotted and URI-like paths are not normal (EFF-12)."""
    assert not is_normal(path)
