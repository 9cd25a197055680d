"""PIPE-09: tool and surface stay what they were when the tool was resolved."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from callproof.checks.check import Finding, excerpt
from callproof.protocols.parts import text_of
from callproof.protocols.pipeline.phases import RESOLVE
from callproof.protocols.pipeline.trace import FAILED, LAWS, Invocation, Line, Mark, Pipeline
from callproof.values.jsontext import Json
from callproof.values.jsonvalue import is_array, is_object

_OFFERING = ("tool_refs", "loaded_tools")


def _resolution(one: Invocation) -> Line:
    """Where the tool was resolved: the phase, or the first record of the invocation."""
    return next((mark.line for mark in one.marks_of(RESOLVE) if mark.status != FAILED), one.lines[0])


def _surface_of(one: Invocation) -> str | None:
    """The surface that the tool was resolved in."""
    told = (line.text("surface_id") for line in (_resolution(one), *one.of("invocation")))
    return next((each for each in told if each is not None), None)


def _users(one: Invocation) -> Iterator[Line]:
    """The records that use what was resolved: later phases, and decisions."""
    yield from one.of("decision")
    yield from (mark.line for mark in one.marks if mark.phase != RESOLVE)


def _naming(log: Pipeline) -> Iterator[Invocation]:
    """Invocations of which something names a tool or a surface that was used."""
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
                    f" and the tool was resolved with {excerpt(due)}",
                    f"the {member} of the resolution",
                    (resolved.witness("T"), line.witness("U")),
                )


@dataclass(frozen=True)
class Surface:
    """One record of a surface, and the tools in its lists."""

    line: Line

    @cached_property
    def blocked(self) -> frozenset[str]:
        """What it blocks."""
        return _tools(self.line.get("blocked_tools"))

    @cached_property
    def offered(self) -> frozenset[str] | None:
        """What it offers; None where it has no list of that."""
        lists = [self.line.get(name) for name in _OFFERING if is_array(self.line.get(name))]
        return frozenset[str]().union(*map(_tools, lists)) if lists else None


def _executed(log: Pipeline) -> Iterator[tuple[Invocation, Mark, Surface]]:
    """Invocations that were executed, their executions, and the surface as it was when the tool was resolved."""
    surfaces: dict[str, list[Surface]] = {}
    for line in log.of("surface"):
        surfaces.setdefault(line.text("surface_id") or "", []).append(Surface(line))
    for one in log.invocations:
        named, at = _surface_of(one), _resolution(one).at
        told = surfaces.get(named or "", [])
        before = bisect_left(told, at, key=lambda each: each.line.at)
        if before and one.executed is not None and one.tool is not None:
            yield one, one.executed, told[before - 1]


@LAWS.check("PIPE-09", each=_executed, needs=("surfaces", "phases"))
def what_is_executed_is_offered(_log: Pipeline, found: tuple[Invocation, Mark, Surface]) -> Iterator[Finding]:
    """The tool is in the lists of the surface, and not among those that it blocks."""
    one, run, surface = found
    blocked = one.tool in surface.blocked
    if blocked or (surface.offered is not None and one.tool not in surface.offered):
        yield Finding(
            f"{one.named} was executed, and the surface {excerpt(surface.line.text('surface_id'))}"
            f" {'blocks' if blocked else 'does not offer'} the tool",
            "a tool that the surface offered when it was resolved",
            (surface.line.witness("S"), run.line.witness("X")),
        )


def _called(line: Line) -> str:
    return (line.text("phase") if line.kind == "phase" else None) or line.kind


def _tools(value: Json) -> frozenset[str]:
    """The tools of a list, each an id or an object that has one."""
    told = (text_of(each, "tool_id") if is_object(each) else each for each in value) if is_array(value) else ()
    return frozenset(each for each in told if isinstance(each, str))
