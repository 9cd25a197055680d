"""Laws about plans that can never work: such a run is refused before anything is dispatched.

A live run shows the refusal itself.  A captured log shows a run that took place: if
something was dispatched under a plan with such a fault, the law was broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from callproof.checks.check import Finding, Witness, check, excerpt, witness
from callproof.checks.matters import Matter
from callproof.trace.once import once_a_run
from callproof.trace.plan import Plan
from callproof.trace.plangraph import (
    PlanFault,
    dangling_references,
    judged_plan,
    judged_registry,
    on_a_cycle,
    repeated_captures,
    repeated_ids,
    sources_that_are_no_references,
    unknown_dependencies,
    unknown_tools,
    unusable_tools,
)
from callproof.trace.registry import Registry
from callproof.trace.run import Run
from callproof.values.jsonvalue import as_integer, is_number, is_object

Faults = Callable[[Run, Plan], Iterable[PlanFault]]


def _with(registry_faults: Callable[[Plan, Registry], Iterable[PlanFault]]) -> Faults:
    def faults(run: Run, plan: Plan) -> Iterable[PlanFault]:
        registry = judged_registry(run)
        return () if registry is None else registry_faults(plan, registry)

    return faults


def in_plan(faults: Faults) -> Callable[[Run], Iterable[PlanFault]]:
    """The faults of the plan that was given, or that run.json holds."""

    def found(run: Run) -> Iterable[PlanFault]:
        plan = judged_plan(run)
        return () if plan is None else tuple(faults(run, plan))

    return found


def dangling(run: Run, _plan: Plan) -> Iterable[PlanFault]:
    """References that lead nowhere."""
    return _dangling(run)


@once_a_run
def _dangling(run: Run) -> tuple[PlanFault, ...]:
    plan = judged_plan(run)
    if plan is None:
        return ()
    # In a log, a variable that no step captures may be the executor's own.
    return tuple(dangling_references(plan, judged_registry(run), own_variables=run.given is None, by_kind=False))


def carried_out(run: Run) -> tuple[str, tuple[Witness, ...]] | None:
    """What shows that a run with a faulty plan went ahead, in the past tense; None if it did not go ahead."""
    if run.deeds:
        return f"{run.deeds[0].tool} was invoked", (witness("D", run.deeds[0]),)
    if run.witnessed is not None:
        return None if run.witnessed.refusal is not None else ("the run was accepted", ())
    dispatched = next((each for each in run.attempts if each.dispatched), None)
    if dispatched is None:
        return None
    return f"call {dispatched.call.call_id} was dispatched", (witness("C", dispatched.call),)


def _not_carried_out(run: Run, fault: PlanFault) -> Iterator[Finding]:
    went_ahead = carried_out(run)
    if went_ahead is not None:
        observed, witnesses = went_ahead
        record = (witness("P", run.run_record, "the plan"),) if run.run_record is not None else ()
        yield Finding(
            f"{observed}, although {fault.says}",
            "a run with such a plan is refused before anything is dispatched",
            (*record, *witnesses),
        )


@check("REF-03", each=in_plan(dangling))
def a_dangling_reference_stops_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """A reference to what does not exist is fatal before any dispatch."""
    yield from _not_carried_out(run, fault)


@check("REF-23", each=in_plan(lambda _, plan: on_a_cycle(plan, declared=False)))
def a_cycle_of_references_stops_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """Reference cycles and self-references are fatal before any dispatch."""
    yield from _not_carried_out(run, fault)


@check("REF-26", each=in_plan(lambda _, plan: sources_that_are_no_references(plan)))
def a_loop_over_text_stops_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """A foreach source that is no reference is fatal before any dispatch."""
    yield from _not_carried_out(run, fault)


@check("VAL-05", each=in_plan(_with(unknown_tools)))
def an_unknown_tool_stops_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """A tool that the registry does not have is fatal before any dispatch."""
    yield from _not_carried_out(run, fault)


@check("VAL-08", each=in_plan(lambda _, plan: repeated_ids(plan)))
def repeated_step_ids_stop_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """Duplicate or empty step ids make a plan invalid before any dispatch."""
    yield from _not_carried_out(run, fault)


@check("VAL-09", each=in_plan(_with(unusable_tools)))
def an_unusable_schema_stops_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """A tool whose schema cannot be used is not callable."""
    yield from _not_carried_out(run, fault)


@check("DEP-09", each=in_plan(lambda _, plan: on_a_cycle(plan, declared=True)))
def a_cycle_of_dependencies_stops_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """Dependency cycles are fatal before any dispatch."""
    yield from (replace(each, matter=Matter.CIRCLE) for each in _not_carried_out(run, fault))


@check("DEP-09", each=in_plan(lambda _, plan: unknown_dependencies(plan)))
def an_unknown_dependency_stops_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """A dependency on a step that does not exist is fatal before any dispatch."""
    yield from _not_carried_out(run, fault)


@check("DEP-13", each=in_plan(lambda _, plan: repeated_captures(plan)))
def a_variable_with_two_setters_stops_the_run_before_it_starts(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """Two steps that capture one variable are refused, since it would be unclear which value counts."""
    yield from _not_carried_out(run, fault)


def _impossible_limits(run: Run) -> Iterator[PlanFault]:
    policy = run.given.policy if run.given is not None else run.policy.value if run.policy is not None else None
    limits = policy.get("limits") if is_object(policy) else None
    limit = limits.get("maxConcurrency") if is_object(limits) else None
    if limit is not None:  # null also means absent (A30)
        whole = as_integer(limit)
        if not is_number(limit) or whole is None or whole < 1:
            yield PlanFault("", f"the policy's maxConcurrency is {excerpt(limit)}")


@check("DEP-10", each=_impossible_limits)
def no_run_starts_under_an_impossible_limit(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """A run with a maxConcurrency that is below 1, or is no integer, is refused."""
    started = next(iter(run.records), None)
    if run.witnessed is not None:
        yield from _not_carried_out(run, fault)
    elif started is not None:
        record = (witness("P", run.run_record, "the policy"),) if run.run_record is not None else ()
        yield Finding(
            f"the run began, although {fault.says}",
            "a run under such a policy is refused",
            (*record, witness("R", started)),
            help="a limit of one runs the calls one after another",
        )


def _every_fault(run: Run, plan: Plan) -> Iterator[PlanFault]:
    """Every fault for which a run is refused because of its plan."""
    registry = judged_registry(run)
    yield from dangling(run, plan)
    yield from (*repeated_ids(plan), *unknown_dependencies(plan), *on_a_cycle(plan, declared=True))
    yield from (*on_a_cycle(plan, declared=False), *sources_that_are_no_references(plan), *repeated_captures(plan))
    if registry is not None:
        yield from (*unknown_tools(plan, registry), *unusable_tools(plan, registry))


@check("VAL-15", each=in_plan(_every_fault))
def nobody_confirms_a_plan_that_cannot_run(run: Run, fault: PlanFault) -> Iterator[Finding]:
    """The user is not asked to confirm a plan that cannot pass validation."""
    asked = run.events_of("run.confirmationRequested")
    if asked:
        yield Finding(
            f"the user was asked to confirm a plan, although {fault.says}",
            "validation comes before the question",
            (witness("E", asked[0]),),
        )
