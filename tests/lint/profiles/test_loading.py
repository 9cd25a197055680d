"""The profiles: complete, dated, and each limit with the sentence that it rests on."""

from __future__ import annotations

import re
from datetime import date
from importlib.resources import files

import pytest
from callproof.lint.profiles.loading import NAMES, UnknownProfile, limits_of, profile


@pytest.mark.parametrize("name", NAMES)
def test_each_limit_has_its_sentence_its_source_and_its_day(name: str) -> None:
    """Without them nobody could check a limit again."""
    told = profile(name)
    assert told.title
    for limit in told.limits:
        assert len(limit.says) >= 20, limit.kind
        assert re.fullmatch(r"https://\S+", limit.source)
        assert date.fromisoformat(limit.read) >= date(2026, 11, 1)
        assert limit.basis in {"documented", "observed"}
        assert limit.provider in NAMES


def test_every_file_is_a_profile() -> None:
    """Every profile has its file, too."""
    found = {each.name.removesuffix(".yaml") for each in files("callproof.lint.profiles").iterdir()}
    assert {each for each in found if "." not in each and "__" not in each and each != "loading"} == {*NAMES}


def test_a_profile_has_the_limits_of_those_that_it_extends() -> None:
    """The strict profile has the limits of the plain one, and more."""
    assert {*profile("openai").limits} < {*profile("openai-strict").limits}
    assert {*profile("gemini").limits} < {*profile("all-providers").limits}


def test_a_limit_of_two_chosen_profiles_holds_once() -> None:
    """One fault gives one finding."""
    assert limits_of("tool-name", ("openai", "openai-strict")) == limits_of("tool-name", ("openai",))


def test_the_conventions_know_no_provider() -> None:
    """The default profile has no limit of a provider."""
    assert profile("seed").limits == ()


def test_a_wrong_name_gets_the_nearest_one() -> None:
    """If no name is near, all are listed."""
    with pytest.raises(UnknownProfile, match="did you mean 'openai-strict'"):
        profile("openai-strikt")
    with pytest.raises(UnknownProfile, match="permitted: seed, mcp-2025-11-25"):
        profile("zzz")


@pytest.mark.parametrize("kind", ["tool-name", "property-key", "recommended-name"])
def test_a_pattern_of_a_limit_can_be_read(kind: str) -> None:
    """It accepts the simplest of names."""
    for limit in limits_of(kind, NAMES):
        assert re.fullmatch(str(limit.value), "count_words")
