"""Generated work on files: a folder with odd names, and what the system's own tools are asked to do in it.

The system decides what those tools do (A69).  Its records must say what they did, and the folder shows if that is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from callproof.generated import odd
from callproof.generated.chances import between, chance, one_of, some_of
from callproof.generated.doomed import folders_above, with_codes
from callproof.generated.features import with_features
from callproof.live.canonical_tools import (
    CREATE_FILE,
    DELETE,
    ENSURE_FOLDER,
    LIST_FILES,
    PATCH_FILE,
    READ_FILE,
    RENAME,
    WRITE_FILE,
)
from callproof.live.case import Case, Cue, Item, ItemKind, Move
from callproof.live.scenarios.building import plan, policy, step
from callproof.trace.witnesses import ActKind
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

NEEDS = frozenset({"files", "effects"})
_TOOLS = (ENSURE_FOLDER, LIST_FILES, READ_FILE, CREATE_FILE, WRITE_FILE, PATCH_FILE, RENAME, DELETE)
_Args: TypeAlias = dict[str, Json]


@dataclass(slots=True)
class _Shelf:
    """What is in the folder before the run, and the paths that steps were given so far."""

    files: dict[str, str] = field(default_factory=dict[str, str])
    folders: list[str] = field(default_factory=list[str])
    given: set[str] = field(default_factory=set[str])


def files_by(dice: Random, features: Iterable[str]) -> Case:
    """A lawful case of three to six calls of the system's own tools; ``features`` must include ``NEEDS``."""
    claimed, shelf = frozenset(features), _Shelf()
    folder = _folder(dice, shelf)
    steps: list[Mapping[str, Json]] = []
    for place in range(between(dice, 3, 6)):
        steps.append(_step(dice, shelf, steps, odd.STEP_IDS[place], refer="references" in claimed))
    asks = "confirmation" in claimed and chance(dice, 20)
    wide: dict[str, Json] = {"maxConcurrency": 2} if "concurrency" in claimed and chance(dice, 20) else {}
    case = Case(
        id="generated",
        says="A generated case of work on files",
        plan=plan(*steps, goal="Put the notes in order", risk="writes"),
        policy=policy(wide, confirm=asks),
        system_tools=_TOOLS,
        timeline=(Move(ActKind.APPROVE, Cue.CONFIRMATION),) if asks else (),
        folder=folder,
    )
    return with_codes(with_features(case))


def _folder(dice: Random, shelf: _Shelf) -> tuple[Item, ...]:
    """Files at the top, in folders and in folders of folders; some share a name, and some share a content."""
    for _ in range(between(dice, 3, 7)):
        shelf.files.setdefault(_place(dice, shelf), _content(dice))
    items = [Item(path, text=content) for path, content in shelf.files.items()]
    shelf.folders += dict.fromkeys(above for path in shelf.files for above in folders_above(path))
    empty = one_of(dice, odd.EMPTY_FOLDERS)
    if chance(dice, 30):
        shelf.folders.append(empty)
        items.append(Item(empty, ItemKind.FOLDER))
    return tuple(items)


def _place(dice: Random, shelf: _Shelf) -> str:
    """A path for a file; another folder may hold a file of the same name."""
    folders = [one_of(dice, odd.FOLDER_NAMES) for _ in range(one_of(dice, (0, 1, 1, 2)))]
    names = [path.rpartition("/")[2] for path in shelf.files] if chance(dice, 25) else []
    return "/".join((*folders, one_of(dice, names or odd.FILE_NAMES)))


def _content(dice: Random, there: str | None = None) -> str:
    """New content for a file; mostly very similar to what it holds."""
    near = [each for pair in odd.ALIKE for each in pair if there in pair]
    return one_of(dice, near if near and chance(dice, 80) else one_of(dice, odd.ALIKE))


def _step(
    dice: Random, shelf: _Shelf, steps: list[Mapping[str, Json]], step_id: str, *, refer: bool
) -> Mapping[str, Json]:
    tool, args_of = one_of(dice, _WORK)
    args = args_of(dice, shelf)
    if "path" in args and chance(dice, 25):
        args["path"] = _again(dice, steps, refer=refer) or args["path"]
    more: _Args = {}
    needed = some_of(dice, [str(each["id"]) for each in steps], 15)
    if needed:
        more["dependsOn"] = list(needed)
    return step(step_id, tool, args, onError="skip", **more)


