"""Checks for the requirements in ``spec/effects.md`` that one result decides, alone or with its call and tool.

``effects_history`` has the checks that the history of the log decides, ``effects_world`` those that witnesses decide,
and ``effects_trash`` those about what was replaced and thrown away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from callproof.checks.changes import (
    EFFECT_LISTS,
    Change,
    Fate,
    Folders,
    alike,
    changes_of,
    is_dry,
    listed_effects,
    may_be_dry,
    turned_paths,
)
from callproof.checks.check import Finding, check, excerpt, witness
from callproof.checks.dispatching import place_of_end, risk_of, was_closed_unseen, was_held_back
from callproof.checks.effects_world import has_other_content
from callproof.checks.etags import is_another_in_data
from callproof.checks.matters import Matter
from callproof.checks.members import owner, under_any
from callproof.checks.world_changes import changed_paths
from callproof.trace.records import Kind, Record
from callproof.trace.registry import Tool
from callproof.trace.run import Attempt, Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.vaultpaths import is_normal

_MEMBERS: Mapping[str, tuple[str, ...]] = {
    "created": ("path",),
    "modified": ("path",),
    "deleted": ("path",),
    "renamed": ("from", "to"),
}
_KINDS: Mapping[str, tuple[str, ...]] = {
    "created": ("file", "folder"),
    "modified": ("file",),
    "deleted": ("file", "folder"),
}


@check("EFF-21", each=lambda run: (each for each in run.results if each.get("effects") is not None))
def effects_have_their_shape(_run: Run, result: Record) -> Iterator[Finding]:
    """Effects hold the five lists, each with entries of its own shape."""
    effects = result.object("effects")
    faults = [("", "effects is not an object")] if effects is None else _faults(effects)
    for where, fault in faults:
        if under_any(f"/effects{where}", result.redacted):
            continue  # a placeholder for a secret has no shape (A42)
        yield Finding(
            f"{owner(result)}: {fault}",
            "lists of {path, kind}, of {from, to}, and of strings",
            (witness("R", result),),
        )


def _faults(effects: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    """Why the lists of effects do not have their shape: each place, with a clause."""
    for name in EFFECT_LISTS:
        entries = effects.get(name)
        if entries is None:
            continue  # absent; null is tolerated for optional members (A30)
        if not is_array(entries):
            yield f"/{name}", f"{name} is not an array"
            continue
        for place, entry in enumerate(entries):
            where = f"{name}/{place}"
            if name == "sideEffectsObserved":
                if not isinstance(entry, str):
                    yield f"/{where}", f"{where} is not a string"
            elif not is_object(entry):
                yield f"/{where}", f"{where} is not an object"
            else:
                faulty = _faulty_members(entry, name)
                yield from ((f"/{where}/{each}", f"{where}/{each} is {excerpt(entry.get(each))}") for each in faulty)


def _faulty_members(entry: Mapping[str, Json], name: str) -> Iterator[str]:
    yield from (each for each in _MEMBERS[name] if not isinstance(entry.get(each), str) or not entry.get(each))
    if name in _KINDS and entry.get("kind") not in _KINDS[name]:
        yield "kind"
    if entry.get("trashed") is not None and not isinstance(entry["trashed"], bool):
        yield "trashed"
    for member in ("beforeEtag", "afterEtag"):
        if entry.get(member) is not None and not isinstance(entry[member], str):
            yield member


def _changed(run: Run) -> Iterator[tuple[Record, tuple[Change, ...]]]:
    for result in run.results:
        changes = changes_of(result)
        if changes:
            yield result, changes


@check("EFF-12", each=_changed)
def paths_are_normal(_run: Run, subject: tuple[Record, tuple[Change, ...]]) -> Iterator[Finding]:
    """Paths in effects are vault-relative, with forward slashes, without odd segments."""
    result, changes = subject
    for change in changes:
        if not is_normal(change.path):
            yield Finding(
                f"{owner(result)} lists the path {excerpt(change.path)} as {change.fate.value}",
                "a vault-relative path with forward slashes, without empty, . or .. segments",
                (witness("R", result),),
            )


@check("EFF-13", each=_changed)
def one_path_has_one_fate(_run: Run, subject: tuple[Record, tuple[Change, ...]]) -> Iterator[Finding]:
    """A path is in at most one of created, modified and deleted, and a rename leads elsewhere."""
    result, changes = subject
    fates: dict[str, list[str]] = {}
    for change in changes:
        if change.fate in (Fate.CREATED, Fate.MODIFIED, Fate.DELETED):
            fates.setdefault(change.path, []).append(change.fate.value)
        elif change.fate is Fate.RENAMED_TO and change.path == change.other:
            yield Finding(
                f"{owner(result)} lists {change.path} as renamed to itself",
                "a rename to another path",
                (witness("R", result),),
            )
    turned = turned_paths(changes)
    for path, names in fates.items():
        if len(names) > 2 or (len(names) > 1 and path not in turned):
            yield Finding(
                f"{owner(result)} lists {path} as {' and '.join(names)}",
                "one entry for one path",
                (witness("R", result),),
            )


_ENDS = {Fate.RENAMED_FROM: "from", Fate.RENAMED_TO: "to"}


@check("EFF-13", each=_changed)
def one_path_is_moved_once(_run: Run, subject: tuple[Record, tuple[Change, ...]]) -> Iterator[Finding]:
    """No path is the beginning of two renames, or the end of two."""
    result, changes = subject
    for (fate, path), times in Counter((each.fate, each.path) for each in changes if each.fate in _ENDS).items():
        if times > 1:
            yield Finding(
                f"{owner(result)} lists {path} as {_ENDS[fate]} in {times} renames",
                "one rename from a path, and one to it",
                (witness("R", result),),
            )


_COMING = frozenset({Fate.CREATED, Fate.RENAMED_TO})
_GOING = frozenset({Fate.DELETED, Fate.RENAMED_FROM})


@check("EFF-11", each=_changed)
def a_file_holds_no_files(_run: Run, subject: tuple[Record, tuple[Change, ...]]) -> Iterator[Finding]:
    """A path below which the same effects list another one is a folder, unless the other kind came in its place."""
    result, changes = subject
    files = [each for each in changes if each.fate in (Fate.CREATED, Fate.DELETED) and each.kind == "file"]
    named, turned = Folders({each.path for each in files}), turned_paths(changes)
    holding: dict[str, set[Fate]] = {}
    for each in changes:
        for path in named.above(each.path):
            holding.setdefault(path, set()).add(each.fate)
    for change in files:
        # What came below a file that is gone came into a folder in its place; what went had lain in one before it.
        came_later = change.fate is Fate.DELETED and holding.get(change.path, set()) <= _COMING
        went_before = change.path in turned and holding.get(change.path, set()) <= _GOING
        if change.path in holding and not came_later and not went_before:
            yield Finding(
                f"{owner(result)} lists {change.path} as a file and another path below it",
                "the kind folder",
                (witness("R", result),),
            )


@check("EFF-25", each=_changed)
def identical_bytes_are_no_change(run: Run, subject: tuple[Record, tuple[Change, ...]]) -> Iterator[Finding]:
    """A modified file has different etags before and after."""
    result, changes = subject
    for change in changes:
        before = change.text("beforeEtag")
        if change.fate is Fate.MODIFIED and before is not None and before == change.text("afterEtag"):
            other = is_another_in_data(result, change.path, before) or has_other_content(run, result, change)
            yield Finding(
                f"{owner(result)} lists {change.path} as modified with the etag {excerpt(before)} before and after",
                "no entry for a file whose content did not change",
                (witness("R", result),),
                matter=Matter.AFTER_ETAG if other else None,  # EFF-04 reports the etag that is not the file's
            )


def _by_tool(run: Run) -> Iterator[tuple[Attempt, Record, Tool]]:
    for attempt in run.attempts:
        tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry is not None else None
        if attempt.result is not None and tool is not None and not was_held_back(attempt):
            yield attempt, attempt.result, tool


@check("EFF-15", each=_by_tool, needs=("registry",))
def side_effects_are_declared(_run: Run, subject: tuple[Attempt, Record, Tool]) -> Iterator[Finding]:
    """The tool declares each kind of side effect that was observed."""
    _, result, tool = subject
    kinds = (result.object("effects") or {}).get("sideEffectsObserved")
    for place, kind in enumerate(kinds if is_array(kinds) else ()):
        if under_any(f"/effects/sideEffectsObserved/{place}", result.redacted):
            continue  # a placeholder for a secret is of no kind (A42)
        if isinstance(kind, str) and tool.side_effects is not None and kind not in tool.side_effects:
            yield Finding(
                f"{owner(result)} lists {excerpt(kind)} in sideEffectsObserved",
                f"kinds that {tool.name} declares: {', '.join(sorted(tool.side_effects)) or 'none'}",
                (witness("R", result),),
            )


def _reads(run: Run) -> Iterator[tuple[Attempt, Record]]:
    for attempt in run.attempts:
        if attempt.result is not None and risk_of(run, attempt) == "read-only" and not was_held_back(attempt):
            yield attempt, attempt.result


@check("EFF-09", each=_reads)
def reading_changes_nothing(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """A call of a read-only tool has no effects."""
    attempt, result = subject
    listed = listed_effects(result)
    if listed:
        yield Finding(
            f"{owner(result)} had effects ({', '.join(listed)}), but {attempt.call.text('tool')} is read-only",
            "no effects",
            (witness("C", attempt.call), witness("R", result)),
        )


@check("EFF-19", each=lambda run: filter(was_held_back, run.attempts), needs=("events",))
def what_was_not_dispatched_changed_nothing(_run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A call that never began has no effects; RES-19 checks skipped calls, POL-14 denied ones."""
    result = attempt.result
    listed = listed_effects(result) if was_closed_unseen(attempt) else ()
    # A call that is ok or ran out of time was dispatched; its start is what is missing (EVT-14).
    spoken_for = attempt.status in ("skipped", "ok", "timeout") or attempt.code == "POLICY_DENIED"
    if listed and result is not None and not spoken_for:
        yield Finding(
            f"{owner(result)} had effects ({', '.join(listed)}), but was never dispatched",
            "no effects",
            (witness("C", attempt.call), witness("R", result)),
            misses=(Kind.EVENT,),
            before=place_of_end(attempt),
        )


