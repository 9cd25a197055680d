"""Calls, results and events of a run brought together, with the laws of each record by itself.

Every record belongs to this run, every call has its one result, and the events of a call stand in
their one order; else the run is handed over.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import AnyCall, AnyResult
from callproof.auditing.prover.event_order import join_events
from callproof.auditing.prover.failures import error_facts
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.policies import policy_facts
from callproof.auditing.prover.reading import Reading
from callproof.auditing.prover.schema_types import strings_at
from callproof.auditing.prover.stamps import instants
from callproof.auditing.prover.templates import canonical_of
from callproof.auditing.prover.toolset import ToolFacts
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.values.canonical import canonical
from callproof.values.jsontext import read_json
from callproof.values.jsonvalue import equal

_encode: Final = msgspec.json.Encoder().encode
_LONGEST_MESSAGE: Final = 500
# What TIME-07 permits, less the part of a millisecond that is rounded away here.
_SLACK_MS: Final = 49
_MS: Final = timedelta(milliseconds=1)
_STATUS_FEATURES: Final = {
    "ok": f.RESULTS | f.OK,
    "error": f.RESULTS | f.NOT_OK,
    "timeout": f.RESULTS | f.NOT_OK,
    "cancelled": f.RESULTS | f.NOT_OK,
    "skipped": f.RESULTS | f.NOT_OK | f.SKIPPED,
}


def joined(reading: Reading) -> Case:
    """The run with its records joined.  Raises Unproved."""
    case = Case(reading.record.run_id, reading.record, reading.tools, reading.policy, reading.plan)
    _prove_times(reading)
    _join_calls(case, reading)
    _join_results(case, reading)
    join_events(case, reading.events)
    return case


def _prove_times(reading: Reading) -> None:
    """Every instant is spelt alike; records stand in their order, and durations agree with their stamps."""
    calls, results, events = reading.calls, reading.results, reading.events
    demand(events, "no events")
    created = [each.created_at for each in calls]
    demand(created == sorted(created), "calls out of order")
    told = [each.timestamp for each in events]
    demand(told == sorted(told), "events out of order")
    starts, ends = [each.started_at for each in results], [each.ended_at for each in results]
    other = [each.deadline_at for each in calls if each.deadline_at is not UNSET]
    decision = reading.record.confirmation
    if decision is not UNSET:
        other.append(decision.decided_at)
        if decision.expires_at is not UNSET:
            other.append(decision.expires_at)
    if reading.record.created_at is not UNSET:
        other.append(reading.record.created_at)
    known = instants(starts + ends + created + told + other)
    count = len(starts)
    _prove_durations(results, known[:count], known[count : 2 * count])
    if starts:
        demand(told[0] <= min(starts) and max(ends) <= told[-1], "a result outside of the run")


def _prove_durations(results: list[Any], starts: list[datetime], ends: list[datetime]) -> None:
    for result, start, end in zip(results, starts, ends):
        demand(start <= end and abs(result.duration_ms - (end - start) // _MS) < _SLACK_MS, "a duration")


def _tool_of(case: Case, record: Struct) -> ToolFacts:
    kind = type(record)
    known = case.tools.by_type.get(kind)
    if known is None and isinstance(record, AnyCall | AnyResult):
        known = case.tools.facts.get(record.tool)
    if known is None:
        raise Unproved("an unknown tool")
    return known


def _join_calls(case: Case, reading: Reading) -> None:
    if not reading.calls:
        return
    first = reading.calls[0]
    executor, registry = first.executor_version, first.tool_registry_version
    policy = bytes(reading.record.policy)
    case.met |= f.CALLS | (f.SEVERAL_CALLS if len(reading.calls) > 1 else 0)
    for call in reading.calls:
        if call.run_id != case.run_id or call.executor_version != executor or call.tool_registry_version != registry:
            raise Unproved("a call of another run, executor or registry")
        own = bytes(call.policy)
        if own != policy:
            demand(equal(policy_facts(own).policy.value, case.policy.policy.value), "another policy")
        _join_call(case, call)


def _join_call(case: Case, call: Any) -> None:
    step, tool, call_id = case.plan.steps.get(call.step_id), _tool_of(case, call), call.call_id
    if step is None or step.tool is not tool or call_id in case.seen:
        raise Unproved("a call of no step, of another tool, or of a used name")
    iteration = call.iteration
    index = None if iteration is UNSET else iteration.index
    if (index is None) is not (step.loop is None):
        raise Unproved("an iteration")
    seen = Seen(call_id, step, tool, call, index)
    case.seen[call_id] = seen
    case.calls.append(seen)
    attempts = case.logical.setdefault((step.id, index), [])
    attempts.append(seen)
    if call.attempt != len(attempts):
        raise Unproved("attempts out of order")
    _prove_call(case, call, tool)


def _prove_call(case: Case, call: Any, tool: ToolFacts) -> None:
    """The laws of a call's own members."""
    demand(not call.cancellable or tool.cancellable, "cancellable")
    demand(call.risk_level == (tool.risk if tool.declares_risk else "commands"), "a risk level")
    met = 0 if tool.declares_risk else f.UNDECLARED_RISK
    if call.category is not UNSET:
        demand(tool.category is None or call.category == tool.category, "a category")
        met |= f.CATEGORY | f.OPTIONAL_TEXT
    if call.args_hash is not UNSET or call.preview is not UNSET or call.loop_id is not UNSET:
        met |= f.OPTIONAL_TEXT
    if call.planner_version is not UNSET:
        met |= f.OPTIONAL_TEXT
    if call.timeout_ms is not UNSET:
        cap = case.policy.max_timeout_ms
        demand(cap is None or call.timeout_ms <= cap, "a time limit above the policy's")
        met |= f.TIME_LIMIT
    if call.deadline_at is not UNSET:
        promised = datetime.fromisoformat(call.deadline_at) - datetime.fromisoformat(call.created_at)
        demand(promised >= (call.timeout_ms if call.timeout_ms is not UNSET else 0) * _MS, "a deadline")
        met |= f.DEADLINE
    case.met |= met


