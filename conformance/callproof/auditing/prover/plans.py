"""The plan of a run, ready for proofs: its steps with their tools, templates, needs and limits.

A plan that could never work, or that leans on an order other than that of its steps, is handed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from callproof import limits
from callproof.auditing.prover import features as f
from callproof.auditing.prover.policies import PolicyFacts
from callproof.auditing.prover.templates import Fill, Template, source_of, template_of
from callproof.auditing.prover.toolset import ToolFacts, Toolset, no_floats
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.trace.plan import Step
from callproof.trace.plangraph import outside_closed
from callproof.trace.references import Bindings, Reference, bindings_of, references_in
from callproof.values.jsonvalue import depth

_decode: Final = msgspec.json.Decoder(float_hook=no_floats).decode
_encode: Final = msgspec.json.Encoder().encode
_ON_ERROR: Final = frozenset({"stop", "skip", "retry"})


@dataclass(frozen=True, slots=True)
class LoopFacts:
    """A step's loop."""

    source: Reference
    source_step: str
    fill: Fill
    item_name: str
    concurrency: int


@dataclass(frozen=True, slots=True, eq=False)
class StepFacts:
    """What proofs ask of one step."""

    step: Step
    id: str
    tool: ToolFacts
    template: Template
    loop: LoopFacts | None
    # Everything it waits for, and what its args alone refer to.
    needs: tuple[str, ...]
    args_needs: tuple[str, ...]
    # Features of a dispatched call that come from what the step waits for.
    need_met: int
    reads_outputs: tuple[str, ...]
    on_error: str
    retry_planned: bool
    limit: int
    clamped: bool
    preview: str | None
    reference_texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What proofs ask of a plan."""

    value: Mapping[str, Any]
    steps: Mapping[str, StepFacts]


class _Work:
    def __init__(self, tools: Toolset, policy: PolicyFacts, defaults: Mapping[str, Any], steps: list[Any]) -> None:
        self.tools = tools
        self.policy = policy
        self.defaults = defaults
        self.steps: dict[str, StepFacts] = {}
        self.variables: dict[str, str] = {}
        loops = [bindings_of(each) for each in steps if isinstance(each, dict) and "foreach" in each]
        self.declared: set[Bindings] = {each for each in loops if each is not None}


def plan_facts(raw: bytes, tools: Toolset, policy: PolicyFacts) -> tuple[PlanFacts, bool]:
    """
    The plan with these bytes, and whether the bytes are as plain as they could be, and so strict JSON.

    Raises Unproved.
    """
    value = _decode(raw)
    demand(isinstance(value, dict), "the plan is no object")
    steps, defaults = value.get("steps"), value.get("defaults", {})
    demand(isinstance(steps, list) and steps and isinstance(defaults, dict), "the plan has no steps")
    _refuse_depth(value)
    work = _Work(tools, policy, defaults, steps)
    for index, each in enumerate(steps):
        demand(isinstance(each, dict), "a step is no object")
        facts = _step(index, each, work)
        demand(facts.id not in work.steps, "two steps have one id")
        work.steps[facts.id] = facts
        _capture(each.get("captureAs"), facts.id, work)
    return PlanFacts(value, work.steps), _encode(value) == raw


def _refuse_depth(plan: Mapping[str, Any]) -> None:
    """Hand over what the strict reader may find too deep or too large."""
    demand(depth(plan) < limits.NESTING // 2, "a deep plan")


def _capture(name: Any, step_id: str, work: _Work) -> None:
    if name is not None:
        demand(isinstance(name, str) and name and name not in work.variables, "a captured variable")
        work.variables[name] = step_id


def _step(index: int, value: dict[str, Any], work: _Work) -> StepFacts:
    name, tool, args = value.get("id"), work.tools.facts.get(value.get("tool", "")), value.get("args", {})
    if not isinstance(name, str) or not name or tool is None or not tool.usable or not isinstance(args, dict):
        raise Unproved("a step without an id, a known tool or args")
    demand("requestId" not in args and "note" not in args, "the plan sets what the executor adds")
    bindings, loop = _loop(value, work)
    if loop is None and work.declared:
        _refuse_stray_bindings(args, work)
    template = template_of(args, bindings, work.variables)
    needs, args_needs, need_met, reads = _needs(value, template, loop, work)
    step = Step(index, value, work.defaults)
    on_error = step.on_error
    demand(on_error in _ON_ERROR, "an unknown onError")
    preview = step.preview
    if preview is not None and ("$" in preview or "{" in preview):
        demand(not any(True for _ in references_in(preview, bindings)), "a preview with references")
    texts = tuple(each.text for each in template.references)
    return StepFacts(
        step,
        name,
        tool,
        _with_loop_outputs(template, work),
        loop,
        needs,
        args_needs,
        need_met,
        reads,
        on_error,
        step.retry is not None,
        work.policy.policy.attempt_limit(step),
        work.policy.max_attempts is not None and step.max_attempts > work.policy.max_attempts,
        preview,
        texts if loop is None else (*texts, loop.source.text),
    )


def _loop(value: dict[str, Any], work: _Work) -> tuple[Bindings | None, LoopFacts | None]:
    declared = value.get("foreach")
    if declared is None:
        return None, None
    bindings = bindings_of(value)
    if bindings is None:
        raise Unproved("a loop that names no item")
    source, fill = source_of(declared.get("from"), work.variables)
    concurrency = declared.get("concurrency", 1)
    demand(isinstance(concurrency, int) and concurrency >= 1, "an odd concurrency")
    step_id = source.name if source.root == "steps" else work.variables[source.name]
    return bindings, LoopFacts(source, step_id, fill, bindings.item, concurrency)


def _refuse_stray_bindings(value: Any, work: _Work) -> None:
    """Hand over a step that uses the binding of another step's loop (REF-03)."""
    if isinstance(value, str):
        if "{" in value:
            for bindings in work.declared:
                stray = any(each.root in {"item", "index"} for each in references_in(value, bindings))
                demand(not stray, "a binding of another step's loop")
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            _refuse_stray_bindings(inner, work)