def _successful_writes(run: Run) -> Iterator[tuple[Attempt, Record]]:
    for attempt in run.attempts:
        if attempt.status == "ok" and attempt.result is not None and risk_of(run, attempt) == "writes":
            yield attempt, attempt.result


@check("EFF-20", each=_successful_writes, needs=("run record",))
def writes_say_what_they_changed(_run: Run, subject: tuple[Attempt, Record]) -> Iterator[Finding]:
    """An ok result of a writing tool has effects, empty ones included."""
    attempt, result = subject
    if result.get("effects") is None and not may_be_dry(attempt) and not under_any("/effects", result.redacted):
        yield Finding(
            f"{owner(result)} of {attempt.call.text('tool')} had no effects",
            "effects, empty if nothing changed",
            (witness("R", result),),
        )


@check("EFF-23", each=lambda run: (each for each in run.attempts if is_dry(each)))
def a_dry_run_has_no_effects(run: Run, attempt: Attempt) -> Iterator[Finding]:
    """A dry run lists no changes."""
    paths = [change.path for change in changes_of(attempt.result)]
    if paths and attempt.result is not None:
        changed = changed_paths(run.world) if run.world is not None else ()
        yield Finding(
            f"{owner(attempt.result)} of a dry run lists changes of {', '.join(paths[:5])}",
            "no change and no effects; data says what would change",
            (witness("C", attempt.call), witness("R", attempt.result)),
            # POL-11 reports what the folder shows (A90): then the list is true, and the deed is the fault.
            matter=Matter.FOLDER if set(paths) <= set(changed) else None,
        )


