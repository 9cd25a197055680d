"""What a system says about itself before any run: its name, and what it claims to support.

The claims are the only source of *inapplicable*.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from callproof.spec.profiles import PROFILES
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import as_integer, is_array, is_object

FEATURES = (
    "references",
    "foreach",
    "retry",
    "timeout",
    "cancellation",
    "confirmation",
    "concurrency",
    "events",
    "effects",
    "argsHash",
    "dataHash",
    "hooks",
    "files",
    "auditLog",
    "virtualClock",
)

# The posture of a system that waits for the last answer of a tool that it has aborted (A58).
ABORT_GRACE = "abortGraceMs"

# A decision has to name its confirmation, and an event tells which one that is.
NEEDED_BY: Mapping[str, str] = {"confirmation": "events"}


@dataclass(frozen=True, slots=True)
class Implementation:
    """The system's own name for itself, for reports; no verdict depends on it."""

    name: str
    version: str
    language: str
    homepage: str | None = None


@dataclass(frozen=True, slots=True)
class Claims:
    """Profiles, features and postures, as claimed in the answer to ``initialize``."""

    profiles: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    postures: Mapping[str, Json] | None = None
    # Claimed features that cannot be shown without another feature, which is not claimed: they count as not claimed.
    unfounded: tuple[str, ...] = ()

    def __contains__(self, feature: object) -> bool:
        """Whether the feature is claimed: ``"foreach" in claims``."""
        return feature in self.features

    @property
    def abort_grace_ms(self) -> int:
        """How long the system waits for a tool that it has aborted (A58)."""
        return as_integer((self.postures or {}).get(ABORT_GRACE)) or 0

    @property
    def words(self) -> frozenset[str]:
        """All claims as words: the features, and the name of the posture if the system waits at all."""
        waits = {ABORT_GRACE} if self.abort_grace_ms else set[str]()
        return frozenset(self.features).difference({ABORT_GRACE}) | waits

    @property
    def unknown_features(self) -> tuple[tuple[str, str | None], ...]:
        """Claimed features that do not exist, each with the nearest that does: a typo hides a claim."""
        return tuple((name, _nearest(name, FEATURES)) for name in self.features if name not in FEATURES)

    @property
    def unknown_profiles(self) -> tuple[tuple[str, str | None], ...]:
        """The same for profiles."""
        return tuple((name, _nearest(name, PROFILES)) for name in self.profiles if name not in PROFILES)


def read_claims(answer: Mapping[str, Json]) -> Claims:
    """The claims of an ``initialize`` answer that is valid against its shape."""
    claims = answer.get("claims")
    if not is_object(claims):
        return Claims()
    postures, features = claims.get("postures"), _names(claims.get("features"))
    unfounded = tuple(each for each in features if NEEDED_BY.get(each, each) not in features)
    return Claims(
        profiles=_names(claims.get("profiles")),
        features=tuple(each for each in features if each not in unfounded),
        postures=postures if is_object(postures) else None,
        unfounded=unfounded,
    )


def read_implementation(answer: Mapping[str, Json]) -> Implementation:
    """The implementation of an ``initialize`` answer that is valid against its shape."""
    told = answer.get("implementation")
    facts: Mapping[str, Json] = told if is_object(told) else {}
    homepage = facts.get("homepage")
    return Implementation(
        name=str(facts.get("name")),
        version=str(facts.get("version")),
        language=str(facts.get("language")),
        homepage=homepage if isinstance(homepage, str) else None,
    )


def _names(value: Json) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if is_array(value) else ()


def _nearest(name: str, names: Sequence[str]) -> str | None:
    return next(iter(difflib.get_close_matches(name, names, n=1)), None)
