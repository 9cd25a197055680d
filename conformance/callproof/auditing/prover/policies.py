"""The policy of a run, prepared for proofs, and what it says of paths.  Remembered by its bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from callproof import limits
from callproof.auditing.prover import features as f
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.checks.policy_limits import unreadable_rules
from callproof.checks.policy_paths import breach_of_root, sandbox_of
from callproof.trace.plan import Policy
from callproof.values.canonical import sha256_of
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import as_integer, depth, is_object
from callproof.values.vaultpaths import (
    Breach,
    Sandbox,
    breach,
    holds_a_pattern,
    is_innocent,
    is_plainly_inside,
    resembles_a_root,
)

_POLICIES_KEPT: Final = 64
_PATHS_KEPT: Final = 128  # for each policy
_LIMITS: Final = ("maxConcurrency", "maxAttempts", "maxTimeoutMs")
_KINDS: Final = {
    Breach.PARENT: f.PARENT_PATH,
    Breach.ABSOLUTE: f.ABSOLUTE_PATH,
    Breach.URI: f.URI_PATH,
    Breach.PATTERN: f.PATTERN_PATH,
    Breach.OUTSIDE: f.PATHS,
}


@dataclass(frozen=True, slots=True)
class PathFacts:
    """What a sandbox says of one path."""

    met: int
    breach: Breach | None
    innocent: bool
    lookalike: bool


@dataclass(frozen=True, slots=True)
class PolicyFacts:
    """What proofs need to know of a policy."""

    policy: Policy
    required: bool
    max_concurrency: int
    max_attempts: int | None
    max_timeout_ms: int | None
    denied: frozenset[str]
    sandbox: Sandbox | None
    hash: str
    paths: dict[str, PathFacts] = field(default_factory=dict[str, PathFacts], compare=False)

    # The paths whose facts are ``INSIDE``.
    inside: set[str] = field(default_factory=set[str], compare=False)

    def path(self, text: str) -> PathFacts:
        """What the sandbox says of a path; called only if there is a sandbox."""
        known = self.paths.get(text)
        if known is None:
            if len(self.paths) >= _PATHS_KEPT:
                self.paths.clear()
                self.inside.clear()
            known = self.paths[text] = _path_facts(text, self.sandbox or Sandbox())
            if known is INSIDE:
                self.inside.add(text)
        return known


_known: dict[bytes, PolicyFacts] = {}


def policy_facts(raw: bytes) -> PolicyFacts:
    """The policy with these bytes.  Raises Unproved if it cannot be used for proofs."""
    known = _known.get(raw)
    if known is None:
        if len(_known) >= _POLICIES_KEPT:
            _known.clear()
        known = _known[raw] = _policy_facts(raw)
    return known


def _policy_facts(raw: bytes) -> PolicyFacts:
    try:
        value = read_json(raw)
    except NotStrictJson as error:
        raise Unproved(error.reason) from None
    demand(is_object(value) and depth(value) < limits.NESTING // 2, "the policy is not an object, or deep")
    policy = Policy(value if is_object(value) else {})
    demand(is_dict(value) and _has_its_shape(value), "the policy has not its shape")
    sandbox = sandbox_of(policy)
    demand(sandbox is None or not any(breach_of_root(each, sandbox.roots) for each in sandbox.roots), "an odd root")
    return PolicyFacts(
        policy,
        policy.confirmations_required is True,
        policy.max_concurrency,
        policy.max_attempts,
        policy.max_timeout_ms,
        policy.denied_tools,
        sandbox,
        _hash(value),
    )


def _has_its_shape(value: dict[str, Json]) -> bool:
    """CALL-16, CONF-13, DEP-10, LOG-01 and POL-18."""
    limits = value.get("limits")
    if not isinstance(value.get("confirmationsRequired"), bool) or not is_object(value.get("sandbox")):
        return False
    if not is_object(limits) or any(True for _ in unreadable_rules(value)):
        return False
    return all((as_integer(limits[name]) or 0) >= 1 for name in _LIMITS if name in limits)


def _hash(value: Json) -> str:
    try:
        return sha256_of(value)
    except ValueError:
        raise Unproved("no hash can be taken of the policy") from None


# The facts of a path that is plainly inside.
INSIDE: Final = PathFacts(f.PATHS, None, innocent=True, lookalike=False)


def _path_facts(text: str, sandbox: Sandbox) -> PathFacts:
    if is_plainly_inside(text, sandbox):
        return INSIDE
    found = breach(text, sandbox)
    met = f.PATHS | (_KINDS[found] if found is not None else 0)
    if resembles_a_root(text, sandbox):
        met |= f.ROOT_LOOKALIKE
    return PathFacts(met, found, is_innocent(text, sandbox), holds_a_pattern(text, sandbox))
