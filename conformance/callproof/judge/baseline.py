"""Known failures: which findings a baseline lists, and which of its entries no longer list anything.

Does not know about files and clocks.  An entry means exactly one requirement, one place and one class of
message, and nothing similar.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from callproof.judge.judging import Located
from callproof.spec.registry import Specification, specification

_VALUE = "\u2026"
# In the ``place`` of an entry it stands for any text.
ANY = "*"
# What a finding quotes from a run: strings, objects, arrays, and every word with a digit in it.  A word is sought only
# from its beginning.
_STRING = r'"(?:[^"\\]|\\.)*"?|\'[^\']*\'|`[^`]*`'
_STRINGS = re.compile(_STRING, re.DOTALL)
_STRINGS_AND_OPENINGS = re.compile(rf"{_STRING}|[{{\[]", re.DOTALL)
_OPENINGS, _ENDINGS = "{[", f"}}]{_VALUE}"
_NUMBERED = re.compile(r"(?<![^\s,;:()\u2026])[^\s,;:()\u2026]*\d[^\s,;()\u2026]*")
# A file of a log may be compressed since: a failure at a place in it is the same one.
_PACKED = re.compile(r"(?<=\.jsonl)\.(?:gz|zst)(?=:)|(?<=\.json)\.(?:gz|zst)(?=:)")
_REPEATED = re.compile(r"\u2026(?:[\s,;:./+-]*(?:and )?\u2026)+")


@dataclass(frozen=True, slots=True, order=True)
class Failure:
    """
    What distinguishes one failure from another: the law, the place where it was broken, and the message without values.

    ``place`` is a scenario of a live run, or a run of a log.
    """

    requirement: str
    place: str
    message: str


@dataclass(frozen=True, slots=True)
class Entry:
    """
    One line of a baseline; an empty reason still has to be written.

    ``expires`` is the last day on which it counts, as ``2027-01-31``.  In a baseline of logs the place of the failure
    is a pattern of runs.
    """

    failure: Failure
    reason: str
    owner: str | None = None
    expires: str | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """How many cases were generated, and from which seed."""

    seed: int = 0
    cases: int = 0

    def within(self, other: Drawn) -> bool:
        """Whether ``other`` contains all of these cases: those of a seed are the same however many are drawn."""
        return self.seed == other.seed and self.cases <= other.cases


NOTHING_DRAWN = Drawn()


def names(pattern: str, place: str) -> bool:
    """Whether a pattern matches a place; ``*`` stands for any text, and everything else for itself."""
    first, *parts = pattern.split(ANY)
    if not parts:
        return first == place
    if not place.startswith(first):
        return False
    start = len(first)
    for part in parts[:-1]:
        found = place.find(part, start)
        if found < 0:
            return False
        start = found + len(part)
    return len(place) - len(parts[-1]) >= start and place.endswith(parts[-1])


def message_class(observed: str) -> str:
    """
    What was observed, with an ellipsis for every value: ``s3 was attempted 4 times`` is ``… was attempted … times``.

    Ids and times differ from run to run, and the entries of a baseline must still match.
    """
    bare = _without_values(observed)
    # A value that contained another one may be found only in the next pass: the class of a class must be itself.
    while (barer := _without_values(bare)) != bare:
        bare = barer
    return bare


def _without_values(text: str) -> str:
    bare = _NUMBERED.sub(_VALUE, _without_quoted(_PACKED.sub("", text)))
    return _REPEATED.sub(_VALUE, bare).strip() or _VALUE


def _without_quoted(text: str) -> str:
    """The text with an ellipsis for every string, and for all from the first bracket to the last closing one."""
    # Searched once: if it were searched for each bracket, a text of only brackets would take quadratic time.
    last = max(map(text.rfind, _ENDINGS))
    for found in _STRINGS_AND_OPENINGS.finditer(text):
        if found.group() in _OPENINGS and found.start() < last:
            before, behind = text[: found.start()], text[last + 1 :]
            return f"{_STRINGS.sub(_VALUE, before)}{_VALUE}{_STRINGS.sub(_VALUE, behind)}"
    return _STRINGS.sub(_VALUE, text)


def class_of(located: Located) -> str:
    """The class of a finding's message, which is the same whether values are shown or not."""
    return message_class(located.finding.observed) if located.bare is None else located.bare


def scenario_of(run: str) -> str:
    """The scenario to which a live run belongs: ``SC-07`` of ``SC-07/once``."""
    return run.partition("/")[0]


def failure_of(requirement: str, located: Located, *, in_log: bool = False) -> Failure:
    """The failure that a finding belongs to; in a log its place is a run, otherwise a scenario."""
    place = located.run if in_log else scenario_of(located.run)
    return Failure(requirement, place, class_of(located))