def _moves(run: Run) -> Iterator[tuple[Attempt, Record, str, str]]:
    """Ok results with effects of calls that name two paths: the old one and the new one."""
    for attempt in run.attempts:
        args = attempt.call.object("args") or {}
        data = (attempt.result.object("data") if attempt.result is not None else None) or {}
        old, new = args.get("fromPath"), data.get("toPath", args.get("toPath"))
        if attempt.result is None or attempt.status != "ok" or attempt.result.object("effects") is None:
            continue
        if isinstance(old, str) and isinstance(new, str) and old != new and not may_be_dry(attempt):
            yield attempt, attempt.result, old, new


@check("EFF-06", each=_moves)
def a_move_is_one_entry(_run: Run, subject: tuple[Attempt, Record, str, str]) -> Iterator[Finding]:
    """A move is not listed as a creation and a deletion, nor as one of them beside its entry of renamed."""
    _, result, old, new = subject
    changes = changes_of(result)
    made = any(each.fate is Fate.CREATED and each.path == new for each in changes)
    gone = any(each.fate is Fate.DELETED and each.path == old for each in changes)
    renames = {(each.other, each.path) for each in changes if each.fate is Fate.RENAMED_TO}
    # Something that the call moved to the old path may have replaced what had come there meanwhile (A91).
    refilled = any(target == old for _, target in renames)
    if (made and gone) or ((old, new) in renames and (made or (gone and not refilled))):
        told = [f"{old} as deleted"] if gone else []
        told += [f"{new} as created"] if made else []
        told += [f"{old} as renamed to {new}"] if (old, new) in renames else []
        yield Finding(
            f"{owner(result)} lists {' and '.join(told)}",
            "one entry in renamed",
            (witness("R", result),),
        )


