"""What a path stands for: one run's folder, a tree of such folders, files that many runs share, or one stream."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from callproof.auditlog.compressed import open_text, unpacked
from callproof.auditlog.files import NotReadable, raw_lines
from callproof.auditlog.folder import RunFolder
from callproof.auditlog.layout import ALL_MARKS, MARKS, RUN_FILE, RUNS_FILE, SHARED_FILES, present
from callproof.auditlog.looking import Looking
from callproof.auditlog.naming import unwrapped
from callproof.auditlog.numbering import SharedFile
from callproof.auditlog.open_runs import SharedRun
from callproof.auditlog.shared_files import runs_in
from callproof.values.counts import counted, was
from callproof.values.jsontext import NotStrictJson, read_json
from callproof.values.jsonvalue import is_object
from callproof.values.neighbours import is_there, missing, nearest_path

STANDARD_INPUT = Path("-")
# A tree of logs deeper than this is a mistake of the user, such as a whole disk.
DEEPEST = 16
# A run as it is found: its place, and its name in reports.
FoundRun: TypeAlias = RunFolder | SharedRun
# A stream must show within this many lines that it is a stream.
LINES_LOOKED_AT = 10


class NothingToJudge(ValueError):
    """A path leads to no log: what was found there, and what was expected."""


class Form(Enum):
    """What a path was found to be."""

    FOLDER = "the folder of one run"
    TREE = "a folder of log folders"
    SHARED = "files that many runs share"
    STREAM = "one stream of records"


@dataclass(frozen=True, slots=True)
class Input:
    """
    A path, and what it was found to be.

    ``stream`` is the one file of a stream, and ``named`` is the prefix of the names of its runs.  ``links`` are the
    folders below it, as far as its runs were taken, that are only linked and lie elsewhere: these are left out.
    """

    path: Path
    form: Form
    named: str = ""
    stream: SharedFile | None = None
    links: list[Path] = field(default_factory=list[Path], compare=False)

    @property
    def says(self) -> str:
        """What the path was found to be, in words."""
        what = self.form.value
        if self.form is Form.SHARED:
            what += f": {', '.join(file.name for file in _shared_files(self.path))}"
        return f"{'standard input' if self.path == STANDARD_INPUT else self.path} is {what}"

    def runs(self, looking: Looking | None = None) -> Iterator[FoundRun]:
        """
        Every run that the path stands for, one by one.

        The runs of a tree come in the order of their names; those of shared files and streams when they are whole.
        ``looking`` searches large files for the runs that their lines name; without it this process searches them.
        """
        if self.stream is not None:
            folder = "" if self.path == STANDARD_INPUT else str(self.path.parent)
            return runs_in((self.stream,), self.named, folder, looking)
        if self.form is Form.FOLDER:
            return iter((RunFolder(self.path, str(self.path)),))
        self.links.clear()
        return _below(self.path, self.named, looking, self.links)


def inputs_at(paths: Sequence[Path]) -> tuple[Input, ...]:
    """
    What each path is.

    A folder with run.json, or only with calls.jsonl and the like, holds one run.  A folder with runs.jsonl has files
    that many runs share.  Any of these may be compressed.  ``-`` is standard input.  Links below a path are not
    followed.  Raises NothingToJudge for a path that leads to no log.
    """
    if paths.count(STANDARD_INPUT) > 1:
        raise NothingToJudge("- is given twice, but standard input can be read only once; give it once")
    several = len(paths) > 1
    try:
        return tuple(_input_at(path, several=several) for path in paths)
    except NothingToJudge as error:
        if several:
            told = "nothing was judged, the other paths included; leave this path out to judge them"
            raise NothingToJudge(f"{error}; {told}") from None
        raise


def standard_input() -> BinaryIO:
    """Standard input.  Raises NothingToJudge if the program was started without it."""
    if sys.stdin is None:  # pyright: ignore[reportUnnecessaryComparison]  the stubs do not know
        raise NothingToJudge("standard input is closed; give a file or a folder, or a stream to -")
    return sys.stdin.buffer


def refuse_report(first: bytes, name: str) -> None:
    """Raises NothingToJudge if the first line of a file is that of a report, because its lines have kinds too."""
    try:
        value = read_json(first) if b'"reportVersion"' in first else None
    except NotStrictJson:
        return
    head = value.get("record") if is_object(value) and value.get("kind") == "head" else None
    if is_object(head) and "reportVersion" in head:
        raise NothingToJudge(f"{name} is a report of callproof, not a log; give the log that it is about")


def _input_at(path: Path, *, several: bool) -> Input:
    # If there are several paths, the whole path goes before each run's name: two runs could have the same name.
    named = f"{path}/" if several else ""
    try:
        if path == STANDARD_INPUT:
            return Input(
                path,
                Form.STREAM,
                named,
                _seen_to_be_one(SharedFile("standard input", None, Spool(standard_input()).open), "standard input"),
            )
        if not is_there(path):
            expected = "a folder with run.json, calls.jsonl, results.jsonl"
            raise NothingToJudge(f"{missing(path)}; expected {expected}{nearest_path(path)}")
        if path.is_dir():
            return _folder_at(path, named)
        return Input(path, Form.STREAM, named, _stream_at(path))
    except NotReadable as error:
        raise NothingToJudge(f"{error.path} {error.reason}") from None
    except OSError as error:
        raise NothingToJudge(f"{path} cannot be read: {error.strerror}") from None


def _folder_at(path: Path, named: str) -> Input:
    form = form_of(frozenset(os.listdir(path)))
    if form is not None:
        return Input(path, form, named)
    links: list[Path] = []
    if next(_found_below(path, DEEPEST, links, os.path.realpath(path)), None) is None:
        told = f"{path} holds no audit log: neither it nor a folder below has run.json, calls.jsonl or runs.jsonl"
        other = "`callproof records` judges logs of other protocols"
        linked = "".join(f"; {each}" for each in links_left_out(path, links))
        raise NothingToJudge(f"{told}{linked}; give a stream of records by the name of its file; {other}")
    return Input(path, Form.TREE, named)


def links_left_out(path: Path, links: Sequence[Path]) -> tuple[str, ...]:
    """A sentence on linked folders below a path, if there are any that lie elsewhere."""
    if not links:
        return ()
    told = f"below {path}, {counted(len(links), 'link')} to folders elsewhere {was(len(links))} not followed"
    return (f"{told}, such as {links[0]}; give a link as a path of its own",)


def form_of(names: frozenset[str]) -> Form | None:
    """What a folder with files of these names is; None if no name is that of a log's file."""
    if present(RUN_FILE, names):
        return Form.FOLDER
    if present(RUNS_FILE, names):
        return Form.SHARED
    return Form.FOLDER if names & MARKS else None


