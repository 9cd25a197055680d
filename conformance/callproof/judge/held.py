"""The failures of logs compared with a baseline one by one, in memory that does not grow with their number.

A report keeps only the first findings of a law.  A baseline needs all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from callproof.judge.baseline import ANY, Baseline, Entry, Failure, expired, gone, names, told, unheard_of
from callproof.spec.registry import Specification


class Held:
    """Which failures of some logs a baseline lists, and which not; ``spec`` is what the logs are judged by."""

    def __init__(self, baseline: Baseline, spec: Specification | None = None) -> None:
        self._baseline = baseline
        self._spec = spec
        self._by_law: dict[str, list[Entry]] = {}
        for entry in (*baseline.entries, *baseline.expired):
            self._by_law.setdefault(entry.failure.requirement, []).append(entry)
        self._expired = frozenset(baseline.expired)
        self._without_run = set(baseline.entries)
        self._listing: set[Entry] = set()
        # By entry, every message on its law in a run that it names.
        self._others: dict[Entry, dict[str, None]] = {}
        self._new: set[Failure] = set()
        self._unlisted: Counter[str] = Counter()
        self._overdue: Counter[str] = Counter()
        self._whole = True

    def met(self, run: str) -> None:
        """Note that a run of this name exists."""
        self._without_run -= {each for each in self._without_run if names(each.failure.place, run)}

    def unread(self) -> None:
        """Note that something was not read.  It may hold what any entry lists, so from now on no entry is gone."""
        self._whole = False

    def failed(self, failure: Failure) -> None:
        """Note that a run broke a binding law."""
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
        """By requirement, how many failures are listed by no entry that counts."""
        return self._unlisted + self._overdue

    @property
    def overdue(self) -> Mapping[str, int]:
        """How many of them an update does not change, since an expired entry lists them."""
        return self._overdue

    def stale(self, judged: Collection[str]) -> tuple[str, ...]:
        """
        The entries that list nothing and the expired ones, each with what to do.

        ``judged`` are the requirements that were not left out.
        """
        found = ((each, self._why(each, judged)) for each in (*self._baseline.entries, *self._baseline.expired))
        return tuple(told(each, why) for each, why in found if why)

    def updated(self, binding: Collection[str]) -> Baseline:
        """
        A baseline of these failures, in order; an entry that lists one of them stays as it is.

        So does an entry on a law that is not ``binding``, such as advice without ``strict``: it may still fail.
        A new entry is for any run, and a person may narrow it.  But if an entry on the same failure in other runs has
        expired, the new one names its run: otherwise it would excuse those runs too, for ever.  Every entry stays if
        something was not read.
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
