"""Follows log folders that grow, and folders that get new ones: each run is given out as soon as it has ended.

A run has ended when its last event is there and a moment later nothing more has come.  The end of a
run without events cannot be seen; such a run is given out as it stands when the following ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.compressed import text_size
from callproof.auditlog.files import NotReadable, open_regular
from callproof.auditlog.folder import RunFolder
from callproof.auditlog.inputs import Form, Input, NothingToJudge
from callproof.auditlog.layout import ALL_MARKS, COMPRESSED, FILES, spellings
from callproof.auditlog.open_runs import SharedRun
from callproof.trace.records import Kind
from callproof.values.jsontext import NotStrictJson, read_json
from callproof.values.jsonvalue import is_object
from callproof.values.neighbours import is_there

# The last event of a run is looked for in this many bytes at the end of a file.
_TAIL_BYTES = 64 * 1024
_END = b'"run.finished"'
# For each file of a run: its name, its size, when it was written, and which file it is, even after a move.
_Look: TypeAlias = frozenset[tuple[str, int, int, int, int]]


@dataclass(frozen=True, slots=True)
class Watch:
    """Until when a log is followed, and how the reader waits between two looks at it."""

    ended: Callable[[], bool]
    pause: Callable[[], None]


class Followed(Protocol):
    """A log that is followed: its runs and, at the end while it is still open, what could not be judged."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What a reader that reads while the log grows cannot judge."""
        ...

    @property
    def behind(self) -> bool:
        """Whether the log held more to read."""
        ...

    def runs(self) -> Iterator[CapturedRun]:
        """Each run when it has ended; at the end the others, as they stand."""
        ...


class FollowedFolders:
    """
    The runs below some folders, while they grow.

    At the end, ``faults`` report runs that grew after they had been given out, runs that were gone before they could
    be given out, and runs of which a file became shorter or disappeared, which are not given out.  A run whose folder
    is moved stays the same run.  ``behind`` says whether there was more to read, which is always false here.  Raises
    NothingToJudge for a path that is no folder, and OSError if that cannot be found out.
    """

    def __init__(self, paths: Sequence[Path], watch: Watch) -> None:
        for path in paths:
            if not is_there(path) or not path.is_dir():
                raise NothingToJudge(f"{path} is not a folder; with several paths, --follow takes only folders")
        self._inputs = tuple(Input(path, Form.TREE, f"{path}/" if len(paths) > 1 else "") for path in paths)
        self._watch = watch
        self._before: dict[Path, tuple[str, _Look]] = {}
        self._given: set[Path] = set()
        self._ended: dict[Path, tuple[str, _Look]] = {}
        self._judged: dict[_Look, Path] = {}
        self._lost: list[str] = []
        self.faults: tuple[str, ...] = ()
        self.behind = False

    def runs(self) -> Iterator[CapturedRun]:
        """Each run when it has ended; at the end the others, as they stand.  Raises NothingToJudge for shared files."""
        ended = False
        while not ended:
            ended = self._watch.ended()
            for run in self._new():
                look = _look_at(run.path)
                if self._is_moved(look):
                    continue
                if (lost := _lost_since(self._before.get(run.path), run.path, look)) is not None:
                    self._lost.append(lost)
                    self._given.add(run.path)
                    continue
                seen = (run.name, look)
                if ended or (seen == self._before.get(run.path) and _has_ended(run.path)):
                    self._given.add(run.path)
                    self._judged[look] = run.path
                    if not ended:  # a run that is given out as it stands may go on
                        self._ended[run.path] = seen
                    yield run.captured()
                self._before[run.path] = seen
            if not ended:
                self._watch.pause()
        self.faults = (*self._late(), *self._gone(), *self._lost)

    def _new(self) -> Iterator[RunFolder]:
        for each in self._inputs:
            for run in each.runs():
                if isinstance(run, SharedRun):
                    # An empty folder counts as one of run folders, until it turns out to hold shared files.
                    alone = len(self._inputs) == 1 and Path(run.folder) == each.path
                    next_step = "start the command again" if alone else "follow that folder alone"
                    raise NothingToJudge(f"{run.folder} holds files that many runs share; {next_step}")
                # The search still yields a folder that was given by its own name and is gone by now.
                if run.path not in self._given and run.path.exists():
                    yield run

    def _is_moved(self, look: _Look) -> bool:
        """Whether these are the files of a run that was given out, moved away from where they lay then."""
        before = self._judged.get(look) if look else None
        return before is not None and not before.exists()

    def _late(self) -> Iterator[str]:
        # A run that was moved or removed has no new files at its old path.
        return (late_run(name) for path, (name, look) in self._ended.items() if _has_grown(path, look))

    def _gone(self) -> Iterator[str]:
        known = frozenset[object]().union(*self._judged)
        for path, (name, look) in self._before.items():
            if path not in self._given and known.isdisjoint(look):
                yield f"{name} disappeared before its end was seen, and was not judged"


