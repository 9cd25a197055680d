"""What a rule is: one law about one kind of subject, as a generator of faults.

A rule does not know its level, its text, or where the definition came from: its page says the first two,
and the subject carries the third.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeAlias, TypeVar

from callproof.lint.definition import Catalogue, Definition, Registry, Schema
from callproof.lint.document import Document, Pointer
from callproof.lint.plan import Step
from callproof.values.jsontext import Json


@dataclass(frozen=True, slots=True)
class Put:
    """A member that an object gets: a new one at its end, or another value for one that it has."""

    at: Pointer
    key: str
    value: Json


@dataclass(frozen=True, slots=True)
class Replace:
    """Another value instead of the present one."""

    at: Pointer
    value: Json


@dataclass(frozen=True, slots=True)
class Rename:
    """Another name for a member of an object, which keeps its place and its value."""

    at: Pointer
    name: str


@dataclass(frozen=True, slots=True)
class Drop:
    """A member or an element to remove."""

    at: Pointer


Edit: TypeAlias = Put | Replace | Rename | Drop


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that mend a fault together.  A safe fix never changes which calls are valid, except in rules about that."""

    edits: tuple[Edit, ...]
    safe: bool
    says: str


@dataclass(frozen=True, slots=True)
class Fault:
    """
    One way in which a subject breaks a law.  Values are shortened, and never escaped.

    ``at`` is relative to the subject, or to ``on`` if the subject of the rule is the whole catalogue.  ``unknown``
    names a limit because of which the law was not decided.  ``certain`` is false if a fault of a decided rule may
    be wrong even so: it weighs no more than a warning.
    """

    at: Pointer
    observed: str
    permitted: str
    help: str = ""
    fix: Fix | None = None
    unknown: str = ""
    on: Definition | Schema | Step | Document | None = None
    certain: bool = True


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Rule(Generic[S]):
    """A law; the page with the same id describes it."""

    id: str
    law: str
    each: Callable[[Catalogue], Iterable[S]]
    examine: Callable[[S], Iterator[Fault]]

    @property
    def group(self) -> str:
        """The letters before the number: ``TD`` of ``TD003``."""
        return self.id.rstrip("0123456789n")


# Every rule by id, in the order in which the modules of the groups were imported.
_RULES: dict[str, Rule[Any]] = {}


def rule(
    name: str, *, each: Callable[[Catalogue], Iterable[S]]
) -> Callable[[Callable[[S], Iterator[Fault]]], Callable[[S], Iterator[Fault]]]:
    """Make a rule out of a generator of faults over one subject.  Raises ValueError for an id that is taken."""

    def make(examine: Callable[[S], Iterator[Fault]]) -> Callable[[S], Iterator[Fault]]:
        if name in _RULES:
            raise ValueError(f"{name} is taken by {_RULES[name].examine.__name__}")
        _RULES[name] = Rule(name, " ".join((examine.__doc__ or "").split()), each, examine)
        return examine

    return make


@cache
def all_rules() -> tuple[Rule[Any], ...]:
    """Every rule, in the order of the ids within their groups."""
    from callproof.lint import rules  # noqa: PLC0415  whose modules import this one

    for module in pkgutil.iter_modules(rules.__path__):
        importlib.import_module(f"{rules.__name__}.{module.name}")
    return tuple(_RULES[name] for name in sorted(_RULES))


def definitions(held: Catalogue) -> Iterable[Definition]:
    """Every definition."""
    return held.definitions


def inputs(held: Catalogue) -> Iterator[Schema]:
    """Every input schema."""
    return (each.input for each in held.definitions if each.input is not None)


def outputs(held: Catalogue) -> Iterator[Schema]:
    """Every output schema."""
    return (each.output for each in held.definitions if each.output is not None)


def schemas(held: Catalogue) -> Iterator[Schema]:
    """The input and the output schema of every definition."""
    for each in held.definitions:
        yield from (schema for schema in (each.input, each.output) if schema is not None)


def subschemas(held: Catalogue) -> Iterable[Schema]:
    """Every schema, and every schema inside one, each once, at its own place."""
    return held.subschemas


def catalogue(held: Catalogue) -> Iterator[Catalogue]:
    """All definitions as one subject: a fault of such a rule names what it is ``on``."""
    yield held


def registries(held: Catalogue) -> Iterable[Registry]:
    """Definitions that are offered together: a fault of such a rule names the one that it is ``on``."""
    return held.registries


def steps(held: Catalogue) -> Iterator[Step]:
    """Every step of every plan."""
    for plan in held.plans:
        yield from plan.steps


def documents(held: Catalogue) -> Iterable[Document]:
    """Every document that was read."""
    return held.documents
