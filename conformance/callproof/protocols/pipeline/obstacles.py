"""What stood against a call that was asked for, and what may have interfered, as the driver knows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from callproof.protocols.pipeline import probes
from callproof.protocols.pipeline.driving import Call, calls, policy
from callproof.protocols.pipeline.phases import (
    ENDED_BY,
    EXECUTE,
    MAP,
    PERMISSION,
    PRE_HOOKS,
    RESOLVE,
    VALIDATE,
)
from callproof.protocols.pipeline.trace import Line, Pipeline

_PARSE: Final = "parse_schema"
_STATES: Final = {"deferred": "schema_not_loaded", "blocked": "blocked_tool"}
# A person or a policy may deny; the class permission_denied fits both.
_DENIALS: Final = {
    "person": frozenset({"approval_rejected", "permission_denied"}),
    "policy": frozenset({"policy_blocked", "permission_denied"}),
}


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One thing that stood against a call: in words, the classes and phases in which it ends the call, and its line."""

    says: str
    classes: frozenset[str]
    phases: frozenset[str]
    line: Line

    def is_known_at(self, place: int) -> bool:
        """Whether the pipeline had been told of it at a place; it may know less of what somebody took time to say."""
        return self.line.at < place and self.line.get("held") is not True


def obstacles(call: Call) -> tuple[Obstacle, ...]:
    """What stood against the execution of a call."""
    return (*_of_its_tool(call), *_of_its_values(call), *_of_hooks(call), *_of_permission(call))


def failures(call: Call) -> tuple[Obstacle, ...]:
    """What went wrong with a call in its execution or in the mapping of its output."""
    found: list[Obstacle] = []
    last = call.ends[-1:]
    if last and last[0].text("probe") == probes.TOOL_THREW:
        name = last[0].text("error_class") or ""
        found.append(Obstacle(f"its tool threw {name}", frozenset({name}), frozenset({EXECUTE}), last[0]))
    mapped = call.seen(probes.OUTPUT_MAPPED)[-1:]
    if mapped and mapped[0].get("failed") is True:
        found.append(Obstacle("its output could not be mapped", ENDED_BY[MAP], frozenset({MAP}), mapped[0]))
    return tuple(found)


def _of_its_tool(call: Call) -> Iterator[Obstacle]:
    if call.tool is None:
        yield Obstacle("there is no such tool", frozenset({"unknown_tool"}), frozenset({RESOLVE}), call.case)
        return
    state = call.tool.get("state")
    if isinstance(state, str) and state in _STATES:
        name = _STATES[state]
        phases = frozenset(phase for phase, classes in ENDED_BY.items() if name in classes)
        yield Obstacle(f"its tool is {state}", frozenset({name}), phases, call.case)
    elif call.accepts(call.input) is False:
        classes = frozenset({"schema_validation_failed"})
        yield Obstacle("the schema refuses its input", classes, frozenset({_PARSE}), call.case)


def _of_its_values(call: Call) -> Iterator[Obstacle]:
    for line in call.seen(probes.TOOL_VALIDATED):
        name = line.text("error_class")
        if name is not None:
            yield Obstacle("its tool does not take the values", frozenset({name}), frozenset({VALIDATE}), line)


def _of_hooks(call: Call) -> Iterator[Obstacle]:
    for line in call.seen(probes.PRE_HOOK):
        if line.get("failed") is True:
            yield Obstacle("the hook failed", frozenset({"hook_failed"}), frozenset({PRE_HOOKS}), line)
        elif line.get("block") is True:
            says = "the hook, which took its time, blocked it" if line.get("held") is True else "the hook blocked it"
            yield Obstacle(says, frozenset({"hook_blocked"}), frozenset({PRE_HOOKS}), line)
        elif line.get("behavior") == "deny":
            classes = ENDED_BY[PERMISSION] | {"hook_blocked"}
            yield Obstacle("the hook denied it", classes, frozenset({PRE_HOOKS, PERMISSION}), line)


def _of_permission(call: Call) -> Iterator[Obstacle]:
    for line in call.seen(probes.PERMISSION_ANSWERED):
        if line.text("behavior") == "deny":
            classes = _DENIALS.get(line.text("by") or "", ENDED_BY[PERMISSION])
            yield Obstacle("permission was denied", classes, frozenset({PERMISSION}), line)


@dataclass(frozen=True, slots=True)
class Between:
    """What may have interfered with calls from elsewhere before their execution: the user, or a sibling that failed."""

    aborted: frozenset[str | None]
    wrong: frozenset[str]

    def of(self, call: Call) -> bool:
        """Whether something may have interfered with a call."""
        return not self.aborted.isdisjoint((None, call.id)) or not self.wrong <= {call.id}


def between(log: Pipeline) -> Between:
    """What may have interfered with the calls of a log before their execution."""
    aborted = frozenset(line.text("invocation_id") for line in log.seen(probes.ABORT_CALLED))
    if policy(log, "sibling_failure_policy") == "ignore":
        return Between(aborted, frozenset())
    found = [each for each in calls(log) if not aborted.isdisjoint((None, each.id)) or _went_wrong(each)]
    return Between(aborted, frozenset(each.id for each in found))


def _went_wrong(call: Call) -> bool:
    """Whether something went wrong with a call, as seen or told: only that stops its siblings."""
    told = call.result is not None and call.result.get("is_error") is True
    return told or bool(obstacles(call) or call.seen(probes.TOOL_THREW)) or _failed_late(call)


def _failed_late(call: Call) -> bool:
    """Whether something failed for a call after its tool had returned."""
    told = (*call.seen(probes.OUTPUT_MAPPED), *call.seen(probes.POST_HOOK), *call.seen(probes.OUTPUT_STORED))
    return any(line.get("failed") is True or line.get("block") is True for line in told)
