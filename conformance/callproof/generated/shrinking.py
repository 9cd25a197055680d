"""A failing case made small: nothing is left in it that could be left out without the failure going away."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from callproof.generated.reductions import Path, in_two_steps, plainer, smaller
from callproof.live.case import Case
from callproof.replay.codec import to_json

# A case of the usual size needs some two hundred runs; a report is to come in bounded time.
MOST_RUNS = 600

Fails = Callable[[Case], bool]
_Offers = Callable[[Case, frozenset[Path]], Iterator[tuple[Path, Case]]]


def made_small(case: Case, fails: Fails, most_runs: int = MOST_RUNS) -> Case:
    """
    The smallest case to be had from this one, by leaving out and by making plain, that still fails; in two steps,
    where two are enough.

    ``fails`` has a run of a case and says whether the same requirement is broken.  At most so many runs are had.
    """
    search = _Search(fails, most_runs)
    while True:
        before = case
        for offers in (smaller, plainer, in_two_steps):
            case = search.exhausted(case, offers)
        if case == before or search.spent:
            return case


class _Search:
    """The runs that were had so far, and what they taught."""

    def __init__(self, fails: Fails, left: int) -> None:
        self._fails = fails
        self._left = left
        self._known: set[str] = set()

    @property
    def spent(self) -> bool:
        """Whether no more runs may be had."""
        return self._left <= 0

    def exhausted(self, case: Case, offers: _Offers) -> Case:
        """The case after every offer was tried on it, and on what came of it."""
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
