"""One line on a terminal while a suite runs: what runs now, cases, failures so far, time.  Elsewhere nothing."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from callproof.report.escape import safe

_NAME_SHOWN = 40


class Watching:
    """Hears how far a run has come, and shows it if there is somewhere to show it."""

    def __init__(self, shown: Progress | None) -> None:
        self._shown = shown
        self._task = None if shown is None else shown.add_task("connecting", total=None, failed="")
        self._failed = 0
        # What the command prints when the line is gone.
        self.heard: list[str] = []

    def expects(self, cases: int) -> None:
        """Take how many cases are going to run."""
        self._update(total=cases)

    def begins(self, name: str) -> None:
        """Take the name of what runs now."""
        self._update(description=safe(name, most=_NAME_SHOWN))

    def has_ended(self, name: str) -> None:
        """One more case is done."""
        self._update(description=safe(name, most=_NAME_SHOWN), advance=1)

    def hears(self, told: str) -> None:
        """Take something that helps the user of the suite, but is no part of the judgement."""
        self.heard.append(told)

    def has_failed(self) -> None:
        """One more requirement was seen broken."""
        self._failed += 1
        self._update(failed=f"[red]{self._failed} failed")

    def _update(self, **told: Any) -> None:
        if self._shown is not None and self._task is not None:
            self._shown.update(self._task, **told)


@contextmanager
def watching(console: Console) -> Generator[Watching]:
    """A line on the console for as long as the block lasts; none in CI and none without a terminal."""
    if not console.is_terminal or os.environ.get("CI"):
        yield Watching(None)
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("cases"),
        TextColumn("{task.fields[failed]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as shown:
        yield Watching(shown)
