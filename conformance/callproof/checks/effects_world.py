"""Checks for the requirements in ``spec/effects.md`` that witnesses decide: hosted tools, and the folder itself.

The folder is seen before the run and after its end, so a path counts here only if just one call touched it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from callproof.checks.changes import (
    Change,
    Fate,
    Folders,
    changes_of,
    folded,
    listed_effects,
    same_effects,
)
from callproof.checks.check import Finding, check, code_points_of, excerpt, witness
from callproof.checks.dispatching import risk_of, took_place, was_dispatched, writes
from callproof.checks.effects_trash import name_on_disk, secretive, told_of_the_trash, writers_that_tell
from callproof.checks.etags import is_another_in_data
from callproof.checks.members import owner, told
from callproof.checks.timeouts_deeds import last_words, not_reported
from callproof.checks.world_changes import changed_paths, untold, written_by_hosted_tools
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Answer, Deed, Entry
from callproof.values.vaultpaths import is_normal

_RENAMED = (Fate.RENAMED_FROM, Fate.RENAMED_TO)
_FAILED = ("error", "timeout", "cancelled")


def _answered(run: Run) -> Iterator[tuple[Record, Deed, Answer]]:
    """Ok results of hosted tools, with what the tool answered."""
    for attempt in run.attempts:
        for deed in attempt.deeds or ():
            if attempt.result is not None and deed.answer is not None and attempt.status == "ok":
                yield attempt.result, deed, deed.answer


@check("EFF-01", each=_answered, needs=("deeds",))
def effects_tell_what_was_observed(_run: Run, subject: tuple[Record, Deed, Answer]) -> Iterator[Finding]:
    """The effects of a result are what its tool's host observed, or nothing if nobody observed."""
    result, deed, answer = subject
    effects = result.get("effects")
    nothing = not listed_effects(result)
    if answer.observed is None and nothing:
        return
    if result.is_redacted_in("effects"):
        return  # a redacted account cannot be compared (A42)
    if answer.observed is not None and (
        same_effects(effects, answer.observed) or (nothing and not any(answer.observed.values()))
    ):
        return
    yield Finding(
        f"{owner(result)} {told(result, 'effects')}",
        f"what was observed: {excerpt(answer.observed)}",
        (witness("D", deed), witness("R", result)),
    )


@check("EFF-10", each=lambda run: last_words(run, *_FAILED), needs=("deeds",))
def failures_have_effects_too(_run: Run, subject: tuple[Record, Deed, Answer]) -> Iterator[Finding]:
    """The changes that a failed tool reported are the result's effects."""
    yield from not_reported(*subject)


@dataclass(frozen=True, slots=True)
class _Seen:
    """One change at a path that nothing else in the run touched, and what the folder held there."""

    result: Record
    change: Change
    before: Entry | None
    after: Entry | None


@once_a_run
def _seen(run: Run) -> tuple[_Seen, ...]:
    world, touched = run.world, dict[str, int]()
    rows = [(result, change) for result in run.results for change in changes_of(result)]
    for _, change in rows:
        touched[change.path] = touched.get(change.path, 0) + 1
    moved = Folders({change.path for _, change in rows if change.fate in _RENAMED})
    if world is None or secretive(run):
        return ()  # a tool that does not say what it changed may have changed any path
    named = ((result, change, name_on_disk(change.path)) for result, change in rows)
    return tuple(
        _Seen(result, change, world.before.get(name), world.after.get(name))
        for result, change, name in named
        if touched[change.path] == 1 and next(moved.above(change.path), None) is None
    )


def _seen_as(*fates: Fate) -> Callable[[Run], Iterator[_Seen]]:
    return lambda run: (each for each in _seen(run) if each.change.fate in fates)


def _untrue(seen: _Seen, was: str, permitted: str) -> Finding:
    return Finding(
        f"{owner(seen.result)} lists {seen.change.path} as {seen.change.fate.value}, and in the folder it was {was}",
        permitted,
        (witness("R", seen.result),),
    )


@check("EFF-02", each=_seen_as(Fate.CREATED), needs=("world",))
def what_was_created_is_new(_run: Run, seen: _Seen) -> Iterator[Finding]:
    """A created path was not in the folder before the run and is after it."""
    if seen.before is not None:
        yield _untrue(seen, "there before the run", "a path that was absent before")
    elif seen.after is None:
        yield _untrue(seen, "absent after the run", "a path that is present after")


