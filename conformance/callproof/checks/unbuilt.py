"""The shape of results that stand alone, for calls that were never built (A2).

Two laws ask for it: RES-02 where a run has calls, and LOG-23 where it has none.  What was lost of a log is theirs to
tell, and no other law takes it for something that the system did not do.
"""

from __future__ import annotations

from callproof.checks.check import excerpt
from callproof.checks.members import told
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import Run


def unlike_never_built(run: Run, result: Record) -> str | None:
    """What keeps a result from having the shape of a call that was never built (A2); None where nothing does.

    What else a skipped result must not show is RES-08's, RES-19's and EVT-07's.
    """
    error = result.object("error") or {}
    if result.text("status") == "skipped":
        return None
    if result.text("status") != "error":
        return f"it {told(result, 'status')}"
    if error.get("code") != "VALIDATION_ERROR":
        return f"its error code was {excerpt(error.get('code'))}"
    if any((result.object("effects") or {}).values()):
        return "it had effects"
    if result.number("durationMs"):
        return f"it {told(result, 'durationMs')}"
    return "its step.started was recorded" if _was_started(run, result) else None


@once_a_run
def lost_calls(run: Run) -> frozenset[str | None]:
    """The steps of which a result shows that the record of its call was lost, so that none is known not to be made."""
    return frozenset(each.step_id for each in run.unbuilt if unlike_never_built(run, each) is not None)


def _was_started(run: Run, result: Record) -> bool:
    return any(event.call_id == result.call_id for event in run.events_of("step.started"))
