"""Writes the statement of a run of another protocol's live suite to the requested paths when all cases are played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from callproof.driven.session import Played
from callproof.driven.suite import Suite
from callproof.judge.baseline import Entry, Failure, failure_of, names
from callproof.judge.judgement import Judgement, Outcome
from callproof.statement.bundle import files_of
from callproof.statement.driven import Driven, case_path
from callproof.statement.matter import STATEMENT, NoStatement, System, this_suite
from callproof.statement.store import write_files

# Why no statement is made of a part of the cases: a reader would take it for the whole.
WHOLE_ONLY: Final = "covers all cases and every requirement"


@dataclass(slots=True)
class Stating:
    """The logs of the written cases, kept as they come if a statement is wanted at any of these paths."""

    suite: Suite[Any]
    paths: tuple[Path, ...]
    _records: dict[str, bytes] = field(default_factory=dict[str, bytes])
    _written: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._written = frozenset(each.id for each in self.suite.cases)

    def take(self, played: Played[Any]) -> None:
        """Keep the log of a written case; a run in which one failed has an error, and is not stated."""
        if self.paths and played.log is not None and played.case.id in self._written:
            self._records[case_path(played.case)] = played.log.written

    def stated(self, judged: Judgement) -> Judgement:
        """
        The judgement after its statements have been written, with a note if their outcome differs from its own.

        A reason against a statement becomes an error.  A run with errors gets no statement, and already reports them.
        """
        if not self.paths or judged.outcome in {Outcome.ERROR, Outcome.INTERRUPTED}:
            return judged
        try:
            files = files_of(Driven(self.suite), self._system(judged), self._records)
            for path in self.paths:
                write_files(files, path)
        except NoStatement as error:
            return with_error(judged, str(error))
        except OSError as error:
            return with_error(judged, f"{error.strerror}, in {', '.join(map(str, self.paths))}")
        outcome = json.loads(files[STATEMENT])["outcome"]
        if outcome == judged.outcome.says:
            return judged
        told = f"has the outcome {judged.outcome.says} in this run, but {outcome} in the statement {self.paths[0].name}"
        note = f"{told}, which rests on the written cases alone, without generated cases"
        return replace(judged, subject=replace(judged.subject, notes=(*judged.subject.notes, note)))

    def _system(self, judged: Judgement) -> System:
        subject = judged.subject
        return System(
            this_suite(),
            subject.implementation or subject.name,
            tuple(sorted(subject.claims or ())),
            judged.strict,
            tuple(self._known(judged)),
            judged.outcome.says,
            protocol=self.suite.protocol.name,
        )

    def _known(self, judged: Judgement) -> Iterator[Entry]:
        """The entries of a baseline, except those only about failures of generated cases, which cannot be repeated."""
        found = (
            failure_of(name, each, in_log=True) for name, result in judged.results.items() for each in result.findings
        )
        failures = frozenset(found)
        for entry in judged.baseline.entries:
            places = {each.place for each in failures if _lists(entry, each)}
            if not places or not places.isdisjoint(self._written):
                yield entry


def with_error(judged: Judgement, why: str) -> Judgement:
    """The judgement with an error that says why there is no statement."""
    return replace(judged, errors=(*judged.errors, f"no statement was written: {why}"))


def _lists(entry: Entry, failure: Failure) -> bool:
    listed = entry.failure
    same = (listed.requirement, listed.message) == (failure.requirement, failure.message)
    return same and names(listed.place, failure.place)
