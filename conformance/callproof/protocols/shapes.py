"""Parts of records compared with their shapes; the messages do not repeat what the records contain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from callproof.protocols.parts import brief, some
from callproof.schema.validator import SchemaFault, shape_validator
from callproof.values.jsontext import Json


def faults_of(value: Json, shape: str, most: int | None = None) -> tuple[SchemaFault, ...]:
    """Every fault of a value, or the first ``most``, by a shape of ``spec/protocols``, named by its path below it."""
    return shape_validator(f"protocols/{shape}").errors(value, most)


# The number of faults to look for in a record if one is enough: it may have one at each of a million places.
FEW: Final = 100


def all_told(faults: Iterable[SchemaFault], most: int = 5) -> str:
    """Where shapes are broken, and how, cut if there are many faults."""
    return some(tuple(dict.fromkeys(map(told, faults))), "; ", most)


def told(fault: SchemaFault) -> str:
    """Where a shape is broken, and how, without the validator's message, which may quote the record."""
    how = fault.message if fault.keyword == "required" else f"it breaks the keyword {fault.keyword}"
    return f"at {brief(fault.pointer) or 'the top'} {how}"
