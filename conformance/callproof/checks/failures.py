"""Which failures of a run are final, and which of them end it (A33)."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import LogicalCall, Run
from callproof.trace.witnesses import ActKind

_FAILED = frozenset({"error", "timeout"})


@once_a_run
def final_failures(run: Run) -> tuple[tuple[LogicalCall, Record], ...]:
    """Logical calls whose last attempt failed, with its result; not those of which a later call may have been lost."""
    return tuple(_final_failures(run))


def _final_failures(run: Run) -> Iterator[tuple[LogicalCall, Record]]:
    lost = {result.step_id for result in run.unbuilt if result.text("status") == "ok"}
    for logical in run.logical_calls:
        result = logical.last.result
        if result is not None and result.text("status") in _FAILED and logical.step_id not in lost:
            yield logical, result


def stopping_failures(run: Run) -> Iterator[tuple[LogicalCall, Record]]:
    """Final failures of steps whose onError ends the run: stop, or retry when the attempts are used up (A33)."""
    for logical, result in final_failures(run):
        if logical.step is not None and logical.step.on_error != "skip":
            yield logical, result


def unbuilt_stops(run: Run) -> bool:
    """Whether a call that could not be built stopped the run: it failed and left no call record (A2)."""
    steps = ((run.step(each.step_id), each) for each in run.unbuilt)
    return any(step is not None and step.on_error != "skip" and each.text("status") == "error" for step, each in steps)


def may_be_cancelled(run: Run) -> bool:
    """Whether the run was or may have been cancelled; without events, only the suite's own acts can rule it out."""
    if run.events is not None:
        return bool(run.events_of("run.cancelled"))
    return run.acts is None or any(act.kind is ActKind.CANCEL for act in run.acts)


def untold_cancellation(run: Run) -> tuple[str, ...]:
    """A clause that the suite cancelled the run and that no record tells of it, if that is so."""
    if run.witnessed is None or run.events_of("run.cancelled"):
        return ()
    end = run.witnessed.finished_arrival
    sent = [act.arrival for act in run.acts or () if act.kind is ActKind.CANCEL and (end is None or act.arrival < end)]
    return tuple(f"the suite cancelled the run at wire:{arrival}, which no record tells" for arrival in sent[:1])


@once_a_run
def ended_early(run: Run) -> bool:
    """Whether anything stopped or cancelled the run: then the system was right to leave out the rest."""
    return may_be_cancelled(run) or unbuilt_stops(run) or any(True for _ in stopping_failures(run))


# Ends after which a run goes on as its plan says.
_SETTLED = frozenset({"ok", "error", "timeout", "skipped"})


@once_a_run
def is_unsettled(run: Run) -> bool:
    """Whether a call was cancelled or the log could not be written: it is unknown what that stopped (LOG-15)."""
    return run.cut_short or any(attempt.status not in _SETTLED for attempt in run.attempts)
