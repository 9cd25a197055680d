"""Generated cases had with a system: those that broke something are made small, one for each way of breaking it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Generic, TypeAlias

from callproof.driven.hearing import Hearing
from callproof.driven.reducing import smallest
from callproof.driven.session import Played, Session
from callproof.driven.suite import C
from callproof.judge.baseline import class_of
from callproof.judge.judging import Results

# A system that fails in so many cases is known well enough by them.
_ENOUGH: Final = 8
# A requirement, and what was said of it without values.
_Break: TypeAlias = tuple[str, str]


@dataclass(slots=True)
class Generating(Generic[C]):
    """So many cases of a seed; what breaks a requirement in a new way is made small, and told instead."""

    session: Session[C]
    hearing: Hearing[C]
    seed: int
    count: int
    _known: set[_Break] = field(default_factory=set[_Break])

    def played(self) -> Iterator[Played[C]]:
        """
        The cases one after the other, each as it is to be judged; fewer where the system fails in too many.

        Advice and what a baseline lists is no such failure: with that, all of them are had.
        """
        failed = 0
        for number in range(1, self.count + 1):
            if failed == _ENOUGH:
                self.hearing.leave(self.count + 1 - number)
                return
            played = self.session.play(self.session.suite.generated(self.seed, number, self.session.claims.features))
            results = self._look(played)
            failed += played.error is not None or self.hearing.fails(results)
            new = _breaks(results) - self._known
            yield self._small(played, new) if new else played
            self._known |= new

    def _small(self, played: Played[C], new: frozenset[_Break]) -> Played[C]:
        """The smallest case that breaks all that is new; the one that there was, where no smaller one does."""
        best = played

        def shows(case: C) -> bool:
            nonlocal best
            again = self.session.play(case)
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
