"""The baseline of an audit: read before the logs are, applied to what they came to, and written where asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from callproof.judge.baseline import Baseline
from callproof.judge.judgement import Judgement, Outcome
from callproof.judge.selection import Selection
from callproof.report.baselines import BadBaseline, baseline_text, read_baseline


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """Known failures of logs, the file that lists them, and whether it is to list what fails now."""

    path: Path
    known: Baseline
    update: bool = False

    def applied(self, judged: Judgement) -> Judgement:
        """The judgement with what is known, and what of it lists nothing; the file written anew where asked."""
        if not self.update:
            return _with(judged, self.known)
        if judged.outcome in {Outcome.ERROR, Outcome.INTERRUPTED}:
            told = "the baseline was not updated: only an audit to the end, without errors, may do that"
            return replace(_with(judged, self.known), errors=(*judged.errors, told))
        updated = self.known.updated(judged.failures)
        try:
            self.path.write_text(baseline_text(updated), encoding="utf-8")
        except OSError as error:
            raise BadBaseline(f"{self.path} cannot be written: {error.strerror}") from None
        return _with(judged, updated)


def baseline_file(path: Path | None, selection: Selection, *, update: bool = False) -> BaselineFile | None:
    """
    The baseline that was asked for; None where none was.

    Raises BadBaseline for a file that is none, and for an update of what is not judged as a whole.
    """
    if path is None:
        if update:
            raise BadBaseline("--update-baseline names no file; add --baseline FILE")
        return None
    if update and selection.left_out:
        raise BadBaseline("--update-baseline writes down every failure; drop --select and --ignore")
    if update and not path.exists():
        return BaselineFile(path, Baseline(of_logs=True), update)
    return BaselineFile(path, read_baseline(path, of_logs=True, unfinished=update), update)


def _with(judged: Judgement, baseline: Baseline) -> Judgement:
    runs = [run.name for run in judged.runs]
    stale = () if judged.interrupted else baseline.stale_in_logs(judged.failures, judged.results.keys(), runs)
    return replace(judged, baseline=baseline, stale=stale)
