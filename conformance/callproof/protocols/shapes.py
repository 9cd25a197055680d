"""Parts of records held against their shape, told without what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from callproof.protocols.parts import brief, some
from callproof.schema.validator import SchemaFault, shape_validator
from callproof.values.jsontext import Json


def faults_of(value: Json, shape: str, most: int | None = None) -> tuple[SchemaFault, ...]:
    """Every way in which a value breaks a shape of ``spec/protocols``, by its name below that folder, or the first."""
    return shape_validator(f"protocols/{shape}").errors(value, most)


# Of the faults of a record of which one is enough, so many are looked for: it may have one at each of a million places.
FEW: Final = 100


def all_told(faults: Iterable[SchemaFault], most: int = 5) -> str:
    """Where a shape is broken, and how, cut where there is much of it."""
    return some(tuple(dict.fromkeys(map(told, faults))), "; ", most)


def told(fault: SchemaFault) -> str:
    """Where a shape is broken, and how: a message may quote the record, which is nobody's business here."""
    how = fault.message if fault.keyword == "required" else f"it breaks {fault.keyword}"
    return f"at {brief(fault.pointer) or 'the top'} {how}"
