"""What the folder itself shows of changes, and which of them the suite's own tools made.  Does not know of effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from callproof.checks.changes import Fate
from callproof.trace.run import Run
from callproof.trace.witnesses import Entry, World
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object


def changed_paths(world: World) -> tuple[str, ...]:
    """The paths of the folder whose kind or content is not the same before and after."""
    return tuple(
        path
        for path in sorted({*world.before, *world.after})
        if _content(world.before.get(path)) != _content(world.after.get(path))
    )


def written_by_hosted_tools(run: Run) -> frozenset[str]:
    """The paths that the suite's own tools put into the folder."""
    return frozenset(path for deed in run.deeds or () for path in deed.writes)


def untold(run: Run) -> frozenset[str]:
    """The paths that the suite's own tools wrote in the folder without reporting them: no system can know of them."""
    told = {path for deed in run.deeds or () if deed.answer is not None for path in _listed(deed.answer.observed or {})}
    return written_by_hosted_tools(run) - told


def _listed(observed: Mapping[str, Json]) -> Iterator[str]:
    for fate in (Fate.CREATED, Fate.MODIFIED):
        entries = observed.get(fate.value)
        for entry in entries if is_array(entries) else ():
            path = entry.get("path") if is_object(entry) else None
            if isinstance(path, str):
                yield path


def _content(entry: Entry | None) -> tuple[str, str] | None:
    """What counts of an entry: a rewrite with identical bytes may have another inode and is no change (A25)."""
    return (entry.kind, entry.content) if entry is not None else None
