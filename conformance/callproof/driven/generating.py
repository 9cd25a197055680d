"""Generated cases played with a system: failing ones are made small, one for each way of breaking a law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias

from callproof.driven.hearing import Hearing
from callproof.driven.reducing import smallest
from callproof.driven.session import HOPE, Played, Session
from callproof.driven.suite import C
from callproof.judge.baseline import class_of
from callproof.judge.judging import Results
from callproof.values.parts import parts_of

# After so many failing cases, more of them show nothing new about the system.
_ENOUGH: Final = 8
# A requirement, and what a finding says about it without values.
_Break: TypeAlias = tuple[str, str]


@dataclass(slots=True)
class Generating(Generic[C]):
    """The generated cases of a seed; the first of a part that breaks a law in a new way is replaced by a small one."""

    session: Session[C]
    hearing: Hearing[C]
    seed: int
    count: int

    def played(self) -> Iterator[Played[C]]:
        """
        The cases part by part, each as it is to be judged; fewer if the system fails in too many.

        Advice and what a baseline lists are no such failures: they do not make the cases fewer.
        """
        had = failed = 0
        for places in parts_of(self.count).values():
            for played, fails in self._had(places):
                yield played
                had, failed = had + 1, failed + fails
                if failed == _ENOUGH:
                    self.hearing.leave(self.count - had)
                    return

    def part(self, places: Iterable[int]) -> Iterator[Played[C]]:
        """The cases of one part, whose results do not depend on the other parts; fewer if too many fail."""
        failed = 0
        for played, fails in self._had(places):
            yield played
            failed += fails
            if failed == _ENOUGH:
                return

    def _had(self, places: Iterable[int]) -> Iterator[tuple[Played[C], bool]]:
        """The cases at some places, each as it is to be judged, and whether the system failed in it."""
        known: set[_Break] = set()
        for number in places:
            played = self.session.play(self.session.suite.generated(self.seed, number, self.session.claims.features))
            results = self._look(played)
            fails = played.error is not None or self.hearing.fails(results)
            new = _breaks(results) - known
            known |= new
            yield self._small(played, new) if new else played, fails

    def _small(self, played: Played[C], new: frozenset[_Break]) -> Played[C]:
        """The smallest case that breaks everything in ``new``; the original case if no smaller one does."""
        best = played
        hopeless = 0

        def shows(case: C) -> bool:
            nonlocal best, hopeless
            if hopeless == HOPE:  # each may have cost the whole patience
                return False
            again = self.session.play(case, is_trial=True)
            hopeless += again.endless or again.error is not None
            if new <= _breaks(self._look(again)):
                best = again
                return True
            return False

        smallest(played.case, self.session.suite.smaller, shows)
        return best

    def _look(self, played: Played[C]) -> Results:
        return self.hearing.look(played, frozenset(self.session.claims.features))


def _breaks(results: Results) -> frozenset[_Break]:
    return frozenset((name, class_of(found)) for name, each in results.items() for found in each.findings)
