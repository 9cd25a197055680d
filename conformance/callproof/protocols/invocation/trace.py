"""One invocation, linked up: what the parts of its record say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from callproof.checks.check import Witness
from callproof.protocols.entries import Entry
from callproof.protocols.invocation.codes import CODES, V1
from callproof.protocols.parts import brief, excerpt, object_of
from callproof.protocols.shapes import faults_of
from callproof.schema.validator import SchemaFault
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

# From the source that is believed first to the one that is believed last.
SOURCES: Final = ("orchestrator", "runtime", "inferred")
_NOTHING: Final[Mapping[str, Json]] = {}


@dataclass(frozen=True)
class Invocation:
    """One line of a log; a part that is no object counts as an empty object, and INT-07 checks its shape."""

    entry: Entry

    @property
    def response(self) -> str | None:
        """The ``responseId``, if it is a text."""
        return self.entry.text("responseId")

    @property
    def contract(self) -> str:
        """The version of the contract; v1 if the record names no known one."""
        told = self.entry.text("contract")
        return told if told in CODES else V1

    @property
    def optional(self) -> bool:
        """Whether the response can do without the tool."""
        return self.entry.value.get("optional") is not False

    @cached_property
    def intent(self) -> Mapping[str, Json]:
        """What the planner wanted."""
        return object_of(self.entry.value.get("intent"))

    @cached_property
    def request(self) -> Mapping[str, Json]:
        """What the orchestrator made of it."""
        return object_of(self.entry.value.get("request"))

    @cached_property
    def outcome(self) -> Mapping[str, Json]:
        """What came of it; empty if the record has no outcome."""
        return object_of(self.entry.value.get("outcome"))

    @cached_property
    def told(self) -> Mapping[str, Json]:
        """What came of it: the outcome, or the event of the tool if there is no outcome; empty if there is neither."""
        return self.outcome or next(iter(self.events), _NOTHING)

    @property
    def events(self) -> tuple[Mapping[str, Json], ...]:
        """The execution events of the tool."""
        if not isinstance(self.tool, str):
            return ()
        return tuple(each for each in self.of_kind("tool") if each.get("toolName") == self.tool)

    @cached_property
    def reported(self) -> Mapping[str, Mapping[str, Json]]:
        """What each source told of the outcome, in the order in which the sources are believed."""
        told = object_of(self.entry.value.get("reported"))
        return {name: object_of(told[name]) for name in SOURCES if is_object(told.get(name))}

    @cached_property
    def execution(self) -> tuple[Mapping[str, Json], ...] | None:
        """The events of the metadata that are objects; None if the metadata were not captured."""
        told = self.entry.value.get("execution")
        return tuple(each for each in told if is_object(each)) if is_array(told) else None

    @cached_property
    def faults(self) -> tuple[SchemaFault, ...]:
        """Every way in which the record breaks its shape."""
        return faults_of(self.entry.value, "invocation")

    @property
    def tool(self) -> Json:
        """The name of the tool in the intent."""
        return self.intent.get("toolName")

    @property
    def named(self) -> str:
        """The name of the invocation in findings."""
        return f"{brief(self.tool) if isinstance(self.tool, str) else '?'} in response {brief(self.response or '?')}"

    def of_kind(self, kind: str) -> tuple[Mapping[str, Json], ...]:
        """The execution events of a kind."""
        return tuple(each for each in self.execution or () if each.get("kind") == kind)

    def witness(self, name: str, part: str) -> Witness:
        """A part of the record as a named witness."""
        value = self.entry.value.get(part)
        return Witness(name, f"{part} {_brief(value)}".rstrip(), self.entry.source)

    @property
    def what_came_of_it(self) -> Witness:
        """The outcome, or the event that stands for it, as a witness."""
        if self.outcome or not self.told:
            return self.witness("O", "outcome")
        return Witness("E", f"execution event {_brief(self.told)}", self.entry.source)


def _brief(value: Json) -> str:
    """The members of a part that decide about it; never the input of a tool."""
    if not is_object(value):
        return ""
    told = ("requested", "eligible", "status", "reasonCode")
    return ", ".join(f"{name} {excerpt(value[name])}" for name in told if name in value)
