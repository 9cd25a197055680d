"""The fate and output of each step of a run, and with them the values that references lead to.

There are two testimonies: the results that the system recorded, and in a live run
the answers that the suite's own tools gave.  If a run does not tell, the fate of
a step is *unknown*, and nothing that depends on it can be decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from callproof.trace.cycles import after_others
from callproof.trace.lazy import Lazy
from callproof.trace.once import once_a_run
from callproof.trace.plan import Step
from callproof.trace.plangraph import all_needs, captures, judged_plan, needs_by_step
from callproof.trace.records import Record
from callproof.trace.references import Reference, Scope, Unresolved, references_in, resolve
from callproof.trace.run import Attempt, LogicalCall, Run, finer_kind
from callproof.trace.witnesses import AnswerKind
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

# A reason for skipping that is no failure: the source of the loop has no elements (A32, A81).
EMPTY = "empty"
UNAVAILABLE = "tool_unavailable"


class Fate(Enum):
    """What became of a step."""

    OK = "ok"
    FAILED = "failed"  # ended, but not ok: error, timeout, cancelled or skipped
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Output:
    """The fate of a step; ``value`` is its output if it is ok; ``ends`` are the results that decided the fate."""

    fate: Fate
    value: Json = None
    ends: tuple[Record, ...] = ()


_UNKNOWN = Output(Fate.UNKNOWN)

# The output of an ok attempt, in a tuple; None if this testimony does not have it.
Testimony: TypeAlias = Callable[[Attempt], tuple[Json] | None]


def recorded_data(attempt: Attempt) -> tuple[Json] | None:
    """The data of the attempt's result; None if they are absent or redacted (A42)."""
    result = attempt.result
    if result is None or not result.has("data") or result.is_redacted_in("data"):
        return None
    return (result.get("data"),)


def answered_output(attempt: Attempt) -> tuple[Json] | None:
    """What the hosted tool answered; None unless it gave one answer, and that is an output."""
    answers = [deed.answer for deed in attempt.deeds or () if deed.answer is not None]
    if len(answers) != 1 or answers[0].kind is not AnswerKind.OUTPUT:
        return None
    return (answers[0].data,)


