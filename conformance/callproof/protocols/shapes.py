"""Records of a protocol held against their shape, told without what they hold."""

from __future__ import annotations

from collections.abc import Iterator

from callproof.protocols.entries import Entry
from callproof.schema.validator import SchemaFault, shape_validator


def faults_of(entry: Entry, shape: str) -> Iterator[SchemaFault]:
    """Every way in which an entry breaks a shape of ``spec/protocols``, by its name below that folder."""
    yield from shape_validator(f"protocols/{shape}").errors(entry.value)


def told(fault: SchemaFault) -> str:
    """Where a shape is broken, and how: a message may quote the record, which is nobody's business here."""
    how = fault.message if fault.keyword == "required" else f"it breaks {fault.keyword}"
    return f"at {fault.pointer or 'the top'} {how}"
