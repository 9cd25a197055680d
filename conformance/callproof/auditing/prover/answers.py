"""Results brought together with their calls, with the laws of each result by itself."""

from __future__ import annotations

from hashlib import sha256
from operator import attrgetter, le
from typing import Any, Final, cast

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
_STEP_ID: Final = attrgetter("step.id")
_CALL_ATTEMPT: Final = attrgetter("call.attempt")
_RESULT_ATTEMPT: Final = attrgetter("result.attempt")
_CREATED: Final = attrgetter("call.created_at")
_STARTED: Final = attrgetter("started_at")
_TOOL: Final = attrgetter("tool")


def join_results(case: Case, results: list[Any]) -> None:
    """Every result answers one call, or stands for one that was never built, and is what its status asks for."""
    if not results:
        demand(not case.calls, "a call without a result")
        return
    columns = list(zip(*map(astuple, results)))
    ids, runs, named, _, statuses, _, _, _, starts, ends, took, effects, hashes, messages = columns[:14]
    if {*runs} != {case.run_id}:
        raise Unproved("a result of another run")
    tools = tools_of(case.tools, results)
    found = list(map(case.seen.get, ids))
    if None in found:
        found = [each or _unbuilt(case, *pair) for each, *pair in zip(found, results, tools)]
    seens = cast("list[Seen]", found)
    if len(set(ids)) != len(ids) or list(map(_TOOL, seens)) != tools or tuple(map(_STEP_ID, seens)) != named:
        raise Unproved("two results, a result of another tool, or of another step")
    for line, (seen, result, *told) in enumerate(zip(seens, results, statuses, starts, ends, took)):
        seen.result = result
        seen.line = line
        seen.status, seen.started_at, seen.ended_at, seen.took = told
    _prove_answers(case, len(seens))
    failed = [each for each in seens if each.status != "ok"] if statuses.count("ok") != len(seens) else []
    for seen in failed:
        case.met |= _prove_failure(seen, seen.result)
    if len(failed) != len(seens):
        _prove_ok(case, [each for each in seens if each.status == "ok"] if failed else seens)
    if hashes.count(UNSET) != len(seens):
        _prove_data_hashes(case, seens)
    case.met |= f.EFFECTS if effects.count(UNSET) != len(seens) else 0
    case.met |= f.RESULTS_BESIDE_CALLS | f.ANSWERED if case.calls else f.RESULTS_WITHOUT_CALLS
    _take_messages(case, [each for each in messages if each is not UNSET and each])


def _take_messages(case: Case, messages: list[str]) -> None:
    """MSG-06; what the messages say is asked later, together with those of events."""
    if messages:
        demand(max(map(len, messages)) <= _LONGEST_MESSAGE, "a long message")
        case.texts += messages
        case.met |= f.USER_MESSAGE


def _prove_answers(case: Case, results: int) -> None:
    """Every call has its one result, which is that of its attempt, and does not begin before it."""
    calls = case.calls
    if results != len(calls) + len(case.unbuilt):
        raise Unproved("a call without a result")
    if list(map(_CALL_ATTEMPT, calls)) != list(map(_RESULT_ATTEMPT, calls)):
        raise Unproved("a result of another attempt")
    if not all(map(le, map(_CREATED, calls), map(_STARTED, calls))):
        raise Unproved("a result before its call")


def _prove_ok(case: Case, seens: list[Seen]) -> None:
    """Ok results: they have data that are valid, and no error."""
    case.met |= _STATUS_FEATURES["ok"]
    by_type: dict[type[Struct], list[Any]] = {}
    for seen in seens:
        result = seen.result
        if not result.ok or result.error is not UNSET or result.data is UNSET:
            raise Unproved("an ok result")
        kind = cast("type[Struct]", type(result))
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
        if told is not UNSET and seen.status == "ok":
            form = _data_form(seen.tool, seen.data)
            demand(told == "sha256:" + sha256(form).hexdigest(), "a data hash")
    case.met |= f.DATA_HASH


def _prove_failure(seen: Seen, result: Any) -> int:
    """The laws of a result that is not ok; the features of it."""
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
    seen = Seen(result.call_id, step, tool, None, index)
    case.seen[result.call_id] = seen
    case.unbuilt.append(seen)
    demand(result.status in ("skipped", "error") and result.duration_ms == 0, "a result without a call")
    return seen


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
