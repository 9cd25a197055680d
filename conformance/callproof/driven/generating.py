"""Generated cases had with a system: those that broke something are made small, one for each requirement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic

from callproof.driven.hearing import Hearing, broken_in
from callproof.driven.reducing import smallest
from callproof.driven.session import Played, Session
from callproof.driven.suite import C
from callproof.values.parts import parts_of

# A system that breaks so many cases is known well enough by them.
_ENOUGH: Final = 8


@dataclass(slots=True)
class Generating(Generic[C]):
    """So many cases of a seed; what a requirement is first broken by in a part is made small, and told instead."""

    session: Session[C]
    hearing: Hearing[C]
    seed: int
    count: int

    def played(self) -> Iterator[Played[C]]:
        """The cases part by part, each as it is to be judged; fewer where too many break something."""
        broken = 0
        for places in parts_of(self.count).values():
            for played in self.part(places):
                yield played
                broken += self._is_bad(played)
                if broken == _ENOUGH:
                    return

    def part(self, places: Iterable[int]) -> Iterator[Played[C]]:
        """The cases at some places, which come to the same whatever the others come to."""
        known: set[str] = set()
        broken = 0
        for number in places:
            if broken == _ENOUGH:
                return
            played = self.session.play(self.session.suite.generated(self.seed, number, self.session.claims.features))
            found = self._found(played)
            broken += bool(found or played.error)
            new = found - known
            known |= found
            yield self._small(played, new) if new else played

    def _is_bad(self, played: Played[C]) -> bool:
        return bool(self._found(played) or played.error)

    def _small(self, played: Played[C], new: frozenset[str]) -> Played[C]:
        """The smallest case that breaks all these requirements; the one that there was, where no smaller one does."""
        best = played

        def shows(case: C) -> bool:
            nonlocal best
            again = self.session.play(case)
            if new <= self._found(again):
                best = again
                return True
            return False

        smallest(played.case, self.session.suite.smaller, shows)
        return best

    def _found(self, played: Played[C]) -> frozenset[str]:
        return broken_in(self.hearing.look(played, frozenset(self.session.claims.features)))
