"""The changes that a result's effects list, as typed values, and what the log's history says about a path.

An entry that does not have its shape is left out here; EFF-21 reports it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from operator import itemgetter
from typing import Final

from callproof.checks.dispatching import writes
from callproof.checks.etags import etag_in_data
from callproof.checks.members import under_any
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
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_array, is_object
from callproof.values.vaultpaths import normalise

EFFECT_LISTS: Final = ("sideEffectsObserved", "created", "modified", "deleted", "renamed")


class Fate(Enum):
    """What happened to one path in one call; the values are the members of effects."""

    CREATED = "created"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED_FROM = "renamed/from"
    RENAMED_TO = "renamed/to"


# Each fate with its list, and with the member that names the path if that is not `path`.
_LISTS: Final = tuple((fate, *fate.value.partition("/")[::2]) for fate in Fate)

# After one of these, nothing that lay below the path is there any more.
MOVING: Final = frozenset({Fate.RENAMED_FROM, Fate.RENAMED_TO, Fate.DELETED})


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of effects about one path. `other` is the other end of a rename."""

    fate: Fate
    path: str
    kind: str | None
    entry: Mapping[str, Json]
    other: str | None = None

    def text(self, name: str) -> str | None:
        """A member of the entry, if it is a string."""
        value = self.entry.get(name)
        return value if isinstance(value, str) else None


def changes_of(result: Record | None) -> tuple[Change, ...]:
    """Everything that a result's effects list, list by list, without the placeholders for secrets (A42)."""
    return () if result is None else changes_in(result.object("effects"), result.redacted)


def is_dry(attempt: Attempt) -> bool:
    """Whether a call only asked what would change (A90)."""
    return (attempt.call.object("args") or {}).get("dryRun") is True


def may_be_dry(attempt: Attempt) -> bool:
    """Whether a call was a dry run, or may have been one because the member that says so is redacted (A42)."""
    return is_dry(attempt) or under_any("/args/dryRun", attempt.call.redacted)


@once_a_run
def changes_by_attempt(run: Run) -> tuple[tuple[Attempt, tuple[Change, ...]], ...]:
    """Every call with what the effects of its result list."""
    return tuple([(attempt, changes_of(attempt.result)) for attempt in run.attempts])


def changes_in(effects: Mapping[str, Json] | None, redacted: tuple[str, ...] = ()) -> tuple[Change, ...]:
    """Everything that effects list, list by list, without the members that pointers into the result mark."""
    if not effects:
        return ()
    return tuple(
        [
            change
            for fate, listed, end in _LISTS
            if effects.get(listed)
            for change in _entries(_known_entries(effects, listed, redacted), fate, end)
        ]
    )


def listed_effects(result: Record | None) -> tuple[str, ...]:
    """The names of the effect lists of a result that are not empty, side effects included."""
    effects = (result.object("effects") if result is not None else None) or {}
    return tuple(name for name in EFFECT_LISTS if effects.get(name))


def same_effects(one: Json, other: Json) -> bool:
    """Whether two accounts of effects say the same: empty lists may be absent, and the order is free (B-16, B-39)."""
    if not is_object(one) or not is_object(other):
        return equal(one, other)
    return all(_same_list(one.get(name), other.get(name)) for name in one.keys() | other.keys())


def _same_list(one: Json, other: Json) -> bool:
    if not is_array(one or []) or not is_array(other or []):
        return equal(one, other)
    left = [*map(_without_nulls, other)] if is_array(other) else []
    for entry in map(_without_nulls, one) if is_array(one) else ():
        found = next((place for place, each in enumerate(left) if equal(entry, each)), None)
        if found is None:
            return False
        del left[found]
    return not left


def _without_nulls(entry: Json) -> Json:
    """An entry without the members that are absent, or null, which says the same (A30)."""
    return {name: each for name, each in entry.items() if each is not None} if is_object(entry) else entry


def _known_entries(effects: Mapping[str, Json], listed: str, redacted: tuple[str, ...]) -> Sequence[Json]:
    entries = effects.get(listed)
    if not is_array(entries):
        return ()
    if not redacted:
        return entries
    return [
        {name: value for name, value in entry.items() if not under_any(f"/effects/{listed}/{place}/{name}", redacted)}
        for place, entry in enumerate(entries)
        if is_object(entry)
    ]


def _entries(entries: Sequence[Json], fate: Fate, end: str) -> Iterator[Change]:
    for entry in entries:
        path = entry.get(end or "path") if is_object(entry) else None
        if not is_object(entry) or not isinstance(path, str) or not path:
            continue
        kind, other = entry.get("kind"), entry.get("to" if end == "from" else "from") if end else None
        yield Change(
            fate, path, kind if isinstance(kind, str) else None, entry, other if isinstance(other, str) else None
        )


