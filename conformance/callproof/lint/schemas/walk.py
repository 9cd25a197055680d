"""The subschemas of a schema as they stand in its text, in a walk that needs no stack.

Follows no reference and judges nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeAlias

from callproof import limits
from callproof.lint.schemas.drafts import MANY_SCHEMAS, NAMED_SCHEMAS, ONE_SCHEMA
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The keywords, names and numbers that lead from the root of a schema to a subschema.
Place: TypeAlias = tuple[str | int, ...]


def children(place: Place, schema: Json) -> Iterator[tuple[str, str | int | None, Json]]:
    """The subschemas directly inside one: the keyword, the name or number under it if there is one, the subschema."""
    if not is_object(schema):
        return
    for keyword, value in schema.items():
        if keyword in NAMED_SCHEMAS and is_object(value):
            for name, inner in value.items():
                if _is_schema(inner):
                    yield keyword, name, inner
        elif keyword in MANY_SCHEMAS and is_array(value):
            for number, inner in enumerate(value):
                if _is_schema(inner):
                    yield keyword, number, inner
        elif keyword in ONE_SCHEMA and _is_schema(value):
            yield keyword, None, value


def physical(schema: Json) -> Iterator[tuple[Place, Json]]:
    """Every subschema as it stands in the text, the root first; no reference is followed."""
    waiting: deque[tuple[Place, Json]] = deque([((), schema)])
    met = 0
    while waiting and met < limits.SCHEMA_NODES:
        place, node = waiting.popleft()
        met += 1
        yield place, node
        waiting.extend((below(place, keyword, step), inner) for keyword, step, inner in children(place, node))


def _is_schema(value: Json) -> bool:
    return isinstance(value, bool) or is_object(value)


def below(place: Place, keyword: str, step: str | int | None) -> Place:
    """The place of a subschema directly inside another."""
    return (*place, keyword) if step is None else (*place, keyword, step)
