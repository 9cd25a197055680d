"""The vault on the disk: its one door, through which no link leads (POL-07), and our own witness of its changes."""

import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
import unicodedata
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain, count
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from callproof_reference.values import Failure, Object, present

TRASH = ".trash"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a FIFO would otherwise hang its reader
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # names that are not UTF-8 are read with these; JSON cannot hold them
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:[/\\]")
_TOO_LONG = "VALIDATION_ERROR", "the vault does not accept a name as long as"
_REFUSALS = {
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), ("NOT_FOUND", "there is nothing at")),
    **dict.fromkeys((errno.EEXIST, errno.EISDIR, errno.ENOTEMPTY), ("CONFLICT", "there is already something at")),
    errno.ENAMETOOLONG: _TOO_LONG,
}


class Entry:
    """One name in the vault: a file, a folder or something else, and its identity on the disk."""

    def __init__(self, path: str, facts: os.stat_result) -> None:
        self.path, self.size, self.modified_ms = path, facts.st_size, facts.st_mtime_ns // 1_000_000
        self.kind = "file" if stat.S_ISREG(facts.st_mode) else "folder" if stat.S_ISDIR(facts.st_mode) else "other"
        self.inode = facts.st_dev, facts.st_ino


class Vault(NamedTuple):
    """The folder that the tools work on. `checkpoint`, called at every step, ends a call that was told to stop."""

    root: Path
    checkpoint: Callable[[], None]

    def find(self, path: str) -> Entry | None:
        """What is at `path`, or None. POLICY_DENIED for a link."""
        try:
            return self.get(path)
        except Failure as failure:
            if failure.code == "NOT_FOUND":
                return None
            raise

    def get(self, path: str, kind: str = "") -> Entry:
        """What is at `path`: NOT_FOUND if nothing is there, PRECONDITION_FAILED if it is not of the `kind`."""
        with self._parent(path) as (folder, name):
            entry = Entry(normal(path), _facts(folder, name))
        if kind not in ("", entry.kind):
            raise Failure("PRECONDITION_FAILED", f"{path!r} is not a {kind}")
        return entry

    def read(self, path: str) -> bytes:
        """All bytes of the file at `path`."""
        self.get(path, "file")
        with self._parent(path) as (folder, name), os.fdopen(os.open(name, _FILE, dir_fd=folder), "rb") as file:
            chunks: list[bytes] = []
            while chunk := file.read(1 << 20):
                self.checkpoint()
                chunks.append(chunk)
        return b"".join(chunks)

    def walk(self, path: str, *, deep: bool = True) -> Iterator[Entry]:
        """What the folder at `path` holds, by name, a folder before what it holds; without the trash and non-text."""
        with self._open(path, segments(path)) as folder:
            names = sorted(n for n in os.listdir(folder) if not _LONE_SURROGATE.search(n) and (path or n != TRASH))
            entries = [Entry(f"{path}/{name}".lstrip("/"), os.lstat(name, dir_fd=folder)) for name in names]
        for entry in entries:
            yield entry
            if deep and entry.kind == "folder":
                yield from self.walk(entry.path)

    def make_folder(self, path: str) -> None:
        """Make the folder and its parents, unless it is there."""
        with self._parent(path, make=True) as (folder, name), suppress(FileExistsError):
            os.mkdir(name, dir_fd=folder)

    def write(self, path: str, content: bytes, *, replace: bool) -> Entry:
        """Put `content` at `path` in one step, making parents. Without `replace`, CONFLICT if the name is taken."""
        with self._parent(path, make=True) as (folder, name):
            draft = f".{secrets.token_hex(8)}.draft"
            try:
                with os.fdopen(os.open(draft, _NEW_FILE, 0o666, dir_fd=folder), "wb") as file:
                    with suppress(FileNotFoundError):
                        os.fchmod(file.fileno(), stat.S_IMODE(_facts(folder, name).st_mode))
                    file.write(content)
                put = os.replace if replace else os.link  # os.link never replaces what is there
                put(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
            finally:
                with suppress(FileNotFoundError):
                    os.unlink(draft, dir_fd=folder)
            return Entry(normal(path), _facts(folder, name))

    def move(self, source: str, target: str) -> None:
        """Rename `source` to `target`, making parents; a file at `target` is replaced."""
        with self._parent(source) as (folder, name), self._parent(target, make=True) as (other, new):
            os.rename(name, new, src_dir_fd=folder, dst_dir_fd=other)

    def delete(self, path: str, *, trash: bool) -> None:
        """Delete the file, or the folder with all it holds: for good, or into the trash, there under a free name."""
        with self._parent(path) as (folder, name):
            if trash:
                with self._open(path, (TRASH,), make=True) as bin_:
                    os.rename(name, _free(name, os.listdir(bin_).__contains__), src_dir_fd=folder, dst_dir_fd=bin_)
            elif stat.S_ISDIR(_facts(folder, name).st_mode):
                shutil.rmtree(name, dir_fd=folder)
            else:
                os.unlink(name, dir_fd=folder)

    def unique(self, path: str) -> str:
        """The first free one of `Note.md`, `Note 1.md`, `Note 2.md`, ..."""
        return _free(path, lambda candidate: self.find(candidate) is not None)

    @contextmanager
    def _parent(self, path: str, *, make: bool = False) -> Generator[tuple[int, str], None, None]:
        names = segments(path) or (".",)
        if make and max(len(os.fsencode(name)) for name in names) > os.pathconf(self.root, "PC_NAME_MAX"):
            raise Failure(_TOO_LONG[0], f"{_TOO_LONG[1]} {path!r}")  # before a parent is made (VAL-14)
        with self._open(path, names[:-1], make=make) as folder:
            yield folder, names[-1]

    @contextmanager
    def _open(self, path: str, folders: tuple[str, ...], *, make: bool = False) -> Generator[int, None, None]:
        """An open descriptor of a folder; if the system refuses something meanwhile, the Failure names `path`."""
        self.checkpoint()
        try:
            with ExitStack() as stack:
                folder = os.open(self.root, _FOLDER & ~os.O_NOFOLLOW)
                stack.callback(os.close, folder)
                for name in folders:
                    if make:
                        with suppress(FileExistsError):
                            os.mkdir(name, dir_fd=folder)
                    _facts(folder, name)
                    folder = os.open(name, _FOLDER, dir_fd=folder)  # not even a link swapped in since (POL-08)
                    stack.callback(os.close, folder)
                yield folder
        except OSError as error:
            if error.errno not in _REFUSALS:
                raise
            code, says = _REFUSALS[error.errno]
            raise Failure(code, f"{says} {path!r}") from error


def normal(path: str) -> str:
    """The one spelling of a vault path, which every result uses (TOOL-19); "" is the vault itself."""
    return "/".join(segments(path))


def segments(path: str) -> tuple[str, ...]:
    """The names that lead from the root to `path`. POLICY_DENIED for a path that could lead elsewhere."""
    if "\0" in path or _LONE_SURROGATE.search(path):
        raise Failure("VALIDATION_ERROR", "the path is not a name that a file can have")
    if why := malformed(path):
        raise Failure("POLICY_DENIED", f"the path {why}")
    names = tuple(name for name in path.split("/") if name not in {"", "."})
    if names[:1] == (TRASH,):  # what happens in it is no part of effects (A69)
        raise Failure("POLICY_DENIED", "the path is in the trash, which only vault.delete reaches")
    return names


def malformed(path: str) -> str | None:
    """Why no host may be given a path, in any spelling, as the end of a sentence (POL-04 to POL-06, A12, A71)."""
    if _URI.match(path):
        return "is a URI"
    if path.startswith(("/", "\\")) or re.match("[A-Za-z]:", path):
        return "is absolute"
    if any(".." in re.split(r"[/\\]", spelling) for spelling in (path, unicodedata.normalize("NFKC", path))):
        return "has a parent segment"
    return "holds a NUL" if "\0" in path else None


def _facts(folder: int, name: str) -> os.stat_result:
    facts = os.lstat(name, dir_fd=folder)
    if stat.S_ISLNK(facts.st_mode):  # also one that leads back inside (POL-07)
        raise Failure("POLICY_DENIED", f"{name!r} is a link, and the vault follows none")
    return facts


def _free(path: str, taken: Callable[[str], bool]) -> str:
    pure = PurePosixPath(path)
    numbered = (str(pure.with_name(f"{pure.stem} {number}{pure.suffix}")) for number in count(1))
    return next(candidate for candidate in chain([path], numbered) if not taken(candidate))


class Seen(NamedTuple):
    """One name as our witness saw it: file or folder, a file's hash, a link's target, the identity on the device."""

    kind: str
    etag: str | None
    target: str | None
    inode: tuple[int, int]


def snapshot(root: Path, prefix: str = "") -> dict[str, Seen]:
    """All names below `root` at one moment, the trash included. What vanishes meanwhile counts as absent."""
    found: dict[str, Seen] = {}
    with suppress(FileNotFoundError), os.scandir(root) as names:
        for name in names:
            path, digest, target = prefix + _as_text(name.name), None, None
            with suppress(FileNotFoundError):
                facts = name.stat(follow_symlinks=False)
                if stat.S_ISLNK(facts.st_mode):
                    target = _as_text(os.readlink(name))
                elif stat.S_ISREG(facts.st_mode):
                    with os.fdopen(os.open(name, _FILE), "rb") as file:
                        digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
                kind, inode = "folder" if stat.S_ISDIR(facts.st_mode) else "file", (facts.st_dev, facts.st_ino)
                found[path] = Seen(kind, digest, target, inode)
            if name.is_dir(follow_symlinks=False):
                found |= snapshot(root / name.name, f"{path}/")
    return found


def effects(before: dict[str, Seen], after: dict[str, Seen]) -> Object:
    """The net change of existence and content between two looks, and nothing else (A25, EFF-01, EFF-06, EFF-13)."""
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
    return f"{path}/".startswith(f"{TRASH}/")


def _as_text(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")  # else unchanged (EFF-22)
