"""The failures of logs held against a baseline, one by one, in memory that does not grow with how many there are.

A report keeps only the first findings of a law.  A baseline has to know of all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from callproof.judge.baseline import ANY, Baseline, Entry, Failure, expired, gone, names, told, unheard_of
from callproof.spec.registry import Specification


class Held:
    """What a baseline lists of the runs of some logs, and what it does not; ``spec`` is what they are judged by."""

    def __init__(self, baseline: Baseline, spec: Specification | None = None) -> None:
        self._baseline = baseline
        self._spec = spec
        self._by_law: dict[str, list[Entry]] = {}
        for entry in (*baseline.entries, *baseline.expired):
            self._by_law.setdefault(entry.failure.requirement, []).append(entry)
        self._expired = frozenset(baseline.expired)
        self._without_run = set(baseline.entries)
        self._listing: set[Entry] = set()
        # What else was said of the law of an entry in one of its runs.
        self._others: dict[Entry, dict[str, None]] = {}
        self._new: set[Failure] = set()
        self._unlisted: Counter[str] = Counter()
        self._overdue: Counter[str] = Counter()
        self._whole = True

    def met(self, run: str) -> None:
        """There is such a run."""
        self._without_run -= {each for each in self._without_run if names(each.failure.place, run)}

    def unread(self) -> None:
        """Something was not read, and may hold whatever an entry lists: from now on none is gone."""
        self._whole = False

    def failed(self, failure: Failure) -> None:
        """A run broke a binding law."""
        near = [each for each in self._by_law.get(failure.requirement, ()) if names(each.failure.place, failure.place)]
        listing = [each for each in near if each.failure.message == failure.message]
        self._listing.update(listing)
        for each in near:
            self._others.setdefault(each, {})[failure.message] = None
        if not listing:
            self._new.add(failure if self._is_overdue_elsewhere(failure) else replace(failure, place=ANY))
            self._unlisted[failure.requirement] += 1
        elif self._expired.issuperset(listing):
            self._overdue[failure.requirement] += 1

    @property
    def unlisted(self) -> Mapping[str, int]:
        """By requirement, how many failures no entry lists that counts."""
        return self._unlisted + self._overdue

    @property
    def overdue(self) -> Mapping[str, int]:
        """Those among them that an update does not change, since their entry is over."""
        return self._overdue

    def stale(self, judged: Collection[str]) -> tuple[str, ...]:
        """
        The entries that list nothing and those whose day is over, each with what to do.

        ``judged`` are the requirements that were not left out.
        """
        found = ((each, self._why(each, judged)) for each in (*self._baseline.entries, *self._baseline.expired))
        return tuple(told(each, why) for each, why in found if why)

    def updated(self, binding: Collection[str]) -> Baseline:
        """
        A baseline of these failures, in order; an entry that lists one of them stays as it is.

        So does one of a law that is not ``binding``, as advice is without ``strict``: nobody asked whether it fails.
        What is new is written down for any run, and a person may say for which; but for one run by its name where
        an entry of other runs is over, which would else be let off for ever.  Every entry stays where something was
        not read.
        """
        staying = self._listing if self._whole else {*self._baseline.entries, *self._baseline.expired}
        unasked = self._baseline.unasked(binding, self._spec)
        return self._baseline.with_entries(staying | unasked | {Entry(each, "") for each in self._new})

    def _is_overdue_elsewhere(self, failure: Failure) -> bool:
        near = self._by_law.get(failure.requirement, ())
        return any(each in self._expired and each.failure.message == failure.message for each in near)

    def _why(self, entry: Entry, judged: Collection[str]) -> str | None:
        if entry.failure.requirement not in judged:
            return unheard_of(entry, self._spec)
        if entry in self._expired:
            return expired(entry)
        if not self._whole:
            return None
        if entry in self._without_run:
            return f"no run of these logs is called {entry.failure.place!r}; remove the entry"
        return None if entry in self._listing else gone(tuple(self._others.get(entry, ())))
