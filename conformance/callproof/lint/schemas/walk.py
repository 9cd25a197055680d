"""The subschemas of a schema in the order of its levels, in a walk that needs no stack.

It follows no reference and judges nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TypeAlias

from callproof import limits
from callproof.lint.keywords import schemas_below
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

# The keywords, names and numbers that lead from the root of a schema to a subschema.
Place: TypeAlias = tuple[str | int, ...]


def physical(schema: Json) -> Iterator[tuple[Place, Json]]:
    """Every subschema with its place, the root first; it ends after ``limits.SCHEMA_NODES`` of them."""
    waiting: deque[tuple[Place, Json]] = deque([((), schema)])
    met = 0
    while waiting and met < limits.SCHEMA_NODES:
        place, node = waiting.popleft()
        met += 1
        yield place, node
        if is_object(node):
            waiting.extend(((*place, *steps), inner) for steps, inner in schemas_below(node))