@check("EFF-03", each=_seen_as(Fate.MODIFIED), needs=("world",))
def what_was_modified_has_other_content(_run: Run, seen: _Seen) -> Iterator[Finding]:
    """A modified file was in the folder before the run and is after it, and is no folder."""
    for when, entry in (("before", seen.before), ("after", seen.after)):
        if entry is None or entry.kind == "folder":
            was = "absent" if entry is None else "a folder"
            yield _untrue(seen, f"{was} {when} the run", "a file that is present before and after")
            return


@check("EFF-25", each=_seen_as(Fate.MODIFIED), needs=("world",))
def what_stayed_the_same_is_not_modified(_run: Run, seen: _Seen) -> Iterator[Finding]:
    """A modified file has different content after the run."""
    before, after = seen.before, seen.after
    if before is None or after is None or "folder" in (before.kind, after.kind):
        return  # EFF-03 reports this
    if before.content == after.content:
        yield _untrue(seen, "the same before and after", "no entry for a file whose content did not change")


def has_other_content(run: Run, result: Record, change: Change) -> bool:
    """Whether the folder shows that a file which only one call touched has other content than before."""
    return any(
        seen.result is result and seen.change.path == change.path and _differs(seen)
        for seen in _seen_as(change.fate)(run)
    )


def _differs(seen: _Seen) -> bool:
    before, after = seen.before, seen.after
    return before is not None and after is not None and before.content != after.content


@check("EFF-04", each=_seen_as(Fate.MODIFIED), needs=("world",))
def other_content_has_another_etag(_run: Run, seen: _Seen) -> Iterator[Finding]:
    """A file whose content is not the same before and after has two etags; the check of data may already say so."""
    before, after = seen.change.text("beforeEtag"), seen.change.text("afterEtag")
    told = is_another_in_data(seen.result, seen.change.path, after)
    if before is not None and before == after and _differs(seen) and not told:
        yield _untrue(
            seen,
            f"not the same before and after, with the etag {excerpt(before)} for both",
            "the file's own etags, which differ where its content does",
        )


@check("EFF-05", each=_seen_as(Fate.DELETED), needs=("world",))
def what_was_deleted_is_gone(run: Run, seen: _Seen) -> Iterator[Finding]:
    """A deleted path was in the folder and is not any more, and trashed is true if it is in the trash."""
    # A folder in the place of a file is not the file.
    is_there = seen.after is not None and (seen.before is None or seen.before.kind == seen.after.kind)
    if seen.before is None or is_there:
        was = "absent before the run" if seen.before is None else "there after the run"
        yield _untrue(seen, was, "a path that was present before and is absent after")
    else:
        yield from told_of_the_trash(run, seen.result, seen.change, seen.before)


@check("EFF-11", each=_seen_as(Fate.CREATED, Fate.DELETED), needs=("world",))
def the_kind_is_what_the_folder_shows(_run: Run, seen: _Seen) -> Iterator[Finding]:
    """A path has the kind that it has in the folder."""
    entry = seen.after if seen.change.fate is Fate.CREATED else seen.before
    if entry is not None and entry.kind in ("file", "folder") and seen.change.kind not in (None, entry.kind):
        yield _untrue(seen, f"a {entry.kind}", f"the kind {entry.kind}")


@check("EFF-06", each=_seen_as(Fate.RENAMED_TO), needs=("world",))
def what_was_renamed_is_elsewhere(run: Run, seen: _Seen) -> Iterator[Finding]:
    """The source of a rename is gone from the folder, and its target is there."""
    world, old = run.world, seen.change.other or ""
    if world is None:
        return
    if seen.after is None:
        yield _untrue(seen, "absent after the run", "a target that is present after")
    elif old in world.before and old in world.after and old != seen.change.path and not _was_made(run, old):
        yield _untrue(seen, f"there, and {old} too", "a source that is absent after")


def _was_made(run: Run, path: str) -> bool:
    """Whether some call put something at a path: then a path that was moved away may be there again."""
    changes = (each for result in run.results for each in changes_of(result) if each.path == path)
    return any(each.fate in (Fate.CREATED, Fate.RENAMED_TO) for each in changes)


@once_a_run
def _real_names(run: Run) -> Mapping[str, tuple[str, ...]]:
    """The names in the folder, before and after, by the form that a disk compares if it ignores case and form."""
    world, names = run.world, dict[str, tuple[str, ...]]()
    for path in {**world.before, **world.after} if world is not None else ():
        names[folded(path)] = (*names.get(folded(path), ()), path)
    return names


