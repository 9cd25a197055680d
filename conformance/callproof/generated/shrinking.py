"""A failing case made small, until no part can be left out without the failure going away."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from callproof.generated.reductions import Path, in_two_steps, plainer, smaller
from callproof.live.case import Case
from callproof.replay.codec import to_json

# A case of the usual size needs about two hundred runs; a report has to come in bounded time.
MOST_RUNS = 600

Fails = Callable[[Case], bool]
_Offers = Callable[[Case, frozenset[Path]], Iterator[tuple[Path, Case]]]


def made_small(case: Case, fails: Fails, most_runs: int = MOST_RUNS) -> Case:
    """
    The smallest case that still fails and can be made from this one by leaving out parts and making values plain; with
    two steps, if two are enough.

    ``fails`` runs a case and says whether the same requirement is broken.  It is called at most ``most_runs`` times.
    """
    search = _Search(fails, most_runs)
    while True:
        before = case
        for offers in (smaller, plainer, in_two_steps):
            case = search.exhausted(case, offers)
        if case == before or search.spent:
            return case


class _Search:
    """How many runs are left, and the cases that were tried."""

    def __init__(self, fails: Fails, left: int) -> None:
        self._fails = fails
        self._left = left
        self._known: set[str] = set()

    @property
    def spent(self) -> bool:
        """Whether no more runs are permitted."""
        return self._left <= 0

    def exhausted(self, case: Case, offers: _Offers) -> Case:
        """The smallest case found when every offer was tried on this one and on each smaller case that still fails."""
        tried: set[Path] = set()
        found: Case | None = case
        while found is not None and not self.spent:
            case, found = found, None
            for path, each in offers(case, frozenset(tried)):
                tried.add(path)
                if self._still_fails(each):
                    found = each
                    break
        return case if found is None else found

    def _still_fails(self, case: Case) -> bool:
        text = json.dumps(to_json(case), sort_keys=True)
        if self.spent or text in self._known:
            return False
        self._known.add(text)
        self._left -= 1
        return self._fails(case)
