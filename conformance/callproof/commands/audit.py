"""``callproof audit``: captured logs, judged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Protocol

from callproof.auditing.engines import Engine, in_this_process
from callproof.auditing.one_run import NO_RULES, AuditedRun, Rules
from callproof.auditing.tally import Tally
from callproof.auditlog.captured import CapturedRun
from callproof.auditlog.files import NotReadable, open_regular
from callproof.auditlog.folder import RunFolder
from callproof.auditlog.inputs import Form, Input, inputs_at
from callproof.commands.baseline import BaselineFile
from callproof.judge.judgement import Judgement, Subject
from callproof.judge.selection import EVERYTHING, Selection, UnknownName, ids_meant, selection
from callproof.report.words import counted
from callproof.spec.registry import specification
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_array, is_object


class WrongUsage(ValueError):
    """An option has a value that means nothing: the value, what is permitted, and the next step."""


@dataclass(frozen=True, slots=True)
class Audit:
    """
    What an audit is asked to do.

    ``lenient`` lets nothing that is found fail it.  ``engine`` is where the runs are audited.
    """

    paths: tuple[Path, ...]
    rules: Rules = NO_RULES
    required: frozenset[str] = frozenset()
    selection: Selection = EVERYTHING
    lenient: bool = False
    baseline: BaselineFile | None = None
    engine: Engine = in_this_process


class Watched(Protocol):
    """Whoever wants to know how far an audit has come."""

    def taken(self, runs: Iterable[RunFolder | CapturedRun]) -> Iterable[RunFolder | CapturedRun]:
        """The same runs; they are asked for one by one."""
        ...

    def judged(self, audited: AuditedRun) -> None:
        """One more run is done."""
        ...


@dataclass(frozen=True, slots=True)
class Read:
    """What came of reading logs: every run, what the paths were found to be, errors, and whether it was broken off."""

    tally: Tally
    notes: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    interrupted: bool = False


def audit(wanted: Audit, watched: Watched | None = None) -> Judgement:
    """
    The judgement on every run that the paths mean.

    A keyboard interrupt ends the audit after the runs that were judged, and the report says so.
    Raises NothingToJudge.
    """
    inputs: tuple[Input, ...] = ()
    tally = Tally(specification())
    errors: tuple[str, ...] = ()
    interrupted = False
    try:
        inputs = inputs_at(wanted.paths)
        runs: Iterable[RunFolder | CapturedRun] = chain.from_iterable(each.runs() for each in inputs)
        for audited in wanted.engine(runs if watched is None else watched.taken(runs), wanted.rules):
            tally.add(audited)
            if watched is not None:
                watched.judged(audited)
    except KeyboardInterrupt:
        interrupted = True
        errors = (f"interrupted after {counted(len(tally.runs), 'run')}; the rest was not read",)
    notes = tuple(each.says for each in inputs if each.form is not Form.FOLDER)
    return judgement(wanted, Read(tally, notes, errors, interrupted))


def judgement(wanted: Audit, read: Read) -> Judgement:
    """What was read, judged as it was asked for."""
    results = read.tally.results()
    judged = Judgement(
        Subject("log", ", ".join(str(path) for path in wanted.paths), notes=read.notes),
        {name: result for name, result in results.items() if name not in wanted.rules.left_out},
        tuple(read.tally.runs),
        wanted.required,
        read.errors,
        wanted.rules.strict,
        interrupted=read.interrupted,
        selection=wanted.selection,
        lenient=wanted.lenient,
        counts=read.tally.counting.counts(),
        timelines=tuple(read.tally.counting.timelines),
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
