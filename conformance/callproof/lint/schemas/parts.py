"""Every subschema of a schema, each once, and where in a value it speaks.

Follows local references; a cycle ends where it began.  Judges nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from callproof import limits
from callproof.lint.schemas.resolving import References
from callproof.lint.schemas.walk import Place, below, children
from callproof.values.jsontext import Json

# The keywords that lead into a value, by what they lead to.
_INTO_MEMBER = frozenset({"properties"})
_INTO_ANY_MEMBER = frozenset({"additionalProperties", "patternProperties", "unevaluatedProperties"})
_INTO_ITEM = frozenset({"items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"})
_DEFINITIONS = frozenset({"$defs", "definitions"})
ANY_MEMBER = "*"
ITEM = "[]"


@dataclass(frozen=True, slots=True)
class Part:
    """
    One subschema: where it stands, what it is, and where in a value it speaks.

    ``within`` is the way into the value: a name, ``*`` for members with any name, ``[]`` for an item.
    ``keyword`` is the one under which it stands, empty for the root.
    """

    place: Place
    schema: Json
    within: tuple[str, ...] = ()
    keyword: str = ""


def parts(schema: Json, references: References | None = None) -> Iterator[Part]:
    """
    Every subschema, each once, in the order in which a reader of values meets them.

    What a local reference leads to is met there; definitions to which nothing refers come last.
    """
    known = references or References(schema)
    seen: set[Place] = set()
    waiting: deque[Part] = deque([Part((), schema)])
    unused: deque[Part] = deque()
    while (waiting or unused) and len(seen) < limits.SCHEMA_NODES:
        part = (waiting or unused).popleft()
        if part.place in seen:
            continue
        seen.add(part.place)
        yield part
        for keyword, step, inner in children(part.place, part.schema):
            found = Part(below(part.place, keyword, step), inner, _within(part.within, keyword, step), keyword)
            (unused if keyword in _DEFINITIONS else waiting).append(found)
        for target in known.targets(part.place, part.schema):
            if target.found:
                waiting.append(Part(target.place, target.schema, part.within, part.keyword))


def _within(within: tuple[str, ...], keyword: str, step: str | int | None) -> tuple[str, ...]:
    if keyword in _INTO_MEMBER:
        return (*within, str(step))
    if keyword in _INTO_ANY_MEMBER:
        return (*within, ANY_MEMBER)
    if keyword in _INTO_ITEM:
        return (*within, ITEM)
    return within
