"""Reads the text of a run as structures, and proves that it is strict JSON of the right shapes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import UNSET
from msgspec.json import Decoder

from callproof import limits
from callproof.auditing.prover.envelopes import AnyCall, AnyResult, Event, RunRecord, typed
from callproof.auditing.prover.own_members import without_own_members
from callproof.auditing.prover.plain import is_dict
from callproof.auditing.prover.plans import PlanFacts, plan_facts
from callproof.auditing.prover.policies import PolicyFacts, policy_facts
from callproof.auditing.prover.schema_types import FREE
from callproof.auditing.prover.toolset import Toolset, no_floats, toolset
from callproof.auditing.prover.unproved import Unproved, demand
from callproof.auditlog.captured import CapturedFile, CapturedRun
from callproof.spec.registry import SPEC_VERSION
from callproof.trace.records import Kind
from callproof.trace.run import FlawKind
from callproof.values.jsontext import NotStrictJson, read_json

_record: Final = msgspec.json.Decoder(RunRecord).decode
_any_call: Final = msgspec.json.Decoder(AnyCall).decode
_any_result: Final = msgspec.json.Decoder(AnyResult).decode
_SHAPES: Final = {Kind.CALL: "tool-call", Kind.RESULT: "tool-result", Kind.EVENT: "execution-event"}
# This type fits nearly every payload, and is never deeper than the strict reader permits.
_event: Final[Decoder[Any]] = Decoder(typed(Event, "payload", FREE), float_hook=no_floats)
_any_event: Final = msgspec.json.Decoder(Event).decode
_encode_lines: Final = msgspec.json.Encoder().encode_lines
_encode: Final = msgspec.json.Encoder().encode
# If a file is no longer than this, no string in it can be too long for the strict reader.
_LONGEST: Final = min(limits.LINE_BYTES, limits.STRING_CHARACTERS)


@dataclass(frozen=True, slots=True)
class Reading:
    """A run as structures."""

    record: RunRecord
    tools: Toolset
    policy: PolicyFacts
    plan: PlanFacts
    calls: list[Any]
    results: list[Any]
    # None if no events were captured (A36).
    events: list[Event] | None


def reading_of(captured: CapturedRun, tools: bytes | None) -> Reading:
    """
    The run that a text describes; ``tools`` are the descriptors of the registry if its run record has none.

    Raises Unproved, and the errors of msgspec, if the text is not proved to be strict and in shape.
    """
    text = _whole(captured.record)
    record = _record(text)
    demand(record.spec_version == SPEC_VERSION, "another version of the specification, of which a note tells")
    raw = bytes(record.tools) if record.tools is not UNSET else tools
    if raw is None:
        raise Unproved("no registry came with the log")
    known = toolset(raw)
    policy = policy_facts(bytes(record.policy))
    plan, exact = plan_facts(bytes(record.plan), known, policy)
    if not exact or len(_encode(record)) != len(text.rstrip(b"\n")):
        _read_strictly(text)
    return Reading(
        record,
        known,
        policy,
        plan,
        _records(captured, Kind.CALL, known.call, _any_call),
        _results(captured, known),
        None if Kind.EVENT not in captured.files else _records(captured, Kind.EVENT, _event, _any_event),
    )


def _whole(file: CapturedFile | None) -> bytes:
    """The text of a file that was read in full.  Raises Unproved if it was not."""
    flawed = file is not None and any(flaw.kind is not FlawKind.NAMELESS for flaw in file.flaws)
    if file is None or flawed or not file.opened or len(file.text) > _LONGEST:
        raise Unproved("a file that is missing, flawed, or very long")
    return file.text


def _records(captured: CapturedRun, kind: Kind, fast: Decoder[Any], slow: Callable[[bytes], Any]) -> list[Any]:
    file = captured.files.get(kind)
    if file is None and kind is not Kind.EVENT:
        return []  # a run without calls has no line in shared files, and the checks too read that as no calls
    text = _whole(file)
    try:
        records = fast.decode_lines(text)
    except msgspec.ValidationError:
        return [_one(line, _SHAPES[kind], fast.decode, slow) for line in _lines(text)]
    if not _is_plain(text, records):
        for line in _lines(text):
            _read_strictly(line)
        # One line may hold several records, which the reader does not accept as a line.
        demand(text.count(b"\n") == len(records), "records that are not lines")
    elif len(text) > limits.MEMBERS_PER_OBJECT:  # otherwise no object can have so many
        for line in _lines(text):
            if len(line) > limits.MEMBERS_PER_OBJECT:
                _read_strictly(line)
    return records


_between_records: Final = re.compile(rb"\}\n\{").findall


def _is_plain(text: bytes, records: list[Any]) -> bool:
    """
    Whether each record stands in its own line, and each line is as short as it can be.

    Such a line repeats no member, and holds no escape, blank or spelling of a number that another reader could read
    differently.  An exception are the parts that are left as text, which are read separately.  A line feed between a
    closing and an opening brace separates two records; there are no others, not even in such parts.
    """
    if not records:
        return not text
    written = _encode_lines(records)
    if len(written) != len(text) or not text.endswith(b"}\n") or text.count(b"\n") != len(records):
        return False
    return written == text or len(_between_records(text)) == len(records) - 1


def _one(line: bytes, shape: str, fast: Callable[[bytes], Any], slow: Callable[[bytes], Any]) -> Any:
    """A line of a file in which some lines have no tool's type, so that only the strict reader can prove each line."""
    specified = without_own_members(line, _read_strictly(line), shape)
    try:
        return fast(specified)
    except msgspec.ValidationError:
        return slow(specified)


def _lines(text: bytes) -> list[bytes]:
    lines = text.split(b"\n")
    demand(not lines.pop(), "the last line does not end")
    return lines


def _results(captured: CapturedRun, known: Toolset) -> list[Any]:
    """Results.  A duration with a fraction may be shorter in its line than as encoded: equal length proves nothing."""
    results = _records(captured, Kind.RESULT, known.result, _any_result)
    if float in {type(each.duration_ms) for each in results}:
        for line in _lines(_whole(captured.files.get(Kind.RESULT))):
            _read_strictly(line)
    return results


def _read_strictly(text: bytes) -> dict[str, Any]:
    """The object that the strict reader reads from a text.  Raises Unproved if it refuses the text."""
    try:
        record = read_json(text)
    except NotStrictJson as error:
        raise Unproved(error.reason) from None
    if not is_dict(record):
        raise Unproved("a record that is not an object")
    return record