@once_a_run
def _passing(run: Run) -> frozenset[str]:
    """Paths that came and went during the run: the folder never shows them, even if it shows a similar path."""
    changes = [change for result in run.results for change in changes_of(result)]
    came, went = (
        {each.path for each in changes if each.fate in fates}
        for fates in ((Fate.CREATED, Fate.RENAMED_TO), (Fate.DELETED, Fate.RENAMED_FROM))
    )
    return frozenset(came & went)


@check(
    "EFF-22", each=lambda run: ((each, change) for each in run.results for change in changes_of(each)), needs=("world",)
)
def names_are_those_of_the_folder(run: Run, subject: tuple[Record, Change]) -> Iterator[Finding]:
    """A path is spelt as it is in the folder."""
    result, change = subject
    if change.path in _passing(run):
        return
    real = _real_names(run).get(folded(change.path), ())
    if real and is_normal(change.path) and change.path not in real:
        yield Finding(
            f"{owner(result)} spells a path {excerpt(change.path)}",
            f"{', '.join(map(excerpt, real))}, its name in the folder",
            (witness("R", result),),
            tuple(clause for each in real for clause in code_points_of(change.path, each)),
        )


def _observed_runs(run: Run) -> Iterator[Run]:
    """Runs in which some call may have written and each such call says what it wrote: they list everything."""
    if writers_that_tell(run):
        yield run


@check("EFF-08", each=_observed_runs, needs=("world",))
def effects_are_complete(run: Run, _subject: Run) -> Iterator[Finding]:
    """Every path of the folder that changed is listed by some call, as far as anybody could know of it."""
    for path in _unlisted(run):
        yield Finding(
            f"{path} changed in the folder, and no call lists it",
            "every change under the root in the effects of its call",
            tuple(witness("C", each.call) for each in run.attempts if writes(run, each))[:3],
        )


def _runs_with_silent_failures(run: Run) -> Iterator[tuple[Attempt, ...]]:
    """Failed writes of the system's own tools without effects, if every other write says what it did."""
    writers = tuple(each for each in run.attempts if was_dispatched(each) and writes(run, each))
    silent = tuple(each for each in writers if each.result is None or each.result.object("effects") is None)
    if silent and all(each.status in _FAILED and not each.deeds for each in silent) and not any(map(_hides, writers)):
        yield silent


def _hides(attempt: Attempt) -> bool:
    return attempt.result is not None and attempt.result.is_redacted_in("effects")


@check("EFF-10", each=_runs_with_silent_failures, needs=("world",))
def failures_that_say_nothing_changed_nothing(run: Run, silent: tuple[Attempt, ...]) -> Iterator[Finding]:
    """If only failures do not report their effects, a change that no call lists is one of theirs."""
    for path in _unlisted(run):
        yield Finding(
            f"{path} changed in the folder, no call lists it, and {owner(silent[0].call)} failed and lists nothing",
            "a failed call lists its effects in its result",
            tuple(witness("C", each.call) for each in silent)[:3],
        )


def _unlisted(run: Run) -> Iterator[str]:
    """Changed paths of the folder that no call lists in any spelling, as far as a system could know of them."""
    changes = [change for result in run.results for change in changes_of(result)]
    listed = {folded(change.path) for change in changes}  # EFF-22 reports another spelling
    moved = Folders({change.path for change in changes if change.fate in _RENAMED})
    for path in sorted({*changed_paths(run.world)} - untold(run)) if run.world is not None else ():
        if folded(path) not in listed and next(moved.above(path), None) is None:
            yield path


def _reading_runs(run: Run) -> Iterator[tuple[Attempt, ...]]:
    """Runs that dispatched calls of read-only tools and no others."""
    dispatched = tuple(each for each in run.attempts if was_dispatched(each) or took_place(each))
    if dispatched and all(risk_of(run, each) == "read-only" for each in dispatched):
        yield dispatched


@check("EFF-09", each=_reading_runs, needs=("world",))
def reading_leaves_the_folder_alone(run: Run, dispatched: tuple[Attempt, ...]) -> Iterator[Finding]:
    """A run that only read leaves the folder as it was, apart from what the suite's own tools did to it."""
    paths = changed_paths(run.world) if run.world is not None else ()
    changed = tuple(path for path in paths if path not in written_by_hosted_tools(run))
    if changed:
        yield Finding(
            f"the folder changed at {', '.join(changed[:5])} in a run that only read",
            "no change by read-only tools",
            tuple(witness("C", each.call) for each in dispatched[:3]),
        )
