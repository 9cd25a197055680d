"""Checks for what a rename replaced, and for what the trash holds (``spec/effects.md``).

The folder before the run shows what was there, if only one call touched the path.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from callproof.checks.changes import Change, Fate, Folders, changes_of, targets
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import was_dispatched, writes
from callproof.checks.members import owner
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Entry, World
from callproof.values.vaultpaths import is_normal, normalise


@dataclass(frozen=True, slots=True)
class _Replaced:
    """A file that stood in the folder before the run, and the rename that put another one at its path."""

    result: Record
    change: Change
    there: Entry


@once_a_run
def _replaced(run: Run) -> tuple[_Replaced, ...]:
    """The replaced files at paths that no other call touched, nor a folder above: else they may have been gone."""
    before: Mapping[str, Entry] = run.world.before if run.world is not None else {}
    told = [(result, changes_of(result)) for result in run.results]
    touched = Counter(path for _, changes in told for path in {each.path for each in changes})
    folders = Folders(touched)
    return tuple(
        _Replaced(result, each, there)
        for result, changes in told
        for each in changes
        if each.fate is Fate.RENAMED_TO and each.path in targets(run).get(id(result), ())
        if touched[each.path] == 1 and next(folders.above(each.path), None) is None
        if (there := before.get(name_on_disk(each.path))) is not None and there.kind == "file"
    )


def writers_that_tell(run: Run) -> tuple[Attempt, ...]:
    """The dispatched calls that may have written, if each of them has effects that can be read; else none."""
    writers = tuple(each for each in run.attempts if was_dispatched(each) and writes(run, each))
    return writers if all(_tells(each.result) for each in writers) else ()


def secretive(run: Run) -> bool:
    """Whether a tool of the system's own may have changed the folder at an unreadable path (A26, A42)."""
    own = (each for each in run.attempts if not each.deeds and was_dispatched(each) and writes(run, each))
    return any(not _tells(each.result) for each in own)


def _tells(result: Record | None) -> bool:
    return result is not None and result.object("effects") is not None and not result.is_redacted_in("effects")


def _replaced_where_all_tell(run: Run) -> Iterator[_Replaced]:
    if writers_that_tell(run):
        yield from _replaced(run)


@check("EFF-07", each=_replaced_where_all_tell, needs=("world",))
def what_was_there_is_listed(_run: Run, replaced: _Replaced) -> Iterator[Finding]:
    """A rename over a file that the folder held lists it as deleted."""
    result, path = replaced.result, replaced.change.path
    if not any(each.fate is Fate.DELETED and each.path == path for each in changes_of(result)):
        yield Finding(
            f"{owner(result)} lists a rename to {path} and does not list what was there as deleted",
            f"{path} in deleted, since the folder held it before the run",
            (witness("R", result),),
        )


@check("EFF-05", each=_replaced, needs=("world",))
def what_was_replaced_is_in_the_trash_or_not(run: Run, replaced: _Replaced) -> Iterator[Finding]:
    """For a file that a rename replaced, trashed is true where the file is in the trash."""
    for each in changes_of(replaced.result):
        if each.fate is Fate.DELETED and each.path == replaced.change.path:
            yield from told_of_the_trash(run, replaced.result, each, replaced.there)


def told_of_the_trash(run: Run, result: Record, change: Change, gone: Entry | None) -> Iterator[Finding]:
    """The finding that the trash does not show what a deletion says about it; ``gone`` is the deleted entry."""
    told = change.entry.get("trashed")
    if gone is None or gone.kind != "file" or not isinstance(told, bool):
        return
    # A file is recognised by its content: the one in the trash may be another file that was put there.
    found = len(_thrown(run.world, gone))
    if found < 1 if told else found > _told_as_trashed(run, gone):
        yield Finding(
            f"{owner(result)} lists {change.path} with trashed {excerpt(told)}",
            f"trashed {excerpt(not told)}, as the trash shows",
            (witness("R", result),),
        )


def _thrown(world: World | None, gone: Entry) -> tuple[str, ...]:
    """The files with this content that the trash holds and did not hold before."""
    if world is None:
        return ()
    old = {path for path, entry in world.trash_before.items() if entry.content == gone.content}
    return tuple(path for path, entry in world.trash_after.items() if entry.content == gone.content and path not in old)


def _told_as_trashed(run: Run, gone: Entry) -> int:
    """How many files that may have had this content were reported as lying in the trash."""
    before: Mapping[str, Entry] = run.world.before if run.world is not None else {}
    changes = [change for result in run.results for change in changes_of(result)]
    touched = Counter(each.path for each in changes)
    trashed = [each for each in changes if each.fate is Fate.DELETED and each.entry.get("trashed") is True]
    # A file that the run itself made or changed may have had any content when it was deleted.
    known = ((before.get(name_on_disk(each.path)), touched[each.path]) for each in trashed)
    return sum(1 for entry, times in known if entry is None or times > 1 or entry.content == gone.content)


def name_on_disk(path: str) -> str:
    """The name under which the folder holds a path; EFF-12 reports another spelling."""
    return path if is_normal(path) else normalise(path)
