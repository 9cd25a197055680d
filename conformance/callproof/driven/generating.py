"""Generated cases had with a system: those that broke something are made small, one for each requirement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Generic

from callproof.driven.hearing import Hearing, broken_in
from callproof.driven.reducing import smallest
from callproof.driven.session import Played, Session
from callproof.driven.suite import C

# A system that breaks so many cases is known well enough by them.
_ENOUGH: Final = 8


@dataclass(slots=True)
class Generating(Generic[C]):
    """So many cases of a seed; what a requirement is broken by first is made small, and told instead."""

    session: Session[C]
    hearing: Hearing[C]
    seed: int
    count: int
    _known: set[str] = field(default_factory=set[str])

    def played(self) -> Iterator[Played[C]]:
        """The cases one after the other, each as it is to be judged; fewer where too many break something."""
        broken = 0
        for number in range(1, self.count + 1):
            if broken == _ENOUGH:
                return
            played = self.session.play(self.session.suite.generated(self.seed, number, self.session.claims.features))
            found = self._found(played)
            broken += bool(found or played.error)
            new = sorted(found - self._known)
            yield self._small(played, new[0]) if new else played
            self._known |= found

    def _small(self, played: Played[C], requirement: str) -> Played[C]:
        """The smallest case that breaks a requirement; the one that there was, where no smaller one does."""
        best = played

        def shows(case: C) -> bool:
            nonlocal best
            again = self.session.play(case)
            if requirement in self._found(again):
                best = again
                return True
            return False

        smallest(played.case, self.session.suite.smaller, shows)
        return best

    def _found(self, played: Played[C]) -> frozenset[str]:
        return broken_in(self.hearing.look(played, frozenset(self.session.claims.features)))
