"""The point of a pattern, for an engine that does not read it as ECMA-262 does.

In ECMA-262, `.` matches anything but the four ends of a line.  Before 0.61, jsonschema-rs
let it match three of them; and Schemathesis, which people install beside the suite, does
not permit 0.61 yet.  For such an engine a point is written as the class that it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import jsonschema_rs

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_POINT = r"[^\n\r\u2028\u2029]"
# An escape or a whole class, in which a point is only a point; or a point.
_PIECE = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\.", re.DOTALL)
_DATA = ("const", "enum")
_NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})


@cache
def engine_is_exact() -> bool:
    """Whether the engine that is installed reads a point as ECMA-262 does."""
    return not jsonschema_rs.Draft202012Validator({"pattern": "."}).is_valid("\r")


def without_points(schema: Mapping[str, Json]) -> dict[str, Json]:
    """The same schema, with a class for each point of its patterns."""
    return {keyword: _rewritten(keyword, value) for keyword, value in schema.items()}


def with_points(message: str) -> str:
    """A message of the engine, with the pattern as its author wrote it."""
    return message.replace(_POINT, ".")


def _rewritten(keyword: str, value: Json) -> Json:
    if keyword in _DATA:
        return value
    if keyword == "pattern" and isinstance(value, str):
        return _in_classes(value)
    if keyword in _NAMED and is_object(value):
        by_pattern = keyword == "patternProperties"
        return {_in_classes(name) if by_pattern else name: _inner(each) for name, each in value.items()}
    return _inner(value)


def _inner(value: Json) -> Json:
    if is_object(value):
        return without_points(value)
    return [_inner(each) for each in value] if is_array(value) else value


def _in_classes(pattern: str) -> str:
    return _PIECE.sub(lambda piece: _POINT if piece[0] == "." else piece[0], pattern)
