"""Which run a line belongs to, where many runs share a file: found out fast, and never by trusting the line.

A line that is no JSON belongs to the run that its text seems to name, so that its flaw
is told with that run.  What names no run belongs to none, and is judged all the same.
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
    What a line of a stream holds: a record as text, which ends as the line does, and its kind.

    Without a kind the text is the line itself, which is no JSON; with ``says`` it is JSON and holds no record.
    """

    kind: Kind | None
    text: bytes
    says: str | None = None


def run_named_in(raw: bytes) -> bytes | None:
    """
    The ``runId`` of a record, as UTF-8; None where it names none.

    ``raw`` is a line with or without its LF, or the beginning of one.
    """
    return _quickly(raw, 0) or _slowly(raw)


def run_named_in_stream(raw: bytes) -> bytes | None:
    """The ``runId`` of the record in a line of a stream, as UTF-8; None where it names none."""
    head = _WRAPPED.match(raw)
    named = _quickly(raw, head.end()) if head is not None else None
    return named or _slowly(unwrapped(raw).text)


def _quickly(raw: bytes, start: int) -> bytes | None:
    """The name that can be seen at once in a record that begins ``start`` there; None says nothing."""
    at = raw.find(_MEMBER, start)
    # Before the first inner bracket every member is the record's own.  Within a string the quote would be escaped.
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
    # Whatever stands after the record but the last bracket makes the rest no JSON, and the reader says so.
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