class Outputs:
    """The outputs of all steps of one run according to one testimony."""

    def __init__(self, run: Run, testimony: Testimony) -> None:
        self._run = run
        self._testimony = testimony
        self._known: dict[str, Output] = {}
        # By the index of a step: every call of a loop asks for these.
        self._sources: dict[int, Output] = {}
        self._args: dict[int, tuple[Scope, Fate]] = {}
        self._logical = {(each.step_id, each.index): each for each in run.logical_calls}
        self._called = {step_id for step_id, _ in self._logical}
        for step in self._in_order():
            self._known[step.id] = self._of_loop(step) if step.foreach else self._of_step(step)

    def of(self, step_id: str) -> Output:
        """The output of a step; unknown if a step on a cycle asks for its own, or if the id is not known."""
        return self._known.get(step_id, _UNKNOWN)

    def _in_order(self) -> Iterator[Step]:
        """The steps, loops last and after those that they wait for: each of thousands may run over the one before."""
        plan = self._run.plan
        if plan is None:
            return
        steps = plan.by_id
        yield from (step for step in steps.values() if step.foreach is None)
        own, judged = all_needs(plan), needs_by_step(self._run)
        loops = [name for name, step in steps.items() if step.foreach is not None]
        rests = {name: [each.step_id for needs in (own, judged) for each in needs.get(name, ())] for name in loops}
        yield from (steps[name] for name in after_others(rests))

    def variable(self, name: str) -> Output:
        """What a captured variable holds; unknown for a variable that no step captures."""
        step = self._captures.get(name)
        return _UNKNOWN if step is None else self.of(step.id)

    def source_of(self, step: Step) -> Output:
        """What the source of a loop came to, whether it is an array or not."""
        if step.index not in self._sources:
            self._sources[step.index] = self._source_of(step)
        return self._sources[step.index]

    def args_of(self, step: Step) -> tuple[Scope, Fate]:
        """The outputs that the references in a step's args lead to, as ``scope_of`` returns them."""
        if step.index not in self._args:
            self._args[step.index] = self.scope_of(step.references_of_args)
        return self._args[step.index]

    def _source_of(self, step: Step) -> Output:
        source = step.foreach.source if step.foreach else ""
        scope, fate = self.scope_of(references_in(source))
        if fate is not Fate.OK:
            return Output(fate)
        try:
            return Output(Fate.OK, resolve(source, scope))
        except Unresolved:
            return Output(Fate.FAILED)

    def scope_of(self, references: Iterable[Reference]) -> tuple[Scope, Fate]:
        """The outputs that references lead to: a scope of those that are ok, and the worst fate among all."""
        steps: dict[str, Json] = {}
        variables: dict[str, Json] = {}
        worst = Fate.OK
        for reference, output in self._led_to(references):
            if output.fate is not Fate.OK:
                worst = output.fate if worst is not Fate.FAILED else worst
            else:
                (steps if reference.root == "steps" else variables)[reference.name] = output.value
        return Scope(steps, variables), worst

    def fate_of(self, references: Iterable[Reference]) -> Fate:
        """The worst fate among the outputs that references lead to."""
        fates = [output.fate for _, output in self._led_to(references)]
        return Fate.FAILED if Fate.FAILED in fates else Fate.UNKNOWN if Fate.UNKNOWN in fates else Fate.OK

    def _led_to(self, references: Iterable[Reference]) -> Iterator[tuple[Reference, Output]]:
        for reference in references:
            if reference.root == "steps":
                yield reference, self.of(reference.name)
            elif reference.root == "vars":
                yield reference, self.variable(reference.name)

    def everything(self) -> Scope:
        """The output of every step and variable that is ok."""
        plan = judged_plan(self._run)
        steps = {step.id: output.value for step in (plan.steps if plan else ()) if (output := self._ok(step.id))}
        variables = {name: output.value for name, step in self._captures.items() if (output := self._ok(step.id))}
        return Scope(steps, variables)

    def _ok(self, step_id: str) -> Output | None:
        output = self.of(step_id)
        return output if output.fate is Fate.OK else None

    @Lazy
    def _captures(self) -> Mapping[str, Step]:
        plan = judged_plan(self._run)
        return captures(plan) if plan is not None else {}

    def _of_step(self, step: Step) -> Output:
        logical = self._logical.get((step.id, None))
        unbuilt = self._run.unbuilt_of(step.id)
        if logical is not None and not _lost_a_call(unbuilt):
            return self._of_logical(logical)
        return Output(Fate.FAILED, ends=unbuilt) if unbuilt and not _lost_a_call(unbuilt) else _UNKNOWN

    def _of_loop(self, step: Step) -> Output:
        unbuilt = self._run.unbuilt_of(step.id)
        if _lost_a_call(unbuilt):
            return _UNKNOWN
        source = self._source_of(step)  # not cached: on a cycle it may still change
        if source.fate is Fate.OK and is_array(source.value):
            return self._of_iterations(step, len(source.value), unbuilt)
        if unbuilt and step.id not in self._called:
            # If the source is unknown, e.g. redacted, the claim that it was empty may be true (A42, A81).
            told = source.fate is Fate.UNKNOWN and all(skipped_because_empty(each, self._run) for each in unbuilt)
            return _UNKNOWN if told else Output(Fate.FAILED, ends=unbuilt)
        return _UNKNOWN

    def _of_iterations(self, step: Step, count: int, unbuilt: tuple[Record, ...]) -> Output:
        if count == 0:
            fate = Fate.FAILED if self._went_without(step, unbuilt) else Fate.OK
            return Output(fate, [], unbuilt)
        logical = [self._logical.get((step.id, index)) for index in range(count)]
        outputs = [self._of_logical(each) for each in logical if each is not None]
        ends = tuple(end for output in outputs for end in output.ends) + unbuilt
        if unbuilt or any(output.fate is Fate.FAILED for output in outputs):
            return Output(Fate.FAILED, ends=ends)
        if len(outputs) < count or any(output.fate is Fate.UNKNOWN for output in outputs):
            return _UNKNOWN
        return Output(Fate.OK, [output.value for output in outputs], ends)

    def _went_without(self, step: Step, unbuilt: tuple[Record, ...]) -> bool:
        """Whether a loop, empty or not, was skipped because something that it waits for did not end ok (DEP-02)."""
        if not unbuilt or any(skipped_because_empty(each, self._run) for each in unbuilt):
            return False
        needs = needs_by_step(self._run).get(step.id, ())
        return any(self.of(each.step_id).fate is Fate.FAILED for each in needs)

    def _of_logical(self, logical: LogicalCall) -> Output:
        last = logical.last
        if last.result is None:
            return _UNKNOWN
        if last.status != "ok":
            return Output(Fate.FAILED, ends=(last.result,))
        data = self._testimony(last)
        return _UNKNOWN if data is None else Output(Fate.OK, data[0], (last.result,))


