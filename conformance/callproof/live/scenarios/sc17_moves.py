"""SC-17: renames, renames over a file, case-only renames, moved folders, deletes to the trash and for good."""

from __future__ import annotations

from dataclasses import replace

from callproof.live.canonical_tools import CREATE_FILE, DELETE, RENAME
from callproof.live.case import Case, Item, ItemKind, Scenario
from callproof.live.scenarios.aims import FAILURE, OWN_TOOLS
from callproof.live.scenarios.building import Object, plan, policy, step

_OBSERVED = ("EFF-08", "EFF-12", "EFF-13", "EFF-14", "EFF-20", "EFF-21", "EFF-22")
_MOVED = (*OWN_TOOLS, *_OBSERVED, "EFF-06")
_DELETED = (*OWN_TOOLS, *_OBSERVED, "EFF-05", "EFF-11")


def _moves(name: str, says: str, *steps: Object, aims: tuple[str, ...]) -> Case:
    return Case(
        id=f"SC-17/{name}",
        says=says,
        plan=plan(*steps, risk="writes"),
        policy=policy(),
        system_tools=(CREATE_FILE, RENAME, DELETE),
        folder=(
            Item("Notes/a.md", text="a\n"),
            Item("Notes/b.md", text="b\n"),
            Item("Notes/caf\u00e9.md", text="composed\n"),
            Item("Folder/one.md", text="1\n"),
            Item("Folder/deep/two.md", text="2\n"),
        ),
        requires=("files", "effects"),
        provokes=aims,
    )


def _refused(case: Case, code: str) -> Case:
    """A case in which the step has to fail with this code."""
    return replace(case, expectations={"codes": {"s1": code}})


def _rename(source: str, target: str, **args: str) -> Object:
    return step("s1", "vault.rename", {"fromPath": source, "toPath": target, **args}, onError="skip")


def _delete(path: str, **args: bool) -> Object:
    return step("s1", "vault.delete", {"path": path, **args}, onError="skip")


def _odd() -> Case:
    """Entries that are odd in some way, each moved or deleted by a step of its own."""
    moved: tuple[tuple[str, str, dict[str, str]], ...] = (
        ("Notes/two words.md", "Über/two words.md", {}),
        (".hidden", ".shown", {}),
        ("Notes/empty.md", "top.md", {}),
        ("Notes/Sub folder", "Notes/Other folder", {}),
        ("Notes/twin.md", "Folder/twin.md", {"collisionStrategy": "overwrite"}),
        ("Notes/b.md", "Notes/taken.md", {"collisionStrategy": "create-unique"}),
        ("Lone/only.md", "Notes/only.md", {}),
        ("Notes/nowhere.md", "Fresh/nowhere.md", {}),
    )
    gone: tuple[tuple[str, dict[str, bool]], ...] = (
        ("Notes/[x] #1, 50%25 it's.txt", {}),
        (".config", {"trash": False}),
        ("Old/deep", {"trash": False}),
        ("Notes/nothing in it.md", {}),
        ("One/same.md", {}),
        ("Two/deep/same.md", {}),
        ("日本語", {}),
    )
    renames = [{**_rename(old, new, **args), "id": f"r{n}"} for n, (old, new, args) in enumerate(moved, 1)]
    deletes = [{**_delete(path, **args), "id": f"d{n}"} for n, (path, args) in enumerate(gone, 1)]
    case = _moves(
        "odd",
        "Odd names, nested folders, and files with equal names or contents",
        *(*renames, *deletes),
        aims=(*_MOVED, *_DELETED, "EFF-07", "EFF-26"),
    )
    alike = (Item("Notes/twin.md", text="a twin\n"), Item("Folder/twin.md", text="a twin\n"))
    files = (
        *("Notes/two words.md", ".hidden", "Notes/Sub folder/in it.md", "Lone/only.md", ".config", "日本語"),
        *("Notes/[x] #1, 50%25 it's.txt", "Notes/taken.md", "Old/deep/one.md", "Old/deep/er/two", "One/same.md"),
        "Two/deep/same.md",
    )
    empty = (Item("Notes/empty.md"), Item("Notes/nothing in it.md"), Item("Old/deep/hollow", ItemKind.FOLDER))
    return replace(case, folder=(*case.folder, *alike, *empty, *(Item(each, text=f"{each}\n") for each in files)))


