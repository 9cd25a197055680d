"""PIPE-19: a call is told with what it was given: its tool, its surface, its policy and its batch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from callproof.checks.check import Finding
from callproof.protocols.parts import excerpt, object_of, text_of
from callproof.protocols.pipeline.driving import Call, calls
from callproof.protocols.pipeline.trace import LAWS, Line, Pipeline, texts_of

_RULES: Final = ("ordering_policy", "sibling_failure_policy", "context_modifier_policy")
_NAMING_A_TOOL: Final = ("invocation", "phase", "decision")


def _given(log: Pipeline) -> Iterator[tuple[Call, Line, dict[str, str | None]]]:
    """Every record that tells an invocation, with the ids that the case gave it."""
    if log.case is None:
        return
    ids = {
        "surface_id": text_of(object_of(log.case.get("surface")), "surface_id"),
        "scheduler_policy_ref": text_of(object_of(log.case.get("policy")), "scheduler_policy_id"),
        "batch_id": log.case.text("batch_id"),
    }
    for call in calls(log):
        if call.told is not None:
            yield from ((call, line, ids) for line in call.told.of("invocation"))


@LAWS.check("PIPE-19", each=_given, needs=("driver",))
def a_call_is_told_under_what_it_was_given(
    _log: Pipeline, found: tuple[Call, Line, dict[str, str | None]]
) -> Iterator[Finding]:
    """The surface, the policy and the batch that an invocation names are those of the case."""
    call, line, ids = found
    for name, given in ids.items():
        told = line.get(name)
        if given is not None and told is not None and told != given:
            yield Finding(
                f"{call.named} is reported with the {name} {excerpt(told)}, but was given {excerpt(given)}",
                "the surface, the policy and the batch with which the case began",
                (call.case.witness("C"), line.witness("I")),
            )


def _policies(log: Pipeline) -> Iterator[tuple[Line, Line]]:
    """Policies that are told under the id of the policy with which the case began."""
    if log.case is not None:
        own = object_of(log.case.get("policy")).get("scheduler_policy_id")
        yield from ((log.case, line) for line in log.of("policy") if line.get("scheduler_policy_id") == own)


@LAWS.check("PIPE-19", each=_policies, needs=("driver",))
def the_policy_is_told_as_it_was_given(_log: Pipeline, found: tuple[Line, Line]) -> Iterator[Finding]:
    """A policy that is told under the id of the case's policy says the same as that policy."""
    case, line = found
    given = object_of(case.get("policy"))
    for name in _RULES:
        told = line.get(name)
        if told is not None and told != given.get(name):
            yield Finding(
                f"the {name} is reported as {excerpt(told)}, but was given as {excerpt(given.get(name))}",
                "the policy with which the case began",
                (case.witness("C"), line.witness("S")),
            )


def _naming(log: Pipeline) -> Iterator[tuple[Call, Line]]:
    """Records that name the tool of a call; a call without any tool name has none to be told."""
    for call in calls(log):
        if call.told is not None and (call.tool is not None or call.name):
            lines = (line for kind in _NAMING_A_TOOL for line in call.told.of(kind))
            yield from ((call, line) for line in lines if line.text("tool_id") is not None)


@LAWS.check("PIPE-19", each=_naming, needs=("driver",))
def the_tool_is_told_as_it_was_called(_log: Pipeline, found: tuple[Call, Line]) -> Iterator[Finding]:
    """A record names the tool by one of its names, or by the name that was asked for if there is no such tool."""
    call, line = found
    names = {call.name, call.tool_id, *(() if call.tool is None else texts_of(call.tool.get("names")))}
    if line.text("tool_id") not in names:
        yield Finding(
            f"{call.named} is reported as a call of {excerpt(line.get('tool_id'))}",
            "the tool of the call, or the name that was asked for if there is no such tool",
            (call.case.witness("C"), line.witness("N")),
        )
