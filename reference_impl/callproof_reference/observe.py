"""The reference's own witness: effects are what changed between two looks at a root, and nothing else (EFF-01)."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping, Set
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

from callproof_reference.jsontext import Object

_SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # neither a link nor a FIFO can take us in


class Seen(NamedTuple):
    """One name as it was seen: file or folder, the hash of a file, the target of a link, the identity on the device."""

    kind: str
    etag: str | None
    target: str | None
    inode: tuple[int, int]


Look: TypeAlias = Mapping[str, Seen]


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


def effects(before: Look, after: Look) -> Object:
    """The net change of existence and content between two looks, as an `effects` object (A25, EFF-06, EFF-13)."""
    # The trash is no part of effects, except that it tells what was not deleted for good (A69).
    old, new = ({path: seen for path, seen in look.items() if not _trashed(path)} for look in (before, after))
    departed = {path for path, seen in old.items() if path not in new or new[path].inode != seen.inode}
    arrived = {path for path, seen in new.items() if path not in old or old[path].inode != seen.inode}
    renamed, left, taken = _renames(old, new, departed, arrived)
    deleted = sorted(path for path in departed - left if path not in new or path in taken)  # replaced ones too (A91)
    created = sorted(path for path in arrived - taken if path not in old or path in left)
    stayed = (old.keys() & new.keys()) - left - taken
    modified = sorted(path for path in stayed if old[path][:-1] != new[path][:-1])
    thrown = {seen for path, seen in after.items() if _trashed(path) and before.get(path) != seen}
    etags = {p: {"beforeEtag": old[p].etag, "afterEtag": new[p].etag} for p in modified}
    changed = ("create", created, new), ("modify", modified, new), ("delete", deleted, old), ("rename", renamed, old)
    return {
        "sideEffectsObserved": sorted({f"{verb}-{seen[path].kind}" for verb, paths, seen in changed for path in paths}),
        "created": [{"path": path, "kind": new[path].kind} for path in created],
        "modified": [{"path": p, "kind": "file", **{n: e for n, e in etags[p].items() if e}} for p in modified],
        "deleted": [{"path": p, "kind": old[p].kind, "trashed": old[p] in thrown} for p in deleted],
        "renamed": [{"from": source, "to": renamed[source]} for source in sorted(renamed)],
    }


def _renames(old: Look, new: Look, departed: Set[str], arrived: Set[str]) -> tuple[dict[str, str], Set[str], Set[str]]:
    """Old name to new name, with all names that went and came along; only an unchanged folder is one rename."""
    by_inode: dict[tuple[int, int], list[str]] = {}
    for path in sorted(arrived):
        by_inode.setdefault(new[path].inode, []).append(path)
    renamed, left, taken = dict[str, str](), set[str](), set[str]()
    for source in sorted(departed, key=lambda path: (path.count("/"), path)):
        for target in by_inode.get(old[source].inode, ()):
            if source not in left and target not in taken and (tree := _tree(old, source)) == _tree(new, target):
                renamed[source] = target
                left |= {source + rest for rest in tree}
                taken |= {target + rest for rest in tree}
    return renamed, left, taken


def _tree(entries: Look, path: str) -> dict[str, Seen]:
    if entries[path].kind == "file":
        return {"": entries[path]}
    return {name[len(path) :]: seen for name, seen in entries.items() if f"{name}/".startswith(f"{path}/")}


def _trashed(path: str) -> bool:
    return f"{path}/".startswith(".trash/")


def _as_text(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")  # else as it is (EFF-22)
