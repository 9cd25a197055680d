"""What is found out about a schema once, however many rules ask: its draft, its references, what its draft says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from callproof.lint.schemas.apart import is_too_much, parts
from callproof.lint.schemas.cases import MOST, most_cases
from callproof.lint.schemas.drafts import DRAFT_2020_12, Draft, draft_of
from callproof.lint.schemas.endless import endless
from callproof.lint.schemas.recursion import unguarded
from callproof.lint.schemas.resolving import References
from callproof.lint.schemas.walk import Place, physical
from callproof.schema.bounds import UnusableSchema
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import escape_token, is_object

if TYPE_CHECKING:
    from callproof.lint.definition import Catalogue, Schema
    from callproof.schema.drafts import DraftSchema, Unsatisfiable
    from callproof.schema.validator import SchemaFault


@dataclass(frozen=True, eq=False)
class SchemaFacts:
    """One whole schema."""

    value: Json

    @cached_property
    def draft(self) -> Draft | None:
        """The draft that it is written in; None for a dialect that is not supported here."""
        return draft_of(self.value)

    @property
    def assumed(self) -> Draft:
        """The draft by which it is read: its own, or the latest."""
        return self.draft or DRAFT_2020_12

    @cached_property
    def references(self) -> References:
        """Its references."""
        return References(self.value)

    @cached_property
    def usable(self) -> DraftSchema | None:
        """The schema as a validator takes it; None if it is over a limit, leaves its document, or is not an object."""
        return self._opened if not isinstance(self._opened, UnusableSchema) else None

    @property
    def unusable(self) -> UnusableSchema | None:
        """Why no validator takes it."""
        return self._opened if isinstance(self._opened, UnusableSchema) else None

    @cached_property
    def _opened(self) -> DraftSchema | UnusableSchema | None:
        from callproof.schema.drafts import DraftSchema  # noqa: PLC0415  an engine that `--help` and text rules spare

        if not is_object(self.value) or self.draft is None:
            return None
        try:
            return DraftSchema(self.value, self.draft.address)
        except UnusableSchema as error:
            return error

    @cached_property
    def faults(self) -> tuple[SchemaFault, ...]:
        """Where the metaschema refuses it."""
        return () if self.usable is None else self.usable.faults()

    @cached_property
    def valid(self) -> DraftSchema | None:
        """The schema as a validator takes it, if it is a valid schema and all its references lead somewhere."""
        if self.faults or self.circles:
            return None
        return self.usable

    @cached_property
    def circles(self) -> tuple[Place, ...]:
        """The references that lead back to themselves over the same value."""
        limited = self.unusable is not None and self.unusable.limit is not None
        if limited or "$ref" not in self.names:
            return ()
        return tuple(unguarded(self.value, self.references))

    @cached_property
    def endless(self) -> tuple[tuple[Place, str], ...]:
        """The parts whose every value holds another value of the same part, with the keyword that demands it."""
        if self.valid is None or "$ref" not in self.names:
            return ()
        return tuple(endless(self.value, self.references))

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name of a member anywhere in it: a caller need not look for any other name."""
        names: set[str] = set()
        waiting = [self.value]
        while waiting:
            node = waiting.pop()
            if isinstance(node, dict):
                names.update(node)
                waiting.extend(each for each in node.values() if isinstance(each, dict | list))
            elif isinstance(node, list):
                waiting.extend(each for each in node if isinstance(each, dict | list))
        return frozenset(names)

    @cached_property
    def cases(self) -> int:
        """The largest number of cases that it makes for one value."""
        if self.valid is None or len({"allOf", "anyOf", "oneOf", "if", "$ref"} & self.names) < 2:
            return 1
        return most_cases((node for _, node in physical(self.value)), self._resolved)

    def _resolved(self, reference: str) -> Json:
        target = next(self.references.targets((), {"$ref": reference}))
        return target.schema

    @cached_property
    def unsatisfiable(self) -> Mapping[str, Unsatisfiable]:
        """The subschemas that no value satisfies, by pointer."""
        if self.valid is None or self.cases > MOST:
            return {}
        if not self._large_unions:
            return {each.pointer: each for each in self.valid.unsatisfiable() or ()}
        return {each.pointer: each for part in self._parts or () for each in self._unsatisfiable_in(*part)}

    @property
    def undecided(self) -> bool:
        """Whether its unions are too large to find out what no value satisfies, and it cannot be taken apart."""
        return self.cases <= MOST and self._large_unions and self._parts is None

    @cached_property
    def _large_unions(self) -> bool:
        if self.valid is None or {"anyOf", "oneOf"}.isdisjoint(self.names):
            return False
        return is_too_much((node for _, node in physical(self.value)), self._resolved)

    @cached_property
    def _parts(self) -> tuple[tuple[Place, Mapping[str, Json]], ...] | None:
        return parts(self.value, self.names) if is_object(self.value) else None

    def _unsatisfiable_in(self, place: Place, part: Mapping[str, Json]) -> Iterator[Unsatisfiable]:
        from callproof.schema.drafts import DraftSchema  # noqa: PLC0415  as above

        base = text_of(place)
        # A part other than the whole has no definitions of its own, but those of the whole schema.
        held = ("/$defs/", "/definitions/")
        for each in DraftSchema(part, self.assumed.address).unsatisfiable() or ():
            # They are reported with the whole.
            if not place or not each.pointer.startswith(held):
                causes = tuple((at if at.startswith(held) else base + at, keywords) for at, keywords in each.causes)
                yield replace(each, pointer=base + each.pointer, causes=causes)


_FACTS: WeakKeyDictionary[Schema, SchemaFacts] = WeakKeyDictionary()


def facts(schema: Schema) -> SchemaFacts:
    """The facts of the whole schema that a schema is part of, found out once."""
    root = schema.root
    known = _FACTS.get(root)
    if known is None:
        known = _FACTS[root] = SchemaFacts(root.value)
    return known


def having(*keywords: str) -> Callable[[Catalogue], Iterator[Schema]]:
    """The subjects of a rule about some keywords: every schema that has one of them."""

    def each(held: Catalogue) -> Iterator[Schema]:
        known = held.by_keyword
        found = {id(schema): schema for keyword in keywords for schema in known.get(keyword, ())}
        return iter(found.values())

    return each


def text_of(place: Place) -> str:
    """A place as RFC 6901 writes it."""
    return "".join(f"/{escape_token(str(token))}" for token in place)


def place_in(value: Json, pointer: str) -> Place:
    """The keywords, names and numbers of a pointer into a value."""
    place: list[str | int] = []
    for token in pointer.split("/")[1:]:
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and name.isdigit() and int(name) < len(value):
            place.append(int(name))
            value = value[int(name)]
        else:
            place.append(name)
            value = value.get(name) if is_object(value) else None
    return tuple(place)
