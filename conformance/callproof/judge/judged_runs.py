"""The runs of a report, of which most are well: of those only the names are held, since there may be millions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

from callproof.judge.judgement import JudgedRun, RunOutcome


class JudgedRuns(Sequence[JudgedRun]):
    """Judged runs in their order, made again when they are asked for."""

    __slots__ = ("_told",)

    def __init__(self) -> None:
        # A name alone stands for a run that is consistent and of which nothing else is told.
        self._told: list[str | JudgedRun] = []

    def append(self, run: JudgedRun) -> None:
        """One run more."""
        self._told.append(run.name if run == JudgedRun(run.name, RunOutcome.CONSISTENT) else run)

    def __len__(self) -> int:
        return len(self._told)

    def __iter__(self) -> Iterator[JudgedRun]:
        return map(_judged, self._told)

    @overload
    def __getitem__(self, place: int, /) -> JudgedRun: ...
    @overload
    def __getitem__(self, place: slice, /) -> tuple[JudgedRun, ...]: ...
    def __getitem__(self, place: int | slice, /) -> JudgedRun | tuple[JudgedRun, ...]:
        return tuple(map(_judged, self._told[place])) if isinstance(place, slice) else _judged(self._told[place])


def _judged(told: str | JudgedRun) -> JudgedRun:
    return JudgedRun(told, RunOutcome.CONSISTENT) if isinstance(told, str) else told
