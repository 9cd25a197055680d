"""Which cases of a live suite a command plays, by the names that it was given."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from callproof import limits
from callproof.commands.usage import WrongUsage
from callproof.driven.generating import Generating
from callproof.driven.hearing import Hearing
from callproof.driven.session import Played, Session
from callproof.driven.suite import GENERATED, C, Suite

# The name of a generated case: its number, or, as in a report, its seed before the number.
_NAMED: Final = re.compile(rf"{GENERATED}/(?:([0-9]{{1,19}})-)?([0-9]{{1,9}})")
_ALL_GENERATED: Final = (GENERATED, f"{GENERATED}/")


@dataclass(frozen=True, slots=True)
class Chosen(Generic[C]):
    """Written cases, the first ``count`` of those that the ``seed`` makes, and some by their seed and number."""

    written: tuple[C, ...]
    seed: int
    count: int
    named: tuple[tuple[int, int], ...] = ()

    @property
    def expected(self) -> int:
        """How many cases these are."""
        return len(self.written) + self.count + len(self.named)

    def generated(self, session: Session[C], hearing: Hearing[C]) -> Iterator[Played[C]]:
        """The generated cases, played with a system; each of the named ones is made small separately."""
        for seed, number in self.named:
            yield from Generating(session, hearing, seed, 1).part((number,))
        yield from Generating(session, hearing, self.seed, self.count).played()


def chosen(suite: Suite[C], names: Sequence[str], seed: int, count: int) -> Chosen[C]:
    """
    The cases of some names; each name is that of a case, or the beginning of several.  Without names, all cases.

    Generated cases of this ``seed``, ``count`` in all, are named by their number; GEN is the beginning of them all.
    Raises WrongUsage for a name of no case, with the nearest.
    """
    if not names:
        return Chosen(suite.cases, seed, count)
    written = [name for name in names if not name.startswith(GENERATED)]
    for name in written:
        if not any(case.id.startswith(name) for case in suite.cases):
            _refuse(suite, name)
    first = count if any(name in _ALL_GENERATED for name in names) else 0
    made = [_made(name, seed) for name in names if name.startswith(GENERATED) and name not in _ALL_GENERATED]
    named = (each for each in dict.fromkeys(made) if each[0] != seed or each[1] > first)
    cases = tuple(case for case in suite.cases if any(case.id.startswith(name) for name in written))
    return Chosen(cases, seed, first, tuple(named))


def _refuse(suite: Suite[C], name: str) -> None:
    ids = [case.id for case in suite.cases]
    nearest = difflib.get_close_matches(name, ids, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]}?" if nearest else f"the first is {ids[0]}, the last {ids[-1]}"
    raise WrongUsage(f"--case {name} is not a case; {hint}")


def _made(name: str, seed: int) -> tuple[int, int]:
    """The seed and the number of a generated case."""
    told = _NAMED.fullmatch(name)
    if told is not None:
        found = seed if told[1] is None else int(told[1]), int(told[2])
        if found[0] <= limits.SEED and 1 <= found[1] <= limits.GENERATED_SYSTEM_CASES:
            return found
    numbers = f"{GENERATED}/1 to {GENERATED}/{limits.GENERATED_SYSTEM_CASES}"
    others = (
        f"with a seed from 0 to {limits.SEED} before the number as in {GENERATED}/7-1, or {GENERATED} for all of them"
    )
    raise WrongUsage(f"--case {name} is not a case; generated cases are {numbers}, {others}")
