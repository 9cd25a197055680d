"""The runs of a report.  Most have no findings: of those only the names are stored, since there may be millions."""

from __future__ import annotations

from callproof.judge.judgement import JudgedRun, RunOutcome
from callproof.values.made import Made


class JudgedRuns(Made["str | JudgedRun", JudgedRun]):
    """Judged runs in their order, rebuilt when they are read."""

    __slots__ = ("_told",)

    def __init__(self) -> None:
        # A name alone stands for a run that is consistent and has no notes and no folder.
        self._told: list[str | JudgedRun] = []
        super().__init__(self._told, _judged)

    def append(self, run: JudgedRun) -> None:
        """Add one run."""
        self._told.append(run.name if run == JudgedRun(run.name, RunOutcome.CONSISTENT) else run)


def _judged(told: str | JudgedRun) -> JudgedRun:
    return JudgedRun(told, RunOutcome.CONSISTENT) if isinstance(told, str) else told
