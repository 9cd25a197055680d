"""Where the arguments of a call came from: place by place, which reference gave which value, from which result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from callproof import limits
from callproof.checks.check import excerpt
from callproof.report.story_lines import Line
from callproof.trace.materialised import Materialised, Site, materialised
from callproof.trace.outputs import Output, recorded_outputs
from callproof.trace.plan import Step
from callproof.trace.plangraph import captures, needs_by_step
from callproof.trace.records import Record
from callproof.trace.references import Reference, Unresolved, references_in, value_of
from callproof.trace.run import Run


def step_line(run: Run, step: Step) -> Line:
    """What the plan says about a step: its tool, its loop, what it waits for, its attempts and limits."""
    told = [f"{step.id} asks for {step.tool}"]
    if step.foreach is not None:
        told.append(f"for each {step.foreach.item_name} of {step.foreach.source}")
    if needs := dict.fromkeys(need.step_id for need in needs_by_step(run).get(step.id, ())):
        told.append(f"after {', '.join(needs)}")
    limit = run.policy.attempt_limit(step) if run.policy is not None else step.max_attempts
    told.append(f"at most {limit} attempt{'' if limit == 1 else 's'}, on error {step.on_error}")
    return Line("; ".join(told), run.run_record.source if run.run_record is not None else None)


def lines_of_arguments(run: Run, call: Record) -> Iterator[Line]:
    """Every argument of a call, with the template that it was made from and what each reference in it gave."""
    found = next((each for each in materialised(run) if each.subject is call), None)
    if found is None:
        yield Line("the plan does not show where they came from", call.source)
        for name, value in (call.object("args") or {}).items():
            yield Line(f"/{name} is {excerpt(value)}", call.source, depth=1)
        return
    for site in found.sites[: limits.STORY_LINES]:
        yield from _site_lines(run, found, site)
    for pointer in found.added:
        yield Line(f"{pointer} was added by the system", call.source)


def _site_lines(run: Run, found: Materialised, site: Site) -> Iterator[Line]:
    held = excerpt(site.held) if site.present else "absent"
    odd = ", but the plan gives another value" if site.differs else ""
    if not site.references:
        yield Line(f"{site.pointer} is {held}, a literal of the plan{odd}", found.call.source)
        return
    yield Line(f"{site.pointer} is {held}, made of {excerpt(site.template)}{odd}", found.call.source)
    for reference in dict.fromkeys(site.references):
        yield from _reference_lines(run, found, site, reference)


def _reference_lines(run: Run, found: Materialised, site: Site, reference: Reference) -> Iterator[Line]:
    try:
        gave = f"gave {excerpt(value_of(reference, site.scope))}"
    except Unresolved as unresolved:
        gave = f"gave nothing: {unresolved.reason}"
    if reference.root in {"item", "index"}:
        iteration = found.call.iteration_index
        source = found.step.foreach.source if found.step.foreach is not None else "no loop"
        ends = _ends(recorded_outputs(run).of(each.name) for each in references_in(source) if each.root == "steps")
        where = ends[0].source if ends else found.call.source
        yield Line(f"{reference.text} {gave}, in iteration {iteration} of {source}", where, depth=1)
        return
    output = _output(run, reference)
    ends = _ends((output,))
    origin = f"from {_named(run, reference)}, which is {output.fate.value}"
    yield Line(f"{reference.text} {gave}, {origin}", ends[0].source if ends else None, depth=1)
    for end in ends[1 : limits.STORY_SOURCES]:
        yield Line(f"and from the result of call {end.call_id}", end.source, depth=2)


def _output(run: Run, reference: Reference) -> Output:
    outputs = recorded_outputs(run)
    return outputs.of(reference.name) if reference.root == "steps" else outputs.variable(reference.name)


def _ends(outputs: Iterable[Output]) -> list[Record]:
    return [end for output in outputs for end in output.ends]


def _named(run: Run, reference: Reference) -> str:
    if reference.root == "steps":
        return f"step {reference.name}"
    step = captures(run.plan).get(reference.name) if run.plan is not None else None
    return "no step" if step is None else f"step {step.id} that captures it"
