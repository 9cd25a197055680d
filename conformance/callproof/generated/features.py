"""Which features a system must claim to be given a case, derived from the case itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from callproof.live.case import Case
from callproof.trace.plan import Plan, Policy
from callproof.trace.witnesses import ActKind


def with_features(case: Case) -> Case:
    """The case with the features that it requires, those of its company included."""
    company = (name for each in case.company for name in _features(each.case))
    # A system that does one thing at a time is not asked for two runs at once, as in SC-30.
    beside = ("concurrency",) if case.beside else ()
    return replace(case, requires=tuple(dict.fromkeys((*_features(case), *company, *beside))))


def _features(case: Case) -> Iterator[str]:
    plan, policy = Plan(case.plan), Policy(case.policy)
    if case.system_tools:
        yield from ("files", "effects")
    if any(step.references for step in plan.steps):
        yield "references"
    if any(step.foreach for step in plan.steps):
        yield from ("references", "foreach")
    if any(step.retry for step in plan.steps):
        yield "retry"
    if policy.max_timeout_ms is not None or any(step.timeout_ms is not None for step in plan.steps):
        yield "timeout"
    if any(move.act is ActKind.CANCEL for move in case.timeline):
        yield "cancellation"
    if policy.confirmations_required:
        yield "confirmation"
    if policy.max_concurrency > 1:
        yield "concurrency"
    if _takes_time(case, plan):
        yield "virtualClock"


def _takes_time(case: Case, plan: Plan) -> bool:
    waits = [*(move.after_ms for move in case.timeline), *(step.timeout_ms or 0 for step in plan.steps)]
    waits += [reply.after_ms for tool in case.tools for reply in tool.behaviour.replies]
    # A cancellation that must hit a tool at work needs a clock that stands still.
    cancels = any(move.act is ActKind.CANCEL for move in case.timeline)
    return any(waits) or cancels or case.confirmation_timeout_ms is not None
