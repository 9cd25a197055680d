"""What a plan says before anything runs: which step depends on which, and what in it can never work.

Works on the plan alone, or on the plan and the tool registry.  The checks find out
whether a system that was given such a plan ran it nevertheless.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from callproof.trace.cycles import on_cycles
from callproof.trace.once import once_a_plan, once_a_run
from callproof.trace.plan import Plan, Step
from callproof.trace.references import Bindings, Reference, references_in, sole_reference
from callproof.trace.registry import Registry, registry_of
from callproof.trace.run import Run
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_BRACED = re.compile(r"\{([A-Za-z_][A-Za-z0-9_-]*+)")


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that a step waits for: a step, and the reference that asks for it (None if it is declared)."""

    step_id: str
    reference: Reference | None


@dataclass(frozen=True, slots=True)
class PlanFault:
    """Something in a plan that can never work: the step that holds it, and a clause that says what."""

    step_id: str
    says: str


@dataclass(frozen=True, slots=True)
class DeadEnd:
    """Why a reference leads nowhere, as a clause, and whether only because of a value's kind, such as a text."""

    says: str
    by_kind: bool = False


@once_a_run
def judged_plan(run: Run) -> Plan | None:
    """The plan that the suite handed over, in a live run; else the one in run.json."""
    if run.given is not None:
        return Plan(run.given.plan) if is_object(run.given.plan) else None
    return run.plan


@once_a_run
def judged_registry(run: Run) -> Registry | None:
    """The registry that the suite handed over, in a live run; else the one that came with the log."""
    return registry_of(run.given.tools) if run.given is not None else run.registry


def redacted_args(run: Run, step: Step) -> tuple[str, ...]:
    """Pointers into the args of a step's calls, for what is redacted in the plan in run.json (A42)."""
    marks = run.run_record.redacted if run.run_record is not None else ()
    if not marks:
        return ()
    args = f"/plan/steps/{step.index}/args"
    return tuple(f"/args{mark.removeprefix(args)}" for mark in marks if f"{mark}/".startswith(f"{args}/"))


def may_need_more(run: Run, step: Step) -> bool:
    """Whether a step may have further references, hidden because run.json is redacted there (A42)."""
    return run.given is None and redacted_args(run, step) != ()


@once_a_plan
def captures(plan: Plan) -> Mapping[str, Step]:
    """The step that sets each variable; the first of two."""
    found: dict[str, Step] = {}
    for step in plan.steps:
        if step.capture_as is not None:
            found.setdefault(step.capture_as, step)
    return found


@once_a_plan
def all_needs(plan: Plan) -> Mapping[str, tuple[Need, ...]]:
    """What each step waits for: declared, referenced, or through a variable that a step captures (REF-22)."""
    variables = captures(plan)
    found: dict[str, tuple[Need, ...]] = {}
    for step in plan.steps:
        needs = [Need(each, None) for each in step.depends_on]
        for reference in step.references:
            if reference.root == "steps":
                needs.append(Need(reference.name, reference))
            elif reference.root == "vars" and reference.name in variables:
                needs.append(Need(variables[reference.name].id, reference))
        found.setdefault(step.id, tuple(needs))
    return found


@once_a_run
def needs_by_step(run: Run) -> Mapping[str, tuple[Need, ...]]:
    """The needs of every step of the run's plan, by id."""
    plan = judged_plan(run)
    return all_needs(plan) if plan is not None else {}


def ancestors(needs: Mapping[str, tuple[Need, ...]], step_id: str) -> frozenset[str]:
    """Every step that a step waits for, directly or through others; the step itself too if it is on a cycle."""
    found: set[str] = set()
    waiting = [step_id]
    while waiting:
        for need in needs.get(waiting.pop(), ()):
            if need.step_id not in found:
                found.add(need.step_id)
                waiting.append(need.step_id)
    return frozenset(found)


