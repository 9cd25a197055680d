"""``callproof audit``: captured logs, judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from callproof.auditing.one_run import NO_RULES, Rules, audit_run
from callproof.auditing.tally import Tally
from callproof.auditlog.files import NotReadable, open_regular
from callproof.auditlog.inputs import log_folders
from callproof.auditlog.reader import captured_in
from callproof.commands.baseline import BaselineFile
from callproof.judge.judgement import Judgement, Subject
from callproof.judge.selection import EVERYTHING, Selection, UnknownName, ids_meant, selection
from callproof.spec.registry import specification
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_array, is_object


class WrongUsage(ValueError):
    """An option has a value that means nothing: the value, what is permitted, and the next step."""


@dataclass(frozen=True, slots=True)
class Audit:
    """
    What an audit is asked to do.

    ``lenient`` lets nothing that is found fail it.
    """

    paths: tuple[Path, ...]
    rules: Rules = NO_RULES
    required: frozenset[str] = frozenset()
    selection: Selection = EVERYTHING
    lenient: bool = False
    baseline: BaselineFile | None = None


def audit(wanted: Audit, on_run: Callable[[str, int, int], None] | None = None) -> Judgement:
    """
    The judgement on every log folder that the paths mean.

    ``on_run`` is told the name of each run, its number and how many there are, before it is read.
    A keyboard interrupt ends the audit after the runs that were judged, and the report says so.
    Raises NothingToJudge.
    """
    folders: tuple[Path, ...] = ()
    tally = Tally(specification())
    errors: tuple[str, ...] = ()
    interrupted = False
    try:
        folders = log_folders(wanted.paths)
        for number, folder in enumerate(folders, start=1):
            name = _name(folder, wanted.paths)
            if on_run is not None:
                on_run(name, number, len(folders))
            tally.add(audit_run(captured_in(folder, name=name), wanted.rules))
    except KeyboardInterrupt:
        interrupted = True
        errors = (f"interrupted after {len(tally.runs)} of {len(folders)} runs; the rest was not read",)
    subject = Subject("log", ", ".join(str(path) for path in wanted.paths))
    results = tally.results()
    judged = Judgement(
        subject,
        {name: result for name, result in results.items() if name not in wanted.rules.left_out},
        tuple(tally.runs),
        wanted.required,
        errors,
        wanted.rules.strict,
        interrupted=interrupted,
        selection=wanted.selection,
        lenient=wanted.lenient,
    )
    return judged if wanted.baseline is None else wanted.baseline.applied(judged)


def read_tools(path: Path) -> tuple[Json, ...]:
    """
    Tool descriptors from a file: a JSON array, or an object with a member ``tools``.

    Raises WrongUsage when the file holds neither.
    """
    try:
        with open_regular(path) as stream:
            value = read_json(stream.read())
    except NotReadable as error:
        raise WrongUsage(f"--tools {path}: {error.reason}") from None
    except NotStrictJson as error:
        raise WrongUsage(f"--tools {path} {error.reason}; expected a JSON array of tool descriptors") from None
    inner = value.get("tools") if is_object(value) else value
    if not is_array(inner):
        raise WrongUsage(f"--tools {path} holds no array; expected an array of tool descriptors")
    return tuple(inner)


def chosen(
    rules: Rules, *, required: Iterable[str], select: Iterable[str], ignore: Iterable[str]
) -> tuple[Rules, frozenset[str], Selection]:
    """
    The rules narrowed to what was selected, the ids that have to be decided, and the selection itself.

    Raises WrongUsage for a name that means nothing, and for one that is required and left out.
    """
    try:
        wanted, narrowed = ids_meant(required), selection(select, ignore)
    except UnknownName as error:
        raise WrongUsage(str(error)) from None
    left_out = frozenset(narrowed.left_out)
    if both := sorted(wanted & left_out):
        raise WrongUsage(f"{both[0]} is required and left out; drop it from --require, --select or --ignore")
    return replace(rules, left_out=left_out), wanted, narrowed


def _name(folder: Path, paths: Sequence[Path]) -> str:
    """A run's name in the report: its folder below the path that was given, else the path itself."""
    for path in paths:
        if folder == path:
            return str(path)
        if folder.is_relative_to(path):
            return folder.relative_to(path).as_posix()
    return str(folder)
