"""The check of LOOP-07 for iterations beyond the end: over elements that were not in the list when the loop began."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.checks.check import Finding, check, excerpt, witness
from callproof.trace.outputs import Fate, answered_outputs
from callproof.trace.records import Record
from callproof.trace.run import Run
from callproof.values.counts import counted
from callproof.values.jsonvalue import is_array


def _iterations(run: Run) -> Iterator[tuple[Record, int, int]]:
    """Calls of loops with their index, and how many elements the source's tool answered with."""
    for call in run.calls:
        step, index = run.step(call.step_id), call.iteration_index
        if step is not None and step.foreach is not None and index is not None:
            source = answered_outputs(run).source_of(step)
            if source.fate is Fate.OK and is_array(source.value):
                yield call, index, len(source.value)


@check("LOOP-07", each=_iterations, needs=("plan", "deeds"))
def nothing_is_added_after_the_expansion(_run: Run, subject: tuple[Record, int, int]) -> Iterator[Finding]:
    """No iteration runs over an element that its source did not have when it was resolved."""
    call, index, count = subject
    if index >= count:
        told = excerpt((call.object("iteration") or {}).get("itemValue"))
        yield Finding(
            f"call {call.call_id} is iteration {index}, over {told}",
            f"the source had {counted(count, 'element')} when the loop began",
            (witness("C", call),),
        )
