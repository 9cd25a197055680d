"""What the history of a log says about a path: what earlier calls of the run are known to have left behind there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from callproof.checks.dispatching import writes
from callproof.checks.etags import etag_in_data
from callproof.checks.silence import (
    ALWAYS,
    NEVER,
    Span,
    finest_stamp,
    meet,
    overlap,
    silence,
    silent_since,
    span_of,
    told_span,
)
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run

# Beginning and end of a call in nanoseconds, and which call it is.
_Span: TypeAlias = "tuple[int, int, int]"
# The same of a call whose times may be unknown.
_Time: TypeAlias = "tuple[float, float, int]"
# When each path was touched, in order.
_Spans: TypeAlias = "Mapping[str, list[_Span]]"


@dataclass(frozen=True, slots=True)
class Known:
    """
    What an earlier call left behind at a path: its kind (None if nothing is there), and its etag if known.

    ``inhabitant`` is what the call left in it, if only this shows that the path is a folder.
    """

    kind: str | None
    etag: str | None
    result: Record
    attempt: Attempt
    inhabitant: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """
    One change of one call, with what was certainly known of its path when the call began.

    ``file_above`` is a path above it at which an earlier call had left a file, and which this call did not touch.
    """

    attempt: Attempt
    result: Record
    change: Change
    known: Known | None
    file_above: tuple[str, Known] | None = None


@dataclass(slots=True)
class _Times:
    """When each path was touched, and what that leaves open."""

    spans: _Spans
    moved: Folders
    contested: frozenset[str]
    _settled: dict[str, bool] = field(default_factory=dict[str, bool])

    def is_settled(self, path: str) -> bool:
        """Whether no two calls that touched a path, or moved a folder above it, may have run at the same moment."""
        if path not in self._settled:
            places = (path, *self.moved.above(path))
            self._settled[path] = path not in self.contested and not any(
                self.meets(each, places) for each in self.spans.get(path, ())
            )
        return self._settled[path]

    def meets(self, span: _Time, paths: Iterable[str]) -> bool:
        """Whether another call that touched one of these paths may have run at the same moment."""
        return any(_touch(span, self.spans.get(path, [])) for path in paths)


@dataclass(slots=True)
class _Ledger:
    """What is known of each path while results are read in the order of their ends."""

    times: _Times
    moved: Folders
    listed: Folders
    known: dict[str, Known] = field(default_factory=dict[str, Known])
    # For each folder, the paths below it of which something was ever known.
    _inside: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    # For each folder, a path in it at which something was left.
    _inhabitants: dict[str, str] = field(default_factory=dict[str, str])

    def at(self, path: str) -> Known | None:
        """What is known of a path; if a folder above it is gone, nothing is there."""
        above = (self.known.get(each) for each in self.moved.above(path))
        return self.known.get(path) or next((each for each in above if each is not None and each.kind is None), None)

    def inhabitant(self, path: str) -> tuple[str, Known] | None:
        """Something that is still known to lie in a path, which is a folder then."""
        inside = self._inhabitants.get(path)
        known = self.known.get(inside) if inside is not None else None
        return (inside, known) if inside is not None and known is not None and known.kind is not None else None

    def take(self, attempt: Attempt, result: Record, changes: Sequence[Change]) -> None:
        """Write down what the changes of one call leave behind."""
        for folder in {each.path for each in changes if each.fate in MOVING}:
            for path in self._inside.pop(folder, ()):
                self.known.pop(path, None)
        # Read what moves before it goes.  One call may move a file away and another one to its path, and a replaced
        # target is deleted and then renamed to (A91), so removals are noted before the new entries.
        sources = (each.other or "" for each in changes if each.fate is Fate.RENAMED_TO)
        moving = {each: self.known.get(each) for each in sources if self.times.is_settled(each)}
        along = _moved_along(changes)
        for change in sorted(changes, key=lambda each: _ORDER.index(each.fate)):
            if change.path not in along:
                self._note(attempt, result, change, moving.get(change.other or ""))
        for each in along:
            self.known.pop(each, None)

    def take_again(self, attempt: Attempt, result: Record, changes: Sequence[Change]) -> None:
        """A file that is written again with the same bytes is not listed (A25), and may have another etag."""
        path = (result.object("data") or {}).get("path")
        known = self.known.get(path) if isinstance(path, str) else None
        if known is None or known.etag is None or not isinstance(path, str) or path in {each.path for each in changes}:
            return
        self.known[path] = replace(known, etag=etag_in_data(result, path), result=result, attempt=attempt)

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
            told = etag_in_data(result, path) or etag_in_data(result, path, "toPath")
            etag = told or (before.etag if before is not None else None)
            self.known[path] = Known(kind, etag, result, attempt)
        else:
            kind = "file" if change.fate is Fate.MODIFIED else change.kind or "file or folder"
            self.known[path] = Known(kind, change.text("afterEtag") or etag_in_data(result, path), result, attempt)
        if self.known[path].kind is not None and path not in self.times.contested:
            self._inhabitants.update({each: path for each in self.listed.above(path) if self.inhabitant(each) is None})


class _Around:
    """What is known around the paths that one call lists: of what lies in them, and of what they lie in."""

    def __init__(self, ledger: _Ledger, own: _Time, changes: Sequence[Change]) -> None:
        self._ledger, self._times, self._own = ledger, ledger.times, own
        self._listed = {each.path for each in changes}
        self._moved = {each.path for each in changes if each.fate in MOVING}

    def inhabited(self, change: Change) -> Known | None:
        """A folder that a call left something in, if nothing else shows that it is there and nothing took it away."""
        if change.fate in (Fate.RENAMED_FROM, Fate.RENAMED_TO):
            return None
        found, folders = self._ledger.inhabitant(change.path), (change.path, *self._ledger.moved.above(change.path))
        if found is None or (change.fate is Fate.CREATED and not self._moved.isdisjoint(folders)):
            return None  # what the call itself moved away it may make again
        inside, known = found
        if not self._times.is_settled(inside) or self._times.meets(
            self._own, (change.path, inside, *self._ledger.moved.above(inside))
        ):
            return None
        return Known("folder", None, known.result, known.attempt, inside)

    def file_above(self, change: Change) -> tuple[str, Known] | None:
        """A path above a changed one at which there is a file, unless the call itself did something to it."""
        for path in self._ledger.listed.above(change.path):
            known = self._ledger.known.get(path)
            if known is None or known.kind != "file" or path in self._listed or not self._times.is_settled(path):
                continue
            above = tuple(self._ledger.moved.above(change.path))
            if self._moved.isdisjoint(above) and not self._times.meets(self._own, (change.path, path, *above)):
                return path, known
        return None


@once_a_run
def history(run: Run) -> tuple[Told, ...]:
    """Every change for which the system answers, with what earlier calls of the run left at its path.

    If calls with overlapping times touched a path, it is not known: nothing settles the order in which they changed it
    or a folder above it.  Where one call ended at the instant at which another began, their events tell.  After
    something was moved, what lay below it is not known.  After something was deleted, what lay below it is gone.  A
    write that nobody observed, or whose account is redacted, makes everything unknown for as long as it ran.

    What was left at a path also shows that the paths above it are folders.
    """
    every = [each for _, changes in changes_by_attempt(run) for each in changes]
    moved = Folders({each.path for each in every if each.fate in MOVING})
    contested = _contested(run, moved)
    times = _Times(_spans(run), moved, contested)
    ledger, found = _Ledger(times, moved, Folders({each.path for each in every})), list[Told]()
    places = {id(attempt): place for place, (attempt, _) in enumerate(changes_by_attempt(run))}
    rows, silent, finest = _in_order(run), silence(run), finest_stamp(run)
    silent_until = NEVER
    for (attempt, result, changes), since in zip(rows, silent_since(run, [attempt for attempt, _, _ in rows])):
        began, ended = span_of(result, finest) or ALWAYS
        along = _moved_along(changes)
        around = _Around(ledger, (began, ended, places[id(attempt)]), changes)
        for change in () if is_the_hosts_word(attempt) else changes:
            if change.path in contested or since < ended or change.path in along:
                found.append(Told(attempt, result, change, None))
                continue
            known = ledger.at(change.path) or around.inhabited(change)
            found.append(Told(attempt, result, change, known, around.file_above(change)))
        if id(attempt) in silent:
            ledger.known.clear()
        ledger.take(attempt, result, changes)
        if writes(run, attempt):
            ledger.take_again(attempt, result, changes)
        if began < silent_until:
            ledger.forget(changes)
        if id(attempt) in silent:
            silent_until = max(silent_until, silent[id(attempt)][1])
    return tuple(found)


_ORDER = (Fate.DELETED, Fate.RENAMED_FROM, Fate.RENAMED_TO, Fate.MODIFIED, Fate.CREATED)


def _moved_along(changes: Sequence[Change]) -> frozenset[str]:
    """All ends of the renames of a call that also modified what it moved: it lists the old path or the new one."""
    ends = {each.path for each in changes if each.fate in (Fate.RENAMED_FROM, Fate.RENAMED_TO)}
    folders = Folders(ends)
    also = [each.path for each in changes if each.fate is Fate.MODIFIED and ends]
    along = [each for each in also if each in ends or next(folders.above(each), None) is not None]
    return frozenset((*along, *ends) if along else ())


def _in_order(run: Run) -> list[tuple[Attempt, Record, tuple[Change, ...]]]:
    """Calls with readable times, by the ends of their results; results of equal ends in the order of their lines."""
    timed = [
        (end.nanoseconds, result.source, attempt, result, changes)
        for attempt, changes in changes_by_attempt(run)
        if (result := attempt.result) is not None and (end := result.moment) is not None
    ]
    timed.sort(key=itemgetter(0, 1))
    return [(attempt, result, changes) for _, _, attempt, result, changes in timed]


def _spans(run: Run) -> _Spans:
    """When each path was touched, and by which call, in order."""
    spans: dict[str, set[_Span]] = {}
    finest = finest_stamp(run)
    for place, (attempt, changes) in enumerate(changes_by_attempt(run)):
        span = span_of(attempt.result, finest) if changes else None
        if span is None:
            continue
        for change in changes:
            spans.setdefault(change.path, set()).add((*span, place))
    return {path: sorted(its) for path, its in spans.items()}


def _contested(run: Run, moved: Folders) -> frozenset[str]:
    """Paths that calls with overlapping or unreadable times touched, or whose folders such calls moved."""
    spans: dict[str, set[Span]] = {}
    contested = set[str]()
    finest = finest_stamp(run)
    for place, (attempt, changes) in enumerate(changes_by_attempt(run)):
        span = told_span(attempt, finest) if changes else None
        for change in changes:
            if span is None:
                contested.add(change.path)
            else:
                spans.setdefault(change.path, set()).add((*span, place))
    ordered = {path: sorted(its) for path, its in spans.items()}
    for path in sorted(ordered, key=len):  # folders before what lies in them
        above, its = tuple(moved.above(path)), ordered[path]
        if not contested.isdisjoint(above) or overlap(its) or any(meet(its, ordered[each]) for each in above):
            contested.add(path)
    return frozenset(contested)


def _touch(span: _Time, others: list[_Span]) -> bool:
    """Whether a span has a moment in common with another call's span among the others, which do not overlap."""
    place = bisect_left(others, span)
    before, after = others[max(place - 1, 0) : place], others[place : place + 2]
    return any(number != span[2] and start <= span[1] and span[0] <= end for start, end, number in (*before, *after))
