"""Objects that are made of several parts, and parts that objects are made of: neither can be closed alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from weakref import WeakKeyDictionary

from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.document import Pointer, value_at
from callproof.lint.keywords import CONDITIONS, keywords_on_the_way, steps_on_the_way
from callproof.lint.references import target
from callproof.values.jsonvalue import is_object

# The values are only places, which keep no schema alive.
_USERS: WeakKeyDictionary[Schema, Mapping[Pointer, Sequence[Pointer]]] = WeakKeyDictionary()
_DESCRIBED: WeakKeyDictionary[Schema, dict[Pointer, Mapping[Pointer, int]]] = WeakKeyDictionary()


def is_composed(schema: Schema) -> bool:
    """Whether an object takes its members from several parts: its own, those of an ``allOf``, those of a reference."""
    if not (schema.has("allOf") or schema.has("$ref")):
        return False
    naming = _naming(schema)
    # If the only part is elsewhere, the fault is reported there.
    return bool(naming) and (len(naming) > 1 or naming[0].within[: len(schema.within)] == schema.within)


def users_of(schema: Schema) -> Sequence[Schema]:
    """The places of the same document that refer to a schema."""
    root = schema.root
    if root not in _USERS:
        _USERS[root] = _users(root)
    return [_at(root, place) for place in _USERS[root].get(schema.within, ())]


def users_as_part(schema: Schema) -> Sequence[Schema]:
    """The places that refer to a schema as one part of an object, which may name members beside it."""
    return [each for each in users_of(schema) if _takes_as_part(each, schema.within)]


def is_part_of_another(schema: Schema) -> bool:
    """Whether an object is an alternative in an object that names members itself; if closed, it would forbid those."""
    if len(schema.within) < 2 or schema.within[-2] not in ("anyOf", "oneOf"):
        return False
    around = value_at(schema.root.value, schema.within[:-2])
    return is_object(around) and "properties" in around


def is_condition(schema: Schema) -> bool:
    """
    Whether a schema is one condition among several on a value, so that another one may name other members.

    A member of an object of several parts counts as a value of its own if only one part describes it.
    """
    within: Pointer = ()
    whole: Pointer = ()
    in_part = False
    for step in steps_on_the_way(schema.within):
        is_part = step[0] == "allOf"
        if step[0] in CONDITIONS and not is_part:
            return True
        if in_part and not is_part and _described(schema.root, whole).get(step) != 1:
            return True
        within, in_part = (*within, *step), is_part
        whole = whole if is_part else within
    return in_part


def _described(root: Schema, whole: Pointer) -> Mapping[Pointer, int]:
    """How many parts of an object or a list describe each member, or the items; empty if a pattern may do so too."""
    known = _DESCRIBED.setdefault(root, {})
    if whole not in known:
        parts = [*declared.everywhere(_at(root, whole))]
        ways = [way for part in parts for way in _describing(part)]
        known[whole] = {} if any(part.has("patternProperties") for part in parts) else Counter(ways)
    return known[whole]


def _describing(part: Schema) -> Iterator[Pointer]:
    for way, each in part.children.items():
        if way[0] in ("properties", "items", "prefixItems") and each.value is not True and each.value != {}:
            yield ("items",) if way[0] == "prefixItems" else way


def _takes_as_part(user: Schema, part: Pointer) -> bool:
    if is_part_of_another(user):
        return True
    within = user.within
    while within[-2:-1] == ("allOf",):
        within = within[:-2]
    if CONDITIONS & {*keywords_on_the_way(within)}:
        return True
    return any(each.within != part for each in _naming(_at(user.root, within)))


def _naming(schema: Schema) -> Sequence[Schema]:
    return [part for part in declared.parts(schema) if part.properties]


def _at(root: Schema, within: Pointer) -> Schema:
    return Schema(root.tool, root.role, (*root.pointer, *within), value_at(root.value, within), within)


def _users(root: Schema) -> Mapping[Pointer, Sequence[Pointer]]:
    found: dict[Pointer, list[Pointer]] = {}
    for each in root.inside():
        reference = each.get("$ref")
        there = target(each.references, each.within, reference) if isinstance(reference, str) else None
        if there is not None:
            found.setdefault(there[0], []).append(each.within)
    return found