@once_a_run
def targets(run: Run) -> Mapping[int, frozenset[str]]:
    """By the identity of a result: the targets at which its renames may have replaced something (EFF-07).

    A rename replaces nothing if the same call moved the old entry away, or if the target is another spelling of the
    old name.  Results with redacted effects are left out: it is unknown what else they list (A42).
    """
    told = ((each, changes_of(each)) for each in run.results if not each.is_redacted_in("effects"))
    return {id(result): frozenset(_targets(changes)) for result, changes in told if changes}


def _targets(changes: Sequence[Change]) -> Iterator[str]:
    sources = {each.path for each in changes if each.fate is Fate.RENAMED_FROM}
    moved = Folders(sources)
    for each in changes:
        if each.fate is not Fate.RENAMED_TO or alike(each.path, each.other or ""):
            continue
        if each.path not in sources and next(moved.above(each.path), None) is None:
            yield each.path


def is_the_hosts_word(attempt: Attempt) -> bool:
    """Whether a result's effects are exactly what the suite's own host said that it observed.

    The system then passed on truly what the host told it, and is not blamed for the host's account (EFF-01).
    """
    effects = attempt.result.get("effects") if attempt.result is not None else None
    answers = [deed.answer for deed in attempt.deeds or () if deed.answer is not None]
    return any(each.observed is not None and same_effects(effects, each.observed) for each in answers)


def alike(one: str, other: str) -> bool:
    """Whether two paths are the same on a disk that ignores case and Unicode form (EFF-22)."""
    return folded(one) == folded(other)


def folded(path: str) -> str:
    """The spelling that such a disk compares, made from the path's normal form; EFF-12 reports other forms."""
    return unicodedata.normalize("NFC", normalise(path).casefold())


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


class Folders:
    """
    Paths of which any may be a folder; finds those that another path lies in.

    A path may be as long as a line of a log and name a folder at every second character: only these few are looked for.
    """

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = paths
        self._lengths = sorted(set(map(len, paths)), reverse=True)

    def above(self, path: str) -> Iterator[str]:
        """Those of the paths in which the given path lies, the nearest first."""
        for length in self._lengths:
            if path[length : length + 1] == "/" and path[:length] in self._paths:
                yield path[:length]


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
        along = _moved_along(changes)
        for change in sorted(changes, key=lambda each: _ORDER.index(each.fate)):
            if change.path not in along:
                self._note(attempt, result, change, moving.get(change.other))
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


@once_a_run
def history(run: Run) -> tuple[Told, ...]:
    """Every change for which the system answers, with what earlier calls of the run left at its path.

    If calls with overlapping times touched a path, it is not known: nothing settles the order in which they changed it
    or a folder above it.  Where one call ended at the instant at which another began, their events tell.  After
    something was moved, what lay below it is not known.  After something was deleted, what lay below it is gone.  A
    write that nobody observed, or whose account is redacted, makes everything unknown for as long as it ran.
    """
    moved = Folders({each.path for _, changes in changes_by_attempt(run) for each in changes if each.fate in MOVING})
    contested, ledger, found = _contested(run, moved), _Ledger(moved), list[Told]()
    rows, silent, finest = _in_order(run), silence(run), finest_stamp(run)
    silent_until = NEVER
    for (attempt, result, changes), since in zip(rows, silent_since(run, [attempt for attempt, _, _ in rows])):
        began, ended = span_of(result, finest) or ALWAYS
        along = _moved_along(changes)
        for change in () if is_the_hosts_word(attempt) else changes:
            doubtful = change.path in contested or since < ended or change.path in along
            known = None if doubtful else ledger.at(change.path)
            found.append(Told(attempt, result, change, known))
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


def _contested(run: Run, moved: Folders) -> frozenset[str]:
    """Paths that calls with overlapping or unreadable times touched, or whose folders such calls moved."""
    spans: dict[str, list[Span]] = {}
    untimed: set[str] = set()
    finest = finest_stamp(run)
    for place, (attempt, changes) in enumerate(changes_by_attempt(run)):
        span = told_span(attempt, finest) if changes else None
        for change in changes:
            if span is None:
                untimed.add(change.path)
            else:
                spans.setdefault(change.path, []).append((*span, place))
    ordered = {path: sorted(set(its)) for path, its in spans.items()}
    contested = set(untimed)
    for path in sorted(ordered, key=len):  # folders before what lies in them
        above, its = tuple(moved.above(path)), ordered[path]
        if not contested.isdisjoint(above) or overlap(its) or any(meet(its, ordered[each]) for each in above):
            contested.add(path)
    return frozenset(contested)
