"""Checks for the requirements in ``spec/effects.md`` about changes after the end, and about unreported changes.

The suite's own tools can write in the background, and no system can know of that.  A system is judged by what its own
tools do after the end, and by whether it lists one call's changes as those of another.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.changes import changes_of, folded
from callproof.checks.check import Finding, check, witness
from callproof.checks.dispatching import was_dispatched, writes
from callproof.checks.members import owner
from callproof.checks.world_changes import changed_paths, untold, written_by_hosted_tools
from callproof.trace.records import Record
from callproof.trace.run import Attempt, Run
from callproof.trace.witnesses import Deed, World


def _watched_beyond_the_end(run: Run) -> Iterator[tuple[World, tuple[Attempt, ...]]]:
    """Runs of the system's own writing tools whose folder was watched for a while after they were over."""
    world = run.world
    if world is None or world.at_the_end is None or run.witnessed is None or not run.witnessed.virtual_clock:
        return
    own = tuple(each for each in run.attempts if was_dispatched(each) and writes(run, each) and not each.deeds)
    if own:
        yield World(world.at_the_end, world.after, {}, {}), own


@check("EFF-18", each=_watched_beyond_the_end, needs=("world", "deeds"))
def nothing_happens_afterwards_in_silence(run: Run, subject: tuple[World, tuple[Attempt, ...]]) -> Iterator[Finding]:
    """A change in the folder after the run is over is listed by some call, or a tool of the suite made it."""
    afterwards, own = subject
    listed = {folded(change.path) for result in run.results for change in changes_of(result)}
    for path in changed_paths(afterwards):
        if path not in written_by_hosted_tools(run) and folded(path) not in listed:
            yield Finding(
                f"{path} changed in the folder after the run was over, and no call lists it",
                "no unreported change after endedAt",
                tuple(witness("C", each.call) for each in own[:3]),
            )


def _beside_secret_writers(run: Run) -> Iterator[tuple[Record, frozenset[str]]]:
    """Results of calls beside a tool of the suite that wrote without reporting it, with the paths that it wrote."""
    secret = untold(run)
    for attempt in run.attempts if secret else ():
        if attempt.result is not None:
            yield attempt.result, secret


@check("EFF-16", each=_beside_secret_writers, needs=("deeds",))
def nobody_elses_changes_are_claimed(run: Run, subject: tuple[Record, frozenset[str]]) -> Iterator[Finding]:
    """A call does not list what a tool of another call put into the folder."""
    result, secret = subject
    for path in sorted({change.path for change in changes_of(result)} & secret):
        author = _author(run, path)
        if author is not None and author.call_id != result.call_id:
            yield Finding(
                f"{owner(result)} lists {path}, which {author.tool} wrote for call {author.call_id}",
                "each change is listed by one call: the one whose tool made it",
                (witness("D", author), witness("R", result)),
            )


def _author(run: Run, path: str) -> Deed | None:
    return next((deed for deed in run.deeds or () if path in deed.writes), None)
