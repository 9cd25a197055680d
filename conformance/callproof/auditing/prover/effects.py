"""Effects of each result, by themselves and beside the call, the tool and the data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import Effects, Entry
from callproof.auditing.prover.plain import is_dict, is_list
from callproof.auditing.prover.toolset import JOB_WORDS
from callproof.auditing.prover.unproved import demand
from callproof.auditing.prover.wording import argument
from callproof.checks.changes import Fate, alike
from callproof.values.vaultpaths import Breach, is_normal

_PRECHECKS: Final = frozenset({"VALIDATION_ERROR", "PRECONDITION_FAILED", "POLICY_DENIED"})
_KEPT: Final = 100_000
_normal: set[str] = set()


class Change:
    """One entry of effects about one path; ``other`` is the other end of a rename."""

    __slots__ = ("entry", "fate", "other", "path")

    def __init__(self, fate: Fate, path: str, entry: Entry | None, other: str | None = None) -> None:
        self.fate = fate
        self.path = path
        self.entry = entry
        self.other = other


def changes_of(effects: Any) -> list[Change]:
    """Everything that a result's effects list, list by list."""
    return list(_changes(effects)) if isinstance(effects, Effects) else []


def _changes(effects: Effects) -> Iterator[Change]:
    for fate, entries in (
        (Fate.CREATED, effects.created),
        (Fate.MODIFIED, effects.modified),
        (Fate.DELETED, effects.deleted),
    ):
        if is_list(entries):
            yield from (Change(fate, each.path, each) for each in entries)
    renamed = effects.renamed if is_list(effects.renamed) else []
    yield from (Change(Fate.RENAMED_FROM, each.old, None, each.new) for each in renamed)
    yield from (Change(Fate.RENAMED_TO, each.new, None, each.old) for each in renamed)


def _listed(effects: Any) -> bool:
    """Whether any list of effects has an entry."""
    return isinstance(effects, Effects) and any(
        each is not UNSET and each
        for each in (
            effects.side_effects_observed,
            effects.created,
            effects.modified,
            effects.deleted,
            effects.renamed,
        )
    )


def prove_effects(case: Case) -> list[tuple[Seen, list[Change]]]:
    """The effects of every result; gives the calls that list changes, with what they list."""
    found: list[tuple[Seen, list[Change]]] = []
    for seen in case.unbuilt:
        demand(not _listed(seen.result.effects), "effects of what was never built")
    for seen in case.calls:
        result, args = seen.result, seen.args
        effects = result.effects
        if effects is UNSET and seen.tool.only_reads and not (is_dict(args) or is_dict(seen.data)):
            case.met |= f.TOOL_ANSWER | f.READ if seen.started >= 0 else 0
            continue  # half of all calls are of this kind
        listed = effects is not UNSET and _listed(effects)
        if seen.dispatched:
            _prove_by_tool(case, seen, listed=listed)
        demand(not listed or (seen.dispatched and seen.error.code not in _PRECHECKS), "effects of a refusal")
        flag = seen.tool.dry_run
        dry = (args.get("dryRun") if is_dict(args) else getattr(args, flag) if flag else False) is True
        if dry:
            case.met |= f.DRY_RUN
            demand(not listed, "effects of a dry run")
        changes = changes_of(effects) if listed else []
        if changes:
            case.met |= f.CHANGES
            _prove_changes(case, changes)
            found.append((seen, changes))
        if result.status == "ok":
            _prove_beside_data(case, seen, changes, dry=dry)
    return found


def _prove_by_tool(case: Case, seen: Seen, *, listed: bool) -> None:
    tool, effects = seen.tool, seen.result.effects
    case.met |= f.TOOL_ANSWER
    if tool.risk == "read-only":
        demand(not listed, "effects of a reading tool")
        case.met |= f.READ
    if listed and tool.side_effects is not None and effects.side_effects_observed is not UNSET:
        demand(tool.side_effects.issuperset(effects.side_effects_observed), "an undeclared side effect")


def _prove_changes(case: Case, changes: list[Change]) -> None:
    """Paths are normal and inside, one path has one fate, and files hold no files."""
    plain: set[str] = set()
    paths = [each.path for each in changes]
    for change in changes:
        demand(_is_normal(change.path), "a path that is not normal")
        demand(case.policy.sandbox is None or case.policy.path(change.path).breach is not Breach.OUTSIDE, "outside")
        if change.entry is None:
            demand(change.path != change.other, "a rename to itself")
            continue
        demand(change.path not in plain, "a path with two fates")
        plain.add(change.path)
        _prove_entry(change, change.entry)
        if change.fate is Fate.CREATED and change.entry.kind == "file":
            below = change.path + "/"
            demand(not any(each.startswith(below) for each in paths), "a file that holds files")


