"""A document of ours that was stored in a file: read strictly, up to a size, and checked against its shape.

Like every file, it may come from anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from callproof.schema.validator import SchemaFault, shape_validator
from callproof.values.jsontext import Json, NotStrictJson, read_json
from callproof.values.neighbours import nearest_path


class NotStored(ValueError):
    """
    A file does not hold the expected document; the text says which file, and why.  ``missing`` if there is no file.

    If the file is JSON of another shape, ``value`` is its content and ``pointer`` leads to the fault in it.
    """

    def __init__(self, says: str, *, missing: bool = False, value: Json = None, pointer: str = "") -> None:
        super().__init__(says)
        self.missing = missing
        self.value = value
        self.pointer = pointer


def stored(path: Path, shape: str, most: int, read: Callable[[bytes], Json] = read_json) -> Mapping[str, Any]:
    """
    The object of a shape (``report``, ``baseline``) in a file of at most ``most`` bytes.

    ``read`` makes a value of the bytes, and raises NotStrictJson if it cannot.  Raises NotStored.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(most + 1)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise NotStored(f"{path} cannot be read: {error.strerror}{nearest_path(path)}", missing=missing) from None
    if len(raw) > most:
        raise NotStored(f"{path} is longer than {most} bytes")
    try:
        value = read(raw)
    except NotStrictJson as error:
        raise NotStored(f"{path} is not a {shape}: it {error.told}") from None
    faults = shape_validator(shape).errors(value)
    if faults:
        fault = _most_telling(faults)
        says = f"{path} is not a {shape}: at {fault.pointer or 'the top'}, {fault.message}"
        raise NotStored(says, value=value, pointer=fault.pointer)
    return cast("Mapping[str, Any]", value)


def _most_telling(faults: Sequence[SchemaFault]) -> SchemaFault:
    """The first fault; but an unknown name at its place comes before it, since it may be the missing one misspelt."""
    strange = (each for each in faults if each.keyword == "additionalProperties")
    return next((each for each in strange if each.pointer == faults[0].pointer), faults[0])
