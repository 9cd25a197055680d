"""The plan of a run, prepared for proofs: its steps with their tools, templates, needs and limits.

A plan that could never work, or that relies on another order than that of its steps, is handed over.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import astuple

from callproof.auditing.prover import features as f
from callproof.auditing.prover.plain import is_dict, is_list
from callproof.auditing.prover.policies import PolicyFacts
from callproof.auditing.prover.template_texts import Fill, may_refer, source_of
from callproof.auditing.prover.template_types import Foreach
from callproof.auditing.prover.templates import (
    Template,
    canonical_of,
    fixed_template,
    has_plain_names,
    sorted_form,
    template_of,
)
from callproof.auditing.prover.toolset import ToolFacts, Toolset
from callproof.auditing.prover.unproved import Unproved, demand, is_modest
from callproof.trace.plan import Step
from callproof.trace.plangraph import inside_the_output, outside_closed
from callproof.trace.references import Bindings, Reference, bindings_of, references_in

_PATHS_KEPT: Final = 4_096
_encode: Final = msgspec.json.Encoder().encode


class LoopFacts(Struct, gc=False, eq=False):
    """A step's loop."""

    source: Reference
    source_step: str
    fill: Fill
    item_name: str
    concurrency: int


class StepFacts(Struct, gc=False, eq=False):
    """What proofs need to know of one step."""

    id: str
    tool: ToolFacts
    template: Template
    on_error: str
    retry_planned: bool
    has_own_retry: bool
    limit: int
    clamped: bool
    # Whether only an alias, which no system has to accept, gives the attempts (A65).
    by_alias: bool
    # Features of a call that follow from its attempts as planned.
    attempts_met: int
    preview: str | UnsetType = UNSET
    loop: LoopFacts | None = None
    # Everything that the step waits for, and the part of it that its args refer to.
    needs: tuple[str, ...] = ()
    args_needs: tuple[str, ...] = ()
    # Features of a dispatched call that follow from what the step waits for.
    need_met: int = 0
    reads_outputs: tuple[str, ...] = ()
    reference_texts: tuple[str, ...] = ()
    # Its time limit; the policy's if it has none.
    most_ms: int | None = None


class PlanFacts(Struct, gc=False, eq=False):
    """What proofs need to know of a plan; ``form`` is its canonical form."""

    form: bytes
    steps: dict[str, StepFacts]
    # The step whose output each captured variable holds.
    variables: dict[str, str]
    # The steps that have a loop.
    looped: list[StepFacts]


# Whether retries are planned, whether the step itself plans them, how many attempts may be made, whether the policy
# lowered that number, whether only an alias gives it, and the features that follow.
Attempts = tuple[bool, bool, int, bool, bool, int]


class _Work:
    __slots__ = ("attempts", "declared", "most", "most_ms", "on_error", "signs", "steps", "tools", "variables")

    def __init__(self, plan: Any, tools: Toolset, policy: PolicyFacts) -> None:
        defaults = plan.defaults
        self.tools = tools
        self.most = policy.max_attempts
        self.most_ms = policy.max_timeout_ms
        self.steps: dict[str, StepFacts] = {}
        self.variables: dict[str, str] = {}
        self.declared = [_bindings(each.foreach) for each in plan.steps if each.foreach is not UNSET]
        # Every reference to an item or an index begins with one of these.
        self.signs = {f"{{{name}".encode() for each in self.declared for name in (each.item, each.index)}
        self.on_error: str = "stop" if defaults is UNSET or defaults.on_error is UNSET else defaults.on_error
        retry = UNSET if defaults is UNSET else defaults.retry
        self.attempts = _attempts(retry, self.most, own=False)


