"""Which files unreadable lines may have reported on; a gap in the history of any other file has another cause."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.belonging import unread_lines
from callproof.checks.changes import Folders, changes_of
from callproof.checks.dispatching import writes
from callproof.trace.once import once_a_run
from callproof.trace.plangraph import judged_registry
from callproof.trace.records import Kind, Record
from callproof.trace.registry import WRITING_RISKS
from callproof.trace.run import Attempt, Run
from callproof.values.patharguments import path_arguments
from callproof.values.vaultpaths import normalise

_ANY = ""


def may_be_untold(run: Run, path: str) -> bool:
    """Whether an unreadable line may report what happened to a path, to a folder above it, or to something in it."""
    untold, folders, inside = _untold(run)
    return _ANY in untold or path in untold or path in inside or next(folders.above(path), None) is not None


@once_a_run
def _untold(run: Run) -> tuple[frozenset[str], Folders, frozenset[str]]:
    """The paths that unread lines may report, the same paths as possible folders, and the folders that hold them."""
    paths = frozenset(_untold_paths(run))
    return paths, Folders(paths), frozenset(above for path in paths for above in _above(path))


def _untold_paths(run: Run) -> Iterator[str]:
    """
    The paths that a missing record may have reported; ``_ANY`` if it may have reported every path.

    If a result is lost, its call tells the paths; if a call is lost, its result does; if both are lost, nothing does.
    """
    calls, results = unread_lines(run, Kind.CALL), unread_lines(run, Kind.RESULT)
    if calls and results and sum(flaw.lines for flaw in run.flaws) > 1:
        yield _ANY
    for attempt in run.attempts if results else ():
        if not attempt.results and writes(run, attempt):
            yield from _named(run, attempt) or (_ANY,)
    for result in run.unbuilt if calls else ():
        yield from (change.path for change in changes_of(result))
        if _is_silent(run, result):
            yield _ANY


def _named(run: Run, attempt: Attempt) -> tuple[str, ...]:
    """
    The path among the arguments of a call; none if the call may have changed other paths.

    A command may do that, and so may a move, which updates the links to the moved file (A25).
    """
    registry = judged_registry(run)
    tool = registry.resolve(attempt.call.text("tool") or "") if registry is not None else None
    if tool is None or tool.risk_level != "writes" or attempt.call.redacted:
        return ()
    named = path_arguments(tool.name, attempt.call.get("args"), tool.input_schema)
    paths = tuple(dict.fromkeys(normalise(path) for _, path in named))
    return paths if len(paths) == 1 else ()


def _is_silent(run: Run, result: Record) -> bool:
    """Whether a result without a call belongs to a tool that may have written, and does not report its changes."""
    tool = run.registry.resolve(result.text("tool") or "") if run.registry is not None else None
    reads = tool is not None and tool.risk_level not in WRITING_RISKS
    told = result.object("effects") is not None and not result.is_redacted_in("effects")
    return not (reads or told or result.text("status") == "skipped")


def _above(path: str) -> Iterator[str]:
    """The folders that a path lies in."""
    parts = path.split("/")
    return ("/".join(parts[:number]) for number in range(1, len(parts)))
