"""Known failures: which findings a baseline lists, and which of its entries list nothing any more.

Knows nothing of files.  An entry means one requirement, one scenario and one class of
message, and nothing near it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from callproof.judge.judging import Located

_VALUE = "\u2026"
# What a finding quotes of a run: strings, objects, arrays, and every word with a digit in it.
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?|\'[^\']*\'|`[^`]*`|[{\[].*[}\]\u2026]', re.DOTALL)
_NUMBERED = re.compile(r"[^\s,;:()\u2026]*\d[^\s,;()\u2026]*")
_REPEATED = re.compile(r"\u2026(?:[\s,;:./+-]*(?:and )?\u2026)+")


class Failure(NamedTuple):
    """What tells one failure from another: the law, where it was provoked, and what was said without values."""

    requirement: str
    scenario: str
    message: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a baseline; an empty reason is one that still has to be written."""

    failure: Failure
    reason: str


def message_class(observed: str) -> str:
    """
    What was observed, with an ellipsis for every value: ``s3 was attempted 4 times`` is ``… was attempted … times``.

    Ids and times differ from run to run, and a list of known failures has to survive that.
    """
    bare = _without_values(observed)
    # What stood inside a value may have hidden the value around it: a class is the class of itself.
    while (barer := _without_values(bare)) != bare:
        bare = barer
    return bare


def _without_values(text: str) -> str:
    bare = _NUMBERED.sub(_VALUE, _QUOTED.sub(_VALUE, text))
    return _REPEATED.sub(_VALUE, bare).strip() or _VALUE


def scenario_of(run: str) -> str:
    """The scenario to which a live run belongs: ``SC-07`` of ``SC-07/once``."""
    return run.partition("/")[0]


def failure_of(requirement: str, located: Located) -> Failure:
    """The failure that a finding is one of."""
    return Failure(requirement, scenario_of(located.run), message_class(located.finding.observed))


@dataclass(frozen=True)
class Baseline:
    """All entries of one file."""

    entries: tuple[Entry, ...] = ()

    @cached_property
    def _reasons(self) -> Mapping[Failure, str]:
        return {entry.failure: entry.reason for entry in self.entries}

    def reason(self, requirement: str, located: Located) -> str | None:
        """Why a finding may stand for now; None where no entry lists it."""
        return self._reasons.get(failure_of(requirement, located)) if self.entries else None

    def stale(
        self, found: Collection[Failure], judged: Collection[tuple[str, str]], known: Collection[str]
    ) -> tuple[str, ...]:
        """
        The entries that list nothing, each with what to do.

        ``judged`` are the pairs of requirement and scenario that this session judged, ``known`` the scenarios that
        there are: an entry whose scenario was left out of the session is neither here nor there.
        """
        return tuple(told for each in self.entries if (told := _stale(each.failure, found, judged, known)))

    def updated(self, found: Iterable[Failure]) -> Baseline:
        """A baseline of exactly these failures, in order; a reason that was written stays."""
        return Baseline(tuple(Entry(each, self._reasons.get(each, "")) for each in sorted(set(found))))


NO_BASELINE = Baseline()


def _stale(
    failure: Failure, found: Collection[Failure], judged: Collection[tuple[str, str]], known: Collection[str]
) -> str | None:
    if failure in found:
        return None
    named = f"{failure.requirement} in {failure.scenario}, {failure.message!r}"
    if failure.scenario not in known:
        return f"{named}: no scenario is called {failure.scenario!r}; remove the entry"
    if (failure.requirement, failure.scenario) not in judged:
        return None
    others = [each.message for each in sorted(found) if each[:2] == failure[:2]]
    if others:
        return f"{named}: it fails otherwise, with {', '.join(map(repr, others))}; look again, then change the entry"
    return f"{named}: it does not fail any more; remove the entry"
