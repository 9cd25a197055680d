"""Tool definitions and plans as they were found, and the catalogue that holds them.

Odd shapes are kept: a definition may be any value, and a member that it does not have is read as None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from callproof import limits
from callproof.lint.document import Document, Pointer
from callproof.lint.found import NOTHING, Found, strings
from callproof.lint.keywords import DEEPER, schemas_below
from callproof.lint.plan import Plan
from callproof.lint.references import followed
from callproof.lint.schemas.resolving import References
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

Role: TypeAlias = Literal["input", "output"]


@dataclass(frozen=True, eq=False)
class Catalogue:
    """All definitions and plans of one run, the providers for which they are judged, and a user's own canons."""

    documents: tuple[Document, ...]
    found: tuple[Found, ...] = ()
    found_plans: tuple[Found, ...] = ()
    profiles: tuple[str, ...] = ("seed",)
    canons: tuple[Catalogue, ...] = ()

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """Every definition, in the order in which the sources gave them."""
        return tuple(Definition(self, each) for each in self.found)

    @cached_property
    def plans(self) -> tuple[Plan, ...]:
        """Every plan."""
        return tuple(Plan(self, each) for each in self.found_plans)

    @cached_property
    def registries(self) -> tuple[Registry, ...]:
        """
        The definitions that are offered together: those of a document with several, those of one source, and all
        definitions that are alone in their documents.
        """
        numbers = Counter(id(each.document) for each in self.definitions)
        named: dict[tuple[str, int], list[Definition]] = {}
        for each in self.definitions:
            alone = numbers[id(each.document)] == 1 or each.document.registry
            named.setdefault((each.document.registry, 0 if alone else id(each.document)), []).append(each)
        return tuple(Registry(self, tuple(each)) for each in named.values())

    @cached_property
    def subschemas(self) -> tuple[Schema, ...]:
        """Every schema of every definition, and every schema inside one, each once, at its own place."""
        roots = (root for each in self.definitions for root in (each.input, each.output) if root is not None)
        return tuple(each for root in roots for each in root.inside())

    @cached_property
    def by_keyword(self) -> Mapping[str, Sequence[Schema]]:
        """The schemas that have a keyword, by the keyword."""
        found: dict[str, list[Schema]] = {}
        for schema in self.subschemas:
            for keyword in schema.members:
                found.setdefault(keyword, []).append(schema)
        return found

    @cached_property
    def by_name(self) -> Mapping[str, Definition]:
        """The first definition of each name or alias."""
        named: dict[str, Definition] = {}
        for each in self.definitions:
            named.setdefault(each.name, each)
        for each in self.definitions:
            for alias in strings(each.get("aliases")):
                named.setdefault(alias, each)
        return named


@dataclass(frozen=True, eq=False)
class Registry:
    """Definitions that one agent is offered together."""

    catalogue: Catalogue
    definitions: tuple[Definition, ...]


@dataclass(frozen=True, eq=False)
class Definition:
    """One tool definition."""

    catalogue: Catalogue
    found: Found

    @property
    def document(self) -> Document:
        """The document that holds it."""
        return self.found.document

    @property
    def pointer(self) -> Pointer:
        """Where it is in its document."""
        return self.found.pointer

    @property
    def spot(self) -> str:
        """Its document, line and column, as a finding about another tool names it."""
        place = self.document.place(self.pointer)
        return f"{self.document.name}:{place.line}:{place.column}"

    @property
    def tool(self) -> Definition:
        """Itself; every subject of a rule has the tool that it belongs to."""
        return self

    @property
    def raw(self) -> Json:
        """The definition as it was found, of any type."""
        return self.found.value

    @cached_property
    def members(self) -> Mapping[str, Json]:
        """Its members, those of a provider's inner object included; empty if it is not an object."""
        value: Json = self.raw
        for token in self.found.form.inner:
            value = value.get(str(token)) if is_object(value) else None
        return value if is_object(value) else NOTHING

    def at(self, *tokens: str | int) -> Pointer:
        """The pointer of one of its members, relative to the definition."""
        return (*self.found.form.inner, *tokens)

    def has(self, name: str) -> bool:
        """Whether it has a member of this name, null included."""
        return name in self.members

    def get(self, name: str) -> Json:
        """A member; None if there is none."""
        return self.members.get(name)

    @cached_property
    def name(self) -> str:
        """The tool's name; empty if it has none that is text."""
        name = self.get("name")
        return name if isinstance(name, str) else ""

    @property
    def category(self) -> str:
        """The part of the name before the first dot; empty if there is no dot."""
        return self.name.partition(".")[0] if "." in self.name else ""

    @property
    def input_name(self) -> str:
        """The name of the member with the input schema in this form."""
        return self.found.form.input

    @property
    def output_name(self) -> str:
        """The name of the member with the output schema in this form."""
        return self.found.form.output

    @cached_property
    def input(self) -> Schema | None:
        """The input schema; None if the definition has none."""
        return self._schema("input", self.input_name)

    @cached_property
    def output(self) -> Schema | None:
        """The output schema; None if the definition has none."""
        return self._schema("output", self.output_name)

    def _schema(self, role: Role, name: str) -> Schema | None:
        return Schema(self, role, self.at(name), self.members[name], ()) if name in self.members else None


