"""Parts of records held against their shape, told without what they hold."""

from __future__ import annotations

from collections.abc import Iterable

from callproof import limits
from callproof.schema.validator import SchemaFault, shape_validator
from callproof.values.jsontext import Json


def faults_of(value: Json, shape: str) -> tuple[SchemaFault, ...]:
    """Every way in which a value breaks a shape of ``spec/protocols``, by its name below that folder."""
    return shape_validator(f"protocols/{shape}").errors(value)


def all_told(faults: Iterable[SchemaFault], most: int = 5) -> str:
    """Where a shape is broken, and how, cut where there is much of it."""
    every = tuple(dict.fromkeys(map(told, faults)))
    more = len(every) - most
    return "; ".join(every[:most]) + (f"; and {more} more" if more > 0 else "")


def told(fault: SchemaFault) -> str:
    """Where a shape is broken, and how: a message may quote the record, which is nobody's business here."""
    how = fault.message if fault.keyword == "required" else f"it breaks {fault.keyword}"
    return f"at {_brief(fault.pointer) or 'the top'} {how}"


def _brief(pointer: str) -> str:
    """A pointer, cut to a readable length: whoever wrote the record chose the names in it."""
    most = limits.EXCERPT_CHARACTERS
    return pointer if len(pointer) <= most else pointer[: most - 1] + "…"
