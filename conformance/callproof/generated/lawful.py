"""Whether the law decides everything that a case asks for: its plan can work, and its run comes to an end."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

from callproof.checks.changes import folded
from callproof.generated.doomed import folders_above
from callproof.generated.tools import may_have_effects, never_answers
from callproof.live.behaviours import Ending, Reply
from callproof.live.case import QUANTUM_MS, Case, Cue, Item, ItemKind
from callproof.schema.bundle import bundle
from callproof.schema.validator import SchemaValidator
from callproof.spec.registry import specification
from callproof.trace.plan import Plan, Policy
from callproof.trace.plangraph import (
    dangling_references,
    on_a_cycle,
    repeated_captures,
    repeated_ids,
    sources_that_are_no_references,
    unknown_dependencies,
    unknown_tools,
    unusable_tools,
)
from callproof.trace.registry import registry_of
from callproof.values.jsontext import Json

_DECISIVE = frozenset({Cue.CONFIRMATION, Cue.START})


def is_lawful(case: Case) -> bool:
    """Whether every system has to carry out the case, or, if it expects a refusal, has to refuse it."""
    fits = _fits("policy", case.policy) and all(_fits("tool-descriptor", each) for each in case.descriptors)
    behaves = all(tool.behaviour.replies and all(map(_can_be_sent, tool.behaviour.replies)) for tool in case.tools)
    exact = not any(each % QUANTUM_MS for each in times_of(case))
    company = all(is_lawful(each.case) for each in case.company)
    if not (fits and behaves and exact and company and _can_be_laid_out(case.folder)):
        return False
    if case.expects_refusal:
        return next(plan_faults(case), None) is not None
    return next(plan_faults(case), None) is None and _comes_to_its_end(case)


def _can_be_laid_out(folder: Collection[Item]) -> bool:
    """Whether every entry has its own name, also on a case-insensitive disk, and only folders are above it."""
    kinds = {item.path: item.kind for item in folder}
    above = {each for path in kinds for each in folders_above(path)}
    names = {*kinds, *above}
    distinct = len(kinds) == len(folder) and len(set(map(folded, names))) == len(names)
    return distinct and "" not in names and all(kinds.get(each, ItemKind.FOLDER) is ItemKind.FOLDER for each in above)


def times_of(case: Case) -> Iterator[int]:
    """Every time in a case, in milliseconds; each must be a multiple of the step of the suite's clock (A77)."""
    yield from (move.after_ms for move in case.timeline)
    yield from (reply.after_ms for tool in case.tools for reply in tool.behaviour.replies)
    yield from (step.timeout_ms or 0 for step in Plan(case.plan).steps)
    yield from (step.backoff_ms for step in Plan(case.plan).steps)
    yield from (case.confirmation_timeout_ms or 0, Policy(case.policy).max_timeout_ms or 0)


def plan_faults(case: Case) -> Iterator[str]:
    """The faults for which the plan can never work."""
    if not _fits("plan", case.plan):
        yield "the plan breaks its shape"
        return
    plan, registry = Plan(case.plan), registry_of(case.descriptors)
    for faults in (
        repeated_ids(plan),
        repeated_captures(plan),
        unknown_dependencies(plan),
        on_a_cycle(plan, declared=True),
        on_a_cycle(plan, declared=False),
        unknown_tools(plan, registry),
        unusable_tools(plan, registry),
        sources_that_are_no_references(plan),
        dangling_references(plan, registry, own_variables=False),
    ):
        yield from (fault.says for fault in faults)


def _comes_to_its_end(case: Case) -> bool:
    """Whether every question is decided or expires, and a time limit stops every tool that never answers."""
    policy = Policy(case.policy)
    decided = any(move.cue in _DECISIVE for move in case.timeline) or case.confirmation_timeout_ms is not None
    if (policy.confirmations_required and not decided) or case.confirmation_timeout_ms == 0:
        return False
    registry = registry_of(case.descriptors)
    endless = {tool.name for tool in case.tools if any(map(never_answers, tool.behaviour.replies))}
    for step in Plan(case.plan).steps:
        tool = registry.resolve(step.tool)
        if tool is not None and tool.name in endless and policy.timeout_ms(step) is None:
            return False
    return True


def _can_be_sent(reply: Reply) -> bool:
    """Whether the answer that the suite would send conforms to the protocol and to the law."""
    observed: dict[str, Json] = {} if reply.observed is None else {"observed": reply.observed}
    if reply.observed and not may_have_effects(reply):
        return False
    if reply.ending is Ending.FAILURE:
        return _fits("adapter/tool-failure", {**(reply.error or {}), **observed})
    return _fits("adapter/tool-invoke-answer", {"output": reply.output, **observed})


def _fits(shape: str, value: Json) -> bool:
    return _validator(shape).accepts(value)


@cache
def _validator(shape: str) -> SchemaValidator:
    shapes = specification().shapes
    return SchemaValidator(bundle(shapes[shape], shapes))
