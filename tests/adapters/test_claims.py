"""What a system claims, and how the suite finds a typo in a claim."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from callproof.adapters.claims import FEATURES, Claims, Implementation, read_claims, read_implementation

CHAPTER = Path(__file__).parents[2] / "spec" / "adapter-protocol.md"
ANSWER = {
    "protocolVersion": "1.0",
    "implementation": {"name": "n", "version": "v", "language": "l", "homepage": "h"},
    "claims": {"profiles": ["envelope"], "features": ["foreach", "retries"], "postures": {"abortGraceMs": 250.0}},
}


def test_claims_are_read_from_the_answer():
    """The suite reads names as they are, and postures by their meaning (A58)."""
    claims = read_claims(ANSWER)
    assert "foreach" in claims
    assert "files" not in claims
    assert claims.abort_grace_ms == 250
    assert read_implementation(ANSWER) == Implementation("n", "v", "l", "h")


def test_a_misspelt_feature_is_found():
    """A misspelt feature claims nothing, and would hide the claim that was meant."""
    assert read_claims(ANSWER).unknown_features == (("retries", "retry"),)


def test_a_misspelt_profile_is_found():
    """The profile that is suggested is one that the suite judges by."""
    assert read_claims(ANSWER).unknown_profiles == ()
    claims = read_claims({"claims": {"profiles": ["Envelope", "pipeline"]}})
    assert claims.unknown_profiles == (("Envelope", "envelope"), ("pipeline", None))


def test_nothing_claimed_is_nothing():
    """An answer without claims claims nothing."""
    assert read_claims({}) == Claims()
    assert Claims().abort_grace_ms == 0


@pytest.mark.parametrize(
    ("claims", "words"),
    [
        ({"features": ["retry"], "postures": {"abortGraceMs": 1}}, {"retry", "abortGraceMs"}),
        ({"features": ["retry"], "postures": {"abortGraceMs": 0}}, {"retry"}),
        ({"features": ["retry", "abortGraceMs"]}, {"retry"}),
    ],
    ids=["it waits", "it does not", "no feature is a posture"],
)
def test_a_wait_that_is_claimed_is_a_word_of_the_claims(claims: dict[str, Any], words: set[str]) -> None:
    """Reports and statements have it beside the features; a wait of 0 ms claims nothing."""
    assert read_claims({"claims": claims}).words == words


def test_the_features_are_those_of_the_chapter():
    """The table of the chapter is the law; the code names the same features in the same order."""
    table = CHAPTER.read_text(encoding="utf-8").split("| feature |")[1].split("\n\n")[0]
    assert tuple(re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE)) == FEATURES


def test_a_confirmation_without_events_counts_as_not_claimed():
    """A decision has to name an id that only an event gives, so without events nobody could decide."""
    claims = read_claims({"claims": {"features": ["retry", "confirmation"]}})
    assert (claims.features, claims.unfounded) == (("retry",), ("confirmation",))
    assert read_claims({"claims": {"features": ["events", "confirmation"]}}).unfounded == ()
