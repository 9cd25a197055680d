"""Compares what earlier calls of a run left at a path with what later calls say that they found there.

The order and the doubts are those of ``checks.path_history``: results stand in the order of their ends, and nothing
is known of paths that several calls touched at the same time.  Changes below a path that was moved are handed
over, except those that went together with it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final, NamedTuple

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.effects import Change
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.stamps import Span, spans_of
from callproof.auditing.prover.unproved import demand
from callproof.checks.changes import MOVING, Fate, Folders, alike

_ORDER: Final = (Fate.DELETED, Fate.RENAMED_FROM, Fate.RENAMED_TO, Fate.MODIFIED, Fate.CREATED)

Told = list[tuple[Seen, list[Change]]]

# Beginning and end of a call, each with the line of its event, and its id.
_Moment = tuple[str, int]
_Span = tuple[_Moment, _Moment, str]


class _Known(NamedTuple):
    kind: str | None
    etag: str | None


def prove_history(case: Case, told: Told) -> None:
    """Changes fit what earlier calls left behind, and each belongs to one call."""
    if len(told) < 2:
        return
    spans = sorted([(seen.started_at, seen.ended_at) for seen, _ in told])
    # With coarse stamps a start may be stated earlier than it is certain, so these spans do not show who came first.
    coarse = spans_of(case.stamps)
    if coarse or any(start < end for (_, end), (start, _) in pairwise(spans)):
        _prove_claims(case, told, coarse)
    _refuse_below_moved(told)
    _refuse_around_others(told, coarse)
    paths: list[str] = []
    for _, changes in told:
        paths += [changes[0].path] if len(changes) == 1 else {each.path for each in changes}
    if len(set(paths)) == len(paths):
        return  # no path was touched twice, so nothing was known of any path
    _refuse_beside_silence(case, told, coarse)
    _replay(case, told, _contested(told, coarse))
    _prove_attempts(case, {seen.call_id: changes for seen, changes in told})


def _refuse_below_moved(told: Told) -> None:
    movers: dict[str, set[str]] = {}
    for seen, changes in told:
        for each in changes:
            if each.fate in MOVING:
                movers.setdefault(each.path, set()).add(seen.call_id)
    moved = Folders(movers)
    for seen, changes in told if movers else ():
        sources = {each.path for each in changes if each.fate is Fate.RENAMED_FROM}
        _refuse_moved_along(changes)
        for each in changes:
            demand(each.fate is not Fate.RENAMED_TO or each.path not in sources, "a rename onto what was moved on")
            goes = each.fate in (Fate.DELETED, Fate.RENAMED_FROM)
            for folder in moved.above(each.path):
                # A change that puts something below a moved folder says that the folder is there again.
                demand(goes and movers[folder] == {seen.call_id}, "a change below what was moved")


def _refuse_moved_along(changes: list[Change]) -> None:
    """Hand over a call that also modified what it moved: it may list the old path or the new one."""
    ends = {each.path for each in changes if each.fate in (Fate.RENAMED_FROM, Fate.RENAMED_TO)}
    folders = Folders(ends)
    for each in changes if ends else ():
        if each.fate is Fate.MODIFIED:
            demand(each.path not in ends and next(folders.above(each.path), None) is None, "a change of what was moved")


def _refuse_around_others(told: Told, coarse: list[Span]) -> None:
    """Hand over changes below what another call touched, unless it made a folder there and had ended before."""
    touched: dict[str, list[tuple[Seen, Change]]] = {}
    for seen, changes in told:
        for each in changes:
            touched.setdefault(each.path, []).append((seen, each))
    listed = Folders(touched)
    for seen, changes in told:
        began = coarse[seen.line][0] if coarse else seen.started_at
        for folder in {above for each in changes for above in listed.above(each.path)}:
            for other, change in touched[folder]:
                if change.fate in MOVING or other is seen:
                    continue  # what lies below what was moved is handed over elsewhere
                made = change.fate is Fate.CREATED and change.entry is not None and change.entry.kind == "folder"
                ended = coarse[other.line][1] if coarse else other.ended_at
                demand(made and ended <= began, "a change below what another call touched")


def _refuse_beside_silence(case: Case, told: Told, coarse: list[Span]) -> None:
    """Hand over changes during a write that reports no effects: it may have changed any path at any moment."""
    listed = {seen.call_id for seen, changes in told if changes}
    spans = [
        (*(coarse[each.line][:2] if coarse else (each.started_at, each.ended_at)), _is_silent(each))
        for each in case.calls
        if each.call_id in listed or _is_silent(each)
    ]
    last = last_silent = ""
    for start, end, silent in sorted(spans):
        demand(start >= (last if silent else last_silent), "a change beside a write that tells nothing")
        last = max(last, end)
        last_silent = max(last_silent, end) if silent else last_silent


def _contested(told: Told, coarse: list[Span]) -> set[str]:
    spans: dict[str, set[_Span]] = {}
    for seen, changes in told:
        start, end = coarse[seen.line][:2] if coarse else (seen.started_at, seen.ended_at)
        span = (start, seen.started), (end, seen.closed), seen.call_id
        for change in changes:
            spans.setdefault(change.path, set()).add(span)
    return {path for path, each in spans.items() if len(each) > 1 and _overlap(sorted(each))}


def _overlap(spans: list[_Span]) -> bool:
    last = "", -1
    for start, end, _ in spans:
        if start < last:
            return True
        last = max(last, end)
    return False


def _replay(case: Case, told: Told, contested: set[str]) -> None:
    known: dict[str, _Known] = {}
    by_call = {seen.call_id: changes for seen, changes in told}
    # A call that lists no changes leaves all as it was, but for an etag.  After a write without effects, nothing is
    # known any more.
    asked = [each for each in case.calls if each.call_id in by_call or each.tool.writes]
    for seen in sorted(asked, key=lambda each: (each.ended_at, each.line)):
        changes = by_call.get(seen.call_id, [])
        for change in changes:
            before = None if change.path in contested else known.get(change.path)
            if before is not None:
                case.met |= _prove_known(seen, change, before, changes)
        if not changes and _is_silent(seen):
            known.clear()
        if len(changes) > 1:
            changes = sorted(changes, key=lambda each: _ORDER.index(each.fate))
        # Look up what moves before it is noted as gone: the same call may list it as deleted, too.
        moving = {each.other: known.get(each.other or "") for each in changes if each.fate is Fate.RENAMED_TO}
        for change in changes:
            _note(known, seen, change, moving.get(change.other))
        if seen.tool.writes:
            _take_again(known, seen, changes)


def _is_silent(seen: Seen) -> bool:
    """Whether a call may have written but reports no effects."""
    return seen.result.effects is UNSET and seen.started >= 0 and seen.tool.writes


def _prove_known(seen: Seen, change: Change, before: _Known, changes: list[Change]) -> int:
    """Prove a change at a path of which something is known; return the feature that is met."""
    entry = change.entry
    if change.fate is Fate.CREATED:
        demand(before.kind is None, "created what was there")
        return f.CREATED_KNOWN
    if change.fate is Fate.MODIFIED and entry is not None:
        demand(before.kind not in (None, "folder"), "modified what was not a file")
        found = entry.before_etag
        if isinstance(found, str) and before.etag is not None:
            demand(found.removeprefix("W/") == before.etag.removeprefix("W/"), "a broken chain of etags")
        return f.MODIFIED_KNOWN
    if change.fate is Fate.DELETED and entry is not None:
        demand(before.kind is not None, "deleted what was gone")
        demand(before.kind not in ("file", "folder") or entry.kind == before.kind, "deleted as another kind")
        return f.DELETED_KNOWN
    if change.fate is Fate.RENAMED_TO and before.kind is not None and not alike(change.path, change.other or ""):
        demand(any(each.fate is Fate.DELETED and each.path == change.path for each in changes), "replaced in silence")
        return f.RENAMED_ONTO
    return 0


def _note(known: dict[str, _Known], seen: Seen, change: Change, before: _Known | None) -> None:
    """Note what a change leaves behind; ``before`` is what was known of the thing that a rename put there."""
    path = change.path
    if change.fate in (Fate.DELETED, Fate.RENAMED_FROM):
        known[path] = _Known(None, None)
    elif change.fate is Fate.RENAMED_TO:
        kind = before.kind if before is not None and before.kind is not None else "file or folder"
        told = _etag_in_data(seen, path) or _etag_in_data(seen, path, "toPath")
        known[path] = _Known(kind, told or (before.etag if before is not None else None))
    elif change.entry is not None:
        own = change.entry.after_etag
        kind = "file" if change.fate is Fate.MODIFIED else change.entry.kind
        known[path] = _Known(kind, own if isinstance(own, str) and own else _etag_in_data(seen, path))


def _take_again(known: dict[str, _Known], seen: Seen, changes: list[Change]) -> None:
    """A file that is written again with the same bytes is not listed, and may have another etag."""
    path = _in_data(seen, "path")
    before = known.get(path) if isinstance(path, str) else None
    if before is not None and before.etag is not None and path not in [each.path for each in changes]:
        known[path] = before._replace(etag=_etag_in_data(seen, path))


def _etag_in_data(seen: Seen, path: str, named: str = "path") -> str | None:
    found = _in_data(seen, "etag") if _in_data(seen, named) == path else None
    return found if isinstance(found, str) else None


def _in_data(seen: Seen, name: str) -> Any:
    """A member of a result's data, None if it has no such member."""
    data, members = seen.data, seen.tool.data_members
    if is_dict(data):
        return data.get(name)
    return getattr(data, members[name]) if data is not None and name in members else None