def _needs(
    value: dict[str, Any], template: Template, loop: LoopFacts | None, work: _Work
) -> tuple[tuple[str, ...], tuple[str, ...], int, tuple[str, ...]]:
    """What a step waits for: all of it, what its args ask for, the features of that, and the outputs that it reads."""
    met = 0
    declared = value.get("dependsOn", ())
    demand(isinstance(declared, list | tuple) and all(each in work.steps for each in declared), "a dependency")
    if declared:
        met |= f.DECLARED_NEED
    asked = tuple(source for each in template.references if (source := _source(each, work)) is not None)
    for reference in template.references:
        met |= _need_met(reference)
    read = asked
    if loop is not None:
        met |= _need_met(loop.source)
        _refuse_outside(loop.source, loop.source_step, work)
        read = (*asked, loop.source_step)
    return tuple(dict.fromkeys((*declared, *read))), tuple(dict.fromkeys(asked)), met, tuple(dict.fromkeys(read))


def _need_met(reference: Reference) -> int:
    return f.STEPS_NEED if reference.root == "steps" else f.VARS_NEED if reference.root == "vars" else 0


def _source(reference: Reference, work: _Work) -> str | None:
    if reference.root == "steps":
        name = reference.name
    elif reference.root == "vars":
        name = work.variables[reference.name]
    else:
        return None
    _refuse_outside(reference, name, work)
    return name


def _refuse_outside(reference: Reference, name: str, work: _Work) -> None:
    """Hand over a reference to no earlier step, or to what the step's output cannot have (REF-03)."""
    source = work.steps.get(name)
    if source is None:
        raise Unproved("a reference to no earlier step")
    if reference.path:
        key = (source.tool.name, source.loop is not None, reference.path)
        known = work.tools.reachable.get(key)
        if known is None:
            outside = outside_closed(source.tool.tool.output_schema, source.step, reference.path)
            known = work.tools.reachable[key] = outside is None
        demand(known, "a reference to what no output has")


def _with_loop_outputs(template: Template, work: _Work) -> Template:
    """The template, with a mark where it reads the whole output of a loop (REF-20)."""
    loops = (work.steps[each.name].loop for each in template.references if each.root == "steps")
    if any(each is not None for each in loops):
        return replace(template, met=template.met | f.LOOP_OUTPUT_LEAF)
    return template