def on_a_cycle(plan: Plan, *, declared: bool) -> Iterator[PlanFault]:
    """Steps that wait for themselves: by declarations alone (DEP-09), or with references in play (REF-23)."""
    by_word = on_cycles({step.id: step.depends_on for step in plan.steps})
    if declared:
        says = "step {} depends on itself, directly or through others"
        yield from (PlanFault(each.id, says.format(each.id)) for each in plan.steps if each.id in by_word)
        return
    needs = all_needs(plan).items()
    in_all = on_cycles({name: [need.step_id for need in each] for name, each in needs}) - by_word
    for step in plan.steps:
        if step.id in in_all:
            yield PlanFault(step.id, f"the references of step {step.id} lead back to it")


def unknown_dependencies(plan: Plan) -> Iterator[PlanFault]:
    """Entries of ``dependsOn`` that name no step (DEP-09)."""
    for step in plan.steps:
        for each in step.depends_on:
            if each not in plan.by_id:
                yield PlanFault(step.id, f"step {step.id} depends on {each}, which the plan does not have")


def dangling_references(
    plan: Plan, registry: Registry | None, *, own_variables: bool, by_kind: bool = True
) -> Iterator[PlanFault]:
    """
    References to steps, variables, bindings or closed outputs' members that do not exist (REF-03).

    With ``own_variables`` the system may have variables beside the captured ones, which no log lists (REF-05).
    With ``by_kind`` also paths that do not fit the kind of a value, such as a member of a text: these may
    refuse the run or fail their step.
    """
    variables = captures(plan)
    declared = [bindings for step in plan.steps if (bindings := step.bindings) is not None]
    items, indices = {each.item for each in declared}, {each.index for each in declared}
    for step in plan.steps:
        for reference in step.references:
            if own_variables and reference.root == "vars" and reference.name not in variables:
                continue
            of_an_item = reference.root == "item" and reference.path
            end = (
                _is_in_no_item(plan, variables, registry, step, reference)
                if of_an_item
                else _leads_nowhere(plan, variables, registry, reference)
            )
            if end is not None and (by_kind or not end.by_kind):
                yield PlanFault(step.id, f"{reference.text} in step {step.id} {end.says}")
        if not is_object(step.value.get("foreach")):
            for reference in _stray_bindings(step, items, indices):
                says = "is a binding of another step's foreach"
                yield PlanFault(step.id, f"{reference.text} in step {step.id} {says}")


def repeated_ids(plan: Plan) -> Iterator[PlanFault]:
    """Step ids that are empty, or that two steps have (VAL-08)."""
    seen: set[str] = set()
    for step in plan.steps:
        if not step.id:
            yield PlanFault("", f"step {step.index + 1} of the plan has no id")
        elif step.id in seen:
            yield PlanFault(step.id, f"two steps of the plan are called {step.id}")
        seen.add(step.id)


def repeated_captures(plan: Plan) -> Iterator[PlanFault]:
    """Variables that two steps set (DEP-13, A75)."""
    first = captures(plan)
    for step in plan.steps:
        name = step.capture_as
        if name is not None and first[name] is not step:
            yield PlanFault(step.id, f"steps {first[name].id} and {step.id} both set the variable {name}")


def unknown_tools(plan: Plan, registry: Registry) -> Iterator[PlanFault]:
    """Steps whose tool is neither a name nor an alias of the registry (VAL-05)."""
    for step in plan.steps:
        if registry.resolve(step.tool) is None:
            yield PlanFault(
                step.id, f"step {step.id} asks for the tool {step.tool!r}, which the registry does not have"
            )


def unusable_tools(plan: Plan, registry: Registry) -> Iterator[PlanFault]:
    """Steps whose tool has a schema that cannot be used (VAL-09, A75)."""
    for step in plan.steps:
        tool = registry.resolve(step.tool)
        if tool is not None and tool.unusable is not None:
            yield PlanFault(step.id, f"step {step.id} asks for {step.tool}, whose {tool.unusable}")


