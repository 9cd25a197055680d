"""A document of ours that was kept in a file: read strictly, bounded, and measured against its shape.

It may come from anywhere, as every file may.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from callproof.schema.validator import shape_validator
from callproof.values.jsontext import NotStrictJson, read_json


class NotStored(ValueError):
    """A file does not hold what it was read as: which file, and why.  ``missing`` where there is no file at all."""

    def __init__(self, says: str, *, missing: bool = False) -> None:
        super().__init__(says)
        self.missing = missing


def stored(path: Path, shape: str, most: int) -> Mapping[str, Any]:
    """
    The object of a shape (``report``, ``baseline``) in a file of at most so many bytes.

    Raises NotStored.
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(most + 1)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        raise NotStored(f"{path} cannot be read: {error.strerror}", missing=missing) from None
    if len(raw) > most:
        raise NotStored(f"{path} is longer than {most} bytes")
    try:
        value = read_json(raw)
    except NotStrictJson as error:
        raise NotStored(f"{path} is no {shape}: it {error if error.fault == 'strict' else error.clause}") from None
    faults = shape_validator(shape).errors(value)
    if faults:
        raise NotStored(f"{path} is no {shape}: at {faults[0].pointer or 'the top'}, {faults[0].message}")
    return cast("Mapping[str, Any]", value)