def plan_facts(raw: bytes, tools: Toolset, policy: PolicyFacts) -> tuple[PlanFacts, bool]:
    """
    The plan with these bytes, and whether the bytes are as short as they can be, and therefore strict JSON.

    Raises Unproved, and what decoding raises.
    """
    plan = tools.plan(raw)
    if plan.contextRequests is not UNSET or plan.outputs is not UNSET or plan.uiHints is not UNSET:
        _prove_modest([plan.contextRequests, plan.outputs, plan.uiHints])
    work = _Work(plan, tools, policy)
    steps, known = work.steps, tools.by_type
    for each in plan.steps:
        # In the order of the members in the type of a step.
        name, args, preview, needs, loop, captured, on_error, retry, most_ms, *_ = astuple(each)
        tool = known[type(each)]
        if name in steps or not tool.usable:
            raise Unproved("two steps with one id, or a tool that cannot be used")
        facts = StepFacts(
            name,
            tool,
            _template(args, tool, loop, work),
            work.on_error if on_error is UNSET else on_error,
            *(work.attempts if retry is UNSET else _attempts(retry, work.most, own=True)),
            preview,
        )
        facts.most_ms = work.most_ms if most_ms is UNSET else most_ms
        if loop is not UNSET or needs is not UNSET or facts.template.references:
            _take_needs(facts, loop, [] if needs is UNSET else needs, work)  # before it is added: only earlier steps
        steps[name] = facts
        if preview is not UNSET and ("$" in preview or "{" in preview):
            _refuse_references(preview, None if loop is UNSET else _bindings(loop))
        if captured is not UNSET:
            demand(captured not in work.variables, "a captured variable")
            work.variables[captured] = name
    form = sorted_form(plan)
    looped = [each for each in steps.values() if each.loop is not None] if work.declared else []
    return PlanFacts(form, steps, work.variables, looped), len(form) == len(raw)


def _template(args: Any, tool: ToolFacts, loop: Any, work: _Work) -> Template:
    """The args of a step, prepared for comparison with those of its calls."""
    form = _encode(args) if tool.closed else _free_form(args)
    if b'"requestId"' in form:
        _refuse_request_id(args, tool)
    if loop is not UNSET:
        return template_of(args, form, _bindings(loop))
    if work.signs and form.find(b"{", 1) > 0 and any(sign in form for sign in work.signs):
        _refuse_stray_bindings(args, work)
    # Without a loop every reference begins with one of these two.
    if b"$steps." not in form and b"$vars." not in form:
        return fixed_template(args, form, tool)
    return template_of(args, form, None)


def _prove_modest(values: list[Any]) -> None:
    """Hand over values that the strict reader may find too deep or too large."""
    told = [each for each in values if each is not UNSET]
    demand(is_modest(told) and has_plain_names(told), "a deep or large value, or a name that is not ASCII")


def _bindings(loop: Foreach) -> Bindings:
    found = _named(loop.item_name, "index" if loop.index_name is UNSET else loop.index_name)
    if found is None:
        raise Unproved("a loop that names no item")
    return found


@lru_cache(maxsize=256)
def _named(item: str, index: str) -> Bindings | None:
    return bindings_of({"foreach": {"itemName": item, "indexName": index}})


def _attempts(retry: Any, most: int | None, *, own: bool) -> Attempts:
    """The attempts that a retry policy gives, limited by the most that the run's policy permits."""
    if retry is UNSET:
        return False, False, 1, False, False, f.NO_RETRY_PLANNED
    wanted, by_alias = retry.max_attempts, False
    if wanted is UNSET:
        by_alias = retry.max_retries is not UNSET
        told: dict[str, Any] = msgspec.to_builtins(retry)
        demand(told, "an empty retry")
        wanted = Step(0, {"retry": told}, {}).max_attempts
    demand(wanted > 0 and (most is None or most > 0), "a plan or a policy that permits no attempt")
    if most is None or wanted <= most:
        return True, own, wanted, False, by_alias, f.RETRY_PLANNED
    return True, own, most, True, by_alias, f.RETRY_PLANNED | f.CLAMPED


def _free_form(args: Any) -> bytes:
    """The canonical form of args of which some part may be any JSON."""
    form = canonical_of(args)
    if form.find(b"{", 1) > 0 or b"[" in form:
        demand(is_modest(args if is_dict(args) else list(astuple(args))), "a deep or large value")
    return form


