"""The shape of results that stand alone, for calls that were never built (A2).

Two laws ask for this shape and for the owner of the result: RES-02 if a run has calls, and LOG-23 if it has none.
These two report what a log has lost; no other law reports it as something that the system did not do.
"""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import excerpt
from callproof.checks.matters import Matter
from callproof.checks.members import told
from callproof.trace.once import once_a_run
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.values.jsonvalue import is_object


def unlike_never_built(run: Run, result: Record) -> str | None:
    """Why a result does not have the shape of a call that was never built (A2); None if it has that shape.

    RES-08, RES-19 and EVT-07 check what else a skipped result must not show.
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


def misnamed(run: Run, result: Record) -> Iterator[tuple[Matter, str]]:
    """The members by which a result that stands alone fits nothing in the plan, each with what is permitted."""
    if result.integer("attempt") != 1:
        yield Matter.ATTEMPT, "attempt 1, for a second attempt has a call"
    step = run.step(result.step_id)
    if step is None:
        if run.plan is not None:
            yield Matter.STEP_ID, "a step of the plan"
        return
    if not _is_of(run, result.text("tool"), step.tool):
        yield Matter.TOOL, f"step {step.id} uses the tool {excerpt(step.tool)}"
    iteration = result.get("iteration")
    if iteration is not None and (step.foreach is None or not is_object(iteration)):
        yield Matter.ITERATION, "an iteration, an object, on the results of a foreach step only"


def _is_of(run: Run, name: str | None, planned: str) -> bool:
    """Whether a tool may be the one that a step names; without a registry, any name may be an alias of it."""
    if not name or name == planned:
        return name == planned
    tool = run.registry.resolve(planned) if run.registry is not None else None
    return run.registry is None or tool is None or tool is run.registry.resolve(name)  # VAL-05 reports an unknown tool


@once_a_run
def lost_calls(run: Run) -> frozenset[str | None]:
    """The steps of which a result shows that a call record was lost: it is unknown which of their calls were made."""
    return frozenset(each.step_id for each in run.unbuilt if unlike_never_built(run, each) is not None)


def _was_started(run: Run, result: Record) -> bool:
    return any(event.call_id == result.call_id for event in run.events_of("step.started"))
