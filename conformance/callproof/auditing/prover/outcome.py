"""Derives what an audit says of a run from the bits that the run has set, at the moment when it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from callproof.auditing.prover import features as f
from callproof.auditing.prover.coverage import EXERCISED, EXERCISED_WITHOUT_EVENTS, UNKNOWN_WITHOUT_EVENTS
from callproof.checks.check import Check
from callproof.judge.judging import checks_by_requirement, without_subject
from callproof.spec.registry import specification

# Evidence that a captured log never holds.  A run that is proved holds all other kinds, or all but events.
LIVE_EVIDENCE = frozenset({"deeds", "world", "audit log", "other runs"})

# What was met in a run, and the ids of requirements that are not judged.
Met = tuple[int, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the checks would say: ``kept`` are the requirements exercised and kept, ``missing`` is what others lack."""

    kept: frozenset[str]
    missing: Mapping[str, tuple[str, ...]]


class LawsKept(Set[str]):
    """The requirements that a proved run exercised.  It equals the set of them, and needs one word of memory."""

    __slots__ = ("met",)

    def __init__(self, met: Met) -> None:
        self.met = met

    def __contains__(self, name: object) -> bool:
        return name in outcome_for(self.met).kept

    def __iter__(self) -> Iterator[str]:
        return iter(outcome_for(self.met).kept)

    def __len__(self) -> int:
        return len(outcome_for(self.met).kept)

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> frozenset[Any]:
        return frozenset(it)


class LawsUndecided(Mapping[str, tuple[str, ...]]):
    """What the other, undecided requirements lack.  It equals the dict of that."""

    __slots__ = ("met",)

    def __init__(self, met: Met) -> None:
        self.met = met

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return outcome_for(self.met).missing[name]

    def __iter__(self) -> Iterator[str]:
        return iter(outcome_for(self.met).missing)

    def __len__(self) -> int:
        return len(outcome_for(self.met).missing)


@lru_cache(maxsize=16)  # most runs meet their own set of features, and an outcome takes eight kilobytes
def outcome_for(met: Met) -> Outcome:
    """The outcome of a run that keeps every law, and in which exactly these features were met."""
    bits, left_out = met
    lacking = _lacking(bits)
    kept = frozenset(name for name, mask in _exercised(lacking).items() if bits & mask and name not in left_out)
    wanted = _undecided(lacking).items()
    return Outcome(kept, {name: words for name, words in wanted if name not in kept and name not in left_out})


def counted(runs: Mapping[Met, int]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """For each judged law: how many of these runs exercised it, and what the other runs lack, if there are any."""
    judged: dict[tuple[frozenset[str], frozenset[str]], list[tuple[int, int]]] = {}
    for (bits, left_out), count in runs.items():
        judged.setdefault((_lacking(bits), left_out), []).append((bits, count))
    for (lacking, left_out), counts in judged.items():
        exercised = _exercised(lacking)
        runs_in_all = sum(count for _, count in counts)
        by_mask: dict[int, int] = {0: 0}
        for name, words in _undecided(lacking).items():
            mask = exercised.get(name, 0)
            if mask not in by_mask:
                by_mask[mask] = sum([count for bits, count in counts if bits & mask])
            if name not in left_out:
                yield name, by_mask[mask], words if by_mask[mask] < runs_in_all else ()


_NO_EVENTS: Final = LIVE_EVIDENCE | {"events"}


def _lacking(bits: int) -> frozenset[str]:
    """The kinds of evidence that a run does not hold."""
    return _NO_EVENTS if bits & f.WITHOUT_EVENTS else LIVE_EVIDENCE


@cache
def _exercised(lacking: frozenset[str]) -> Mapping[str, int]:
    """The features that exercise each requirement in a run without these kinds of evidence."""
    if "events" not in lacking:
        return EXERCISED
    checks = checks_by_requirement()
    held = (name for name in EXERCISED if any(lacking.isdisjoint(each.needs) for each in checks.get(name, ())))
    known = {name: EXERCISED[name] for name in held if name not in UNKNOWN_WITHOUT_EVENTS}
    return {**known, **EXERCISED_WITHOUT_EVENTS}


@cache
def _undecided(lacking: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    """What is missing for each requirement in a captured run that has no subject for it."""
    checks = checks_by_requirement()
    wanted = (each for each in specification().requirements.values() if each.excluded is None)
    return {each.id: _missing(checks.get(each.id, ()), lacking) for each in wanted}


def _missing(checks: Iterable[Check[object]], lacking: frozenset[str]) -> tuple[str, ...]:
    words: dict[str, None] = {}
    for check in checks:
        needed = tuple(name for name in check.needs if name in lacking)
        words.update(dict.fromkeys(needed or without_subject(check)))
    return tuple(words) or ("a check",)
