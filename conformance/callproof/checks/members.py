"""Findings about one member of one record: it is absent, or it is not what its shape permits.

Many laws of the envelopes are of this kind.  This module has the one way to say so.
Each law itself decides which member it asks for and what that member may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from callproof.checks.check import Finding, excerpt, witness
from callproof.trace.records import Kind, Record
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array

_OWNER = {Kind.RUN: "the run record", Kind.CALL: "call", Kind.RESULT: "the result of", Kind.EVENT: "the event of"}


def owner(record: Record) -> str:
    """How a finding calls a record: ``call c3``, ``the result of c3``, ``the event step.started of c3``."""
    if record.kind is Kind.RUN:
        return _OWNER[record.kind]
    if record.kind is Kind.EVENT:
        named = f"the event {record.text('type') or '(without a type)'}"
        return f"{named} of {record.call_id}" if record.call_id else named
    return f"{_OWNER[record.kind]} {record.call_id or '(without a name)'}"


def told(record: Record, name: str) -> str:
    """What a record said about a member, in the past tense: ``had attempt 0``, ``had no attempt``."""
    return f"had {name} {excerpt(record.get(name))}" if record.has(name) else f"had no {name}"


def member_finding(record: Record, name: str, permitted: str, *because: str, help: str | None = None) -> Finding:  # noqa: A002
    """The finding that a member of a record is absent or not what is permitted."""
    return Finding(f"{owner(record)} {told(record, name)}", permitted, (witness("R", record),), because, help)


def places(pointers: Iterable[str]) -> str:
    """JSON pointers as a finding names them: the first few, and how many more there are."""
    named = [pointer or "the top" for pointer in pointers]
    return ", ".join(named[:5]) + (f" and {len(named) - 5} more" if len(named) > 5 else "")


def present(record: Record, name: str) -> bool:
    """Whether an optional member is present: ``null`` counts as absent (A30)."""
    return record.get(name) is not None


def under_any(pointer: str, marks: tuple[str, ...]) -> bool:
    """Whether a JSON pointer is one of the marks or lies below one."""
    return any(pointer == mark or pointer.startswith(f"{mark}/") for mark in marks)


def strings_in(value: Json, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every string value at any depth, with its JSON pointer; member names do not count."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from strings_in(inner, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    elif is_array(value):
        for index, inner in enumerate(value):
            yield from strings_in(inner, f"{pointer}/{index}")


def names_in(value: Json, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every member name at any depth, with the JSON pointer of the object that has it."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield pointer, name
            yield from names_in(inner, f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}")
    elif is_array(value):
        for index, inner in enumerate(value):
            yield from names_in(inner, f"{pointer}/{index}")
