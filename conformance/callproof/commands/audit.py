"""``callproof audit``: captured logs, judged."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar

from callproof import limits
from callproof.auditing.audited import NO_RULES, AuditedRun, Rules
from callproof.auditing.engines import Engine, EngineFailed, in_this_process
from callproof.auditing.known_failures import BaselineFile, Holding
from callproof.auditing.tally import Tally
from callproof.auditlog.files import NotReadable, open_regular
from callproof.auditlog.inputs import Form, FoundRun, Input, inputs_at
from callproof.auditlog.layout import ALL_MARKS
from callproof.auditlog.looking import Looking
from callproof.auditlog.overlaps import overlap
from callproof.commands.usage import WrongUsage
from callproof.interruption import break_off_if_asked
from callproof.judge.judgement import Judgement, Subject
from callproof.judge.selection import EVERYTHING, Selection, UnknownName, ids_decided, selection
from callproof.spec.registry import Specification, specification
from callproof.values.counts import counted
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.neighbours import nearest_path

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Audit:
    """
    What an audit is asked to do.

    ``lenient`` lets nothing that is found fail it.  ``engine`` is where the runs are audited, and ``looking`` where
    large files are looked through for them; None does it here.
    """

    paths: tuple[Path, ...]
    rules: Rules = NO_RULES
    required: frozenset[str] = frozenset()
    selection: Selection = EVERYTHING
    lenient: bool = False
    baseline: BaselineFile | None = None
    engine: Engine = in_this_process
    looking: Looking | None = None


class Watched(Protocol[T]):
    """Whoever wants to know how far an audit has come."""

    def taken(self, runs: Iterable[T]) -> Iterable[T]:
        """The same runs; they are asked for one by one."""
        ...

    def judged(self, audited: AuditedRun) -> None:
        """One more run is done."""
        ...


class Reading:
    """
    What came of reading logs so far: every run, brought together and held against the baseline.

    ``spec`` is what they are judged by, where that is a protocol beside the envelope.
    """

    def __init__(self, wanted: Audit, spec: Specification | None = None) -> None:
        self._wanted = wanted
        self._tally = Tally(spec or specification())
        file = wanted.baseline
        self._holding = None if file is None else Holding(file, strict=wanted.rules.strict, spec=spec)

    @property
    def runs(self) -> int:
        """How many runs there were."""
        return len(self._tally.runs)

    def add(self, audited: AuditedRun) -> None:
        """One run more."""
        self._tally.add(audited)
        if self._holding is not None:
            self._holding.add(audited)

    def judgement(
        self, *, notes: tuple[str, ...] = (), errors: tuple[str, ...] = (), interrupted: bool = False
    ) -> Judgement:
        """All of it, judged as it was asked for; ``notes`` say what the paths were found to be."""
        wanted = self._wanted
        results = self._tally.results()
        judged = Judgement(
            Subject("log", ", ".join(str(path) for path in wanted.paths), notes=notes),
            {name: result for name, result in results.items() if name not in wanted.rules.left_out},
            self._tally.runs,
            wanted.required,
            errors,
            wanted.rules.strict,
            interrupted=interrupted,
            selection=wanted.selection,
            lenient=wanted.lenient,
            counts=self._tally.counting.counts(),
            timelines=tuple(self._tally.counting.timelines),
        )
        return judged if self._holding is None else self._holding.applied(judged)


def what_fails(fail_on: str | None, required: tuple[str, ...], *, strict: bool) -> str:
    """
    Which findings fail a judgement of logs, in the words of ``--fail-on``: ``must`` where no option says more.

    Raises WrongUsage where ``--fail-on``, ``--strict`` and ``--require`` disagree about it.
    """
    if strict and fail_on not in {None, "should"}:
        raise WrongUsage(f"--strict is the same as --fail-on should; drop it or --fail-on {fail_on}")
    if required and fail_on == "never":
        raise WrongUsage("--require fails what cannot be decided, and --fail-on never lets nothing fail; drop one")
    return "should" if strict else fail_on or "must"


def audit(wanted: Audit, watched: Watched[FoundRun] | None = None) -> Judgement:
    """
    The judgement on every run that the paths mean.

    A keyboard interrupt ends the audit after the runs that were judged, and the report says so.
    So does an engine that fails; where it fails at once, EngineFailed is raised.  Raises NothingToJudge and WrongUsage.
    """
    inputs: tuple[Input, ...] = ()
    reading = Reading(wanted)
    errors: tuple[str, ...] = ()
    interrupted = False
    try:
        inputs = inputs_at(wanted.paths)
        refuse_overlap(inputs)
        runs: Iterable[FoundRun] = chain.from_iterable(each.runs(wanted.looking) for each in inputs)
        for audited in wanted.engine(runs if watched is None else watched.taken(runs), wanted.rules):
            reading.add(audited)
            if watched is not None:
                watched.judged(audited)
            del audited  # which may keep its run until it goes, and the next one is large
            break_off_if_asked()
    except EngineFailed as error:
        if not reading.runs:
            raise
        errors = (f"{error}; {counted(reading.runs, 'run')} had been judged, and the rest was not",)
    except KeyboardInterrupt:
        interrupted = True
        errors = (f"interrupted after {counted(reading.runs, 'run')}; the rest was not read",)
    notes = tuple(each.says for each in inputs if each.form is not Form.FOLDER)
    return reading.judgement(notes=notes, errors=errors, interrupted=interrupted)


def refuse_overlap(inputs: Iterable[Input]) -> None:
    """Raises WrongUsage where two paths lead to the same runs."""
    twice = overlap(inputs)
    if twice is not None:
        raise WrongUsage(twice)


def is_of_a_log(name: str) -> bool:
    """Whether a file of this name in the folder of a log is one of the log."""
    return name in ALL_MARKS


def refuse_own_input(
    written: Iterable[Path], read: Iterable[Path], is_log: Callable[[str], bool] = is_of_a_log
) -> None:
    """
    Raises WrongUsage where a report would be written over something that is read, which nobody could read again.

    ``is_log`` tells by its name whether a file below a folder that is read is read with it.
    """
    inputs = [each for each in read if os.path.exists(each)]
    for path in (each for each in written if os.path.isfile(each)):
        if any(path.samefile(each) or (is_log(path.name) and _lies_in(each, path)) for each in inputs):
            raise WrongUsage(f"the report {path} is one of the files that are judged; name another")


def _lies_in(folder: Path, file: Path) -> bool:
    return folder.is_dir() and file.resolve().is_relative_to(folder.resolve())


def read_tools(path: Path) -> tuple[Json, ...]:
    """
    Tool descriptors from a file: a JSON array, or an object with a member ``tools``.

    Raises WrongUsage when the file holds neither.
    """
    try:
        with open_regular(path) as stream:
            text = stream.read(limits.LINT_DOCUMENT_BYTES + 1)
        if len(text) > limits.LINT_DOCUMENT_BYTES:
            raise WrongUsage(f"--tools {path} is longer than {limits.LINT_DOCUMENT_BYTES} bytes")
        value = read_json(text)
    except NotReadable as error:
        raise WrongUsage(f"--tools {path}: {error.reason}{nearest_path(path)}") from None
    except NotStrictJson as error:
        raise WrongUsage(f"--tools {path} {error.told}; expected a JSON array of tool descriptors") from None
    inner = value.get("tools") if is_object(value) else value
    if not is_array(inner):
        raise WrongUsage(f"--tools {path} holds no array; expected an array of tool descriptors")
    return tuple(inner)


def chosen(
    rules: Rules,
    *,
    required: Iterable[str],
    select: Iterable[str],
    ignore: Iterable[str],
    spec: Specification | None = None,
) -> tuple[Rules, frozenset[str], Selection]:
    """
    The rules narrowed to what was selected, the ids that have to be decided, and the selection itself.

    Raises WrongUsage for a name that means nothing, and for one that is required and left out.
    """
    try:
        wanted, narrowed = ids_decided(required, spec), selection(select, ignore, spec)
    except UnknownName as error:
        raise WrongUsage(str(error)) from None
    left_out = frozenset(narrowed.left_out)
    if both := sorted(wanted & left_out):
        raise WrongUsage(f"{both[0]} is required and left out; drop it from --require, --select or --ignore")
    return replace(rules, left_out=left_out), wanted, narrowed
