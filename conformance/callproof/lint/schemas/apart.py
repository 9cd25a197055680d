"""Schemas whose unions are too large to be judged whole, taken apart: each alternative becomes a schema by itself.

A part says less than the whole schema does.  So if no value satisfies it there, none satisfies it in the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from urllib.parse import unquote

from callproof.lint.keywords import schemas_below
from callproof.lint.schemas.cases import Resolve
from callproof.lint.schemas.walk import Place, physical
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# The engine compares every alternative with every other one, part by part: the square of their number times parts.
MOST_WORK = 4_000
# How many subschemas may be written for all parts together.
MOST_WRITTEN = 100_000
_UNIONS = ("anyOf", "oneOf")
_HOLDERS = ("$defs", "definitions")
# If a schema has one of these, a part that says less can make the whole say more.
_TURNING = frozenset({
    "$dynamicRef", "$recursiveRef", "if", "maxContains", "not", "unevaluatedItems", "unevaluatedProperties",
})  # fmt: skip


def is_too_much(nodes: Iterable[Json], resolve: Resolve) -> bool:
    """Whether the unions of some subschemas are too much work together."""
    done = 0
    for node in nodes:
        for listed in _listed(node):
            if len(listed) > 1:
                done += (len(listed) * _size(listed, resolve, MOST_WORK // len(listed) + 1)) ** 2
                if done > MOST_WORK**2:
                    return True
    return False


def _listed(node: Json) -> list[Sequence[Json]]:
    """The alternatives of a subschema, for each of its unions."""
    told = [node.get(keyword) for keyword in _UNIONS] if is_object(node) else []
    return [each for each in told if is_array(each)]


def _size(listed: Sequence[Json], resolve: Resolve, most: int) -> int:
    """How many subschemas some alternatives have, also behind references; it counts no further than ``most``."""
    waiting: list[Json] = [*listed]
    seen: set[int] = set()
    while waiting and len(seen) < most:
        node = waiting.pop()
        if not is_object(node) or id(node) in seen:
            continue
        seen.add(id(node))
        waiting += [below for _, below in schemas_below(node)]
        reference = node.get("$ref")
        if isinstance(reference, str):
            waiting.append(resolve(reference))
    return len(seen)


def parts(schema: Mapping[str, Json], names: Set[str]) -> tuple[tuple[Place, Mapping[str, Json]], ...] | None:
    """
    The schema without its unions, and each alternative without those inside it, with the place of each.

    ``names`` are all names of members in it.  None if the parts would not mean what they mean in the whole, or if
    they would be too many.
    """
    nodes = [*physical(schema)]
    if not _TURNING.isdisjoint(names) or not all(_keeps_its_meaning(node) for _, node in nodes):
        return None
    whole = _plain(schema)
    found: list[tuple[Place, Mapping[str, Json]]] = [((), whole)]
    written = 0
    for place, node in nodes:
        if _is_alternative(place) and is_object(node):
            if any(holder in node for holder in _HOLDERS):
                return None
            part, size = _with_definitions(_plain(node), whole)
            written += size
            if written > MOST_WRITTEN:
                return None
            found.append((place, part))
    return tuple(found)


def _with_definitions(part: Mapping[str, Json], whole: Mapping[str, Json]) -> tuple[Mapping[str, Json], int]:
    """A part with the definitions that it refers to, itself or through others, and how many subschemas that is."""
    taken: dict[str, dict[str, Json]] = {}
    waiting: list[Json] = [part]
    size = 0
    while waiting and size <= MOST_WRITTEN:
        for _, node in physical(waiting.pop()):
            size += 1
            holder, name = _definition(node)
            held = whole.get(holder)
            if is_object(held) and name in held and name not in taken.setdefault(holder, {}):
                taken[holder][name] = held[name]
                waiting.append(held[name])
    return {**part, **taken}, size


def _definition(node: Json) -> tuple[str, str]:
    """The definition that a reference leads to, or into; two empty texts if there is none."""
    reference = node.get("$ref") if is_object(node) else None
    steps = reference.split("/") if isinstance(reference, str) else []
    return (steps[1], unquote(steps[2]).replace("~1", "/").replace("~0", "~")) if len(steps) > 2 else ("", "")


def _is_alternative(place: Place) -> bool:
    return len(place) > 1 and place[-2] in _UNIONS and isinstance(place[-1], int)


def _keeps_its_meaning(node: Json) -> bool:
    """Whether a reference leads to one of the definitions that every part has."""
    reference = node.get("$ref") if is_object(node) else None
    return reference is None or str(reference).startswith(tuple(f"#/{holder}/" for holder in _HOLDERS))


def _plain(node: Mapping[str, Json]) -> dict[str, Json]:
    """A schema without its unions, at every depth."""
    kept: dict[str, Json] = {}
    below: dict[str, dict[str | int, Json]] = {}
    for way, schema in schemas_below(node):
        plain = _plain(schema) if is_object(schema) else schema
        below.setdefault(str(way[0]), {})[way[-1]] = plain
    for name, value in node.items():
        if name in _UNIONS:
            continue
        told = below.get(name, {})
        if is_object(value) and name not in told:
            kept[name] = {each: told.get(each, inner) for each, inner in value.items()}
        elif is_array(value):
            kept[name] = [told.get(place, inner) for place, inner in enumerate(value)]
        else:
            kept[name] = told.get(name, value)
    return kept