_NO_PROPERTIES: Mapping[str, Schema] = {}


@dataclass(frozen=True, eq=False)
class Schema:
    """
    An input or output schema, or a schema inside one.

    ``pointer`` is relative to the definition and ``within`` to the root of the schema; ``path_depth`` counts the
    properties and items that lead from a value of the root to a value of this one.
    """

    tool: Definition
    role: Role
    pointer: Pointer
    value: Json
    within: Pointer
    path_depth: int = 0

    @property
    def catalogue(self) -> Catalogue:
        """All definitions."""
        return self.tool.catalogue

    @property
    def is_root(self) -> bool:
        """Whether it is the whole schema of the tool."""
        return not self.within

    @cached_property
    def root(self) -> Schema:
        """The whole schema that it is part of."""
        whole = self.tool.input if self.role == "input" else self.tool.output
        return self if whole is None or self.is_root else whole

    @cached_property
    def references(self) -> References:
        """The references of the whole schema that it is part of."""
        whole = self.tool.input if self.role == "input" else self.tool.output
        return References(self.value) if whole is None or whole is self else whole.references

    @cached_property
    def members(self) -> Mapping[str, Json]:
        """Its keywords; empty if it is not an object."""
        return self.value if is_object(self.value) else NOTHING

    def has(self, keyword: str) -> bool:
        """Whether it has a keyword, null included."""
        return keyword in self.members

    def get(self, keyword: str) -> Json:
        """The value of a keyword; None if there is none."""
        return self.members.get(keyword)

    @cached_property
    def resolved(self) -> Schema:
        """The schema that it refers to within its document, if it is a reference; itself otherwise."""
        pointer, value = followed(self.references, self.within, self.value)
        if pointer == self.within:
            return self
        return Schema(self.tool, self.role, (*self.root.pointer, *pointer), value, pointer, self.path_depth)

    @property
    def type(self) -> Json:
        """The value of ``type``."""
        return self.members.get("type")

    @property
    def types(self) -> tuple[str, ...]:
        """The names of types that ``type`` lists, one or several."""
        told = self.members.get("type")
        return (told,) if isinstance(told, str) else strings(told)

    @cached_property
    def children(self) -> Mapping[Pointer, Schema]:
        """The schemas that are directly inside this one, by the pointer from this one to each."""
        return {down: self.below(down, value) for down, value in schemas_below(self.members)}

    @cached_property
    def properties(self) -> Mapping[str, Schema]:
        """The schemas of its properties by name."""
        if "properties" not in self.members:
            return _NO_PROPERTIES
        return {str(down[1]): each for down, each in self.children.items() if down[0] == "properties"}

    @property
    def required(self) -> tuple[str, ...]:
        """The names that ``required`` lists."""
        return strings(self.get("required"))

    @cached_property
    def items(self) -> Schema | None:
        """The schema of the elements of an array, if there is one."""
        return self.children.get(("items",)) if is_object(self.get("items")) else None

    def below(self, down: Pointer, value: Json) -> Schema:
        """The schema inside this one that a pointer from this one leads to."""
        deeper = self.path_depth + (down[0] in DEEPER)
        return Schema(self.tool, self.role, (*self.pointer, *down), value, (*self.within, *down), deeper)

    def inside(self) -> tuple[Schema, ...]:
        """
        This schema and every schema inside it, in the order of the text; references are not followed.

        It ends after ``limits.SCHEMA_NODES`` of them: another rule refuses a schema that is so large.
        """
        return self._inside

    @cached_property
    def _inside(self) -> tuple[Schema, ...]:
        found: list[Schema] = []
        waiting: list[Schema] = [self]
        while waiting and len(found) < limits.SCHEMA_NODES:
            here = waiting.pop()
            found.append(here)
            waiting += [*here.children.values()][::-1]
        return tuple(found)
