"""``callproof records``: logs of the protocols beside the envelope, judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from callproof.auditlog.files import NotReadable
from callproof.auditlog.inputs import NothingToJudge, standard_input
from callproof.commands.audit import WrongUsage
from callproof.judge.judgement import Judgement
from callproof.judge.selection import UnknownName, ids_decided, selection
from callproof.protocols.entries import STANDARD_INPUT, Entries, read_entries
from callproof.protocols.judging import Judging, judgement_on
from callproof.protocols.known import UnknownProtocol, protocol_called, protocol_of
from callproof.protocols.protocol import LoggedProtocol
from callproof.spec.registry import protocols
from callproof.values.neighbours import is_there, missing, nearest_path

_SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked for: the paths, the protocol's name where it is given, and what is judged and what fails."""

    paths: tuple[Path, ...]
    protocol: str | None = None
    required: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    strict: bool = False
    lenient: bool = False


def records(wanted: Wanted) -> Judgement:
    """
    The judgement on every log that the paths mean, which are all of one protocol.

    Raises NothingToJudge for a path that leads to no log, and WrongUsage for options that mean nothing.
    """
    logs = [_read(path) for path in _files(wanted.paths)]
    protocol = _protocol(wanted.protocol, logs)
    spec = protocols()[protocol.name]
    try:
        narrowed = selection(wanted.select, wanted.ignore, spec)
        required = ids_decided(wanted.required, spec)
    except UnknownName as error:
        raise WrongUsage(str(error)) from None
    if both := sorted(required.intersection(narrowed.left_out)):
        raise WrongUsage(f"{both[0]} is required and left out; drop it from --require, --select or --ignore")
    return judgement_on(protocol, logs, Judging(narrowed, required, wanted.strict, wanted.lenient))


def _protocol(name: str | None, logs: Sequence[Entries]) -> LoggedProtocol:
    """The protocol that was named, or the one that all logs are of."""
    try:
        if name is not None:
            return protocol_called(name)
        found = {each.name: each for each in map(protocol_of, logs)}
    except UnknownProtocol as error:
        raise (NothingToJudge if name is None else WrongUsage)(str(error)) from None
    if len(found) > 1:
        raise WrongUsage(f"the paths hold logs of several protocols, {' and '.join(found)}; give those of one")
    return next(iter(found.values()))


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """The files that some paths mean: a folder means every .jsonl file in it, in the order of their names."""
    for path in paths:
        if path == STANDARD_INPUT or not path.is_dir():
            yield path
            continue
        found = sorted(each for each in path.iterdir() if each.suffix == _SUFFIX and not each.is_symlink())
        if not found:
            raise NothingToJudge(f"{path} is a folder without a file that ends in {_SUFFIX}; name the log itself")
        yield from found


def _read(path: Path) -> Entries:
    if path == STANDARD_INPUT:
        return read_entries(path, standard_input())
    if not is_there(path):
        raise NothingToJudge(f"{missing(path)}{nearest_path(path)}")
    try:
        return read_entries(path)
    except NotReadable as error:
        raise NothingToJudge(f"{error.path} {error.reason}") from None
