"""Joins results with their calls, and proves the laws about each result by itself."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import astuple

from callproof.auditing.prover import features as f
from callproof.auditing.prover.case import Case, Seen
from callproof.auditing.prover.envelopes import AnyResult
from callproof.auditing.prover.failures import error_facts
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.templates import canonical_of
from callproof.auditing.prover.toolset import ToolFacts, tools_of
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.values.canonical import canonical
from callproof.values.jsontext import read_json

_encode: Final = msgspec.json.Encoder().encode
_LONGEST_MESSAGE: Final = 500
_STATUS_FEATURES: Final = {
    "ok": f.RESULTS | f.OK | f.DATA,
    "error": f.RESULTS | f.NOT_OK,
    "timeout": f.RESULTS | f.NOT_OK,
    "cancelled": f.RESULTS | f.NOT_OK,
    "skipped": f.RESULTS | f.NOT_OK | f.SKIPPED,
}


def join_results(case: Case, results: list[Any]) -> None:  # noqa: C901, PLR0912  one pass, since each is here once
    """Every result answers one call, or stands for a call that was never built, and is as its status demands."""
    if not results:
        demand(not case.calls, "a call without a result")
        return
    calls, run_id, messages, ended_ok = case.seen, case.run_id, case.texts, list[Seen]()
    line, hashed, met = -1, False, 0
    for result, tool, row in zip(results, tools_of(case.tools, results), map(astuple, results)):
        call_id, run, step_id, attempt, status, _, _, _, began, ended, took, effects, data_hash, message = row[:14]
        line += 1
        seen = calls.get(call_id)
        if seen is None:
            seen = _unbuilt(case, result, tool)
        elif seen.result is not None or attempt != seen.attempt or seen.created_at > began:
            raise Unproved("two results, or one of another attempt, or one before its call")
        if run != run_id or seen.tool is not tool or step_id != seen.step.id:
            raise Unproved("a result of another run, tool or step")
        if row[15] is not UNSET and seen.call is not None:
            _prove_item(row[15], seen.call.iteration)
        seen.line, seen.result, seen.status = line, result, status
        seen.started_at, seen.ended_at, seen.took = began, ended, took
        if status == "ok":
            ended_ok.append(seen)
        else:
            met |= _prove_failure(seen, result)
        if effects is not UNSET:
            met |= f.EFFECTS
        if data_hash is not UNSET:
            hashed = True
        if message:
            messages.append(message)
    demand(len(results) == len(case.calls) + len(case.unbuilt), "a call without a result")
    case.met |= met | (f.RESULTS_BESIDE_CALLS | f.ANSWERED if case.calls else f.RESULTS_WITHOUT_CALLS)
    if ended_ok:
        _prove_ok(case, ended_ok)
    if hashed:
        _prove_data_hashes(case, ended_ok)
    _take_messages(case, messages)


def _prove_item(told: Any, iteration: Any) -> None:
    """A result that names its item names that of its call (RES-03, LOOP-03, LOOP-04)."""
    if iteration is UNSET or (told.index, told.item_name) != (iteration.index, iteration.item_name):
        raise Unproved("a result of another item")
    demand(bytes(told.item_value) == bytes(iteration.item_value), "a result of another value")


def _take_messages(case: Case, messages: list[str]) -> None:
    """MSG-06; the content of the messages is judged later, together with that of events."""
    if messages:
        demand(max(map(len, messages)) <= _LONGEST_MESSAGE, "a long message")
        case.met |= f.USER_MESSAGE


def _prove_ok(case: Case, seens: list[Seen]) -> None:
    """Ok results have valid data and no error."""
    case.met |= _STATUS_FEATURES["ok"]
    by_type: dict[type[Struct], list[Any]] = {}
    for seen in seens:
        result = seen.result
        if not result.ok or result.error is not UNSET or result.data is UNSET:
            raise Unproved("an ok result")
        kind = result.__class__
        if kind is AnyResult:
            seen.data = _checked(seen.tool, bytes(result.data))
            continue
        seen.data = data = result.data
        if kind in by_type:
            by_type[kind].append(data)
        else:
            by_type[kind] = [data]
    for kind, values in by_type.items():
        for texts in case.tools.by_type[kind].data_texts:
            if not texts.accept_all(values):
                raise Unproved("a string that its schema refuses")


def _prove_data_hashes(case: Case, seens: list[Seen]) -> None:
    for seen in seens:
        told = seen.result.data_hash
        if told is not UNSET:
            form = _data_form(seen.tool, seen.data)
            demand(told == "sha256:" + sha256(form).hexdigest(), "a data hash")
    case.met |= f.DATA_HASH


def _prove_failure(seen: Seen, result: Any) -> int:
    """Prove the laws about a result that is not ok; return its features."""
    status = result.status
    if result.ok or result.data is not UNSET or result.data_hash is not UNSET:
        raise Unproved("ok, or data, of a failure")
    if result.error is UNSET:
        told = result.user_message
        demand(status == "skipped" and told is not UNSET and told.strip(), "no error")
        return _STATUS_FEATURES[status]
    seen.error = error_facts(status, bytes(result.error))
    return _STATUS_FEATURES[status] | seen.error.met


def _unbuilt(case: Case, result: Any, tool: ToolFacts) -> Seen:
    """A result of a call that was never built (A2)."""
    step = case.plan.steps.get(result.step_id)
    if step is None or step.tool is not tool:
        raise Unproved("a result of no step, or of another tool")
    index = None if result.iteration is UNSET else result.iteration.index
    demand(index is None or step.loop is not None, "an iteration without a loop")
    demand(result.attempt == 1, "a second attempt without a call")
    seen = Seen(result.call_id, step, tool, None, index)
    case.seen[result.call_id] = seen
    case.unbuilt.append(seen)
    demand(result.status in ("skipped", "error") and result.duration_ms == 0, "a result without a call")
    return seen


def _checked(tool: ToolFacts, raw: bytes) -> Any:
    """Data of a tool whose schema has no type, judged by the validator."""
    validator, data = tool.tool.output_validator, read_json(raw)
    demand(is_dict(data) and validator is not None and validator.accepts(data), "data")
    return data


def _data_form(tool: ToolFacts, data: Any) -> bytes:
    """The canonical form of data: their plain encoding, if all members stand in the order of their names."""
    if is_dict(data):
        return canonical(data)
    return canonical_of(data) if tool.data is not None and tool.data.free else _encode(data)
