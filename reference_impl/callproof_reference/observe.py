"""The reference's own witness: effects are what changed between two looks at a root, and nothing else (EFF-01)."""

import hashlib
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from callproof_reference.values import Object, present

_SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # neither a link nor a FIFO can take us in


class Seen(NamedTuple):
    """One name as it was seen: file or folder, the hash of a file, the target of a link, the identity on the device."""

    kind: str
    etag: str | None
    target: str | None
    inode: tuple[int, int]


def snapshot(root: Path, prefix: str = "") -> dict[str, Seen]:
    """All names below `root` at one moment, the trash included. What vanishes meanwhile was not there."""
    found: dict[str, Seen] = {}
    with suppress(FileNotFoundError), os.scandir(root) as names:
        for name in names:
            path, digest, target = prefix + _as_text(name.name), None, None
            with suppress(FileNotFoundError):
                facts = name.stat(follow_symlinks=False)
                if stat.S_ISLNK(facts.st_mode):
                    target = _as_text(os.readlink(name))
                elif stat.S_ISREG(facts.st_mode):
                    with os.fdopen(os.open(name, _SAFELY), "rb") as file:
                        digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
                kind, inode = "folder" if stat.S_ISDIR(facts.st_mode) else "file", (facts.st_dev, facts.st_ino)
                found[path] = Seen(kind, digest, target, inode)
            if name.is_dir(follow_symlinks=False):
                found |= snapshot(root / name.name, f"{path}/")
    return found


def effects(before: dict[str, Seen], after: dict[str, Seen]) -> Object:
    """The net change of existence and content between two looks, as an `effects` object (A25, EFF-06, EFF-13)."""
    # The trash is no part of effects, except that it tells what was not deleted for good (A69).
    old, new = ({path: seen for path, seen in look.items() if not _trashed(path)} for look in (before, after))
    moved = _moved(old, new)
    taken = set(moved.values())
    deleted = sorted(p for p in old if p not in moved and (p not in new or p in taken))  # replaced ones too (A91)
    created = sorted(p for p in new if p not in taken and (p not in old or p in moved))
    renamed = sorted(p for p in moved if p.rpartition("/")[0] not in moved)
    stayed = (old.keys() & new.keys()) - moved.keys() - taken
    modified = sorted(p for p in stayed if old[p][:-1] != new[p][:-1])
    etags = {p: {"beforeEtag": old[p].etag, "afterEtag": new[p].etag} for p in modified}
    thrown = {seen for path, seen in after.items() if _trashed(path) and before.get(path) != seen}
    changed = ("create", created, new), ("modify", modified, new), ("delete", deleted, old), ("rename", renamed, old)
    return {
        "sideEffectsObserved": sorted({f"{verb}-{seen[path].kind}" for verb, paths, seen in changed for path in paths}),
        "created": [{"path": p, "kind": new[p].kind} for p in created],
        "modified": [present({"path": p, "kind": "file", **etags[p]}) for p in modified],
        "deleted": [{"path": p, "kind": old[p].kind, "trashed": old[p] in thrown} for p in deleted],
        "renamed": [{"from": p, "to": moved[p]} for p in renamed],
    }


def _moved(old: dict[str, Seen], new: dict[str, Seen]) -> dict[str, str]:
    """Old names and their new ones; a folder moves as one with all that it holds, and only if that is unchanged."""
    came: dict[tuple[int, int], list[str]] = {}
    for path in sorted(path for path, seen in new.items() if path not in old or old[path].inode != seen.inode):
        came.setdefault(new[path].inode, []).append(path)
    went = [path for path, seen in old.items() if path not in new or new[path].inode != seen.inode]
    moved: dict[str, str] = {}
    for source in sorted(went, key=lambda path: (path.count("/"), path)):
        for target in came.get(old[source].inode, ()):
            free = source not in moved and target not in moved.values()
            if free and (tree := _tree(old, source)) == _tree(new, target):
                moved |= {source + rest: target + rest for rest in tree}
    return moved


def _tree(entries: dict[str, Seen], path: str) -> dict[str, Seen]:
    if entries[path].kind == "file":
        return {"": entries[path]}
    return {name[len(path) :]: seen for name, seen in entries.items() if f"{name}/".startswith(f"{path}/")}


def _trashed(path: str) -> bool:
    return f"{path}/".startswith(".trash/")


def _as_text(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")  # else as it is (EFF-22)
