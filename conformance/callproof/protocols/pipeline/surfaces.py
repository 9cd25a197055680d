"""PIPE-09: tool and surface stay what they were when the tool was resolved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from callproof.checks.check import Finding
from callproof.protocols.parts import excerpt, text_of
from callproof.protocols.pipeline.phases import RESOLVE
from callproof.protocols.pipeline.trace import FAILED, LAWS, Invocation, Line, Pipeline
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_OFFERING = ("tool_refs", "loaded_tools")
_LOADED = "tool.deferred.loaded"


def _resolution(one: Invocation) -> Line:
    """The record that resolved the tool: the phase, or else the first record of the invocation."""
    return next((mark.line for mark in one.marks_of(RESOLVE) if mark.status != FAILED), one.lines[0])


def _surface_of(one: Invocation) -> str | None:
    """The surface in which the tool was resolved."""
    told = (line.text("surface_id") for line in (_resolution(one), *one.of("invocation")))
    return next((each for each in told if each is not None), None)


def _users(one: Invocation) -> Iterator[Line]:
    """The records that use what was resolved: later phases, and decisions."""
    yield from one.of("decision")
    yield from (mark.line for mark in one.marks if mark.phase != RESOLVE)


def _naming(log: Pipeline) -> Iterator[Invocation]:
    """Invocations with a record that names a tool or a surface that was used."""
    for each in log.invocations:
        if any(line.text("surface_id") or line.text("tool_id") for line in _users(each)):
            yield each


@LAWS.check("PIPE-09", each=_naming)
def what_was_resolved_is_used(_log: Pipeline, one: Invocation) -> Iterator[Finding]:
    """Decisions and phases name the tool and the surface of the resolution."""
    resolved = _resolution(one)
    for member, due in (("surface_id", _surface_of(one)), ("tool_id", one.tool)):
        for line in _users(one) if due is not None else ():
            named = line.text(member)
            if named not in (None, due):
                yield Finding(
                    f"the {_called(line)} of {one.named} has the {member} {excerpt(named)},"
                    f" but the tool was resolved with {excerpt(due)}",
                    f"the {member} of the resolution",
                    (resolved.witness("T"), line.witness("U")),
                )


@dataclass(frozen=True, slots=True)
class Settled:
    """What is settled from permission on: where the tool was resolved, its names, and its surface."""

    resolved: Line
    names: frozenset[str]
    surface: str | None


def _told_later(log: Pipeline) -> Iterator[tuple[Invocation, Line, Settled]]:
    """Statuses and events from a decision or an execution on that name a tool, and what was settled before."""
    for each in log.invocations:
        settled = [line.at for line in (*each.of("decision")[:1], each.ran) if line is not None]
        if not settled:
            continue
        told = [line for line in each.lines if _tells_of_its_tool(line) and line.text("tool_id") is not None]
        before = frozenset(line.text("tool_id") or "" for line in told if line.at < min(settled))
        later = (line for line in told if line.at >= min(settled) and line.kind != "phase")
        due = Settled(_resolution(each), before, _surface_of(each))
        yield from ((each, line, due) for line in later if before)


@LAWS.check("PIPE-09", each=_told_later)
def what_is_told_later_is_of_the_same_tool(
    _log: Pipeline, found: tuple[Invocation, Line, Settled]
) -> Iterator[Finding]:
    """From permission on, a status or an event names the tool by a name that was told before, and its surface."""
    one, line, due = found
    tool, surface = line.text("tool_id"), line.text("surface_id")
    if tool not in due.names:
        yield Finding(
            f"the {line.kind} of {one.named} has the tool_id {excerpt(tool)}, which no record named before permission",
            "the tool that was resolved",
            (due.resolved.witness("T"), line.witness("U")),
        )
    if None not in (surface, due.surface) and surface != due.surface:
        yield Finding(
            f"the {line.kind} of {one.named} has the surface_id {excerpt(surface)}, but the tool was resolved with"
            f" {excerpt(due.surface)}",
            "the surface_id of the resolution",
            (due.resolved.witness("T"), line.witness("U")),
        )


def _tells_of_its_tool(line: Line) -> bool:
    """Whether a line's tool is that of the invocation: other events may be about a tool that was found or loaded."""
    return line.kind in ("invocation", "phase") or (line.text("event_type") or "").startswith("tool.invocation.")


@dataclass(frozen=True)
class Surface:
    """One record of a surface, and the tools in its lists."""

    line: Line

    @cached_property
    def blocked(self) -> frozenset[str]:
        """The tools that it blocks or leaves out."""
        return _tools(self.line.get("blocked_tools")) | _tools(self.line.get("excluded_tools"))

    @cached_property
    def deferred(self) -> frozenset[str]:
        """The tools that it lets be found, but has not loaded."""
        return _tools(self.line.get("deferred_tools")) - _tools(self.line.get("loaded_tools"))

    @cached_property
    def offered(self) -> frozenset[str] | None:
        """The tools that it offers; None if it has no list of them."""
        lists = [self.line.get(name) for name in _OFFERING if is_array(self.line.get(name))]
        return frozenset[str]().union(*map(_tools, lists)) if lists else None

    def objection(self, tool: str, *, loaded: bool) -> str | None:
        """Why a tool may not be executed, in words; None if nothing speaks against it."""
        if tool in self.blocked:
            return "blocks"
        if loaded:
            return None
        if tool in self.deferred:
            return "has not loaded"
        return "does not offer" if self.offered is not None and tool not in self.offered else None


def _loaded(log: Pipeline) -> dict[str, int]:
    """The tools that an event tells to be loaded, each with the place of the first such event."""
    found: dict[str, int] = {}
    for line in log.of("event"):
        tool = line.text("tool_id")
        if tool is not None and line.text("event_type") == _LOADED:
            found.setdefault(tool, line.at)
    return found


def _executed(log: Pipeline) -> Iterator[tuple[Invocation, Line, Surface, bool]]:
    """
    Invocations that were executed, what tells of that, and the surface as it was when the tool was resolved.

    Each also has whether an earlier event told that the tool was loaded.
    """
    loaded = _loaded(log)
    surfaces: dict[str, list[Surface]] = {}
    for line in log.of("surface"):
        surfaces.setdefault(line.text("surface_id") or "", []).append(Surface(line))
    for one in log.invocations:
        named, at = _surface_of(one), _resolution(one).at
        told = surfaces.get(named or "", [])
        before = bisect_left(told, at, key=lambda each: each.line.at)
        if before and one.ran is not None and one.tool is not None:
            yield one, one.ran, told[before - 1], loaded.get(one.tool, at) < at


@LAWS.check("PIPE-09", each=_executed, needs=("surfaces",))
def what_is_executed_is_offered(_log: Pipeline, found: tuple[Invocation, Line, Surface, bool]) -> Iterator[Finding]:
    """The tool is in the lists of the surface, and neither among those that it blocks nor waiting to be loaded."""
    one, run, surface, loaded = found
    objection = surface.objection(one.tool or "", loaded=loaded)
    if objection is not None:
        yield Finding(
            f"{one.named} was executed, but the surface {excerpt(surface.line.text('surface_id'))}"
            f" {objection} the tool",
            "a tool that the surface offered when it was resolved",
            (surface.line.witness("S"), run.witness("X")),
        )


def _called(line: Line) -> str:
    return (line.text("phase") if line.kind == "phase" else None) or line.kind


def _tools(value: Json) -> frozenset[str]:
    """The tools of a list; each element is an id or an object that has one."""
    told = (text_of(each, "tool_id") if is_object(each) else each for each in value) if is_array(value) else ()
    return frozenset(each for each in told if isinstance(each, str))
