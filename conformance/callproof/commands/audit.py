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
from callproof.auditlog.inputs import Form, FoundRun, Input, inputs_at, links_left_out
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

    With ``lenient`` no finding fails it.  ``engine`` audits the runs.  ``looking`` searches large files for runs; with
    None this process does it.
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
    """An observer that hears how far an audit has come."""

    def taken(self, runs: Iterable[T]) -> Iterable[T]:
        """The same runs, one by one, as the audit asks for them."""
        ...

    def judged(self, audited: AuditedRun) -> None:
        """One more run is done."""
        ...


class Reading:
    """
    The outcome of reading logs so far: every run, brought together and compared with the baseline.

    ``spec`` is what they are judged by, if that is another protocol than the envelope.
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
        """Add one more run."""
        self._tally.add(audited)
        if self._holding is not None:
            self._holding.add(audited)

    def judgement(
        self, *, notes: tuple[str, ...] = (), errors: tuple[str, ...] = (), interrupted: bool = False
    ) -> Judgement:
        """The judgement on all runs, as the options ask for; ``notes`` say what the paths were found to be."""
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
    Which findings fail a judgement of logs, in the words of ``--fail-on``: ``must`` if no option says otherwise.

    Raises WrongUsage if ``--fail-on``, ``--strict`` and ``--require`` contradict each other.
    """
    if strict and fail_on not in {None, "should"}:
        raise WrongUsage(f"--strict is the same as --fail-on should; drop it or --fail-on {fail_on}")
    if required and fail_on == "never":
        raise WrongUsage("--require fails what cannot be decided, but with --fail-on never nothing fails; drop one")
    return "should" if strict else fail_on or "must"


def audit(wanted: Audit, watched: Watched[FoundRun] | None = None) -> Judgement:
    """
    The judgement on every run that the paths mean.

    A keyboard interrupt ends the audit after the runs that were judged, and the report says so.  So does an engine that
    fails.  Raises EngineFailed if the engine fails before any run was judged, and NothingToJudge and WrongUsage.
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
            del audited  # it may keep its run in memory, and the next run may be large
            break_off_if_asked()
    except EngineFailed as error:
        if not reading.runs:
            raise
        errors = (f"{error}; {counted(reading.runs, 'run')} had been judged, and the rest was not",)
    except KeyboardInterrupt:
        interrupted = True
        errors = (f"interrupted after {counted(reading.runs, 'run')}; the rest was not read",)
    notes = tuple(each.says for each in inputs if each.form is not Form.FOLDER)
    notes += tuple(told for each in inputs for told in links_left_out(each.path, each.links))
    return reading.judgement(notes=notes, errors=errors, interrupted=interrupted)


def refuse_overlap(inputs: Iterable[Input]) -> None:
    """Raises WrongUsage if two paths lead to the same runs."""
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
    Raises WrongUsage if a report would overwrite a file that is read, which would be lost, or become a file of the log.

    ``is_log`` tells from the name of a file in a folder that is read whether the file belongs to the log.
    """
    inputs = [each for each in read if os.path.exists(each)]
    for path in written:
        is_part = is_log(path.name) and any(_lies_in(each, path) for each in inputs)
        if os.path.isfile(path) and (is_part or any(path.samefile(each) for each in inputs)):
            raise WrongUsage(f"the report {path} is one of the judged files; give it another path")
        if is_part:
            raise WrongUsage(
                f"the report {path} would be judged the next time, as a file of the log; name it otherwise"
            )


def _lies_in(folder: Path, file: Path) -> bool:
    return folder.is_dir() and file.resolve().is_relative_to(folder.resolve())


def read_tools(path: Path) -> tuple[Json, ...]:
    """
    Tool descriptors from a file: a JSON array, or an object with a member ``tools``.

    Raises WrongUsage if the file holds neither.
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

    Raises WrongUsage for a name that means nothing, and for a name that is both required and left out.
    """
    try:
        wanted, narrowed = ids_decided(required, spec), selection(select, ignore, spec)
    except UnknownName as error:
        raise WrongUsage(str(error)) from None
    left_out = frozenset(narrowed.left_out)
    if both := sorted(wanted & left_out):
        raise WrongUsage(f"{both[0]} is required by --require, but left out by --select or --ignore; drop one of them")
    return replace(rules, left_out=left_out), wanted, narrowed
