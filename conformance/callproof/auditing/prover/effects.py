"""The effects of each result, by themselves and compared with the call, the tool and the data."""

from __future__ import annotations

from typing import Any, Final

from msgspec import UNSET, Struct
from msgspec.structs import astuple

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import Entry
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.toolset import JOB_WORDS, TOLD
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.auditing.prover.wording import argument
from callproof.checks.changes import Fate, Folders, alike
from callproof.values.vaultpaths import Breach, is_normal

_PRECHECKS: Final = frozenset({"VALIDATION_ERROR", "PRECONDITION_FAILED", "POLICY_DENIED"})
_KEPT: Final = 4_096
_normal: set[str] = set()


class Change(Struct, gc=False, eq=False):
    """One entry of effects about one path; ``other`` is the other end of a rename."""

    fate: Fate
    path: str
    entry: Entry | None
    other: str | None = None


def changes_of(effects: Any) -> list[Change]:
    """Everything that a result's effects list, list by list."""
    if effects is UNSET:
        return []
    found: list[Change] = []
    if effects.created is not UNSET:
        found += [Change(Fate.CREATED, each.path, each) for each in effects.created]
    if effects.modified is not UNSET:
        found += [Change(Fate.MODIFIED, each.path, each) for each in effects.modified]
    if effects.deleted is not UNSET:
        found += [Change(Fate.DELETED, each.path, each) for each in effects.deleted]
    if effects.renamed is not UNSET:
        found += [Change(Fate.RENAMED_FROM, each.old, None, each.new) for each in effects.renamed]
        found += [Change(Fate.RENAMED_TO, each.new, None, each.old) for each in effects.renamed]
    return found


def _listed(effects: Any, changes: list[Change]) -> bool:
    """Whether any list of effects has an entry."""
    return bool(changes) or (effects is not UNSET and bool(effects.side_effects_observed))


def prove_effects(case: Case) -> list[tuple[Seen, list[Change]]]:
    """Prove the effects of every result; return the calls that list changes, with these changes."""
    found: list[tuple[Seen, list[Change]]] = []
    for seen in case.unbuilt:
        effects = seen.result.effects
        demand(not _listed(effects, changes_of(effects)), "effects of what was never built")
    for seen in case.calls:
        result, args, tool = seen.result, seen.args, seen.tool
        effects = result.effects
        if effects is UNSET and tool.only_reads and type(args) is not dict and type(seen.data) is not dict:
            case.met |= f.TOOL_ANSWER | f.READ if seen.started >= 0 else 0
            continue  # about half of all calls are such calls
        changes = changes_of(effects)
        listed = _listed(effects, changes)
        if seen.started >= 0:
            _prove_by_tool(case, seen, listed=listed)
        if listed and (seen.started < 0 or seen.error.code in _PRECHECKS):
            raise Unproved("effects of a refusal")
        flag = tool.dry_run
        dry = _is_dry(args, flag)
        if dry:
            case.met |= f.DRY_RUN
            demand(not listed, "effects of a dry run")
        if changes:
            case.met |= f.CHANGES
            _prove_changes(case, changes)
            found.append((seen, changes))
        if result.status == "ok":
            _prove_beside_data(case, seen, changes, dry=dry)
    return found


def _is_dry(args: Any, flag: str | None) -> bool:
    if is_dict(args):
        return args.get("dryRun") is True
    return flag is not None and getattr(args, flag) is True


def _prove_by_tool(case: Case, seen: Seen, *, listed: bool) -> None:
    tool, effects = seen.tool, seen.result.effects
    case.met |= f.TOOL_ANSWER
    if tool.risk == "read-only":
        demand(not listed, "effects of a reading tool")
        case.met |= f.READ
    if listed and tool.side_effects is not None and effects.side_effects_observed is not UNSET:
        demand(tool.side_effects.issuperset(effects.side_effects_observed), "an undeclared side effect")


def _prove_changes(case: Case, changes: list[Change]) -> None:
    """Paths are normal and inside, a path has one fate, and no file contains files."""
    plain: set[str] = set()
    moved: set[tuple[Fate, str]] = set()
    policy = case.policy
    for change in changes:
        path, entry = change.path, change.entry
        if path not in _normal and not _is_normal(path):
            raise Unproved("a path that is not normal")
        if policy.sandbox is not None and path not in policy.inside and policy.path(path).breach is Breach.OUTSIDE:
            raise Unproved("a change outside of the sandbox")
        if entry is None:
            if path == change.other:
                raise Unproved("a rename to itself")
            if (change.fate, path) in moved:
                raise Unproved("two renames of one path")
            moved.add((change.fate, path))
            continue
        if path in plain:
            raise Unproved("a path with two fates")
        plain.add(path)
        same = entry.before_etag is not UNSET and entry.before_etag == entry.after_etag
        if change.fate is Fate.MODIFIED and (entry.kind != "file" or same):
            raise Unproved("a modified folder, or a change without one")
    if len(changes) > 1:
        _prove_files(changes)


