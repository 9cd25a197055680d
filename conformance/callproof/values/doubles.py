"""JSON values compared as a system compares them whose only numbers are doubles, as in many readers of JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator

from callproof.values import jsonvalue
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import equal, is_array, is_number, is_object


def alike(left: Json, right: Json) -> bool:
    """JSON equality, where two numbers are also equal if they round to the same double."""
    return equal(left, right) or equal(as_doubles(left), as_doubles(right))


def differences(left: Json, right: Json, pointer: str = "") -> Iterator[str]:
    """The JSON pointers of the smallest parts in which two values are not alike, in the order of the left one."""
    return jsonvalue.differences(left, right, pointer, alike)


def as_doubles(value: Json) -> Json:
    """A value with every number turned into a double; a number beyond all doubles becomes an infinity."""
    if is_object(value):
        return {name: as_doubles(each) for name, each in value.items()}
    if is_array(value):
        return [as_doubles(each) for each in value]
    return _double(value) if is_number(value) else value


def _double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf
