"""What became of each step, and the outputs that references lead to (REF-02, REF-20, A33)."""

from __future__ import annotations

from typing import Any, Final

from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.following import Absent
from callproof.auditing.prover.plain import is_list
from callproof.auditing.prover.plans import LoopFacts, StepFacts
from callproof.auditing.prover.unproved import Unproved, demand

# Stands for the output of a step that did not end ok.
FAILED: Final = object()


class Outputs:
    """
    The outputs of a run's steps, computed when they are first needed.

    Templates are filled in from it: ``item`` and ``index`` are those of the current call.
    """

    __slots__ = ("_case", "_known", "_sources", "_unbuilt", "ended_at", "falsy", "index", "item")

    def __init__(self, case: Case) -> None:
        self.item: Any = None
        self.index = 0
        self.falsy = False
        # For each step that ended ok, the line of the last event that closed it.
        self.ended_at: dict[str, int] = {}
        self._case = case
        self._known: dict[str, Any] = {}
        self._sources: dict[str, Any] = {}
        self._unbuilt: dict[str, list[Seen]] = {}
        for each in case.unbuilt:
            self._unbuilt.setdefault(each.step.id, []).append(each)

    def output(self, name: str) -> Any:
        """The output of a step that ended ok.  Raises Unproved for any other step."""
        found = self.fate(name)
        if found is FAILED:
            raise Unproved("a value of a step that did not end ok")
        return found

    def variable(self, name: str) -> Any:
        """The output that is captured under a name.  Raises Unproved if its step did not end ok."""
        return self.output(self._case.plan.variables[name])

    def fate(self, name: str) -> Any:
        """The output of a step, or ``FAILED``.  Raises Unproved if the records do not show it."""
        known = self._known.get(name)
        if known is None:
            step = self._case.plan.steps[name]
            known = self._known[name] = self._of_step(step) if step.loop is None else self._of_loop(step, step.loop)
        return known

    def unbuilt(self, name: str) -> list[Seen]:
        """The results of calls of a step that were never built."""
        return self._unbuilt.get(name, [])

    def source(self, step: StepFacts, loop: LoopFacts) -> Any:
        """The array that a loop ran over, or ``FAILED`` if its source did not end ok."""
        known = self._sources.get(step.id)
        if known is None:
            known = self._sources[step.id] = self._source(loop)
        return known

    def _source(self, loop: LoopFacts) -> Any:
        if self.fate(loop.source_step) is FAILED:
            return FAILED
        before = self.falsy
        try:
            found = loop.fill(self)
        except Absent:
            raise Unproved("a loop over nothing") from None
        finally:
            self.falsy = before
        demand(is_list(found), "a loop over no array")
        return found

    def _of_step(self, step: StepFacts) -> Any:
        attempts = self._case.logical.get((step.id, None))
        unbuilt = self._unbuilt.get(step.id)
        if attempts is None:
            demand(unbuilt and len(unbuilt) == 1, "a step of which nothing is on record")
            return FAILED
        demand(unbuilt is None, "a step that was built and was not")
        last = attempts[-1]
        if last.status != "ok":
            return FAILED
        self.ended_at[step.id] = last.closed
        return last.data

    def _of_loop(self, step: StepFacts, loop: LoopFacts) -> Any:
        items, unbuilt = self.source(step, loop), self._unbuilt.get(step.id, [])
        if items is FAILED:
            called = any(step_id == step.id for step_id, _ in self._case.logical)
            demand(unbuilt and not called, "a loop without a source")
            return FAILED
        if not items:
            self.ended_at[step.id] = max((each.closed for each in unbuilt), default=-1)
            return items
        return self._of_iterations(step, len(items), unbuilt)

    def _of_iterations(self, step: StepFacts, count: int, unbuilt: list[Seen]) -> Any:
        """Every index has a call, or a result without a call, and no other index has either (LOOP-01)."""
        logical = self._case.logical
        groups = [logical.get((step.id, index)) for index in range(count)]
        called = [group[-1] for group in groups if group is not None]
        indices = [each.index for each in unbuilt]
        if indices == [None]:
            demand(not called, "a loop that was built and was not")
            return FAILED
        rest = sorted(-1 if index is None else index for index in indices)
        missing = [index for index, group in enumerate(groups) if group is None]
        demand(rest == missing, "an iteration too many or too few")
        if unbuilt or any(each.status != "ok" for each in called):
            return FAILED
        self.ended_at[step.id] = max(each.closed for each in called)
        return [each.data for each in called]
