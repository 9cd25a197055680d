"""What a tool's schema declares: which members, and by which schemas.

A member is *declared* by ``properties`` or by a pattern, in the schema itself or in a part of it: behind a local
reference or in a branch.  A member that a schema only leaves open is not declared (A84).  This module reads schemas
as plain JSON and does not judge them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.localreferences import LocalReferences

_LISTS: Final = ("allOf", "anyOf", "oneOf")
_SINGLE: Final = ("then", "else")
_DEPENDENT: Final = "dependentSchemas"
_COMPOSING: Final = frozenset({"$ref", *_LISTS, *_SINGLE, _DEPENDENT})


def parts(schemas: Iterable[Json], root: Json) -> Iterator[Mapping[str, Json]]:
    """Schemas and all that they are composed of, each once: local references and branches.

    Each once, because schemas come from outside: circles end, and a part that branches share is not walked again.
    """
    waiting, seen, references = list(schemas), set[int](), LocalReferences(root)
    while waiting:
        schema = waiting.pop()
        if not is_object(schema) or id(schema) in seen:
            continue
        seen.add(id(schema))
        yield schema
        if _COMPOSING.isdisjoint(schema):  # true for nearly all schemas
            continue
        reference = schema.get("$ref")
        if isinstance(reference, str):
            waiting.append(references.target(reference))
        for keyword in _LISTS:
            branches = schema.get(keyword)
            waiting.extend(branches if is_array(branches) else ())
        waiting.extend(schema.get(keyword) for keyword in _SINGLE)
        dependent = schema.get(_DEPENDENT)
        waiting.extend(dependent.values() if is_object(dependent) else ())


def declares(schema: Json, name: str) -> bool:
    """Whether a schema declares a member of this name at its top level; a pattern counts as declaring any name."""
    return any(
        is_object(named := part.get(keyword)) and (keyword == "patternProperties" or name in named)
        for part in parts((schema,), schema)
        for keyword in ("properties", "patternProperties")
    )


def by_name(schemas: Iterable[Mapping[str, Json]], name: str) -> Iterator[Json]:
    """The schemas that ``properties`` gives for a member."""
    for schema in schemas:
        properties = schema.get("properties")
        if is_object(properties) and name in properties:
            yield properties[name]


def of_others(schemas: Iterable[Mapping[str, Json]]) -> Iterator[Json]:
    """The schemas for members that are not declared by name: those of patterns, and ``additionalProperties``."""
    for schema in schemas:
        patterns = schema.get("patternProperties")
        yield from patterns.values() if is_object(patterns) else ()
        yield schema.get("additionalProperties")


def of_element(schemas: Iterable[Mapping[str, Json]], index: int) -> Iterator[Json]:
    """The schemas for the element of an array at an index."""
    for schema in schemas:
        first = schema.get("prefixItems")
        placed = first if is_array(first) else ()
        yield placed[index] if index < len(placed) else schema.get("items")


def names_at_any_depth(schema: Json) -> Iterator[str]:
    """Every name of a member that ``properties`` gives, wherever in a schema it stands."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if is_object(node):
            properties = node.get("properties")
            yield from properties if is_object(properties) else ()
            waiting.extend(node.values())
        elif is_array(node):
            waiting.extend(node)
