"""The mapping of dotted names to names that a provider accepts, and back."""

from __future__ import annotations

import re

import pytest
from callproof.lint.profiles.loading import NAMES, limits_of
from callproof.lint.sent_names import NotMapped, own_name, sent_name
from hypothesis import given
from hypothesis import strategies as st

OWN = st.text("abcXYZ019_.-", min_size=1, max_size=64)
# Names with many long runs of signs.
SIGNS = st.text("a_.-", min_size=1, max_size=24)
PROVIDERS = st.sampled_from([name for name in NAMES if limits_of("tool-name", (name,))])


@given(st.one_of(OWN, SIGNS), PROVIDERS)
def test_a_name_that_is_sent_comes_back(name: str, provider: str) -> None:
    """The provider accepts the mapped name; a name that cannot be mapped is refused."""
    try:
        sent = sent_name(name, provider)
    except NotMapped:
        return
    assert own_name(sent, provider) == name
    for limit in limits_of("tool-name", (provider,)):
        assert re.fullmatch(str(limit.value), sent)


@given(SIGNS, SIGNS)
def test_two_names_are_never_sent_as_one(one: str, other: str) -> None:
    """Whatever signs they contain."""
    sent = [sent_name(each, "anthropic") for each in (one, other)]
    assert (sent[0] == sent[1]) == (one == other)


@given(st.text("ab_-", min_size=1, max_size=12))
def test_a_name_that_nobody_sent_stands_for_nothing(text: str) -> None:
    """If a text is mapped back to a name, that name is sent as the same text; any other text is refused."""
    try:
        own = own_name(text, "openai")
    except NotMapped:
        return
    assert sent_name(own, "openai") == text


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("vault.readFile", "vault__readFile"),
        ("read_file", "read_file"),
        ("read-file", "read-file"),
        ("a.b.c", "a__b__c"),
    ],
)
def test_common_names_stay_readable(name: str, sent: str) -> None:
    """A dot becomes two underscores, and nothing else changes."""
    assert sent_name(name, "openai") == sent


def test_a_provider_that_takes_dots_gets_them() -> None:
    """Nothing is mapped unless the provider requires it."""
    assert sent_name("vault.readFile", "gemini") == "vault.readFile"
    assert sent_name("vault.readFile", "seed") == "vault.readFile"


@pytest.mark.parametrize("name", ["", "count words", "größe", "a/b", "x" * 129])
def test_a_name_that_mcp_would_not_recommend_is_refused(name: str) -> None:
    """It is refused, since no provider name stands for it."""
    with pytest.raises(NotMapped, match="not a name of 1 to 128"):
        sent_name(name, "openai")


def test_a_name_that_grows_too_long_is_refused() -> None:
    """The refusal names the limit: a name is never cut, since two names could become one."""
    with pytest.raises(NotMapped, match="65 characters"):
        sent_name("a." + "b" * 62, "openai")
