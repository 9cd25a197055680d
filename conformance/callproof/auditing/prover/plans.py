"""The plan of a run, ready for proofs: its steps with their tools, templates, needs and limits.

A plan that could never work, or that leans on an order other than that of its steps, is handed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from callproof.auditing.prover import features as f
from callproof.auditing.prover.plain import is_dict, is_list
from callproof.auditing.prover.policies import PolicyFacts
from callproof.auditing.prover.templates import Fill, Template, may_refer, names_in, source_of, template_of
from callproof.auditing.prover.toolset import ToolFacts, Toolset, no_floats
from callproof.auditing.prover.unproved import Unproved, demand, is_modest
from callproof.trace.plan import Step
from callproof.trace.plangraph import outside_closed
from callproof.trace.references import Bindings, Reference, bindings_of, references_in

_decode: Final = msgspec.json.Decoder(float_hook=no_floats).decode
_encode: Final = msgspec.json.Encoder().encode
_CONTAINERS: Final = frozenset({dict, list})
_MOST_MEMBERS: Final = 1_000
_ON_ERROR: Final = frozenset({"stop", "skip", "retry"})


@dataclass(slots=True, eq=False)
class LoopFacts:
    """A step's loop."""

    source: Reference
    source_step: str
    fill: Fill
    item_name: str
    concurrency: int


@dataclass(slots=True, eq=False)
class StepFacts:
    """What proofs ask of one step."""

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
    has_own_retry: bool
    limit: int
    clamped: bool
    preview: str | None
    reference_texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanFacts:
    """What proofs ask of a plan."""

    value: Mapping[str, Any]
    steps: Mapping[str, StepFacts]
    # Whether every member name in it is ASCII.
    ascii_names: bool


class _Work:
    def __init__(self, tools: Toolset, policy: PolicyFacts, defaults: Mapping[str, Any], steps: list[Any]) -> None:
        self.tools = tools
        self.policy = policy
        self.defaults = defaults
        self.steps: dict[str, StepFacts] = {}
        self.variables: dict[str, str] = {}
        loops = [bindings_of(each) for each in steps if is_dict(each) and "foreach" in each]
        self.declared: set[Bindings] = {each for each in loops if each is not None}
        planned, most = is_dict(defaults.get("retry")), policy.max_attempts
        demand(not planned or defaults["retry"], "an empty retry")
        wanted = _max_attempts({"retry": defaults.get("retry")}) if planned else 1
        limit = wanted if most is None else min(wanted, most)
        self.default_attempts = (planned, False, limit, most is not None and wanted > most)


def plan_facts(raw: bytes, tools: Toolset, policy: PolicyFacts) -> tuple[PlanFacts, bool]:
    """
    The plan with these bytes, and whether the bytes are as plain as they could be, and so strict JSON.

    Raises Unproved.
    """
    value = _decode(raw)
    demand(is_dict(value), "the plan is no object")
    steps, defaults = value.get("steps"), value.get("defaults", {})
    demand(is_list(steps) and steps and is_dict(defaults), "the plan has no steps")
    plain_names = _proved_names(value, "steps")
    work = _Work(tools, policy, defaults, steps)
    for each in steps:
        demand(is_dict(each), "a step is no object")
        plain_names = _proved_names(each, "args") and plain_names
        facts = _step(each, work)
        demand(facts.id not in work.steps, "two steps have one id")
        work.steps[facts.id] = facts
        _capture(each.get("captureAs"), facts.id, work)
    return PlanFacts(value, work.steps, plain_names), _encode(value) == raw


def _proved_names(members: Mapping[str, Any], known: str) -> bool:
    """
    Whether all names in the members but those of one, which is looked at by itself, are ASCII.

    Raises Unproved for what the strict reader may find too deep or too large.
    """
    if len(members) > _MOST_MEMBERS:
        raise Unproved("a large object")
    plain = "".join(members).isascii()
    for name, value in members.items():
        if type(value) in _CONTAINERS and name != known:
            demand(is_modest(value), "a deep or large value")
            plain = plain and all(map(str.isascii, names_in(value)))
    return plain


