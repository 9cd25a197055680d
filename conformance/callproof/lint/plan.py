"""Plans as they were found, and their steps with the tools that they call.  Odd shapes are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from callproof.lint.document import Document, Pointer
from callproof.lint.found import NOTHING, Found
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

if TYPE_CHECKING:
    from callproof.lint.definition import Catalogue, Definition


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan whose steps call tools of the catalogue."""

    catalogue: Catalogue
    found: Found

    @property
    def raw(self) -> Json:
        """The plan as it was found."""
        return self.found.value

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Its steps in order, of any type."""
        listed = self.raw.get("steps") if is_object(self.raw) else None
        return tuple(Step(self, place, each) for place, each in enumerate(listed)) if is_array(listed) else ()

    @cached_property
    def by_id(self) -> Mapping[str, Step]:
        """The first step of each id."""
        named: dict[str, Step] = {}
        for each in self.steps:
            named.setdefault(each.id, each)
        return named


@dataclass(frozen=True, eq=False)
class Step:
    """One step of a plan, with the tool that it calls."""

    plan: Plan
    place: int
    raw: Json

    @property
    def catalogue(self) -> Catalogue:
        """All definitions."""
        return self.plan.catalogue

    @property
    def document(self) -> Document:
        """The document that holds the plan."""
        return self.plan.found.document

    @property
    def pointer(self) -> Pointer:
        """Where the step is in its document."""
        return (*self.plan.found.pointer, "steps", self.place)

    def get(self, name: str) -> Json:
        """A member; None if there is none."""
        return self.raw.get(name) if is_object(self.raw) else None

    @property
    def id(self) -> str:
        """The step's name within its plan; empty if it has none."""
        told = self.get("id")
        return told if isinstance(told, str) else ""

    @property
    def args(self) -> Mapping[str, Json]:
        """The template of the arguments; empty if it is not an object."""
        told = self.get("args")
        return told if is_object(told) else NOTHING

    @property
    def tool(self) -> Definition | None:
        """The definition of the tool that it calls; None if the catalogue has none."""
        name = self.get("tool")
        return self.catalogue.by_name.get(name) if isinstance(name, str) else None
