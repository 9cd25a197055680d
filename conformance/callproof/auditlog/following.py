"""Log folders that grow while they are read, and folders into which new ones come: each run as soon as it has ended.

A run has ended when its last event is there and a moment later nothing more has come.  A run
without events cannot be seen to end; it is given out when nobody waits any longer, as it then stands.
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

# The last event of a run is looked for in so many bytes at the end of a file.
_TAIL_BYTES = 64 * 1024
_END = b'"run.finished"'
# The files of a run: of each its name, its size, when it was written, and which file it is wherever it is moved.
_Look: TypeAlias = frozenset[tuple[str, int, int, int, int]]


@dataclass(frozen=True, slots=True)
class Watch:
    """Until when a log is followed, and how somebody waits between two looks at it."""

    ended: Callable[[], bool]
    pause: Callable[[], None]


class Followed(Protocol):
    """A log that is followed: its runs, and in the end, while it is open, what of it nobody can judge."""

    @property
    def faults(self) -> tuple[str, ...]:
        """What nobody can judge who reads as the log grows."""
        ...

    @property
    def behind(self) -> bool:
        """Whether there was more to read."""
        ...

    def runs(self) -> Iterator[CapturedRun]:
        """Each run as it has ended; in the end the others, as they stand."""
        ...


class FollowedFolders:
    """
    The runs below some folders, while they grow.

    ``faults`` tell, in the end, of runs that grew after they had been given out, and of those that were gone before
    they could be; a run whose folder is moved stays the same run.  ``behind`` says whether there was more to read,
    which there never is.  Raises NothingToJudge for a path that is no folder, and OSError where
    nobody can tell.
    """

    def __init__(self, paths: Sequence[Path], watch: Watch) -> None:
        for path in paths:
            if not is_there(path) or not path.is_dir():
                raise NothingToJudge(f"{path} is not a folder; of several paths --follow takes folders alone")
        self._inputs = tuple(Input(path, Form.TREE, f"{path}/" if len(paths) > 1 else "") for path in paths)
        self._watch = watch
        self._before: dict[Path, tuple[str, _Look]] = {}
        self._given: set[Path] = set()
        self._ended: dict[Path, tuple[str, _Look]] = {}
        self._judged: dict[_Look, Path] = {}
        self.faults: tuple[str, ...] = ()
        self.behind = False

    def runs(self) -> Iterator[CapturedRun]:
        """Each run as it has ended; in the end the others, as they stand.  Raises NothingToJudge for shared files."""
        ended = False
        while not ended:
            ended = self._watch.ended()
            for run in self._new():
                look = _look_at(run.path)
                if self._is_moved(look):
                    continue
                seen = (run.name, look)
                if ended or (seen == self._before.get(run.path) and _has_ended(run.path)):
                    self._given.add(run.path)
                    self._judged[look] = run.path
                    if not ended:  # what is given out as it stands may go on
                        self._ended[run.path] = seen
                    yield run.captured()
                self._before[run.path] = seen
            if not ended:
                self._watch.pause()
        self.faults = (*self._late(), *self._gone())

    def _new(self) -> Iterator[RunFolder]:
        for each in self._inputs:
            for run in each.runs():
                if isinstance(run, SharedRun):
                    # An empty folder is one of run folders, until it shows that it is not.
                    alone = len(self._inputs) == 1 and Path(run.folder) == each.path
                    next_step = "begin again" if alone else "follow that folder by itself"
                    raise NothingToJudge(f"{run.folder} holds files that many runs share; {next_step}")
                # A folder that was given by its own name is still looked for where it is no longer.
                if run.path not in self._given and run.path.exists():
                    yield run

    def _is_moved(self, look: _Look) -> bool:
        """Whether these are the files of a run that was given out, from where it lay then."""
        before = self._judged.get(look) if look else None
        return before is not None and not before.exists()

    def _late(self) -> Iterator[str]:
        # A run that was moved or removed has nothing new in its place.
        return (late_run(name) for path, (name, look) in self._ended.items() if _has_grown(path, look))

    def _gone(self) -> Iterator[str]:
        known = frozenset[object]().union(*self._judged)
        for path, (name, look) in self._before.items():
            if path not in self._given and known.isdisjoint(look):
                yield f"{name} was gone before it had been seen to end, and was not judged"


def late_run(name: str) -> str:
    """What is said of a run that grew after it had ended."""
    return f"{name} had ended and been judged, and then grew; audit it again without --follow"


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
    """What tells whether a folder has changed: its files, how long each is, and when it was written."""
    try:
        with os.scandir(folder) as entries:
            found = [(each.name, each.stat(follow_symlinks=False)) for each in entries if each.name in ALL_MARKS]
    except OSError:
        return frozenset()
    return frozenset((name, stat.st_size, stat.st_mtime_ns, stat.st_dev, stat.st_ino) for name, stat in found)


def _has_grown(folder: Path, before: _Look) -> bool:
    """Whether a file is another one than it was; one that was compressed since holds what it held."""
    sizes = {name: size for name, size, *_ in before}
    return any(not _is_packed(folder / name, sizes) for name, *_ in _look_at(folder) - before)


def _is_packed(path: Path, sizes: Mapping[str, int]) -> bool:
    """Whether a compressed file holds as much text as the plain file did."""
    size = sizes.get(path.stem) if path.name.endswith(COMPRESSED) else None
    try:
        return size is not None and text_size(path) == size
    except NotReadable:
        return False


def _has_ended(folder: Path) -> bool:
    """Whether the events of a run have come to its end, as far as that can be seen."""
    plain, *packed = spellings(FILES[Kind.EVENT])
    if any((folder / name).exists() for name in packed):
        return True  # what is compressed does not grow any more
    try:
        with open_regular(folder / plain) as stream:
            size = os.fstat(stream.fileno()).st_size
            stream.seek(max(0, size - _TAIL_BYTES))
            return any(tells_the_end(raw) for raw in stream.read(_TAIL_BYTES).split(b"\n"))
    except NotReadable:
        return False
