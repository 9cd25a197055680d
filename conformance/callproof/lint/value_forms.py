"""The forms that a value may have by the alternatives of its schema, except those that no value can have."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from callproof import limits
from callproof.lint import declared
from callproof.lint.definition import Schema
from callproof.lint.document import Pointer

# Schemas that apply together.
Form: TypeAlias = tuple[Schema, ...]

_TYPES = frozenset({"null", "boolean", "object", "array", "number", "string", "integer"})
_LEVELS = 64  # levels of anyOf inside anyOf; below them nothing is known
_NEAREST = 4  # how many statements about a member around a branch are compared; there may be very many


def forms(schema: Schema) -> list[Form]:
    """
    The forms that a value may have, each as the schemas that apply together: itself, and one of its branches.

    If it branches in two ways at once, it is not taken apart.  A branch that contradicts the schemas around it is not a
    form, unless all branches do: which of them is wrong is not decided here.
    """
    found: list[Form] = []
    waiting: deque[tuple[Form, _Around]] = deque([((schema.resolved,), _Around())])
    seen = set[Pointer]()
    while waiting and len(seen) < limits.SCHEMA_NODES:
        form, around = waiting.popleft()
        if form[-1].within in seen:
            continue
        seen.add(form[-1].within)
        branching = [told for part in declared.parts(form[-1]) for told in declared.branchings(part)]
        inner = [each.resolved for each in branching[0]] if len(branching) == 1 and len(form) < _LEVELS else []
        if not inner:
            found.append(form)
            continue
        around = around.beside(form[-1])
        alive = [each for each in inner if not around.excludes(each)]
        waiting += [((*form, each), around) for each in alive or inner]
    return found


def always(schema: Schema) -> frozenset[str]:
    """The names of the members that an object has in each of its forms, whichever of its alternatives it takes."""
    told = [frozenset(name for each in form for name in declared.required(each)) for form in forms(schema)]
    if not told:
        return declared.required(schema)
    return frozenset(name for name in told[0] if all(name in each for each in told))


@dataclass(frozen=True, slots=True)
class _Around:
    """What applies around the branches of a schema."""

    types: tuple[frozenset[str] | None, ...] = ()
    required: frozenset[str] = frozenset()
    members: tuple[Mapping[str, Schema], ...] = ()
    closed: tuple[Mapping[str, Schema], ...] = ()

    def beside(self, schema: Schema) -> _Around:
        """The same, together with what a schema says."""
        return _Around(
            (*self.types, declared.types(schema)),
            self.required | declared.required(schema),
            (*self.members, declared.members(schema)),
            (*self.closed, *_closed(schema)),
        )

    def excludes(self, branch: Schema) -> bool:
        """Whether no value can match a branch as well: no type in common, or one contradicts the other on a member."""
        if branch.value is False:
            return True
        told = declared.types(branch)
        if any(_apart(told, each) for each in self.types):
            return True
        own = declared.required(branch)
        if any(not own <= each.keys() for each in self.closed):
            return True
        if any(not self.required <= each.keys() for each in _closed(branch)):
            return True
        members = declared.members(branch)
        return any(self._contradicts(name, each) for name, each in members.items() if name in own | self.required)

    def _contradicts(self, name: str, member: Schema) -> bool:
        around = [each[name] for each in self.members if name in each]
        return any(_disjoint(each, member) for each in around[-_NEAREST:])


def _closed(schema: Schema) -> Iterator[Mapping[str, Schema]]:
    """The properties of each part that refuses all others."""
    for part in declared.parts(schema):
        if part.get("additionalProperties") is False and not part.has("patternProperties"):
            yield part.properties


def _disjoint(one: Schema, other: Schema) -> bool:
    """Whether no value matches both, by their types and the values that they list."""
    if _apart(declared.types(one), declared.types(other)):
        return True
    mine, theirs = declared.values(one), declared.values(other)
    return bool(mine) and theirs is not None and len(declared.beyond(mine or (), theirs)) == len(mine or ())


def _apart(one: frozenset[str] | None, other: frozenset[str] | None) -> bool:
    """Whether they have no type in common; a word that is not a type, such as dict, says nothing."""
    if one is None or other is None or not one | other <= _TYPES:
        return False
    return not declared.common(one, other)
