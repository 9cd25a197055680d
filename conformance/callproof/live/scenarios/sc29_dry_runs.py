"""SC-29: a dry run of every writing tool: it reports what would happen, and leaves everything as it is."""

from __future__ import annotations

from collections.abc import Sequence

from callproof.live.canonical_tools import CREATE_FILE, DELETE, ENSURE_FOLDER, PATCH_FILE, RENAME, WRITE_FILE
from callproof.live.case import Case, Item, Scenario
from callproof.live.scenarios.aims import FAILURE, OWN_TOOLS
from callproof.live.scenarios.building import Object, plan, policy, step
from callproof.values.jsontext import Json

_TOOLS = (CREATE_FILE, DELETE, ENSURE_FOLDER, PATCH_FILE, RENAME, WRITE_FILE)
_PATCH: Json = {"replaceRange": {"start": 0, "end": 1, "text": "B"}}


def _dry(name: str, says: str, wishes: Sequence[tuple[str, Object]], *aims: str, **codes: str) -> Case:
    steps = [
        step(f"s{n}", f"vault.{tool}", {**args, "dryRun": True}, onError="skip")
        for n, (tool, args) in enumerate(wishes, 1)
    ]
    return Case(
        id=f"SC-29/{name}",
        says=says,
        plan=plan(*steps, risk="writes"),
        policy=policy(),
        system_tools=_TOOLS,
        folder=(Item("Notes/a.md", text="a note\n"), Item("Notes/b.md", text="b\n"), Item("Folder/one.md", text="1\n")),
        requires=("files", "effects"),
        provokes=(*OWN_TOOLS, "POL-11", "EFF-23", *aims),
        expectations={"codes": codes},
    )


SCENARIO = Scenario(
    "SC-29",
    "A dry run of every writing tool",
    (
        _dry(
            "makes",
            "Calls that would create something create nothing",
            (
                ("ensureFolder", {"path": "New/deep"}),
                ("createFile", {"path": "Notes/new.md", "content": "new\n"}),
                ("createFile", {"path": "made/on/the/way.md", "content": "new\n"}),
                ("createFile", {"path": "Notes/a.md", "content": "new\n", "collisionStrategy": "create-unique"}),
                ("writeFile", {"path": "Notes/fresh.md", "content": "new\n"}),
            ),
        ),
        _dry(
            "changes",
            "Calls that would change something change nothing",
            (
                ("createFile", {"path": "Notes/a.md", "content": "new\n", "collisionStrategy": "overwrite"}),
                ("writeFile", {"path": "Notes/a.md", "content": "new\n"}),
                ("writeFile", {"path": "Notes/a.md", "content": "more\n", "mode": "append"}),
                ("patchFile", {"path": "Notes/b.md", "patch": _PATCH}),
            ),
        ),
        _dry(
            "moves",
            "Calls that would move something move nothing",
            (
                ("rename", {"fromPath": "Notes/a.md", "toPath": "Other/a.md"}),
                ("rename", {"fromPath": "Notes/a.md", "toPath": "Notes/b.md", "collisionStrategy": "overwrite"}),
                ("rename", {"fromPath": "Folder", "toPath": "Moved"}),
            ),
        ),
        _dry(
            "deletes",
            "Calls that would delete something delete nothing",
            (
                ("delete", {"path": "Notes/a.md"}),
                ("delete", {"path": "Notes/a.md", "trash": False}),
                ("delete", {"path": "Folder", "trash": False}),
            ),
        ),
        _dry(
            "fails",
            "Calls that would fail also fail in a dry run",
            (
                ("createFile", {"path": "Notes/a.md", "content": "x", "collisionStrategy": "error"}),
                ("rename", {"fromPath": "Notes/none.md", "toPath": "Notes/c.md"}),
                ("delete", {"path": "Notes/none.md"}),
            ),
            *(*FAILURE, "ERR-01", "ERR-02"),
            s1="CONFLICT",
            s2="NOT_FOUND",
            s3="NOT_FOUND",
        ),
    ),
)
