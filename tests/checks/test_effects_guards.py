"""Guards of the system's own tools: what effects and the folder show of an ignored guard, and what they do not."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

import pytest
from callproof.checks import all_checks, effects_guards
from callproof.checks.matters import Matter
from callproof.judge.folding import folded
from callproof.judge.judging import judge
from callproof.trace.records import Kind, Record, Source
from callproof.trace.registry import registry_of
from callproof.trace.run import Run
from callproof.trace.witnesses import Entry, Given, Witnessed, World
from callproof.values.jsontext import Json

_TRASH: Json = {"type": "object", "properties": {"trash": {"type": "boolean", "default": True}}}
MODIFIED: Json = {"modified": [{"path": "a.md", "kind": "file", "beforeEtag": "1", "afterEtag": "2"}]}
GONE: Json = {"deleted": [{"path": "a.md", "kind": "file", "trashed": False}]}
_BOX = {"Box": "folder", "Box/a.md": "file"}
REPLACED: Json = {**GONE, "renamed": [{"from": "b.md", "to": "a.md"}]}  # type: ignore[dict-item]


def run_of(
    args: Mapping[str, Json],
    effects: Json,
    *,
    host: str = "system",
    takes: Json = None,
    facts: Mapping[str, Json] | None = None,
    after: str = "was",
    redacted: bool = False,
    data: Json = None,
) -> Run:
    """A live run of one call that was dispatched and ended well."""
    tool: Json = {"name": "vault.tool", "host": host, "riskLevel": "writes", "inputSchema": takes or {}}
    marks: dict[str, Json] = {"redacted": ["/args/expectedEtag"]} if redacted else {}
    call: dict[str, Json] = {"callId": "c1", "stepId": "s1", "tool": "vault.tool", "args": args, **marks}
    result: dict[str, Json] = {"callId": "c1", "stepId": "s1", "status": "ok", "effects": effects, "data": data}
    event: dict[str, Json] = {"type": "step.started", "callId": "c1"}
    records = [
        Record(kind, value, Source("wire", place), place)
        for place, (kind, value) in enumerate(((Kind.CALL, call), (Kind.RESULT, result), (Kind.EVENT, event)))
    ]
    folder = World({"a.md": _entry("was")}, {"a.md": _entry(after)}, {}, {})
    given = Given({"steps": [{"id": "s1", "tool": "vault.tool", "args": {}}]}, {}, (tool,))
    return Run(
        "SC-00/case",
        None,
        *((records[0],), (records[1],), (records[2],)),
        registry=registry_of([tool]),
        witnessed=Witnessed(given, (), (), None, 99, virtual_clock=True, world=folder, expectations=facts or {}),
    )


def _entry(text: str) -> Entry:
    return Entry("file", f"sha256:{hashlib.sha256(text.encode()).hexdigest()}", 1)


def found(run: Run) -> int:
    """How many findings the checks of ``effects_guards`` have."""
    mine = [each for each in all_checks() if each.examine.__module__ == effects_guards.__name__]
    return sum(1 for each in mine for subject in each.each(run) for _ in each.examine(run, subject))


@pytest.mark.parametrize(
    ("args", "effects", "lies"),
    [
        ({"path": "a.md", "ifNotExists": True}, MODIFIED, 1),
        ({"path": "./a.md", "collisionStrategy": "create-unique"}, MODIFIED, 1),
        ({"path": "a.md", "collisionStrategy": "overwrite", "ifNotExists": False}, MODIFIED, 0),
        ({"path": "a.md", "ifNotExists": True, "dryRun": True}, MODIFIED, 0),  # POL-11 reports it
        ({"path": "a 1.md", "collisionStrategy": "create-unique"}, MODIFIED, 0),  # a link in another note
        ({"fromPath": "b.md", "toPath": "a.md", "collisionStrategy": "error"}, REPLACED, 1),
        ({"fromPath": "b.md", "toPath": "a.md", "collisionStrategy": "overwrite"}, REPLACED, 0),
        ({"fromPath": "b.md", "toPath": "a.md"}, REPLACED, 0),  # the policy decides
        ({"path": "a.md", "expectedEtag": "0"}, MODIFIED, 1),
        ({"path": "a.md", "expectedEtag": "W/1"}, MODIFIED, 0),
        ({"path": "a.md", "trash": True}, GONE, 1),
        ({"path": "a.md", "trash": False}, GONE, 0),
        ({"path": "a.md"}, GONE, 0),
    ],
)
def test_what_effects_tell_is_held_against_the_guards(args: Mapping[str, Json], effects: Json, lies: int) -> None:
    """A truthful account of what a guard forbids is found, and no other account (EFF-26)."""
    assert found(run_of(args, effects)) == lies


@pytest.mark.parametrize(
    ("data", "thrown", "followed"),
    [
        (None, False, False),
        ({"path": "a.md", "trashed": True}, False, True),
        ({"path": "a.md", "trashed": False}, False, False),
        ({"path": "b.md", "trashed": True}, False, False),
        (None, True, True),
    ],
)
def test_what_is_in_the_trash_and_told_as_lost_follows_from_that_word(data: Json, thrown: bool, followed: bool) -> None:
    """EFF-05, EFF-26: if the data or the trash shows that the guard was kept, only the word in the effects is wrong."""
    run = run_of({"path": "a.md", "trash": True}, GONE, data=data)
    assert run.witnessed is not None
    trash = {".trash/a.md": _entry("was")} if thrown else {}
    seen = replace(run.witnessed, world=World({"a.md": _entry("was")}, {}, {}, trash))
    run = replace(run, witnessed=seen)
    judged = folded(run, {name: each for name, each in judge(run).items() if name in ("EFF-05", "EFF-26")})
    (guard,) = judged["EFF-26"].findings
    assert (guard.root is not None) is followed
    assert bool(judged["EFF-05"].findings) is followed


@pytest.mark.parametrize("path", ["Box", "Box/in", "Box/in/a.md"])
def test_what_lies_in_a_folder_that_was_thrown_away_went_with_it(path: str) -> None:
    """EFF-05, EFF-26: the data names the folder alone, and the folder in the trash holds the rest."""
    deleted: Json = [{"path": path, "kind": "file" if path.endswith(".md") else "folder", "trashed": False}]
    run = run_of({"path": "Box", "trash": True}, {"deleted": deleted}, data={"path": "Box", "trashed": True})
    (guard,) = judge(run)["EFF-26"].findings
    assert guard.finding.matter is Matter.TRASHED


def test_a_folder_went_to_the_trash_if_something_in_it_is_there() -> None:
    """EFF-05, EFF-26: a folder has no content by which it could be recognised in the trash."""
    told: Json = {"deleted": [{"path": each, "kind": kind, "trashed": False} for each, kind in _BOX.items()]}
    run = run_of({"path": "Box", "trash": True}, told)
    assert run.witnessed is not None
    for trash, matter in (({}, None), ({".trash/a.md": _entry("in it")}, Matter.TRASHED)):
        seen = World({"Box": Entry("folder", "", 1), "Box/a.md": _entry("in it")}, {}, {}, trash)
        each = replace(run, witnessed=replace(run.witnessed, world=seen))
        assert {found.finding.matter for found in judge(each)["EFF-26"].findings} == {matter}


@pytest.mark.parametrize(("args", "lies"), [({"path": "a.md"}, 1), ({"path": "a.md", "trash": False}, 0)])
def test_the_default_of_the_descriptor_is_a_guard(args: Mapping[str, Json], lies: int) -> None:
    """An argument that is left out has the default of the descriptor (EFF-26)."""
    assert found(run_of(args, GONE, takes=_TRASH)) == lies


def test_nobody_answers_for_the_tools_of_another_host_or_for_a_guard_that_is_redacted() -> None:
    """The system only invokes the tool of another host, and a redacted guard is unknown (A42)."""
    stale: Mapping[str, Json] = {"path": "a.md", "expectedEtag": "0"}
    assert found(run_of(stale, MODIFIED, host="suite")) == 0
    assert found(run_of(stale, MODIFIED, redacted=True)) == 0


@pytest.mark.parametrize(("after", "lies"), [("was", 0), ("was and more", 0), ("more", 1)])
def test_what_every_call_keeps_is_in_the_folder_or_has_only_grown(after: str, lies: int) -> None:
    """What the file held is still there, alone or before what was appended (EFF-26)."""
    facts: Mapping[str, Json] = {"kept": {"a.md": "was and more"}}
    assert found(run_of({"path": "a.md", "mode": "append"}, {}, facts=facts, after=after)) == lies


def test_without_the_scenario_nobody_knows_what_was_to_be_kept() -> None:
    """A folder alone decides nothing here (EFF-26)."""
    assert found(run_of({"path": "a.md"}, {}, after="more")) == 0


@pytest.mark.parametrize(("etag", "lies"), [("2", 1), ("1", 0)])
def test_etags_that_are_not_the_files_own_show_no_guard_that_was_ignored(etag: str, lies: int) -> None:
    """EFF-04 reports that data give another etag after the change; then the etag before it is unknown."""
    stale: Mapping[str, Json] = {"path": "a.md", "expectedEtag": "0"}
    assert found(run_of(stale, MODIFIED, data={"path": "a.md", "etag": etag})) == lies