@dataclass(frozen=True)
class Baseline:
    """
    All entries of one file: those that count, those that have expired, and whether they are about runs in logs.

    ``drawn`` are the generated cases that some entries are about.
    """

    entries: tuple[Entry, ...] = ()
    expired: tuple[Entry, ...] = ()
    of_logs: bool = False
    drawn: Drawn = NOTHING_DRAWN

    def on(self, day: str) -> Baseline:
        """The same baseline on a day, as ``2027-01-31``: an entry counts until the end of its last day."""
        every = (*self.entries, *self.expired)
        over = tuple(each for each in every if each.expires is not None and each.expires < day)
        return replace(self, entries=tuple(each for each in every if each not in over), expired=over)

    def reason(self, requirement: str, located: Located) -> str | None:
        """Why a finding may stand for now; None if no entry lists it."""
        if not self.entries:
            return None
        failure = failure_of(requirement, located, in_log=self.of_logs)
        near = self._by_class.get((requirement, failure.message), ())
        return next((each.reason for each in near if self._means(each, failure.place)), None)

    def _means(self, entry: Entry, place: str) -> bool:
        # An entry names runs of logs by a pattern, and a scenario by its name.
        return names(entry.failure.place, place) if self.of_logs else entry.failure.place == place

    @cached_property
    def _by_class(self) -> Mapping[tuple[str, str], list[Entry]]:
        found: dict[tuple[str, str], list[Entry]] = {}
        for each in self.entries:
            found.setdefault((each.failure.requirement, each.failure.message), []).append(each)
        return found

    def stale(
        self, found: Collection[Failure], judged: Collection[tuple[str, str]], known: Collection[str]
    ) -> tuple[str, ...]:
        """
        The entries that list nothing and the expired ones, each with what to do.

        ``judged`` are the pairs of requirement and scenario that this session judged, ``known`` the scenarios that
        exist.  An entry that the session could not exercise is not stale.
        """
        why = ((each, _why_stale(each.failure, found, judged)) for each in self.entries)
        over = ((each, _why_over(each, judged)) for each in self.expired)
        reasons = ((each, unheard_of(each) or _nowhere(each, known) or reason) for each, reason in (*why, *over))
        return tuple(told(each, reason) for each, reason in reasons if reason)

    def updated(self, found: Iterable[Failure], binding: Collection[str]) -> Baseline:
        """
        A baseline of these failures, in order; an entry that lists one of them stays as it is.

        So does an entry on a law that is not ``binding``, such as advice without ``strict``: it may still fail.
        """
        written = {each.failure: each for each in (*self.entries, *self.expired)}
        listed = {written.get(each, Entry(each, "")) for each in found}
        return self.with_entries(listed | self.unasked(binding))

    def unasked(self, binding: Collection[str], spec: Specification | None = None) -> frozenset[Entry]:
        """The entries on laws that exist and are not among the ``binding`` ones."""
        every = (*self.entries, *self.expired)
        return frozenset(
            each for each in every if each.failure.requirement not in binding and unheard_of(each, spec) is None
        )

    def with_entries(self, every: Iterable[Entry]) -> Baseline:
        """A baseline of these entries on the same day, so the same of them are expired."""
        over = frozenset(self.expired)
        ordered = sorted(every, key=lambda each: each.failure)
        mine = tuple(each for each in ordered if each not in over)
        return replace(self, entries=mine, expired=tuple(each for each in ordered if each in over))


NO_BASELINE = Baseline()


def told(entry: Entry, why: str) -> str:
    """The text on an entry: what it lists, and why it may not stay as it is."""
    failure = entry.failure
    owner = "" if entry.owner is None else f" (owner: {entry.owner})"
    return f"{failure.requirement} in {failure.place}, {failure.message!r}{owner}: {why}"


def expired(entry: Entry) -> str:
    """The text on an entry that has expired."""
    return f"its last day was {entry.expires}; fix the failure, or agree on another day"


def unheard_of(entry: Entry, spec: Specification | None = None) -> str | None:
    """The text on an entry whose requirement no suite judges; None if there is such a requirement."""
    wanted, listed = entry.failure.requirement, (spec or specification()).requirements
    if wanted in listed and listed[wanted].excluded is None:
        return None
    known = [each.id for each in listed.values() if each.excluded is None]
    near = difflib.get_close_matches(wanted, known, n=1, cutoff=0.6)
    hint = f", such as {near[0]}" if near else ""
    return f"no requirement that can be judged is called {wanted!r}; name one{hint}, or remove the entry"


def gone(others: Iterable[str]) -> str:
    """The text on an entry that lists nothing; ``others`` are the other messages on its law in the same place."""
    if shown := ", ".join(map(repr, others)):
        return f"it fails in another way, with {shown}; look again, then change the entry"
    return "it does not fail any more; remove the entry"


def _nowhere(entry: Entry, known: Collection[str]) -> str | None:
    place = entry.failure.place
    return None if place in known else f"no scenario is called {place!r}; remove the entry"


def _why_over(entry: Entry, judged: Collection[tuple[str, str]]) -> str | None:
    return expired(entry) if (entry.failure.requirement, entry.failure.place) in judged else None


def _why_stale(failure: Failure, found: Collection[Failure], judged: Collection[tuple[str, str]]) -> str | None:
    if failure in found or (failure.requirement, failure.place) not in judged:
        return None
    same = (failure.requirement, failure.place)
    return gone(each.message for each in sorted(found) if (each.requirement, each.place) == same)
