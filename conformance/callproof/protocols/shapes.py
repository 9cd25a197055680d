"""Parts of records held against their shape, told without what they hold."""

from __future__ import annotations

from callproof.schema.validator import SchemaFault, shape_validator
from callproof.values.jsontext import Json


def faults_of(value: Json, shape: str) -> tuple[SchemaFault, ...]:
    """Every way in which a value breaks a shape of ``spec/protocols``, by its name below that folder."""
    return shape_validator(f"protocols/{shape}").errors(value)


def told(fault: SchemaFault) -> str:
    """Where a shape is broken, and how: a message may quote the record, which is nobody's business here."""
    how = fault.message if fault.keyword == "required" else f"it breaks {fault.keyword}"
    return f"at {fault.pointer or 'the top'} {how}"
