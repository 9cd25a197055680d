"""A driven pipeline: the calls that were asked for, and what happened to each of them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from callproof.checks.check import Witness
from callproof.protocols.parts import brief, object_of, objects_of, text_of
from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.trace import Invocation, Line, Pipeline, texts_of
from callproof.schema.bounds import BeyondTheEngine, UnusableSchema
from callproof.schema.validator import SchemaValidator
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_object

_NO_PROBES: Mapping[str, tuple[Line, ...]] = {}


@dataclass(frozen=True)
class Call:
    """One call that was asked for: its tool (None if there is none), what was seen of it, and what records told."""

    id: str
    name: str | None
    input: Json
    tool: Mapping[str, Json] | None
    case: Line
    probes: Mapping[str, tuple[Line, ...]]
    told: Invocation | None

    @property
    def named(self) -> str:
        """The name of the call in findings."""
        return f"{brief(self.id)} of {brief(self.tool_id or self.name or '?')}"

    @property
    def tool_id(self) -> str | None:
        """The id of its tool."""
        return None if self.tool is None else text_of(self.tool, "tool_id")

    @property
    def result(self) -> Line | None:
        """Its terminal result."""
        return None if self.told is None else self.told.result

    def seen(self, probe: str) -> tuple[Line, ...]:
        """The probes of this name about the call."""
        return self.probes.get(probe, ())

    @cached_property
    def changes(self) -> tuple[Line, ...]:
        """The probes in which the hook before the call changed its input."""
        return tuple(line for line in self.seen(probes.PRE_HOOK) if is_changed_to(line) is not None)

    @cached_property
    def changes_after(self) -> tuple[Line, ...]:
        """The probes in which the hook after the call changed its output."""
        return tuple(line for line in self.seen(probes.POST_HOOK) if line.get("updated_output") is not None)

    @property
    def executed(self) -> tuple[Line, ...]:
        """Every entry of its tool."""
        return self.seen(probes.TOOL_EXECUTED)

    @property
    def returned(self) -> Line | None:
        """The first return of its tool."""
        return next(iter(self.seen(probes.TOOL_RETURNED)), None)

    @cached_property
    def ends(self) -> tuple[Line, ...]:
        """Every return and throw of its tool, in order."""
        both = (*self.seen(probes.TOOL_RETURNED), *self.seen(probes.TOOL_THREW))
        return tuple(sorted(both, key=lambda line: line.at))

    def is_at_work(self, at: int) -> bool:
        """Whether its tool had been entered before a place of the log, and had neither returned nor thrown there."""
        return count_before(self.executed, at) > count_before(self.ends, at)

    def accepts(self, value: Json) -> bool | None:
        """Whether the schema of its tool accepts an input; None if that cannot be decided."""
        if self.tool is None:
            return None
        try:
            return SchemaValidator(object_of(self.tool.get("input_schema"))).accepts(value)
        except (UnusableSchema, BeyondTheEngine):
            return None

    def asks(self, phase: str) -> bool:
        """Whether somebody had to be asked in a phase."""
        return phase in texts_of(self.case.get("asks"))

    def first(self) -> tuple[Witness, ...]:
        """Its first witnesses: the note of the case, and the first record about the call."""
        told = () if self.told is None else (self.told.first,)
        return (self.case.witness("C"), *told)

    def ended(self) -> tuple[Witness, ...]:
        """Its result as a witness, if it has one."""
        return () if self.result is None else (self.result.witness("R"),)


def count_before(lines: tuple[Line, ...], at: int) -> int:
    """How many of some ordered lines stand before a place of the log."""
    return bisect_left(lines, at, key=lambda line: line.at)


def last_before(lines: tuple[Line, ...], at: int) -> Line | None:
    """The last of some ordered lines that stands before a place of the log."""
    count = count_before(lines, at)
    return lines[count - 1] if count else None


def calls(log: Pipeline) -> Iterator[Call]:
    """The calls that were asked for, in their order, except those that share an id."""
    case = log.case
    if case is None:
        return
    tools: dict[str, Mapping[str, Json]] = {}
    for tool in objects_of(object_of(case.get("surface")).get("tools")):
        for name in (text_of(tool, "tool_id"), *texts_of(tool.get("names"))):
            if name is not None:
                tools.setdefault(name, tool)
    asked = objects_of(case.get("calls"))
    ids = [text_of(each, "invocation_id") for each in asked]
    times = Counter(ids)
    for name, each in zip(ids, asked, strict=True):
        if name is not None and times[name] == 1:
            found = tools.get(text_of(each, "name") or "")
            seen, told = log.probes.get(name, _NO_PROBES), log.by_id.get(name)
            yield Call(name, text_of(each, "name"), each.get("input"), found, case, seen, told)


def ids_of(log: Pipeline) -> frozenset[str | None]:
    """The ids of all calls that were asked for."""
    asked = objects_of(log.case.get("calls")) if log.case is not None else ()
    return frozenset(text_of(each, "invocation_id") for each in asked)


def finished(log: Pipeline) -> Line | None:
    """The line in which the pipeline said that every call is over."""
    return next(iter(log.seen(probes.FINISHED)), None)


def is_of(line: Line, call: Call) -> bool:
    """Whether an act of the user is about a call; an act that names no call is about all calls."""
    return line.text("invocation_id") in (None, call.id)


def policy(log: Pipeline, name: str) -> str | None:
    """A rule in the policy of a case."""
    return None if log.case is None else text_of(object_of(log.case.get("policy")), name)


def is_changed_to(line: Line) -> Mapping[str, Json] | None:
    """The input that a hook or a person gave instead of another one."""
    found = line.get("updated_input")
    return found if is_object(found) else None
