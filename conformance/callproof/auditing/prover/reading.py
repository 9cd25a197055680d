"""The text of a run as structures, proved to be strict JSON of the right shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import UNSET

from callproof import limits
from callproof.auditing.prover.envelopes import AnyCall, AnyResult, Event, RunRecord
from callproof.auditing.prover.plans import PlanFacts, plan_facts
from callproof.auditing.prover.policies import PolicyFacts, policy_facts
from callproof.auditing.prover.toolset import Toolset, no_floats, toolset
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.trace.records import Kind
from callproof.values.jsontext import NotStrictJson, read_json
from callproof.values.jsonvalue import is_object

_record: Final = msgspec.json.Decoder(RunRecord).decode
_any_call: Final = msgspec.json.Decoder(AnyCall).decode
_any_result: Final = msgspec.json.Decoder(AnyResult).decode
_event: Final = msgspec.json.Decoder(Event, float_hook=no_floats).decode
_any_event: Final = msgspec.json.Decoder(Event).decode
_encoder: Final = msgspec.json.Encoder()


@dataclass(frozen=True, slots=True)
class Reading:
    """A run as structures."""

    record: RunRecord
    tools: Toolset
    policy: PolicyFacts
    plan: PlanFacts
    calls: list[Any]
    results: list[Any]
    events: list[Event]


def reading_of(captured: CapturedRun, tools: bytes | None) -> Reading:
    """
    The run that a text tells of; ``tools`` are the descriptors of the registry where its record has none.

    Raises Unproved, and the errors of msgspec, for whatever is not proved to be strict and in shape.
    """
    text = _whole(captured.record)
    record = _record(text)
    raw = bytes(record.tools) if record.tools is not UNSET else tools
    if raw is None:
        raise Unproved("no registry came with the log")
    known = toolset(raw)
    policy = policy_facts(bytes(record.policy))
    plan, exact = plan_facts(bytes(record.plan), known, policy)
    if not exact or len(_encoder.encode(record)) != len(text.rstrip(b"\n")):
        _read_strictly(text)
    return Reading(
        record,
        known,
        policy,
        plan,
        _records(captured.files.get(Kind.CALL), known.call, _any_call, known.free),
        _results(captured.files.get(Kind.RESULT), known),
        _records(captured.files.get(Kind.EVENT), _event, _any_event, frozenset()),
    )


def _whole(file: CapturedFile | None) -> bytes:
    """The text of a file that was read in full.  Raises Unproved."""
    if file is None or file.flaws or not file.opened or len(file.text) > limits.LINE_BYTES:
        raise Unproved("a file that is missing, flawed, or very long")
    return file.text


def _records(
    file: CapturedFile | None, fast: Callable[[bytes], Any], slow: Callable[[bytes], Any], free: frozenset[type]
) -> list[Any]:
    text = _whole(file)
    lines = text.split(b"\n")
    demand(not lines.pop(), "the last line does not end")
    try:
        records = list(map(fast, lines))
    except msgspec.ValidationError:
        # Of these lines some are written longer than they stand, and others may hide behind them.
        for line in lines:
            _read_strictly(line)
        return [_either(line, fast, slow) for line in lines]
    # A structure is written as shortly as its line can be: a line of the same length repeats no member, and holds
    # no escape, blank or spelling of a number that another reader could take for something else.
    if len(_encoder.encode_lines(records)) != len(text):
        for line in lines:
            _read_strictly(line)
    elif free:
        for line, record in zip(lines, records):
            if type(record) in free and _may_pass_a_limit(line):
                _read_strictly(line)
    return records


def _results(file: CapturedFile | None, known: Toolset) -> list[Any]:
    """Results; a duration with a fraction may be written more shortly than here, so that its line proves nothing."""
    results = _records(file, known.result, _any_result, known.free)
    if any(type(each.duration_ms) is float for each in results):
        for line in _whole(file).split(b"\n")[:-1]:
            _read_strictly(line)
    return results


def _may_pass_a_limit(line: bytes) -> bool:
    """Whether a value of any shape in a line may be too deep, or have too many members."""
    return line.count(b"{") + line.count(b"[") > limits.NESTING or len(line) > limits.MEMBERS_PER_OBJECT


def _either(line: bytes, fast: Callable[[bytes], Any], slow: Callable[[bytes], Any]) -> Any:
    try:
        return fast(line)
    except msgspec.ValidationError:
        return slow(line)


def _read_strictly(text: bytes) -> None:
    try:
        demand(is_object(read_json(text)), "a record that is no object")
    except NotStrictJson as error:
        raise Unproved(error.reason) from None
