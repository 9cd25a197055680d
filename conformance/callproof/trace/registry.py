"""The tool registry of a run: descriptors by name, their schemas compiled once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from callproof.schema.bounds import BeyondTheEngine, UnusableSchema
from callproof.schema.validator import SchemaValidator
from callproof.trace.lazy import Lazy
from callproof.values.declaring import names_at_any_depth
from callproof.values.jsontext import Json, shortest_text
from callproof.values.jsonvalue import is_array, is_object
from callproof.values.leaves import Leaves, leaves_of

RISKS = ("read-only", "writes", "commands")
# The risk of a tool that declares none (POL-19).
HIGHEST_RISK = "commands"
WRITING_RISKS = frozenset({"writes", "commands"})


@dataclass(frozen=True)
class Tool:
    """One tool descriptor."""

    value: Mapping[str, Json]

    @Lazy
    def name(self) -> str:
        """The canonical name."""
        return _text(self.value.get("name"))

    @Lazy
    def aliases(self) -> tuple[str, ...]:
        """Other names under which a plan may call it."""
        names = self.value.get("aliases")
        return tuple(each for each in names if isinstance(each, str)) if is_array(names) else ()

    @Lazy
    def risk_level(self) -> str:
        """The declared risk level; the highest if none is declared."""
        return _text(self.value.get("riskLevel")) or HIGHEST_RISK

    @Lazy
    def category(self) -> str | None:
        """The declared category."""
        return _text(self.value.get("category")) or None

    @Lazy
    def side_effects(self) -> frozenset[str] | None:
        """The kinds of side effect that it declares; None if it declares nothing."""
        kinds = self.value.get("sideEffects")
        return frozenset(each for each in kinds if isinstance(each, str)) if is_array(kinds) else None

    @Lazy
    def cancellable(self) -> bool:
        """Whether an open call may be aborted; true unless the descriptor says otherwise."""
        return self.value.get("cancellable") is not False

    @Lazy
    def hosted_by_suite(self) -> bool:
        """Whether calls of it reach the suite as deeds."""
        return self.value.get("host") == "suite"

    @Lazy
    def input_schema(self) -> Mapping[str, Json]:
        """The schema of the arguments as declared; empty if there is none."""
        return _schema(self.value.get("inputSchema"))

    @Lazy
    def output_schema(self) -> Mapping[str, Json]:
        """The schema of the data as declared; empty if there is none."""
        return _schema(self.value.get("outputSchema"))

    @Lazy
    def input_validator(self) -> SchemaValidator | None:
        """The validator of its arguments; None if this suite cannot use the schema."""
        return _compiled(json.dumps(self.input_schema)).validator

    @Lazy
    def output_validator(self) -> SchemaValidator | None:
        """The validator of its data; None if this suite cannot use the schema."""
        return _compiled(json.dumps(self.output_schema)).validator

    @Lazy
    def member_names(self) -> frozenset[str]:
        """The names of members that its schemas declare, at any depth."""
        return frozenset(names_at_any_depth([self.input_schema, self.output_schema]))

    @Lazy
    def leaves(self) -> Leaves:
        """Every text and number in the descriptor."""
        return leaves_of((self.value,))

    @Lazy
    def unusable(self) -> str | None:
        """Which of its schemas is unusable for everybody, not only for this suite, and why, in a clause (VAL-09)."""
        reasons = ((name, compiled.unusable) for name, compiled in self._schemas())
        return next((f"{name} {reason}" for name, reason in reasons if reason is not None), None)

    @Lazy
    def beyond_the_engine(self) -> tuple[str, ...]:
        """Which of its schemas others may use, but this suite cannot."""
        if self.input_validator is not None and self.output_validator is not None:  # known, and true for nearly all
            return ()
        return tuple(name for name, each in self._schemas() if each.validator is None and each.unusable is None)

    def _schemas(self) -> Iterator[tuple[str, _Compiled]]:
        yield "inputSchema", _compiled(json.dumps(self.input_schema))
        yield "outputSchema", _compiled(json.dumps(self.output_schema))


@dataclass(frozen=True)
class Registry:
    """The tools of a run."""

    tools: tuple[Tool, ...]

    @Lazy
    def by_name(self) -> Mapping[str, Tool]:
        """The tools by canonical name."""
        return {tool.name: tool for tool in self.tools}

    @Lazy
    def _by_any_name(self) -> Mapping[str, Tool]:
        return {alias: tool for tool in self.tools for alias in tool.aliases} | dict(self.by_name)

    def resolve(self, name: str) -> Tool | None:
        """The tool that a plan means by a name: exactly, or through a declared alias (VAL-06)."""
        return self._by_any_name.get(name)


def registry_of(descriptors: Iterable[Json]) -> Registry:
    """The registry made of descriptors; entries that are no objects are left out."""
    objects = tuple(each for each in descriptors if is_object(each))
    # The runs of a log share a few registries and tools, and much is computed once for each; long ones are not kept.
    text = shortest_text(objects)
    return _known_registry(text) if text is not None and len(text) <= _NOT_LONG else _registry(objects)


@lru_cache(maxsize=16)
def _known_registry(text: bytes) -> Registry:
    return _registry(json.loads(text))


def _registry(descriptors: Iterable[Mapping[str, Json]]) -> Registry:
    return Registry(tuple(map(_tool, descriptors)))


def _tool(descriptor: Mapping[str, Json]) -> Tool:
    text = json.dumps(descriptor)
    return _known_tool(text) if len(text) <= _SHORT else Tool(descriptor)


@lru_cache(maxsize=128)
def _known_tool(descriptor: str) -> Tool:
    return Tool(json.loads(descriptor))


_SHORT: Final = 8_192
_NOT_LONG: Final = 65_536


class _Compiled(NamedTuple):
    validator: SchemaValidator | None
    # Why it is unusable for everybody.
    unusable: str | None = None


@lru_cache(maxsize=512)
def _compiled(schema: str) -> _Compiled:
    try:
        return _Compiled(SchemaValidator(json.loads(schema)))
    except BeyondTheEngine:
        return _Compiled(None)
    except UnusableSchema as error:
        return _Compiled(None, error.reason)


def _schema(declared: Json) -> Mapping[str, Json]:
    """A schema as an object: ``true`` accepts everything, ``false`` nothing."""
    if declared is False:
        return {"not": {}}
    return declared if is_object(declared) else {}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