def _prove_attempts(case: Case, changes: dict[str, list[Change]]) -> None:
    """An attempt does not create or delete again what an earlier one created or deleted (EFF-17)."""
    for attempts in case.logical.values():
        if len(attempts) < 2:
            continue
        earlier = set[tuple[Fate, str]]()
        for one in attempts:
            own = {(each.fate, each.path) for each in changes.get(one.call_id, ()) if each.fate is not Fate.MODIFIED}
            demand(not own & earlier, "the changes of an earlier attempt")
            earlier |= own


def _prove_claims(case: Case, told: Told, coarse: list[Span]) -> None:
    """Calls that ran at the same time do not list the same creation or deletion (EFF-16)."""
    fates: dict[str, set[Fate]] = {}
    for _, changes in told:
        for each in changes:
            fates.setdefault(each.path, set()).add(each.fate)
    rows: dict[tuple[Fate, str], list[tuple[str, str, int, str]]] = {}
    for seen, changes in told:
        began = coarse[seen.line][2] if coarse else seen.started_at
        span = (began, seen.ended_at, seen.line, seen.call_id)
        for each in changes:
            if each.fate is not Fate.MODIFIED and len(fates[each.path]) == 1:
                rows.setdefault((each.fate, each.path), []).append(span)
    ordered = sorted({(start, end, call_id) for each in rows.values() for start, end, _, call_id in each})
    if any(start < end for (_, end, _), (start, _, _) in pairwise(ordered)):
        case.met |= f.CONCURRENT_CHANGES
        for claims in rows.values():
            for (_, ended, _, one), (began, _, _, other) in pairwise(sorted(claims)):
                demand(began >= ended or one == other, "one change of two calls")
