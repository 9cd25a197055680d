"""Loops as they were carried out: the array that a foreach ran over, and what was recorded for each index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from callproof.trace.once import once_a_run
from callproof.trace.outputs import Fate, Outputs, recorded_outputs
from callproof.trace.plan import Step
from callproof.trace.records import Record
from callproof.trace.run import LogicalCall, Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array


@dataclass(frozen=True, slots=True)
class Expansion:
    """One foreach step with the array that it ran over and what was recorded for each index."""

    step: Step
    items: Sequence[Json]
    calls: Mapping[int, tuple[LogicalCall, ...]]
    unbuilt: tuple[Record, ...]

    @property
    def recorded(self) -> frozenset[int]:
        """Every index that some record stands for."""
        built = (each.iteration_index for each in self.unbuilt)
        return frozenset(self.calls) | frozenset(index for index in built if index is not None)


@once_a_run
def _iterations(run: Run) -> Mapping[str, tuple[LogicalCall, ...]]:
    groups: dict[str, list[LogicalCall]] = {}
    for logical in run.logical_calls:
        groups.setdefault(logical.step_id, []).append(logical)
    return {step_id: tuple(group) for step_id, group in groups.items()}


def expansion_of(run: Run, step: Step, outputs: Outputs) -> Expansion | None:
    """The expansion of a foreach step; None if its source is no array or is not known."""
    source = outputs.source_of(step)
    if source.fate is not Fate.OK or not is_array(source.value):
        return None
    calls = {each.index: (each,) for each in _iterations(run).get(step.id, ()) if each.index is not None}
    # An ok result without a call stands for no skipped iteration: its call was lost (RES-02).
    unbuilt = tuple(each for each in run.unbuilt_of(step.id) if each.text("status") != "ok")
    return Expansion(step, source.value, calls, unbuilt)


@once_a_run
def expansions(run: Run) -> tuple[Expansion, ...]:
    """Every foreach step whose source is known to be an array, and of which anything was recorded."""
    return tuple(_expansions(run))


def _expansions(run: Run) -> Iterator[Expansion]:
    for step in run.plan.steps if run.plan is not None else ():
        found = expansion_of(run, step, recorded_outputs(run)) if step.foreach is not None else None
        if found is not None and (found.calls or found.unbuilt):
            yield found