def _linked() -> Case:
    """A folder with links in it, to another folder and out of the vault; their targets do not belong to the folder."""
    case = _moves(
        "linked",
        "Deleting a folder with links leaves the targets of the links",
        *(_delete("Linked", trash=False), {**_delete("Thrown"), "id": "s2"}),
        aims=(*_DELETED,),
    )
    links = (
        Item(f"{folder}/{name}", ItemKind.LINK, target)
        for folder in ("Linked", "Thrown")
        for name, target in (("inside", "../Folder"), ("outside", "../../outside"), ("note.md", "../Notes/a.md"))
    )
    files = (Item("Linked/own.md", text="own\n"), Item("Thrown/own.md", text="own too\n"))
    return replace(case, folder=(*case.folder, Item("../outside/secret.md", text="not yours"), *files, *links))


SCENARIO = Scenario(
    "SC-17",
    "Renames, moves and deletes of every kind",
    (
        _moves("rename", "Renaming in the same folder", _rename("Notes/a.md", "Notes/c.md"), aims=_MOVED),
        _moves("move", "Moving into a missing folder", _rename("Notes/a.md", "New/place/a.md"), aims=_MOVED),
        _moves(
            "over",
            "Moving over an existing file",
            _rename("Notes/a.md", "Notes/b.md", collisionStrategy="overwrite"),
            aims=(*_MOVED, "EFF-07"),
        ),
        _moves(
            "over-created",
            "Moving over a file that the run itself created",
            step("s0", "vault.createFile", {"path": "Notes/c.md", "content": "c\n"}),
            {**_rename("Notes/a.md", "Notes/c.md", collisionStrategy="overwrite"), "dependsOn": ["s0"]},
            aims=(*_MOVED, "EFF-02", "EFF-07"),
        ),
        _refused(
            _moves(
                "over-error",
                "Moving over an existing file under strategy error",
                _rename("Notes/a.md", "Notes/b.md", collisionStrategy="error"),
                aims=(*OWN_TOOLS, *FAILURE, "ERR-02", "EFF-08", "EFF-26"),
            ),
            "CONFLICT",
        ),
        _moves("case-only", "Only the case changes", _rename("Notes/a.md", "Notes/A.md"), aims=(*_MOVED, "EFF-24")),
        _moves(
            "form-only",
            "Only the Unicode form changes",
            _rename("Notes/caf\u00e9.md", "Notes/cafe\u0301.md"),
            aims=(*_MOVED, "EFF-24"),
        ),
        _moves("folder", "Moving a folder with all its contents", _rename("Folder", "Moved"), aims=_MOVED),
        _refused(
            _moves(
                "missing",
                "Renaming a file that does not exist",
                _rename("Notes/x.md", "Notes/y.md"),
                aims=(*OWN_TOOLS, *FAILURE, "ERR-01", "EFF-08"),
            ),
            "NOT_FOUND",
        ),
        _moves("trash", "Deleting to the trash by default", _delete("Notes/a.md"), aims=(*_DELETED, "EFF-26")),
        _moves("for-good", "Deleting for good", _delete("Notes/a.md", trash=False), aims=_DELETED),
        _moves("trash-folder", "Deleting a folder to the trash", _delete("Folder"), aims=(*_DELETED, "EFF-26")),
        _moves("folder-for-good", "Deleting a folder for good", _delete("Folder", trash=False), aims=_DELETED),
        _refused(
            _moves(
                "delete-missing",
                "Deleting a file that does not exist",
                _delete("Notes/x.md"),
                aims=(*OWN_TOOLS, *FAILURE, "ERR-01", "EFF-08"),
            ),
            "NOT_FOUND",
        ),
        _moves(
            "delete-if-there",
            "Deleting a file that does not exist, with requireExists false",
            _delete("Notes/x.md", requireExists=False),
            aims=(*OWN_TOOLS, "ERR-11", "EFF-08", "EFF-20"),
        ),
        _odd(),
        _linked(),
    ),
)