def sources_that_are_no_references(plan: Plan) -> Iterator[PlanFault]:
    """Loops whose source is anything but one reference, and therefore no array (REF-26)."""
    for step in plan.steps:
        loop = step.value.get("foreach")
        if is_object(loop) and sole_reference(loop.get("from")) is None:
            yield PlanFault(step.id, f"the foreach of step {step.id} runs over something that is not a reference")


def _leads_nowhere(
    plan: Plan, variables: Mapping[str, Step], registry: Registry | None, reference: Reference
) -> DeadEnd | None:
    if reference.root == "steps":
        source = plan.by_id.get(reference.name)
        if source is None:
            return DeadEnd("names a step that the plan does not have")
    elif reference.root == "vars":
        source = variables.get(reference.name)
        if source is None:
            return DeadEnd("names a variable that no step captures")
    else:
        return None
    tool = registry.resolve(source.tool) if registry is not None else None
    return None if tool is None else outside_closed(tool.output_schema, source, reference.path)


def _is_in_no_item(
    plan: Plan, variables: Mapping[str, Step], registry: Registry | None, step: Step, reference: Reference
) -> DeadEnd | None:
    """Why a path into a loop's item leads nowhere; None if the loop's source itself does, which is another fault."""
    source = sole_reference(step.foreach.source) if step.foreach is not None else None
    if source is None or _leads_nowhere(plan, variables, registry, source) is not None:
        return None
    return _leads_nowhere(plan, variables, registry, inside_the_output(source, reference))


def inside_the_output(source: Reference, part: Reference) -> Reference:
    """A reference into a loop's item, rewritten as a reference into the output that the loop runs over."""
    return replace(source, path=(*source.path, 0, *part.path))


def outside_closed(schema: Mapping[str, Json], source: Step, path: tuple[str | int, ...]) -> DeadEnd | None:
    """Why a plain schema excludes the path; a schema that is less plain decides nothing (A3)."""
    here: Json = {"type": "array", "items": schema} if source.foreach is not None else schema
    for segment in path:
        if not is_object(here) or any(word in here for word in ("$ref", "allOf", "anyOf", "oneOf", "if", "not")):
            return None
        kind = here.get("type")
        if isinstance(segment, int):
            if isinstance(kind, str) and kind != "array":
                return DeadEnd(f"asks for [{segment}], but the tool's output is not an array", by_kind=True)
            # With `prefixItems` beside it, `items` describes only the elements after the tuple.
            here = None if "prefixItems" in here else here.get("items")
            continue
        properties = here.get("properties")
        if is_object(properties) and segment in properties:
            here = properties[segment]
        elif isinstance(kind, str) and kind != "object":
            return DeadEnd(f"asks for the member {segment!r}, but the tool's output is not an object", by_kind=True)
        elif here.get("additionalProperties") is False and not is_object(here.get("patternProperties")):
            return DeadEnd(f"asks for the member {segment!r}, which the tool's closed outputSchema does not declare")
        else:
            return None
    return None


def _stray_bindings(step: Step, items: Collection[str], indices: Collection[str]) -> Iterator[Reference]:
    """References in a step without a loop that use the names of other steps' bindings (A60)."""
    args = step.value.get("args")
    # Thousands of loops may declare names; few of these stand in any one step.
    for name in dict.fromkeys(_names_in_braces(args)):
        if name in items or name in indices:
            found = references_in(args, Bindings(name, name))
            of_loops = (each for each in found if each.root == "item" and (name in items or not each.path))
            yield from {each.text: each for each in of_loops}.values()


def _names_in_braces(template: Json) -> Iterator[str]:
    """The names in the strings of a value, at any depth, with which a reference to a binding may begin."""
    if isinstance(template, str):
        yield from _BRACED.findall(template)
    elif is_object(template):
        for inner in template.values():
            yield from _names_in_braces(inner)
    elif is_array(template):
        for inner in template:
            yield from _names_in_braces(inner)
