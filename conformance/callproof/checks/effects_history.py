"""Checks for the requirements in ``spec/effects.md`` that the history of the log decides.

They compare what earlier calls of the run left behind with what a call says that it found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from callproof.checks.changes import (
    Fate,
    Folders,
    changes_by_attempt,
    changes_of,
    is_the_hosts_word,
    targets,
    turned_paths,
)
from callproof.checks.check import Finding, Witness, check, excerpt, witness
from callproof.checks.dispatching import end_of, start_of
from callproof.checks.etags import differ
from callproof.checks.members import owner
from callproof.checks.path_history import Told, history
from callproof.checks.retries import retried
from callproof.checks.silence import finest_stamp, silent_writes
from callproof.checks.unread import may_be_untold
from callproof.trace.once import once_a_run
from callproof.trace.records import Kind, Record, order_of_instants
from callproof.trace.run import Attempt, LogicalCall, Run


def _told(*fates: Fate) -> Callable[[Run], Iterator[Told]]:
    """Subjects: changes of these kinds at paths of which something is known."""
    return lambda run: (each for each in history(run) if each.change.fate in fates and each.known is not None)


def _misses(run: Run, path: str) -> tuple[Kind, ...]:
    """What the history of a path may lack: the call or the result of another change, on an unreadable line."""
    return (Kind.CALL, Kind.RESULT) if run.flaws and may_be_untold(run, path) else ()


def _both(told: Told) -> tuple[Witness, ...]:
    known = (witness("K", told.known.result),) if told.known is not None else ()
    return (*known, witness("R", told.result))


def _is_told_again(told: Told) -> bool:
    """Whether an earlier attempt of the same logical call had done exactly this, which EFF-17 checks."""
    if told.known is None:
        return False
    one, other, change = told.known.attempt.call, told.attempt.call, told.change
    same = one.step_id == other.step_id and one.iteration_index == other.iteration_index
    done = ((each.fate, each.path) for each in changes_of(told.known.result))
    return same and (change.fate, change.path) in done


@check("EFF-02", each=_told(Fate.CREATED))
def created_means_new(run: Run, told: Told) -> Iterator[Finding]:
    """What a call created was not there."""
    if told.known is None or told.known.kind is None or _is_told_again(told):
        return
    if told.change.path not in turned_paths(changes_of(told.result)):
        yield Finding(
            f"{owner(told.result)} lists {told.change.path} as created",
            f"not as created, since {owner(told.known.result)} had left {told.known.inhabitant or 'it'} there",
            _both(told),
            misses=_misses(run, told.change.path),
        )


@check("EFF-03", each=_told(Fate.MODIFIED))
def modified_means_there(run: Run, told: Told) -> Iterator[Finding]:
    """What a call modified was a file before it."""
    if told.known is not None and told.known.kind in (None, "folder"):
        was = "gone" if told.known.kind is None else "a folder"
        yield Finding(
            f"{owner(told.result)} lists {told.change.path} as modified",
            f"not as modified, since after {owner(told.known.result)} it was {was}",
            _both(told),
            misses=_misses(run, told.change.path),
        )


@check("EFF-04", each=_told(Fate.MODIFIED))
def etags_form_a_chain(run: Run, told: Told) -> Iterator[Finding]:
    """The etag before a call is the one that the call before it left."""
    before = told.change.text("beforeEtag")
    left = told.known.etag if told.known is not None else None
    if before is not None and left is not None and told.known is not None and differ(before, left):
        yield Finding(
            f"{owner(told.result)} found {told.change.path} with the etag {excerpt(before)}",
            f"{excerpt(left)}, which {owner(told.known.result)} had left behind",
            _both(told),
            misses=_misses(run, told.change.path),
        )


@check("EFF-05", each=_told(Fate.DELETED))
def deleted_means_there(run: Run, told: Told) -> Iterator[Finding]:
    """What a call deleted was there before it."""
    if told.known is not None and told.known.kind is None and not _is_told_again(told):
        yield Finding(
            f"{owner(told.result)} lists {told.change.path} as deleted",
            f"no entry, since {owner(told.known.result)} had removed it",
            _both(told),
            misses=_misses(run, told.change.path),
        )


def _renamed_onto_files(run: Run) -> Iterator[Told]:
    for each in _told(Fate.RENAMED_TO)(run):
        there = each.known is not None and each.known.kind is not None
        if there and not _is_told_again(each) and each.change.path in targets(run).get(id(each.result), ()):
            yield each


@check("EFF-07", each=_renamed_onto_files)
def what_a_rename_replaced_is_listed(run: Run, told: Told) -> Iterator[Finding]:
    """A rename over something that was there lists it as deleted."""
    deleted = {each.path for each in changes_of(told.result) if each.fate is Fate.DELETED}
    if told.known is not None and told.change.path not in deleted:
        yield Finding(
            f"{owner(told.result)} lists a rename to {told.change.path} and does not list what was there as deleted",
            f"{told.change.path} in deleted, since {owner(told.known.result)} had left it there",
            _both(told),
            misses=_misses(run, told.change.path),
        )


@check("EFF-11", each=_told(Fate.MODIFIED, Fate.DELETED))
def the_kind_is_what_it_was(run: Run, told: Told) -> Iterator[Finding]:
    """A path has the kind with which it was created."""
    was = told.known.kind if told.known is not None else None
    if told.change.fate is Fate.DELETED and was in ("file", "folder") and told.change.kind not in (None, was):
        yield Finding(
            f"{owner(told.result)} lists {told.change.path} with the kind {told.change.kind}",
            f"the kind {was}",
            _both(told),
            misses=_misses(run, told.change.path),
        )


def _below_files(run: Run) -> Iterator[tuple[Told, str, Record]]:
    """Changes below a file, with the path of the file and the result that tells of it and of nothing below it."""
    for each in history(run):
        if each.file_above is not None:
            path, known = each.file_above
            if not any(change.path.startswith(f"{path}/") for change in changes_of(known.result)):
                yield each, path, known.result


@check("EFF-11", each=_below_files)
def a_file_comes_to_hold_no_files(run: Run, subject: tuple[Told, str, Record]) -> Iterator[Finding]:
    """Nothing lies below a path at which an earlier call left a file."""
    told, path, left = subject
    yield Finding(
        f"{owner(told.result)} lists {told.change.path} as {told.change.fate.value}",
        f"nothing below {path}, where {owner(left)} had left a file",
        (witness("K", left), witness("R", told.result)),
        misses=_misses(run, path),
    )


_Done = Mapping[str, Sequence[tuple[Fate, Record]]]


@once_a_run
def _done_before(run: Run) -> Mapping[int, _Done]:
    """By attempt, for each path that it lists: what the last earlier attempt that touched the path did to it."""
    found: dict[int, _Done] = {}
    for logical in run.logical_calls:
        done: dict[str, list[tuple[Fate, Record]]] = {}
        for one in logical.attempts:
            its: dict[str, list[tuple[Fate, Record]]] = {}
            for change in changes_of(one.result):
                if one.result is not None:
                    its.setdefault(change.path, []).append((change.fate, one.result))
            found[id(one)] = {path: done[path] for path in its if path in done}
            if id(one) in silent_writes(run):
                done.clear()
            done |= its
    return found


# Calls by the number of their logical call.
_ByLogicalCall = Mapping[int | None, Sequence[Attempt]]


@once_a_run
def _number(run: Run) -> Mapping[int, int]:
    """The number of the logical call of each attempt, by identity."""
    return {id(each): number for number, logical in enumerate(run.logical_calls) for each in logical.attempts}


def _by_logical_call(run: Run, attempts: Iterable[Attempt]) -> _ByLogicalCall:
    found: dict[int | None, list[Attempt]] = {}
    for each in attempts:
        found.setdefault(_number(run).get(id(each)), []).append(each)
    return found


@once_a_run
def _silent_calls(run: Run) -> _ByLogicalCall:
    return _by_logical_call(run, silent_writes(run).values())


@once_a_run
def _touched(run: Run) -> tuple[Mapping[str, _ByLogicalCall], Folders]:
    """The calls that list each path, and the paths in which others may lie."""
    touched: dict[str, list[Attempt]] = {}
    for attempt, changes in changes_by_attempt(run):
        for path in {change.path for change in changes}:
            touched.setdefault(path, []).append(attempt)
    return {path: _by_logical_call(run, calls) for path, calls in touched.items()}, Folders(touched.keys())


def _undone_by_others(run: Run, own: int, path: str, first: Record, last: Record) -> bool:
    """Whether another call changed a path or a folder above it after one attempt began and before a later one ended.

    If another call removed what one attempt made, the next attempt makes it again, and that is its own change.
    """
    touched, folders = _touched(run)
    known = (touched[place] for place in (path, *folders.above(path)) if place in touched)
    return any(_any_other_between(calls, own, first, last) for calls in known)


def _any_other_between(calls: _ByLogicalCall, own: int, first: Record, last: Record) -> bool:
    """Whether any of these calls, except those of the own logical call, may have run between two attempts."""
    return any(
        order_of_instants(end_of(each), first.began, tolerance=0) != -1
        and order_of_instants(last.ended, start_of(each), tolerance=0) != -1
        for number, others in calls.items()
        if number != own
        for each in others
    )


def _told_attempts(run: Run) -> Iterator[tuple[LogicalCall, Attempt, Record]]:
    """Later attempts with the results in which they may tell what an earlier one, which has a result too, had done."""
    for logical in retried(run):
        told = [(each, each.result) for each in logical.attempts if each.result is not None]
        yield from ((logical, each, last) for each, last in told[1:])


@check("EFF-17", each=_told_attempts)
def an_attempt_reports_its_own_changes(run: Run, subject: tuple[LogicalCall, Attempt, Record]) -> Iterator[Finding]:
    """What an earlier attempt created or deleted last, a later one does not create or delete again."""
    logical, other, last = subject
    if is_the_hosts_word(other):
        return
    done, own = _done_before(run)[id(other)], _number(run)[id(other)]
    unsettled: dict[int, bool] = {}
    for change in changes_of(last):
        for fate, result in done.get(change.path, ()):
            if fate is not change.fate or fate is Fate.MODIFIED:
                continue
            if id(result) not in unsettled:
                unsettled[id(result)] = _any_other_between(_silent_calls(run), own, result, last)
            if not unsettled[id(result)] and not _undone_by_others(run, own, change.path, result, last):
                yield Finding(
                    f"an attempt of {logical.name} lists {change.path} as {fate.value}, as an earlier attempt did",
                    "only the attempt's own changes",
                    (witness("R1", result), witness("R2", last)),
                    misses=_misses(run, change.path),
                )


def _claims(run: Run) -> Mapping[tuple[Fate, str], list[tuple[int, int, Record]]]:
    """The results, with times, that list each creation, deletion or rename; paths with other fates are left out."""
    claims: dict[tuple[Fate, str], list[tuple[int, int, Record]]] = {}
    fates: dict[str, set[Fate]] = {}
    finest = finest_stamp(run)
    for attempt, changes in changes_by_attempt(run):
        if not changes:
            continue
        result = attempt.result
        start, end = (result.began, result.moment) if result is not None else (None, None)
        for change in changes:
            fates.setdefault(change.path, set()).add(change.fate)
            if result is not None and start is not None and end is not None and change.fate is not Fate.MODIFIED:
                rows = claims.setdefault((change.fate, change.path), [])
                # The time at which it had certainly begun: a coarser time may lie before the true one.
                rows.append((start.nanoseconds + start.resolution - finest, end.nanoseconds, result))
    return {key: rows for key, rows in claims.items() if len(fates[key[1]]) == 1}


def _with_changes(run: Run) -> Iterator[Run]:
    """Runs in which two calls that list changes ran at the same time."""
    rows = sorted({(start, end, each.call_id or "") for rows in _claims(run).values() for start, end, each in rows})
    if any(start < end for (_, end, _), (start, _, _) in pairwise(rows)):
        yield run


def _both_are_the_hosts_word(run: Run, one: Record, other: Record) -> bool:
    attempts = (run.attempt_by_call_id.get(each.call_id or "") for each in (one, other))
    return all(each is not None and is_the_hosts_word(each) for each in attempts)


@check("EFF-16", each=_with_changes)
def an_effect_belongs_to_one_call(run: Run, _subject: Run) -> Iterator[Finding]:
    """Two calls that ran at once do not list the same creation or deletion."""
    for (fate, path), rows in _claims(run).items():
        rows.sort(key=lambda row: (row[0], row[1], row[2].source))
        for (_, ended, one), (began, _, other) in pairwise(rows):
            if began >= ended or one.call_id == other.call_id or _both_are_the_hosts_word(run, one, other):
                continue
            yield Finding(
                f"{owner(one)} and {owner(other)} both list {path} as {fate.value}",
                "each change is listed by one call; these ran at the same time",
                (witness("R1", one), witness("R2", other)),
            )