def _capture(name: Any, step_id: str, work: _Work) -> None:
    if name is not None:
        demand(isinstance(name, str) and name and name not in work.variables, "a captured variable")
        work.variables[name] = step_id


def _step(value: dict[str, Any], work: _Work) -> StepFacts:
    name, named, args = value.get("id"), value.get("tool"), value.get("args", {})
    tool = work.tools.facts.get(named) if isinstance(named, str) else None
    if not isinstance(name, str) or not name or tool is None or not tool.usable or not is_dict(args):
        raise Unproved("a step without an id, a known tool or args")
    demand("requestId" not in args, "the plan sets what the executor adds")
    bindings, loop = _loop(value, work)
    template = template_of(args, bindings, work.variables)
    if loop is None and work.declared and template.met & f.EXPANDABLE_LEAF:
        _refuse_stray_bindings(args, work)
    needs, args_needs, need_met, reads = _needs(value, template, loop, work)
    on_error, preview = value.get("onError") or work.defaults.get("onError") or "stop", value.get("preview") or None
    demand(isinstance(on_error, str) and on_error in _ON_ERROR, "an unknown onError")
    demand(preview is None or isinstance(preview, str), "an odd preview")
    if preview is not None and ("$" in preview or "{" in preview):
        demand(not any(True for _ in references_in(preview, bindings)), "a preview with references")
    texts = tuple([each.text for each in template.references]) if template.references else ()
    return StepFacts(
        name,
        tool,
        _with_loop_outputs(template, work),
        loop,
        needs,
        args_needs,
        need_met,
        reads,
        on_error,
        *_attempts(value, work),
        preview,
        texts if loop is None else (*texts, loop.source.text),
    )


def _attempts(value: dict[str, Any], work: _Work) -> tuple[bool, bool, int, bool]:
    """Whether retries are planned, by the step itself, how many attempts may be made, and whether that was lowered."""
    retry, most = value.get("retry"), work.policy.max_attempts
    if not is_dict(retry):
        return work.default_attempts
    demand(retry, "an empty retry")
    wanted = _max_attempts({"retry": retry})
    return True, True, wanted if most is None else min(wanted, most), most is not None and wanted > most


def _max_attempts(value: dict[str, Any]) -> int:
    return Step(0, value, {}).max_attempts


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
        for bindings in work.declared if "{" in value else ():
            if may_refer(value, bindings):
                stray = any(each.root in {"item", "index"} for each in references_in(value, bindings))
                demand(not stray, "a binding of another step's loop")
    elif is_dict(value) or is_list(value):
        for inner in value.values() if is_dict(value) else value:
            _refuse_stray_bindings(inner, work)


def _needs(
    value: dict[str, Any], template: Template, loop: LoopFacts | None, work: _Work
) -> tuple[tuple[str, ...], tuple[str, ...], int, tuple[str, ...]]:
    """What a step waits for: all of it, what its args ask for, the features of that, and the outputs that it reads."""
    met = 0
    told: Any = value.get("dependsOn") or None
    declared: list[Any] = told if is_list(told) else [] if told is None else [None]
    if not declared and loop is None and not template.references:
        return (), (), 0, ()
    demand(all(isinstance(each, str) for each in declared), "a dependency that is no name")
    demand(all(each in work.steps for each in declared), "a dependency on no earlier step")
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
            looped = Step(0, {"foreach": {}} if source.loop is not None else {}, {})
            outside = outside_closed(source.tool.tool.output_schema, looped, reference.path)
            known = work.tools.reachable[key] = outside is None
        demand(known, "a reference to what no output has")


def _with_loop_outputs(template: Template, work: _Work) -> Template:
    """The template, with a mark where it reads the whole output of a loop (REF-20)."""
    for reference in template.references:
        if reference.root == "steps" and work.steps[reference.name].loop is not None:
            template.met |= f.LOOP_OUTPUT_LEAF
    return template
