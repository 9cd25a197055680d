"""The runs of a report, of which most are well: of those only the names are held, since there may be millions."""

from __future__ import annotations

from callproof.judge.judgement import JudgedRun, RunOutcome
from callproof.values.made import Made


class JudgedRuns(Made["str | JudgedRun", JudgedRun]):
    """Judged runs in their order, made again when they are asked for."""

    __slots__ = ("_told",)

    def __init__(self) -> None:
        # A name alone stands for a run that is consistent and of which nothing else is told.
        self._told: list[str | JudgedRun] = []
        super().__init__(self._told, _judged)

    def append(self, run: JudgedRun) -> None:
        """One run more."""
        self._told.append(run.name if run == JudgedRun(run.name, RunOutcome.CONSISTENT) else run)


def _judged(told: str | JudgedRun) -> JudgedRun:
    return JudgedRun(told, RunOutcome.CONSISTENT) if isinstance(told, str) else told