@check("EFF-06", each=_moves)
def what_lies_in_a_moved_folder_goes_with_it(_run: Run, subject: tuple[Attempt, Record, str, str]) -> Iterator[Finding]:
    """Beside the entry of a moved folder, what lies in it is not listed as a creation and a deletion."""
    _, result, old, new = subject
    changes = changes_of(result)
    if not any((each.fate, each.other, each.path) == (Fate.RENAMED_TO, old, new) for each in changes):
        return
    gone = {each.path for each in changes if each.fate is Fate.DELETED}
    for each in changes:
        source = f"{old}/{each.path.removeprefix(f'{new}/')}" if each.path.startswith(f"{new}/") else ""
        if each.fate is Fate.CREATED and source in gone:
            told = f"{source} as deleted and {each.path} as created, beside {old} as renamed to {new}"
            yield Finding(
                f"{owner(result)} lists {told}",
                "one entry in renamed, for the folder",
                (witness("R", result),),
            )


def _respelt(run: Run) -> Iterator[tuple[Attempt, Record, str, str]]:
    """Moves to another spelling of the same name, if all that the effects list can be read (A42)."""
    for each in _moves(run):
        if alike(each[2], each[3]) and not each[1].is_redacted_in("effects"):
            yield each


@check("EFF-24", each=_respelt)
def a_change_of_case_is_a_rename(_run: Run, subject: tuple[Attempt, Record, str, str]) -> Iterator[Finding]:
    """A rename to another spelling of the same name is listed as one."""
    _, result, old, new = subject
    if not any(each.fate is Fate.RENAMED_TO and each.path == new and each.other == old for each in changes_of(result)):
        yield Finding(
            f"{owner(result)} does not list the rename of {old} to {new}",
            "one entry in renamed, even if only case or Unicode form changed",
            (witness("R", result),),
        )
