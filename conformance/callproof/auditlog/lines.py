"""Reads one line of a log: as a record, or as a flaw that says why it is no record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from callproof import limits
from callproof.auditlog.files import is_blank
from callproof.trace.records import Kind, Record, Source
from callproof.trace.run import Flaw, FlawKind
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.jsonvalue import is_object


def record_of(raw: bytes, kind: Kind, source: Source, *, ended: bool) -> Record | Flaw:
    """
    The record that a line holds.

    ``raw`` has no LF; ``ended`` says whether it had one, which tells a torn line from a broken one (LOG-05).
    """
    value = object_of(raw, kind, source, ended=ended)
    return value if isinstance(value, Flaw) else Record(kind, value, source)


def record_from(value: Json, kind: Kind, source: Source) -> Record | Flaw:
    """The record whose value a line holds."""
    return Record(kind, value, source) if is_object(value) else no_object(source, kind)


def object_of(raw: bytes, kind: Kind | None, source: Source, *, ended: bool) -> Mapping[str, Json] | Flaw:
    """The object that a line holds, whatever kind of record it is."""
    if len(raw) > limits.LINE_BYTES:
        return too_long(source, kind)
    if is_blank(raw):
        return Flaw(FlawKind.BLANK, source, "the line is empty", kind)
    value = value_of(raw, source, kind)
    if isinstance(value, Flaw):
        torn = not ended and value.kind in {FlawKind.NOT_JSON, FlawKind.BYTES}
        return replace(value, kind=FlawKind.TORN, says=_how_it_is_torn(value.says)) if torn else value
    return value if is_object(value) else no_object(source, kind)


def _how_it_is_torn(reason: str) -> str:
    # A writer that forgets the line feeds leaves one line with everything in it.
    several = reason.startswith("Extra data")
    return f"the last line {'holds several JSON values and no line feed' if several else 'is cut off'} ({reason})"


def no_object(source: Source, kind: Kind | None) -> Flaw:
    """The flaw of a line that holds something other than an object."""
    return Flaw(FlawKind.NOT_AN_OBJECT, source, "the line holds no JSON object", kind)


def value_of(raw: bytes, source: Source, kind: Kind | None) -> Json | Flaw:
    """The value of one JSON document."""
    try:
        return read_json(raw)
    except NotStrictJson as error:
        return Flaw(_flaw_kind(error), source, error.reason, kind)


def too_long(source: Source, kind: Kind | None) -> Flaw:
    """The flaw of a line over the limit."""
    return Flaw(FlawKind.LIMIT, source, f"line {source.line} is longer than {limits.LINE_BYTES} bytes", kind)


def no_name(source: Source, kind: Kind | None, lines: int) -> Flaw:
    """The flaw that every run of a shared file gets if lines name no run; ``source`` is the first such line."""
    return Flaw(FlawKind.NAMELESS, source, "the line names no run", kind, lines)


def _flaw_kind(error: NotStrictJson) -> FlawKind:
    if error.limit is not None:
        return FlawKind.LIMIT
    return {"bytes": FlawKind.BYTES, "strict": FlawKind.NOT_STRICT}.get(error.fault, FlawKind.NOT_JSON)
