"""Joins the calls of a run with their results and events, and proves the laws about each call by itself.

Every record belongs to this run, every call has exactly one result, and the events of a call stand
in their one order; otherwise the run is handed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter, gt
from typing import Any, Final, cast

from msgspec import UNSET
from msgspec.structs import astuple

from callproof.auditing.prover import features as f
from callproof.auditing.prover.answers import join_results
from callproof.auditing.prover.case import Case, Logical, Seen
from callproof.auditing.prover.event_order import join_events
from callproof.auditing.prover.eventless import join_without_events
from callproof.auditing.prover.plans import StepFacts
from callproof.auditing.prover.policies import policy_facts
from callproof.auditing.prover.reading import Reading
from callproof.auditing.prover.stamps import nanoseconds
from callproof.auditing.prover.times import prove_times
from callproof.auditing.prover.toolset import ToolFacts, tools_of
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.values.jsonvalue import equal

_NANOSECONDS_A_MILLISECOND: Final = 1_000_000


def joined(reading: Reading) -> Case:
    """The run with its records joined.  Raises Unproved if they do not fit together."""
    case = Case(reading.record.run_id, reading.record, reading.tools, reading.policy, reading.plan)
    case.stamps = prove_times(reading)
    _join_calls(case, reading)
    join_results(case, reading.results)
    if reading.events is None:
        join_without_events(case)
    else:
        join_events(case, reading.events)
    return case


# Laws that demand the same of every record are judged on columns of records, which is much faster than one by one.
_TOOL: Final = attrgetter("tool")
_STATED_RISK: Final = attrgetter("stated_risk")
_DECLARES_RISK: Final = attrgetter("declares_risk")
_CANCELLABLE: Final = attrgetter("cancellable")
_CATEGORY: Final = attrgetter("category")


def _join_calls(case: Case, reading: Reading) -> None:
    calls = reading.calls
    if not calls:
        return
    count = len(calls)
    case.met |= f.CALLS | (f.SEVERAL_CALLS if count > 1 else 0)
    columns = list(zip(*map(astuple, calls)))
    ids, runs, named, attempts, args, hashes, timeouts, cancellable, deadlines, iterations, loop_ids = columns[:11]
    created, planners, executors, registries, previews, risks, categories, policies = columns[11:19]
    if {*runs} != {case.run_id} or len({*executors}) > 1 or len({*registries}) > 1:
        raise Unproved("a call of another run, executor or registry")
    if policies.count(reading.record.policy) != count:
        _prove_policies(case, policies)
    steps, tools = list(map(case.plan.steps.get, named)), tools_of(case.tools, calls)
    if None in steps or len(set(ids)) != count or list(map(_TOOL, steps)) != tools:
        raise Unproved("a call of no step, of another tool, or of a used name")
    indices = [None if each is UNSET else each.index for each in iterations]
    if [each is None for each in indices] != [each.loop is None for each in steps if each is not None]:
        raise Unproved("an iteration")
    built = cast("list[StepFacts]", steps)
    case.calls = list(map(Seen, ids, built, tools, calls, indices, args, hashes, timeouts, previews, attempts, created))
    case.seen = dict(zip(ids, case.calls))
    _join_attempts(case, list(zip(named, indices)), attempts)
    if risks != tuple(map(_STATED_RISK, tools)) or any(map(gt, cancellable, map(_CANCELLABLE, tools))):
        raise Unproved("a risk level, or cancellable, which its tool is not")
    _prove_categories(case, categories, tools)
    if timeouts.count(UNSET) != count:
        _prove_limits(case, [each for each in timeouts if each is not UNSET])
    if deadlines.count(UNSET) != count:
        _prove_deadlines(case, calls)
    if any(each.count(UNSET) != count for each in (categories, hashes, previews, loop_ids, planners)):
        case.met |= f.OPTIONAL_TEXT


def _prove_categories(case: Case, categories: Sequence[Any], tools: list[ToolFacts]) -> None:
    """CALL-15; also notes whether a risk level was left to the executor (POL-19)."""
    if categories != tuple(map(_CATEGORY, tools)):
        for told, tool in zip(categories, tools):
            demand(told is UNSET or tool.category in (None, told), "a category")
    if categories.count(UNSET) != len(categories):
        case.met |= f.CATEGORY
    if not all(map(_DECLARES_RISK, tools)):
        case.met |= f.UNDECLARED_RISK


def _join_attempts(case: Case, keys: list[Logical], attempts: tuple[int, ...]) -> None:
    """The attempts of one logical call count from one, in the order of its calls."""
    logical = case.logical
    for key, seen, attempt in zip(keys, case.calls, attempts):
        if attempt == 1 and key not in logical:
            logical[key] = [seen]
        else:
            before = logical.get(key)
            if before is None or attempt != len(before) + 1:
                raise Unproved("attempts out of order")
            before.append(seen)


def _prove_policies(case: Case, policies: Sequence[Any]) -> None:
    """A policy with other bytes is still the same policy (CALL-16)."""
    for raw in policies:
        own = policy_facts(bytes(raw))
        demand(own is case.policy or equal(own.policy.value, case.policy.policy.value), "another policy")


def _prove_limits(case: Case, timeouts: list[int]) -> None:
    """TIME-10."""
    cap = case.policy.max_timeout_ms
    demand(cap is None or max(timeouts) <= cap, "a time limit above the policy's")
    case.met |= f.TIME_LIMIT


def _prove_deadlines(case: Case, calls: list[Any]) -> None:
    """CALL-19."""
    for call in calls:
        if call.deadline_at is not UNSET:
            promised = nanoseconds(call.deadline_at) - nanoseconds(call.created_at)
            limit = call.timeout_ms if call.timeout_ms is not UNSET else 0
            demand(promised >= limit * _NANOSECONDS_A_MILLISECOND, "a deadline")
    case.met |= f.DEADLINE