def _below(root: Path, named: str, looking: Looking | None, links: list[Path]) -> Iterator[FoundRun]:
    """The runs in a folder and below it; ``links`` gets the links to folders elsewhere."""
    for folder, form in _found_below(root, DEEPEST, links, os.path.realpath(root)):
        inner = "" if folder == root else folder.relative_to(root).as_posix()
        if form is Form.SHARED:
            prefix = f"{named}{inner}/" if inner else named
            yield from runs_in(_shared_files(folder), prefix, str(folder), looking)
        else:
            yield RunFolder(folder, named + inner if inner else str(folder))


def _found_below(folder: Path, depth: int, links: list[Path], root: str) -> Iterator[tuple[Path, Form]]:
    """
    The log folders in a folder and below it; a folder that cannot be listed counts as a run that is unreadable.

    ``links`` gets the links to folders outside ``root``, a real path: one inside, such as ``latest``, hides no run.
    """
    try:
        with os.scandir(folder) as entries:
            found = [each for each in entries if each.name in ALL_MARKS or each.is_dir()]
    except OSError:
        yield folder, Form.FOLDER
        return
    below = sorted(each.name for each in found if each.name in ALL_MARKS or not each.is_symlink())
    form = form_of(frozenset(below))
    if form is not None:
        yield folder, form
        return
    linked = sorted(folder / each.name for each in found if each.is_symlink())
    links += [each for each in linked if not os.path.realpath(each).startswith(f"{root}{os.sep}")]
    for name in below if depth > 0 else ():
        yield from _found_below(folder / name, depth - 1, links, root)


def _shared_files(folder: Path) -> tuple[SharedFile, ...]:
    names = frozenset(os.listdir(folder))
    return tuple(
        SharedFile(found[0], kind, partial(_open_only, folder, found), folder / found[0])
        for kind, wanted in SHARED_FILES.items()
        if (found := present(wanted, names))
    )


def _open_only(folder: Path, found: Sequence[str]) -> BinaryIO:
    if len(found) > 1:
        told = f"exists as {' and as '.join(found)}, so it is unclear which of them is the log"
        raise NotReadable(folder / found[0], told)
    return open_text(folder / found[0])


def _stream_at(path: Path) -> SharedFile:
    if path.name in ALL_MARKS:
        raise NothingToJudge(f"{path} is one file of an audit log; give its folder: {path.parent}")
    return _seen_to_be_one(SharedFile(path.name, None, partial(open_text, path), path), str(path))


class Spool:
    """Standard input, copied to a file that can be read twice: only that shows when a run is whole."""

    def __init__(self, source: BinaryIO) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  it has no name, and is closed with its last user
        shutil.copyfileobj(source, self._file)
        self._file.flush()

    def __del__(self) -> None:
        self._file.close()

    def open(self) -> BinaryIO:
        """The text of standard input, from the beginning."""
        again = os.fdopen(os.dup(self._file.fileno()), "rb")
        again.seek(0)
        return unpacked(Path("standard input"), again)


def _seen_to_be_one(file: SharedFile, name: str) -> SharedFile:
    with file.open() as stream:
        first = tuple(islice(raw_lines(stream), LINES_LOOKED_AT))
    if not first:
        raise NothingToJudge(f"{name} is empty; expected a folder of a log, or a stream of records")
    refuse_report(first[0], name)
    if not any(map(is_of_a_stream, first)):
        raise no_stream(name)
    return file


def is_of_a_stream(raw: bytes) -> bool:
    """Whether a line says which kind its record has."""
    return bool(unwrapped(raw).kind)


def no_stream(name: str) -> NothingToJudge:
    """The error for a text without any line of a stream."""
    told = 'none of its first lines has the form {"kind": …, "record": …} of the lines of a stream'
    return NothingToJudge(f"{name} is not an audit log: {told}; `callproof records` judges logs of other protocols")
