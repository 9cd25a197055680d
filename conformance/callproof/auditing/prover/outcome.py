"""From the bits that a run has set to what an audit says of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from callproof.auditing.prover.coverage import EXERCISED
from callproof.checks.check import Check
from callproof.judge.judging import checks_by_requirement
from callproof.spec.registry import specification

# Evidence that a captured log never holds; a run that is proved holds all other kinds.
LIVE_EVIDENCE = frozenset({"deeds", "world", "audit log", "other runs"})
_NOTHING_MET = "anything that this law is about"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the checks would say: ``kept`` are the requirements held and kept, ``missing`` why others stay undecided."""

    kept: frozenset[str]
    missing: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=128)  # most runs meet a set of their own, and an outcome takes eight kilobytes
def outcome_for(met: int, left_out: frozenset[str]) -> Outcome:
    """The outcome of a run that keeps every law, and in which just these features were met."""
    kept = frozenset(name for name, mask in EXERCISED.items() if met & mask and name not in left_out)
    undecided = {name: words for name, words in _undecided().items() if name not in kept and name not in left_out}
    return Outcome(kept, undecided)


@cache
def _undecided() -> Mapping[str, tuple[str, ...]]:
    """What is missing for each requirement in a captured run that holds nothing which it is about."""
    checks = checks_by_requirement()
    wanted = (each for each in specification().requirements.values() if each.excluded is None)
    return {each.id: _missing(checks.get(each.id, ())) for each in wanted}


def _missing(checks: Iterable[Check[object]]) -> tuple[str, ...]:
    words: dict[str, None] = {}
    for check in checks:
        lacking = tuple(name for name in check.needs if name in LIVE_EVIDENCE)
        words.update(dict.fromkeys(lacking or (_NOTHING_MET,)))
    return tuple(words) or ("a check",)
