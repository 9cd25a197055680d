"""What the history of a log says about a path: what earlier calls of the run are known to have left behind there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TypeAlias

from callproof.checks.changes import (
    MOVING,
    Change,
    Fate,
    Folders,
    changes_by_attempt,
    is_the_hosts_word,
)
from callproof.checks.etags import etag_in_data
from callproof.checks.silence import ALWAYS, NEVER, finest_stamp, silence, silent_since, span_of
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run

# Beginning and end of a call in nanoseconds, and which call it is.
_Span: TypeAlias = "tuple[int, int, int]"


@dataclass(frozen=True, slots=True)
class Known:
    """What an earlier call left behind at a path: its kind (None if nothing is there), and its etag if known."""

    kind: str | None
    etag: str | None
    result: Record
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class Told:
    """One change of one call, with what was certainly known of its path when the call began."""

    attempt: Attempt
    result: Record
    change: Change
    known: Known | None


@dataclass(slots=True)
class _Ledger:
    """What is known of each path while results are read in the order of their ends."""

    moved: Folders
    known: dict[str, Known] = field(default_factory=dict[str, Known])
    # For each folder, the paths below it of which something was ever known.
    _inside: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def at(self, path: str) -> Known | None:
        """What is known of a path; if a folder above it is gone, nothing is there."""
        above = (self.known.get(each) for each in self.moved.above(path))
        return self.known.get(path) or next((each for each in above if each is not None and each.kind is None), None)

    def take(self, attempt: Attempt, result: Record, changes: Sequence[Change]) -> None:
        """Write down what the changes of one call leave behind."""
        for folder in {each.path for each in changes if each.fate in MOVING}:
            for path in self._inside.pop(folder, ()):
                self.known.pop(path, None)
        # Read what moves before it goes.  One call may move a file away and another one to its path, and a replaced
        # target is deleted and then renamed to (A91), so removals are noted before the new entries.
        moving = {each.other: self.known.get(each.other or "") for each in changes if each.fate is Fate.RENAMED_TO}
        for change in sorted(changes, key=lambda each: _ORDER.index(each.fate)):
            self._note(attempt, result, change, moving.get(change.other))

    def forget(self, changes: Sequence[Change]) -> None:
        """Remove what is known from these changes."""
        for each in changes:
            self.known.pop(each.path, None)

    def _note(self, attempt: Attempt, result: Record, change: Change, before: Known | None) -> None:
        path = change.path
        for folder in self.moved.above(path):
            self._inside.setdefault(folder, set()).add(path)
            known = self.known.get(folder)
            if known is not None and known.kind is None and change.fate not in (Fate.DELETED, Fate.RENAMED_FROM):
                del self.known[folder]  # some call made the folder again and did not report it
        if change.fate in (Fate.DELETED, Fate.RENAMED_FROM):
            self.known[path] = Known(None, None, result, attempt)
        elif change.fate is Fate.RENAMED_TO:
            kind = before.kind if before is not None and before.kind is not None else "file or folder"
            self.known[path] = Known(kind, before.etag if before is not None else None, result, attempt)
        else:
            kind = "file" if change.fate is Fate.MODIFIED else change.kind or "file or folder"
            self.known[path] = Known(kind, change.text("afterEtag") or etag_in_data(result, path), result, attempt)


@once_a_run
def history(run: Run) -> tuple[Told, ...]:
    """Every change for which the system answers, with what earlier calls of the run left at its path.

    If calls with overlapping times touched a path, it is not known: nothing settles the order in which they changed it
    or a folder above it.  After something was moved, what lay below it is not known.  After something was deleted,
    what lay below it is gone.  A write that nobody observed, or whose account is redacted, makes everything
    unknown for as long as it ran.
    """
    moved = Folders({each.path for _, changes in changes_by_attempt(run) for each in changes if each.fate in MOVING})
    contested, ledger, found = _contested(run, moved), _Ledger(moved), list[Told]()
    rows, silent, finest = _in_order(run), silence(run), finest_stamp(run)
    silent_until = NEVER
    for (attempt, result, changes), since in zip(rows, silent_since(run, [attempt for attempt, _, _ in rows])):
        began, ended = span_of(result, finest) or ALWAYS
        for change in () if is_the_hosts_word(attempt) else changes:
            known = None if change.path in contested or since < ended else ledger.at(change.path)
            found.append(Told(attempt, result, change, known))
        if id(attempt) in silent:
            ledger.known.clear()
        ledger.take(attempt, result, changes)
        if began < silent_until:
            ledger.forget(changes)
        if id(attempt) in silent:
            silent_until = max(silent_until, silent[id(attempt)][1])
    return tuple(found)


_ORDER = (Fate.DELETED, Fate.RENAMED_FROM, Fate.RENAMED_TO, Fate.MODIFIED, Fate.CREATED)


def _in_order(run: Run) -> list[tuple[Attempt, Record, tuple[Change, ...]]]:
    """Calls with readable times, by the ends of their results; results of equal ends in the order of their lines."""
    timed = [
        (end.nanoseconds, result.source, attempt, result, changes)
        for attempt, changes in changes_by_attempt(run)
        if (result := attempt.result) is not None and (end := result.moment) is not None
    ]
    timed.sort(key=itemgetter(0, 1))
    return [(attempt, result, changes) for _, _, attempt, result, changes in timed]


def _contested(run: Run, moved: Folders) -> frozenset[str]:
    """Paths that calls with overlapping or unreadable times touched, or whose folders such calls moved."""
    spans: dict[str, list[_Span]] = {}
    untimed: set[str] = set()
    finest = finest_stamp(run)
    for place, (attempt, changes) in enumerate(changes_by_attempt(run)):
        span = span_of(attempt.result, finest) if changes else None
        for change in changes:
            if span is None:
                untimed.add(change.path)
            else:
                spans.setdefault(change.path, []).append((*span, place))
    ordered = {path: sorted(set(its)) for path, its in spans.items()}
    contested = set(untimed)
    for path in sorted(ordered, key=len):  # folders before what lies in them
        above, its = tuple(moved.above(path)), ordered[path]
        if not contested.isdisjoint(above) or _overlap(its) or any(_meet(its, ordered[each]) for each in above):
            contested.add(path)
    return frozenset(contested)


def _overlap(spans: list[_Span]) -> bool:
    """Whether any two of these sorted spans overlap."""
    last = None
    for start, end, _ in spans:
        if last is not None and start < last:
            return True
        last = end if last is None else max(last, end)
    return False


def _meet(spans: list[_Span], others: list[_Span]) -> bool:
    """Whether any of these spans overlaps another call's span among the others, which do not overlap each other."""
    for span in spans:
        place = bisect_left(others, span)
        after = others[place] if place < len(others) else None
        if after != span and ((place and span[0] < others[place - 1][1]) or (after and after[0] < span[1])):
            return True
    return False
