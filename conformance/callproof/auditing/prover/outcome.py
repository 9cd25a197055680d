"""From the bits that a run has set to what an audit says of it, worked out when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from callproof.auditing.prover.coverage import EXERCISED
from callproof.checks.check import Check
from callproof.judge.judging import checks_by_requirement
from callproof.spec.registry import specification

# Evidence that a captured log never holds; a run that is proved holds all other kinds.
LIVE_EVIDENCE = frozenset({"deeds", "world", "audit log", "other runs"})
_NOTHING_MET = "anything that this law is about"

# What was met in a run, and the ids of requirements that are not judged.
Met = tuple[int, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the checks would say: ``kept`` are the requirements held and kept, ``missing`` why others stay undecided."""

    kept: frozenset[str]
    missing: Mapping[str, tuple[str, ...]]


class LawsKept(Set[str]):
    """The requirements that a proved run was held against.  It equals the set of them, and takes a word of memory."""

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
    """Why the other requirements stay undecided.  It equals the dict of that."""

    __slots__ = ("met",)

    def __init__(self, met: Met) -> None:
        self.met = met

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return outcome_for(self.met).missing[name]

    def __iter__(self) -> Iterator[str]:
        return iter(outcome_for(self.met).missing)

    def __len__(self) -> int:
        return len(outcome_for(self.met).missing)


@lru_cache(maxsize=16)  # most runs meet a set of their own, and an outcome takes eight kilobytes
def outcome_for(met: Met) -> Outcome:
    """The outcome of a run that keeps every law, and in which just these features were met."""
    bits, left_out = met
    kept = frozenset(name for name, mask in EXERCISED.items() if bits & mask and name not in left_out)
    undecided = {name: words for name, words in _undecided().items() if name not in kept and name not in left_out}
    return Outcome(kept, undecided)


def counted(runs: Mapping[Met, int]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Of each law that is judged: how many of these runs were held against it, and what the others lack, if any."""
    judged: dict[frozenset[str], list[tuple[int, int]]] = {}
    for (bits, left_out), count in runs.items():
        judged.setdefault(left_out, []).append((bits, count))
    for left_out, counts in judged.items():
        runs_in_all = sum(count for _, count in counts)
        by_mask: dict[int, int] = {0: 0}
        for name, words in _undecided().items():
            mask = EXERCISED.get(name, 0)
            if mask not in by_mask:
                by_mask[mask] = sum([count for bits, count in counts if bits & mask])
            if name not in left_out:
                yield name, by_mask[mask], words if by_mask[mask] < runs_in_all else ()


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
