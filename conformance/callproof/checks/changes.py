"""The changes that a result's effects list, as typed values.

An entry that does not have its shape is left out here; EFF-21 reports it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from callproof.checks.members import under_any
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


def turned_paths(changes: Sequence[Change]) -> frozenset[str]:
    """Paths that a call lists as deleted with one kind and as created with the other: a file became a folder, say."""
    gone = {each.path: each.kind for each in changes if each.fate is Fate.DELETED}
    made = ((each.path, each.kind) for each in changes if each.fate is Fate.CREATED and each.path in gone)
    return frozenset(path for path, kind in made if {kind, gone[path]} == {"file", "folder"})


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


class Folders:
    """
    Paths of which any may be a folder; finds those that another path lies in.

    A path may be as long as a line of a log and name a folder at every second character: only these few are looked for.
    """

    def __init__(self, paths: Collection[str]) -> None:
        self._paths = paths
        self._lengths = frozenset(map(len, paths))
        self._in_order = sorted(self._lengths, reverse=True)

    def above(self, path: str) -> Iterator[str]:
        """Those of the paths in which the given path lies, the nearest first."""
        few = path.count("/") < len(self._in_order)
        for length in _slashes(path) if few else self._in_order:
            if (few and length not in self._lengths) or path[length : length + 1] != "/":
                continue
            if path[:length] in self._paths:
                yield path[:length]


def _slashes(path: str) -> Iterator[int]:
    """The places of the slashes of a path, from its end."""
    at = path.rfind("/")
    while at >= 0:
        yield at
        at = path.rfind("/", 0, at)