def _again(dice: Random, steps: list[Mapping[str, Json]], *, refer: bool) -> Json:
    """The path of a file that another step makes or changes, as text or as a reference; null if there is none."""
    makers = [each for each in steps if each["tool"] in ("vault.createFile", "vault.writeFile")]
    if not makers:
        return None
    chosen = one_of(dice, makers)
    if refer and chance(dice, 50):
        return f"$steps.{chosen['id']}.path"
    return chosen["args"].get("path") if is_object(chosen["args"]) else None


def _known(dice: Random, shelf: _Shelf) -> str:
    """A file that exists, often one that no other step was given."""
    fresh = [each for each in shelf.files if each not in shelf.given]
    return _taken(shelf, one_of(dice, fresh if fresh and chance(dice, 40) else [*shelf.files]))


def _new(dice: Random, shelf: _Shelf) -> str:
    """A path that does not exist, and mostly one that no other step was given."""
    tried = [_place(dice, shelf) for _ in range(6)]
    taken = {*shelf.files, *(shelf.given if chance(dice, 60) else ())}
    return _taken(shelf, next((each for each in tried if each not in taken), "Fresh/note.md"))


def _taken(shelf: _Shelf, path: str) -> str:
    shelf.given.add(path)
    return path


def _file(dice: Random, shelf: _Shelf, there: int) -> str:
    """A path; ``there`` is the chance that a file exists under it."""
    return _known(dice, shelf) if chance(dice, there) else _new(dice, shelf)


def _either(dice: Random, shelf: _Shelf, there: int) -> str:
    """The same, but now and then a folder with everything in it."""
    if shelf.folders and chance(dice, 25):
        return _taken(shelf, one_of(dice, shelf.folders))
    return _file(dice, shelf, there)


def _strategy(dice: Random) -> _Args:
    strategy = one_of(dice, ("error", "create-unique", "overwrite", "error", ""))
    return {"collisionStrategy": strategy} if strategy else {}


def _now_and_then(dice: Random, percent: int, **args: Json) -> _Args:
    return args if chance(dice, percent) else {}


def _created(dice: Random, shelf: _Shelf) -> _Args:
    path = _file(dice, shelf, 35)
    return {"path": path, "content": _content(dice, shelf.files.get(path)), **_strategy(dice)}


def _written(dice: Random, shelf: _Shelf) -> _Args:
    more = {**_now_and_then(dice, 25, mode="append"), **_now_and_then(dice, 15, expectedEtag="of long ago")}
    path = _file(dice, shelf, 75)
    return {"path": path, "content": _content(dice, shelf.files.get(path)), **more}


def _patched(dice: Random, shelf: _Shelf) -> _Args:
    start: Json = {"start": 0, "end": 0, "text": _content(dice)}
    return {"path": _file(dice, shelf, 90), "patch": {"replaceRange": start}}


def _renamed(dice: Random, shelf: _Shelf) -> _Args:
    source = _either(dice, shelf, 80)
    return {"fromPath": source, "toPath": _file(dice, shelf, 35), **_strategy(dice)}


def _deleted(dice: Random, shelf: _Shelf) -> _Args:
    more = {**_now_and_then(dice, 40, trash=False), **_now_and_then(dice, 20, requireExists=False)}
    return {"path": _either(dice, shelf, 75), **more}


def _ensured(dice: Random, shelf: _Shelf) -> _Args:
    there = chance(dice, 30) and shelf.folders
    return {"path": one_of(dice, shelf.folders if there else (*odd.EMPTY_FOLDERS, *odd.FOLDER_NAMES))}


def _read(dice: Random, shelf: _Shelf) -> _Args:
    return {"path": _file(dice, shelf, 60)}


def _listed(dice: Random, shelf: _Shelf) -> _Args:
    return {"prefix": one_of(dice, shelf.folders), "recursive": True} if shelf.folders else {}


# Tools by name, each listed as often as its weight, and what makes their arguments.
_WORK: tuple[tuple[str, Callable[[Random, _Shelf], _Args]], ...] = (
    *(("vault.createFile", _created), ("vault.createFile", _created), ("vault.createFile", _created)),
    *(("vault.writeFile", _written), ("vault.writeFile", _written), ("vault.writeFile", _written)),
    *(("vault.rename", _renamed), ("vault.rename", _renamed), ("vault.rename", _renamed)),
    *(("vault.delete", _deleted), ("vault.delete", _deleted)),
    ("vault.patchFile", _patched),
    ("vault.ensureFolder", _ensured),
    ("vault.readFile", _read),
    ("vault.listFiles", _listed),
)