def _join_results(case: Case, reading: Reading) -> None:
    for line, result in enumerate(reading.results):
        demand(result.run_id == case.run_id, "a result of another run")
        tool = _tool_of(case, result)
        seen = case.seen.get(result.call_id)
        if seen is None:
            seen = _unbuilt(case, result, tool)
        else:
            demand(seen.result is None and seen.tool is tool, "two results, or another tool")
            call = seen.call
            demand(result.step_id == call.step_id and result.attempt == call.attempt, "a result of another call")
            demand(call.created_at <= result.started_at, "a result before its call")
        seen.result, seen.line = result, line
        _prove_result(case, seen, result)
    demand(all(each.result is not None for each in case.calls), "a call without a result")
    if reading.results:
        case.met |= f.RESULTS_BESIDE_CALLS if reading.calls else f.RESULTS_WITHOUT_CALLS
    if reading.calls:
        case.met |= f.ANSWERED


def _unbuilt(case: Case, result: Any, tool: ToolFacts) -> Seen:
    """A result of a call that was never built (A2)."""
    step = case.plan.steps.get(result.step_id)
    if step is None or step.tool is not tool:
        raise Unproved("a result of no step, or of another tool")
    index = None if result.iteration is UNSET else result.iteration.index
    demand(index is None or step.loop is not None, "an iteration without a loop")
    seen = Seen(result.call_id, step, tool, None, index)
    case.seen[result.call_id] = seen
    case.unbuilt.append(seen)
    demand(result.status in ("skipped", "error") and result.duration_ms == 0, "a result without a call")
    return seen


def _prove_result(case: Case, seen: Seen, result: Any) -> None:
    """The laws of a result's own members."""
    status = result.status
    met = _STATUS_FEATURES[status]
    demand(result.ok is (status == "ok"), "ok")
    if status == "ok":
        demand(result.data is not UNSET and result.error is UNSET, "an ok result")
        seen.data = _data(seen.tool, result)
        met |= f.DATA
        if result.data_hash is not UNSET:
            demand(result.data_hash == "sha256:" + sha256(_data_form(seen.tool, seen.data)).hexdigest(), "a data hash")
            met |= f.DATA_HASH
    else:
        demand(result.data is UNSET and result.data_hash is UNSET, "data of a failure")
        if result.error is not UNSET:
            seen.error = error_facts(status, bytes(result.error))
            met |= seen.error.met
        else:
            demand(status == "skipped" and result.user_message is not UNSET and result.user_message.strip(), "no error")
    if result.effects is not UNSET:
        met |= f.EFFECTS
    if result.user_message is not UNSET and result.user_message:
        demand(len(result.user_message) <= _LONGEST_MESSAGE, "a long message")
        case.texts.append(result.user_message)
        met |= f.USER_MESSAGE
    case.met |= met


def _checked(tool: ToolFacts, raw: bytes) -> Any:
    """Data of a tool whose schema is no type, judged by the validator."""
    validator, data = tool.tool.output_validator, read_json(raw)
    demand(is_dict(data) and validator is not None and validator.accepts(data), "data")
    return data


def _data_form(tool: ToolFacts, data: Any) -> bytes:
    """The canonical form of data: as they are written, where all members stand in the order of their names."""
    if is_dict(data):
        return canonical(data)
    return canonical_of(data) if tool.data is not None and tool.data.free else _encode(data)


def _data(tool: ToolFacts, result: Any) -> Any:
    """The data of an ok result, which are valid.  Raises Unproved."""
    if isinstance(result, AnyResult):
        return _checked(tool, bytes(result.data) if isinstance(result.data, msgspec.Raw) else b"")
    data = result.data
    for texts in tool.data_texts:
        if len(texts.chain) == 1 and texts.chain[0] is not None:
            text = getattr(data, texts.chain[0])
            demand(text is UNSET or texts.accepts(text), "a string that its schema refuses")
        else:
            demand(all(map(texts.accepts, strings_at(data, texts.chain))), "a string that its schema refuses")
    return data
