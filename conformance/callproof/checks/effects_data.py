"""Checks for the requirements in ``spec/effects.md`` that compare a result's effects with its own data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from callproof.checks.changes import Change, Fate, alike, changes_of, may_be_dry
from callproof.checks.check import Finding, check, code_points_of, excerpt, witness
from callproof.checks.dispatching import writes
from callproof.checks.etags import differ
from callproof.checks.members import owner, under_any
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run
from callproof.values.jsontext import Json
from callproof.values.vaultpaths import is_normal

# The members in which data and effects may repeat each other; any redaction in effects may hide any of it.
_COMPARED = (
    "effects",
    *(f"data/{name}" for name in ("path", "fromPath", "toPath", "created", "deleted", "etag", "trashed")),
)
# What a tool calls itself whose two paths are those of a move.  Those of another tool may be those of a copy.
_MOVING = re.compile("rename|move", re.IGNORECASE)


_Told = tuple[Attempt, Record, Mapping[str, Json], tuple[Change, ...]]


def _told_twice(run: Run) -> Iterator[_Told]:
    """Ok results of writing tools with data and effects; not of dry runs, whose data says what did not happen (A90)."""
    for attempt in run.attempts:
        result = attempt.result
        data = result.object("data") if result is not None else None
        if result is None or data is None or attempt.status != "ok" or result.object("effects") is None:
            continue
        if result.redacted and (under_any("/data", result.redacted) or any(map(result.is_redacted_in, _COMPARED))):
            continue  # a placeholder for a secret agrees with nothing (A42)
        if writes(run, attempt) and not may_be_dry(attempt):
            yield attempt, result, data, changes_of(result)


def _names(changes: tuple[Change, ...], *fates: Fate) -> tuple[str, ...]:
    return tuple(change.path for change in changes if change.fate in fates)


def _has(paths: tuple[str, ...], path: str) -> bool:
    """Whether a path is among these, in any spelling: EFF-22 checks the spelling."""
    return any(alike(each, path) for each in paths)


@check("EFF-14", each=_told_twice)
def data_and_effects_agree(run: Run, subject: _Told) -> Iterator[Finding]:
    """What data says was created, deleted or renamed, effects say too."""
    attempt, result, data, changes = subject
    for says, fault in (*_created_or_deleted(data, changes), *_moved(data, changes, copying=_may_copy(run, attempt))):
        yield Finding(
            f"{owner(result)}: its data says {says}, and its effects {fault}",
            "data and effects say the same",
            (witness("R", result),),
        )


def _may_copy(run: Run, attempt: Attempt) -> bool:
    """Whether neither the name of a call's tool nor a kind of side effect that it declares speaks of moving."""
    name = attempt.call.text("tool") or ""
    tool = run.registry.resolve(name) if run.registry is not None else None
    declared = (tool.side_effects if tool is not None else None) or ()
    return not any(map(_MOVING.search, (name, *declared)))


def _created_or_deleted(data: Mapping[str, Json], changes: tuple[Change, ...]) -> Iterator[tuple[str, str]]:
    path = data.get("path")
    for name, fate in (("created", Fate.CREATED), ("deleted", Fate.DELETED)):
        word = data.get(name)
        if isinstance(path, str) and isinstance(word, bool):
            listed = _has(_names(changes, fate), path)
            if listed is not word:
                yield f"{name} {excerpt(word)} of {path}", f"{'list' if listed else 'do not list'} it as {name}"


def _moved(data: Mapping[str, Json], changes: tuple[Change, ...], *, copying: bool) -> Iterator[tuple[str, str]]:
    old, new = data.get("fromPath"), data.get("toPath")
    if not isinstance(old, str) or not isinstance(new, str) or old == new:
        return
    # A copy writes its second path and leaves the first as it was.
    written = _has(_names(changes, Fate.CREATED, Fate.MODIFIED), new)
    if not (copying and written and not _has(tuple(change.path for change in changes), old)):
        if not _has(_names(changes, Fate.RENAMED_FROM, Fate.DELETED), old):
            yield f"fromPath {old}", "do not list it as the source of a rename or as deleted"
        if not _has(_names(changes, Fate.RENAMED_TO, Fate.CREATED), new):
            yield f"toPath {new}", "do not list it as the target of a rename or as created"


@check("EFF-22", each=_told_twice)
def names_are_kept(_run: Run, subject: _Told) -> Iterator[Finding]:
    """Data and effects spell a path in one way."""
    _, result, data, changes = subject
    paths = tuple(dict.fromkeys(change.path for change in changes))
    for name in ("path", "fromPath", "toPath"):
        said = data.get(name)
        if not isinstance(said, str) or said in paths:
            continue
        for path in (each for each in paths if is_normal(each) and alike(each, said)):
            yield Finding(
                f"{owner(result)} spells a path {excerpt(path)} in its effects and {excerpt(said)} in its data",
                "the file's real name in both",
                (witness("R", result),),
                code_points_of(path, said),
            )


@check("EFF-04", each=_told_twice)
def the_etag_in_data_is_the_etag_after(_run: Run, subject: _Told) -> Iterator[Finding]:
    """The etag that data gives for a path is its afterEtag."""
    _, result, data, changes = subject
    for change in changes:
        after, said = change.text("afterEtag"), data.get("etag")
        if change.fate is not Fate.MODIFIED or change.path != data.get("path"):
            continue
        if after is not None and isinstance(said, str) and differ(after, said):
            yield Finding(
                f"{owner(result)} left {change.path} with the etag {excerpt(after)}",
                f"{excerpt(said)}, as in its data",
                (witness("R", result),),
            )


@check("EFF-05", each=_told_twice)
def trashed_is_told_alike(_run: Run, subject: _Told) -> Iterator[Finding]:
    """Data and effects agree on whether a deleted file lies in the trash."""
    _, result, data, changes = subject
    for change in changes:
        effect, said = change.entry.get("trashed"), data.get("trashed")
        if change.fate is not Fate.DELETED or change.path != data.get("path"):
            continue
        if isinstance(effect, bool) and isinstance(said, bool) and effect is not said:
            yield Finding(
                f"{owner(result)} lists {change.path} with trashed {excerpt(effect)}",
                f"trashed {excerpt(said)}, as in its data",
                (witness("R", result),),
            )
