"""Generated cases had with a loop: those that broke something are made small, one for each requirement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from callproof.loops.case import LoopCase
from callproof.loops.generated import generated
from callproof.loops.judged import Hearing, broken_in
from callproof.loops.reducing import smallest
from callproof.loops.session import LoopSession, Played

# A loop that breaks so many cases is known well enough by them.
_ENOUGH: Final = 8


@dataclass(slots=True)
class Generating:
    """So many cases of a seed; what a requirement is broken by first is made small, and told instead."""

    session: LoopSession
    hearing: Hearing
    seed: int
    count: int
    _known: set[str] = field(default_factory=set[str])

    def played(self) -> Iterator[Played]:
        """The cases one after the other, each as it is to be judged; fewer where too many break something."""
        broken = 0
        for number in range(1, self.count + 1):
            if broken == _ENOUGH:
                return
            played = self.session.play(generated(self.seed, number, self.session.claims.features))
            found = self._found(played)
            broken += bool(found or played.error)
            new = sorted(found - self._known)
            yield self._small(played, new[0]) if new else played
            self._known |= found

    def _small(self, played: Played, requirement: str) -> Played:
        """The smallest case that breaks a requirement; the one that there was, where no smaller one does."""
        best = played

        def shows(case: LoopCase) -> bool:
            nonlocal best
            again = self.session.play(case)
            if requirement in self._found(again):
                best = again
                return True
            return False

        smallest(played.case, shows)
        return best

    def _found(self, played: Played) -> frozenset[str]:
        return broken_in(self.hearing.look(played, frozenset(self.session.claims.features)))
