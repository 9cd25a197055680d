"""Checks for what a call of the system's own tools was told to keep (``spec/effects.md``): guards, and their defaults.

A tool may ignore a guard and report so truthfully: then its effects contradict its arguments.  If its effects do not
show it, the folder is compared with what only the scenario knows: which paths its calls have to leave alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from callproof.checks.changes import Change, Fate, changes_of, is_dry
from callproof.checks.check import STARTED, Finding, check, excerpt, witness
from callproof.checks.dispatching import was_dispatched, writes
from callproof.checks.effects_trash import name_on_disk, told_of_the_trash
from callproof.checks.etags import differ
from callproof.checks.matters import Matter
from callproof.checks.members import owner
from callproof.checks.scenario_facts import fact
from callproof.trace.records import Record
from callproof.trace.registry import Tool
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Entry
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object
from callproof.values.vaultpaths import normalise

_REPLACES_NOTHING = ("error", "create-unique")
_NAMES = ("path", "toPath")


def _guarded(run: Run) -> Iterator[tuple[Attempt, Mapping[str, Json], str]]:
    """Dispatched calls of the system's own tools, once for each guard among their arguments, with that guard."""
    for attempt in run.attempts:
        tool = run.registry.resolve(attempt.call.text("tool") or "") if run.registry is not None else None
        args = attempt.call.object("args")
        own = tool is not None and tool.value.get("host") == "system" and was_dispatched(attempt)
        if tool is None or not own or args is None or is_dry(attempt) or attempt.result is None:
            continue
        if not attempt.call.is_redacted_in("args"):
            yield from ((attempt, args, guard) for guard in _guards(tool, args))


def _guards(tool: Tool, args: Mapping[str, Json]) -> Iterator[str]:
    if args.get("ifNotExists") is True:
        yield "ifNotExists"
    if args.get("collisionStrategy") in _REPLACES_NOTHING:
        yield "collisionStrategy"
    if isinstance(args.get("expectedEtag"), str):
        yield "expectedEtag"
    if args.get("trash", _default(tool, "trash")) is True:
        yield "trash"


def _default(tool: Tool, name: str) -> Json:
    """The default that the tool's descriptor gives for an argument that is left out."""
    properties = tool.input_schema.get("properties")
    member = properties.get(name) if is_object(properties) else None
    return member.get("default") if is_object(member) else None


@check("EFF-26", each=_guarded, needs=("deeds",))
def a_guard_is_kept(run: Run, subject: tuple[Attempt, Mapping[str, Json], str]) -> Iterator[Finding]:
    """The effects of a call list nothing that one of its guards forbids."""
    attempt, args, guard = subject
    result = attempt.result
    if result is None:
        return
    for change in changes_of(result):
        if guard == "expectedEtag" and _is_told_otherwise(change, result):
            continue  # EFF-04 reports etags that are not the file's own; they prove nothing here
        if _forbids(guard, args, change, _named(attempt, args)):
            said = f"{guard} {excerpt(args[guard])}" if guard in args else f"the default of {guard}, which is true"
            yield Finding(
                f"{owner(result)} lists {change.path} as {change.fate.value}{_of(guard, change)}, under {said}",
                "no change that a guard forbids",
                (witness("C", attempt.call), witness("R", result)),
                matter=Matter.TRASHED if guard == "trash" and _may_be_taken_back(run, result, change) else None,
            )


def _may_be_taken_back(run: Run, result: Record, change: Change) -> bool:
    """Whether the trash or the data shows what is listed as lost: then EFF-05 reports that the list is not true."""
    data = result.object("data") or {}
    if data.get("trashed") is True and f"{change.path}/".startswith(f"{data.get('path')}/"):
        return True
    if change.kind == "folder":  # an empty folder cannot be recognised in the trash, and what lay in it can
        inside = (each for each in changes_of(result) if each.path.startswith(f"{change.path}/"))
        return any(_may_be_taken_back(run, result, each) for each in inside)
    gone = run.world.before.get(name_on_disk(change.path)) if run.world is not None else None
    return any(True for _ in told_of_the_trash(run, result, change, gone))


def _forbids(guard: str, args: Mapping[str, Json], change: Change, named: frozenset[str]) -> bool:
    if guard == "trash":
        return change.fate is Fate.DELETED and change.entry.get("trashed") is False
    if normalise(change.path) not in named:
        return False
    if guard == "expectedEtag":
        there, wanted = change.text("beforeEtag"), str(args[guard])
        other = there is not None and differ(there, wanted)
        return change.fate is Fate.MODIFIED and other
    return change.fate in (Fate.MODIFIED, Fate.DELETED)  # a file that a rename replaced counts as deleted (A91)


def _is_told_otherwise(change: Change, result: Record) -> bool:
    after, said = change.text("afterEtag"), (result.object("data") or {}).get("etag")
    return after is not None and isinstance(said, str) and differ(after, said)


def _of(guard: str, change: Change) -> str:
    """A clause on the member of the entry that the guard forbids; empty if it forbids the change itself."""
    member = {"trash": "trashed", "expectedEtag": "beforeEtag"}.get(guard)
    return f" with {member} {excerpt(change.entry.get(member))}" if member is not None else ""


def _named(attempt: Attempt, args: Mapping[str, Json]) -> frozenset[str]:
    """The paths at which the call was to write, and those at which it says that it wrote."""
    data = (attempt.result.object("data") if attempt.result is not None else None) or {}
    said = (each.get(name) for each in (args, data) for name in _NAMES)
    return frozenset(normalise(each) for each in said if isinstance(each, str))


def _to_be_kept(run: Run) -> Iterator[tuple[str, Json]]:
    """Paths that the calls of the scenario have to leave as they were, or with one other text."""
    kept = fact(run, "kept")
    if is_object(kept) and any(was_dispatched(each) and writes(run, each) for each in run.attempts):
        yield from kept.items()


@check("EFF-26", each=_to_be_kept, needs=("world", "deeds"))
def the_folder_keeps_what_was_guarded(run: Run, subject: tuple[str, Json]) -> Iterator[Finding]:
    """What every call of the run was told to keep is in the folder as it was."""
    path, text = subject
    before, after = (run.world.before.get(path), run.world.after.get(path)) if run.world is not None else (None, None)
    if _content(before) == _content(after) or (after is not None and isinstance(text, str) and _holds(after, text)):
        return
    calls = tuple(witness("C", each.call) for each in run.attempts if was_dispatched(each) and writes(run, each))[:3]
    yield Finding(
        f"{path} was {_shown(before)} before the run and is {_shown(after)}, but every call was told to keep it",
        "no change that a guard forbids" + ("" if text is None else ", or the old content with an addition"),
        calls or (STARTED,),
    )


def _content(entry: Entry | None) -> tuple[str, str] | None:
    return (entry.kind, entry.content) if entry is not None else None


def _holds(entry: Entry, text: str) -> bool:
    return entry.kind == "file" and entry.content == f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _shown(entry: Entry | None) -> str:
    return "absent" if entry is None else f"a {entry.kind} with the content {excerpt(entry.content)}"