def _prove_files(changes: list[Change]) -> None:
    entries = ((each.path, each.entry) for each in changes if each.fate in (Fate.CREATED, Fate.DELETED))
    files = {path for path, entry in entries if entry is not None and entry.kind == "file"}
    named = Folders(files)
    for change in changes if files else ():
        demand(not any(named.above(change.path)), "a file that holds files")


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
    """A member of the data; None if it is absent."""
    data = seen.data
    if is_dict(data):
        return data.get(name)
    attr = seen.tool.data_members.get(name)
    found = getattr(data, attr) if attr is not None else None
    return None if found is UNSET else found


def _prove_beside_data(case: Case, seen: Seen, changes: list[Change], *, dry: bool) -> None:
    """An ok result reports a job that is done, and its data agree with its effects."""
    tool, told = seen.tool, seen.result.effects is not UNSET
    if tool.risk == "writes":
        if not told and not dry:
            raise Unproved("a write without effects")
        case.met |= f.SUCCESSFUL_WRITE
    if tool.job_words or type(seen.data) is dict:
        _prove_done(case, seen, dry=dry)
    if told and not dry:
        if "fromPath" in tool.members or type(seen.args) is dict:
            _prove_move(case, seen, changes)
        if tool.writes:
            case.met |= f.TOLD_TWICE
            _prove_told_twice(seen, changes)


def _prove_done(case: Case, seen: Seen, *, dry: bool) -> None:
    """ERR-11."""
    data = seen.data
    if is_dict(data):
        words: list[tuple[str, Any]] = [(name, data[name]) for name in JOB_WORDS if name in data]
    elif seen.tool.job_words:
        words = [(name, value) for name, attr in seen.tool.job_words if (value := getattr(data, attr)) is not UNSET]
    else:
        return
    for name, value in words:
        case.met |= f.JOB_WORD
        conditional = name == "deleted" and argument(seen, "requireExists") is False
        demand(dry or conditional or value is not False, "a job that was not done")


def _has_word(seen: Seen, name: str) -> bool:
    data = seen.data
    if is_dict(data):
        return name in data
    attr = seen.tool.data_members.get(name)
    return attr is not None and getattr(data, attr) is not UNSET


def _prove_move(case: Case, seen: Seen, changes: list[Change]) -> None:
    old = argument(seen, "fromPath")
    if not isinstance(old, str):
        return
    new = _member(seen, "toPath")
    if not _has_word(seen, "toPath"):
        new = argument(seen, "toPath")
    if not isinstance(new, str) or old == new:
        return
    case.met |= f.MOVE
    created = any(each.fate is Fate.CREATED and each.path == new for each in changes)
    deleted = any(each.fate is Fate.DELETED and each.path == old for each in changes)
    demand(not (created or deleted), "a move told as two changes, or a half of it beside it")
    came = any(each.fate is Fate.CREATED and each.path.startswith(f"{new}/") for each in changes)
    went = any(each.fate is Fate.DELETED and each.path.startswith(f"{old}/") for each in changes)
    demand(not (came and went), "what lay in a moved folder told as two changes")
    demand(not alike(old, new), "a change of case")


def _told(seen: Seen) -> tuple[Any, ...]:
    """What data say of paths and of what became of them: the members ``TOLD``, as far as they exist."""
    data = seen.data
    if is_dict(data):
        return tuple([data.get(name) for name in TOLD])
    return seen.tool.told((*astuple(data), None))


def _prove_told_twice(seen: Seen, changes: list[Change]) -> None:
    path, old, new, created, deleted, etag, trashed = _told(seen)
    plainly = len(changes) == 1 and changes[0].path == path  # nearly always true
    for word, fate in ((created, Fate.CREATED), (deleted, Fate.DELETED)):
        if isinstance(word, bool) and isinstance(path, str):
            listed = changes[0].fate is fate if plainly else _lists(changes, path, fate)
            demand(listed is word, "data and effects differ")
    if not plainly or isinstance(old, str) or isinstance(new, str):
        _prove_paths_told(changes, path, old, new)
    for change in changes:
        if change.entry is not None and change.path == path:
            _prove_same(change, change.entry, etag, trashed)


def _prove_paths_told(changes: list[Change], path: Any, old: Any, new: Any) -> None:
    """Data and effects both report a move, and no path is spelt in two ways."""
    if isinstance(old, str) and isinstance(new, str) and old != new:
        demand(_lists(changes, old, Fate.RENAMED_FROM, Fate.DELETED), "data and effects differ")
        demand(_lists(changes, new, Fate.RENAMED_TO, Fate.CREATED), "data and effects differ")
    paths = [each.path for each in changes]
    for said in (path, old, new):
        if isinstance(said, str) and said not in paths:
            demand(not any(alike(each, said) for each in paths), "two spellings of a path")


def _prove_same(change: Change, entry: Entry, etag: Any, trashed: Any) -> None:
    """EFF-04 and EFF-05, compared with data."""
    if change.fate is Fate.MODIFIED and isinstance(etag, str) and isinstance(entry.after_etag, str):
        demand(entry.after_etag.removeprefix("W/") == etag.removeprefix("W/"), "another etag than in data")
    if change.fate is Fate.DELETED and isinstance(trashed, bool):
        demand(entry.trashed is UNSET or entry.trashed is trashed, "trashed or not")


def _lists(changes: list[Change], path: str, *fates: Fate) -> bool:
    """Whether a path, in any spelling, is among the changes of these kinds."""
    own = [each.path for each in changes if each.fate in fates]
    return path in own or any(alike(each, path) for each in own)