def late_run(name: str) -> str:
    """The message about a run that grew after it had ended."""
    return f"{name} grew after it had ended and been judged; audit it again without --follow"


def tells_the_end(raw: bytes) -> bool:
    """Whether a line is the event that ends a run."""
    if _END not in raw:
        return False
    try:
        value = read_json(raw)
    except NotStrictJson:
        return False
    return is_object(value) and value.get("type") == "run.finished"


def _look_at(folder: Path) -> _Look:
    """What shows whether a folder has changed: its files, their sizes, and when they were written."""
    try:
        with os.scandir(folder) as entries:
            found = [(each.name, each.stat(follow_symlinks=False)) for each in entries if each.name in ALL_MARKS]
    except OSError:
        return frozenset()
    return frozenset((name, stat.st_size, stat.st_mtime_ns, stat.st_dev, stat.st_ino) for name, stat in found)


def _lost_since(before: tuple[str, _Look] | None, folder: Path, now: _Look) -> str | None:
    """What a run lost of its lines since the look before, as a sentence; None if nothing, or if it is another run."""
    name, look = before or ("", frozenset())
    held = {file: size for file, size, *_ in now}
    if {each[3:] for each in look}.isdisjoint(each[3:] for each in now):
        return None
    for file, size, *_ in sorted(look):
        if file not in FILES.values() or held.get(file, -1) >= size:
            continue
        if any(_text_in(folder / each) >= size for each in spellings(file) if each != file and each in held):
            continue  # it was compressed
        what = "became shorter" if file in held else "disappeared"
        return f"{name} was not judged: its {file} {what} while it was followed"
    return None


def _text_in(file: Path) -> int:
    """How many bytes of text a file holds; -1 if it cannot be read."""
    try:
        return text_size(file)
    except NotReadable:
        return -1


def _has_grown(folder: Path, before: _Look) -> bool:
    """Whether a file has changed; a file that was compressed since has not, if its text is as long as before."""
    sizes = {name: size for name, size, *_ in before}
    return any(not _is_packed(folder / name, sizes) for name, *_ in _look_at(folder) - before)


def _is_packed(path: Path, sizes: Mapping[str, int]) -> bool:
    """Whether a compressed file holds as much text as the plain file did."""
    size = sizes.get(path.stem) if path.name.endswith(COMPRESSED) else None
    return size is not None and _text_in(path) == size


def _has_ended(folder: Path) -> bool:
    """Whether the events of a run have reached its end, as far as that can be seen."""
    plain, *packed = spellings(FILES[Kind.EVENT])
    if any((folder / name).exists() for name in packed):
        return True  # a compressed file does not grow any more
    try:
        with open_regular(folder / plain) as stream:
            size = os.fstat(stream.fileno()).st_size
            stream.seek(max(0, size - _TAIL_BYTES))
            return any(tells_the_end(raw) for raw in stream.read(_TAIL_BYTES).split(b"\n"))
    except NotReadable:
        return False