def _lost_a_call(unbuilt: tuple[Record, ...]) -> bool:
    """Whether an ok result lacks its call: a skipped step has no ok result, so a line was lost, and the outcome too."""
    return any(result.text("status") == "ok" for result in unbuilt)


@once_a_run
def recorded_outputs(run: Run) -> Outputs:
    """The outputs as the results tell them."""
    return Outputs(run, recorded_data)


@once_a_run
def answered_outputs(run: Run) -> Outputs:
    """The outputs as the suite's own tools gave them."""
    return Outputs(run, answered_output)


def skipped_because_empty(result: Record, run: Run) -> bool:
    """Whether a skipped result stands for a loop without elements (A32, A81)."""
    return _gives_the_reason(EMPTY, result, run)


def skipped_without_its_tool(result: Record, run: Run) -> bool:
    """
    Whether a skipped result of a captured log says that its tool was not there (A51); the suite's tools always are.

    If the reason is redacted, it may have been this one (A42).
    """
    error = result.object("error") or {}
    code = error.get("code")
    told = finer_kind(error) == UNAVAILABLE or (isinstance(code, str) and code.lower() == UNAVAILABLE)
    told = run.witnessed is None and (told or _gives_the_reason(UNAVAILABLE, result, run))
    return told or hides_the_reason(result, run)


# Places of the reason why a result was skipped (B-30), and what holds them.
_TELLING = frozenset({"/error", "/error/code", "/error/details", "/error/details/reason"})
_TELLING_IN_EVENTS = frozenset({"/payload", "/payload/reason"})


def hides_the_reason(result: Record, run: Run) -> bool:
    """Whether the reason of a skipped result may have stood at a redacted place: then it may be any (A42)."""
    closing = _closing(run).get(result.call_id, ())
    told = result.is_redacted_in("userMessage") or not _TELLING.isdisjoint(result.redacted)
    return told or any(not _TELLING_IN_EVENTS.isdisjoint(each.redacted) for each in closing)


def _gives_the_reason(reason: str, result: Record, run: Run) -> bool:
    """Whether the userMessage of a result, or the payload of its closing event, gives a reason."""
    if reason in (result.text("userMessage") or ""):
        return True
    closing = _closing(run).get(result.call_id, ())
    return any((each.object("payload") or {}).get("reason") == reason for each in closing)


@once_a_run
def _closing(run: Run) -> Mapping[str | None, list[Record]]:
    """The ``step.finished`` events by ``callId``."""
    found: dict[str | None, list[Record]] = {}
    for event in run.events_of("step.finished"):
        found.setdefault(event.call_id, []).append(event)
    return found


@once_a_run
def finished_without_a_call(run: Run) -> Mapping[str | None, Record]:
    """By step, its first ``step.finished`` event that names no call, as for a loop over nothing (A81)."""
    found: dict[str | None, Record] = {}
    for event in _closing(run).get(None, ()):
        found.setdefault(event.step_id, event)
    return found
