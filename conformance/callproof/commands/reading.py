"""One line on a terminal while logs are read: runs, bytes, speed, time, time left.  Elsewhere nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

from callproof.auditing.audited import AuditedRun
from callproof.judge.judgement import RunOutcome
from callproof.values.counts import counted

T = TypeVar("T")

# The shortest time between two drawings of a line that has no thread of its own.
_PAUSE_SECONDS = 0.1


class Reading(Generic[T]):
    """Hears how far an audit has come, and shows it; ``size`` says how much of the whole a run is."""

    def __init__(self, shown: Progress, whole: int | None, size: Callable[[T], int], *, alone: bool = False) -> None:
        self._shown = shown
        self._size = size
        self._alone = alone
        self._drawn = 0.0
        self._task = shown.add_task("", total=whole, runs="looking", failed="")
        self._runs = self._failed = 0

    def taken(self, runs: Iterable[T]) -> Iterator[T]:
        """The same runs, and how much of the whole each is."""
        for run in runs:
            yield run
            self._update(advance=self._size(run))

    def judged(self, audited: AuditedRun) -> None:
        """One more run is done."""
        self._runs += 1
        self._failed += audited.run.outcome is RunOutcome.VIOLATIONS
        failed = f"[red]{self._failed} with violations" if self._failed else ""
        self._update(runs=counted(self._runs, "run"), failed=failed)

    def _update(self, **told: Any) -> None:
        self._shown.update(self._task, **told)
        if self._alone and time.monotonic() - self._drawn > _PAUSE_SECONDS:
            self._shown.refresh()
            self._drawn = time.monotonic()


@contextmanager
def reading(
    console: Console, whole: Callable[[], int | None], size: Callable[[T], int], *, alone: bool = False
) -> Generator[Reading[T] | None]:
    """
    A line on the console for as long as the block lasts; None in CI and without a terminal.

    ``whole`` says how many bytes there are, if that is known, and ``size`` how many of them a run has.
    With ``alone`` the line has no thread, so that this process can be forked, and is drawn again when there is news.
    """
    if not console.is_terminal or os.environ.get("CI"):
        yield None
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.fields[runs]}"),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failed]}"),
    )
    with Progress(*columns, console=console, transient=True, auto_refresh=not alone) as shown:
        yield Reading(shown, whole(), size, alone=alone)