def _refuse_request_id(args: Any, tool: ToolFacts) -> None:
    """Hand over a plan that sets a member that the executor adds."""
    attr = tool.members.get("requestId")
    told = "requestId" in args if is_dict(args) else attr is not None and getattr(args, attr) is not UNSET
    demand(not told, "the plan sets what the executor adds")


def _refuse_references(preview: str, bindings: Bindings | None) -> None:
    demand(not any(True for _ in references_in(preview, bindings)), "a preview with references")


def _loop(value: Foreach, work: _Work) -> LoopFacts:
    source, fill = source_of(value.source)
    concurrency = 1 if value.concurrency is UNSET else value.concurrency
    step_id = source.name if source.root == "steps" else work.variables.get(source.name, "")
    return LoopFacts(source, step_id, fill, value.item_name, concurrency)


def _refuse_stray_bindings(value: Any, work: _Work) -> None:
    """Hand over a step that uses the item or index of another step's loop (REF-03)."""
    if isinstance(value, str):
        for bindings in work.declared if "{" in value else ():
            if may_refer(value, bindings):
                stray = any(each.root in {"item", "index"} for each in references_in(value, bindings))
                demand(not stray, "a binding of another step's loop")
    elif isinstance(value, Struct):
        for inner in astuple(value):
            _refuse_stray_bindings(inner, work)
    elif is_dict(value) or is_list(value):
        for inner in value.values() if is_dict(value) else value:
            _refuse_stray_bindings(inner, work)


def _take_needs(facts: StepFacts, foreach: Any, declared: list[str], work: _Work) -> None:
    """Set what a step waits for: all of it, what its args refer to, the features of that, and the outputs it reads."""
    template, steps = facts.template, work.steps
    facts.loop = loop = None if foreach is UNSET else _loop(foreach, work)
    met = f.DECLARED_NEED if declared else 0
    demand(not declared or steps.keys() >= set(declared), "a dependency on no earlier step")
    found: dict[str, None] = {}
    for reference in template.references:
        source = _source(reference, work)
        if source is not None:
            found[source] = None
            met |= f.STEPS_NEED if reference.root == "steps" else f.VARS_NEED
            if reference.root == "steps" and steps[source].loop is not None:
                template.met |= f.LOOP_OUTPUT_LEAF  # REF-20
    facts.args_needs = tuple(found)
    texts = [each.text for each in template.references]
    if loop is not None:
        met |= f.STEPS_NEED if loop.source.root == "steps" else f.VARS_NEED
        _refuse_outside(loop.source, loop.source_step, work)
        for each in template.references:
            if each.root == "item" and each.path:
                _refuse_outside(inside_the_output(loop.source, each), loop.source_step, work)
        found[loop.source_step] = None
        texts.append(loop.source.text)
    facts.reference_texts = tuple(texts)
    facts.reads_outputs = facts.needs = tuple(found)
    if declared:
        facts.needs = tuple(dict.fromkeys((*declared, *found)))
    facts.need_met = met


def _source(reference: Reference, work: _Work) -> str | None:
    """The step that a reference waits for; None if it refers to an item or an index."""
    if reference.root == "steps":
        name = reference.name
    elif reference.root == "vars":
        name = work.variables.get(reference.name, "")
    else:
        return None
    _refuse_outside(reference, name, work)
    return name


def _refuse_outside(reference: Reference, name: str, work: _Work) -> None:
    """Hand over a reference to no earlier step, or to something that the step's output cannot have (REF-03)."""
    source = work.steps.get(name)
    if source is None:
        raise Unproved("a reference to no earlier step")
    if reference.path:
        key = (source.tool.name, source.loop is not None, reference.path)
        known = work.tools.reachable.get(key)
        if known is None:
            looped = Step(0, {"foreach": {}} if source.loop is not None else {}, {})
            outside = outside_closed(source.tool.tool.output_schema, looped, reference.path)
            if len(work.tools.reachable) >= _PATHS_KEPT:
                work.tools.reachable.clear()
            known = work.tools.reachable[key] = outside is None
        demand(known, "a reference to what no output has")
