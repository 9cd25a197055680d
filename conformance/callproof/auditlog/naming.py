"""Finds the run that a line belongs to when many runs share a file: fast, and without trusting the line.

A line that is no JSON belongs to the run that its text seems to name, so that its flaw
is reported with that run.  A line that names no run belongs to no run, but is judged too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from callproof import limits
from callproof.trace.records import Kind
from callproof.values.jsontext import NotStrictJson, read_json, write_json
from callproof.values.jsonvalue import is_object

_MEMBER = b'"runId"'
_VALUE = re.compile(rb'[ \t\r]*:[ \t]*"([^"\\]+)"')
_ANYWHERE = re.compile(rb'"runId"[ \t\r]*:[ \t]*"([^"\\]+)"')
_WRAPPED = re.compile(
    rb'[ \t\r]*\{[ \t]*"kind"[ \t]*:[ \t]*"(run|call|result|event)"[ \t]*,[ \t]*"record"[ \t]*:[ \t]*(?=\{)'
)
_KINDS = {kind.value.encode(): kind for kind in Kind}
_SPACE = b" \t\r\n"


class Unwrapped(NamedTuple):
    """
    What a line of a stream holds: the kind of a record, and the record as text with the line's ending.

    ``kind`` is None if there is no record: ``text`` is then the line itself, no JSON, or JSON if ``says`` is set.
    """

    kind: Kind | None
    text: bytes
    says: str | None = None


def run_named_in(raw: bytes) -> bytes | None:
    """
    The ``runId`` of a record, as UTF-8; None if the record names no run.

    ``raw`` is a line with or without its LF, or the beginning of a line.
    """
    return _quickly(raw, 0) or _slowly(raw)


def run_named_in_stream(raw: bytes) -> bytes | None:
    """The ``runId`` of the record in a line of a stream, as UTF-8; None if the record names no run."""
    head = _WRAPPED.match(raw)
    named = _quickly(raw, head.end()) if head is not None else None
    return named or _slowly(unwrapped(raw).text)


def _quickly(raw: bytes, start: int) -> bytes | None:
    """The run id that is found without parsing, in a record that begins at ``start``; None if a parser must decide."""
    at = raw.find(_MEMBER, start)
    # Before the first inner bracket every member belongs to the record.  Inside a string the quote would be escaped.
    if at > start and raw[at - 1] in b"{, \t" and raw.find(b"{", start + 1, at) < 0 and raw.find(b"[", start, at) < 0:
        value = _VALUE.match(raw, at + len(_MEMBER))
        if value is not None:
            return value[1]
    return None


def _slowly(raw: bytes) -> bytes | None:
    if _MEMBER not in raw and b"\\u" not in raw:
        return None
    try:
        value = read_json(raw)
    except NotStrictJson:
        seems = _ANYWHERE.search(raw)
        return seems[1] if seems is not None else None
    name = value.get("runId") if is_object(value) else None
    return name.encode() if isinstance(name, str) and name else None


def unwrapped(raw: bytes) -> Unwrapped:
    """The record in a line of a stream: an object whose two members are ``kind`` and ``record``."""
    head = _WRAPPED.match(raw)
    if head is None:
        return _unwrapped_slowly(raw)
    end = b"\n" if raw.endswith(b"\n") else b""
    # Anything after the record except the last bracket makes the rest invalid JSON, and the reader reports that.
    return Unwrapped(_KINDS[head[1]], raw[head.end() :].rstrip(_SPACE).removesuffix(b"}") + end)


def _unwrapped_slowly(raw: bytes) -> Unwrapped:
    if len(raw) > limits.LINE_BYTES:
        return Unwrapped(None, raw)
    try:
        value = read_json(raw)
    except NotStrictJson:
        return Unwrapped(None, raw)
    if not is_object(value) or set(value) != {"kind", "record"}:
        return Unwrapped(None, raw, 'the line is not an object whose two members are "kind" and "record"')
    kind, record = value["kind"], value["record"]
    if not isinstance(kind, str) or kind.encode("utf-8", "replace") not in _KINDS:
        return Unwrapped(None, raw, 'the kind of the line is not one of "run", "call", "result" and "event"')
    if not is_object(record):
        return Unwrapped(None, raw, "the record in the line is not a JSON object")
    return Unwrapped(_KINDS[kind.encode()], write_json(record).encode() + b"\n")