def _prove_entry(change: Change, entry: Entry) -> None:
    if change.fate is Fate.MODIFIED:
        demand(entry.kind == "file", "a modified folder")
        demand(entry.before_etag is UNSET or entry.before_etag != entry.after_etag, "a change without one")


def _is_normal(path: str) -> bool:
    if path in _normal:
        return True
    if len(_normal) >= _KEPT:
        _normal.clear()
    if is_normal(path):
        _normal.add(path)
        return True
    return False


def _member(seen: Seen, name: str) -> Any:
    """A member of the data; None where it is absent."""
    data = seen.data
    if is_dict(data):
        return data.get(name)
    attr = seen.tool.data_members.get(name)
    found = getattr(data, attr) if attr is not None else None
    return None if found is UNSET else found


def _prove_beside_data(case: Case, seen: Seen, changes: list[Change], *, dry: bool) -> None:
    """Ok results: a job that is done, and the same in data and in effects."""
    told = seen.result.effects is not UNSET
    if seen.tool.risk == "writes":
        demand(told or dry, "a write without effects")
        case.met |= f.SUCCESSFUL_WRITE
    _prove_done(case, seen, dry=dry)
    if told and not dry:
        _prove_move(case, seen, changes)
        if seen.tool.writes:
            case.met |= f.TOLD_TWICE
            _prove_told_twice(seen, changes)


def _prove_done(case: Case, seen: Seen, *, dry: bool) -> None:
    """ERR-11."""
    data = seen.data
    if is_dict(data):
        words: list[tuple[str, Any]] = [(name, data[name]) for name in JOB_WORDS if name in data]
    else:
        words = [(name, value) for name, attr in seen.tool.job_words if (value := getattr(data, attr)) is not UNSET]
    for name, value in words:
        case.met |= f.JOB_WORD
        conditional = name == "deleted" and (argument(seen, "requireExists") is False or dry)
        undone = bool(value) if name == "errorMessage" else value is False and not conditional
        demand(dry or not undone, "a job that was not done")


def _has_word(seen: Seen, name: str) -> bool:
    data = seen.data
    if is_dict(data):
        return name in data
    attr = seen.tool.data_members.get(name)
    return attr is not None and getattr(data, attr) is not UNSET


def _prove_move(case: Case, seen: Seen, changes: list[Change]) -> None:
    old, new = argument(seen, "fromPath"), _member(seen, "toPath")
    if not _has_word(seen, "toPath"):
        new = argument(seen, "toPath")
    if not isinstance(old, str) or not isinstance(new, str) or old == new:
        return
    case.met |= f.MOVE
    created = any(each.fate is Fate.CREATED and each.path == new for each in changes)
    deleted = any(each.fate is Fate.DELETED and each.path == old for each in changes)
    demand(not (created and deleted), "a move told as two changes")
    demand(not alike(old, new), "a change of case")


def _prove_told_twice(seen: Seen, changes: list[Change]) -> None:
    path, old, new = _member(seen, "path"), _member(seen, "fromPath"), _member(seen, "toPath")
    if isinstance(path, str):
        for name, fate in (("created", Fate.CREATED), ("deleted", Fate.DELETED)):
            word = _member(seen, name)
            demand(not isinstance(word, bool) or _lists(changes, path, fate) is word, "data and effects differ")
    if isinstance(old, str) and isinstance(new, str) and old != new:
        demand(_lists(changes, old, Fate.RENAMED_FROM, Fate.DELETED), "data and effects differ")
        demand(_lists(changes, new, Fate.RENAMED_TO, Fate.CREATED), "data and effects differ")
    paths = {each.path for each in changes}
    for said in (path, old, new):
        if isinstance(said, str) and said not in paths:
            demand(not any(alike(each, said) for each in paths), "two spellings of a path")
    for change in changes:
        if change.entry is not None and change.path == path:
            _prove_same(seen, change, change.entry)


def _prove_same(seen: Seen, change: Change, entry: Entry) -> None:
    """EFF-04 and EFF-05 beside data."""
    etag, trashed = _member(seen, "etag"), _member(seen, "trashed")
    if change.fate is Fate.MODIFIED and isinstance(etag, str) and isinstance(entry.after_etag, str):
        demand(entry.after_etag.removeprefix("W/") == etag.removeprefix("W/"), "another etag than in data")
    if change.fate is Fate.DELETED and isinstance(trashed, bool):
        demand(entry.trashed is UNSET or entry.trashed is trashed, "trashed or not")


def _lists(changes: list[Change], path: str, *fates: Fate) -> bool:
    """Whether a path is among the changes of these kinds, in whatever spelling."""
    own = [each.path for each in changes if each.fate in fates]
    return path in own or any(alike(each, path) for each in own)
