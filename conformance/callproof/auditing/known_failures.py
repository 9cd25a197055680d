"""The baseline of logs: read before the logs, applied to their results, and written if that was asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from callproof.auditing.audited import AuditedRun
from callproof.judge.baseline import Baseline, expired, failure_of, told
from callproof.judge.held import Held
from callproof.judge.judgement import Judgement, Outcome, RunOutcome
from callproof.judge.judging import Result, lacks_a_line
from callproof.judge.selection import Selection
from callproof.judge.verdicts import Verdict
from callproof.report.baselines import BadBaseline, baseline_text, read_baseline, refuse_unwritable
from callproof.report.whole import write_whole
from callproof.spec.blocks import Level
from callproof.spec.registry import Specification


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """Known failures of logs, the file that lists them, and whether it is to be rewritten with what fails now."""

    path: Path
    known: Baseline
    update: bool = False


class Holding:
    """Compares the runs of an audit, or the logs of a live system's cases, with a baseline while they are judged."""

    def __init__(self, file: BaselineFile, *, strict: bool, spec: Specification | None = None) -> None:
        self._file = file
        self._held = Held(file.known, spec)
        self._binding = {Level.MUST, Level.SHOULD} if strict else {Level.MUST}

    def add(self, audited: AuditedRun) -> None:
        """Add one more run."""
        self._held.met(audited.run.name)
        if audited.run.outcome is not RunOutcome.CONSISTENT and _is_in_part_unread(audited):
            self._held.unread()
        for name, result in audited.broken.items():
            if result.verdict is Verdict.FAIL and result.requirement.level in self._binding:
                for each in result.findings:
                    self._held.failed(failure_of(name, each, in_log=True))

    def knows(self, result: Result) -> bool:
        """Whether the file lists every finding of a result; True while it is being written, since it will list them."""
        if result.verdict is not Verdict.FAIL:
            return False
        known = (self._file.known.reason(result.requirement.id, each) is not None for each in result.findings)
        return self._file.update or all(known)

    def missed(self) -> None:
        """Note that something was not looked at: from now on no known failure counts as gone."""
        self._held.unread()

    def applied(self, judged: Judgement) -> Judgement:
        """The judgement with the known failures and the stale entries; the file is rewritten if that was asked for."""
        known = replace(judged, baseline=self._file.known, unlisted=self._held.unlisted)
        if not judged.interrupted:
            known = replace(known, stale=self._held.stale(judged.binding))
        return self._updated(known) if self._file.update else known

    def _updated(self, judged: Judgement) -> Judgement:
        """The judgement by the new list of the file, if everything was looked at."""
        if judged.outcome in {Outcome.ERROR, Outcome.INTERRUPTED}:
            why = "the baseline was not updated: only a complete audit without errors updates it"
            return replace(judged, errors=(*judged.errors, why))
        if judged.outcome is Outcome.NOTHING_JUDGED:
            return judged  # here nothing can be gone, so the list that people wrote stays
        written = self._held.updated(judged.binding)
        try:
            write_whole(self._file.path, baseline_text(written).encode("utf-8"))
        except OSError as error:
            why = f"the baseline was not updated: {self._file.path} cannot be written: {error.strerror}"
            return replace(judged, errors=(*judged.errors, why))
        stale = tuple(told(each, expired(each)) for each in written.expired)
        return replace(judged, baseline=written, unlisted=self._held.overdue, stale=stale)


def _is_in_part_unread(audited: AuditedRun) -> bool:
    """Whether a law of a run is undecided because a part of the run was not read or cannot be read."""
    return audited.run.outcome is RunOutcome.UNREAD or any(map(lacks_a_line, audited.missing.values()))


def baseline_file(path: Path | None, selection: Selection, *, update: bool = False) -> BaselineFile | None:
    """
    The baseline that was asked for; None if there is none.

    Raises BadBaseline if the file is no baseline or cannot be written, and for an update when not all is judged.
    """
    if path is None:
        if update:
            raise BadBaseline("--update-baseline names no file; add --baseline FILE")
        return None
    if update and selection.left_out:
        raise BadBaseline("--update-baseline writes down every failure; drop --select and --ignore")
    if update:
        refuse_unwritable(path)
    if update and not path.exists():
        return BaselineFile(path, Baseline(of_logs=True), update)
    return BaselineFile(path, read_baseline(path, of_logs=True, unfinished=update), update)
