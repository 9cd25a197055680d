"""What lines that nobody can read may have told of files: a gap in the history of any other file is none of theirs."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.changes import changes_of
from callproof.checks.dispatching import writes
from callproof.trace.plangraph import judged_registry
from callproof.trace.records import Kind
from callproof.trace.run import Attempt, Run
from callproof.values.patharguments import path_arguments
from callproof.values.vaultpaths import normalise

ANY = ""


def untold_paths(run: Run, of: Kind | None) -> Iterator[str]:
    """
    The paths that a record of a kind may have told of which is not there; ``ANY`` where it may have been every path.

    Of a lost result its call tells the paths, of a lost call its result does.  ``of`` is None for a line that may have
    held a record of any kind.
    """
    if of in (Kind.RESULT, None):
        for attempt in run.attempts:
            if not attempt.results and writes(run, attempt):
                yield from _named(run, attempt) or (ANY,)
    if of in (Kind.CALL, None):
        yield from (change.path for result in run.unbuilt for change in changes_of(result))


def _named(run: Run, attempt: Attempt) -> tuple[str, ...]:
    """The paths among the arguments of a call; none where it writes and names no path, or one that is redacted."""
    registry = judged_registry(run)
    tool = registry.resolve(attempt.call.text("tool") or "") if registry is not None else None
    if tool is None or attempt.call.redacted:
        return ()
    return tuple(normalise(path) for _, path in path_arguments(tool.name, attempt.call.get("args"), tool.input_schema))


def below(path: str) -> Iterator[str]:
    """A sign for each folder that a path lies in: that something below it may have changed."""
    parts = path.split("/")
    return (f"{'/'.join(parts[:number])}/" for number in range(1, len(parts)))
